package interp

import (
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
)

const defineTwice = `Define("mine::twice(Tensor self, Scalar by=2) -> Tensor", tensor.Definition{
	Doc:  "Twice is self times by.",
	Body: func(c *tensor.Call) { by, _ := c.Scalar(1); c.Return(c.Tensor(0).Mul(by.Any())) }});`

// TestDefinedOperators: what a user defined is completed, described, called in the cell that defines it, replaced, and
// forgotten by %reset and at the end of the session.
func TestDefinedOperators(t *testing.T) {
	s := New(Options{})
	if got := cell(s, defineTwice+"\nmine.Twice(New([1, 2]))"); !strings.Contains(got, "tensor([2, 4])") {
		t.Error(got)
	}
	names := func(src string) (list []string) {
		for _, c := range s.Complete(src, len(src)).Candidates {
			list = append(list, c.Text)
		}
		return list
	}
	if got := names("mine."); !slices.Equal(got, []string{"Twice"}) {
		t.Error(got)
	}
	if got := names("mine.Twice(x, b"); !slices.Contains(got, "by=") {
		t.Error(got)
	}
	if got := names("mi"); !slices.Contains(got, "mine") {
		t.Error(got)
	}
	if h, ok := s.Inspect("mine.twice", 7, false); !ok || !strings.Contains(h.Doc, "Twice is self times by.") {
		t.Error(h)
	}
	cell(s, strings.Replace(defineTwice, "Scalar by=2", "Scalar by=3", 1))
	got := cell(s, "a := mine.Twice(New([1, 2])); a, mine.twice(a, by=10)")
	if !strings.Contains(got, "tensor([30, 60])") {
		t.Error(got)
	}
	if got := cell(s, "op := tensor.Operator(`mine::twice`); op.Call(New([1]), by=5)"); got != "tensor([5])\n" {
		t.Error(got)
	}
	got = cell(s, "Define(`user::double(Tensor self) -> Tensor`, tensor.Definition{"+
		"Body: func(c *tensor.Call) { c.Return(c.Tensor(0) * 2) }});\nuser.Double(New([4]))")
	if got != "tensor([8])\n" {
		t.Errorf("beside a package: %s", got)
	}
	cell(s, "mine := 3") // a user's own name goes first
	if got := cell(s, "mine"); got != "3\n" {
		t.Error(got)
	}
	cell(s, "%reset")
	if tensor.Lookup("mine.twice") != nil {
		t.Error("%reset leaves it")
	}
	if got := cell(s, "mine.Twice(New([1, 2]))"); !strings.Contains(got, "undefined: mine") {
		t.Error(got)
	}
	cell(s, defineTwice)
	s.Close()
	if tensor.Lookup("mine.twice") != nil {
		t.Error("the end of the session leaves it")
	}
}
