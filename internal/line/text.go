package line

import (
	"slices"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
)

// text is what is being edited: runes, lines between '\n', and a cursor that
// stands before the rune at pos.
type text struct {
	r   []rune
	pos int
}

func (t *text) String() string { return string(t.r) }

func (t *text) set(s string) { t.r = []rune(s); t.pos = len(t.r) }

// insert puts runes at the cursor. A paste is inserted one by one: the room grows ahead of it.
func (t *text) insert(rs ...rune) {
	t.r = slices.Insert(t.r, t.pos, rs...)
	t.pos += len(rs)
}

// remove takes the runes from a to b away and gives them.
func (t *text) remove(a, b int) string {
	gone := string(t.r[a:b])
	t.r = append(t.r[:a:a], t.r[b:]...)
	switch {
	case t.pos >= b:
		t.pos -= b - a
	case t.pos > a:
		t.pos = a
	}
	return gone
}

// lineStart and lineEnd bound the line that holds at.
func (t *text) lineStart(at int) int {
	for at > 0 && t.r[at-1] != '\n' {
		at--
	}
	return at
}

func (t *text) lineEnd(at int) int {
	for at < len(t.r) && t.r[at] != '\n' {
		at++
	}
	return at
}

// before is the text before the cursor in its line.
func (t *text) before() string { return string(t.r[t.lineStart(t.pos):t.pos]) }

func (t *text) onFirstLine() bool { return t.lineStart(t.pos) == 0 }
func (t *text) onLastLine() bool  { return t.lineEnd(t.pos) == len(t.r) }

// left is where what a user sees as one character begins before the cursor.
func (t *text) left() int {
	if t.pos == 0 {
		return 0
	}
	start := t.lineStart(t.pos)
	if start == t.pos {
		return t.pos - 1
	}
	rest, state, n := string(t.r[start:t.pos]), -1, 0
	for rest != "" {
		var c string
		c, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		n = len([]rune(c))
	}
	return t.pos - n
}

// right is where the character after the cursor ends.
func (t *text) right() int {
	if t.pos == len(t.r) {
		return t.pos
	}
	c, _, _, _ := uniseg.FirstGraphemeClusterInString(string(t.r[t.pos:t.lineEnd(t.pos+1)]), -1)
	return t.pos + len([]rune(c))
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// wordLeft is the beginning of the word before the cursor.
func (t *text) wordLeft() int {
	at := t.pos
	for at > 0 && !isWord(t.r[at-1]) {
		at--
	}
	for at > 0 && isWord(t.r[at-1]) {
		at--
	}
	return at
}

// spaceLeft is the beginning of what stands between spaces before the cursor.
func (t *text) spaceLeft() int {
	at := t.pos
	for at > 0 && unicode.IsSpace(t.r[at-1]) {
		at--
	}
	for at > 0 && !unicode.IsSpace(t.r[at-1]) {
		at--
	}
	return at
}

// wordRight is the end of the word after the cursor.
func (t *text) wordRight() int {
	at := t.pos
	for at < len(t.r) && !isWord(t.r[at]) {
		at++
	}
	for at < len(t.r) && isWord(t.r[at]) {
		at++
	}
	return at
}

// vertical moves the cursor a line up or down and keeps its column where it can.
func (t *text) vertical(down bool) {
	start := t.lineStart(t.pos)
	col := t.pos - start
	if down {
		start = t.lineEnd(t.pos) + 1
	} else {
		start = t.lineStart(start - 1)
	}
	t.pos = min(start+col, t.lineEnd(start))
}

// transpose exchanges the characters about the cursor.
func (t *text) transpose() {
	if t.pos == t.lineEnd(t.pos) && t.pos > 0 {
		t.pos--
	}
	if t.pos == 0 || t.pos >= len(t.r) || t.r[t.pos-1] == '\n' || t.r[t.pos] == '\n' {
		return
	}
	t.r[t.pos-1], t.r[t.pos] = t.r[t.pos], t.r[t.pos-1]
	t.pos++
}

// offset is the cursor in bytes.
func (t *text) offset() int { return len(string(t.r[:t.pos])) }

// plain is a text without what a terminal would obey.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, s)
}
