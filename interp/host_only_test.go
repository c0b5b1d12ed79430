package interp

import (
	"strings"
	"testing"
)

// TestReserved checks that a cell cannot cut its session off from its host.
func TestReserved(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "kept := 41")
	for _, src := range []string{
		"tensor.SetHooks(nil)", "f := tensor.SetHooks\nf(nil)", "display.Attach(nil)",
	} {
		if got := cell(s, src); !strings.Contains(got, "is for the program that runs cells") {
			t.Errorf("%s gives %q", src, got)
		}
	}
	if got := cell(s, "kept + 1"); got != "42\n" {
		t.Errorf("then kept + 1 is %q", got)
	}
}
