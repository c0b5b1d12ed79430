package programs

import (
	"runtime"
	"strings"
	"testing"
	"time"
	"weak"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// A program keeps no large tensor alive, nor its inputs.
func TestProgramKeepsNothing(t *testing.T) {
	viewtest.NewSession(t)
	var in, held weak.Pointer[tensor.Tensor]
	p := func() *CapturedProgram {
		x, big := viewtest.Floats(3), tensor.Zeros(maxHeld+1)
		in, held = weak.Make(x), weak.Make(big)
		return Program(func(x *tensor.Tensor) *tensor.Tensor { return x.Sum().Add(big.Sum()) }, x)
	}()
	for range 50 {
		runtime.GC()
		if in.Value() == nil && held.Value() == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	if in.Value() != nil || held.Value() != nil {
		t.Error("a program keeps tensors alive")
	}
	if err := tensor.Try(func() { p.Run(viewtest.Floats(3)) }); err == nil || !strings.Contains(err.Error(), "is gone") {
		t.Error(err)
	}
}
