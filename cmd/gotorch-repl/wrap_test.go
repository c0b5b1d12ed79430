package main

import "testing"

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"short", 10, "short"},
		{"one two three four", 9, "one two\nthree\nfour"},
		{"a\n\n\tsum(x, y, z)", 12, "a\n\n    sum(x,\n    y, z)"},
		{"日本 日本 日本", 9, "日本 日本\n日本"},
		{"            far right", 16, "       far right"},
		{"            far far to the right", 16, "    far far to\n    the right"},
		{"longerthanthewidth x", 6, "longerthanthewidth\nx"},
	} {
		if got := wrap(c.text, c.width); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestWrapMessage(t *testing.T) {
	text := "\x1b[31merror: \x1b[0m\x1b[31m1:1: one two three\n    a line of source that stays\n    ^\n  at In[1]:1 in " +
		"f\x1b[0m"
	want := "\x1b[31merror: \x1b[0m\x1b[31m1:1: one\ntwo three\n    a line of source that stays\n    ^\n  at In[1]:1 " +
		"in f\x1b[0m"
	if got := wrapMessage(text, 16); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	picture := "  x      2      3   shape\n  Read from the right: sizes\n      x + Ones(3) + 4 + 5\n"
	want = "  x      2      3   shape\n  Read from the\n  right: sizes\n      x + Ones(3) + 4 + 5\n"
	if got := wrapMessage(picture, 16); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
