package memory

import (
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// TestOrderAddresses: the numbers stand where the tensor says that its elements are.
func TestOrderAddresses(t *testing.T) {
	viewtest.NewSession(t)
	for seed := range int64(60) {
		x := viewtest.AnyTensor(seed)
		if x.Device() == tensor.Meta || x.Dim() == 0 || x.Numel() == 0 {
			continue
		}
		flat := x.Flatten() // elements are their own addresses
		w := Order(x, x).Walks[0]
		for i, p := range w.Path {
			v, _ := tensor.ScalarOf(flat.At(i))
			if at := w.Lines[p[0]].At*cacheLine/w.Size + p[1]; at != int(v.Float()) {
				t.Fatalf("%v %v: step %d is at %d, its element is %v", w.Shape, w.Stride, i, at, v)
			}
		}
	}
}
