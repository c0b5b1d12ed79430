package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"gotorch/interp/syntax"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsOfIPython: IPython's names of commands do what they do there, or say what there is instead.
func TestCommandsOfIPython(t *testing.T) {
	s := interp.New(interp.Options{})
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
		{"len(lines), lines[2]", "3\n\"three\""},
		{"lines = !true", ""},
		{"len(lines)", "0\n"},
		{"ok := true\nno := !ok\nno", "false"},
		{"no = !ok", ""},
		{"got := !exit 3", "exit status 3"},
		{"a := 1\nboth := !echo one; echo two\nlen(both) + a", "3\n"},
		{"func() {\n\tb := !ok\n\t_ = b\n}()\nboth = !echo *\nlen(both)", "1\n"},
		{"yes := true\nnope := !yes\nnope", "false"},
		{"fresh = !echo made\nfresh[0]", "\"made\"\n"},
		{"!!echo 1; echo 2", "[\"1\" \"2\"]"},
		{"!!ok", "true"},
		{"mask := Arange(3) > 1\n!mask", "! is for one bool; for a tensor write ^mask"},
		{"!(mask > 1)", "for a tensor write ^(mask > 1)"},
		{"odd := !strings.Contains(nowhere, \"a\")", "undefined: nowhere"},
		{"one := !echo 1\ntwo := !echo 2 {one[0]}\n%pwd\nthree := !echo $two\nthree", "[\"2 1\"]"},
		{"one := !echo 1\nx[5]", "2:1: undefined: x"},
		{"one = !one\none", "[]"},
		{"%env A_B some words\n%env A_B", "some words\n"},
		{"%set_env A_B=other\n%env A_B", "other\n"},
		{"here := !pwd\n%cd / \n%cd -\nagain := !pwd\nhere[0] == again[0]", "true"},
		{"%matplotlib inline", "pictures need no set-up"},
		{"%debug", "there is no %debug: an error shows its line"},
		{"%nosuch", "there is no %nosuch; %help lists"},
	} {
		if got := celltest.Cell(s, c.src); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %q, want %q", c.src, got, c.want)
		}
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != "func {\n  two\nthree\n" {
		t.Errorf("the file holds %q, %v", b, err)
	}
	for src, want := range map[string]syntax.Verdict{"f := !ls *": syntax.Complete, "f := !cat (": syntax.Incomplete,
		"f := !ls\nfor {":    syntax.Incomplete,
		"f := !ls |\nlen(f)": syntax.Complete, "for {\nf := !ls": syntax.Incomplete, "d := !ok &&": syntax.Incomplete,
		"if true {\n\tf := !ok": syntax.Incomplete} {
		if v, _ := s.IsComplete(src); v != want {
			t.Errorf("%q is %v", src, v)
		}
	}
	if v, _ := s.IsComplete("%%bash\nif true; then ("); v != syntax.Complete {
		t.Errorf("a text for the shell is %v", v)
	}
	safe := interp.New(interp.Options{Safe: true})
	defer safe.Close()
	for _, src := range []string{"%%writefile x\ny", "%ls", "got := !ls", "%%bash\nls"} {
		if got := celltest.Cell(safe, src); !strings.Contains(got, "refused in the restricted mode") {
			t.Errorf("restricted, %q gives %q", src, got)
		}
	}
}

// TestOptionsOfIPython: options that are typed as in IPython are taken, or one line says what to write.
func TestOptionsOfIPython(t *testing.T) {
	dir := t.TempDir()
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"a := 1", ""},
		{"a + 1", "2\n"},
		{"%save -f DIR/x.go 1", "1 cell saved to DIR/x.go"},
		{"%save -a DIR/x.go 2", "1 cell saved to DIR/x.go"},
		{"!cat DIR/x.go", "// %% In[1]\na := 1\n// %% In[2]\na + 1\n"},
		{"%run -i DIR/x.go", "2\n"},
		{"%run -t DIR/x.go", "%time, %prof and %trace look at a statement"},
		{"%run -i", "%run FILE"},
		{"%prun -s cumulative -l 5 a + 1", "2\n"},
		{"%prun -s cumulative", "%prof [-o FILE] STATEMENT"},
		{"%timeit -n10 -r2 a + 1", "2 runs of 10)"},
		{"%xmode Verbose", "there is no %xmode: an error shows"},
		{"%ll DIR", "x.go"},
		{"%pycat DIR/x.go", "// %% In[1]"},
		{"%edit Sum", "%edit needs a terminal"},
	} {
		src, want := strings.ReplaceAll(c.src, "DIR", dir), strings.ReplaceAll(c.want, "DIR", dir)
		if got := celltest.Cell(s, src); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s gives\n%s\nwant\n%s", src, got, want)
		}
	}
}
