package interp

import (
	"context"
	"testing"
)

// TestInAndOutThatCellsHold: what a cell holds is not written to when later ones end: a goroutine that reads it then
// would end the process.
func TestInAndOutThatCellsHold(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "1")
	cell(s, "in, out := In, Out\ngo func() { for { for range in { }; for range out { } } }()")
	before := cell(s, "len(in), len(out)")
	for range 100 {
		cell(s, "2")
	}
	if got := cell(s, "len(in), len(out)"); got != before {
		t.Errorf("%q, and %q before", got, before)
	}
	if got := cell(s, "len(In), In[103], Out[103]"); got != "104\n\"2\"\n2\n" {
		t.Errorf("%q", got)
	}
}

// TestInOfACellThatHasNotLeft: In and Out stay as they are while a cell that was stopped may still read them, and are
// right for the next.
func TestInOfACellThatHasNotLeft(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	cell(s, "len(In), len(Out)")
	inside, comes := make(chan bool), make(chan bool)
	s.eng.Extend("Show", func(v any) { close(inside); <-comes; s.show(v) })
	in := func() int { return len(*s.slot("In").(*map[int]string)) }
	before := in()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-inside; cancel() }()
	if _, err := s.Eval(ctx, "3", Discard); err == nil || err.(*Error).Name != "Interrupted" {
		t.Fatal(err)
	}
	if n := in(); n != before {
		t.Errorf("In has %d texts, not %d, while the cell is still there", n, before)
	}
	s.eng.Extend("Show", s.show)
	close(comes)
	if got := cell(s, "In[2], len(In)"); got != "\"3\"\n2\n" {
		t.Errorf("after it: %q", got)
	}
}
