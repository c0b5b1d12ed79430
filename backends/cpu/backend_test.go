package cpu_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"gotorch/autograd"
	_ "gotorch/backends/cpu"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// toyMemory is memory that the host cannot read by an address. Where fail is set, copies into it fail.
type toyMemory struct{ fail *bool }

func (toyMemory) Alloc(d tensor.Device, n int) *tensor.Storage {
	return tensor.NewStorage(d, nil, n, make([]byte, n))
}
func (toyMemory) ToHost(dst []byte, src *tensor.Storage, offset int) {
	copy(dst, src.Owner().([]byte)[offset:])
}
func (m toyMemory) FromHost(dst *tensor.Storage, offset int, src []byte) {
	if *m.fail {
		panic(tensor.Errorf("toy", "the device is gone"))
	}
	copy(dst.Owner().([]byte)[offset:], src)
}

func newToy(t *testing.T) (toy tensor.Device, fail *bool, warned *[]string) {
	fail, warned = new(bool), new([]string)
	toy = tensor.RegisterDevice("toy", func() int { return 2 }, toyMemory{fail})(0)
	tensor.SetHooks(func(h *tensor.Hooks) { h.Warn = func(s string) { *warned = append(*warned, s) } })
	t.Cleanup(func() {
		tensor.SetHooks(func(h *tensor.Hooks) { h.Warn = nil })
		toy.Unregister()
	})
	return toy, fail, warned
}

// sameOnDevice compares a tensor on a device with one on the CPU.
func sameOnDevice(t *testing.T, what string, got, want *tensor.Tensor) {
	t.Helper()
	if got = got.Cpu(); !got.Allclose(want) {
		t.Errorf("%s: %v is not %v", what, got, want)
	}
}

func TestDeviceCopies(t *testing.T) {
	toy, _, _ := newToy(t)
	x := tensor.Arange(12.0).View(3, 4)
	y := x.To(toy)
	sameOnDevice(t, "x", y, x)
	sameOnDevice(t, "view", y.T().Narrow(0, 1, 2), x.T().Narrow(0, 1, 2))
	sameOnDevice(t, "dtype", y.To(tensor.Int64).Float(), x)
	sameOnDevice(t, "clone of a view", y.T().Clone(), x.T())
	sameOnDevice(t, "half way", x.T().To(toy).Contiguous(), x.T())
	y.Select(0, 1).Fill_(7)
	y.Select(1, 0).Zero_()
	y.Select(0, 2).Copy_(tensor.Ones(4))
	x = x.Clone()
	x.Select(0, 1).Fill_(7)
	x.Select(1, 0).Zero_()
	x.Select(0, 2).Copy_(tensor.Ones(4))
	sameOnDevice(t, "written", y, x)
	if got := y.Select(0, 1).String(); got != "tensor([0., 7., 7., 7.], device='toy:0')" {
		t.Error(got)
	}
	if y.At(1, 1) != 7.0 || tensor.Data[float32](y)[5] != 7 {
		t.Error("read")
	}
	for _, dt := range []tensor.Dtype{tensor.Bool, tensor.Uint8, tensor.Bfloat16, tensor.Complex128} {
		z := tensor.New([]int{0, 1, 2}).To(dt)
		if got := z.To(toy).Cpu(); !tensor.Equal(got, z) {
			t.Errorf("%s: %v", dt, got)
		}
	}
}

