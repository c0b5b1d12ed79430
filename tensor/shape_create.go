package tensor

import (
	"math"
	"math/big"
)

// Shape functions of factories: sizes, and the dtype that follows from the numbers where none is given.

func init() {
	sized := func(dt func(c *Call) Dtype) Kernel {
		return func(c *Call) { c.New(c.Ints(0), c.DtypeOption(dt(c))) }
	}
	byDefault := func(*Call) Dtype { return DefaultDtype() }
	newLike := func(c *Call) { c.New(c.Ints(1), c.DtypeOption(c.Tensor(0).dtype)) }
	shapes(map[string]Kernel{
		"empty": func(c *Call) {
			shape := c.Ints(0)
			c.NewStrided(shape, strides(c.Name(), shape, c.MemoryFormat(c.Op.Param("memory_format"))),
				c.DtypeOption(DefaultDtype()))
		},
		"empty_strided": func(c *Call) { c.newWithStrides(c.Ints(0), c.Ints(1), c.DtypeOption(DefaultDtype())) },
		"zeros":         sized(byDefault),
		"ones":          sized(byDefault),
		"full": func(c *Call) {
			s, _ := c.Scalar(1)
			dt := c.DtypeOption(s.Dtype())
			c.mustFit(1, dt)
			c.New(c.Ints(0), dt)
		},
		"arange":       arangeShape,
		"range":        rangeShape,
		"linspace":     spaceShape,
		"logspace":     spaceShape,
		"eye":          eyeShape,
		"tril_indices": func(c *Call) { c.New([]int{2, triangle(c, false)}, c.DtypeOption(Int64)) },
		"triu_indices": func(c *Call) { c.New([]int{2, triangle(c, true)}, c.DtypeOption(Int64)) },
		"empty_like":   likeSelf,
		"zeros_like":   likeSelf,
		"ones_like":    likeSelf,
		"full_like": func(c *Call) {
			c.mustFit(1, c.DtypeOption(c.Tensor(0).dtype))
			likeSelf(c)
		},
		"new_empty": newLike,
		"new_zeros": newLike,
		"new_ones":  newLike,
		"new_full": func(c *Call) {
			c.mustFit(2, c.DtypeOption(c.Tensor(0).dtype))
			newLike(c)
		},
		"new_empty_strided": func(c *Call) { c.newWithStrides(c.Ints(1), c.Ints(2), c.DtypeOption(c.Tensor(0).dtype)) },
	})
}

// newWithStrides makes the result with strides that may overlap or leave holes.
func (c *Call) newWithStrides(shape, stride []int, dt Dtype) {
	if len(shape) != len(stride) {
		panic(Errorf(c.Name(), "dimensionality of sizes (%d) must match dimensionality of strides (%d)", len(shape),
			len(stride)))
	}
	need := 1
	for i, s := range shape {
		switch {
		case s < 0:
			panic(Errorf(c.Name(), "sizes must not be negative, got shape %v", shape))
		case stride[i] < 0:
			panic(Errorf(c.Name(), "strides must not be negative where memory is made, got %v", stride))
		case stride[i] > 0 && s > maxElements/stride[i]:
			panic(Errorf(c.Name(), "shape %v with stride %v: more bytes than can be counted", shape, stride))
		}
		need += (s - 1) * stride[i]
	}
	if n, _ := count(shape); n == 0 {
		need = 0
	}
	c.Return(FromStorage(c.Name(), allocate(c.Name(), c.device, need*dt.Size(), true), shape, stride, 0, dt))
}

// ArangeLimits reads start, end and step of an arange or range call.
func (c *Call) ArangeLimits() (start, end, step Scalar) {
	var l []Scalar
	if c.Op.Params[0].IsList("Scalar") {
		l = c.Scalars(0)
	} else {
		for i := range 3 {
			s, _ := c.Scalar(i)
			l = append(l, s)
		}
	}
	start, step = IntScalar(0), IntScalar(1)
	switch len(l) {
	case 1:
		end = l[0]
	case 2:
		start, end = l[0], l[1]
	case 3:
		start, end, step = l[0], l[1], l[2]
	default:
		panic(Errorf(c.Name(), "takes end, or start and end, or start, end and step; got %d numbers", len(l)))
	}
	for _, s := range l {
		if s.IsComplex() {
			panic(Errorf(c.Name(), "the limits must be real, got %v", s))
		}
	}
	a, b, by := start.Float(), end.Float(), step.Float()
	switch {
	case by == 0:
		panic(Errorf(c.Name(), "step must be nonzero").OnArg("step"))
	case math.IsInf(a, 0) || math.IsInf(b, 0) || math.IsNaN(a) || math.IsNaN(b) || math.IsNaN(by):
		panic(Errorf(c.Name(), "unsupported range: %v -> %v by %v", start, end, step))
	case by > 0 && a > b || by < 0 && a < b:
		panic(Errorf(c.Name(), "upper bound and lower bound inconsistent with step sign: %v -> %v by %v", start, end, step))
	}
	return start, end, step
}

