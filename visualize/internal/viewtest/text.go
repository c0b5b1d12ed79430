package viewtest

import (
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"gotorch/visualize/draw"
)

// CheckText holds a text for a terminal: nothing in it moves the cursor, and every line is as wide as lines are.
func CheckText(t testing.TB, v draw.View) {
	t.Helper()
	text := v.Text(false)
	if !utf8.ValidString(text) {
		t.Errorf("%T: the text is no UTF-8", v)
	}
	for _, r := range text {
		if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e ||
			r >= 0x2066 && r <= 0x2069 || r == 0x2028 {
			t.Errorf("%T: the text has %U", v, r)
			return
		}
	}
	for line := range strings.Lines(text) {
		if w := draw.Width(line); w > 1200 {
			t.Errorf("%T: a line of %d columns: %.200s", v, w, line)
			return
		}
	}
}

// IsNil reports whether there is no view: Explain gives none for what it cannot draw.
func IsNil(v draw.View) bool { return v == nil || reflect.ValueOf(v).IsNil() }
