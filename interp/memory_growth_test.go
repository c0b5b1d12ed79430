package interp

import (
	"context"
	"flag"
	"fmt"
	"gotorch/interp/internal/celltest"
	"runtime"
	"strings"
	"testing"
)

// growths are kinds of cells and how many bytes one may leave behind. NN stands for the cell's number.
var growths = []struct {
	name, first, src string
	limit            int
	fails            bool
}{
	{"expression", "", "NN + 1", 1500, false},
	{"variable defined again", "", "x := NN", 1500, false},
	{"new variable", "", "xNN := 1", 8000, false},
	{"variable with another type", "", "type TNN struct{ a int }\nv := TNN{1}", 8000, false},
	{"constant", "", "const K = NN", 1500, false},
	{"function defined again", "", "func g(a int) int { return a * NN }", 1500, false},
	{"function defined again and called", "", "func g(a int) int { return a * NN }\ng(2)", 1500, false},
	{"longer function defined again", "", `func g(xs []int) (n int) {
		for i, x := range xs {
			if x > NN {
				n += x * i
			} else {
				n -= x
			}
		}
		defer func() { n++ }()
		return n
	}`, 2000, false},
	{"new function", "", "func fNN(a int) int { return a + 1 }", 8000, false},
	{"function with another signature", "", "func h(a [NN]int) int { return len(a) }", 8000, false},
	{"function that uses a variable of another type each time", "",
		"type UNN struct{ a int }\nu := UNN{NN}\nfunc useU() int { return u.a }\nuseU()", 8000, false},
	{"type defined again", "", "type P struct{ a, b int }\np := P{NN, 2}\np", 8000, false},
	{"type and methods defined again", "", "type P struct{ a, b int }\nfunc (p P) Sum() int { return p.a + p.b }\nfunc " +
		"(p *P) Set(a int) { p.a = a + NN }\np := &P{1, 2}\np.Set(3)\np.Sum()", 8000, false},
	{"method defined again", "type Q struct{ a int }", "func (q Q) M() int { return NN }", 8000, false},
	{"variable of a cell's type", "type Q struct{ a int }", "q := Q{NN}", 1500, false},
	{"new type", "", "type SNN struct{ a int }", 8000, false},
	{"closure", "", "c := func(a int) int { return a + NN }\nc(1)", 1500, false},
	{"closures in a list", "var cs []func() int", "cs = append(cs, func() int { return NN })", 8000, false},
	{"generic function defined again", "", "func id[T any](x T) T { return x }\nid(NN)", 8000, false},
	{"generic compiled function", "", "xs := []int{1, 2, NN}\nslices.Sort(xs)\nxs", 1500, false},
	{"goroutine", "", "ch := make(chan int); go func() { ch <- NN }(); <-ch", 2500, false},
	{"function beside a goroutine that goes on", "go func() { for { time.Sleep(time.Millisecond) } }()",
		"func g(a int) int { return a * NN }\ng(1)", 2500, false},
	{"import", "", "import str \"strings\"\nstr.Repeat(\"a\", NN % 5)", 1500, false},
	{"print", "", "fmt.Println(NN)", 1500, false},
	{"tensor", "", "y := Ones(10) * NN\ny.Sum()", 2500, false},
	{"tensor syntax", "", "m := Ones(4, 4); (m[1:3, :] @ m + NN).Sum()", 2500, false},
	{"gradient", "", "w := Ones(5).RequiresGrad_()\n(w * NN).Sum().Backward()", 2500, false},
	{"cell that does not check", "", "nope(NN)", 1500, true},
	{"cell that cannot be read", "", "x := NN +", 1500, true},
	{"panic", "", "panic(NN)", 1500, true},
	{"panic in a function", "", "func boom(a int) { panic(a) }\nboom(NN)", 2000, true},
	{"tensor error", "", "Ones(2, 3) @ Ones(NN + 4, 2)", 2500, true},
	{"last value", "1", "_ + NN*0", 2500, false},
	{"Out", "1", "Out[1]", 2500, false},
	{"magics", "z := Ones(3, 3)", "%strides z\n%who", 2500, false},
	{"dry run", "z := Ones(3, 3)", "%shapes z.Sum()", 8000, false},
}

