package interp

import (
	"context"
	"strings"
	"testing"
	"time"

	"gotorch/visualize/draw"
)

// TestBundle: a value with a method MIMEBundle shows itself, declared by a
// cell or not.
func TestBundle(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	vals, err := s.Eval(context.Background(), "display.HTML(\"<b>x</b>\")", nil)
	if err != nil || len(vals) != 1 || vals[0].Bundle.Data["text/html"] != "<b>x</b>" {
		t.Errorf("%v %v", vals, err)
	}
	vals, err = s.Eval(context.Background(), "type Card struct{ n int }\nfunc (c Card) MIMEBundle() map[string]any { "+
		"return map[string]any{\"text/html\": fmt.Sprint(\"<i>\", c.n, \"</i>\"), \"text/plain\": \"card\"} }\nCard{3}", nil)
	if err != nil || len(vals) != 1 || vals[0].Bundle.Data["text/html"] != "<i>3</i>" || vals[0].Text != "card" {
		t.Errorf("%+v %v", vals, err)
	}
}

// TestFunctionsShown: a cell that ends with a function says what it is and how it is called, no address.
func TestFunctionsShown(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "x := Ones(2, 3)\ntype F func(int) int\ntype P struct{}\nfunc (p P) M(q P) P { return p }\nfunc half(n "+
		"int) int { return n / 2 }\nvar none func()\nvar p P")
	for _, c := range []struct{ src, want string }{
		{"x.Shape", "func() []int   a method: x.Shape() calls it"},
		{"x.Sum", "func(opts ...Option) *Tensor   a method: x.Sum() calls it"},
		{"half", "func(n int) int   a function: half(…) calls it"},
		{"p.M", "func(q P) P   a method: p.M(…) calls it"},
		{"F(half)", "F   a function: F(half)(…) calls it"},
		{"math.Sqrt", "func(x float64) float64   a function: math.Sqrt(…) calls it"},
		{"Ones", "func(size ...int) *Tensor   a function: Ones(…) calls it"},
		{"none", "<nil>"},
		{"slices.Values([]int(nil))", "iter.Seq[int]   a sequence: for … range slices.Values([]int(nil)) goes through it"},
		{"x.Dim, x.Stride()", "func() int   a method: x.Dim() calls it\n[3 1]"},
		{"x.RequiresGrad_().Sum().GradFn()", "<SumBackward0 at In[12]:1>"},
	} {
		if got := strings.TrimSpace(cell(s, c.src)); got != c.want {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}

// TestOutline: a struct that holds tensors is shown with its fields and their shapes; what fmt prints is Go's.
func TestOutline(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, `type Linear struct { w, b *Tensor; act func(*Tensor) *Tensor }
type Net struct { Layers []*Linear; name string; lr float64; In any; sizes map[string]*Tensor }
type Point struct { X, Y int }
type S struct { w *Tensor }
func (s S) String() string { return "my S" }
type Ring struct { next *Ring; w *Tensor }
l := &Linear{Randn(2, 3).RequiresGrad_(), Zeros(3), nil}
r := &Ring{nil, Ones(2)}
r.next = r`)
	for _, c := range []struct{ src, want string }{
		{"l", "&Linear{w: float32[2 3] grad, b: float32[3], act: <nil>}"},
		{"Linear{b: l.b}", "Linear{w: <nil>, b: float32[3], act: <nil>}"},
		{"Net{[]*Linear{l, {Ones(1), nil, nil}}, \"net\", 0.1, Point{1, 2}, map[string]*Tensor{\"a\": Ones(2)}}",
			"Net{\n    Layers: [\n        &Linear{w: float32[2 3] grad, b: float32[3], act: <nil>}\n        &Linear{w: " +
				"float32[1], b: <nil>, act: <nil>}\n    ]\n" +
				"    name: \"net\"\n    lr: 0.1\n    In: Point{X: 1, Y: 2}\n    sizes: map[\"a\": float32[2]]\n}"},
		{"r", "&Ring{next: &…, w: float32[2]}"},
		{"S{Ones(2)}", "my S"},
		{"Point{1, 2}", "{X:1 Y:2}"},
		{"Linear{}", "{w:<nil> b:<nil> act:<nil>}"},
		{"fmt.Sprint(S{Ones(2)}, Linear{})", "\"my S {<nil> <nil> <nil>}\""},
	} {
		if got := strings.TrimSpace(cell(s, c.src)); got != c.want {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}

// TestListsOfTensors: small tensors in lists and maps that a cell shows stand whole, one in a line, large ones as
// their shapes; fmt prints as Go does.
func TestListsOfTensors(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "m := map[string]*Tensor{\"weight\": Arange(6).View(2, 3), \"b\": Ones(3)}\ntype Layer struct{ W *Tensor "+
		"}\ntype Net []Layer")
	for _, c := range []struct{ src, want string }{
		{"m", "map[\n    \"b\": tensor([1., 1., 1.])\n" +
			"    \"weight\": tensor([[0, 1, 2],\n                      [3, 4, 5]])\n]"},
		{"map[string]*Tensor{\"w\": Zeros(64, 784), \"b\": Zeros(64).RequiresGrad_()}",
			"map[\"b\": float32[64] grad, \"w\": float32[64 784]]"},
		{"[]*Tensor{Ones(2), nil, Zeros(99)}", "[tensor([1., 1.]), <nil>, float32[99]]"},
		{"map[string]any{\"n\": 3, \"t\": map[int][]*Tensor{1: {Ones(2)}}}",
			"map[\"n\": 3, \"t\": map[1: [tensor([1., 1.])]]]"},
		{"Net{{Ones(2)}, {Ones(3)}}", "[Layer{W: float32[2]}, Layer{W: float32[3]}]"},
		{"[]any{1, \"a\", nil}", "[1 \"a\" <nil>]"},
		{"slices.Repeat([]*Tensor{Ones(2, 3)}, 102)", "… 2 more\n]"},
		{"[]*Tensor{}", "[]"},
		{"fmt.Sprint([]*Tensor{Ones(1), Ones(2)})", "\"[tensor([1.]) tensor([1., 1.])]\""},
	} {
		if got := strings.TrimSpace(cell(s, c.src)); got != c.want && !strings.HasSuffix(got, c.want) {
			t.Errorf("%s gives\n%s\nwant\n%s", c.src, got, c.want)
		}
	}
}

// TestValueUnderLabel: the last expression of a cell is shown also where a label stands before it.
func TestValueUnderLabel(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"x := 3\nfor { if x > 4 { goto done }; x++ }\ndone:\nx * 2", "10\n"},
		{"goto out\nout: Ones(2) + x", "tensor([6., 6.])\n"},
		{"goto both\nboth: x, Ones(2)", "5\ntensor([1., 1.])\n"},
		{"goto l2\nl1: l2: x, x+1", "label l1 declared and not used"},
		{"goto l2\nl2:\nl3:\n\tx, x+1\ngoto l3", "several expressions"},
		{"for { break }\ngoto l4\nl4: x + 1", "6\n"},
		{"for { goto l5 }\nl5: x++", ""},
		{"unused: x", "label unused declared and not used"},
	} {
		if got := cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.src, got, c.want)
		}
	}
}

