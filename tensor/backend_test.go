package tensor_test

import (
	"strings"
	"testing"

	"gotorch/tensor"
)

// allocator is made of functions, so that each test can have a bad one.
type allocator struct {
	alloc func(d tensor.Device, n int) *tensor.Storage
	copy  func()
}

func (a allocator) Alloc(d tensor.Device, n int) *tensor.Storage { return a.alloc(d, n) }

func (a allocator) ToHost(dst []byte, src *tensor.Storage, offset int) {
	copy(dst, src.Owner().([]byte)[offset:])
}

func (a allocator) FromHost(dst *tensor.Storage, offset int, src []byte) {
	if a.copy != nil {
		a.copy()
	}
	copy(dst.Owner().([]byte)[offset:], src)
}

func inBytes(d tensor.Device, n int) *tensor.Storage {
	return tensor.NewStorage(d, nil, n, make([]byte, n))
}

// TestBadAllocators: what an allocator returns is checked, and a copy that fails changes nothing.
func TestBadAllocators(t *testing.T) {
	x := tensor.Arange(4)
	for want, f := range map[string]func(d tensor.Device, n int) *tensor.Storage{
		"returned no storage for 32 bytes": func(tensor.Device, int) *tensor.Storage { return nil },
		"returned a storage of 16 bytes":   func(d tensor.Device, n int) *tensor.Storage { return inBytes(d, n/2) },
		"returned a storage of meta":       func(d tensor.Device, n int) *tensor.Storage { return inBytes(tensor.Meta, n) },
		"of 32 bytes on cpu has no address": func(d tensor.Device, n int) *tensor.Storage {
			return inBytes(tensor.CPU, n)
		},
	} {
		d := tensor.RegisterDevice("bad", nil, allocator{alloc: f})(0)
		if err := tensor.Try(func() { x.To(d) }); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		d.Unregister()
	}

	fails := false
	d := tensor.RegisterDevice("failing", nil, allocator{inBytes, func() {
		if fails {
			panic(tensor.Errorf("copy", "the bus is down"))
		}
	}})(0)
	defer d.Unregister()
	y := x.To(d)
	fails = true
	if err := tensor.Try(func() { y.Fill_(7) }); err == nil || !strings.Contains(err.Error(), "the bus is down") {
		t.Error(err)
	}
	if got := y.Cpu(); !got.Equal(x) {
		t.Error("after a copy that failed: ", got)
	}
}

// TestNumberOfDevices: a device counts as many as an index can say, whatever it claims.
func TestNumberOfDevices(t *testing.T) {
	before := len(tensor.Devices())
	for claimed, want := range map[int]int{-5: 0, 3: 3, 1 << 40: 256} {
		d := tensor.RegisterDevice("claims", func() int { return claimed }, allocator{alloc: inBytes})(0)
		if got := len(tensor.Devices()) - before; got != want {
			t.Errorf("%d devices are claimed, %d listed", claimed, got)
		}
		d.Unregister()
	}
}
