package rt_test

import (
	"context"
	"runtime"
	"runtime/metrics"
	"strings"
	"testing"
	"time"

	"gotorch/interp"
	"gotorch/tensor"
)

// These tests look at what the whole process holds, and so are not among those of package interp.

// larges are cells that ask in one step for more than the budget of 256 MiB leaves; want is part of the message.
var larges = []struct{ name, src, want string }{
	{"s += s", "s := \"x\"\nfor { s += s }", "+: a text of "},
	{"s = s + s", "s := \"x\"\nfor { s = s + s }", "+: a text of"},
	{"s += s of a function", "func f() { s := \"x\"; for { s += s } }\nf()", "+: a text of"},
	{"a field", "var t struct{ s string }\nt.s = \"x\"\nfor { t.s += t.s }", "+: a text of"},
	{"a map", "m := map[string]string{\"a\": \"x\"}\nfor { m[\"a\"] += m[\"a\"] }", "+: a text of"},
	{"three", "s := strings.Repeat(\"x\", 180<<20)\nt := s + s + s", "+: a text of 540 MiB"},
	{"returned", "func f(s string) string { return s + s }\nf(strings.Repeat(\"x\", 220<<20))",
		"+: a text of 440 MiB"},
	{"returned, with defer",
		"func f(s string) (r string) { defer func() {}(); return s + s }\nf(strings.Repeat(\"x\", 220<<20))",
		"+: a text of 440 MiB"},
	{"an argument", "s := strings.Repeat(\"x\", 220<<20)\nlen(s + s)", "+: a text of 440 MiB"},
	{"a declared type", "type T string\nt := T(\"x\")\nfor { t += t }", "+: a text of"},
	{"a generic function",
		"func Twice[S ~string](s S) S { return s + s }\ntype T string\nt := T(\"x\")\nfor { t = Twice(t) }",
		"+: a text of"},
	{"a var", "var s = strings.Repeat(\"x\", 220<<20)\nvar t string = s + s", "+: a text of 440 MiB"},
	{"with a constant", "s := strings.Repeat(\"x\", 240<<20)\ns += \"x\"", "+: a text of 240 MiB"},
	{"append of itself", "b := []byte{1}\nfor { b = append(b, b...) }", "append: "},
	{"append of words", "b := []int{1}\nfor { b = append(b, b...) }", "elements of 8 bytes to the"},
	{"append, returned", "func f[E any](a, b []E) []E { return append(a, b...) }\nb := make([]byte, 220<<20)\nf(b, b)",
		"append: 230686720 elements of 1 bytes to the 230686720"},
	{"append of one", "b := make([]int, 20<<20)\nb = append(b, 1)",
		"append: 1 elements of 8 bytes to the 20971520 that are there take 200 MiB"},
	{"append to nothing", "b := make([]byte, 240<<20)\nc := append([]byte(nil), b...)", "append: 251658240 elements"},
	{"append of a text", "s := strings.Repeat(\"x\", 240<<20)\nb := append([]byte{}, s...)",
		"append: 251658240 elements"},
	{"bytes of a text", "s := strings.Repeat(\"x\", 240<<20)\nb := []byte(s)", "240 MiB"},
	{"text of bytes", "b := make([]byte, 240<<20)\ns := string(b)", "240 MiB"},
	{"runes of a text", "s := strings.Repeat(\"x\", 120<<20)\nr := []rune(s)", "480 MiB"},
	{"slices.Concat", "b := make([]byte, 220<<20)\nc := slices.Concat(b, b)", "append: "},
	{"slices.Repeat", "b := slices.Repeat([]int{1, 2}, 30<<20)", "480 MiB"},
	{"slices.Grow", "b := slices.Grow([]int{1, 2}, 60<<20)", "480 MiB"},
	{"slices.Insert", "b := make([]byte, 220<<20)\nc := slices.Insert(b, 3, b...)", "440 MiB"},
	{"strings.Join", "s := strings.Repeat(\"x\", 110<<20)\nt := strings.Join([]string{s, s, s, s}, \"-\")",
		"strings.Join: the result takes 440 MiB"},
	{"strings.ReplaceAll",
		"s := strings.Repeat(\"x\", 20<<20)\nt := strings.ReplaceAll(s, \"x\", \"0123456789012345678901234\")",
		"strings.ReplaceAll: the result takes 500 MiB"},
	{"strings.Replace", "s := strings.Repeat(\"x\", 100)\nt := strings.Replace(s, \"x\", strings.Repeat(\"y\", " +
		"6<<20), 90)", "strings.Replace: the result takes 540 MiB"},
	{"bytes.ReplaceAll", "s := bytes.Repeat([]byte(\"x\"), 20<<20)\nt := bytes.ReplaceAll(s, []byte(\"x\"), " +
		"[]byte(\"0123456789012345678901234\"))", "bytes.ReplaceAll: the result takes 500 MiB"},
	{"bytes.Join", "s := bytes.Repeat([]byte(\"x\"), 110<<20)\nt := bytes.Join([][]byte{s, s, s, s}, nil)",
		"bytes.Join: the result takes 440 MiB"},
	{"a channel", "c := make(chan [1 << 10]int, 60<<10)", "480 MiB"},
	{"a map's size", "m := make(map[int]int, 40<<20)", "MiB"},
}

