package tensor

import (
	"runtime"
	"unsafe"
)

// Note: loops of a user's kernels. Pointwise1, 2 and 3 walk the plan of a pointwise call with a function of one
// element, as PyTorch's cpu_kernel does with a lambda: broadcasting, strides, promotion and threads are the plan's.
// Operands of another dtype than the kernel's are converted element by element, so that a kernel is written for one
// dtype and serves all of them.

// operandReader reads elements of an operand as T.
type operandReader[T Element] struct {
	get    func(at int) T
	offset int
	stride []int
}

// loopGrain is how many elements a thread takes at a time.
const loopGrain = 8192

// Pointwise1 computes each element of the result of a pointwise call from that of its one operand.
func Pointwise1[T Element](c *Call, f func(x T) T) {
	p := c.planFor(1)
	a := readerOf[T](c, &p.In[0])
	walkPlan(c, p, func(out *T, at []int) { *out = f(a.get(at[0])) }, a)
}

// Pointwise2 computes each element of the result of a pointwise call from those of its two operands.
func Pointwise2[T Element](c *Call, f func(x, y T) T) {
	p := c.planFor(2)
	a, b := readerOf[T](c, &p.In[0]), readerOf[T](c, &p.In[1])
	walkPlan(c, p, func(out *T, at []int) { *out = f(a.get(at[0]), b.get(at[1])) }, a, b)
}

// Pointwise3 computes each element of the result of a pointwise call from those of its three operands.
func Pointwise3[T Element](c *Call, f func(x, y, z T) T) {
	p := c.planFor(3)
	a, b, d := readerOf[T](c, &p.In[0]), readerOf[T](c, &p.In[1]), readerOf[T](c, &p.In[2])
	walkPlan(c, p, func(out *T, at []int) { *out = f(a.get(at[0]), b.get(at[1]), d.get(at[2])) }, a, b, d)
}

// planFor is the plan of a call of n operands.
func (c *Call) planFor(n int) *Plan {
	if c.plan == nil {
		panic(Errorf(c.Name(), "the operator is not pointwise, so that there is no plan to walk").
			WithHint("give Pointwise: true, or read elements by accessors"))
	}
	if len(c.plan.In) != n {
		panic(Errorf(c.Name(), "Pointwise%d is for %s; the call has %d", n, plural(n, "operand"), len(c.plan.In)))
	}
	return c.plan
}

// readerOf reads an operand, a tensor of any dtype or a number, as T.
func readerOf[T Element](c *Call, o *PlanOperand) operandReader[T] {
	r := operandReader[T]{offset: o.Offset, stride: o.Stride}
	if o.Tensor == nil {
		v := scalarAs[T](o.Number)
		r.get = func(int) T { return v }
		return r
	}
	o.Tensor.onHost(c.Name())
	base := o.Tensor.st.data
	if o.Tensor.dtype == DtypeOf[T]() {
		r.get = func(at int) T { return *(*T)(unsafe.Add(base, at*int(unsafe.Sizeof(*new(T))))) }
		return r
	}
	x := o.Tensor
	size := x.dtype.Size()
	r.get = func(at int) T { return scalarAs[T](readElement(x.dtype, unsafe.Add(base, at*size))) }
	return r
}

// scalarAs converts a number to T.
func scalarAs[T Element](s Scalar) (out T) {
	writeElement(DtypeOf[T](), unsafe.Pointer(&out), s)
	return out
}

// walkPlan calls f for every element, on all threads, with its place in the result and the offsets of the operands.
func walkPlan[T Element](c *Call, p *Plan, f func(out *T, at []int), in ...operandReader[T]) {
	dst := p.Out.Tensor
	dst.onHost(c.Name())
	n := len(p.Shape)
	inner := 1
	if n > 0 {
		inner = p.Shape[n-1]
	}
	if p.Numel == 0 {
		return
	}
	same, size := dst.dtype == DtypeOf[T](), dst.dtype.Size()
	ParallelFor(p.Numel/inner, max(1, loopGrain/inner), func(lo, hi int) {
		at := make([]int, len(in))
		for row := lo; row < hi; row++ {
			out := p.Out.Offset
			for i := range in {
				at[i] = in[i].offset
			}
			for d, rest := n-2, row; d >= 0; d-- {
				k := rest % p.Shape[d]
				rest /= p.Shape[d]
				out += k * p.Out.Stride[d]
				for i := range in {
					at[i] += k * in[i].stride[d]
				}
			}
			for range inner {
				q := unsafe.Add(dst.st.data, out*size)
				if same {
					f((*T)(q), at)
				} else {
					var v T
					f(&v, at)
					writeElement(dst.dtype, q, readElement(DtypeOf[T](), unsafe.Pointer(&v)))
				}
				if n > 0 {
					out += p.Out.Stride[n-1]
					for i := range in {
						at[i] += in[i].stride[n-1]
					}
				}
			}
		}
	})
	runtime.KeepAlive(p)
}
