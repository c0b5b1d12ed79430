package rt

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

type speaking struct{ n int }

func (s speaking) String() string { return fmt.Sprintf("<%d>", s.n) }

type speakingPointer struct{ N int }

func (s *speakingPointer) String() string { return "pointer" }

// TestPrinterIsFmts: what the bounded printer writes is what fmt writes, as long as nothing is bounded.
func TestPrinterIsFmts(t *testing.T) {
	one, nothing := 1, (*int)(nil)
	var err error
	for _, x := range []any{
		1, "a", true, 1.5, 1e21, float32(0.1), 2 + 3i, 'x', uintptr(7), nothing, &one, err,
		[]int{}, []int{1, 2}, [2]bool{true}, []string{"a", "", "b c"}, []byte("ab"), [3]byte{1}, [][]int{{1}, nil, {}},
		map[string]int{"b": 1, "a": 2}, map[int][]string{3: {"x"}, -1: nil}, map[bool]any{true: nil, false: 1},
		map[any]int{2: 1, 1: 3},
		struct {
			A int
			b any
			C *int
			d error
		}{1, "x", nil, errors.New("inner")},
		&struct{ A []int }{[]int{1}}, &[]int{1}, &map[string]int{"a": 1}, []*int{nil, nil},
		[]any{nil, 1, "a", []any{2.5}},
		speaking{1}, []speaking{{1}, {2}}, map[speaking]speaking{{2}: {3}, {1}: {4}},
		struct{ A, b speaking }{speaking{1}, speaking{2}},
		&speakingPointer{1}, []*speakingPointer{{1}, nil}, []speakingPointer{{1}}, errors.New("e"),
		[]error{errors.New("e"), nil},
		time.Second, []time.Duration{1, 2}, time.Unix(0, 0).UTC(), reflect.Int, []reflect.Type{reflect.TypeFor[int]()},
	} {
		st := &bounded{limits: Usual}
		printer{f: st, verb: 'v', most: st}.value(reflect.ValueOf(x), nil, 0, true)
		if got, want := st.text.String(), fmt.Sprint(x); got != want || Usual.Text(x) != want {
			t.Errorf("%T: %q, fmt has %q", x, got, want)
		}
	}
}

func TestLimits(t *testing.T) {
	many := map[int]bool{}
	for i := range 5000 {
		many[(i*7919)%5000] = true
	}
	l := Limits{Items: 3, Bytes: 60}
	for _, c := range []struct {
		x    any
		want string
	}{
		{[]int{1, 2, 3}, "[1 2 3]"},
		{[]int{1, 2, 3, 4}, "[1 2 3 … 1 more]"},
		{make([]int, 1_234_567), "[0 0 0 … 1,234,564 more]"},
		{many, "map[0:true 1:true 2:true … 4,997 more]"},
		{map[string][]int{"b": {1, 2, 3, 4}, "a": nil}, "map[a:[] b:[1 2 3 … 1 more]]"},
		{[][]int{{1}, {1, 2, 3, 4}}, "[[1] [1 2 3 … 1 more]]"},
		{struct{ A []int }{make([]int, 9)}, "{[0 0 0 … 6 more]}"},
		{&[5]string{"a"}, "&[a   … 2 more]"},
		{strings.Repeat("é", 40), strings.Repeat("é", 30) + " … 80 bytes in all"},
		{strings.Repeat("x", 59) + "éa", strings.Repeat("x", 59) + " … 62 bytes in all"},
		{[]string{strings.Repeat("a", 25), strings.Repeat("b", 25), strings.Repeat("c", 25)},
			"[" + strings.Repeat("a", 25) + " " + strings.Repeat("b", 25) + " ccccccc … 79 bytes in all"},
		{speaking{7}, "<7>"},
		{[]speaking{{1}, {2}, {3}, {4}}, "[<1> <2> <3> … 1 more]"},
	} {
		if got := l.Text(c.x); got != c.want {
			t.Errorf("%T: %q, want %q", c.x, got, c.want)
		}
	}
	if got := (Limits{Items: 3, Bytes: 60, Scan: 100}).Text(many); got != "map[5,000 entries]" {
		t.Errorf("a map that is not looked through: %q", got)
	}
	if got := Usual.Text([]any{make([][1000]int, 2000)}); len(got) > Usual.Bytes+100 ||
		!strings.HasSuffix(got, " … the text goes on") {
		t.Errorf("%d bytes that end with %q", len(got), got[max(0, len(got)-30):])
	}
	loop := make([]any, 2000)
	loop[0] = loop
	if !panics(func() { Usual.Text(loop) }) {
		t.Error("a list that holds itself has a text")
	}
}

// TestTextEnds: Look may end the text of a large map.
func TestTextEnds(t *testing.T) {
	m := map[int]int{}
	for i := range 10_000 {
		m[i] = i
	}
	looked := 0
	l := Usual
	l.Look = func() { looked++; panic("enough") }
	if !panics(func() { l.Text(m) }) || looked != 1 {
		t.Errorf("looked %d times", looked)
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
