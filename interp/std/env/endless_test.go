package env_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"gotorch/interp"
	"gotorch/interp/internal/celltest"
)

// TestEndlessReaders: a copy from a reader of compiled code that never ends ends when its cell is interrupted, also
// the part of it that runs on by itself.
func TestEndlessReaders(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "import (\"crypto/rand\"; \"io\")")
	for _, src := range []string{"io.Copy(io.Discard, rand.Reader)", "io.CopyN(io.Discard, rand.Reader, 1 << 62)",
		"io.CopyBuffer(io.Discard, rand.Reader, make([]byte, 1000))"} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		s.Eval(ctx, src, nil)
		cancel()
		for start := time.Now(); ; time.Sleep(time.Millisecond) {
			stacks := make([]byte, 1<<20)
			if stacks = stacks[:runtime.Stack(stacks, true)]; !strings.Contains(string(stacks), "io.copyBuffer") {
				break
			}
			if time.Since(start) > 10*time.Second {
				t.Errorf("%s: it goes on copying", src)
				break
			}
		}
	}
}
