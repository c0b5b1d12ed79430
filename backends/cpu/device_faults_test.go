package cpu_test

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// brittle is memory of a device that fails once, after so many copies and allocations.
type brittle struct{ left *int }

func (b brittle) step(what string) {
	if *b.left--; *b.left == 0 {
		panic(tensor.Errorf(what, "the device is gone"))
	}
}

func (b brittle) Alloc(d tensor.Device, n int) *tensor.Storage {
	b.step("alloc")
	return tensor.NewStorage(d, nil, n, make([]byte, n))
}

func (b brittle) ToHost(dst []byte, src *tensor.Storage, offset int) {
	b.step("to_host")
	copy(dst, src.Owner().([]byte)[offset:])
}

func (b brittle) FromHost(dst *tensor.Storage, offset int, src []byte) {
	b.step("from_host")
	copy(dst.Owner().([]byte)[offset:], src)
}

// TestDeviceFailsMidway: in random programs a device fails in the middle of operators, of the first to the last of
// their copies. Each failure is an error of the call, and every tensor has what it had before it, that which was to be
// written included; the same call succeeds afterwards.
func TestDeviceFailsMidway(t *testing.T) {
	left := new(int)
	dev := tensor.RegisterDevice("brittle", nil, brittle{left})(0)
	dev.FallBackToCPU()
	tensor.SetHooks(func(h *tensor.Hooks) { h.Warn = func(string) {} })
	defer func() {
		tensor.SetHooks(func(h *tensor.Hooks) { h.Warn = nil })
		dev.Unregister()
	}()
	n, failures := 300, 0
	if testing.Short() {
		n = 60
	}
	for seed := range n {
		r := rand.New(rand.NewSource(int64(seed)))
		host, there := make([]*tensor.Tensor, 3), make([]*tensor.Tensor, 3)
		for i := range host {
			host[i] = tensor.With(tensor.Float32).Arange(6).Add(i).View(2, 3)
			there[i] = host[i].To(dev)
		}
		for range 12 {
			a, b, k := r.Intn(3), r.Intn(3), r.Intn(len(brittleSteps))
			run := func(xs []*tensor.Tensor) error {
				return tensor.Try(func() {
					if y := brittleSteps[k](xs[a], xs[b]); y != nil {
						xs[b] = y
					}
				})
			}
			*left = 1 + r.Intn(6)
			err := run(there)
			*left = 0
			if err != nil {
				failures++
				if e := (*tensor.Error)(nil); !errors.As(err, &e) {
					t.Fatalf("program %d, step %d: %v", seed, k, err)
				}
				sameAsHost(t, fmt.Sprintf("program %d, after step %d has failed", seed, k), there, host)
				if err := run(there); err != nil {
					t.Fatalf("program %d, step %d once more: %v", seed, k, err)
				}
			}
			if err := run(host); err != nil {
				t.Fatal(err)
			}
			sameAsHost(t, fmt.Sprintf("program %d, after step %d", seed, k), there, host)
		}
	}
	if failures < n {
		t.Errorf("only %d failures", failures)
	}
}

// brittleSteps make a tensor of two, or write into the second.
var brittleSteps = []func(a, b *tensor.Tensor) *tensor.Tensor{
	func(a, b *tensor.Tensor) *tensor.Tensor { return a.Add(b).Mul(0.5) },
	func(a, b *tensor.Tensor) *tensor.Tensor { return a.Clone() },
	func(a, b *tensor.Tensor) *tensor.Tensor { return a.T().Contiguous().View(2, 3) },
	func(a, b *tensor.Tensor) *tensor.Tensor { return a.Softmax(opt.Dim(1)).Cumsum(0) },
	func(a, b *tensor.Tensor) *tensor.Tensor { return a.Cpu().Neg().To(b.Device()) },
	func(a, b *tensor.Tensor) *tensor.Tensor { b.Mul_(0.5); return nil },
	func(a, b *tensor.Tensor) *tensor.Tensor { b.Select(1, 1).Add_(1); return nil },
	func(a, b *tensor.Tensor) *tensor.Tensor { b.Copy_(a); return nil },
	func(a, b *tensor.Tensor) *tensor.Tensor { b.Fill_(3); return nil },
	func(a, b *tensor.Tensor) *tensor.Tensor { tensor.Mul(a, 0.25, opt.Out(b)); return nil },
	func(a, b *tensor.Tensor) *tensor.Tensor {
		w := a.Detach().RequiresGrad_()
		autograd.Backward([]*tensor.Tensor{w.Mul(w).Sum()})
		return w.Grad()
	},
}

func sameAsHost(t *testing.T, when string, there, host []*tensor.Tensor) {
	t.Helper()
	for i := range there {
		if got := there[i].Cpu(); !got.Allclose(host[i]) {
			t.Fatalf("%s: tensor %d is %v, want %v", when, i, got, host[i])
		}
	}
}
