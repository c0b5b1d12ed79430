package tensor

import (
	"fmt"
	"slices"
)

// Products that are other products in a row.

func init() {
	composites(map[string]Kernel{
		"matmul":         func(c *Call) { c.Return(matmulBody(c.Name(), c.Tensor(0), c.Tensor(1))) },
		"outer":          outerBody,
		"ger":            outerBody,
		"inner":          innerBody,
		"tensordot":      tensordotBody,
		"tensordot.dims": func(c *Call) { c.Return(tensordot(c, c.Tensor(0), c.Tensor(1), c.Ints(2), c.Ints(3))) },
		"kron":           kronBody,
		"cross":          crossBody,
		"chain_matmul":   chainBody,
	})
	explicits(map[string]Kernel{
		"linalg.cross": linalgCross,
		"addr":         addrBody,
		"cdist":        cdistBody,
	})
}

// Note: matmul. The numbers of dimensions decide which product it is. A batch against a single matrix or vector is
// folded into one product of matrices, as PyTorch does where the batch can be folded without a copy, or where the
// gradient would be a batch otherwise.
func matmulBody(op string, a, b *Tensor) *Tensor {
	da, db := len(a.shape), len(b.shape)
	defer betterDetails(func() any { return matmulDetails(a, b) })
	switch {
	case da == 0 || db == 0:
		panic(Errorf(op, "both arguments need to be at least 1D, but they are %dD and %dD", da, db).
			WithHint("Mul multiplies by a number"))
	case da == 1 && db == 1:
		return a.Dot(b)
	case da == 2 && db == 1:
		return a.Mv(b)
	case da == 1 && db == 2:
		return a.Unsqueeze(0).Mm(b).Squeeze_(0)
	case da == 2 && db == 2:
		return a.Mm(b)
	}
	n1, n2 := a.shape[da-1], b.shape[max(db-2, 0)]
	if n1 != n2 {
		panic(Errorf(op, "shapes %v and %v cannot be multiplied: sizes %d and %d differ", a.shape, b.shape, n1, n2).
			WithDetails(matmulDetails(a, b)))
	}
	if foldMatmul(a, b) {
		return foldedMatmul(a, b)
	}
	return batchedMatmul(op, a, b)
}

func foldMatmul(a, b *Tensor) bool {
	large, small := a, b
	if len(a.shape) < len(b.shape) {
		large, small = b, a
	}
	n := len(large.shape)
	switch {
	case n < 3 || len(small.shape) > 2:
		return false
	case small.RequiresGrad():
		return true
	case len(a.shape) == 2:
		return false
	case large.numel == 0:
		return true
	}
	shape, stride := slices.Clone(large.shape), slices.Clone(large.stride)
	if large == b { // it is its transpose that is folded
		shape[n-1], shape[n-2] = shape[n-2], shape[n-1]
		stride[n-1], stride[n-2] = stride[n-2], stride[n-1]
	}
	for i := range n - 2 {
		if stride[i] != stride[i+1]*shape[i+1] {
			return false
		}
	}
	return true
}

func foldedMatmul(a, b *Tensor) *Tensor {
	transpose := len(b.shape) > len(a.shape)
	large, small := a, b
	if transpose {
		large, small = b.MT(), a
		if len(a.shape) == 2 {
			small = a.T()
		}
	}
	n := len(large.shape)
	shape := slices.Clone(large.shape[:n-1])
	rows, _ := count(shape)
	folded := large.Reshape(rows, large.shape[n-1])
	if len(small.shape) == 1 {
		return callUnsafeView(folded.Mv(small), shape...)
	}
	out := callUnsafeView(folded.Mm(small), append(shape, small.shape[1])...)
	if transpose {
		out = out.MT().Contiguous()
	}
	return out
}

func batchedMatmul(op string, a, b *Tensor) *Tensor {
	da, db := len(a.shape), len(b.shape)
	if da == 3 && db == 3 && a.shape[0] != b.shape[0] {
		if a.shape[0] == 1 && a.RequiresGrad() {
			return matmulBody(op, a.Squeeze(0), b)
		}
		if b.shape[0] == 1 && b.RequiresGrad() {
			return matmulBody(op, a, b.Squeeze(0))
		}
	}
	n, m, p := 1, a.shape[da-1], 1
	var batchA, batchB []int
	if da > 1 {
		n, batchA = a.shape[da-2], a.shape[:da-2]
	}
	k := b.shape[max(db-2, 0)]
	if db > 1 {
		p, batchB = b.shape[db-1], b.shape[:db-2]
	} else {
		b = b.Unsqueeze(1)
	}
	batch := slices.Clone(broadcastTwo(op, batchA, batchB))
	total, _ := count(batch)
	x := a.Expand(append(slices.Clone(batch), n, m)...).Reshape(total, n, m)
	y := b.Expand(append(slices.Clone(batch), k, p)...).Reshape(total, k, p)
	out := x.Bmm(y)
	if db == 1 {
		out = out.Squeeze(-1)
	}
	if da > 1 {
		batch = append(batch, n)
	}
	if db > 1 {
		batch = append(batch, p)
	}
	return callUnsafeView(out, batch...)
}

