package visualize

import (
	"gotorch/visualize/internal/viewtest"
	"strings"
	"testing"
)

// On a narrow page a line is broken between its facts, and not within one.
func TestUnbroken(t *testing.T) {
	for in, want := range map[string]string{
		"x float32[2 3], y float32[3 4]":      "x float32[2_3], y float32[3_4]",
		"keys {Autograd CPU} · in NoGrad":     "keys_{Autograd_CPU} · in NoGrad",
		"48 B · 44.6 µs → float32[4 3]":       "48_B · 44.6_µs →_float32[4_3]",
		"saves mat2 · ↻ redispatch {CPU} <b>": "saves mat2 · ↻_redispatch {CPU} &lt;b&gt;",
		"]] a [ b":                            "]] a [_b",
	} {
		if got := strings.ReplaceAll(unbroken(in), "&#160;", "_"); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

// The picture of a pass says which gradients a hook has changed: there the formula does not give the value.
func TestHookInPicture(t *testing.T) {
	for _, e := range examples {
		if !strings.HasPrefix(e.name, "backward") {
			continue
		}
		v := e.make(viewtest.NewSession(t)).(*BackwardRun)
		if got, want := strings.Contains(v.SVG(), "changed by a hook"), strings.Contains(v.Text(false), "a hook makes"); got != want {
			t.Errorf("%s: the picture tells of a hook: %v, the text: %v", e.name, got, want)
		}
	}
}
