package yaegi_test

import (
	"context"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
	"time"
)

// TestDeferredCallsOfAnInterruptedCell: what a cell and its goroutines deferred is called when an interrupt has
// stopped them, the innermost first; the next cell finds locks free. wants is what the cell after it shows, where it
// is not true. The interrupt comes 150 ms after a line has been written: a cell that does not say when it is at work
// says so at once.
func TestDeferredCallsOfAnInterruptedCell(t *testing.T) {
	for _, c := range []struct{ name, before, src, after, wants string }{
		{"mutex", "var mu sync.Mutex", "mu.Lock()\ndefer mu.Unlock()\nfor {\n}", "mu.TryLock()", ""},
		{"mutex of a function", "var mu sync.Mutex\nfunc f() { mu.Lock(); defer mu.Unlock(); for {} }", "f()",
			"mu.TryLock()", ""},
		{"in a loop", "var mu sync.Mutex\nn := 0\nfunc f() { defer mu.Unlock(); n++ }", "for { mu.Lock(); f() }",
			"n > 0, mu.TryLock() || true", "true\ntrue"},
		{"waiting", "var mu sync.Mutex\nc := make(chan int)", "mu.Lock()\ndefer mu.Unlock()\n<-c", "mu.TryLock()", ""},
		{"selecting", "var mu sync.Mutex\nc := make(chan int)",
			"mu.Lock()\ndefer mu.Unlock()\nselect { case <-c: case c <- 1: }", "mu.TryLock()", ""},
		{"sleeping", "var mu sync.Mutex", "mu.Lock()\ndefer mu.Unlock()\ntime.Sleep(time.Hour)", "mu.TryLock()", ""},
		{"order", "log2 := []string{}\nnote := func(s string) { log2 = append(log2, s) }",
			"func inner() { defer note(\"inner 1\"); defer func() { note(\"inner 2\") }(); for {} }\ndefer note(\"cell\")\n" +
				"func() { for i := range 2 { defer note(fmt.Sprint(\"outer \", i)) }; inner() }()",
			"strings.Join(log2, \", \")", "inner 2, inner 1, outer 1, outer 0, cell"},
		{"a callback", "var mu sync.Mutex\nlog2 := 0", "xs := []int{3, 2, 1}\ndefer func() { log2 *= 10 }()\n" +
			"sort.Slice(xs, func(i, j int) bool { mu.Lock(); defer mu.Unlock(); defer func() { log2 += 4 }(); for {} })",
			"mu.TryLock(), log2", "true\n40"},
		{"a deferred function that works",
			"total := 0\nfunc sum(n int) (s int) { defer func() { s *= 2 }(); for i := range n { s += i }; return }",
			"defer func() { m := map[string]int{}; for i := range 10 { m[fmt.Sprint(i)] = sum(i) }; for _, v := range m { " +
				"total += v } }()\nfor {\n}", "total", "240"},
		{"recover", "got := any(1)\nwent := false", "defer func() { got = recover(); went = true }()\nfor {\n}", "got, went",
			"<nil>\ntrue"},
		{"a panic is replaced", "got := any(1)", "defer func() { got = recover() }()\ndefer func() { for {} }()\npanic(1)",
			"got", "<nil>"},
		{"goroutines", "var wg sync.WaitGroup\nvar mu sync.Mutex\nn := 0",
			"var begun sync.WaitGroup\nfor range 4 { wg.Add(1); begun.Add(1); go func() { defer wg.Done(); defer func() { " +
				"mu.Lock(); defer mu.Unlock(); n++ }(); begun.Done(); for {} }() }\nbegun.Wait()\nfmt.Println()\nwg.Wait()",
			"wg.Wait()\nn", "4"},
		{"goroutines that wait", "var wg sync.WaitGroup\nn := new(atomic.Int64)\nc := make(chan int)\nvar mu sync.Mutex",
			"mu.Lock()\ndefer mu.Unlock()\nvar begun sync.WaitGroup\nfor i := range 8 { wg.Add(1); begun.Add(1); go func() { " +
				"defer wg.Done(); defer n.Add(1); begun.Done(); switch i % 4 { case 0: <-c; case 1: select {}; case 2: " +
				"time.Sleep(time.Hour); case 3: mu.Lock(); defer mu.Unlock() } }() }\nbegun.Wait()\nfmt.Println()\nselect {}",
			"wg.Wait()\nmu.TryLock(), n.Load()", "true\n8"},
		{"a deferred wait for the others", "var wg sync.WaitGroup\nn := new(atomic.Int64)",
			"defer wg.Wait()\nvar begun sync.WaitGroup\nfor range 4 { wg.Add(1); begun.Add(1); go func() { defer wg.Done(); " +
				"defer n.Add(1); begun.Done(); for {} }() }\nbegun.Wait()\nfmt.Println()\nfor {\n}", "wg.Wait()\nn.Load()", "4"},
		{"condition", "var mu sync.Mutex\nc := sync.NewCond(&mu)\nn := 0",
			"var begun sync.WaitGroup\nfor range 3 { begun.Add(1); go func() { mu.Lock(); defer mu.Unlock(); defer func() { " +
				"n++ }(); begun.Done(); c.Wait() }() }\nbegun.Wait()\nmu.Lock()\ndefer mu.Unlock()\nfmt.Println()\nc.Wait()",
			"mu.TryLock(), n", "true\n3"},
		{"file", "dir, _ := os.MkdirTemp(\"\", \"\")\nvar f *os.File",
			"func() { f, _ = os.Create(dir + \"/x\"); defer os.RemoveAll(dir); defer f.Close(); w := bufio.NewWriter(f); " +
				"defer w.Flush(); w.WriteString(\"text\"); for {} }()",
			"_, err := f.Write(nil)\n_, e2 := os.Stat(dir)\nerrors.Is(err, os.ErrClosed), errors.Is(e2, os.ErrNotExist)",
			"true\ntrue"},
		{"a loop over a function", "n := 0\nseq := func(y func(int) bool) { defer func() { n *= 3 }(); for y(1) {} }",
			"for range seq { defer func() { n += 2 }(); for {} }", "n", "2"},
		{"a goroutine of an earlier cell",
			"n := 0\nbegun := make(chan int)\ngo func() { defer func() { n = 7 }(); close(begun); select {} }()\n<-begun",
			"for {\n}", "n", "7"},
		{"one that loops", "var mu sync.Mutex\nn := 0",
			"mu.Lock()\ndefer mu.Unlock()\ndefer func() { n++; for {} }()\nfor {\n}", "mu.TryLock(), n", "true\n1"},
		{"one that blocks", "var mu sync.Mutex",
			"mu.Lock()\ndefer mu.Unlock()\ndefer func() { select {} }()\ndefer time.Sleep(time.Hour)\nfor {\n}",
			"mu.TryLock()", ""},
		{"one that panics", "var mu sync.Mutex", "mu.Lock()\ndefer mu.Unlock()\ndefer panic(\"boo\")\nfor {\n}",
			"mu.TryLock()", ""},
		{"one that ends its goroutine", "var mu sync.Mutex",
			"mu.Lock()\ndefer mu.Unlock()\ndefer runtime.Goexit()\nfor {\n}", "mu.TryLock()", ""},
		{"while one runs", "n := 0", "defer func() { n++ }()\nfunc() { defer func() { n += 10; for {} }() }()", "n", "11"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := interp.New(interp.Options{})
			defer s.Close()
			if _, err := s.Eval(t.Context(), c.before, interp.Discard); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if !strings.Contains(c.src, "fmt.Println()") {
				c.src = "fmt.Println()\n" + c.src
			}
			var at time.Time
			out := celltest.AtWork(func() { time.AfterFunc(150*time.Millisecond, func() { at = time.Now(); cancel() }) })
			_, err := s.Eval(ctx, c.src, out)
			if e, ok := err.(*interp.Error); !ok || e.Name != "Interrupted" {
				t.Fatalf("%v", err)
			}
			t.Logf("stopped after %v", time.Since(at).Round(time.Millisecond/10))
			if c.wants == "" {
				c.wants = "true"
			}
			if got := strings.Trim(celltest.Cell(s, c.after), "\"\n"); got != c.wants {
				t.Errorf("got %s, want %s", got, c.wants)
			}
		})
	}
}

