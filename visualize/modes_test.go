package visualize_test

import (
	"fmt"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize"
)

// TestTraceOfModes: a trace shows the stack of modes, and whether they forwarded the call or answered it.
func TestTraceOfModes(t *testing.T) {
	x := tensor.Ones(2)
	tr := visualize.TraceFunc(func() {
		tensor.WithMode(func(c *tensor.Call) { c.Next() }, func() {
			tensor.WithMode(func(c *tensor.Call) {
				if c.Name() == "exp" {
					c.Return(x)
					return
				}
				c.Next()
			}, func() { x.Neg(); x.Exp() }, "answer")
		}, "log")
	})
	text := fmt.Sprint(tr)
	for _, want := range []string{"keys {Mode CPU}", "in modes answer › log",
		"answer › log forwards", "answer › log answers"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
