package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestWideNames: columns of a table are those of a terminal, and what a terminal would obey stays out of it.
func TestWideNames(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "名字, ab := Ones(2), \"a\\tb\\x1b[31m\"")
	want := "ab    string          \"a\\tb\\x1b[31m\"\n名字  *tensor.Tensor  float32[2]\n"
	if got := celltest.Cell(s, "%who"); got != want {
		t.Errorf("%q", got)
	}
	if got := celltest.Cell(s, "w := Ones(2)\n%mem"); !strings.HasPrefix(got, "w     float32[2]  8 B\n名字  float32[2]  8 B\n") {
		t.Errorf("%q", got)
	}
}
