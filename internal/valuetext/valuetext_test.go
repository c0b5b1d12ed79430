package valuetext

import (
	"errors"
	"fmt"
	"go/types"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

type speaking struct{ n int }

func (s speaking) String() string { return fmt.Sprintf("<%d>", s.n) }

type speakingPointer struct{ N int }

func (s *speakingPointer) String() string { return "pointer" }

var text = func(x any, l Limits) string { return Printer{Limits: l}.Text(reflect.ValueOf(x), nil, nil) }

type node struct {
	Value int
	Next  *node
	Seen  *int
}

// TestText: a text says what the value is.
func TestText(t *testing.T) {
	one, nothing := 1, (*int)(nil)
	ring := &node{Value: 1}
	ring.Next = ring
	var err error
	for _, c := range []struct {
		x    any
		want string
	}{
		{1, "1"}, {"a b", `"a b"`}, {"a\n\"é", `"a\n\"é"`}, {`{"a":1}`, "`{\"a\":1}`"}, {`a\b`, "`a\\b`"},
		{true, "true"}, {1.5, "1.5"}, {1.0, "1.0"}, {math.Copysign(0, -1), "-0.0"}, {1e21, "1e+21"}, {math.NaN(), "NaN"},
		{math.Inf(-1), "-Inf"}, {float32(0.1), "0.1"}, {float32(3), "3.0"}, {2 + 3i, "(2+3i)"}, {'x', "120"},
		{uintptr(7), "7"}, {byte(7), "7"},
		{nothing, "<nil>"}, {&one, "&1"}, {err, "<nil>"}, {nil, "<nil>"},
		{[]int{}, "[]"}, {[]int(nil), "[]"}, {[]int{1, 2}, "[1 2]"}, {[]string{"a b", "c"}, `["a b" "c"]`},
		{[]string{"a", "b", "c"}, `["a" "b" "c"]`},
		{[]byte("ab"), "[97 98]"}, {[][]float64{{1}, nil, {}}, "[[1.0] [] []]"}, {[2]bool{true}, "[true false]"},
		{map[string]int{"b c": 1, "a": 2}, `map["a":2 "b c":1]`},
		{map[int][]string{3: {"x"}, -1: nil}, `map[-1:[] 3:["x"]]`},
		{map[any]int{"1": 1, 1: 3}, `map[1:3 "1":1]`}, {[]any{nil, 1, "a", []any{2.0}}, `[<nil> 1 "a" [2.0]]`},
		{struct {
			A int
			b any
			C *int
		}{1, "x", nil}, `{A:1 b:"x" C:<nil>}`},
		{struct{ A, b speaking }{speaking{1}, speaking{2}}, "{A:<1> b:{n:2}}"},
		{&struct{ A []int }{[]int{1}}, "&{A:[1]}"},
		{[]*node{{Value: 2}, nil}, "[&{Value:2 Next:<nil> Seen:<nil>} <nil>]"}, {&[]int{1}, "&[1]"},
		{ring, "&{Value:1 Next:… Seen:<nil>}"},
		{speaking{1}, "<1>"}, {[]speaking{{1}, {2}}, "[<1> <2>]"}, {map[speaking]speaking{{2}: {3},
			{1}: {4}}, "map[<1>:<4> <2>:<3>]"},
		{&speakingPointer{1}, "pointer"}, {[]*speakingPointer{{1}, nil}, "[pointer <nil>]"},
		{[]speakingPointer{{1}}, "[{N:1}]"},
		{errors.New("e"), "e"}, {[]error{errors.New("e"), nil}, "[e <nil>]"},
		{time.Second, "1s"}, {[]time.Duration{1, 2}, "[1ns 2ns]"},
		{time.Unix(0, 0).UTC(), "1970-01-01 00:00:00 +0000 UTC"}, {reflect.Int, "int"},
		{reflect.ValueOf(ring), "&{Value:1 Next:… Seen:<nil>}"}, {[]reflect.Value{reflect.ValueOf("a"), {}},
			`["a" <invalid Value>]`},
	} {
		if got := text(c.x, Usual); got != c.want {
			t.Errorf("%T: %s, want %s", c.x, got, c.want)
		}
	}
}

// TestRunes: the type that the source gives a value tells runes from integers.
func TestRunes(t *testing.T) {
	r := types.Universe.Lookup("rune").Type()
	list := types.NewSlice(r)
	for _, c := range []struct {
		x      any
		static types.Type
		want   string
	}{
		{'é', r, "'é'"}, {'\n', r, `'\n'`}, {int32(97), types.Typ[types.Int32], "97"},
		{[]rune("hé"), list, "['h' 'é']"},
		{map[rune]int32{'a': 1}, types.NewMap(r, types.Typ[types.Int32]), "map['a':1]"},
		{[][]rune{{'x'}}, types.NewSlice(list), "[['x']]"},
		{struct{ R rune }{'z'}, types.NewStruct([]*types.Var{types.NewField(0, nil, "R", r, false)}, nil), "{R:'z'}"},
		{&[1]rune{'q'}, types.NewPointer(types.NewArray(r, 1)), "&['q']"},
	} {
		if got := (Printer{Limits: Usual}).Text(reflect.ValueOf(c.x), nil, c.static); got != c.want {
			t.Errorf("%v: %s, want %s", c.x, got, c.want)
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
		{map[string][]int{"b": {1, 2, 3, 4}, "a": nil}, `map["a":[] "b":[1 2 3 … 1 more]]`},
		{[][]int{{1}, {1, 2, 3, 4}}, "[[1] [1 2 3 … 1 more]]"},
		{struct{ A []int }{make([]int, 9)}, "{A:[0 0 0 … 6 more]}"},
		{&[5]string{"a"}, `&["a" "" "" … 2 more]`},
		{strings.Repeat("é", 40), `"` + strings.Repeat("é", 30) + `" … 80 bytes in all`},
		{strings.Repeat("x", 59) + "éa", `"` + strings.Repeat("x", 59) + `" … 62 bytes in all`},
		{[]string{strings.Repeat("a", 25), strings.Repeat("b", 25), strings.Repeat("c", 25)},
			`["` + strings.Repeat("a", 25) + `" "` + strings.Repeat("b", 25) + `" "ccc" … 25 bytes in all`},
		{speaking{7}, "<7>"},
		{[]speaking{{1}, {2}, {3}, {4}}, "[<1> <2> <3> … 1 more]"},
	} {
		if got := text(c.x, l); got != c.want {
			t.Errorf("%T: %q, want %q", c.x, got, c.want)
		}
	}
	if got := text(many, Limits{Items: 3, Bytes: 60, Scan: 100}); got != "map[5,000 entries]" {
		t.Errorf("a map that is not looked through: %q", got)
	}
	if got := text([]any{make([][1000]int, 2000)}, Usual); len(got) > Usual.Bytes+100 ||
		!strings.HasSuffix(got, " … the text goes on") {
		t.Errorf("%d bytes that end with %q", len(got), got[max(0, len(got)-30):])
	}
	loop := make([]any, 2000)
	loop[0] = loop
	if got := text(loop, Limits{Items: 2, Bytes: 60}); got != "[… <nil> … 1,998 more]" {
		t.Errorf("a list that holds itself: %q", got)
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
	if !panics(func() { text(m, l) }) || looked != 1 {
		t.Errorf("looked %d times", looked)
	}
}

func panics(f func()) (did bool) {
	defer func() { did = recover() != nil }()
	f()
	return false
}
