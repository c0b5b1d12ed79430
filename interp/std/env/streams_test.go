package env_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
	"time"
)

// TestGoroutinesPrintUnderTheirCell: what a goroutine prints after its cell has ended goes to that cell, whichever
// runs then, and by whatever way; a panic of it too.
func TestGoroutinesPrintUnderTheirCell(t *testing.T) {
	for _, c := range []struct{ src, wants string }{
		{"go func() { <-c; fmt.Println(1); fmt.Print(2, \"\\n\"); done <- 1 }()", "1\n2\n"},
		{"go func() { <-c; fmt.Fprintln(os.Stdout, 1); done <- 1 }()", "1\n"},
		{"go func() { <-c; println(1); done <- 1 }()", "stderr: 1\n"},
		{"go func() { <-c; log.SetFlags(0); log.Print(1); done <- 1 }()", "stderr: 1\n"},
		{"go func() { <-c; func() { defer func() { recover(); done <- 1 }(); fmt.Println(3); panic(1) }() }()", "3\n"},
		{"time.AfterFunc(time.Millisecond, func() { <-c; fmt.Println(4); done <- 1 })", "4\n"},
		{"%%capture\ngo func() { <-c; fmt.Println(5); done <- 1 }()", "5\n"},
		{"go func() { go func() { <-c; fmt.Println(6); done <- 1 }() }()", "6\n"},
	} {
		s := interp.New(interp.Options{})
		defer s.Close()
		celltest.Cell(s, "c, done := make(chan int), make(chan int)")
		var first, second celltest.Recorder
		if _, err := s.Eval(t.Context(), c.src, &first); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Eval(t.Context(), "fmt.Println(\"a\")\nc <- 1\n<-done\nfmt.Println(\"b\")", &second); err != nil {
			t.Fatal(err)
		}
		got := first.Out.String()
		if text := first.Err.String(); text != "" {
			got += "stderr: " + text
		}
		if got != c.wants || second.Out.String() != "a\nb\n" || second.Err.String() != "" {
			t.Errorf("%s\n%q, want %q; the cell beside it: %q", c.src, got, c.wants, second.Out.String())
		}
	}
	s := interp.New(interp.Options{})
	defer s.Close()
	var first, second celltest.Recorder
	s.Eval(t.Context(), "c := make(chan int)\ngo func() { <-c; panic(\"late\") }()", &first)
	s.Eval(t.Context(), "c <- 1", &second)
	for end := time.Now().Add(20 * time.Second); !strings.Contains(first.Err.String(), "late") &&
		time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if got := first.Err.String(); !strings.Contains(got, "panic: late") {
		t.Errorf("a panic: %q; the cell beside it: %q", got, second.Err.String())
	}
}
