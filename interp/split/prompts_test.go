package split

import (
	"strings"
	"testing"
)

// TestUnprompted: what is copied out of a session is read without its prompts and its output.
func TestUnprompted(t *testing.T) {
	for _, c := range []struct{ src, want string }{
		{"x := 1\nx", "x := 1\nx"},
		{">>> x := 1\n>>> x\n1\n", "x := 1\nx"},
		{"In[3]: x := 1\n", "x := 1"},
		{"In [3]: f(1,\n   ...: 2)\nOut[3]: 3", "f(1,\n2)"},
		{">>> for i := range 2 {\n...     fmt.Println(i)\n... }\n0\n1\n>>> 7",
			"for i := range 2 {\n    fmt.Println(i)\n}\n7"},
		{"s := `\n>>> x\n`", "s := `\n>>> x\n`"},
	} {
		if got := Unprompted(c.src); got != c.want {
			t.Errorf("%q: got %q, want %q", c.src, got, c.want)
		}
	}
}

// FuzzPasted: what is pasted with prompts before its lines is split into cells that are the lines without them.
func FuzzPasted(f *testing.F) {
	for _, s := range []string{
		">>> x\n1\n>>> y", "In [3]: f(1,\n   ...: 2)\nOut[3]: 3", "x", "\n>>> for {\n... }\n...\n>>> `\n... >>> `",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		all := strings.Split(Unprompted(src), "\n")
		for _, c := range Pasted(src) {
			for i, l := range strings.Split(c, "\n") {
				if l != "" && (i >= len(all) || all[i] != l) {
					t.Fatalf("%q: line %d of %q is not one of %q", src, i, c, all)
				}
			}
		}
		if b := BlankPrompts(src); len(b) != len(src) {
			t.Fatalf("%q: %d bytes become %d", src, len(src), len(b))
		}
	})
}
