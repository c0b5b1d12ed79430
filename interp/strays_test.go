package interp

import (
	"context"
	"fmt"
	"runtime"
	"testing"
	"time"

	"gotorch/internal/parallel"
	"gotorch/interp/internal/celltest"
)

// TestStrays: compiled code that an interrupt leaves behind has a processor of its own until it ends, so that cells
// and the collector need not wait for its turns.
func TestStrays(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes seconds")
	}
	s := New(Options{})
	defer s.Close()
	base := parallel.Processors()
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := s.Eval(ctx, "math.Jn(1<<29, 2.5)", nil); err == nil {
		t.Skip("the computation was over before the interrupt")
	}
	await := func(extra int) {
		t.Helper()
		for end := time.Now().Add(2 * time.Minute); runtime.GOMAXPROCS(0) != base+extra; time.Sleep(time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("GOMAXPROCS is %d, want %d", runtime.GOMAXPROCS(0), base+extra)
			}
		}
	}
	await(1)
	if got := celltest.Cell(s, "runtime.GOMAXPROCS(0)"); got != fmt.Sprintln(base) {
		t.Errorf("cells see %s processors, want %d", got, base)
	}
	await(0)
}
