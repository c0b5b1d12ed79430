package interp

import (
	"context"
	"strings"
	"testing"
	"time"
)

// tries is how often a test looks before it says that something is slow: a busy machine is late now and then, what is
// slow is so always.
const tries = 5

// TestNothingEndsTheProcess is the table of that name: each cell gets an error
// that says so, soon, and the session goes on with its values.
func TestNothingEndsTheProcess(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "keep := 41")
	for _, c := range []struct {
		name, src string
		interrupt bool // after 50 ms
		kind      string
		want      []string
	}{
		{"endless loop", "for {}", true, "Interrupted", nil},
		{"endless loop with work", "n := 0\nfor { n++ }", true, "Interrupted", nil},
		{"sleep", "time.Sleep(time.Hour)", true, "Interrupted", nil},
		{"receive", "c := make(chan int)\n<-c", true, "Interrupted", nil},
		{"send", "c := make(chan int)\nc <- 1", true, "Interrupted", nil},
		{"select", "select {}", true, "Interrupted", nil},
		{"select of channels", "a, b := make(chan int), make(chan int)\nselect { case <-a: case <-b: }", true, "Interrupted", nil},
		{"mutex", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()", true, "Interrupted", nil},
		{"rwmutex", "var mu sync.RWMutex\nmu.Lock()\nmu.RLock()", true, "Interrupted", nil},
		{"waitgroup", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()", true, "Interrupted", nil},
		{"loop in a callback", "xs := []int{3, 2, 1}\nsort.Slice(xs, func(i, j int) bool { for {} })", true, "Interrupted", nil},
		{"closure", "func() { for {} }()", true, "Interrupted", nil},
		{"recursion", "func f(n int) int { return f(n + 1) }\nf(0)", false, "RecursionError", []string{"stack overflow"}},
		{"recursion of two", "func a1(n int) int { return b1(n) }\nfunc b1(n int) int { return a1(n + 1) }\na1(0)", false, "RecursionError", []string{"stack overflow"}},
		{"recursion of a closure", "var g func(int) int\ng = func(n int) int { return g(n) + 1 }\ng(0)", false, "RecursionError", nil},
		{"recursion of a method", "type R struct{}\nfunc (r R) String() string { return fmt.Sprint(r) }\nfmt.Sprint(R{})", false, "RecursionError", nil},
		{"panic", "func p() {\n\tpanic(\"boo\")\n}\nx := 1\n_ = x\np()", false, "Panic", []string{"panic: boo", ":2 in p", `panic("boo")`}},
		{"panic of a goroutine", "go func() { panic(\"x\") }()", false, "Panic", []string{"panic: x", "goroutine"}},
		{"panic of a goroutine, later", "go func() { time.Sleep(10 * time.Millisecond); panic(\"late\") }()\ntime.Sleep(time.Minute)", false, "Panic", []string{"late"}},
		{"os.Exit", "os.Exit(3)", false, "Exit", []string{"os.Exit(3)"}},
		{"os.Exit in a goroutine", "go func() { os.Exit(3) }()\ntime.Sleep(time.Minute)", false, "Exit", []string{"os.Exit(3)"}},
		{"log.Fatal", "log.Fatal(\"so\")", false, "Exit", []string{"log.Fatal"}},
		{"Goexit", "runtime.Goexit()", false, "Exit", []string{"Goexit"}},
		{"memory", "make([]byte, 1<<40)", false, "RuntimeError", []string{"1 TiB"}},
		{"memory of a variable size", "n := 1 << 50\nmake([]int64, n)", false, "RuntimeError", []string{"8 PiB"}},
		{"negative size", "n := -1\nmake([]int, n)", false, "RuntimeError", []string{"len out of range"}},
		{"tensor's memory", "Zeros(1<<20, 1<<20)", false, "TensorError", []string{"4398046511104", "memory budget"}},
		{"nil map", "var m map[string]int\nm[\"a\"] = 1", false, "RuntimeError", []string{"nil map", ":2"}},
		{"nil pointer", "type N struct{ a int }\nvar n *N\nn.a", false, "RuntimeError", []string{"nil pointer"}},
		{"nil function", "var h func()\nh()", false, "RuntimeError", []string{"nil pointer"}},
		{"unlock", "var mu2 sync.Mutex\nmu2.Unlock()", false, "Panic", []string{"unlock of unlocked mutex"}},
		{"unlock of a rwmutex", "var mu3 sync.RWMutex\nmu3.RUnlock()", false, "Panic", []string{"RUnlock of unlocked"}},
		{"negative waitgroup", "var wg2 sync.WaitGroup\nwg2.Done()", false, "Panic", []string{"negative WaitGroup counter"}},
		{"close twice", "c := make(chan int)\nclose(c)\nclose(c)", false, "RuntimeError", []string{"close of closed channel"}},
		{"index", "xs := []int{1}\ni := 5\nxs[i]", false, "RuntimeError", []string{"index 5 is out of range", ":3"}},
		{"assertion", "var e any = 3\ne.(string)", false, "RuntimeError", []string{"interface {} is int, not string"}},
		{"half a cell that does not compile", "keep := 1\nnope()", false, "TypeError", []string{"undefined: nope"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e *Error
			var r recorder
			var late time.Duration
			for range tries {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				var at time.Time
				if c.interrupt {
					time.AfterFunc(50*time.Millisecond, func() { at = time.Now(); cancel() })
				}
				_, err := s.Eval(ctx, c.src, &r)
				if c.interrupt {
					late = time.Since(at)
				} else if ctx.Err() != nil {
					t.Errorf("did not end by itself")
				}
				cancel()
				if e, _ = err.(*Error); e != nil && late <= 500*time.Millisecond {
					break
				}
			}
			if e == nil {
				t.Fatalf("no error; %s", r.err.String())
			}
			if late > 500*time.Millisecond {
				t.Errorf("stopped %v after the interrupt", late)
			}
			if e.Name != c.kind {
				t.Errorf("%s, want %s: %s", e.Name, c.kind, e.Text())
			}
			for _, w := range c.want {
				if !strings.Contains(e.Text(), w) {
					t.Errorf("the message lacks %q:\n%s", w, e.Text())
				}
			}
			for _, host := range []string{"yaegi", "reflect.Value", "goroutine 1", ".go:"} {
				if strings.Contains(e.Text(), host) {
					t.Errorf("the message shows %q:\n%s", host, e.Text())
				}
			}
			if got := cell(s, "keep + 1"); got != "42\n" {
				t.Fatalf("the session did not keep its values: %q", got)
			}
		})
	}
}

// TestClosuresOutliveAnInterrupt: closures that earlier cells made still work
// after one (yaegi's own way of stopping would leave them dead).
func TestClosuresOutliveAnInterrupt(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "count := func() func() int { n := 0; return func() int { n++; return n } }()\nch := make(chan int, 1)\nsend := func(x int) { ch <- x }")
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Millisecond)
	defer cancel()
	s.Eval(ctx, "for {}", nil)
	if got := cell(s, "count()\ncount()"); got != "2\n" {
		t.Errorf("a closure made before the interrupt gives %q", got)
	}
	if got := cell(s, "send(7)\n<-ch"); got != "7\n" {
		t.Errorf("a closure's channel gives %q", got)
	}
}

// TestTrace: the line of a panic and the functions that it passed through.
func TestTrace(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "type Stack struct{ xs []int }\nfunc (s *Stack) Pop() int {\n\tx := s.xs[len(s.xs)-1]\n\ts.xs = s.xs[:len(s.xs)-1]\n\treturn x\n}")
	cell(s, "func twice(s *Stack) int {\n\ts.Pop()\n\treturn s.Pop()\n}")
	_, err := s.Eval(context.Background(), "st := &Stack{[]int{1}}\n\ntwice(st)", nil)
	e, ok := err.(*Error)
	if !ok {
		t.Fatal("no error")
	}
	if e.Cell != "In[1]" || e.Line != 3 || strings.TrimSpace(e.Source) != "x := s.xs[len(s.xs)-1]" {
		t.Errorf("at %s:%d %q", e.Cell, e.Line, e.Source)
	}
	var names []string
	for _, f := range e.Frames {
		names = append(names, f.Func)
	}
	if got := strings.Join(names, " "); got != "(*Stack).Pop twice " {
		t.Errorf("frames %q", got)
	}
}
