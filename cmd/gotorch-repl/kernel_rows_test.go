package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"gotorch/internal/jupyterclient"
)

// row is a cell that would end or freeze a process of Go's: what the kernel must answer, and a part of the message.
type row struct{ name, src, ename, want string }

// badRows end by themselves, with an error.
var badRows = []row{
	{"recursion", "func f(n int) int { return f(n + 1) }\nf(0)", "RecursionError", "stack overflow"},
	{"recursion of a method", "type R struct{}\nfunc (r R) String() string { return fmt.Sprint(r) }\nR{}",
		"RecursionError", "stack overflow"},
	{"panic", "func p() {\n\tpanic(\"boo\")\n}\np()", "Panic", "boo"},
	{"panic of a goroutine", "go func() { panic(\"x\") }()\ntime.Sleep(time.Minute)", "Panic", "in a goroutine"},
	{"panic of a timer", "time.AfterFunc(time.Millisecond, func() { panic(\"late\") })\ntime.Sleep(time.Minute)",
		"Panic", "late"},
	{"os.Exit", "os.Exit(3)", "Exit", "os.Exit(3)"},
	{"os.Exit in a goroutine", "go os.Exit(4)\ntime.Sleep(time.Minute)", "Exit", "os.Exit(4)"},
	{"log.Fatal", "log.Fatal(\"so\")", "Exit", "log.Fatal"},
	{"a logger's Fatal", "log.New(os.Stderr, \"\", 0).Fatal(\"so\")", "Exit", "log.Fatal"},
	{"Goexit", "runtime.Goexit()", "Exit", "Goexit"},
	{"memory", "make([]byte, 1<<40)", "RuntimeError", "1 TiB"},
	{"memory of a variable size", "n := 1 << 50\nmake([]int64, n)", "RuntimeError", "8 PiB"},
	{"memory of an array", "var a [1 << 40]byte", "", "1 TiB"},
	{"memory of a channel", "make(chan int, 1<<35)", "", "256 GiB"},
	{"memory of a map", "make(map[int]int, 1<<40)", "", "32 TiB"},
	{"memory of a tensor", "Zeros(1<<20, 1<<20)", "TensorError", "memory budget"},
	{"nil map", "var m map[string]int\nm[\"a\"] = 1", "RuntimeError", "nil map"},
	{"nil pointer", "type N struct{ a int }\nvar n *N\nn.a", "RuntimeError", "nil pointer"},
	{"close twice", "c := make(chan int)\nclose(c)\nclose(c)", "RuntimeError", "close of closed channel"},
	{"send after close", "c := make(chan int, 1)\nclose(c)\nc <- 1", "RuntimeError", "send on closed channel"},
	{"unlock", "var mu sync.Mutex\nmu.Unlock()", "Panic", "unlock of unlocked mutex"},
	{"unlock of a rwmutex", "var rw sync.RWMutex\nrw.RUnlock()", "Panic", "RUnlock of unlocked"},
	{"negative waitgroup", "var wg sync.WaitGroup\nwg.Done()", "Panic", "negative WaitGroup counter"},
	{"finalizer of no pointer", "runtime.SetFinalizer(3, func(x int) {})", "", "first argument is int, not pointer"},
	{"index", "xs := []int{1}\ni := 5\nxs[i]", "RuntimeError", "is out of range"},
	{"list in itself", "s := []any{nil}\ns[0] = s\nfmt.Sprint(s)", "", "the value holds itself"},
	{"its own process", "p, err := os.FindProcess(os.Getpid())\nif err != nil { panic(err) }\np.Kill()", "",
		"the session's own"},
	{"half a cell that does not compile", "keep[0] = 7\nnope()", "TypeError", "undefined: nope"},
}

// endlessRows end when the front end says so. What stands before "begun" is made first.
var endlessRows = []row{
	{name: "loop", src: "fmt.Println(\"begun\")\nfor {}"},
	{name: "loop with work", src: "n := 0\nfmt.Println(\"begun\")\nfor { n++ }"},
	{name: "sleep", src: "fmt.Println(\"begun\")\ntime.Sleep(time.Hour)"},
	{name: "receive", src: "c := make(chan int)\nfmt.Println(\"begun\")\n<-c"},
	{name: "send", src: "c := make(chan int)\nfmt.Println(\"begun\")\nc <- 1"},
	{name: "select", src: "fmt.Println(\"begun\")\nselect {}"},
	{name: "mutex", src: "var mu sync.Mutex\nmu.Lock()\nfmt.Println(\"begun\")\nmu.Lock()"},
	{name: "rwmutex", src: "var rw sync.RWMutex\nrw.Lock()\nfmt.Println(\"begun\")\nrw.RLock()"},
	{name: "waitgroup", src: "var wg sync.WaitGroup\nwg.Add(1)\nfmt.Println(\"begun\")\nwg.Wait()"},
	{name: "goroutines", src: "for range 10 { go func() { for {} }() }\nfmt.Println(\"begun\")\nselect {}"},
	{name: "loop in a sort", src: "fmt.Println(\"begun\")\nsort.Slice([]int{3, 2, 1}, func(i, j int) bool { for {} })"},
	{name: "flood", src: "fmt.Println(\"begun\")\nfor { fmt.Println(\"a line of some length, again and again\") }"},
	{name: "flood of errors", src: "fmt.Println(\"begun\")\nfor { fmt.Fprintln(os.Stderr, \"a line of some length\") }"},
	{name: "product", src: "a := Ones(4096, 4096)\nfmt.Println(\"begun\")\na @ a @ a @ a"},
}

