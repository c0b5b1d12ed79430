package draw

import "strings"

// maxMarked is how many elements of a text are linked one by one; of larger texts, up to mostMarked elements, it is
// the lines.
const maxMarked, mostMarked = 256, 1000

// Text is the text of the tensor as HTML, with the marks of its elements, or of its lines where they are many. A text
// that does not have all elements has no marks.
func (e *Elements) Text(text string) string {
	if e == nil || !Linked() {
		return Escape(text)
	}
	all := 1
	for _, d := range e.Shape {
		all *= d
	}
	from, to := strings.IndexByte(text, '['), strings.LastIndexByte(text, ']')
	if from < 0 || all == 0 || all > mostMarked {
		return Escape(text)
	}
	// The text ends with the dtype or the like, of which the brackets are not those of the elements.
	for depth, i := 0, from; i <= to; i++ {
		switch text[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				to = i
			}
		}
	}
	var b strings.Builder
	n := 0
	b.WriteString(Escape(text[:from]))
	for i, line := range strings.Split(text[from:to], "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		first := n
		var one strings.Builder
		for line != "" {
			if at := strings.IndexAny(line, "[], "); at == 0 {
				one.WriteByte(line[0])
				line = line[1:]
				continue
			} else if at < 0 {
				at = len(line)
				e.number(&one, line[:at], n, all)
				line = ""
			} else {
				e.number(&one, line[:at], n, all)
				line = line[at:]
			}
			n++
		}
		e.line(&b, one.String(), first, n, all)
	}
	if n != all {
		return Escape(text)
	}
	b.WriteString(Escape(text[to:]))
	return b.String()
}

// number writes the number of an element.
func (e *Elements) number(b *strings.Builder, text string, n, all int) {
	if all > maxMarked || n >= all {
		b.WriteString(Escape(text))
		return
	}
	b.WriteString("<span" + e.Mark(e.Index(n)...) + ">" + Escape(text) + "</span>")
}

// line writes a line with the elements from first to before n; it has a mark where it is a whole row and the elements
// have none.
func (e *Elements) line(b *strings.Builder, text string, first, n, all int) {
	mark := ""
	if d := len(e.Shape); all > maxMarked && d > 1 && n-first == e.Shape[d-1] && first%e.Shape[d-1] == 0 {
		mark = e.MarkAll(e.Index(first)[:d-1]...)
	}
	if mark == "" {
		b.WriteString(text)
		return
	}
	b.WriteString("<span" + mark + ">" + text + "</span>")
}
