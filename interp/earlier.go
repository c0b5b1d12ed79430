package interp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/values"
)

// Note: what was typed and shown before
//
// As with IPython _i is the text of the last cell, _ii and _iii those before it, _i5 that of cell 5; __ and ___ are
// the values that were shown before _. A cell that names one gets a variable, which goes away with the cell. They are
// plain names of Go too: who defines one has it.

var earlierName = lazyre.New(`(?:^|[^\pL\pN_.])(_i{1,3}|_i\d+|__|___)\b`)

// earlier declares the names of that kind that a text has, each with its declaration. s.mu is held.
func (s *Session) earlier(src string, need func(name, decl string)) {
	if !strings.Contains(src, "_") {
		return
	}
	for _, m := range earlierName.FindAllStringSubmatch(src, -1) {
		name := m[1]
		if rest, text := strings.CutPrefix(name, "_i"); text {
			n, err := strconv.Atoi(rest)
			if err != nil { // _i, _ii, _iii
				n = s.typedBefore(len(rest) + 1)
			}
			if src, ok := s.outs.in[n]; ok {
				need(name, "var "+name+" = "+strconv.Quote(strings.Trim(src, "\n")))
			}
			continue
		}
		back := len(name) - 1
		if at := len(s.outs.order) - 1 - back; at >= 0 {
			n := s.outs.order[at]
			need(name, fmt.Sprintf("var %s = Out[%d].(%s)", name, n, s.typeText(s.outs.vals[n])))
		}
	}
}

// typedBefore is the number of the cell that was typed so many before the one that runs; 0 if there is none.
func (s *Session) typedBefore(back int) int {
	var all []int
	for n := range s.outs.in {
		if n < s.n {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	if len(all) < back {
		return 0
	}
	return all[len(all)-back]
}

// forgetEarlier takes those variables away when the cell has ended. s.mu is held.
func (s *Session) forgetEarlier() {
	for _, name := range s.earlierMade {
		d := s.env.Lookup(name)
		if d == nil || check.CellName(d.Cell) != "session" { // a cell has defined it
			continue
		}
		values.Release(d)
		s.env.Forget(name)
	}
	s.earlierMade = nil
}
