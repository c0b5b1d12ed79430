package tensor

import (
	"math"
	"slices"
)

// Layers that are other operators in a row.

func init() {
	composites(map[string]Kernel{
		"nn.functional.linear":  linearBody,
		"nn.functional.dropout": dropoutBody,
		"nn.functional.one_hot": oneHotBody,
		"nn.functional.scaled_dot_product_attention": func(c *Call) {
			out, _ := attention(c, c.Tensor(3), c.Float(4), c.Bool(5))
			c.Return(out)
		},
		"nn.functional._scaled_dot_product_attention": func(c *Call) {
			c.Return(attention(c, c.Tensor(3), c.Float(4), c.Bool(6)))
		},
		"nn.functional.pixel_shuffle":   func(c *Call) { pixelShuffle(c, c.Int(1), true) },
		"nn.functional.pixel_unshuffle": func(c *Call) { pixelShuffle(c, c.Int(1), false) },
	})
	explicits(map[string]Kernel{"nn.functional.embedding": embeddingBody})
}

// linearBody is input @ weight.T() + bias; a matrix with a bias is one product.
func linearBody(c *Call) {
	x, w, b := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	n := len(x.shape)
	if n == 0 || len(w.shape) > 2 || len(w.shape) == 0 {
		panic(Errorf(c.Name(), "expected an input of 1 or more dimensions and a weight of 2, got shapes %v and %v", x.shape,
			w.shape))
	}
	wt := w.T()
	if len(w.shape) == 2 && x.shape[n-1] != w.shape[1] {
		defer betterDetails(func() any {
			f := matmulDetails(x, w)
			f.B, f.Transposed = wt.Shape(), true
			return f
		})
	}
	switch {
	case b != nil && n == 2 && len(w.shape) == 2:
		c.Return(Addmm(b, x, wt))
	case b != nil && n == 3 && len(w.shape) == 2 && x.Contig():
		flat := Addmm(b, x.Reshape(x.shape[0]*x.shape[1], x.shape[2]), wt)
		c.Return(flat.View(x.shape[0], x.shape[1], w.shape[0]))
	default:
		out := x.Matmul(wt)
		if b != nil {
			out = out.Add(b)
		}
		c.Return(out)
	}
}

func dropoutBody(c *Call) {
	c.drop(c.Tensor(0), func(x *Tensor) *Tensor { return EmptyLike(x) }, false)
}

// embeddingBody returns the rows of weight, slot 1, that the indices in slot 0 name.
func embeddingBody(c *Call) {
	ix, w := c.Tensor(0), c.Tensor(1)
	if len(w.shape) != 2 {
		panic(Errorf(c.Name(), "weight must be 2-D, but it has shape %s", sizesText(w.shape)).OnArg("weight"))
	}
	if ix.dtype != Int64 && ix.dtype != Int32 {
		panic(Errorf(c.Name(), "expected indices of int64 or int32, got %v", ix.dtype).OnArg("input"))
	}
	if !c.IsNone(2) {
		if p := c.Int(2); p < -w.shape[0] || p >= w.shape[0] {
			panic(Errorf(c.Name(), "padding_idx must be within the %d rows of weight, got %d", w.shape[0], p).
				OnArg("padding_idx"))
		}
	}
	if c.Bool(6) && c.Bool(5) {
		panic(Errorf(c.Name(), "scale_grad_by_freq is not supported with sparse gradients").OnArg("sparse"))
	}
	flat := ix.Reshape(-1)
	if !c.IsNone(3) { // rows whose norm is greater are cut to it, in place
		rows := flat.Unique()
		used := w.IndexSelect(0, rows)
		limit, p := c.Float(3), c.Float(4)
		norm := used.Norm(optP(p), optDim(1), optKeepdim(true))
		scale := Where(norm.Gt(limit), norm.Add(1e-7).Reciprocal().Mul(limit), 1.0)
		w.IndexCopy_(0, rows, used.Mul(scale).To(w.dtype))
	}
	c.Return(w.IndexSelect(0, flat).Reshape(append(slices.Clone(ix.shape), w.shape[1])...))
}

