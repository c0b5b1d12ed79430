package interp

// textsKept is how many bytes of cells' texts a session keeps if its options do not say.
const textsKept = 32 << 20

// texts are what was typed: what In shows, and the lines that messages and help quote. A text that is typed again is
// kept once.
type texts struct {
	limit int
	bytes int
	uses  map[string]*use
	order []typed // the oldest first
}

// use is a text and how many cells it is the text of.
type use struct {
	text string
	n    int
}

// typed is a cell: its number, and those of the texts that were given to the engine for it.
type typed struct {
	n, from, to int
	text        string
}

// one gives the text that is kept for src, if there is one, so that no two are.
func (t *texts) one(src string) string {
	if u := t.uses[src]; u != nil {
		return u.text
	}
	return src
}

// add keeps the text of a cell, and gives the oldest cells that there is no room for any more; the last one always
// stays.
func (t *texts) add(c typed) (gone []typed) {
	if t.uses == nil {
		t.uses = map[string]*use{}
	}
	u := t.uses[c.text]
	if u == nil {
		u = &use{text: c.text}
		t.uses[c.text] = u
		t.bytes += len(c.text)
	}
	u.n++
	t.order = append(t.order, c)
	for t.bytes > t.limit && len(t.order) > 1 {
		old := t.order[0]
		if u := t.uses[old.text]; u.n > 1 {
			u.n--
		} else {
			delete(t.uses, old.text)
			t.bytes -= len(old.text)
		}
		gone = append(gone, old)
		t.order = t.order[1:]
	}
	return gone
}

// keepText keeps the text of cell n, which gave the engine the texts from a number on.
func (s *Session) keepText(n, from int, src string) {
	s.outs.in[n] = src
	for _, old := range s.texts.add(typed{n, from, s.serial, src}) {
		if s.outs.in[old.n] == old.text {
			delete(s.outs.in, old.n)
		}
		for k := old.from; k <= old.to; k++ {
			delete(s.cells, k)
		}
	}
}