// TestEndingsAndDeferredCalls: which other ends of a cell make deferred calls.
func TestEndingsAndDeferredCalls(t *testing.T) {
	for _, c := range []struct{ name, src, kind, wants string }{
		{"recursion", "func f(i int) int { mu.Lock(); n++; defer mu.Unlock(); return g(i) }\nfunc g(i int) int { return " +
			"g(i) + 1 }\nf(0)", "RecursionError", "1\ntrue"},
		{"recursion with deferred calls", "func f(i int) int { n++; defer func() { n-- }(); return f(i) + 1 }\nf(0)",
			"RecursionError", "0\ntrue"},
		{"panic of a goroutine", "mu.Lock(); defer mu.Unlock(); go func() { defer func() { n++ }(); panic(1) }()\nselect {}",
			"Panic", "1\ntrue"},
		{"os.Exit", "defer func() { n++ }()\nos.Exit(1)", "Exit", "0\ntrue"},
		{"os.Exit in a deferred call", "defer func() { n++ }()\ndefer os.Exit(1)", "Exit", "0\ntrue"},
		{"Goexit", "defer func() { n++ }()\ndefer mu.Unlock()\nmu.Lock()\nruntime.Goexit()", "Exit", "1\ntrue"},
		{"Goexit in a deferred call", "defer func() { n++ }()\nmu.Lock()\ndefer mu.Unlock()\ndefer runtime.Goexit()",
			"Exit", "1\ntrue"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := interp.New(interp.Options{})
			defer s.Close()
			celltest.Cell(s, "var mu sync.Mutex\nn := 0")
			_, err := s.Eval(t.Context(), c.src, interp.Discard)
			if e, ok := err.(*interp.Error); !ok || e.Name != c.kind {
				t.Fatalf("%v", err)
			}
			if got := strings.TrimSpace(celltest.Cell(s, "n, mu.TryLock()")); got != c.wants {
				t.Errorf("got %s, want %s", got, c.wants)
			}
		})
	}
}

