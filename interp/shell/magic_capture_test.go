package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
)

// TestCapture: %%capture shows nothing of a cell and keeps what it prints.
func TestCapture(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"%%capture out\nfmt.Println(40)\nfmt.Fprintln(os.Stderr, 2)\n!echo shell\nx := 3\nx", ""},
		{"out, x", "\"40\\n2\\nshell\\n\"\n3\n"},
		{"%%capture\nfmt.Println(40)", ""},
		{"\n\n%%capture out\nfmt.Println(42)", ""},
		{"\n\n%%capture\nfmt.Println(43)\nnowhere", "5:1: undefined: nowhere"},
		{"fmt.Println(1)", "1\n"},
		{"%%capture out\nfmt.Println(\"before\")\nvar none []int\nnone[3]",
			"before\nRuntimeError: index 3 is out of range: the slice has length 0\n  at In[7]:4\n"},
		{"fmt.Println(2)", "2\n"},
		{"len(out)", "3\n"},
		{"%%capture out", "%%capture NAME, and under it the cell"},
		{"%%capture a b\n1", "%%capture NAME, and under it the cell"},
		{"%%capture if\n1", "if is no name"},
	} {
		if got := celltest.Cell(s, c.src); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %q, want %q", c.src, got, c.want)
		}
	}
}

// TestTextCells: a cell under %%html and its like is shown as what it is; %page shows the last value again.
func TestTextCells(t *testing.T) {
	s := interp.New(interp.Options{})
	t.Cleanup(func() { s.Close() })
	for _, c := range []struct{ src, mime, want string }{
		{"%%html\n<b>bold</b>\n<i>x := 1 {</i>", "text/html", "<b>bold</b>\n<i>x := 1 {</i>"},
		{"%%HTML\n<b>bold</b>", "text/html", "<b>bold</b>"},
		{"%%markdown\n# Title\n\n- `a` {b}\n", "text/markdown", "# Title\n\n- `a` {b}"},
		{"%%latex\n$x^2$", "text/latex", "$x^2$"},
		{"%%svg\n<svg></svg>", "image/svg+xml", "<svg></svg>"},
		{"%markdown **x**", "text/markdown", "**x**"},
		{"Arange(3)", "text/plain", "tensor([0, 1, 2])"},
		{"x := 3", "", ""},
		{"%page", "text/plain", "tensor([0, 1, 2])"},
		{"%%bash\necho $((40 + 2))", "", ""},
	} {
		vals, err := s.Eval(t.Context(), c.src, interp.Discard)
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if c.mime == "" {
			continue
		}
		if len(vals) != 1 || vals[0].Rich().All()[c.mime] != c.want {
			t.Errorf("%q shows %v", c.src, vals)
		}
	}
	for _, src := range []string{"%%html", "%page x"} {
		if _, err := s.Eval(t.Context(), src, interp.Discard); err == nil {
			t.Errorf("%q is no error", src)
		}
	}
}
