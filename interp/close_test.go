package interp

import (
	"runtime"
	"testing"
)

// TestEndedSessions: a session that has ended leaves neither memory nor goroutines, whatever its cells did.
func TestEndedSessions(t *testing.T) {
	for _, src := range []string{"1 + 1", "x := Ones(3)\nx @ x", "func f(n int) int { return n }",
		"type S[T any] struct{ v *S[T] }\nvar s S[int]", "fmt.Fprintln(os.Stdout, 1)", "http.Get(3)",
		"done := make(chan int)\ngo close(done)\n<-done"} {
		sessions := func(n int) (heap uint64, goroutines int) {
			for range n {
				s := New(Options{})
				cell(s, src)
				s.Close()
			}
			runtime.GC()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			return m.HeapAlloc, runtime.NumGoroutine()
		}
		h0, g0 := sessions(3)
		h1, g1 := sessions(20)
		if h1 > h0+20*100<<10 || g1 > g0+5 {
			t.Errorf("%s: twenty sessions leave %d KB and %d goroutines", src, (int64(h1)-int64(h0))>>10, g1-g0)
		}
	}
}
