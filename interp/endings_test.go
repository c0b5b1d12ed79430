package interp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "gotorch"
)

// endings are more cells that would end or freeze a process of Go's; want is part of the message, "" where the cell
// just works.
var endings = []struct{ name, src, want string }{
	{"finalizer of no pointer", "runtime.SetFinalizer(3, func(x int) {})", "runtime.SetFinalizer cannot be used"},
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
	{"reflect.Call", "reflect.ValueOf(strings.ToUpper).Call([]reflect.Value{reflect.ValueOf(3)})", "Call using int as type string"},
	{"large shift", "new(big.Int).Lsh(big.NewInt(3), 1<<50)", "Int.Lsh would make a number of 128 TiB"},
	{"large power", "new(big.Int).Exp(big.NewInt(3), big.NewInt(1e12), nil)", "Int.Exp would make a number of 116.4 GiB"},
	{"power to a modulus", "new(big.Int).Exp(big.NewInt(3), big.NewInt(1e12), big.NewInt(7)).String()", ""},
	{"map in itself", "m := map[string]any{}\nm[\"m\"] = m\nfmt.Println(m)", "the value holds itself"},
	{"list in itself", "s := []any{nil}\ns[0] = s\nfmt.Sprintf(\"%v\", s)", "the value holds itself"},
	{"list in itself, shown", "s := []any{nil}\ns[0] = s\ns", "the value holds itself"},
	{"list of a declared type in itself", "type L []any\nl := L{nil}\nl[0] = l\nfmt.Println(l)", "the value holds itself"},
	{"list in itself as JSON", "s := []any{nil}\ns[0] = s\n_, err := json.Marshal(s)\nerr != nil", ""},
	{"the same list twice", "a := []any{1}\nfmt.Sprint([]any{a, a})", ""},
	{"recursion of a goroutine", "func f(n int) int { return f(n+1) }\ngo f(0)\ntime.Sleep(time.Minute)", "stack overflow"},
	{"recursion of a comparison", "var g func(i, j int) bool\ng = func(i, j int) bool { sort.Slice([]int{3, 2, 1}, g); return true }\nsort.Slice([]int{3, 2, 1}, g)", "stack overflow"},
	{"recursion of a deferred call", "func f() { defer func() { f() }() }\nf()", "stack overflow"},
	{"panic in a panic", "func f() { defer func() { panic(\"second\") }(); panic(\"first\") }\nf()", "panic: second"},
	{"panic in Error", "type S struct{}\nfunc (s S) Error() string { panic(\"str\") }\npanic(S{})", "its text cannot be had: str"},
	{"panic in a timer", "time.AfterFunc(time.Millisecond, func() { panic(\"timer\") })\ntime.Sleep(time.Minute)", "panic: timer (in a goroutine)"},
	{"panic after a context", "ctx, cancel := context.WithCancel(context.Background())\ncontext.AfterFunc(ctx, func() { panic(\"ctx\") })\ncancel()\ntime.Sleep(time.Minute)", "panic: ctx (in a goroutine)"},
	{"panic in a sort", "slices.SortFunc([]int{3, 2, 1}, func(a, b int) int { panic(\"cmp\") })", "panic: cmp"},
	{"panic in strings.Map", "strings.Map(func(r rune) rune { panic(\"in map\") }, \"abc\")", "panic: in map"},
	{"panic in a hook", "x := Ones(3).RequiresGrad_()\ny := x * 2\ny.RegisterHook(func(g *Tensor) *Tensor { panic(\"hook\") })\ny.Sum().Backward()", "panic: hook"},
	{"panic in a widget", "widgets.Interact(func(n int) any { panic(\"in interact\") }, widgets.Between(1, 3))", "panic: in interact"},
	{"exit in a sort", "sort.Slice([]int{3, 2, 1}, func(i, j int) bool { os.Exit(3); return true })", "os.Exit(3)"},
	{"exit in a timer", "time.AfterFunc(time.Millisecond, func() { os.Exit(3) })\ntime.Sleep(time.Minute)", "os.Exit(3)"},
	{"exit in a deferred call", "func f() { defer os.Exit(4); panic(\"x\") }\nf()", "os.Exit(4)"},
	{"Goexit in a sort", "sort.Slice([]int{3, 2, 1}, func(i, j int) bool { runtime.Goexit(); return true })", "Goexit"},
	{"a logger's Fatal", "log.New(os.Stderr, \"\", 0).Fatal(\"so\")", "log.Fatal"},
	{"the usual logger's Fatal", "log.Default().Fatalf(\"%d\", 1)", "log.Fatal"},
	{"a logger without output", "log.SetOutput(io.Discard)\nlog.Println(1)\nlog.SetOutput(os.Stderr)", ""},
	{"endless template", "t := template.Must(template.New(\"x\").Parse(`{{define \"a\"}}{{template \"a\" .}}{{end}}{{template \"a\" .}}`))\nt.Execute(io.Discard, 1) != nil", ""},
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
			var r recorder
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

// blocked are cells that an interrupt must end; %q stands for a FIFO that nobody writes to.
var blocked = []struct{ name, before, src string }{
	{"once in itself", "", "var o sync.Once\no.Do(func() { o.Do(func() {}) })"},
	{"condition", "", "var mu sync.Mutex\nc := sync.NewCond(&mu)\nmu.Lock()\nc.Wait()"},
	{"read of a FIFO", "", "os.ReadFile(%q)"},
	{"line of a FIFO", "", "f, _ := os.Open(%q)\nbufio.NewReader(f).ReadString('\\n')"},
	{"pipe", "r, w, err := os.Pipe()", "bufio.NewScanner(r).Scan()"},
	{"io.Pipe", "r2, w2 := io.Pipe()", "r2.Read(make([]byte, 10))"},
	{"reflect", "c := make(chan int)", "reflect.ValueOf(c).Recv()"},
	{"endless copy", "zero, err := os.Open(\"/dev/zero\")", "io.Copy(io.Discard, zero)"},
	{"endless read", "zero, err := os.Open(\"/dev/zero\")", "io.ReadAll(zero)"},
	{"regexp", "text := strings.Repeat(\"a\", 1<<25)", "regexp.MustCompile(\"(a|aa)*(b|a)*c$\").MatchString(text)"},
	{"big.Int", "n := new(big.Int).Lsh(big.NewInt(1), 1<<20)\nn.Sub(n, big.NewInt(1))", "n.Exp(big.NewInt(3), n, n)"},
	{"sort with a callback", "xs := rand.Perm(10_000_000)", "slices.SortFunc(xs, func(a, b int) int { return a - b })"},
	{"sort.Ints", "ys := rand.Perm(20_000_000)", "sort.Ints(ys)"},
	{"map of runes", "text := strings.Repeat(\"a\", 1<<25)", "strings.Map(func(r rune) rune { return r + 1 }, text)"},
	{"printing", "", "for { fmt.Print(\"xxxxxxxx\") }"},
	{"goroutines", "", "for range 100 { go func() { for {} }() }\nselect {}"},
	{"product", "a := Ones(4096, 4096)", "a @ a @ a @ a"},
	{"sort of a tensor", "a := Rand(30_000_000)", "a.Sort()"},
	{"cumsum", "a := Rand(100_000_000)", "for { a.Cumsum(0) }"},
	{"randn", "", "Randn(500_000_000)"},
	{"conv2d", "a, w := Rand(16, 256, 64, 64), Rand(1024, 256, 3, 3)", "Conv2d(a, w)"},
	{"sum of what is not there", "", "Ones(1).Expand(1 << 45).Sum()"},
	{"backward", "x := Ones(1000).RequiresGrad_()\ny := x * 1\nfor range 20_000 { y = y * 1.0001 }", "for { y.Sum().Backward(retain_graph=true) }"},
}

// TestEverythingStops: within 50 ms of an interrupt the prompt is free, whatever runs, and the next cell works. The
// bound here is wider, and a cell has several tries, for busy machines; -v shows what was measured. Uninterrupted,
// each row takes seconds at least.
func TestEverythingStops(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	if !apart(t) {
		return
	}
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Skip(err)
	}
	// A writer comes at last, so that nothing is left waiting.
	defer func() {
		if f, err := os.OpenFile(fifo, os.O_RDWR, 0); err == nil {
			time.Sleep(100 * time.Millisecond)
			f.Close()
		}
	}()
	for _, c := range blocked {
		src := c.src
		if strings.Contains(src, "%q") {
			src = fmt.Sprintf(src, fifo)
		}
		t.Run(c.name, func(t *testing.T) {
			var took time.Duration
			for range tries {
				if took = stops(t, c.before, src); took <= 500*time.Millisecond {
					return
				}
			}
			t.Errorf("stopped after %v", took)
		})
	}
}

// stops interrupts a cell in a session of its own, and gives how long it took to end.
func stops(t *testing.T, before, src string) time.Duration {
	s := New(Options{})
	defer s.Close()
	cell(s, "keep := 41")
	if before != "" {
		if _, err := s.Eval(t.Context(), before, Discard); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var at time.Time
	time.AfterFunc(300*time.Millisecond, func() { at = time.Now(); cancel() })
	_, err := s.Eval(ctx, src, Discard)
	took := time.Since(at)
	if e, ok := err.(*Error); !ok || e.Name != "Interrupted" {
		t.Fatalf("%v", err)
	}
	begin := time.Now()
	got := cell(s, "keep + 1")
	for strings.HasPrefix(got, "Busy") && time.Since(begin) < 20*time.Second { // compiled code that has not yet left
		got = cell(s, "keep + 1")
	}
	t.Logf("stopped after %v, the next cell after %v", took.Round(time.Millisecond/10), time.Since(begin).Round(time.Millisecond/10))
	if got != "42\n" {
		t.Errorf("the next cell gives %q", got)
	}
	return took
}
