package fold

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"gotorch/visualize/draw"
)

// layers is a model of n layers of three calls each, two of them in modules, with a call before and one after them.
func layers(n int) (calls []Call) {
	put := func(op string, path ...string) {
		calls = append(calls, Call{Op: op, Exact: op, Like: op, Path: path})
	}
	put("embed", "m", "in")
	for i := range n {
		layer := fmt.Sprintf("layers.%d", i)
		put("mm", "m", layer, "a")
		put("relu", "m", layer)
		put("add", "m", layer, "b")
		put("bias", "m", layer, "b")
	}
	put("sum")
	return calls
}

// outline writes groups in lines.
func outline(calls []Call, groups []Group, indent string) (out []string) {
	for _, g := range groups {
		s := g.Title
		if g.One() {
			s = calls[g.Lo].Op
		}
		if g.Times > 0 {
			s += fmt.Sprintf(" × %d of %d", g.Times, g.Period)
		}
		if g.Closed {
			s += " = " + calls[g.Only].Op
		}
		if g.Same {
			s += " again"
		}
		out = append(out, indent+s)
		if !g.Closed {
			out = append(out, outline(calls, g.Inner, indent+" ")...)
		}
	}
	return out
}

// TestTreeByModule: layers that compute the same are written once, a module of one operator is a line.
func TestTreeByModule(t *testing.T) {
	for _, n := range []int{3, 4, 12} {
		calls := layers(n)
		want := []string{"m", " in = embed", fmt.Sprintf(" layers.0 … layers.%d × %d of 4", n-1, n),
			"  a = mm", "  relu", "  b", "   add", "   bias", "sum"}
		if got := outline(calls, Tree(calls), ""); !slices.Equal(got, want) {
			t.Errorf("%d layers:\n%s", n, strings.Join(got, "\n"))
		}
	}
	calls := layers(7)
	calls[13].Like = "mm of another shape" // that of layer 3
	want := "layers.0 … layers.2 × 3 of 4|layers.3|layers.4 … layers.6 × 3 of 4"
	var got []string
	for _, g := range Tree(calls)[0].Inner[1:] {
		got = append(got, outline(calls, []Group{g}, "")[0])
	}
	if s := strings.Join(got, "|"); s != want {
		t.Error(s)
	}
}

// TestTreeByFunction: calls of one function stand under its name; rounds of a loop once.
func TestTreeByFunction(t *testing.T) {
	var calls []Call
	put := func(f string, ops ...string) {
		for _, op := range ops {
			calls = append(calls, Call{Op: op, Exact: op + f, Like: op, Func: f})
		}
	}
	for range 4 {
		put("func f", "a", "b", "c")
		put("func g", "d")
	}
	want := "func f, func g × 4 of 4| func f|  a|  b|  c| d"
	if got := strings.Join(outline(calls, Tree(calls), ""), "|"); got != want {
		t.Error(got)
	}
	calls = nil
	put("func f", "a", "b", "c")
	put("func g", "d")
	put("func h", "e")
	put("func f", "a", "b", "c")
	want = "func f| a| b| c|d|e|func f again"
	if got := strings.Join(outline(calls, Tree(calls), ""), "|"); got != want {
		t.Error(got)
	}
}

// TestTreeHoldsAll: whatever the calls, the groups of each level follow each other without a gap, within what is
// around them.
func TestTreeHoldsAll(t *testing.T) {
	var check func(groups []Group, lo, hi int)
	check = func(groups []Group, lo, hi int) {
		for _, g := range groups {
			if g.Lo != lo || g.Hi <= g.Lo {
				t.Fatalf("calls %d to %d follow %d", g.Lo, g.Hi, lo)
			}
			if n := g.Hi - g.Lo; g.Times > 0 && g.Times < 2 || g.Times > n || g.Period > n {
				t.Errorf("%d times %d calls of %d", g.Times, g.Period, n)
			}
			if g.Times == 0 && len(g.Inner) > 0 {
				check(g.Inner, g.Lo, g.Hi)
			}
			lo = g.Hi
		}
		if lo != hi {
			t.Fatalf("the groups end at %d of %d", lo, hi)
		}
	}
	state := uint32(1)
	random := func(n int) int {
		state = state*1664525 + 1013904223
		return int(state>>8) % n
	}
	for range 300 {
		var calls []Call
		for range random(60) + 1 {
			op := string(rune('a' + random(3)))
			c := Call{Op: op, Exact: op, Like: op, Func: []string{"", "f", "g"}[random(3)]}
			if random(4) > 0 {
				c.Path = []string{"m", fmt.Sprint("l.", random(3)), "w"}[:1+random(3)]
			}
			if random(5) == 0 {
				c.Like = ""
			}
			calls = append(calls, c)
		}
		check(Tree(calls), 0, len(calls))
	}
}

// TestRows: where there is no room the deepest steps are left out first; a flat list says how many are missing.
func TestRows(t *testing.T) {
	step := func(head string, steps ...Step) Step { return Step{Head: head, Group: true, Steps: steps} }
	var layers, flat []Step
	for i := range 10 {
		layers = append(layers, step(fmt.Sprint("layer ", i), step("a", Step{Head: "x"}, Step{Head: "y"}), step("b")))
	}
	for i := range 50 {
		flat = append(flat, Step{Head: fmt.Sprint("call ", i)})
	}
	if s := Text([]Step{step("model", layers...)}, 200, true, false); strings.Count(s, "\n") != 51 {
		t.Error(s)
	}
	s := Text([]Step{step("model", layers...)}, 20, true, false)
	if strings.Count(s, "\n") != 11 || !strings.Contains(s, "layer 9") || strings.Contains(s, "more") {
		t.Error(s)
	}
	if s := Text(flat, 20, false, false); !strings.Contains(s, "more calls") || strings.Count(s, "\n") > 20 {
		t.Error(s)
	}
	for _, line := range strings.Split(Text(layers, 20, true, false), "\n") {
		if draw.Width(line) > 80 {
			t.Error(line)
		}
	}
	page := Page([]Step{step("model", layers...)}, 1<<20)
	if strings.Count(page, "<details") != 21 || strings.Contains(page, "left out") {
		t.Error(page)
	}
	if page := Page(flat, 500); !strings.Contains(page, "more steps left out") {
		t.Error(page)
	}
}
