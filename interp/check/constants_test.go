package check

import (
	"fmt"
	"strings"
	"testing"
)

// TestLongConstants: constant strings that double each other are rejected before go/types makes them, whether they
// stand in one cell or in several; shorter ones are as in Go.
func TestLongConstants(t *testing.T) {
	doubling := func(steps int, between string) (cells []string) {
		list := []string{`const a0 = "` + strings.Repeat("x", 1024) + `"`}
		for i := range steps {
			list = append(list, fmt.Sprintf("const a%d = a%d + a%d", i+1, i, i))
		}
		return strings.Split(strings.Join(list, between), "\n")
	}
	for _, c := range []struct {
		name     string
		cells    []string
		rejected bool
	}{
		{"one cell", doubling(30, "; "), true},
		{"many cells", doubling(30, "\n"), true},
		{"short ones", doubling(6, "; "), false},
		{"made of itself", []string{`const a = a + "x"`}, true}, // by go/types
		{"a variable", []string{`a := "x"; b := a + a; _ = b`}, false},
	} {
		s := newSession()
		var err error
		for _, cell := range c.cells {
			checked, e := s.check(cell)
			if err = e; err != nil {
				break
			}
			s.env.Commit(checked, nil)
		}
		if (err != nil) != c.rejected {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