var long = flag.Bool("long", false, "take thousands of cells where tests take hundreds")

// TestCellsGrowLittle: whatever cells are, each costs the session less than 8 KB, and those that define again what is
// there hardly more than their text. With -long it is exact.
func TestCellsGrowLittle(t *testing.T) {
	if !celltest.Apart(t) {
		return
	}
	cells, warm, leap := 2_000, 300, 0
	if !*long {
		cells, warm, leap = 200, 100, 2000 // tables grow by leaps
	}
	for _, k := range growths {
		t.Run(k.name, func(t *testing.T) {
			if !concurrent(k.first + k.src) {
				celltest.Single(t)
			}
			s := New(Options{Keep: 10})
			defer s.Close()
			s.Eval(t.Context(), k.first, Discard)
			run := func(from, to int) {
				for i := from; i < to; i++ {
					if _, err := s.Eval(t.Context(), strings.ReplaceAll(k.src, "NN", fmt.Sprint(i)), Discard); (err != nil) != k.fails {
						t.Fatal(err)
					}
				}
			}
			run(0, warm)
			before := settledHeap(s)
			run(warm, warm+cells)
			grown := (settledHeap(s) - before) / cells
			t.Logf("%d bytes a cell", grown)
			if grown > k.limit+leap {
				t.Errorf("a cell costs %d bytes, not %d at most", grown, k.limit+leap)
			}
			runtime.KeepAlive(s)
			if s.Goroutines() > 0 {
				s.eng.StopGoroutines()
			}
		})
	}
}

// settledHeap is what is in use when the session has forgotten what it can: names are found to be dead by one
// collection and forgotten with the next run.
func settledHeap(s *Session) int {
	heap()
	s.Eval(context.Background(), "0", Discard)
	heap()
	s.Eval(context.Background(), "0", Discard)
	return heap()
}

// TestAskingGrowsNothing: completion, help and signatures while one types.
func TestAskingGrowsNothing(t *testing.T) {
	celltest.Single(t)
	if !celltest.Apart(t) {
		return
	}
	s := New(Options{Keep: 10})
	defer s.Close()
	cell(s, "x := Ones(3, 4)\nfunc area(w, h float64) float64 { return w * h }")
	ask := func(from, to int) {
		for i := from; i < to; i++ {
			src := fmt.Sprintf("x.Sum(%d).", i)
			s.Complete(src, len(src))
			s.Inspect(fmt.Sprintf("x%d := x.Sum()", i), 8, i%2 == 0)
			src = fmt.Sprintf("area(%d, ", i)
			s.Signature(src, len(src))
			s.IsComplete(src)
		}
	}
	ask(0, 300)
	before := heap()
	ask(300, 1300)
	if grown := (heap() - before) / 1000; grown > 100 {
		t.Errorf("asking costs %d bytes", grown)
	}
	runtime.KeepAlive(s)
}

// TestInKeepsSoMuch: the texts of the oldest cells are let go when there are too many, and a text that is typed again
// is kept once.
func TestInKeepsSoMuch(t *testing.T) {
	s := New(Options{Texts: 10_000})
	defer s.Close()
	for i := range 100 {
		cell(s, fmt.Sprintf("x := %d // %s", i, strings.Repeat(".", 1000)))
	}
	if got := cell(s, "len(In)"); got != "9\n" {
		t.Errorf("In has %s cells", got)
	}
	if got := cell(s, "_, there := In[3]; there"); got != "false\n" {
		t.Error("In has a cell that is long ago")
	}
	if got := cell(s, "strings.Contains(In[100], \"x := 99\")"); got != "true\n" {
		t.Error("In has lost a cell")
	}
	long := "y := 1 // " + strings.Repeat(".", 5000)
	for range 20 {
		cell(s, long)
	}
	if got := cell(s, "len(In) > 20"); got != "true\n" {
		t.Errorf("a text that is typed again pushes out others")
	}
}
