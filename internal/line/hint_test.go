package line

import (
	"strings"
	"testing"
)

// oneCall is a hint for the innermost call: f takes three arguments.
func oneCall(src string, at int) Hint {
	open := strings.LastIndexByte(src[:at], '(')
	if open < strings.LastIndexByte(src[:at], ')') {
		return Hint{}
	}
	params := []string{"first int", "second []string", "third float64"}
	n := min(strings.Count(src[open:at], ","), 2)
	h := Hint{Before: "f(" + strings.Join(params[:n], ", "), Current: params[n]}
	if n > 0 {
		h.Before += ", "
	}
	for _, p := range params[n+1:] {
		h.After += ", " + p
	}
	h.After += ")"
	return h
}

// TestHint: it stands beneath the cell while a call is typed, and goes away.
func TestHint(t *testing.T) {
	cfg := Config{Hint: oneCall}
	for _, tc := range []struct {
		w    int
		keys string
		want string
	}{
		{80, "f", "> f▮"},
		{80, "f(", "> f(▮\n    f(‹first int›, second []string, third float64)"},
		{80, "f(1, ", "> f(1, ▮\n    f(first int, ‹second []string›, third float64)"},
		{80, "f(1)", "> f(1)▮"},
		{80, "f(1\x7f\x7f", "> f▮"},
		{40, "f(1, 2, ", "> f(1, 2, ▮\n    f(… ‹third float64›)"},
		{40, "f(1, ", "> f(1, ▮\n    f(first int, ‹second []string›, th…"},
		{16, "f(1, ", "> f(1, ▮\n    ‹second []…"},
		{80, "x {\rf(", "> x {\n. \tf(▮\n    f(‹first int›, second []string, third float64)"},
	} {
		want := strings.ReplaceAll(tc.want, "\t", "    ")
		if got := live(tc.w, 10, tc.keys, cfg); got != want {
			t.Errorf("%q in %d columns:\n%s\nwant\n%s", tc.keys, tc.w, got, want)
		}
	}
	if got := live(80, 2, "f(", cfg); !strings.HasPrefix(got, "> f(▮") || strings.Contains(got, "\n> ") {
		t.Errorf("in two rows:\n%s", got)
	}
	if _, screen, _ := typed(t, 80, 10, "f(1, \r", cfg); strings.Contains(screen, "first") {
		t.Errorf("it stays:\n%s", screen)
	}
	cfg.Complete = words("alpha", "alphabet")
	if got := live(80, 10, "f(al\t", cfg); strings.Contains(got, "first") || !strings.Contains(got, "alphabet") {
		t.Errorf("the menu has its place:\n%s", got)
	}
}
