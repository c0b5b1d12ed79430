package plot

import (
	"math"
	"strings"

	"gotorch/visualize/draw"
)

// textRows is how many rows a plot takes in a terminal, without its axes.
const textRows = 16

// dots is a picture of braille: two by four dots a character.
type dots struct {
	columns, rows int
	bits          []byte
	owner         []int // the series that set the last dot of a character
	mark          []string
}

func newDots(columns, rows int) *dots {
	return &dots{columns, rows, make([]byte, columns*rows), make([]int, columns*rows), make([]string, columns*rows)}
}

// cell is the character at a point, given in parts of the axes; x and y are that of its dots.
func (d *dots) cell(fx, fy float64) (cell, x, y int) {
	x = max(0, min(int(fx*float64(2*d.columns)), 2*d.columns-1))
	y = max(0, min(int((1-fy)*float64(4*d.rows)), 4*d.rows-1))
	return y/4*d.columns + x/2, x, y
}

var dotBits = [4][2]byte{{1, 8}, {2, 16}, {4, 32}, {64, 128}}

// dot sets one dot.
func (d *dots) dot(fx, fy float64, owner int) {
	cell, x, y := d.cell(fx, fy)
	d.bits[cell] |= dotBits[y%4][x%2]
	d.owner[cell] = owner
}

// line sets the dots of a segment.
func (d *dots) line(x0, y0, x1, y1 float64, owner int) {
	n := int(max(math.Abs(x1-x0)*float64(2*d.columns), math.Abs(y1-y0)*float64(4*d.rows))) + 1
	for i := range n + 1 {
		f := float64(i) / float64(n)
		d.dot(x0+f*(x1-x0), y0+f*(y1-y0), owner)
	}
}

// put writes a series' mark.
func (d *dots) put(fx, fy float64, owner int) {
	cell, _, _ := d.cell(fx, fy)
	d.mark[cell], d.owner[cell] = marks[owner%len(marks)].char, owner
}

// row is a line of the picture.
func (d *dots) row(r int, color bool) string {
	var b strings.Builder
	end := d.columns
	for end > 0 && d.bits[r*d.columns+end-1] == 0 && d.mark[r*d.columns+end-1] == "" {
		end--
	}
	for c := 0; c < end; {
		owner, run := d.owner[r*d.columns+c], ""
		for ; c < end && d.owner[r*d.columns+c] == owner; c++ {
			switch k := r*d.columns + c; {
			case d.mark[k] != "":
				run += d.mark[k]
			case d.bits[k] != 0:
				run += string(rune(0x2800 + int(d.bits[k])))
			default:
				run += " "
			}
		}
		if strings.TrimSpace(run) == "" {
			b.WriteString(run)
		} else {
			b.WriteString(draw.Paint(color, owner, run))
		}
	}
	return b.String()
}