// lives checks that the session has its value, in the process that it began in.
func (f front) lives(pid string) {
	f.t.Helper()
	if got, want := f.runs("fmt.Println(os.Getpid(), keep)").Text("stdout"), pid+" tensor([0, 1, 2])\n"; got != want {
		f.t.Fatalf("the session says %q, want %q", got, want)
	}
}

// fails checks an error reply: its kind, its message, and that neither shows anything of the host.
func (f front) fails(ran *jupyterclient.Ran, r row) {
	f.t.Helper()
	if ran.Reply == nil || ran.Reply.Status() != "error" {
		f.t.Fatalf("the reply: %v", ran.Reply)
	}
	shown := ran.Of("error")
	if len(shown) != 1 {
		f.t.Fatalf("%d errors on IOPub: %v", len(shown), ran.Types())
	}
	c := ran.Reply.Content
	if r.ename != "" && c["ename"] != r.ename || !strings.Contains(fmt.Sprint(c["evalue"]), r.want) {
		f.t.Errorf("%v: %v\nwant %s: %s", c["ename"], c["evalue"], r.ename, r.want)
	}
	for _, m := range []*jupyterclient.Message{ran.Reply, shown[0]} {
		for _, host := range []string{"yaegi", "goroutine 1", ".go:", "InternalError"} {
			if strings.Contains(fmt.Sprint(m.Content), host) {
				f.t.Errorf("the %s shows %q:\n%v", m.Type(), host, m.Content)
			}
		}
	}
}

// TestNothingEndsTheKernel is the table of that name through one kernel, as Jupyter would use it: each bad cell is an
// error, each endless one ends at an interrupt, and the process and its values stay.
func TestNothingEndsTheKernel(t *testing.T) {
	f := front{startKernel(t), t}
	pid := strings.TrimSpace(f.runs("keep := Arange(3)\nfmt.Println(os.Getpid())").Text("stdout"))
	for _, r := range badRows {
		t.Run(r.name, func(t *testing.T) {
			f := front{f.Client, t}
			f.fails(f.Execute(r.src, wait, nil), r)
			f.lives(pid)
		})
	}
	var all []time.Duration
	for _, r := range endlessRows {
		t.Run(r.name, func(t *testing.T) {
			f := front{f.Client, t}
			ran, answered := f.interrupted(r.src)
			r.ename = "Interrupted"
			f.fails(ran, r)
			f.lives(pid)
			all = append(all, ran.Took)
			t.Logf("the interrupt answered after %v, the cell ended after %v", answered.Round(time.Millisecond/10),
				ran.Took.Round(time.Millisecond/10))
			// 1 to 40 ms where nothing else runs; busy goroutines have their turns of 10 ms each before a message is read
			if ran.Took > 5*time.Second {
				t.Errorf("ended %v after the interrupt", ran.Took)
			}
		})
	}
	slices.Sort(all)
	if len(all) == len(endlessRows) && all[len(all)/2] > 500*time.Millisecond {
		t.Errorf("half of the cells took more than %v to end", all[len(all)/2])
	}
	t.Run("flood that ends", func(t *testing.T) {
		f := front{f.Client, t}
		ran := f.runs("for i := range 200_000 { fmt.Println(\"line\", i) }")
		if text := ran.Text("stdout"); !strings.HasPrefix(text, "line 0\nline 1\n") || len(ran.Of("stream")) > 10_000 {
			t.Errorf("%d messages, %d bytes: %.40q", len(ran.Of("stream")), len(text), text)
		}
		f.lives(pid)
	})
}

// TestSafeKernel: a kernel with --safe, which the system restricts before its first cell, runs cells, takes interrupts
// and keeps its history, and rejects what it must.
func TestSafeKernel(t *testing.T) {
	f := front{startKernel(t, "--safe"), t}
	pid := strings.TrimSpace(f.runs("keep := Arange(3)\nfmt.Println(os.Getpid())").Text("stdout"))
	f.fails(f.Execute("os.WriteFile(\"x\", nil, 0o666)", wait, nil), row{want: "refused in the restricted mode"})
	f.fails(f.Execute("!touch x", wait, nil), row{want: "refused in the restricted mode"})
	f.runs("for range 64 { go func() { time.Sleep(time.Millisecond) }() }\n(Randn(256, 256) @ Randn(256, 256)).Sum()")
	ran, _ := f.interrupted("fmt.Println(\"begun\")\nfor {}")
	f.fails(ran, row{ename: "Interrupted"})
	f.lives(pid)
	c := f.Request(f.Shell, "history_request", map[string]any{"hist_access_type": "tail", "n": 3}, wait)
	if c == nil || !strings.Contains(fmt.Sprint(c.Content), "Randn(256") {
		t.Errorf("the history is %v", c)
	}
}

// interrupted runs a cell, interrupts it when it has begun, and gives what came of it: how long the kernel took to
// answer the interrupt, and, as ran.Took, how long after it the cell had ended.
func (f front) interrupted(src string) (ran *jupyterclient.Ran, answered time.Duration) {
	f.t.Helper()
	id := f.begins(src)
	time.Sleep(50 * time.Millisecond) // into what it blocks on
	start := time.Now()
	m := f.Request(f.Control, "interrupt_request", map[string]any{}, wait)
	answered = time.Since(start)
	if m == nil || m.Type() != "interrupt_reply" || m.Status() != "ok" {
		f.t.Fatalf("the reply to the interrupt: %v", m)
	}
	return f.Collect(id, start, wait), answered
}