func outerBody(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	wantDims(c, "self", a, 1)
	wantDims(c, "vec2", b, 1)
	c.Return(a.Reshape(a.shape[0], 1).Mul(b))
}

func innerBody(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	if len(a.shape) == 0 || len(b.shape) == 0 {
		c.Return(a.Mul(b))
		return
	}
	if n, m := a.Size(-1), b.Size(-1); n != m {
		panic(Errorf(c.Name(), "the last dimension must match on both tensors but got shapes %v and %v: sizes %d and %d",
			a.shape, b.shape, n, m))
	}
	c.Return(tensordot(c, a, b, []int{-1}, []int{-1}))
}

func tensordotBody(c *Call) {
	a, b, n := c.Tensor(0), c.Tensor(1), c.Int(2)
	if n < 0 || n > len(a.shape) || n > len(b.shape) {
		panic(Errorf(c.Name(), "dims must be from 0 to the number of dimensions of both, got %d for shapes %v and %v", n,
			a.shape, b.shape))
	}
	left, right := make([]int, n), make([]int, n)
	for i := range n {
		left[i], right[i] = len(a.shape)-n+i, i
	}
	c.Return(tensordot(c, a, b, left, right))
}

// tensordot sums products along the dimensions left of a and right of b, as one product of matrices.
func tensordot(c *Call, a, b *Tensor, left, right []int) *Tensor {
	if len(left) != len(right) {
		panic(Errorf(c.Name(), "both lists of dimensions must have the same length, got %v and %v", left, right))
	}
	inA, inB := make([]bool, len(a.shape)), make([]bool, len(b.shape))
	var dimsA, dimsB []int
	size := 1
	for i := range left {
		if len(a.shape) == 0 || len(b.shape) == 0 {
			panic(Errorf(c.Name(), "dimensions %v and %v are not those of tensors of shapes %v and %v", left, right, a.shape,
				b.shape))
		}
		d, e := WrapDim(c.Name(), left[i], len(a.shape)), WrapDim(c.Name(), right[i], len(b.shape))
		if inA[d] || inB[e] {
			panic(Errorf(c.Name(), "a dimension appears twice in %v or %v", left, right))
		}
		inA[d], inB[e] = true, true
		dimsA, dimsB = append(dimsA, d), append(dimsB, e)
		switch n, m := a.shape[d], b.shape[e]; {
		case m == 1:
			a = a.Sum(optDim(d), optKeepdim(true))
		case n == 1:
			b = b.Sum(optDim(e), optKeepdim(true))
		case n != m:
			panic(Errorf(c.Name(), "contracted dimensions need to match, but the first has size %d in dim %d and the second "+
				"has size %d in dim %d", n, d, m, e))
		default:
			size *= n
		}
	}
	var permA, permB, shape []int
	rows, cols := 1, 1
	for i, n := range a.shape {
		if !inA[i] {
			permA, shape, rows = append(permA, i), append(shape, n), rows*n
		}
	}
	permB = append(permB, dimsB...)
	for i, n := range b.shape {
		if !inB[i] {
			permB, shape, cols = append(permB, i), append(shape, n), cols*n
		}
	}
	permA = append(permA, dimsA...)
	return a.Permute(permA...).Reshape(rows, size).Mm(b.Permute(permB...).Reshape(size, cols)).Reshape(shape...)
}

func kronBody(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	n := max(len(a.shape), len(b.shape))
	left, right, shape := make([]int, 2*n), make([]int, 2*n), make([]int, n)
	at := func(s []int, i int) int {
		if i -= n - len(s); i >= 0 {
			return s[i]
		}
		return 1
	}
	for i := range n {
		left[2*i], left[2*i+1] = at(a.shape, i), 1
		right[2*i], right[2*i+1] = 1, at(b.shape, i)
		shape[i] = at(a.shape, i) * at(b.shape, i)
	}
	x, y := a.Reshape(left...), b.Reshape(right...)
	c.Return(callUnsafeView(x.Mul(y).Contiguous(), shape...))
}

