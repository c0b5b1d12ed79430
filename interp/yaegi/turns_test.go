package yaegi_test

import (
	"context"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"os"
	"runtime"
	"testing"
	"time"
)

// TestACrowdGivesWay: an interrupt that comes as a message, whose reader must be scheduled first, does not wait for
// the turns of many goroutines that compute.
func TestACrowdGivesWay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	for _, src := range []string{
		"for range 50 { go func() { for {} }() }\nselect {}",
		"for i := range 50 { go func() { for { math.Sqrt(float64(i)) } }() }\nselect {}",
		"var wg sync.WaitGroup\nfor range 50 { wg.Go(func() { n := 0; for i := range 1 << 60 { n += i } }) }\nwg.Wait()",
	} {
		var took time.Duration
		for range celltest.Tries {
			if took = interruptedByMessage(t, src); took < 150*time.Millisecond {
				break
			}
		}
		t.Logf("stopped after %v", took.Round(time.Millisecond/10))
		if took >= 150*time.Millisecond {
			t.Errorf("stopped after %v:\n%s", took, src)
		}
	}
}

// interruptedByMessage returns how long after something was written to a pipe a cell has ended whose interrupt it is.
func interruptedByMessage(t *testing.T, src string) time.Duration {
	s := interp.New(interp.Options{})
	defer s.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	time.AfterFunc(300*time.Millisecond, func() { at = time.Now(); w.Write([]byte{1}); w.Close() })
	go func() { r.Read(make([]byte, 1)); cancel() }()
	s.Eval(ctx, src, interp.Discard)
	return time.Since(at)
}
