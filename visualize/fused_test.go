package visualize_test

import (
	"fmt"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize"
)

// TestFusedIsOneLoop: traces and plans show what was fused as one call, with its body as Go.
func TestFusedIsOneLoop(t *testing.T) {
	x, y := tensor.Zeros(100, 100), tensor.Zeros(100)
	f := tensor.Fuse(func(a, b *tensor.Tensor) *tensor.Tensor { return a.Mul(b).Add(1).Tanh() })
	for name, text := range map[string]string{
		"trace": fmt.Sprint(visualize.TraceFunc(func() { f(x, y) })),
		"plan":  fmt.Sprint(visualize.Plans(func() { f(x, y) })),
	} {
		for _, want := range []string{"_fused(", "for i := range 10000 {", "t0 := a[i] * b[i]", "t1 := t0 + 1",
			"out[i] = tanh(t1)"} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s has no %q:\n%s", name, want, text)
			}
		}
		for _, other := range []string{"mul", "tanh("} {
			if strings.Count(text, other) > 1 {
				t.Errorf("the %s shows %s as a call of its own:\n%s", name, other, text)
			}
		}
	}
}