// TestShownIsBounded: of a large value a cell shows the first elements, and calls the methods of these alone; it stays
// whole in Out.
func TestShownIsBounded(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "var calls int\ntype E struct{ n int }\nfunc (e E) String() string { calls++; return \"e\" }\nm := "+
		"map[int]E{}\nfor i := range 5000 { m[4999-i] = E{i} }")
	e := "[" + strings.Repeat("e ", 1000)
	for _, c := range []struct{ src, want string }{
		{"make([]E, 100000)", e + "… 99,000 more]"},
		{"calls", "1000"},
		{"len(_2)", "100000"},
		{"map[string][]E{\"k\": make([]E, 1001)}", "map[\"k\":" + e + "… 1 more]]"},
		{"calls", "2000"},
		{"[]any{make([]E, 2000), 1}", "[" + e + "… 1,000 more] 1]"},
		{"len(_5[\"k\"])", "1001"},
		{"calls = 0; m", "map[0:e 1:e 2:e"},
		{"calls", "1000"},
		{"text := strings.Repeat(\"x\", 3<<20); text[:1<<20]", "\"" + strings.Repeat("x", 1<<20) + "\""},
		{"text", "\"" + strings.Repeat("x", 1<<20) + "\" … 3,145,728 bytes in all"},
		{"panic(make([]int, 5000))", "Panic: panic: [0 0 0"},
	} {
		got := strings.TrimSpace(cell(s, c.src))
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s gives\n%.200s\nwant\n%.200s", c.src, got, c.want)
		}
	}
}

