package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/interp/syntax"
)

// TestCommandsOfIPython: IPython's names of commands do what they do there, or say what there is instead.
func TestCommandsOfIPython(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	dir := t.TempDir()
	file := filepath.Join(dir, "a file")
	for _, c := range []struct{ src, want string }{
		{"x := Ones(2)\n%whos", "*tensor.Tensor"},
		{"%hist 1", "x := Ones(2)"},
		{"%hist -g Ones(", "1: x := Ones(2)\n   %whos\n"},
		{"%hist -g nowhere", "no cells"},
		{"%hist -n 1", "1: x := Ones(2)"},
		{"%lsmagic", "the session\n"},
		{"%pinfo x", "var x *Tensor"},
		{"%reset -f", ""},
		{"x", "undefined: x"},
		{"%ls " + dir, ""},
		{"%%writefile '" + file + "'\nfunc {\n  two", "written to " + file},
		{"%%writefile -a '" + file + "'\nthree", "written to"},
		{"%cat '" + file + "'", "func {\n  two\nthree\n"},
		{"%writefile x", "%%writefile [-a] FILE, and under it the text"},
		{"%%bash\nfor i in 1 2; do\n echo $i\ndone", "1\n2\n"},
		{"lines := !cat '" + file + "'", ""},
		{"len(lines), lines[2]", "3\nthree"},
		{"lines = !true", ""},
		{"len(lines)", "0\n"},
		{"ok := true\nno := !ok\nno", "false"},
		{"no = !ok", ""},
		{"got := !exit 3", "exit status 3"},
		{"%matplotlib inline", "pictures need no set-up"},
		{"%debug", "there is no %debug: an error shows its line"},
		{"%nosuch", "there is no %nosuch; %help lists"},
	} {
		if got := cell(s, c.src); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %q, want %q", c.src, got, c.want)
		}
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "func {\n  two\nthree\n" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	if v, _ := s.IsComplete("%%bash\nif true; then ("); v != syntax.Complete {
		t.Errorf("a text for the shell is %v", v)
	}
	safe := New(Options{Safe: true})
	defer safe.Close()
	for _, src := range []string{"%%writefile x\ny", "%ls", "got := !ls", "%%bash\nls"} {
		if got := cell(safe, src); !strings.Contains(got, "refused in the restricted mode") {
			t.Errorf("restricted, %q gives %q", src, got)
		}
	}
}
