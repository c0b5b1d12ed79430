package cpu

import "testing"

// TestLongRunsHaveFewParts checks that runs of any length take little memory besides the tensor.
func TestLongRunsHaveFewParts(t *testing.T) {
	for _, length := range []int{1, runLen, runLen + 1, 1 << 24, 1 << 30} {
		for _, outs := range []int{1, 3, 1000, 1023} {
			r := &runs{outs: outs, length: length}
			parts, part := r.parts(), r.part()
			if parts*outs > 2*mostParts || parts*part < length || (parts-1)*part >= length {
				t.Errorf("%d runs of %d elements: %d parts of %d", outs, length, parts, part)
			}
			if length <= 1<<25 && outs == 1 && part != runLen {
				t.Errorf("%d runs of %d elements are cut into parts of %d, not %d", outs, length, part, runLen)
			}
		}
	}
}
