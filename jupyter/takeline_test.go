package jupyter

import (
	"slices"
	"strings"
	"testing"
)

// A question is the line that a cell has begun on stdout last, as long as it has not been sent; the rest stays what it
// is.
func TestTakeLine(t *testing.T) {
	cell, other := &message{rawHeader: emptyObject}, &message{rawHeader: emptyObject}
	for _, c := range []struct {
		name   string
		writes func(p *publisher, out, err *writer)
		want   string
		left   []string
	}{
		{"a question", func(p *publisher, out, err *writer) { out.Write([]byte("first\nname? ")) }, "name? ",
			[]string{"first\n"}},
		{"alone", func(p *publisher, out, err *writer) {
			out.Write([]byte("na"))
			out.Write([]byte("me? "))
		}, "name? ", nil},
		{"a line that has ended", func(p *publisher, out, err *writer) { out.Write([]byte("name?\n")) }, "",
			[]string{"name?\n"}},
		{"sent before", func(p *publisher, out, err *writer) {
			out.Write([]byte("name? "))
			p.flush()
		}, "", []string{"name? "}},
		{"half sent before", func(p *publisher, out, err *writer) {
			out.Write([]byte("na"))
			p.flush()
			out.Write([]byte("me? "))
		}, "me? ", []string{"na"}},
		{"something on stderr behind it", func(p *publisher, out, err *writer) {
			out.Write([]byte("name? "))
			err.Write([]byte("x"))
		}, "", []string{"name? ", "x"}},
		{"another cell's", func(p *publisher, out, err *writer) {
			(&writer{p, other, "stdout"}).Write([]byte("x"))
		}, "", []string{"x"}},
		{"colours", func(p *publisher, out, err *writer) { out.Write([]byte("\x1b[1mname? ")) }, "",
			[]string{"\x1b[1mname? "}},
		{"half a rune", func(p *publisher, out, err *writer) { out.Write([]byte("na\xc3")) }, "", []string{"na\xc3"}},
		{"a picture of dots", func(p *publisher, out, err *writer) {
			out.Write([]byte(strings.Repeat(".", 1000)))
		}, "", []string{strings.Repeat(".", 1000)}},
		{"nothing", func(p *publisher, out, err *writer) {}, "", nil},
	} {
		p, r := recorded()
		c.writes(p, &writer{p, cell, "stdout"}, &writer{p, cell, "stderr"})
		if got := p.takeLine(cell); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
		p.flush()
		for i, s := range c.left {
			c.left[i] = strings.ToValidUTF8(s, "\uFFFD")
		}
		if got := r.texts(t); !slices.Equal(got, c.left) {
			t.Errorf("%s: it leaves %q, want %q", c.name, got, c.left)
		}
	}
}
