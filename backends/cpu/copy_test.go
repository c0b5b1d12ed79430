package cpu_test

import (
	"testing"
	"unsafe"

	"gotorch/tensor"
)

// TestCopyLayouts copies between layouts of every kind and compares with single elements.
func TestCopyLayouts(t *testing.T) {
	sizes := [][]int{{1, 1, 1}, {3, 5, 7}, {2, 40, 9}, {9, 8, 33}, {70, 2, 3}, {2, 3, 70}, {17, 64, 19},
		{1, 3, 70001}, {5, 1, 8}}
	for _, dt := range []tensor.Dtype{tensor.Bool, tensor.Int8, tensor.Int16, tensor.Float32, tensor.Int64,
		tensor.Complex128} {
		for _, s := range sizes {
			if dt != tensor.Float32 && s[2] > 1000 {
				continue
			}
			x := tensor.Arange(2*s[0]*s[1]*s[2]).BitwiseAnd(127).To(dt).View(s[0], s[1], 2*s[2])
			rows := x.Narrow(2, 1, s[2])
			for name, y := range map[string]*tensor.Tensor{
				"rows":     rows,
				"even":     x.Index(tensor.Colon, tensor.Colon, tensor.Slice(0, 2*s[2], 2)),
				"third":    x.Index(tensor.Colon, tensor.Colon, tensor.Slice(0, 2*s[2], 3)),
				"values":   x.Narrow(2, 0, 1).Expand(s[0], s[1], s[2]),
				"repeated": x.Narrow(1, 0, 1).Expand(s[0], 4, 2*s[2]),
				"outer":    x.Narrow(0, 0, 1).Expand(3, s[1], 2*s[2]),
				"021":      x.Permute(0, 2, 1), "102": rows.Permute(1, 0, 2), "210": x.Permute(2, 1, 0),
				"120": rows.Permute(1, 2, 0), "201": x.Permute(2, 0, 1),
			} {
				checkCopy(t, name, y, y.Contiguous())
				if wide := y.Shape(); s[2] < 1000 {
					wide[2] *= 3 // a result with gaps
					into := tensor.Zeros(wide[0], wide[1], wide[2]).To(dt)
					view := into.Index(tensor.Colon, tensor.Colon, tensor.Slice(1, wide[2], 3))
					view.Copy_(y)
					checkCopy(t, name+" with gaps", y, view)
					into = tensor.Zeros(wide[2], wide[1], wide[0]).To(dt)
					view = into.Permute(2, 1, 0).Narrow(2, 1, y.Size(2))
					view.Copy_(y)
					checkCopy(t, name+" into columns", y, view)
				}
			}
			for dims := range 8 {
				var flip []int
				for d := range 3 {
					if dims>>d&1 == 1 {
						flip = append(flip, d)
					}
				}
				y := x.Flip(flip...)
				checkCopy(t, "flip", x, y.Flip(flip...))
			}
		}
	}
}

// checkCopy compares elements one by one, some of them where there are many.
func checkCopy(t *testing.T, name string, want, got *tensor.Tensor) {
	t.Helper()
	shape := want.Shape()
	step := max(1, want.Numel()/300)
	bytes := func(x *tensor.Tensor, at int) string {
		off, size := x.StorageOffset(), x.ElementSize()
		for d := 2; d >= 0; d-- {
			off += at % shape[d] * x.Strides()[d]
			at /= shape[d]
		}
		return string(unsafe.Slice((*byte)(unsafe.Add(x.Storage().Pointer(), off*size)), size))
	}
	for at := 0; at < want.Numel(); at += step {
		if bytes(want, at) != bytes(got, at) {
			t.Fatalf("%s of %v %v: element %d is %x, want %x", name, want.Dtype(), shape, at, bytes(got, at), bytes(want, at))
		}
	}
}
