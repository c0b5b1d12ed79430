package line

import "strings"

// search is Ctrl-R: the cells of the history that hold what is typed, the newest first.
type search struct {
	query string
	at    int
	from  text // what stood there before
	fails bool
}

func (s *search) prompt() string {
	if s.fails {
		return "(nothing has '" + s.query + "'): "
	}
	return "(history: '" + s.query + "'): "
}

func (e *Editor) startSearch() {
	if e.single {
		return
	}
	e.search = &search{at: len(e.hist.cells), from: e.text}
}

// find goes to the newest cell before at that holds the query, in either case.
func (e *Editor) find(at int) {
	s := e.search
	q := strings.ToLower(s.query)
	e.found(e.hist.older(at, func(c string) bool { return strings.Contains(strings.ToLower(c), q) }))
}

// findNewer goes to the next newer cell that holds the query.
func (e *Editor) findNewer() {
	q := strings.ToLower(e.search.query)
	i := e.hist.newer(e.search.at, func(c string) bool { return strings.Contains(strings.ToLower(c), q) })
	if i == len(e.hist.cells) {
		i = -1
	}
	e.found(i)
}

// found shows the cell that a search has found; -1 is none.
func (e *Editor) found(i int) {
	s := e.search
	if s.fails = i < 0; s.fails {
		e.bell()
		return
	}
	s.at = i
	q := strings.ToLower(s.query)
	cell := e.hist.cells[i]
	e.text.set(cell)
	if n := strings.Index(strings.ToLower(cell), q); n >= 0 && n <= len(cell) {
		e.text.pos = len([]rune(cell[:n]))
	}
}

// searchKey takes a key while searching; false leaves the search and the key is
// taken as any other.
func (e *Editor) searchKey(k rune) bool {
	s := e.search
	switch {
	case k == ctrlR:
		if s.query != "" {
			e.find(s.at)
		}
	case k == ctrlS: // back to newer ones
		if s.query != "" {
			e.findNewer()
		}
	case k == ctrlG || k == ctrlC:
		e.text, e.search = s.from, nil
	case k == backspace || k == ctrlH:
		if r := []rune(s.query); len(r) > 0 {
			s.query = string(r[:len(r)-1])
			e.find(len(e.hist.cells))
		}
	case k >= ' ' && k < keyUp:
		s.query += string(k)
		e.find(min(s.at+1, len(e.hist.cells)))
	case k == enter: // the cell, to be looked at once more
		e.at, e.search = len(e.hist.cells), nil
		e.text.pos = len(e.text.r)
	default:
		e.at, e.search = len(e.hist.cells), nil
		return k == keyNone
	}
	return true
}
