package interp

import (
	"context"
	"errors"
	"fmt"
	"gotorch/interp/internal/celltest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "gotorch"
)

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
	{"backward", "x := Ones(1000).RequiresGrad_()\ny := x * 1\nfor range 20_000 { y = y * 1.0001 }",
		"for { y.Sum().Backward(retain_graph=true) }"},
}

// TestEverythingStops: within 50 ms of an interrupt the prompt is free, whatever runs, and the next cell works. The
// bound here is wider, and a cell has several tries, for busy machines; -v shows what was measured. Uninterrupted,
// each row takes seconds at least.
func TestEverythingStops(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel() // it is a process of its own, which waits for most of the time
	if !celltest.Apart(t) {
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
			for range celltest.Tries {
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
	for strings.HasPrefix(got, "Busy") && time.Since(begin) < 20*time.Second { // host code that has not yet left
		got = cell(s, "keep + 1")
	}
	t.Logf("stopped after %v, the next cell after %v", took.Round(time.Millisecond/10),
		time.Since(begin).Round(time.Millisecond/10))
	if strings.HasPrefix(got, "Busy") { // memory can be slow to come by on a busy machine
		return time.Since(begin)
	}
	if got != "42\n" {
		t.Errorf("the next cell gives %q", got)
	}
	return took
}

// TestLateDrawingIsInterrupted: what a display keeps for the end of a cell is code of the cell, and can be stopped as
// such.
func TestLateDrawingIsInterrupted(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := s.Eval(ctx, `n := 0
handle := display.Show(display.Text("first"))
for range 3 {
	handle.UpdateSoon(func() any {
		if n++; n > 1 {
			fmt.Println()
			for {
			}
		}
		return n
	})
}`, celltest.AtWork(cancel))
	var e *Error
	if !errors.As(err, &e) || e.Name != "Interrupted" {
		t.Errorf("%v", err)
	}
	if _, err := s.Eval(t.Context(), "n", Discard); err != nil {
		t.Errorf("the next cell: %v", err)
	}
}

// TestLongKernelsStop interrupts a product that takes many seconds: the cell ends at once, and so does the kernel
// beneath, or the next cell would find the session busy.
func TestLongKernelsStop(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	eval := func(ctx context.Context, src string) error {
		_, err := s.Eval(ctx, src, Discard)
		return err
	}
	if err := eval(t.Context(), "a := Ones(6000, 6000)"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start := time.Now()
	var e *Error
	if err := eval(ctx, "b := a @ a @ a @ a"); !errors.As(err, &e) || e.Name != "Interrupted" {
		t.Errorf("%v", err)
	}
	if err := eval(t.Context(), "c := 1"); err != nil {
		t.Errorf("the next cell: %v", err)
	}
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
}

// TestInterruptLine: an interrupt says where the cell was: in a call, in a loop without one, in a function.
func TestInterruptLine(t *testing.T) {
	s := New(Options{})
	t.Cleanup(func() { s.Close() })
	for _, c := range []struct{ src, at string }{
		{"for {}", ":1\n      for {}"},
		{"x := 1\n\nfor {\n\tx++\n}", ":3\n      for {"},
		{"y := Ones(2)\ntime.Sleep(time.Hour)", ":2\n      time.Sleep(time.Hour)"},
		{"func spin(n int) {\n\tfor i := 0; ; i++ {\n\t\tn += i\n\t}\n}\nz := Ones(3)\nspin(2)",
			":2\n      for i := 0; ; i++ {"},
		{"func ends(n int) int {\n\tfor i := range n {\n\t\tn += i\n\t}\n\treturn n\n}\nends(3)\n" +
			"for { ends(1); time.Sleep(time.Millisecond) }", ":8\n      for { ends(1)"},
	} {
		var said string
		for try := range celltest.Tries { // a cell that is still being compiled has no line yet
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Duration(50<<try)*time.Millisecond, cancel)
			_, err := s.Eval(ctx, c.src, Discard)
			cancel()
			var e *Error
			if !errors.As(err, &e) || e.Name != "Interrupted" {
				t.Fatalf("%q: %v", c.src, err)
			}
			if said = e.Text(); strings.Contains(said, c.at) {
				break
			}
		}
		if !strings.Contains(said, c.at) {
			t.Errorf("%q: %s", c.src, said)
		}
	}
}
