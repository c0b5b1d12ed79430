package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"os"
	"runtime"
	"strings"
	"testing"
)

// TestFill: {x} in lines of the shell and of commands is a value; other braces stay as they are typed.
func TestFill(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the lines are those of a Unix shell")
	}
	t.Chdir(t.TempDir())
	t.Setenv("FILLED", "of the environment")
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "x, name, list := 42, \"a b.txt\", []string{\"p\", \"q\"}\nm := map[string]int{\"k\": 7}\ntype P "+
		"struct{ X, Y int }\nfunc greet() string { return \"hello\" }\nfunc quiet() {}\nvar none []int")
	for _, c := range []struct{ src, want string }{
		{"!echo {x} {name} {list} {m[\"k\"]} {greet()} {len(list)+1}", "42 a b.txt p q 7 hello 3\n"},
		{"!echo '{P{1, 2}} {Arange(3)}'", "{1 2} tensor([0, 1, 2])\n"},
		{"!echo ${FILLED} a{3} {} '{x, name} { x } {nope} {x*2.5} {greet} {quiet()} {\"x\"} {{x}} {{.x}} {x:1}'",
			"of the environment a{3} {} {x, name} { x } {nope} {x*2.5} {greet} {quiet()} {\"x\"} {{x}} {{.x}} {x:1}\n"},
		{"!echo one two | awk '{print $2}'", "two\n"},
		{"!for i in 1 2; do echo $i {x}; done", "1 42\n2 42\n"},
		{"lines := !echo {x}; echo {name}", ""},
		{"lines[1], len(lines)", "\"a b.txt\"\n2\n"},
		{"%env GREET={greet()} {x}\n%env GREET", "hello 42\n"},
		{"%%writefile '{name}'\n{x}", "written to a b.txt\n"},
		{"!echo {none[3]}", "RuntimeError: index 3 is out of range: the slice has length 0"},
		{"x++\n!echo {x}", "43\n"},
		{"%%bash\necho {x}", "{x}\n"},
		{"%time {x}", "TypeError"},
		{"!echo $x \"it's $name\" $FILLED $list. $nope.", "43 it's a b.txt of the environment p q. .\n"},
		{"!echo '$x' \\$x ${x}. $greet.", "$x $x . .\n"},
		{"!for x in 1 2; do echo $x; done; name=c; echo $name", "1\n2\nc\n"},
		{"!echo 7 8 | while read x; do echo $x; done", "7 8\n"},
		{"%env GREET=$x\n%env GREET", "43\n"},
		{"lines = !echo $x\nlines[0]", "\"43\"\n"},
	} {
		if got := celltest.Cell(s, c.src); got != c.want && !(strings.HasPrefix(got, c.want) && !strings.HasSuffix(c.want, "\n")) {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
	if text, _ := os.ReadFile("a b.txt"); string(text) != "{x}\n" {
		t.Errorf("the text under %%%%writefile became %q", text)
	}
}
