package interp

import (
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestEarlier: what IPython calls _i, __ and Out, and the commands that bring cells back.
func TestEarlier(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"1 + 1", "2\n"},
		{"\"two\"", "two\n"},
		{"Ones(2)", "tensor([1., 1.])\n"},
		{"_, __, ___", "tensor([1., 1.])\ntwo\n2\n"}, // 4
		{"len(__)", "does not take a tensor"},
		{"_i", "len(__)\n"}, // 6
		{"_ii, _iii", "len(__)\n_, __, ___\n"},
		{"_i1 + _i2", "1 + 1\"two\"\n"},
		{"_i99", "undefined: _i99"},
		{"%who", "no names have been defined"}, // 10
		{"func() int { __, _i := 3, 4; return __ + _i }()", "7\n"},
		{"_i := 5\n__ := 6", ""},
		{"_i, __", "5\n6\n"},
		{"%reset _i __", ""},
		{"n := 0", ""}, // 15
		{"n++\nn", "1\n"},
		{"%rerun", "n++\nn\n2\n"},
		{"%rerun 15-16", "n := 0\nn++\nn\n1\n"},
		{"%rerun 15 16-17", "n := 0\nn++\nn\n1\n"}, // a cell that runs others is left out
		{"%rerun -g n++", "n++\nn\n2\n"},           // 20
		{"%rerun 99", "there is no such cell"},
		{"%recall 16", "n++\nn\n"}, // nobody types here
		{"%recall", "%recall 16\n"},
		{"%hist -o 1-2", " 1: 1 + 1\n    2\n 2: \"two\"\n    two\n"},
		{"%hist -l 2", "23: %recall\n24: %hist -o 1-2\n"},
		{"%hist -n 1 3-3", " 1: 1 + 1\n 3: Ones(2)\n"},
		{"%hist ~1/", "only this session's cells have numbers"},
		{"%hist -f x", "%save FILE"},
		{"%hist -l x", "%history -l N"},
		{"x, f := Ones(2), func() {}\n%who tensor", "x  *tensor.Tensor  float32[2]\n"},
		{"%who float32", "x  *tensor.Tensor"},
		{"%who func int", "f  func()"},
		{"%who chan", "no name has that type"},
	} {
		if got := cell(s, c.src); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %q, want %q", c.src, got, c.want)
		}
	}
}

// TestEarlierLetsGo: a value that __ named is free when Out has forgotten it.
func TestEarlierLetsGo(t *testing.T) {
	s := New(Options{Keep: 2})
	defer s.Close()
	cell(s, "Ones(2)")
	cell(s, "2")
	cell(s, "__.Sum()") // Out has 2 and the sum
	if d := s.env.Lookup("__"); d != nil {
		t.Error("__ stays when the cell has ended")
	}
	if got := cell(s, "___"); !strings.Contains(got, "undefined") {
		t.Errorf("___ gives %q", got)
	}
}

// TestCapture: %%capture shows nothing of a cell and keeps what it prints.
func TestCapture(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"%%capture out\nfmt.Println(40)\nfmt.Fprintln(os.Stderr, 2)\n!echo shell\nx := 3\nx", ""},
		{"out, x", "40\n2\nshell\n\n3\n"},
		{"%%capture\nfmt.Println(40)", ""},
		{"\n\n%%capture out\nfmt.Println(42)", ""},
		{"\n\n%%capture\nfmt.Println(43)\nnowhere", "5:1: undefined: nowhere"},
		{"fmt.Println(1)", "1\n"},
		{"%%capture out\nfmt.Println(\"before\")\nvar none []int\nnone[3]", "before\nRuntimeError: index 3 is out of range: the slice has length 0\n  at In[7]:4\n"},
		{"fmt.Println(2)", "2\n"},
		{"len(out)", "3\n"},
		{"%%capture out", "%%capture NAME, and under it the cell"},
		{"%%capture a b\n1", "%%capture NAME, and under it the cell"},
		{"%%capture if\n1", "if is no name"},
	} {
		if got := cell(s, c.src); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s\ngives %q, want %q", c.src, got, c.want)
		}
	}
}

// TestTensorsByPosition: an argument that may be a number or a tensor is taken by its place, as in PyTorch.
func TestTensorsByPosition(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x, lo, hi := Arange(5), New([1, 1, 1, 1, 1]), New([3, 3, 3, 2, 2])")
	for _, c := range []struct{ src, want string }{
		{"x.Clamp(lo, hi)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(lo)", "tensor([1, 1, 2, 3, 4])\n"},
		{"Clamp(x, lo, 2)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(1, hi)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(nil, hi)", "tensor([0, 1, 2, 2, 2])\n"},
		{"x.Clip(lo, max=hi)", "tensor([1, 1, 2, 2, 2])\n"},
		{"x.Clamp(lo, min=hi)", "min is given twice"},
		{"x.Clamp(lo, hi, lo)", "Clamp takes"},
		{"x.Sum(lo)", "where a keyword argument belongs; it takes dim, keepdim"},
		{"%go x.Clamp(lo, hi)", "x.Clamp(opt.Min(lo), opt.Max(hi))"},
	} {
		if got := cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
	defer func() {
		if e, ok := recover().(*tensor.Error); !ok || !strings.Contains(e.Error(), "a tensor is given by name: opt.Min(y)") {
			t.Errorf("compiled: %v", e)
		}
	}()
	x := tensor.Ones(2)
	x.Clamp(x)
}

// TestWideNames: columns of a table are those of a terminal, and what a terminal would obey stays out of it.
func TestWideNames(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "名字, ab := Ones(2), \"a\\tb\\x1b[31m\"")
	if got := cell(s, "%who"); got != "ab    string          a b [31m\n名字  *tensor.Tensor  float32[2]\n" {
		t.Errorf("%q", got)
	}
	if got := cell(s, "w := Ones(2)\n%mem"); !strings.HasPrefix(got, "w     float32[2]  8 B\n名字  float32[2]  8 B\n") {
		t.Errorf("%q", got)
	}
}

// TestOptionsOfIPython: options that are typed by habit are taken, or one line says what to write.
func TestOptionsOfIPython(t *testing.T) {
	dir := t.TempDir()
	s := New(Options{})
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
		if got := cell(s, src); !strings.Contains(got, want) || want == "" && got != "" {
			t.Errorf("%s gives\n%s\nwant\n%s", src, got, want)
		}
	}
}
