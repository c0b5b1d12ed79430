package tensor

import (
	"math"
)

// Note: masked operators. Where the mask is false, an operator reads the number that changes nothing: 0 in a sum, 1 in
// a product, -Inf where the greatest counts. Gradients follow: those elements get none.

func init() {
	composites(map[string]Kernel{
		"masked.sum": func(c *Call) {
			m := maskedArgs(c, 1)
			c.Return(m.with(0).Sum(m.dims, m.keep, m.dtypeOr(m.summed())))
		},
		"masked.prod": func(c *Call) {
			m := maskedArgs(c, 1)
			y := m.with(1).To(m.dtypeOr(m.summed()))
			for i := len(m.list) - 1; i >= 0; i-- {
				y = y.Prod(optDim(m.list[i]), m.keep)
			}
			c.Return(y)
		},
		"masked.amax": func(c *Call) {
			m := maskedArgs(c, 1)
			c.Return(m.with(leastOf(m.x.dtype)).Amax(m.dims, m.keep).To(m.dtypeOr(m.x.dtype)))
		},
		"masked.amin": func(c *Call) {
			m := maskedArgs(c, 1)
			c.Return(m.with(greatestOf(m.x.dtype)).Amin(m.dims, m.keep).To(m.dtypeOr(m.x.dtype)))
		},
		"masked.argmax": func(c *Call) { maskedArg(c, leastOf, (*Tensor).Argmax) },
		"masked.argmin": func(c *Call) { maskedArg(c, greatestOf, (*Tensor).Argmin) },
		"masked.mean": func(c *Call) {
			m := maskedArgs(c, 1)
			total := m.with(0).Sum(m.dims, m.keep, m.dtypeOr(m.x.dtype))
			c.Return(total.Div(m.count(m.keep)))
		},
		"masked.median": maskedMedian,
		"masked.logsumexp": func(c *Call) {
			m := maskedArgs(c, 1)
			c.Return(m.with(leastOf(m.x.dtype)).Logsumexp(m.list, m.keep).To(m.dtypeOr(m.x.dtype)))
		},
		"masked.norm": func(c *Call) {
			m := maskedArgs(c, 2)
			c.Return(m.norm(c.operand(1), m.dims, m.keep))
		},
		"masked.var":    func(c *Call) { c.Return(maskedVar(c)) },
		"masked.std":    func(c *Call) { c.Return(maskedVar(c).Sqrt()) },
		"masked.cumsum": func(c *Call) { maskedScan(c, 0, (*Tensor).Cumsum) },
		"masked.cumprod": func(c *Call) {
			maskedScan(c, 1, (*Tensor).Cumprod)
		},
		"masked.softmax":     func(c *Call) { maskedSoftmax(c, leastOf, Softmax) },
		"masked.log_softmax": func(c *Call) { maskedSoftmax(c, leastOf, LogSoftmax) },
		"masked.softmin":     func(c *Call) { maskedSoftmax(c, greatestOf, Softmin) },
		"masked.normalize": func(c *Call) {
			m := maskedArgs(c, 2)
			norm := m.norm(c.operand(1), optDim(c.Int(2)), optKeepdim(true))
			c.Return(m.with(0).Div(norm.ClampMin(c.Float(3))))
		},
		"masked.logaddexp": func(c *Call) {
			m, other := maskedArgs(c, -1), c.Tensor(1)
			m.mask = maskOf(c, 3, m.x)
			o := masked{x: other, mask: maskOf(c, 4, other)}
			low := leastOf(m.x.dtype)
			c.Return(m.with(low).Logaddexp(o.with(low)).To(m.dtypeOr(m.x.dtype)))
		},
	})
}

// masked is the input of a masked operator.
type masked struct {
	x, mask *Tensor // mask is nil, or bool of the shape of x
	list    []int   // the dimensions
	dims    Option
	keep    Option
	dtype   Dtype // as given
}

// maskedArgs reads input, dim at slot dim (-1 for none), and what has a name.
func maskedArgs(c *Call, dim int) masked {
	m := masked{x: c.Tensor(0), keep: optKeepdim(c.keepdim()), dtype: c.DtypeOption(NoDtype)}
	if i := c.Op.Param("mask"); i >= 0 {
		m.mask = maskOf(c, i, m.x)
	}
	if dim >= 0 {
		for d, in := range ReduceDims(c.Name(), c.Ints(dim), len(m.x.shape)) {
			if in {
				m.list = append(m.list, d)
			}
		}
	}
	m.dims = optDim(m.list...)
	return m
}

// maskOf reads a mask and expands it to the shape of x.
func maskOf(c *Call, i int, x *Tensor) *Tensor {
	mask := c.Tensor(i)
	if mask == nil {
		return nil
	}
	if mask.sparse() != nil {
		mask = mask.ToDense()
	}
	if _, ok := BroadcastStrides(mask.shape, mask.stride, x.shape); !ok {
		name := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "%s of shape %v does not expand to the shape %v of the input", name, mask.shape, x.shape).
			OnArg(name))
	}
	if mask.dtype != Bool {
		mask = mask.Ne(0)
	}
	return mask.Expand(x.shape...)
}