// TestShownIsInterrupted: what makes the text of a large map is stopped with the cell, and shows nothing.
func TestShownIsInterrupted(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "m := map[int]int{}\nfor i := range 100_000 { m[i] = i }\ntype Slow struct{}\nfunc (Slow) String() string "+
		"{ time.Sleep(time.Millisecond); return \"slow\" }")
	for _, src := range []string{"time.Sleep(time.Hour); m", "make([]Slow, 100_000)"} {
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Millisecond)
		vals, err := s.Eval(ctx, src, nil)
		stop()
		if e, ok := err.(*Error); !ok || e.Name != "Interrupted" || len(vals) > 0 {
			t.Errorf("%s: %d values, %v", src, len(vals), err)
		}
		if got := cell(s, "len(m)"); got != "100000\n" {
			t.Errorf("after it: %s", got)
		}
	}
}

// TestSchedulesAreDrawn: a schedule is shown as its curve, one that cannot be computed as the function that it is, and
// both stay what they are.
func TestSchedulesAreDrawn(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	v, err := s.Eval(t.Context(), "s := optim.Linear(1, 0, 50); s", Discard)
	if err != nil || len(v) != 1 {
		t.Fatal(v, err)
	}
	if _, html := v[0].Rich().All()["text/html"]; !html || !strings.Contains(v[0].Text, "learning rate") {
		t.Errorf("a schedule is shown as %q", v[0].Text)
	}
	if got := cell(s, "_(25)"); got != "0.5\n" {
		t.Errorf("the last value is %q at step 25", got)
	}
	got := cell(s, `optim.Schedule(func(i int) float64 { panic("no") })`)
	if !strings.Contains(got, "a function, to be called") {
		t.Errorf("a schedule that panics is shown as %q", got)
	}
}

// TestFreedCards: a tensor that Tidy freed has a card without elements.
func TestFreedCards(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "var y *Tensor; Tidy(func() { y = Ones(100, 100) })")
	for _, src := range []string{"y", "[]*Tensor{y, y}"} {
		vals, err := s.Eval(t.Context(), src, nil)
		if err != nil || len(vals) != 1 {
			t.Fatal(src, vals, err)
		}
		if html, _ := vals[0].Rich().All()["text/html"].(string); !strings.Contains(html, "freed") {
			t.Errorf("%s is shown as %.300s", src, html)
		}
	}
}

// TestCards: a notebook shows the tensors of a list as cards, each after its index; the text is that of the list.
func TestCards(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for src, want := range map[string]struct {
		cards int
		more  string
	}{
		"Arange(6).View(2, 3).Unbind()":              {2, "[1]"},
		"Ones(20, 3).Unbind()":                       {8, "… 12 more tensors, 20 in all"},
		"[]*Tensor{}":                                {0, ""},
		"[]*Tensor{nil}":                             {0, ""},
		"[]*Tensor{Zeros(2, device=Meta)}":           {1, "[0]"},
		"Zeros(0, 3).Chunk(2)":                       {1, "[0]"},
		"map[string]*Tensor{\"a\": Ones(2)}":         {0, ""},
		"[]*Tensor{Ones(2)}, Ones(3).Unbind()":       {1, "[0]"},
		"Rand(3, 224, 224).Unbind()":                 {3, "[2]"},
		"Svd(Eye(3))":                                {1, ""},
		"a, b := Ones(2), Zeros(3); []*Tensor{a, b}": {2, "[1]"},
	} {
		vals, err := s.Eval(t.Context(), src, nil)
		if err != nil || len(vals) == 0 {
			t.Fatal(src, err)
		}
		html, _ := vals[0].Rich().All()["text/html"].(string)
		n := strings.Count(html, "<summary")
		if label := `<div style="font-family:` + draw.Mono; want.cards > 1 && strings.Count(html, label) < want.cards {
			t.Errorf("%s: an index is not in the letters of the cards", src)
		}
		if n < want.cards || want.cards == 0 && html != "" || !strings.Contains(html, want.more) {
			t.Errorf("%s: %d in %.200s", src, n, html)
		}
		if strings.Contains(vals[0].Text, "<div") {
			t.Error(vals[0].Text)
		}
	}
}
