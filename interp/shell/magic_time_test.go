package shell_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"
	"time"
)

// TestTimeitSetup: the first line of %%timeit is run before the loops, is not timed, and leaves no names.
func TestTimeitSetup(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	celltest.Cell(s, "n, m := 0, 0")
	got := celltest.Cell(s, "%%timeit -n 10 -r 3 n++; k, unused := 2, 3\nm += k\nm")
	if !strings.Contains(got, "3 runs of 10)") {
		t.Fatal(got)
	}
	if got := celltest.Cell(s, "n, m"); got != "3\n60\n" {
		t.Errorf("n and m are %q, want 3 set-ups and 30 loops", got)
	}
	if got := celltest.Cell(s, "k"); !strings.Contains(got, "undefined: k") {
		t.Errorf("k is %q", got)
	}
	for _, c := range []struct{ src, want string }{
		{"%%timeit -n 1 -r 2 time.Sleep(100*time.Millisecond)\nm++", "not 100 ms"},
		{"%%timeit q := 1\nq + nope", "2:5: undefined: nope\n    q + nope\n        ^"},
		{"%%timeit q := nope\nq + 1", "1:6: undefined: nope"},
		{"%%timeit x := Ones(2)\nx @ x", "per loop"},
		{"%%timeit\nx := Ones(2)\nx @ x", "per loop"},
		{"%%timeit -n 2 x := Ones(2)\n", "of 2)"},
		{"m = 0\n%%timeit -n 2 -r 1\nm++\nm++", "of 2)"},
		{"m", "4\n"}, // no line of those is a set-up
	} {
		got := celltest.Cell(s, c.src)
		if c.want == "not 100 ms" {
			mean, _, _ := strings.Cut(got, " ± ")
			if d, err := time.ParseDuration(strings.ReplaceAll(mean, " ", "")); err != nil || d >= 100*time.Millisecond {
				t.Errorf("%q times its set-up: %s, %v", c.src, got, err)
			}
		} else if !strings.Contains(got, c.want) {
			t.Errorf("%q gives %q, want %q", c.src, got, c.want)
		}
	}
}
