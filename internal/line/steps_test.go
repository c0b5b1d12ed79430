package line

import (
	"fmt"
	"strings"
	"testing"
)

// TestStep: keys go to the frames that they say, and the frame that was seen last stays.
func TestStep(t *testing.T) {
	for _, c := range []struct {
		keys, want string
		seen       int // before the last key
	}{
		{"q", "frame 0", 0},
		{"nnq", "frame 2", 2},
		{"\r\r\x03", "frame 2", 2},
		{"n pq", "frame 1", 1},
		{"pq", "frame 0", 0},
		{"Gnq", "frame 3", 3},
		{"Ggq", "frame 0", 0},
		{kRight + kDown + kLeft + "q", "frame 1", 1},
		{"x\x1b[99~q", "frame 0", 0},
		{"\r\r\r\r", "frame 3", 3}, // Enter at the last one leaves
		{"", "frame 0", 0},         // the end of the input does too
	} {
		f := newFake(40, 10, c.keys)
		e := New(Config{Terminal: f})
		var before string
		f.onKeys = func(left int) {
			if left <= 1 {
				before = f.screen(false)
			}
		}
		if err := e.Step(4, func(i int) string { return fmt.Sprintf("frame %d\n\x1b[31mred\x1b[0m", i) }); err != nil {
			t.Fatal(err)
		}
		if got := f.screen(false); got != c.want+"\nred\n" && got != c.want+"\nred" {
			t.Errorf("%q leaves %q, want %q", c.keys, got, c.want)
		}
		if !strings.HasPrefix(before, c.want) && c.keys != "" ||
			!strings.Contains(before, fmt.Sprintf("[%d of 4]", c.seen+1)) {
			t.Errorf("%q shows %q", c.keys, before)
		}
	}
	if e := New(Config{Terminal: newFake(40, 10, "")}); e.Step(0, nil) == nil {
		t.Error("no steps are shown")
	}
}

// TestStepSizes: rows are cut to the terminal's width, and a frame that is too high keeps its heading and its end.
func TestStepSizes(t *testing.T) {
	f := newFake(20, 6, "q")
	var rows []string
	for i := range 12 {
		rows = append(rows, fmt.Sprintf("\x1b[1mrow %d\x1b[0m of 日本語 and so on and on", i))
	}
	New(Config{Terminal: f}).Step(1, func(int) string { return strings.Join(rows, "\n") })
	want := "row 0 of 日本語 an…\n⋮ 9 rows\nrow 10 of 日本語 a…\nrow 11 of 日本語 a…"
	if got := strings.TrimRight(f.screen(false), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for _, c := range []struct{ in, want string }{
		{"abc", "abc"}, {"\x1b[31mabcdef", "\x1b[31mabc…\x1b[0m"},
		{"\x1b[31mabc\x1b[0md", "\x1b[31mabc\x1b[0md"}, {"日本語", "日…"},
	} {
		if got := cutColored(c.in, 4); got != c.want {
			t.Errorf("%q is cut to %q, want %q", c.in, got, c.want)
		}
	}
}
