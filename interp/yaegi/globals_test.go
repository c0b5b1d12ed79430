package yaegi_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestHostVariables: what a cell assigns to a compiled package's variable is the session's own.
func TestHostVariables(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"io.EOF = nil\nfmt.Println(io.EOF)", "<nil>\n"},
		{"p := &tensor.CPU\n*p = tensor.Meta\nOnes(2) + 1", "tensor([2., 2.])"},
		{"_, err := strings.NewReader(\"\").ReadByte()\nerr", "EOF"},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}
