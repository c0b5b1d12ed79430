package yaegi_test

import (
	"context"
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
	"time"
)

// noneRuns waits until no goroutine of a cell runs.
func noneRuns(s *interp.Session) bool {
	for start := time.Now(); time.Since(start) < 20*time.Second; {
		if s.Goroutines() == 0 {
			return true
		}
		time.Sleep(5 * time.Millisecond)
	}
	return false
}

// TestInterruptEndsGoroutines: those that the cell started end with it, busy or asleep, and none goes on as if what it
// waited for had come.
func TestInterruptEndsGoroutines(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "var mu sync.Mutex\nended := make(chan int, 10)")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const begin = "go func() { begun.Done(); "
	soon := celltest.AtWork(func() { time.AfterFunc(20*time.Millisecond, cancel) })
	s.Eval(ctx, "mu.Lock()\nvar begun sync.WaitGroup\nbegun.Add(4)\n"+begin+"for {} }()\n"+begin+
		"time.Sleep(time.Hour); ended <- 1 }()\n"+begin+"mu.Lock(); ended <- 2 }()\n"+
		begin+"<-make(chan int) }()\nbegun.Wait()\nfmt.Println()\nselect {}", soon) // into what they wait for, most often
	if !noneRuns(s) {
		t.Fatalf("%d goroutines run after the interrupt", s.Goroutines())
	}
	if got := celltest.Cell(s, "len(ended)"); got != "0\n" {
		t.Errorf("%q goroutines went on after their wait", got)
	}
}

// TestGoroutinesStop: what earlier cells left running is listed, and ends when asked to.
func TestGoroutinesStop(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "n := 0\ngo func() { for { n++ } }()\ngo func() { time.Sleep(time.Hour) }()\nf := func() int { "+
		"return 7 }")
	got := celltest.Cell(s, "%goroutines")
	// it has not come there yet
	for start := time.Now(); !strings.Contains(got, "time.Sleep") && time.Since(start) < 20*time.Second; {
		got = celltest.Cell(s, "%goroutines")
	}
	if strings.Count(got, "\n") != 2 || !strings.Contains(got, "time.Sleep") {
		t.Errorf("listed:\n%s", got)
	}
	if got := celltest.Cell(s, "%goroutines stop"); got != "2 ended\n" {
		t.Errorf("stop says %q", got)
	}
	if !noneRuns(s) {
		t.Errorf("%d still run", s.Goroutines())
	}
	if got := celltest.Cell(s, "f()"); got != "7\n" {
		t.Errorf("a closure made before gives %q", got)
	}
	if got := celltest.Cell(s, "%goroutines"); got != "no goroutine of a cell runs\n" {
		t.Errorf("%q", got)
	}
}
