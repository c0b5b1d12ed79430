package line

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Candidate is one way to go on at the cursor.
type Candidate struct {
	Text string // what replaces what was typed
	Note string // its kind, type or signature
}

// menu is the list of candidates beneath the cell. Tab goes through it.
type menu struct {
	start  int // of what they replace, in runes
	typed  string
	list   []Candidate
	chosen int // -1 as long as what was typed stands
}

const (
	menuRows  = 12 // the most rows that a menu takes
	notedRows = 8  // up to so many candidates stand on rows of their own, with notes
)

// common is the longest text that all candidates begin with.
func common(list []Candidate) string {
	s := list[0].Text
	for _, c := range list[1:] {
		n := 0
		for n < len(s) && n < len(c.Text) && s[n] == c.Text[n] {
			n++
		}
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "")
}

// cut shortens text to a width.
func cut(s string, width int) string {
	if uniseg.StringWidth(s) <= width {
		return s
	}
	if width < 2 {
		return ""
	}
	var b strings.Builder
	n, state := 0, -1
	for s != "" {
		var g string
		var w int
		if g, s, w, state = uniseg.FirstGraphemeClusterInString(s, state); n+w > width-1 {
			break
		}
		b.WriteString(g)
		n += w
	}
	return b.String() + "…"
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-uniseg.StringWidth(s), 0))
}

// rows lays the menu out for a terminal's width: with notes, or in columns.
func (m *menu) rows(width, most int, color bool) []string {
	wide := 0
	for _, c := range m.list {
		wide = max(wide, uniseg.StringWidth(c.Text))
	}
	wide = min(wide, width-2)
	paint := func(i int, s string) string {
		switch {
		case i != m.chosen:
			return s
		case color:
			return "\x1b[" + styleChosen + "m" + s + "\x1b[0m"
		}
		return ">" + strings.TrimPrefix(s, " ")
	}
	var rows []string
	if len(m.list) <= notedRows {
		for i, c := range m.list {
			row := paint(i, " "+pad(cut(c.Text, wide), wide)+" ")
			note := cut(strings.ReplaceAll(c.Note, "\n", " "), width-wide-4)
			if note != "" && color {
				note = "\x1b[" + styleGhost + "m" + note + "\x1b[0m"
			}
			rows = append(rows, row+note)
		}
		return rows[:min(len(rows), most)]
	}
	columns := max((width-1)/(wide+2), 1)
	all := (len(m.list) + columns - 1) / columns
	show := min(all, menuRows, most)
	top := 0
	if m.chosen >= 0 {
		top = min(max(m.chosen/columns-show/2, 0), all-show)
	}
	for r := top; r < top+show; r++ {
		var b strings.Builder
		for i := r * columns; i < min((r+1)*columns, len(m.list)); i++ {
			b.WriteString(paint(i, " "+pad(cut(m.list[i].Text, wide), wide)+" "))
		}
		rows = append(rows, strings.TrimRight(b.String(), " "))
	}
	if all > show && len(rows) > 0 {
		rows[len(rows)-1] = cut(" … in all "+itoa(len(m.list))+": type more, or Tab to go through them", width-1)
	}
	return rows
}

// complete asks for candidates: one is taken, a common beginning too; of more
// it makes a menu.
func (e *Editor) complete() {
	if strings.TrimSpace(e.text.before()) == "" { // at a line's beginning a tab is a tab
		e.text.insert('\t')
		return
	}
	if e.cfg.Complete == nil {
		return
	}
	src, at := e.text.String(), e.text.offset()
	start, list := e.cfg.Complete(src, at)
	if len(list) == 0 || start < 0 || start > at {
		e.bell()
		return
	}
	from := len([]rune(src[:start]))
	typed := src[start:at]
	all := common(list)
	if len(list) == 1 || len(all) > len(typed) && strings.HasPrefix(all, typed) {
		e.text.remove(from, e.text.pos)
		e.text.insert([]rune(all)...)
		if len(list) == 1 {
			return
		}
		typed = all
	}
	e.menu = &menu{start: from, typed: typed, list: list, chosen: -1}
}

// choose goes through the menu; one step past its end stands what was typed.
func (e *Editor) choose(step int) {
	m := e.menu
	n := len(m.list) + 1
	m.chosen = (m.chosen+1+step+n)%n - 1
	word := m.typed
	if m.chosen >= 0 {
		word = m.list[m.chosen].Text
	}
	e.text.remove(m.start, e.text.pos)
	e.text.insert([]rune(word)...)
}
