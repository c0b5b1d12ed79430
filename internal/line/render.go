package line

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// tabWidth is how many columns a tab takes in a cell.
const tabWidth = 4

// The colours, as SGR codes.
const (
	styleNone    = ""
	stylePrompt  = "32"
	styleKeyword = "35"
	styleString  = "33"
	styleNumber  = "36"
	styleComment = "2"
	styleGhost   = "2"
	styleChosen  = "7"
	styleCurrent = "1"
)

// canvas lays text out in rows of a terminal's width. Rows are broken here and
// never by the terminal, so that where the cursor is is always known.
type canvas struct {
	width    int
	color    bool
	rows     []string
	row      strings.Builder
	col      int
	style    string
	row0     int // the cursor's row, once mark was called
	col0     int
	indented int // the column at which a tab counts zero
}

func (c *canvas) setStyle(style string) {
	if !c.color || style == c.style {
		return
	}
	if c.style != "" {
		c.row.WriteString("\x1b[0m")
	}
	if style != "" {
		c.row.WriteString("\x1b[" + style + "m")
	}
	c.style = style
}

func (c *canvas) newRow() {
	style := c.style
	c.setStyle("")
	c.rows = append(c.rows, c.row.String())
	c.row.Reset()
	c.col = 0
	c.setStyle(style)
}

// cluster puts one character; it begins a row where it does not fit, and where
// it filled one.
func (c *canvas) cluster(s string, width int) {
	if c.col+width > c.width {
		c.newRow()
	}
	c.row.WriteString(s)
	if c.col += width; c.col >= c.width {
		c.newRow()
	}
}

// put puts text without line ends.
func (c *canvas) put(s, style string) {
	c.setStyle(style)
	state := -1
	for s != "" {
		var g string
		var width int
		g, s, width, state = uniseg.FirstGraphemeClusterInString(s, state)
		if g == "\t" {
			for n := tabWidth - ((c.col-c.indented)%tabWidth+tabWidth)%tabWidth; n > 0; n-- {
				c.cluster(" ", 1)
			}
			continue
		}
		c.cluster(g, width)
	}
}

// mark says that the cursor stands here.
func (c *canvas) mark() { c.row0, c.col0 = len(c.rows), c.col }

// end returns the rows.
func (c *canvas) end() []string {
	c.setStyle("")
	return append(c.rows, c.row.String())
}

// body puts prompts and text: styles has one style a byte of text, or is nil;
// the cursor is marked before the byte at cursor.
func (c *canvas) body(prompt, more, src string, styles []string, cursor int) {
	c.put(prompt, stylePrompt)
	c.indented = c.col
	for at := 0; ; {
		if at == cursor {
			c.mark()
		}
		if at == len(src) {
			return
		}
		if src[at] == '\n' {
			c.setStyle("")
			c.newRow()
			c.put(more, stylePrompt)
			c.indented = c.col
			at++
			continue
		}
		end := at + 1 // as far as one style goes, the cursor and the line
		for end < len(src) && src[end] != '\n' && end != cursor && (styles == nil || styles[end] == styles[at]) {
			end++
		}
		style := ""
		if styles != nil {
			style = styles[at]
		}
		c.put(src[at:end], style)
		at = end
	}
}

// screen draws what is being edited, over what it drew before.
type screen struct {
	term  Terminal
	row   int // of the cursor, counted from the first row that was drawn
	drawn bool
	width int
	rows  []string // what was drawn, as far as the cursor's row
	col   int      // of the cursor
}

// wipe erases the cursor's row and all below it; the cursor goes to the row's beginning. It erases from the second
// column on: what is erased from the screen's very first place tmux takes for the whole screen, and keeps a copy of it
// in its history each time.
const wipe = "\r\x1b[K\x1b[C\x1b[J\r"

// clear takes away what was drawn; the cursor stands where it began.
func (s *screen) clear() string {
	if !s.drawn {
		return ""
	}
	row := s.row
	if w, _ := s.term.Size(); w != s.width {
		row = s.moved(w)
	}
	s.drawn, s.row = false, 0
	return up(row) + wipe
}

// moved is the cursor's row after a terminal has become w wide: it broke the rows that are longer, and joined none,
// since each was ended here.
func (s *screen) moved(w int) (row int) {
	w = max(w, 1)
	for _, r := range s.rows[:min(s.row, len(s.rows))] {
		row += max(uniseg.StringWidth(colour.ReplaceAllString(r, ""))-1, 0)/w + 1
	}
	return row + s.col/w
}

func up(n int) string {
	if n <= 0 {
		return ""
	}
	return fmt.Sprintf("\x1b[%dA", n)
}

// draw shows rows with the cursor in one; of more rows than the terminal has it
// shows those about the cursor.
func (s *screen) draw(rows []string, row, col int) {
	out := s.clear()
	width, height := s.term.Size()
	if height > 1 && len(rows) > height {
		top := min(max(row-height/2, 0), len(rows)-height)
		rows, row = rows[top:top+height], row-top
	}
	out += strings.Join(rows, "\r\n") + up(len(rows)-1-row) + "\r"
	if col > 0 {
		out += fmt.Sprintf("\x1b[%dC", col)
	}
	s.row, s.col, s.drawn, s.width, s.rows = row, col, true, width, rows[:row+1]
	s.term.Write([]byte(out))
}
