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
		{"longerthanthewidth x", 6, "longerthanthewidth\nx"},
	} {
		if got := wrap(c.text, c.width); got != c.want {
			t.Errorf("%q at %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}
