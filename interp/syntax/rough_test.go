package syntax

import (
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRoughly: for cells that are whole, and for what is typed of them line by line, brackets alone say what reading
// says.
func TestRoughly(t *testing.T) {
	n := 0
	names, _ := filepath.Glob("../testdata/language/*.txt")
	for _, name := range append(names, "../testdata/sugar.txt") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, cell := range strings.Split(string(b), "\n----\n") {
			cell = strings.TrimSpace(cell)
			if v, _ := Completeness(cell); v != Complete {
				continue
			}
			for i, c := range cell + "\n" {
				if c != '\n' {
					continue
				}
				want, indent := Completeness(cell[:i])
				got, ind := roughly(cell[:i])
				if want == Invalid { // else without its if: the text before the line is another
					continue
				}
				if got != want || indent != ind {
					t.Errorf("%q: %s %q, reading it gives %s %q", cell[:i], got, ind, want, indent)
				}
				n++
			}
		}
	}
	if n < 1000 {
		t.Errorf("only %d texts", n)
	}
}

// TestVeryLong: verdicts of texts that are not read whole.
func TestVeryLong(t *testing.T) {
	lines := strings.Repeat("y = y + len(\"abc\") // (\n", veryLong/20)
	for _, c := range []struct {
		src    string
		want   Verdict
		indent string
	}{
		{lines, Complete, ""},
		{lines + "if y > 0 {", Incomplete, "\t"},
		{"for {\n" + lines + "f(func() {\n", Incomplete, "\t\t"},
		{lines + "s := `a", Incomplete, ""},
		{lines + "/* ", Incomplete, ""},
		{lines + "x := y +", Incomplete, ""},
		{lines + "x := a @", Incomplete, ""},
		{lines + "f(1))", Invalid, ""},
		{"s := `" + lines + "`", Complete, ""},
	} {
		if v, indent := Completeness(c.src); v != c.want || indent != c.indent {
			t.Errorf("… %q: %s %q", c.src[len(c.src)-20:], v, indent)
		}
	}
}

// TestTypesNest: types nest a thousand deep and no deeper, since what names them takes the square.
func TestTypesNest(t *testing.T) {
	for _, s := range []string{"chan ", "[]", "*", "map[int]", "func() ", "[3]", "<-chan "} {
		for n, want := range map[int]bool{900: true, 1100: false, 100_000: false} {
			_, ds, _ := parse(token.NewFileSet(), "In[1]", "var x "+strings.Repeat(s, n)+"int")
			if ok := len(ds) == 0; ok != want {
				t.Errorf("%s × %d: %t", s, n, ok)
			} else if !ok && !strings.Contains(ds[0].Msg, "too deep") {
				t.Errorf("%s × %d: %s", s, n, ds[0].Msg)
			}
		}
	}
}
