package tensor_test

import (
	"runtime"
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestPrintManyDimensions: the text of 20,000 dimensions of size 1 is its brackets. No more than a few times that is
// made on the way.
func TestPrintManyDimensions(t *testing.T) {
	const n = 20_000
	x := tensor.Ones(slices.Repeat([]int{1}, n)...)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	text := x.String()
	runtime.ReadMemStats(&after)
	if want := "tensor(" + strings.Repeat("[", n) + "1." + strings.Repeat("]", n) + ")"; text != want {
		t.Errorf("%d bytes: %.40s…, want %d", len(text), text, len(want))
	}
	if made := after.TotalAlloc - before.TotalAlloc; made > 20<<20 {
		t.Errorf("%d bytes are made for a text of %d", made, len(text))
	}
}
