package interp

import (
	"context"
	"errors"
	_ "gotorch"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
	"time"
)

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
		{"select of channels", "a, b := make(chan int), make(chan int)\nselect { case <-a: case <-b: }", true,
			"Interrupted", nil},
		{"mutex", "var mu sync.Mutex\nmu.Lock()\nmu.Lock()", true, "Interrupted", nil},
		{"rwmutex", "var mu sync.RWMutex\nmu.Lock()\nmu.RLock()", true, "Interrupted", nil},
		{"waitgroup", "var wg sync.WaitGroup\nwg.Add(1)\nwg.Wait()", true, "Interrupted", nil},
		{"loop in a callback", "xs := []int{3, 2, 1}\nsort.Slice(xs, func(i, j int) bool { for {} })", true,
			"Interrupted", nil},
		{"closure", "func() { for {} }()", true, "Interrupted", nil},
		{"recursion", "func f(n int) int { return f(n + 1) }\nf(0)", false, "RecursionError", []string{"stack overflow"}},
		{"recursion of two", "func a1(n int) int { return b1(n) }\nfunc b1(n int) int { return a1(n + 1) }\na1(0)", false,
			"RecursionError", []string{"stack overflow"}},
		{"recursion of a closure", "var g func(int) int\ng = func(n int) int { return g(n) + 1 }\ng(0)", false,
			"RecursionError", nil},
		{"recursion of a method", "type R struct{}\nfunc (r R) String() string { return fmt.Sprint(r) }\nfmt.Sprint(R{})",
			false, "RecursionError", nil},
		{"panic", "func p() {\n\tpanic(\"boo\")\n}\nx := 1\n_ = x\np()", false, "Panic",
			[]string{"panic: boo", ":2 in p", `panic("boo")`}},
		{"panic of a goroutine", "go func() { panic(\"x\") }()", false, "Panic", []string{"panic: x", "goroutine"}},
		{"panic of a goroutine, later",
			"go func() { time.Sleep(10 * time.Millisecond); panic(\"late\") }()\ntime.Sleep(time.Minute)", false, "Panic",
			[]string{"late"}},
		{"os.Exit", "os.Exit(3)", false, "Exit", []string{"os.Exit(3)"}},
		{"os.Exit in a goroutine", "go func() { os.Exit(3) }()\ntime.Sleep(time.Minute)", false, "Exit",
			[]string{"os.Exit(3)"}},
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
		{"close twice", "c := make(chan int)\nclose(c)\nclose(c)", false, "RuntimeError",
			[]string{"close of closed channel"}},
		{"index", "xs := []int{1}\ni := 5\nxs[i]", false, "RuntimeError", []string{"index 5 is out of range", ":3"}},
		{"assertion", "var e any = 3\ne.(string)", false, "RuntimeError", []string{"interface {} is int, not string"}},
		{"half a cell that does not compile", "keep := 1\nnope()", false, "TypeError", []string{"undefined: nope"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var e *Error
			var r celltest.Recorder
			var late time.Duration
			for range celltest.Tries {
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
				t.Fatalf("no error; %s", r.Err.String())
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

// TestTrace: the line of a panic and the functions that it passed through.
func TestTrace(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "type Stack struct{ xs []int }\nfunc (s *Stack) Pop() int {\n\tx := s.xs[len(s.xs)-1]\n\ts.xs = "+
		"s.xs[:len(s.xs)-1]\n\treturn x\n}")
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

// TestPanicsOfEarlierCells: what an earlier cell left behind, closures of loops, displays that are drawn later, values
// that hold themselves, is an error where it fails, and the session lives on.
func TestPanicsOfEarlierCells(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	const setUp = `ring := map[string]any{}
ring["itself"] = ring
var loop []func()
for i := range 3 {
	loop = append(loop, func() { panic(i) })
}
var inner []func()
for range 2 {
	for i := range 3 {
		inner = append(inner, func() { func() { loop[i]() }() })
	}
}
handle := display.Show(display.Text("first"))
often := func(make func() any) {
	for range 3 {
		handle.UpdateSoon(make)
	}
}
calls := 0`
	if _, err := s.Eval(t.Context(), setUp, Discard); err != nil {
		t.Fatal(err)
	}
	const itself = "the value holds itself and cannot be written as text"
	for _, c := range []struct{ src, want string }{
		{"loop[1]()", "panic: 1"},
		{"inner[5]()", "panic: 2"},
		{"display.JSON(ring)", ""},
		{"display.Display(ring)", ""},
		{"handle.Update(ring)", ""},
		{"widgets.Output().Print(ring)", itself},
		{"log.Println(ring)", itself},
		{"log.New(os.Stderr, \"\", 0).Panicf(\"%v\", ring)", itself},
		{"template.Must(template.New(\"\").Parse(\"{{.}}\")).Execute(os.Stdout, ring)", itself},
		{"panic(ring)", `panic: map["itself":…]`},
		{"often(func() any { calls++; if calls > 1 { panic(\"drawn\") }; return 1 })", "panic: drawn"},
		{"often(func() any { handle.UpdateSoon(func() any { return 2 }); return 1 })", ""},
		{"calls", ""},
	} {
		_, err := s.Eval(t.Context(), c.src, Discard)
		var e *Error
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.src, err)
		case c.want != "" && (!errors.As(err, &e) || !strings.HasSuffix(e.Value, c.want)):
			t.Errorf("%s: %v, want %s", c.src, err, c.want)
		}
	}
}

// endings are more cells that would end or freeze a process of Go's; want is part of the message, "" where the cell
// just works.
var endings = []struct{ name, src, want string }{
	{"finalizer of no pointer", "runtime.SetFinalizer(3, func(x int) {})",
		"runtime.SetFinalizer: first argument is int, not pointer"},
	{"iterator that goes on", "for range func(y func() bool) { y(); y() } { break }",
		"range function continued iteration after function for loop body returned false"},
	{"iterator that never ends",
		"for i := range func(y func(int) bool) { for i := 0; ; i++ { y(i) } } { if i == 3 { break } }",
		"range function continued iteration after function for loop body returned false"},
	{"yield after the loop",
		"var y func() bool\nfor range func(yield func() bool) { y = yield; yield() } { continue }\ny()",
		"range function continued iteration after whole loop exit"},
	{"iterator that recovers", "for range func(y func() bool) { defer func() { recover() }(); y() } { panic(1) }",
		"range function recovered a loop body panic and did not resume panicking"},
	{"yield after a panic",
		"for range func(y func() bool) { func() { defer func() { recover() }(); y() }(); y() } { panic(1) }",
		"range function continued iteration after loop body panic"},
	{"yield after a return", "func() { for range func(y func() bool) { y(); y() } { return } }()",
		"range function continued iteration after function for loop body returned false"},
	{"breakpoint", "runtime.Breakpoint()", "runtime.Breakpoint cannot be used"},
	{"limit of threads", "debug.SetMaxThreads(1)", "debug.SetMaxThreads cannot be used"},
	{"limit of the stack", "debug.SetMaxStack(1)", ""},
	{"limit of memory", "debug.SetMemoryLimit(1)", ""},
	{"heap dump", "debug.WriteHeapDump(1)", "debug.WriteHeapDump cannot be used"},
	{"locked thread", "go func() { runtime.LockOSThread() }()", ""},
	{"no input", "os.Stdin.Close()\nos.Stdin = nil", ""},
	{"no output", "os.Stdout.Close()\nfmt.Println(1)\nos.Stdout = nil\nos.Stderr = nil\nfmt.Println(1)", ""},
	{"descriptor of the session", "os.NewFile(3, \"x\").Close()", "os.NewFile cannot be used"},
	{"its own process", "p, err := os.FindProcess(os.Getpid())\nif err != nil { panic(err) }", "the session's own"},
	{"wait without the lock", "var mu sync.Mutex\nsync.NewCond(&mu).Wait()", "unlock of unlocked mutex"},
	{"atomic value", "var v atomic.Value\nv.Store(1)\nv.Store(\"x\")", "inconsistently typed"},
	{"array", "var a [1 << 40]byte", "an array of 1 TiB"},
	{"array of arrays", "var a [1 << 20][1 << 20]int", "an array of 8 TiB"},
	{"array behind new", "p := new([1 << 36]int)", "an array of 512 GiB"},
	{"far index", "a := []int{1 << 33: 1}", "a list of 64 GiB"},
	{"channel", "make(chan int, 1<<35)", "256 GiB"},
	{"map", "make(map[int]int, 1<<40)", "32 TiB"},
	{"more than is left", "n := 40 << 30\nmake([]byte, n)", "40 GiB"},
	{"bytes.Repeat", "bytes.Repeat([]byte(\"x\"), 1<<40)", "1 TiB"},
	{"reflect.MakeSlice", "reflect.MakeSlice(reflect.TypeOf([]int{}), 1<<40, 1<<40)", "8 TiB"},
	{"reflect.MakeChan", "reflect.MakeChan(reflect.TypeOf(make(chan int)), 1<<40)", "8 TiB"},
	{"reflect.ArrayOf", "reflect.New(reflect.ArrayOf(1<<40, reflect.TypeOf(1)))", "8 TiB"},
	{"reflect.Call", "reflect.ValueOf(strings.ToUpper).Call([]reflect.Value{reflect.ValueOf(3)})",
		"Call using int as type string"},
	{"large shift", "new(big.Int).Lsh(big.NewInt(3), 1<<50)", "Int.Lsh would make a number of 128 TiB"},
	{"large power", "new(big.Int).Exp(big.NewInt(3), big.NewInt(1e12), nil)", "Int.Exp would make a number of 116.4 GiB"},
	{"power to a modulus", "new(big.Int).Exp(big.NewInt(3), big.NewInt(1e12), big.NewInt(7)).String()", ""},
	{"map in itself", "m := map[string]any{}\nm[\"m\"] = m\nfmt.Println(m)", "the value holds itself"},
	{"list in itself", "s := []any{nil}\ns[0] = s\nfmt.Sprintf(\"%v\", s)", "the value holds itself"},
	{"list in itself, shown", "s := []any{nil}\ns[0] = s\ns", ""},
	{"list of a declared type in itself", "type L []any\nl := L{nil}\nl[0] = l\nfmt.Println(l)",
		"the value holds itself"},
	{"list in itself as JSON", "s := []any{nil}\ns[0] = s\n_, err := json.Marshal(s)\nerr != nil", ""},
	{"the same list twice", "a := []any{1}\nfmt.Sprint([]any{a, a})", ""},
	{"recursion of a goroutine", "func f(n int) int { return f(n+1) }\ngo f(0)\ntime.Sleep(time.Minute)",
		"stack overflow"},
	{"recursion of a comparison", "var g func(i, j int) bool\ng = func(i, j int) bool { sort.Slice([]int{3, 2, 1}, g); " +
		"return true }\nsort.Slice([]int{3, 2, 1}, g)", "stack overflow"},
	{"recursion of a deferred call", "func f() { defer func() { f() }() }\nf()", "stack overflow"},
	{"panic in a panic", "func f() { defer func() { panic(\"second\") }(); panic(\"first\") }\nf()", "panic: second"},
	{"panic in Error", "type S struct{}\nfunc (s S) Error() string { panic(\"str\") }\npanic(S{})",
		"its text cannot be had: str"},
	{"panic in a timer", "time.AfterFunc(time.Millisecond, func() { panic(\"timer\") })\ntime.Sleep(time.Minute)",
		"panic: timer (in a goroutine)"},
	{"panic after a context", "ctx, cancel := context.WithCancel(context.Background())\ncontext.AfterFunc(ctx, func() " +
		"{ panic(\"ctx\") })\ncancel()\ntime.Sleep(time.Minute)", "panic: ctx (in a goroutine)"},
	{"panic in a sort", "slices.SortFunc([]int{3, 2, 1}, func(a, b int) int { panic(\"cmp\") })", "panic: cmp"},
	{"panic in strings.Map", "strings.Map(func(r rune) rune { panic(\"in map\") }, \"abc\")", "panic: in map"},
	{"panic in a hook", "x := Ones(3).RequiresGrad_()\ny := x * 2\ny.RegisterHook(func(g *Tensor) *Tensor { " +
		"panic(\"hook\") })\ny.Sum().Backward()", "panic: hook"},
	{"panic in a widget", "widgets.Interact(func(n int) any { panic(\"in interact\") }, widgets.Between(1, 3))",
		"panic: in interact"},
	{"exit in a sort", "sort.Slice([]int{3, 2, 1}, func(i, j int) bool { os.Exit(3); return true })", "os.Exit(3)"},
	{"exit in a timer", "time.AfterFunc(time.Millisecond, func() { os.Exit(3) })\ntime.Sleep(time.Minute)", "os.Exit(3)"},
	{"exit in a deferred call", "func f() { defer os.Exit(4); panic(\"x\") }\nf()", "os.Exit(4)"},
	{"Goexit in a sort", "sort.Slice([]int{3, 2, 1}, func(i, j int) bool { runtime.Goexit(); return true })", "Goexit"},
	{"a logger's Fatal", "log.New(os.Stderr, \"\", 0).Fatal(\"so\")", "log.Fatal"},
	{"the usual logger's Fatal", "log.Default().Fatalf(\"%d\", 1)", "log.Fatal"},
	{"a logger without output", "log.SetOutput(io.Discard)\nlog.Println(1)\nlog.SetOutput(os.Stderr)", ""},
	{"endless template", "t := template.Must(template.New(\"x\").Parse(`{{define \"a\"}}{{template \"a\" " +
		".}}{{end}}{{template \"a\" .}}`))\nt.Execute(io.Discard, 1) != nil", ""},
	{"a width", "fmt.Sprintf(\"%*d\", 1<<40, 1)", ""},
	{"tensor sizes that overflow", "Zeros(1<<32, 1<<32, 1<<32)", "more bytes than can be counted"},
	{"Arange", "Arange(1e15)", "more than memory holds"},
	{"Eye", "Eye(1 << 25)", "memory budget"},
	{"Expand", "Ones(1).Expand(1 << 45).Contiguous()", "memory budget"},
	{"Repeat", "Ones(3).Repeat(1 << 40)", "memory budget"},
	{"Conv2d", "Conv2d(Ones(1, 1, 4, 4), Ones(1, 1, 3, 3), padding=1<<30)", "more bytes than can be counted"},
	{"Pad", "Pad(Ones(3), []int{1 << 40, 1 << 40})", "memory budget"},
	{"AsStrided", "Ones(3).AsStrided([]int{2}, []int{-1 << 62})", "as_strided"},
	{"an index list", "Ones(3)[[100000, 2]]", "out of bounds"},
	{"RepeatInterleave", "Ones(3).RepeatInterleave(1 << 45)", "repeat_interleave"},
	{"Combinations", "Combinations(Arange(100000), r=4)", "combinations"},
}

// TestEndings: none of them ends the process or the session, each says what was wrong, and shows nothing of the host.
func TestEndings(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "keep := 41")
	for _, c := range endings {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			var r celltest.Recorder
			_, err := s.Eval(ctx, c.src, &r)
			text := ""
			if err != nil {
				text = err.(*Error).Text()
			}
			if c.want == "" && err != nil || !strings.Contains(text, c.want) {
				t.Errorf("want %q:\n%s", c.want, text)
			}
			for _, host := range []string{"yaegi", "goroutine 1", ".go:", "InternalError"} {
				if strings.Contains(text, host) {
					t.Errorf("the message shows %q:\n%s", host, text)
				}
			}
			if got := cell(s, "keep + 1"); got != "42\n" {
				t.Fatalf("the session did not keep its values: %q", got)
			}
		})
	}
}
