package interp

// inputsKept is how many bytes of sources of cells a session keeps if its options do not say.
const inputsKept = 32 << 20

// inputs are the sources of cells: In shows them, messages and help quote them. Equal ones are stored once.
type inputs struct {
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

// typed is a cell: its number, and the numbers of the sources that were submitted to the engine for it.
type typed struct {
	n, from, to int
	text        string
}

// one returns the stored text that equals src, or src.
func (t *inputs) one(src string) string {
	if u := t.uses[src]; u != nil {
		return u.text
	}
	return src
}

// add stores the text of a cell and returns the oldest cells, for which there is no room any more; the newest always
// stays.
func (t *inputs) add(c typed) (gone []typed) {
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

// rememberText stores the text of cell n, whose sources begin at number from.
func (s *Session) rememberText(n, from int, src string) {
	s.history.in[n] = src
	for _, old := range s.inputs.add(typed{n, from, s.serial, src}) {
		if s.history.in[old.n] == old.text {
			delete(s.history.in, old.n)
		}
		for k := old.from; k <= old.to; k++ {
			delete(s.cells, k)
		}
	}
}