// TestLargeSteps: what would make too much of what is there is rejected before it is made.
func TestLargeSteps(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	old := tensor.MemoryBudget()
	defer tensor.SetMemoryBudget(old)
	for _, c := range larges {
		t.Run(c.name, func(t *testing.T) {
			cell(s, "%reset")
			cell(s, "keep := 41\nfunc f() {}") // the function of another row may hold what it was called with
			base := heap()
			tensor.SetMemoryBudget(base + 256<<20)
			most := peak()
			_, err := s.Eval(t.Context(), c.src, interp.Discard)
			e, ok := err.(*interp.Error)
			if !ok || !strings.Contains(e.Text(), c.want) || !strings.Contains(e.Text(), " left") {
				t.Errorf("want %q: %v", c.want, err)
			}
			if m := most(); m > tensor.MemoryBudget()+64<<20 {
				t.Errorf("%d MiB of %d were in use", m>>20, tensor.MemoryBudget()>>20)
			}
			if got := cell(s, "keep + 1"); got != "42" {
				t.Errorf("the session did not keep its values: %q", got)
			}
		})
	}
}

// TestLargeStepsSayWhere: the line is that of the statement.
func TestLargeStepsSayWhere(t *testing.T) {
	old := tensor.MemoryBudget()
	defer tensor.SetMemoryBudget(old)
	s := interp.New(interp.Options{})
	defer s.Close()
	tensor.SetMemoryBudget(heap() + 64<<20)
	_, err := s.Eval(t.Context(),
		"func grow(s string) string {\n\tfor {\n\t\ts += s\n\t}\n\treturn s\n}\nt := grow(\"x\")", interp.Discard)
	e, ok := err.(*interp.Error)
	if !ok || e.Line != 3 || e.Source != "\t\ts += s" || len(e.Frames) == 0 || e.Frames[0].Func != "grow" {
		t.Errorf("%+v", err)
	}
}

func cell(s *interp.Session, src string) string {
	vals, err := s.Eval(context.Background(), src, interp.Discard)
	if err != nil || len(vals) == 0 {
		return ""
	}
	return vals[0].Text
}

func heap() int {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// peak watches how many bytes the heap's objects take, until what it gives is called.
func peak() func() int {
	stop, most := make(chan struct{}), make(chan int)
	go func() {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for n := 0; ; time.Sleep(time.Millisecond) {
			metrics.Read(s)
			n = max(n, int(s[0].Value.Uint64()))
			select {
			case <-stop:
				most <- n
				return
			default:
			}
		}
	}()
	return func() int { close(stop); return <-most }
}
