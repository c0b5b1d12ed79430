package autograd_test

import (
	"testing"
	"unsafe"

	"gotorch/autograd"
	"gotorch/tensor"
)

// hostAllocator returns the memory of a device that is the host under another name.
type hostAllocator struct{}

func (hostAllocator) Alloc(d tensor.Device, n int) *tensor.Storage {
	buf := make([]uint64, n/8+1)
	return tensor.NewStorage(d, unsafe.Pointer(unsafe.SliceData(buf)), n, buf)
}
func (hostAllocator) ToHost(dst []byte, src *tensor.Storage, offset int) {
	copy(dst, unsafe.Slice((*byte)(unsafe.Add(src.Pointer(), offset)), len(dst)))
}
func (hostAllocator) FromHost(dst *tensor.Storage, offset int, src []byte) {
	copy(unsafe.Slice((*byte)(unsafe.Add(dst.Pointer(), offset)), len(src)), src)
}

// A kernel that calls another operator is recorded once: what it calls beneath leaves no node.
func TestKernelThatCallsIsRecordedOnce(t *testing.T) {
	echo := tensor.RegisterDevice("echo", func() int { return 1 }, hostAllocator{})(0)
	inside := 0
	tensor.Register("neg", tensor.KeyPrivate, func(c *tensor.Call) {
		for i, v := range tensor.Elems[float64](c.Tensor(0)) {
			tensor.Elems[float64](c.Ret(0))[i] = -v
		}
	})
	tensor.RegisterCalling("mul", tensor.KeyPrivate, func(c *tensor.Call) {
		y := c.Tensor(0).Neg()
		if y.RequiresGrad() {
			t.Error("what a kernel calls is recorded")
		}
		inside++
		for i, v := range tensor.Elems[float64](y) {
			tensor.Elems[float64](c.Ret(0))[i] = -v * tensor.Elems[float64](c.Tensor(1))[i]
		}
	})
	on := func(v ...float64) *tensor.Tensor {
		x := tensor.Alloc("test", []int{len(v)}, tensor.Float64, echo)
		copy(tensor.Elems[float64](x), v)
		return x
	}
	x, w := on(1, 2, 3).RequiresGrad_(), on(10, 20, 30)
	before := autograd.GradFn(x.Neg()).Seq()
	y := x.Mul(w)
	n := autograd.GradFn(y)
	if n.Seq() != before+1 || n.Name() != "MulBackward0" || n.Next()[0].Node.Leaf() != x {
		t.Errorf("%s: %d nodes were made", n.Name(), n.Seq()-before)
	}
	g := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x},
		tensor.NewOption("grad_outputs", []*tensor.Tensor{on(1, 1, 1)}))[0]
	if got := tensor.Elems[float64](g); got[0] != 10 || got[2] != 30 || g.Device() != echo {
		t.Errorf("gradient %v on %s", got, g.Device())
	}
	if inside != 2 {
		t.Errorf("the kernel ran %d times", inside)
	}
}
