package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestProfile: the line that takes the time is found.
func TestProfile(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	got := celltest.Cell(s, "%%prof\nn := 0\nfor i := range 2000000 {\n\tn += i\n}\nn")
	if !strings.Contains(got, "1999999000000") || !strings.Contains(got, "n += i") || !strings.Contains(got, "function") {
		t.Error(got)
	}
}