func crossBody(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	d := c.Int(2)
	if c.IsNone(2) {
		if d = slices.Index(a.shape, 3); d < 0 {
			panic(Errorf(c.Name(), "no dimension of size 3 in the input of shape %v", a.shape))
		}
	}
	c.Return(LinalgCross(a, b, optDim(d)))
}

func linalgCross(c *Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	if len(a.shape) != len(b.shape) {
		panic(Errorf(c.Name(), "both must have the same number of dimensions, got shapes %v and %v", a.shape, b.shape))
	}
	d := c.wrapDim(2, c.Int(2), len(a.shape))
	if len(a.shape) == 0 || a.shape[d] != 3 || b.shape[d] != 3 {
		panic(Errorf(c.Name(), "dimension %d of both must have length 3, got shapes %v and %v", c.Int(2), a.shape, b.shape))
	}
	productDtypes(c, a, b)
	turned := func(x *Tensor, by int) *Tensor { return x.Roll(-by, d) }
	c.Return(turned(a, 1).Mul(turned(b, 2)).Sub(turned(a, 2).Mul(turned(b, 1))))
}

// addrBody is beta*self + alpha*outer(vec1, vec2); bools are multiplied by "and" and added by "or".
func addrBody(c *Call) {
	self, v1, v2 := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	wantDims(c, "vec1", v1, 1)
	wantDims(c, "vec2", v2, 1)
	shape := []int{v1.shape[0], v2.shape[0]}
	if _, ok := BroadcastStrides(self.shape, self.stride, shape); !ok {
		panic(Errorf(c.Name(), "self of shape %v does not expand to the shape %v of the product", self.shape, shape))
	}
	beta, _ := c.Scalar(3)
	alpha, _ := c.Scalar(4)
	dt := PromoteTypes(self.dtype, PromoteTypes(v1.dtype, v2.dtype))
	product := v1.Unsqueeze(1)
	if dt == Bool {
		product = product.LogicalAnd(v2)
		if !alpha.Bool() {
			product = ZerosLike(product)
		}
		if beta.Bool() {
			product = product.LogicalOr(self)
		}
		c.Return(product)
		return
	}
	factor := func(x *Tensor, f Scalar) *Tensor { // the number takes the dtype of the result, as in PyTorch's kernel
		if x = x.To(dt); f.IsInt() && f.Int() == 1 {
			return x
		}
		return x.Mul(FullLike(x, f.Any()))
	}
	product = factor(product, alpha).Mul(v2.To(dt))
	if beta.Bool() {
		product = factor(self, beta).Add(product)
	}
	c.Return(product)
}

// chainBody multiplies matrices in the order that costs least.
func chainBody(c *Call) {
	ms := c.Tensors(0)
	if len(ms) == 0 {
		panic(Errorf(c.Name(), "expected at least one matrix"))
	}
	c.Return(chain(c, ms))
}

// chain is the product of matrices.
func chain(c *Call, ms []*Tensor) *Tensor {
	for i, m := range ms {
		wantDims(c, fmt.Sprintf("matrix %d", i), m, 2)
		if i > 0 && ms[i-1].shape[1] != m.shape[0] {
			panic(Errorf(c.Name(), "matrices %d and %d cannot be multiplied (%s and %s)", i-1, i, times(ms[i-1].shape),
				times(m.shape)))
		}
	}
	n := len(ms)
	cost, split := make([][]int, n), make([][]int, n) // of the product of matrices i to j
	for i := range n {
		cost[i], split[i] = make([]int, n), make([]int, n)
	}
	for length := 1; length < n; length++ {
		for i := 0; i+length < n; i++ {
			j := i + length
			cost[i][j] = -1
			for k := i; k < j; k++ {
				if v := cost[i][k] + cost[k+1][j] + ms[i].shape[0]*ms[k].shape[1]*ms[j].shape[1]; cost[i][j] < 0 ||
					v < cost[i][j] {
					cost[i][j], split[i][j] = v, k
				}
			}
		}
	}
	var multiply func(i, j int) *Tensor
	multiply = func(i, j int) *Tensor {
		if i == j {
			return ms[i]
		}
		k := split[i][j]
		return multiply(i, k).Mm(multiply(k+1, j))
	}
	return multiply(0, n-1)
}
