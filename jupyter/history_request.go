package jupyter

import (
	"slices"
	"strings"
	"unicode/utf8"
)

type historyQuery struct {
	Output  bool   `json:"output"`
	Access  string `json:"hist_access_type"`
	Session int    `json:"session"`
	Start   int    `json:"start"`
	Stop    *int   `json:"stop"`
	N       *int   `json:"n"`
	Pattern string `json:"pattern"`
	Unique  bool   `json:"unique"`
}

// historyRequest answers with [session, line, input] for each cell that is asked for, oldest first,
// or with [session, line, [input, output]] if outputs are wanted too.
func (k *kernel) historyRequest(r *request) (map[string]any, error) {
	var q historyQuery
	if err := r.read(&q); err != nil {
		return nil, err
	}
	found, err := k.history.find(q)
	if err != nil {
		return failed(&Failure{Name: "HistoryError", Value: err.Error()}), nil
	}
	rows := make([]any, len(found))
	for i, e := range found {
		if q.Output {
			rows[i] = []any{e.Session, e.Line, []any{e.Input, e.Output}}
		} else {
			rows[i] = []any{e.Session, e.Line, e.Input}
		}
	}
	return map[string]any{"history": rows}, nil
}

// find returns the cells that are asked for, when all that were typed before are noted.
func (h *history) find(q historyQuery) (found []entry, err error) {
	var all []entry
	var session int
	err = h.do(func() { all, session = h.all(), h.file.session }, historyWait)
	if err != nil {
		return nil, err // and all belongs to a goroutine that may still come to it
	}
	return q.of(all, session), nil
}

// of returns those of all cells that are asked for in a session.
func (q historyQuery) of(all []entry, session int) (found []entry) {
	switch q.Access {
	case "range":
		if q.Session > 0 {
			session = q.Session
		} else { // 0 is this session, -1 the one before
			session += q.Session
		}
		for _, e := range all {
			if e.Session == session && e.Line >= q.Start && (q.Stop == nil || e.Line < *q.Stop) {
				found = append(found, e)
			}
		}
		return found
	case "search":
		pattern := q.Pattern
		if pattern == "" {
			pattern = "*"
		}
		for _, e := range all {
			if glob(pattern, e.Input) {
				found = append(found, e)
			}
		}
		if q.Unique {
			found = latestOfEach(found)
		}
	case "tail", "":
		found = all
	}
	if q.N != nil && *q.N >= 0 && len(found) > *q.N {
		found = found[len(found)-*q.N:]
	}
	return found
}

// latestOfEach keeps the last entry of every input.
func latestOfEach(es []entry) []entry {
	seen := map[string]bool{}
	var kept []entry
	for _, e := range slices.Backward(es) {
		if !seen[e.Input] {
			seen[e.Input] = true
			kept = append(kept, e)
		}
	}
	slices.Reverse(kept)
	return kept
}

// glob matches all of text: * is any text, ? any character, [a-z] one of several, [^a-z] one of the
// others.
func glob(pattern, text string) bool {
	// back is where to try again: after the last *, one character of text further on.
	backPattern, backText := -1, 0
	p, t := 0, 0
	for t < len(text) {
		if p < len(pattern) && pattern[p] == '*' {
			p++
			backPattern, backText = p, t
			continue
		}
		r, n := utf8.DecodeRuneInString(text[t:])
		if size := globOne(pattern[p:], r); size > 0 {
			p += size
			t += n
			continue
		}
		if backPattern < 0 {
			return false
		}
		_, n = utf8.DecodeRuneInString(text[backText:])
		backText += n
		p, t = backPattern, backText
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// globOne matches r with the first element of pattern and returns the element's length, or 0.
func globOne(pattern string, r rune) int {
	first, n := utf8.DecodeRuneInString(pattern)
	switch {
	case pattern == "":
		return 0
	case first == '?':
		return n
	case first == '[':
		if size, ok := globSet(pattern, r); size > 0 {
			if ok {
				return size
			}
			return 0
		}
	}
	if first == r {
		return n
	}
	return 0
}

// globSet matches r with the set that pattern begins with. Without a closing bracket it is no set,
// and size is 0.
func globSet(pattern string, r rune) (size int, ok bool) {
	set := []rune(pattern)[1:]
	negate := len(set) > 0 && (set[0] == '^' || set[0] == '!')
	if negate {
		set = set[1:]
	}
	end := slices.Index(set[min(1, len(set)):], ']') + 1 // a bracket that comes first is itself
	if end == 0 {
		return 0, false
	}
	set = set[:end]
	for i := 0; i < len(set); i++ {
		lo, hi := set[i], set[i]
		if i+2 < len(set) && set[i+1] == '-' {
			hi = set[i+2]
			i += 2
		}
		if lo <= r && r <= hi {
			ok = true
		}
	}
	size = len("[") + len(string(set)) + len("]")
	if negate {
		size++
	}
	return size, ok != negate
}
