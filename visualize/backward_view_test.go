package visualize

import (
	"strings"
	"testing"

	"gotorch/visualize/internal/viewtest"
)

// The picture of a pass says which gradients a hook has changed: there the formula does not give the value.
func TestHookInPicture(t *testing.T) {
	for _, e := range examples {
		if !strings.HasPrefix(e.name, "backward") {
			continue
		}
		v := e.make(viewtest.NewSession(t)).(*BackwardRun)
		if got, want := strings.Contains(v.SVG(), "changed by a hook"),
			strings.Contains(v.Text(false), "a hook makes"); got != want {
			t.Errorf("%s: the picture tells of a hook: %v, the text: %v", e.name, got, want)
		}
	}
}

// TestBackwardMemory: what the view says is freed adds up to what the graph keeps.
func TestBackwardMemory(t *testing.T) {
	for _, e := range examples {
		if !strings.HasPrefix(e.name, "backward") || e.name == "backward_loop" {
			continue
		}
		b := e.make(viewtest.NewSession(t)).(*BackwardRun)
		freed, also := 0, 0
		for _, s := range b.Pass {
			for _, f := range s.Frees {
				switch f.Why {
				case "":
					freed += f.Bytes
				case "a variable keeps it":
					also += f.Bytes
				}
			}
		}
		if last := b.Pass[len(b.Pass)-1].Held; freed+also != b.Held || also != b.Also || last != 0 {
			t.Errorf("%s: %d B freed, %d B of variables, of %d and %d; %d B left", e.name, freed, also, b.Held, b.Also, last)
		}
	}
}
