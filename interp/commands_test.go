package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsAsTyped: commands with options, quotes, tabs and comments, and with nothing.
func TestCommandsAsTyped(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"itself.txt": "%run DIR/itself.txt\n",
		"two words":  "// %% first\nword := `two\nlines`\n",
		"binary.go":  "package main\x00\xff",
		"marked.txt": "\ufeffmark := 1\n",
		"init.go":    "package main\n\nvar g = f()\n\nfunc init() { g++ }\n\nfunc f() int { return h + 1 }\n\nvar h = 5\n\nfunc init() { g *= 2 }\n\nfunc main() { println(g); shown = g }\n\nvar shown int\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.ReplaceAll(text, "DIR", dir)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ src, want string }{
		{"%", "the name of a command follows"},
		{"%time?", "how long it took"},
		{"%time\t1 + 1", "2\ntook"},
		{"%timeit x := 1", "per loop"},
		{"%timeit -n 3 -r 2 1 + 1 // so", "mean ± deviation of 2 runs of 3)"},
		{"%%timeit -n 2\nx := Ones(2)\nx, x + 1", "runs of 2)"},
		{"%timeit -n 0 1", "-n takes a number from 1"},
		{"%timeit nothing", "undefined: nothing\n    nothing\n    ^"},
		{"%timeit // nothing", "nothing to run"},
		{"%timeit func f() {}", "nothing to run"},
		{"%prof -o", "%prof [-o FILE] STATEMENT"},
		{`%prof -o "DIR/a profile" 1 + 1`, "written to DIR/a profile:"},
		{"p, q := 1, 2\n%reset p, q\n%who", "no names have been defined"},
		{"p", "undefined: p"},
		{`%run "DIR/two words"`, ""},
		{"len(word)", "9\n"},
		{"%run DIR/itself.txt", "would run itself without an end"},
		{"%run DIR/binary.go", "no text in UTF-8"},
		{"%load DIR/binary.go", "no text in UTF-8"},
		{"%run DIR/marked.txt\nmark", "1\n"},
		{"%run DIR/init.go\nshown", "14\n"},
		{"!sleep 2 &", ""},
		{"1\n%keep 0\n_", "cannot use _ as value"},
		{"%keep 5\nlast := 6\nlast", "6\n"},
		{`%save 'DIR/a save' 26`, "there are no cells"},
		{`%save 'DIR/a save' 1-40`, "saved to DIR/a save"},
	} {
		src, want := strings.ReplaceAll(c.src, "DIR", dir), strings.ReplaceAll(c.want, "DIR", dir)
		if got := cell(s, src); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s\ngives %q, want %q", src, got, want)
		}
	}
}

// TestHostVariables: what a cell assigns to a compiled package's variable is the session's own.
func TestHostVariables(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"io.EOF = nil\nfmt.Println(io.EOF)", "<nil>\n"},
		{"p := &tensor.CPU\n*p = tensor.Meta\nOnes(2) + 1", "tensor([2., 2.])"},
		{"_, err := strings.NewReader(\"\").ReadByte()\nerr", "EOF"},
	} {
		if got := cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}
