package interp

import (
	"context"
	"errors"
	"gotorch/interp/internal/celltest"
	"gotorch/visualize/widgets"
	"strings"
	"testing"
	"time"
)

// clicked runs a cell that makes a function f, and gives what calls it.
func clicked(t *testing.T, s *Session, src string) func() {
	t.Helper()
	if _, err := s.Eval(context.Background(), src+"\nb := widgets.Button(\"\").OnClick(f)\nb == b", Discard); err != nil {
		t.Fatal(err)
	}
	return (*s.slot("b").(**widgets.Clicker)).Click
}

func TestCall(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	f := clicked(t, s, "n := 0\nf := func() { n++; fmt.Println(\"called\", n, Site()); }\nfunc Site() string { return "+
		"\"here\" }")
	var out celltest.Recorder
	if err := s.Call(context.Background(), &out, f); err != nil {
		t.Fatal(err)
	}
	if out.Text() != "called 1 here\n" {
		t.Errorf("%q", out.Text())
	}
	if vals, err := s.Eval(context.Background(), "n", Discard); err != nil || vals[0].Text != "1" {
		t.Errorf("%v %v", vals, err)
	}
}

func TestCallPanics(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	f := clicked(t, s, "f := func() {\n\tpanic(\"oh\")\n}")
	var e *Error
	if err := s.Call(context.Background(), Discard, f); !errors.As(err, &e) || e.Value != "panic: oh" ||
		e.Cell != "In[1]" || e.Line != 2 {
		t.Errorf("%#v", err)
	}
	if _, err := s.Eval(context.Background(), "1", Discard); err != nil {
		t.Error(err)
	}
}

func TestCallIsInterrupted(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	f := clicked(t, s, "n := 0\nf := func() { for { if n++; n == 11 { fmt.Println() } } }")
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	begin := time.Now()
	var e *Error
	if err := s.Call(ctx, celltest.AtWork(cancel), f); !errors.As(err, &e) || e.Name != "Interrupted" ||
		time.Since(begin) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	if vals, err := s.Eval(context.Background(), "n > 10", Discard); err != nil || vals[0].Text != "true" {
		t.Errorf("%v %v", vals, err)
	}
}

func TestWidgetsInCells(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"func f(count int, deep float64) any { fmt.Println(\"in f\"); return Ones(count) }", ""},
		{"widgets.Interact(f, widgets.Between(1, 3))",
			"count ██████████░░░░░░░░░░ 2  (1 to 3)\ndeep ██████████░░░░░░░░░░ 0.5  (0 to 1)\nin f\ntensor([1., 1.])\n"},
		{"widgets.Interact(func(on bool) any {\n\tx := 3\n\treturn x\n})", "on [ ]\n3\n"},
		{
			"type P struct{ a int }\nfunc (p P) MIMEBundle() map[string]any { " +
				"return map[string]any{\"text/plain\": \"a P\"} }", ""},
		{"o := widgets.Output(); o.Show(P{3}); o", "a P\n"},
		{"n := 0\nfor i := range widgets.Progress(4) { n += i }\nn", "100%"},
	} {
		var out celltest.Recorder
		vals, err := s.Eval(context.Background(), c.src, &out)
		if err != nil {
			t.Fatalf("%s: %v", c.src, err)
		}
		if got := out.Text(); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%s shows %q (%v), want %q", c.src, got, vals, c.want)
		}
	}
}
