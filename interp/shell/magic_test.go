package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCommandsAsTyped: commands with options, quotes, tabs and comments, and with nothing.
func TestCommandsAsTyped(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"itself.txt": "%run DIR/itself.txt\n",
		"two words":  "// %% first\nword := `two\nlines`\n",
		"binary.go":  "package main\x00\xff",
		"marked.txt": "\ufeffmark := 1\n",
		"init.go": "package main\n\nvar g = f()\n\nfunc init() { g++ }\n\nfunc f() int { return h + 1 }\n\nvar h = 5\n" +
			"\nfunc init() { g *= 2 }\n\nfunc main() { println(g); shown = g }\n\nvar shown int\n",
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
		if got := celltest.Cell(s, src); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%s\ngives %q, want %q", src, got, want)
		}
	}
}

// TestMagics: each does what %help says.
func TestMagics(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "x := Ones(2, 3)\nfunc double(n int) int {\n\treturn 2 * n\n}\nconst k = 3\ntype P struct{ A int }")
	for _, c := range []struct {
		src  string
		want []string
	}{
		{"%help", []string{"%timeit [-n N] STATEMENT", "%who"}},
		{"%who", []string{"double  func(n int) int", "k ", "float32[2 3]", "type In[1]"}},
		{"%time double(4)", []string{"8\n", "took "}},
		{"%timeit double(4)", []string{" per loop", "±"}},
		{"%trace x + 1", []string{"add(", "CPU"}},
		{"%strides x x.T()", []string{"storage #", "x.T()"}},
		{"%strides", []string{"UsageError: %strides X"}},
		{"%graph x, y", []string{"undefined: y"}},
		{"x + 1;\n", nil},
		{"%go", []string{"x.Add(1)"}},
		{"%nothing", []string{"UsageError: there is no %nothing"}},
		{"?double", []string{"func double(n int) int", "In[1]"}},
		{"double?", []string{"func double(n int) int"}},
		{"double??", []string{"return 2 * n"}},
		{"?x", []string{"*Tensor", "float32[2 3]"}},
		{"?strings.ToUpper", []string{"ToUpper(s string) string", "upper case"}},
		{"%time 1 +\n", []string{"TypeError"}},
		{"%time\nz := 5\nz", []string{"took", "5\n"}},
		{"%%time\nq := 2\nq * 3", []string{"6\n", "took"}},
		{"%reset", nil},
		{"x", []string{"undefined: x"}},
	} {
		got := celltest.Cell(s, c.src)
		for _, w := range c.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q lacks %q", c.src, got, w)
			}
		}
		if c.want == nil && got != "" {
			t.Errorf("%s: %q", c.src, got)
		}
	}
}
