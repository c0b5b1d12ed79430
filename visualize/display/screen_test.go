package display

import (
	"strings"
	"sync"
	"testing"
	"time"
)

func screenOf(rows int) (*Screen, *strings.Builder) {
	var b strings.Builder
	return NewScreen(&b, func() (int, int) { return 20, rows }, false), &b
}

// TestScreen: a display is redrawn where it stands, with what was printed after it; one that is not on the screen
// waits for the cell's end.
func TestScreen(t *testing.T) {
	s, out := screenOf(10)
	s.Begin()
	s.Display("a", Text("one\ntwo"))
	s.Write([]byte("printed, and wider than the screen\npart"))
	out.Reset()
	s.Update("a", Text("three"))
	if got, want := out.String(), "\r\x1b[4A\x1b[Jthree\nprinted, and wider than the screen\npart"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	s.Write([]byte(strings.Repeat("x\n", 10)))
	out.Reset()
	s.Update("a", Text("four"))
	s.Update("a", Text("five"))
	if out.Len() > 0 {
		t.Errorf("what left the screen is drawn: %q", out)
	}
	s.Flush()
	s.Update("a", Text("six"))
	if got := out.String(); got != "five\n\r\x1b[1A\x1b[Jsix\n" {
		t.Errorf("got %q", got)
	}
	s.Begin()
	s.Flush()
	out.Reset()
	s.Update("a", Text("seven")) // from a goroutine, after another cell was typed: a copy below
	s.Update("a", Text("eight"))
	if got := out.String(); got != "seven\n\r\x1b[1A\x1b[Jeight\n" {
		t.Errorf("got %q", got)
	}
}

// TestWrittenOver: of a line that is written over, the last is what stands there.
func TestWrittenOver(t *testing.T) {
	s, out := screenOf(10)
	s.Display("a", Text("one"))
	for range 1000 {
		s.Write([]byte("\r 10% of it"))
	}
	out.Reset()
	s.Update("a", Text("two"))
	if got, want := out.String(), "\r\x1b[1A\x1b[Jtwo\n\r 10% of it"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestNoScreen: a file gets the last picture only, in its place where that is still possible.
func TestNoScreen(t *testing.T) {
	var b strings.Builder
	s := NewScreen(&b, nil, false)
	s.Display("a", Text("one"))
	s.Update("a", Text("two"))
	s.Write([]byte("x\n"))
	s.Update("a", Text("three"))
	s.Update("a", Text("four"))
	s.Display("", Text("y"))
	s.Flush()
	s.Flush()
	if got := b.String(); got != "two\nx\ny\nfour\n" {
		t.Errorf("got %q", got)
	}
}

// TestUpdateSoon: many updates become few, the last of them always.
func TestUpdateSoon(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	s := &sinkFunc{func(text string) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, text)
	}}
	attachSink(t, s)
	h := Show("first")
	var wg sync.WaitGroup
	start := time.Now()
	for range 4 {
		wg.Go(func() {
			for range 1000 {
				h.UpdateSoon(func() any { return "middle" })
			}
		})
	}
	wg.Wait()
	h.UpdateSoon(func() any { return "last" })
	Flush()
	Flush()
	mu.Lock()
	defer mu.Unlock()
	if most := 4 + int(time.Since(start)/interval); len(seen) > most || seen[len(seen)-1] != "last" {
		t.Errorf("%d updates, at most %d were due: %q", len(seen), most, seen)
	}
}

// TestUpdateLater: without another call the last update comes by itself.
func TestUpdateLater(t *testing.T) {
	last := make(chan string, 10)
	attachSink(t, &sinkFunc{func(text string) { last <- text }})
	h := Show("first")
	<-last
	for _, text := range []string{"a", "b", "c"} {
		h.UpdateSoon(func() any { return text })
	}
	for _, want := range []string{"a", "c"} {
		select {
		case got := <-last:
			if got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("nothing came")
		}
	}
}

type sinkFunc struct{ f func(text string) }

func (s *sinkFunc) Display(_ string, b Bundle) { s.f(b.Text(false)) }
func (s *sinkFunc) Update(_ string, b Bundle)  { s.f(b.Text(false)) }
func (s *sinkFunc) Clear(bool)                 {}