// TestDeferredCallsAreWhole: a deferred call that an interrupt finds at work is not left half done.
func TestDeferredCallsAreWhole(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "x, y, z := 0, 0, 0\nfunc f() { defer func() { x++; y++; z++ }() }")
	for i := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := s.Eval(ctx, "for i := 0; ; i++ { f(); if i == 3 { fmt.Println() } }", celltest.AtWork(func() {
			time.AfterFunc(time.Duration(i)*77*time.Microsecond, cancel)
		}))
		cancel()
		if e, ok := err.(*interp.Error); !ok || e.Name != "Interrupted" {
			t.Fatal(err)
		}
		if got := celltest.Cell(s, "x == y && y == z"); got != "true\n" {
			t.Fatalf("interrupt %d: %s", i, celltest.Cell(s, "x, y, z"))
		}
	}
	if got := celltest.Cell(s, "x > 0"); got != "true\n" {
		t.Error("no interrupt has found the cell at work")
	}
}

// TestLockAndDeferredUnlock: an interrupt falls before both or after both. A few of 25 may fall between them where a
// busy machine keeps the cell from its processor for longer than an interrupt waits.
func TestLockAndDeferredUnlock(t *testing.T) {
	for _, c := range []struct{ before, src, after string }{
		{"var mu sync.Mutex\nfunc f() { mu.Lock(); defer mu.Unlock() }", "for { f() }", "mu.TryLock()"},
		{"var mu sync.RWMutex\nfunc f() { mu.RLock(); defer mu.RUnlock(); func() {}() }", "for { f() }", "mu.TryLock()"},
		{"open := 0\nfunc acquire() int { open++; return open }\nfunc f() { n := acquire(); defer func() { open -= 1 }(); " +
			"_ = n }", "for { f() }", "open == 0"},
		{"var mu sync.Mutex\nfunc f() { func() { defer func() { recover() }(); mu.Lock(); defer mu.Unlock(); panic(1) }() }",
			"for range 3 { go func() { for { f() } }() }\nfor { f() }", "mu.TryLock()"},
		{"var mu sync.Mutex", "for { func() { mu.Lock()\ndefer mu.Unlock() }() }", "mu.TryLock()"},
	} {
		start := func() *interp.Session {
			s := interp.New(interp.Options{})
			t.Cleanup(s.Close)
			celltest.Cell(s, c.before)
			return s
		}
		s, lost := start(), 0
		for i := range 25 {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Millisecond+time.Duration(i)*77*time.Microsecond)
			_, err := s.Eval(ctx, c.src, interp.Discard)
			cancel()
			if e, ok := err.(*interp.Error); !ok || e.Name != "Interrupted" {
				t.Fatal(err)
			}
			got := celltest.Cell(s, c.after)
			if got == "false\n" && lost < 5 {
				lost++
				// A goroutine of the cell may wait for the lost mutex without end: the next cells get a session of their own.
				s = start()
				continue
			}
			if got != "true\n" {
				t.Fatalf("%s\n%s\ninterrupt %d: %s", c.before, c.src, i, got)
			}
			celltest.Cell(s, "mu.Unlock()")
		}
	}
}

// TestManyDeferredCalls: what a loop has deferred without end keeps the session busy for a moment only.
func TestManyDeferredCalls(t *testing.T) {
	if !celltest.Apart(t) {
		return
	}
	work := 1500 * time.Millisecond
	if testing.Short() {
		work /= 5
	}
	for _, src := range []string{"fmt.Println()\nfor { defer f() }", "func g() { fmt.Println(); for { defer f() } }\ng()",
		"fmt.Println()\nfor { defer func() { n++; for {} }() }",
		"go func() { fmt.Println(); for { defer f() } }()\nfor {\n}"} {
		s := interp.New(interp.Options{})
		defer s.Close()
		celltest.Cell(s, "n := 0\nfunc f() { n++ }")
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var at time.Time
		s.Eval(ctx, src, celltest.AtWork(func() { time.AfterFunc(work, func() { at = time.Now(); cancel() }) }))
		got := celltest.Cell(s, "n > 0")
		for got != "true\n" && time.Since(at) < 10*time.Second { // Busy, or false where a goroutine has been slow to leave
			time.Sleep(10 * time.Millisecond)
			got = celltest.Cell(s, "n > 0")
		}
		took := time.Since(at)
		if got != "true\n" || took > 10*time.Second {
			t.Errorf("%s: %q after %v", src, got, took)
		}
		t.Logf("%s: free after %v", src, took.Round(time.Millisecond))
	}
}
