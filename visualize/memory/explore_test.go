package memory

import (
	"math/rand/v2"
	"testing"

	"gotorch/visualize/internal/viewtest"
)

// TestExploreLimits moves one slider after the other, to anywhere within its limits, and to just beyond: what is
// within stays inside of the storage, and what is beyond does not.
func TestExploreLimits(t *testing.T) {
	viewtest.NewSession(t)
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		rank := r.IntN(5)
		f := ExploreFrame{Offset: r.IntN(24)}
		for range rank {
			f.Shape, f.Stride = append(f.Shape, 1), append(f.Stride, r.IntN(17)-8)
		}
		n := 24
		inside := func() bool { lo, hi := f.reach(); return lo >= 0 && hi < n }
		try := func(at *int, ends [2]int, hard bool) {
			was := *at
			if ends[0] > was || ends[1] < was {
				t.Fatalf("%v: where it stands, %d, is not within its own limits %v", f, was, ends)
			}
			for _, v := range ends {
				if *at = v; !inside() {
					t.Fatalf("%v leaves the storage within limits %v", f, ends)
				}
			}
			if *at = ends[1] + 1; hard && inside() {
				t.Fatalf("%v is inside beyond the limit %v", f, ends)
			}
			*at = was
			*at = ends[0] + r.IntN(ends[1]-ends[0]+1)
		}
		for range 20 {
			try(&f.Offset, f.offsets(n), true)
			if rank == 0 {
				continue
			}
			d := r.IntN(rank)
			try(&f.Shape[d], f.limitsOf(d, n).size, f.Stride[d] != 0)
			ends := f.limitsOf(d, n).stride
			try(&f.Stride[d], ends, ends[1] < maxStride)
			if _, hi := f.reach(); hi < n {
				n = hi + 1 + r.IntN(24-hi)
			}
		}
	}
}