func oneHotBody(c *Call) {
	x, classes := c.Tensor(0), c.Int(1)
	if x.dtype != Int64 {
		panic(Errorf(c.Name(), "one_hot is only applicable to index tensors of int64, got %v", x.dtype).OnArg("tensor"))
	}
	shape := append(slices.Clone(x.shape), classes)
	switch {
	case x.numel == 0 && classes <= 0:
		panic(Errorf(c.Name(), "cannot infer the number of classes from an empty tensor"))
	case x.numel > 0:
		least, greatest := x.Aminmax()
		if least.ItemInt() < 0 {
			panic(Errorf(c.Name(), "class values must be non-negative"))
		}
		most := int(greatest.ItemInt())
		if classes == -1 {
			shape[len(x.shape)] = most + 1
		} else if classes < 1 {
			panic(Errorf(c.Name(), "num_classes should be positive, got %d", classes))
		} else if most >= classes {
			panic(Errorf(c.Name(), "class values must be smaller than num_classes: %d is not below %d", most, classes))
		}
	}
	c.Return(Alloc(c.Name(), shape, Int64, x.st.device).Scatter_(-1, x.Unsqueeze(-1), 1))
}

// attention is softmax(q @ k.mT() / sqrt(E) + mask) @ v, query, key and value being slots 0, 1 and 2.
func attention(c *Call, mask *Tensor, dropout float64, causal bool) (out, weights *Tensor) {
	q, k, v := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	for i, t := range []*Tensor{q, k, v} {
		if len(t.shape) < 2 {
			panic(Errorf(c.Name(), "%s must have 2 or more dimensions, got shape %v", []string{"query", "key", "value"}[i],
				t.shape))
		}
	}
	if causal && mask != nil {
		panic(Errorf(c.Name(), "attn_mask must not be given where is_causal is set").OnArg("attn_mask"))
	}
	root := math.Sqrt(float64(q.Size(-1)))
	if causal {
		mask = With(Bool, q.st.device).Ones(q.Size(-2), k.Size(-2)).Tril()
	}
	if mask != nil && mask.dtype == Bool {
		mask = ZerosLike(mask, q.dtype).MaskedFill(mask.LogicalNot(), math.Inf(-1))
	}
	if q.dtype == Float16 || q.dtype == Bfloat16 { // the root is not rounded to the half type
		q = q.To(Float32).Div(root).To(q.dtype)
	} else {
		q = q.Div(root)
	}
	scores := q.Matmul(k.Transpose(-2, -1))
	if mask != nil {
		scores = scores.Add(mask)
	}
	weights = scores.Softmax(optDim(-1))
	if dropout > 0 {
		weights = Dropout(weights, optP(dropout))
	}
	return weights.Matmul(v), weights
}

// pixelShuffle moves channels into space, r of them in each direction, or back.
func pixelShuffle(c *Call, r int, shuffle bool) {
	x := c.Tensor(0)
	n := len(x.shape)
	if n < 3 {
		panic(Errorf(c.Name(), "expected an input of 3 or more dimensions, got shape %v", x.shape))
	}
	if r <= 0 {
		panic(Errorf(c.Name(), "expected a positive factor, got %d", r))
	}
	batch, ch, h, w := x.shape[:n-3], x.shape[n-3], x.shape[n-2], x.shape[n-1]
	front := make([]int, n-3)
	for i := range front {
		front[i] = i
	}
	k := n - 3
	order := func(dims ...int) []int {
		for i := range dims {
			dims[i] += k
		}
		return append(slices.Clone(front), dims...)
	}
	sizes := func(s ...int) []int { return append(slices.Clone(batch), s...) }
	if shuffle {
		if ch%(r*r) != 0 {
			panic(Errorf(c.Name(), "expected its input's channels to be divisible by the square of upscale_factor, but input "+
				"has %d channels and upscale_factor is %d", ch, r))
		}
		y := x.Reshape(sizes(ch/(r*r), r, r, h, w)...).Permute(order(0, 3, 1, 4, 2)...)
		c.Return(y.Reshape(sizes(ch/(r*r), h*r, w*r)...).Contiguous(x.suggestedFormat()))
		return
	}
	if h%r != 0 || w%r != 0 {
		panic(Errorf(c.Name(), "expected height and width to be divisible by downscale_factor, but they are %d and %d and "+
			"downscale_factor is %d", h, w, r))
	}
	y := x.Reshape(sizes(ch, h/r, r, w/r, r)...).Permute(order(0, 2, 4, 1, 3)...)
	c.Return(y.Reshape(sizes(ch*r*r, h/r, w/r)...).Contiguous(x.suggestedFormat()))
}
