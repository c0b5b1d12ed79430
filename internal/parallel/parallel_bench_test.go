package parallel

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkFor shares loops of a known amount of work, one after the other and after a pause in which the helpers fall
// asleep. serial is the same loop on one thread.
func BenchmarkFor(b *testing.B) {
	xs := make([]float32, 1<<20)
	add := func(lo, hi int) {
		for i := lo; i < hi; i++ {
			xs[i]++
		}
	}
	for _, n := range []int{1 << 14, 1 << 16, 1 << 18, 1 << 20} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("n=%d/threads=%d", n, threads), func(b *testing.B) {
				SetThreads(threads)
				defer SetThreads(0)
				for b.Loop() {
					For(n, 1<<13, add)
				}
			})
		}
	}
	b.Run("asleep", func(b *testing.B) {
		var spent time.Duration
		for b.Loop() {
			time.Sleep(200 * time.Microsecond)
			begin := time.Now()
			For(1<<18, 1<<13, add)
			spent += time.Since(begin)
		}
		b.ReportMetric(float64(spent.Nanoseconds())/float64(b.N), "ns/loop")
	})
}
