package interp

import (
	"context"
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestOuts: In, Out and _.
func TestOuts(t *testing.T) {
	s := New(Options{Keep: 3})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"6 * 7", "42\n"},                                    // 1
		{"_ + 1", "43\n"},                                    // 2
		{"_ * 2", "86\n"},                                    // 3
		{"Out[1] + Out[2]", "85\n"},                          // 4: typed, though Out is a map of any
		{"_3", "86\n"},                                       // 5
		{"len(Out), In[1]", "3\n6 * 7\n"},                    // 6
		{"type T struct{ n int }\nT{5}", "{5}\n"},            // 7
		{"_.n + 1", "6\n"},                                   // 8
		{"x, _ := 3, 4\nx", "3\n"},                           // 9
		{"[]string{\"a\", \"b\"}", "[a b]\n"},                // 10
		{"strings.Join(_, \"-\")", "a-b\n"},                  // 11
		{"for _, v := range Out[10] { fmt.Print(v) }", "ab"}, // 12
		{"nil", "<nil>\n"},
		{"_", "a-b\n"},
		{"Arange(3)", "tensor([0, 1, 2])\n"}, // 15
		{"_ + 1", "tensor([1, 2, 3])\n"},
		{"1;", ""},
		{"fmt.Println(1)", "1\n"}, // and not the results of Println
		{"tensor.Data[float32](Ones(2))", "[1 1]\n"},
		{"FromSlice([]int{1, 2, 3}, 3).Dtype()", "int64\n"},
		{"0", "0\n"},
		{"Ones(2, 3).Sum(dim=_, keepdim=_ == 0)", "tensor([[2., 2., 2.]])\n"},
	} {
		if got := cell(s, c.src); got != c.want {
			t.Errorf("%s: got %q, want %q", c.src, got, c.want)
		}
	}
}

// TestMagics: each does what %help says.
func TestMagics(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x := Ones(2, 3)\nfunc double(n int) int {\n\treturn 2 * n\n}\nconst k = 3\ntype P struct{ A int }")
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
		got := cell(s, c.src)
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

// TestSite: tensors know the cell, the line and the name of what wrote them.
func TestSite(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var at tensor.Site
	s.eng.Extend("Look", func() { at = tensor.CurrentSite() })
	cell(s, "y := 1")
	running.Store(s)
	_, err := s.Eval(context.Background(), "\ny = strings.Count(\"cheese\", \"e\")\n\nfmt.Sprint(func() string { return \"x\" }())", nil)
	if err != nil {
		t.Fatal(err)
	}
	if at = tensor.CurrentSite(); at.Cell != "In[2]" || at.Line != 4 {
		t.Errorf("after the cell the site is %+v", at)
	}
	_, err = s.Eval(context.Background(), "a := Ones(2)\na.View(3)", nil)
	e, ok := err.(*Error)
	if !ok || e.Name != "TensorError" || e.Cell != "In[3]" || e.Line != 2 {
		t.Fatalf("%v", err)
	}
	if _, ok := e.Panic.(*tensor.Error); !ok {
		t.Errorf("the panic's value is a %T", e.Panic)
	}
}

// TestStreams: what cells print goes to the sink, by whatever way.
func TestStreams(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	var r recorder
	r.in = "12 ab\n"
	_, err := s.Eval(context.Background(), `fmt.Println("a")
fmt.Fprintln(os.Stdout, "b")
os.Stdout.WriteString("c\n")
fmt.Fprint(os.Stderr, "d\n")
println("e", 3)
log.SetFlags(0)
log.Print("f")
w := bufio.NewWriter(os.Stdout)
fmt.Fprintf(w, "g\n")
w.Flush()
var n int
var word string
fmt.Scan(&n, &word)
fmt.Println(n, word)
display.Display("shown")`, &r)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.out.String(); got != "a\nb\nc\ng\n12 ab\n" {
		t.Errorf("stdout %q", got)
	}
	if got := r.err.String(); got != "d\ne 3\nf\n" {
		t.Errorf("stderr %q", got)
	}
	if len(r.shown) != 1 || r.shown[0] != "shown" {
		t.Errorf("displayed %q", r.shown)
	}
}

// TestBundle: a value with a method MIMEBundle shows itself, declared by a
// cell or not.
func TestBundle(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	vals, err := s.Eval(context.Background(), "display.HTML(\"<b>x</b>\")", nil)
	if err != nil || len(vals) != 1 || vals[0].Bundle.Data["text/html"] != "<b>x</b>" {
		t.Errorf("%v %v", vals, err)
	}
	vals, err = s.Eval(context.Background(), "type Card struct{ n int }\nfunc (c Card) MIMEBundle() map[string]any { return map[string]any{\"text/html\": fmt.Sprint(\"<i>\", c.n, \"</i>\"), \"text/plain\": \"card\"} }\nCard{3}", nil)
	if err != nil || len(vals) != 1 || vals[0].Bundle.Data["text/html"] != "<i>3</i>" || vals[0].Text != "card" {
		t.Errorf("%+v %v", vals, err)
	}
}