// Text is the plot in braille, with its axes; every series has its mark.
func (c *Chart) Text(color bool) string {
	var b strings.Builder
	if c.Title != "" {
		b.WriteString(draw.Bold(color, draw.Clip(draw.OneLine(c.Title, 76), 76)) + "\n")
	}
	if c.Legend {
		c.textLegend(&b, color)
	}
	if c.Kind == "histogram" {
		for i := range c.Series {
			rows := textRows / 2
			if len(c.Series) > 1 {
				rows = 5
				b.WriteString(draw.Paint(color, i, draw.Clip(draw.OneLine(c.Series[i].Name, draw.MaxName), draw.MaxName)) + "\n")
			}
			c.textFrame(&b, color, rows, c.textBars(i, rows, color), i == len(c.Series)-1)
		}
	} else {
		d := c.textDots()
		lines := make([]string, d.rows)
		for r := range lines {
			lines[r] = d.row(r, color)
		}
		c.textFrame(&b, color, d.rows, lines, true)
	}
	for _, n := range c.Notes {
		for _, l := range wrapped(n, draw.TextWidth(78)) {
			b.WriteString(draw.Dim(color, l) + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// textLegend lists the marks and names of the series.
func (c *Chart) textLegend(b *strings.Builder, color bool) {
	w := 0
	for i, s := range c.Series {
		name := draw.Clip(draw.OneLine(s.Name, draw.MaxName), draw.MaxName)
		if w > 0 && w+draw.Width(name)+4 > 76 {
			b.WriteString("\n")
			w = 0
		}
		if w > 0 {
			b.WriteString("   ")
		}
		if c.Kind != "histogram" {
			name = marks[i%len(marks)].char + " " + name
		}
		b.WriteString(draw.Paint(color, i, name))
		w += draw.Width(name) + 3
	}
	b.WriteString("\n")
}

// textDots draws lines and points.
func (c *Chart) textDots() *dots {
	d := newDots(draw.TextColumns(), textRows)
	several := len(c.Series) > 1
	for i := range c.Series {
		s := &c.Series[i]
		if s.Cloud != nil {
			s.Cloud.shade(d, i)
			continue
		}
		if c.Kind == "line" {
			c.segments(i, func(x0, y0, x1, y1 float64) { d.line(x0, y0, x1, y1, i) })
			for k := 0; k < len(s.Low); k += max(1, len(s.X)/30) { // the edges of a band
				for _, y := range []float64{s.Low[k], s.High[k]} {
					if fx, fy := c.X.place(s.X[k]), c.Y.place(y); fx >= 0 && fx <= 1 && fy >= 0 && fy <= 1 {
						d.dot(fx, fy, i)
					}
				}
			}
		}
	}
	for i := range c.Series {
		s := &c.Series[i]
		step := 1
		switch {
		case c.Kind == "line" && several:
			step = max(1, len(s.X)/6)
		case c.Kind == "line" && len(s.X) > 20 || c.Kind == "scatter" && !several:
			step = 0
		}
		for k := range s.X {
			x, y := c.X.place(s.X[k]), c.Y.place(s.Y[k])
			if x < 0 || x > 1 || y < 0 || y > 1 {
				continue
			}
			d.dot(x, y, i)
			if step > 0 && (k+i*step/3)%step == step/2 {
				d.put(x, y, i)
			}
		}
	}
	return d
}

// shades are characters from light to dark.
var shades = []string{"·", "░", "▒", "▓", "█"}

// shade draws a cloud: a character is the darker the more points lie in it.
func (g *Cloud) shade(d *dots, owner int) {
	counts, most := make([]int, d.columns*d.rows), 1
	for k, n := range g.Counts {
		cell, _, _ := d.cell((float64(k%g.Columns)+0.5)/float64(g.Columns), (float64(k/g.Columns)+0.5)/float64(g.Rows))
		counts[cell] += n
		most = max(most, counts[cell])
	}
	for cell, n := range counts {
		if n > 0 {
			f := math.Log(float64(n)) / math.Log(float64(max(most, 2)))
			d.mark[cell], d.owner[cell] = shades[min(int(f*float64(len(shades))), len(shades)-1)], owner
		}
	}
}

// textBars draws a histogram with blocks of eighths.
func (c *Chart) textBars(i, rows int, color bool) []string {
	s := &c.Series[i]
	columns := draw.TextColumns()
	levels := make([]int, columns) // in eighths
	for k, n := range s.Y {
		from, to := c.X.place(s.X[k])*float64(columns), c.X.place(s.X[k+1])*float64(columns)
		level := 0
		if n > 0 {
			level = max(1, int(math.Round(min(1, max(0, c.Y.place(n)))*float64(8*rows))))
		}
		for col := max(0, int(math.Round(from))); col < min(columns, max(int(math.Round(to)), int(math.Round(from))+1)); col++ {
			levels[col] = max(levels[col], level)
		}
	}
	lines := make([]string, rows)
	for r := range lines {
		var line []rune
		for _, l := range levels {
			l -= 8 * (rows - 1 - r)
			line = append(line, []rune(" ▁▂▃▄▅▆▇█")[max(0, min(l, 8))])
		}
		lines[r] = draw.Paint(color, i, strings.TrimRight(string(line), " "))
	}
	return lines
}

// textFrame draws axes around lines.
func (c *Chart) textFrame(b *strings.Builder, color bool, rows int, lines []string, below bool) {
	texts := make([]string, rows)
	w := 0
	for _, m := range numbered(c.Y.marks(max(3, rows/3))) {
		if r := rows - 1 - int(max(0, min(c.Y.place(m.Value)*float64(rows), float64(rows-1)))); texts[r] == "" {
			texts[r] = m.Label
			w = max(w, draw.Width(m.Label))
		}
	}
	if c.Y.Label != "" {
		b.WriteString(c.Y.Label + "\n")
	}
	for r, l := range lines {
		edge := "│"
		if texts[r] != "" {
			edge = "┤"
		}
		b.WriteString(strings.TrimRight(draw.PadLeft(texts[r], w)+" "+edge+l, " ") + "\n")
	}
	columns := draw.TextColumns()
	under := []rune(strings.Repeat("─", columns))
	numbers := []rune(strings.Repeat(" ", columns+12))
	free := 0
	for _, m := range numbered(c.X.marks(min(6, columns/6))) {
		at := max(0, min(int(c.X.place(m.Value)*float64(columns)), columns-1))
		label := []rune(m.Label)
		from := max(0, at-len(label)/2)
		if from < free || from+len(label) > columns+8 {
			continue
		}
		under[at] = '┬'
		copy(numbers[from:], label)
		free = from + len(label) + 2
	}
	if !below {
		b.WriteString(strings.Repeat(" ", w+1) + "└" + strings.Repeat("─", columns) + "\n")
		return
	}
	b.WriteString(strings.Repeat(" ", w+1) + "└" + string(under) + "\n")
	b.WriteString(strings.TrimRight(strings.Repeat(" ", w+2)+string(numbers), " ") + "\n")
	if c.X.Label != "" {
		label := c.X.Label
		b.WriteString(strings.Repeat(" ", max(0, w+2+(columns-draw.Width(label))/2)) + label + "\n")
	}
}
