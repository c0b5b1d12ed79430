package cpu

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: pooling. All is brought to three dimensions of space, sizes of 1 in front. Tensors are contiguous planes, one
// after the other. Results are computed row by row: windows of a row of results have the same rows of the input, which
// are combined element by element first; then what lies beside each other in a window is.

// poolPlan is a pooling of planes. Windows slide, or are parts of the plane, as equal as they can be.
type poolPlan struct {
	op                                string
	planes                            int
	in, out                           [3]int
	kernel, stride, padding, dilation [3]int
	adaptive                          bool
	includePad                        bool
	divisor                           int             // 0: the number of elements
	half                              tensor.Dtype    // of gradients: the half type that every step is rounded to
	spans                             [3][]poolWindow // windows along each dimension
}

// poolWindow is a window along one dimension: its first and last + 1 element inside of the input, and its size with
// padding.
type poolWindow struct{ from, to, size int }

// newPoolPlan is a pooling over the last n dimensions.
func newPoolPlan(op string, in, out []int, n int) *poolPlan {
	one := [3]int{1, 1, 1}
	p := &poolPlan{op: op, planes: 1, in: one, out: one, kernel: one, stride: one, dilation: one}
	lead := len(in) - n
	copy(p.in[3-n:], in[lead:])
	copy(p.out[3-n:], out[lead:])
	for _, s := range in[:lead] {
		p.planes *= s
	}
	return p
}

// slidingPlan reads the window's slots from k on.
func slidingPlan(c *tensor.Call, k int, in, out []int, n int) *poolPlan {
	p := newPoolPlan(c.Name(), in, out, n)
	kernel, stride, padding := c.PoolWindow(k, n)
	copy(p.kernel[3-n:], kernel)
	copy(p.stride[3-n:], stride)
	copy(p.padding[3-n:], padding)
	return p
}

// adaptivePlan cuts planes into parts; equal ones are windows that slide.
func adaptivePlan(c *tensor.Call, in, out []int, n int) *poolPlan {
	p := newPoolPlan(c.Name(), in, out, n)
	for d := range p.in {
		if p.out[d] == 0 || p.in[d]%p.out[d] != 0 {
			p.adaptive = true
			return p
		}
		p.kernel[d] = p.in[d] / p.out[d]
	}
	p.stride = p.kernel
	return p
}

// place finds the windows.
func (p *poolPlan) place() {
	for d := range p.spans {
		p.spans[d] = make([]poolWindow, p.out[d])
		n := p.in[d]
		for i := range p.spans[d] {
			if p.adaptive {
				from, to := i*n/p.out[d], ((i+1)*n+p.out[d]-1)/p.out[d]
				p.spans[d][i] = poolWindow{from, to, to - from}
				continue
			}
			from := i*p.stride[d] - p.padding[d]
			to := min(from+(p.kernel[d]-1)*p.dilation[d]+1, n+p.padding[d])
			s := poolWindow{from, min(to, n), to - from}
			if from < 0 {
				s.from += (-from + p.dilation[d] - 1) / p.dilation[d] * p.dilation[d]
			}
			p.spans[d][i] = s
		}
	}
}

// inner is the run of windows of a row that have all of their elements inside of the input, at equal steps.
func (p *poolPlan) inner() (lo, hi int) {
	if p.adaptive {
		return 0, 0
	}
	whole := (p.kernel[2]-1)*p.dilation[2] + 1
	for lo < p.out[2] && p.spans[2][lo].to-p.spans[2][lo].from != whole {
		lo++
	}
	for hi = lo; hi < p.out[2] && p.spans[2][hi].to-p.spans[2][hi].from == whole; hi++ {
	}
	return lo, hi
}

// divisorOf is what a sum over the product of three windows is divided by, given the product of those of the first
// two.
func (p *poolPlan) divisorOf(outer [2]int, s poolWindow) int {
	switch {
	case p.divisor != 0:
		return p.divisor
	case p.includePad:
		return outer[1] * s.size
	}
	return outer[0] * (s.to - s.from)
}

// rows calls f for every row of results, with the number of its plane and where it is there. Rows are shared out.
func (p *poolPlan) rows(f func(plane, d, h int)) {
	perPlane := p.out[0] * p.out[1]
	elements := max(1, volume(p.in)/max(1, perPlane)) // of the input for each row
	parallel.For(p.planes*perPlane, max(1, grainSize/2/elements), func(lo, hi int) {
		tensor.Interrupted(p.op)
		for i := lo; i < hi; i++ {
			f(i/perPlane, i%perPlane/p.out[1], i%p.out[1])
		}
	})
}

type poolFunc func(p *poolPlan, in, out *tensor.Tensor)

// poolTable has a kernel for every dtype that pooling computes in.
type poolTable [numDtypes]poolFunc

// run computes from in to out, half types in float32.
func (t *poolTable) run(c *tensor.Call, p *poolPlan, in *tensor.Tensor) {
	out := c.Ret(0)
	dt := out.Dtype().Accumulate()
	if t[dt] == nil {
		panic(tensor.Errorf(c.Name(), "not implemented for %s", dt))
	}
	if out.Numel() == 0 {
		return
	}
	dst := out
	if dt != out.Dtype() {
		dst = tensor.Alloc(p.op, out.Sizes(), dt, tensor.CPU)
		p.half = out.Dtype()
	}
	p.place()
	x := contiguous(p.op, in, dt)
	t[dt](p, x, dst)
	if dst != out {
		copyTensor(p.op, out, dst)
	}
	runtime.KeepAlive(x)
}