// with is the input with fill where the mask is false.
func (m *masked) with(fill any) *Tensor {
	if m.mask == nil {
		return m.x
	}
	return Where(m.mask, m.x, FullLike(m.x, fill))
}

// count is the number of elements where the mask is true.
func (m *masked) count(keep Option) *Tensor {
	if m.mask == nil {
		return OnesLike(m.x, Int64).Sum(m.dims, keep)
	}
	return m.mask.Sum(m.dims, keep)
}

func (m *masked) dtypeOr(dt Dtype) Dtype {
	if m.dtype != NoDtype {
		return m.dtype
	}
	return dt
}

// summed is the dtype of sums: int64 for integers and bools.
func (m *masked) summed() Dtype {
	if m.x.dtype.IsDifferentiable() {
		return m.x.dtype
	}
	return Int64
}

func (m *masked) norm(ord any, dims, keep Option) *Tensor {
	fill := any(0)
	if s, ok := ScalarOf(ord); ok && math.IsInf(s.Float(), -1) {
		fill = math.Inf(1)
	}
	return LinalgVectorNorm(m.with(fill), NewOption("ord", ord), dims, keep, m.dtypeOr(m.x.dtype))
}

// leastOf and greatestOf are the numbers that no other of a dtype is below or above.
func leastOf(dt Dtype) any {
	switch {
	case dt.IsFloatingPoint():
		return math.Inf(-1)
	case dt == Bool:
		return false
	case dt == Uint8:
		return 0
	}
	return int64(-1) << (8*dt.Size() - 1)
}

func greatestOf(dt Dtype) any {
	switch {
	case dt.IsFloatingPoint():
		return math.Inf(1)
	case dt == Bool:
		return true
	case dt == Uint8:
		return 255
	}
	return int64(uint64(1)<<(8*dt.Size()-1) - 1)
}

func maskedArg(c *Call, fill func(Dtype) any, f func(*Tensor, ...Option) *Tensor) {
	m := maskedArgs(c, -1)
	o := []Option{m.keep}
	if !c.IsNone(1) {
		o = append(o, optDim(c.Int(1)))
	}
	c.Return(f(m.with(fill(m.x.dtype)), o...).To(m.dtypeOr(m.x.dtype)))
}

// maskedMedian: NaN is left out by nanmedian, integers are looked at as numbers that have one.
func maskedMedian(c *Call) {
	m := maskedArgs(c, -1)
	m.mask = maskOf(c, c.Op.Param("mask"), m.x)
	dt := m.x.dtype
	if !dt.IsFloatingPoint() {
		m.x = m.x.To(Float32)
	}
	y, _ := m.with(math.NaN()).NanmedianDim(c.Int(1), m.keep)
	if !dt.IsFloatingPoint() {
		if y.Device() != Meta && y.Isnan().Any().ItemBool() {
			panic(Errorf(c.Name(), "the mask is false for all elements of a lane, which in %s has no median", dt))
		}
		y = y.To(m.dtypeOr(dt))
	}
	c.Return(y)
}

func maskedVar(c *Call) *Tensor {
	m := maskedArgs(c, 1)
	correction := 1
	switch {
	case !c.IsNone(2) && !c.IsNone(3):
		panic(Errorf(c.Name(), "unbiased and correction cannot both be given"))
	case !c.IsNone(2) && !c.Bool(2):
		correction = 0
	case !c.IsNone(3):
		correction = c.Int(3)
	}
	dt := m.x.dtype
	if !dt.IsDifferentiable() {
		dt = Float32
	}
	dt = m.dtypeOr(dt)
	keep := optKeepdim(true)
	count := m.count(keep)
	mean := m.with(0).Sum(m.dims, keep, dt).Div(count)
	d := m.x.Sub(mean)
	square := masked{x: d.Mul(d.Conj()), mask: m.mask}
	total := square.with(0).Sum(m.dims, m.keep, dt)
	count = count.Reshape(total.shape...)
	if correction != 0 {
		count = count.To(dt.ToReal()).Sub(correction).ClampMin(0)
	}
	return total.Div(count).To(dt)
}

func maskedScan(c *Call, fill any, f func(*Tensor, int, ...Option) *Tensor) {
	m := maskedArgs(c, -1)
	c.Return(f(m.with(fill), c.Int(1), m.dtypeOr(m.x.dtype)))
}

func maskedSoftmax(c *Call, fill func(Dtype) any, f func(*Tensor, ...Option) *Tensor) {
	m := maskedArgs(c, -1)
	c.Return(f(m.with(fill(m.x.dtype)), optDim(c.Int(1)), m.dtypeOr(m.x.dtype)))
}
