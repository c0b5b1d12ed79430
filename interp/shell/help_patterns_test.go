package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestNamesByPattern: a pattern lists what matches.
func TestNamesByPattern(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "poolSize, x := 3, Ones(2)")
	for _, c := range []struct{ src, want string }{
		{"*maxunpool2d*?", "MaxUnpool2d  (input *Tensor"},
		{"?poolS*", "poolSize"},
		{"torch.ARGM*?", "Argmax  (self *Tensor, opts ...Option) *Tensor\nArgmin "},
		{"x.clamp*?", "x.Clamp "},
		{"strings.*indexbyte?", "strings.IndexByte      (s string, c byte) int\nstrings.LastIndexByte "},
		{"%psearch Log*max", "LogSoftmax"},
		{"*?", "nothing is known"},
		{"*nowhere*?", "no name is like *nowhere*"},
		{"*a*?", "… and "},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.src, got, c.want)
		}
	}
}
