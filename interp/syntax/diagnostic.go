package syntax

import (
	"fmt"
	"go/token"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Diagnostic is one thing that is wrong with a cell.
type Diagnostic struct {
	Pos, End token.Pos // what it is about, in the cell's FileSet
	Line     int       // from 1
	Col      int       // from 1, in bytes, as Go counts columns
	Msg      string
	Source   string // the line of the cell
}

// String is line:column, the message, the source line and a caret under the
// column.
func (d Diagnostic) String() string {
	if d.Line == 0 {
		return d.Msg
	}
	line := d.excerpt()
	return fmt.Sprintf("%d:%d: %s\n    %s\n    %s^", d.Line, d.Col, d.Msg, line.Source, line.Pad())
}

// wide is how many bytes of a line stand before and behind the column that is shown; of a line not much longer all
// does.
const wide = 200

// excerpt is the diagnostic with what stands around its column in place of a line that is far too long.
func (d Diagnostic) excerpt() Diagnostic {
	if len(d.Source) <= 3*wide {
		return d
	}
	at := min(max(d.Col-1, 0), len(d.Source))
	from, to := max(0, at-wide), min(len(d.Source), at+wide)
	for from > 0 && !utf8.RuneStart(d.Source[from]) {
		from--
	}
	for to < len(d.Source) && !utf8.RuneStart(d.Source[to]) {
		to++
	}
	text := d.Source[from:to]
	d.Col = at - from + 1
	if from > 0 {
		text, d.Col = "…"+text, d.Col+len("…")
	}
	if to < len(d.Source) {
		text += "…"
	}
	d.Source = text
	return d
}

// Pad is the white space that puts a caret under the column: as wide as the
// text before it, with its tabs.
func (d Diagnostic) Pad() string {
	head := d.Source[:min(max(d.Col-1, 0), len(d.Source))]
	var b strings.Builder
	for i, part := range strings.Split(head, "\t") {
		if i > 0 {
			b.WriteByte('\t')
		}
		b.WriteString(strings.Repeat(" ", uniseg.StringWidth(part)))
	}
	return b.String()
}

// Diagnostics is what is wrong with a cell, in the order of the text. It is an
// error.
type Diagnostics []Diagnostic

func (ds Diagnostics) Error() string {
	var b strings.Builder
	for i, d := range ds {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(d.String())
	}
	return b.String()
}

// At makes a diagnostic about the text from pos to end of cell c. A position
// outside of the cell is moved to its nearest end.
func (c *Cell) At(pos, end token.Pos, msg string) Diagnostic {
	off := min(max(int(pos)-c.File.Base(), 0), len(c.Src))
	// an error at the end of the text is shown after its last line that holds something
	if strings.TrimSpace(c.Src[off:]) == "" {
		off = min(off, len(strings.TrimRight(c.Src, " \t\r\n")))
	}
	start := strings.LastIndexByte(c.Src[:off], '\n') + 1
	line := c.Src[start:]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	return Diagnostic{
		Pos: token.Pos(c.File.Base() + off), End: max(end, pos),
		Line: 1 + strings.Count(c.Src[:off], "\n"), Col: 1 + off - start,
		Msg: msg, Source: strings.TrimSuffix(line, "\r"),
	}
}

// most is how many diagnostics a cell gets at most, the first ones.
const most = 20

// Sort puts the diagnostics into the order of the text and drops what is said
// twice of one place, and what is too much.
func (ds Diagnostics) Sort() Diagnostics {
	sort.SliceStable(ds, func(i, j int) bool { return ds[i].Pos < ds[j].Pos })
	out := ds[:0]
	for i, d := range ds {
		if i > 0 && len(out) > 0 && out[len(out)-1].Pos == d.Pos && out[len(out)-1].Msg == d.Msg {
			continue
		}
		out = append(out, d)
	}
	return out[:min(len(out), most)]
}
