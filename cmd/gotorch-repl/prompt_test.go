package main

import (
	"slices"
	"testing"

	"gotorch/interp"
)

// prompted is a prompt without a terminal.
func prompted(t *testing.T, cells ...string) *prompter {
	t.Helper()
	s := newSession()
	t.Cleanup(s.Close)
	for _, c := range cells {
		if _, err := s.Eval(t.Context(), c, interp.Discard); err != nil {
			t.Fatal(err)
		}
	}
	return &prompter{session: s}
}

func TestPromptComplete(t *testing.T) {
	p := prompted(t, "x := Ones(2, 2)")
	for _, c := range []struct {
		src  string
		want []string // among the candidates
		not  []string
		note string // of the first of want
	}{
		{"x.Su", []string{"Sum", "Sub_"}, []string{"Mean"}, "(opts ...Option) *Tensor"},
		{"x.Sum(di", []string{"dim=", "display"}, nil, "argument  []int"},
		{"x.Sum(", []string{"keepdim=", "x"}, []string{"Arange", "fmt", "func"}, ""},
		{"x.Sum(d", []string{"dim=", "dtype="}, []string{"default", "defer"}, ""},
		{"y := x[ra", []string{"rand"}, []string{"range"}, ""},
		{"f(fu", []string{"func"}, nil, ""},
		{"g(func() {\n\tde", []string{"defer", "default"}, nil, ""},
		{"x.softm", []string{"Softmax"}, nil, ""},
		{"Ar", []string{"Arange"}, []string{"x"}, ""},
		{"func f() {\n\ty := x\n\ty.Tran", []string{"Transpose"}, nil, ""},
		{"%ti", []string{"%time", "%timeit"}, []string{"%who"}, ""},
		{`"x.Su`, nil, []string{"Sum"}, ""},
	} {
		_, list := p.complete(c.src, len(c.src))
		find := func(name string) int {
			for i, m := range list {
				if m.Text == name {
					return i
				}
			}
			return -1
		}
		for i, w := range c.want {
			at := find(w)
			if at < 0 {
				t.Errorf("%q is not offered %s", c.src, w)
			} else if i == 0 && c.note != "" && list[at].Note != c.note {
				t.Errorf("%q: the note of %s is %q", c.src, w, list[at].Note)
			}
		}
		if i := slices.IndexFunc(c.not, func(n string) bool { return find(n) >= 0 }); i >= 0 {
			t.Errorf("%q is offered %s", c.src, c.not[i])
		}
	}
}

func TestPromptWhole(t *testing.T) {
	p := prompted(t)
	for _, c := range []struct {
		src, indent string
		whole       bool
	}{
		{"x := 1", "", true},
		{"func f() {", "\t", false},
		{"x := []int{1,", "\t", false},
		{"x := := 1", "", true}, // an error, to be shown
		{"%time x", "", true},
		{"x?", "", true},
		{"%%time", "", false},
		{"%%time\nx := 1", "", false},
		{"%%time\nx := 1\n", "", true},
	} {
		if whole, indent := p.whole(c.src); whole != c.whole || indent != c.indent {
			t.Errorf("%q: %v, %q; want %v, %q", c.src, whole, indent, c.whole, c.indent)
		}
	}
}