func TestDeviceKernelsAndFallback(t *testing.T) {
	toy, fail, warned := newToy(t)
	ran := 0
	toy.RegisterKernel("neg", func(c *tensor.Call) {
		ran++
		x, y := c.Tensor(0).Storage().Owner().([]byte), c.Ret(0).Storage().Owner().([]byte)
		for i := 0; i < len(y); i += 4 {
			v := math.Float32frombits(binary.LittleEndian.Uint32(x[i:]))
			binary.LittleEndian.PutUint32(y[i:], math.Float32bits(-v))
		}
	})
	x := tensor.New([]float32{1, 2}).To(toy)
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		sameOnDevice(t, "neg", x.Neg(), tensor.New([]float32{-1, -2}))
		if ran != 1 {
			t.Errorf("the kernel ran %d times", ran)
		}
	}
	err := tensor.Try(func() { x.Exp() })
	if err == nil || !strings.Contains(err.Error(), "there is no kernel for toy:0") ||
		!strings.Contains(err.Error(), "FallBackToCPU") {
		t.Errorf("%v", err)
	}
	toy.FallBackToCPU()
	sameOnDevice(t, "exp", x.Exp(), x.Cpu().Exp())
	x.Exp()
	if len(*warned) != 1 || (*warned)[0] != "toy:0 has no kernel for exp: it runs on the CPU, by copies\n" {
		t.Errorf("warned %q", *warned)
	}
	x.Add_(1)
	sameOnDevice(t, "in place", x, tensor.New([]float32{2, 3}))
	x.Unsqueeze(0).Mul_(x)
	sameOnDevice(t, "through a view", x, tensor.New([]float32{4, 9}))
	sameOnDevice(t, "cat", tensor.Cat([]*tensor.Tensor{x, x}), tensor.New([]float32{4, 9, 4, 9}))
	sameOnDevice(t, "zeros", tensor.With(toy).Zeros(2), tensor.Zeros(2))
	tensor.OnDevice(toy, func() {
		if d := tensor.Ones(2).Device(); d != toy {
			t.Errorf("the default device is %s", d)
		}
	})
	out := tensor.With(toy).Zeros(2)
	tensor.Mul(x, 2, opt.Out(out))
	sameOnDevice(t, "out", out, tensor.New([]float32{8, 18}))
	*fail = true
	if err := tensor.Try(func() { x.Add_(1) }); err == nil || !strings.Contains(err.Error(), "the device is gone") {
		t.Errorf("%v", err)
	}
	*fail = false
	sameOnDevice(t, "after a failure", x, tensor.New([]float32{4, 9}))

	w := tensor.New([][]float32{{1, 2}, {3, 4}}).To(toy).RequiresGrad_()
	p := w.Detach().Cpu().RequiresGrad_()
	f := func(w *tensor.Tensor) *tensor.Tensor { return w.Matmul(w).Softmax(opt.Dim(1)).Select(1, 0).Sum() }
	f(w).Backward()
	f(p).Backward()
	if g := w.Grad(); g.Device() != toy {
		t.Errorf("the gradient is on %s", g.Device())
	}
	sameOnDevice(t, "gradient", w.Grad(), p.Grad())
	sameOnDevice(t, "vmap", autograd.Vmap(func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(2) })(x), x.Cpu().Mul(2))
}

func TestDeviceIsRemovedAndReplaced(t *testing.T) {
	toy, _, _ := newToy(t)
	x := tensor.Ones(2).To(toy)
	listed := func() (n int) {
		for _, d := range tensor.Devices() {
			if d.Type() == "toy" {
				n++
			}
		}
		return n
	}
	if listed() != 2 {
		t.Errorf("%v", tensor.Devices())
	}
	again := tensor.RegisterDevice("toy", nil, toyMemory{new(bool)})(0)
	if d, _ := tensor.ParseDevice("toy"); d != again || listed() != 1 {
		t.Errorf("toy is %v, devices %v", d, tensor.Devices())
	}
	sameOnDevice(t, "a tensor of the old one", x, tensor.Ones(2))
	tensor.SetDefaultDevice(again)
	again.Unregister()
	if _, ok := tensor.ParseDevice("toy"); ok || tensor.DefaultDevice() != tensor.CPU {
		t.Errorf("default %v, devices %v", tensor.DefaultDevice(), tensor.Devices())
	}
	for name, f := range map[string]func(){
		"cpu":      func() { tensor.RegisterDevice("cpu", nil, toyMemory{}) },
		"no name":  func() { tensor.RegisterDevice("", nil, toyMemory{}) },
		"nil":      func() { tensor.RegisterDevice("x", nil, nil) },
		"kernel":   func() { tensor.CPU.RegisterKernel("neg", func(*tensor.Call) {}) },
		"operator": func() { again.RegisterKernel("nope", func(*tensor.Call) {}) },
	} {
		if tensor.Try(f) == nil {
			t.Errorf("%s is no error", name)
		}
	}
}