func arangeShape(c *Call) {
	start, end, step := c.ArangeLimits()
	dt := Int64
	if start.IsFloat() || end.IsFloat() || step.IsFloat() {
		dt = DefaultDtype()
	}
	dt = c.DtypeOption(dt)
	if dt == Bool || dt.IsComplex() {
		panic(Errorf(c.Name(), "not implemented for %s", dt))
	}
	var n float64
	if dt == Int64 { // exactly, also beyond 2^53
		by := step.Int()
		if by == 0 {
			panic(Errorf(c.Name(), "step %v is zero in %s", step, dt))
		}
		n = float64(ceilDiv(end.Int()-start.Int(), by))
	} else {
		n = math.Ceil((end.Float() - start.Float()) / step.Float())
	}
	c.New([]int{c.counted(n)}, dt)
}

func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) == (b < 0) {
		q++
	}
	return q
}

// counted is a number of elements that was computed.
func (c *Call) counted(n float64) int {
	if n > 1<<40 {
		panic(Errorf(c.Name(), "%.0f elements are more than memory holds", n))
	}
	return max(int(n), 0)
}

func rangeShape(c *Call) {
	start, end, step := c.ArangeLimits()
	dt := c.DtypeOption(DefaultDtype())
	if dt == Bool || dt.IsComplex() {
		panic(Errorf(c.Name(), "not implemented for %s", dt))
	}
	c.New([]int{c.counted(math.Floor((end.Float()-start.Float())/step.Float()) + 1)}, dt)
}

func spaceShape(c *Call) {
	n := c.Int(2)
	if n < 0 {
		panic(Errorf(c.Name(), "number of steps must be non-negative, got %d", n).OnArg("steps"))
	}
	a, _ := c.Scalar(0)
	b, _ := c.Scalar(1)
	dt := DefaultDtype()
	if a.IsComplex() || b.IsComplex() {
		dt = dt.ToComplex()
	}
	if d := c.DtypeOption(dt); d != dt {
		if dt.IsComplex() && !d.IsComplex() {
			panic(Errorf(c.Name(), "inferred dtype %s can't be safely cast to passed dtype %s", dt, d))
		}
		dt = d
	}
	if dt == Bool {
		panic(Errorf(c.Name(), "not implemented for %s", dt))
	}
	c.New([]int{n}, dt)
}

func eyeShape(c *Call) {
	n := c.Int(0)
	m := n
	if !c.IsNone(1) {
		m = c.Int(1)
	}
	for name, v := range map[string]int{"n": n, "m": m} {
		if v < 0 {
			panic(Errorf(c.Name(), "%s must be greater or equal to 0, got %d", name, v).OnArg(name))
		}
	}
	c.New([]int{n, m}, c.DtypeOption(DefaultDtype()))
}

// triangle counts the elements on and above (or below) the diagonal of a matrix.
func triangle(c *Call, upper bool) int {
	rows, cols := c.Int(0), c.Int(1)
	if rows < 0 || cols < 0 {
		panic(Errorf(c.Name(), "row and col must be non-negative, got %d and %d", rows, cols))
	}
	n := beneath(rows, cols, c.Int(2))
	if upper {
		n = new(big.Int).Mul(big.NewInt(int64(rows)), big.NewInt(int64(cols)))
		n.Sub(n, beneath(rows, cols, c.Int(2)-1))
	}
	if n.BitLen() > 60 {
		panic(Errorf(c.Name(), "a triangle of %d rows and %d columns has %v elements: too many for a tensor", rows, cols, n))
	}
	return int(n.Int64())
}

// beneath counts the elements of a matrix on and below the diagonal that begins offset above the main one. Row r has
// r+offset+1 of them, but not fewer than 0 nor more than cols.
func beneath(rows, cols, offset int) *big.Int {
	first := max(min(offset, cols), -rows) + 1 // in row 0, or when it comes to that
	lo := max(0, 1-first)                      // the first row with an element
	hi := max(lo, min(rows, cols-first))       // the first row with all of them
	num := func(n int) *big.Int { return big.NewInt(int64(n)) }
	n := new(big.Int).Mul(num(lo+first+hi-1+first), num(hi-lo)) // twice the sum of the rows between
	n.Rsh(n, 1)
	return n.Add(n, new(big.Int).Mul(num(max(0, rows-hi)), num(cols)))
}

// TriangleRow returns the columns, from lo up to but not including hi, of row r of a triangle that begins offset above
// the main diagonal.
//
//gotorch:internal
func TriangleRow(r, cols, offset int, upper bool) (lo, hi int) {
	d := min(max(r+offset, -1), cols) // the column on the diagonal
	if upper {
		return max(d, 0), cols
	}
	return 0, min(d+1, cols)
}

// likeSelf makes a result after the model of the first argument: its shape, in the dtype and memory format that the
// call asks for.
func likeSelf(c *Call) {
	x := c.Tensor(0)
	c.NewStrided(x.shape, x.formatStrides(c.Name(), c.MemoryFormat(c.Op.Param("memory_format"))), c.DtypeOption(x.dtype))
}
