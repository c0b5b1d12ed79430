package tensor_test

import (
	"errors"
	"testing"

	"gotorch/tensor"
)

// TestResizeBeyondMemory: shapes whose number of elements overflows are errors, and leave the tensor as it was.
func TestResizeBeyondMemory(t *testing.T) {
	for _, shape := range [][]int{{1 << 20, 1 << 30, 1 << 30}, {1 << 30, 1 << 30, 1 << 30}, {1 << 30, 1 << 20}} {
		x := tensor.Zeros(2)
		err := func() (err error) {
			defer func() { err, _ = recover().(error) }()
			x.Resize_(shape)
			return nil
		}()
		var e *tensor.Error
		if !errors.As(err, &e) || e.Op != "resize_" {
			t.Errorf("%v: %v", shape, err)
		}
		if x.Numel() != 2 || x.Dim() != 1 {
			t.Errorf("%v: the tensor has the shape %v", shape, x.Shape())
		}
	}
}
