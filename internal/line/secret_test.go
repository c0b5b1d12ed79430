package line

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// What is typed in secret is not on the screen, and none of the keys brings it back later.
func TestSecret(t *testing.T) {
	for _, c := range []struct {
		keys, want string
		err        error
	}{
		{"hunter2\r", "hunter2", nil},
		{"hunterx\x7f2\r", "hunter2", nil},
		{"no\x15yes\x08\r", "ye", nil},
		{"p\u00e4\u4e16\r", "p\u00e4\u4e16", nil},
		{"a" + kUp + kLeft + "\x12\x01\tb\r", "ab", nil},
		{pasted0 + "a\tb\n" + pasted1 + "\r", "a\tb", nil}, // the end of a line that was copied with it
		{"\r", "", nil},
		{"hunter2\x03", "hunter2", ErrInterrupt},
		{"\x04", "", io.EOF},
		{"a\x04b\r", "ab", nil},
		{"", "", io.EOF},
	} {
		f := newFake(40, 10, c.keys)
		e := New(Config{Terminal: f, Whole: wholeBraces})
		e.Write([]byte("first\npassword: "))
		got, err := e.Secret()
		if c.err == nil && got != c.want || !errors.Is(err, c.err) {
			t.Errorf("%q: %q, %v; want %q, %v", c.keys, got, err, c.want, c.err)
		}
		screen := strings.TrimSuffix(strings.TrimRight(f.screen(false), "\n "), "^C")
		if screen != "first\npassword:" && screen != "first\npassword: " {
			t.Errorf("%q shows %q", c.keys, screen)
		}
		after := newFake(40, 10, "\x19\x1f\x19x\r") // Ctrl-Y and Ctrl-_
		e.term = after
		if got, err := e.Read("> ", ". "); got != "x" || err != nil || len(e.hist.cells) != 1 {
			t.Errorf("%q leaves %q, %v, %q", c.keys, got, err, e.hist.cells)
		}
	}
}
