package programs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

const (
	programLeft  = 34 // columns of the results of a step
	programLanes = 12 // bars that say how long a result is needed
	programLine  = 15 // from a line of a step to its next
)

// pictured is a step as it is drawn.
type pictured struct {
	step  int      // its number; −1 for those left out
	left  []string // the results, one or several on a line
	right []string // the call, broken at its commas
	note  string   // whose it is; ″ where that is as in the line above
	below bool     // the note has a line of its own
	y     float64  // of the first line
}

// programHigh is how high a picture is before fewer of its steps are shown: a screen, without the last lines.
const programHigh = 1160.0

// programPicture is a program while it is drawn.
type programPicture struct {
	rows      []pictured
	lanes     map[string]programLane
	ends      map[string]int // the row of the last step that uses a variable
	left, mid float64        // where results and calls begin
	bottom    float64
}

// columns is how many characters fit from x on.
func (*programPicture) columns(x float64) int {
	return int((draw.NarrowWidth - 16 - x) / draw.CharWidth)
}

// lay finds a place for each of the steps in list, the first at y.
func (p *CapturedProgram) lay(list []int, y float64) *programPicture {
	g := &programPicture{rows: make([]pictured, len(list))}
	var busy, wide int
	g.lanes, g.ends, busy = p.lanes(list)
	g.left = 14 + 8*float64(busy)
	for row, i := range list {
		if g.rows[row].step = i; i < 0 {
			continue
		}
		left := wrapped(p.Steps[i].left(), programLeft)
		for k, l := range left {
			left[k] = draw.Clip(l, programLeft)
			wide = max(wide, draw.Width(left[k]))
		}
		g.rows[row].left = left
	}
	g.mid = g.left + float64(wide+1)*draw.CharWidth
	room, above := g.columns(g.mid), ""
	for row := range g.rows {
		r := &g.rows[row]
		if r.y = y; r.step < 0 {
			y, above = y+draw.LineHeight, ""
			continue
		}
		s := &p.Steps[r.step]
		r.right = wrapped("= "+s.right(), room-4)
		for k, l := range r.right {
			r.right[k] = draw.Clip(l, room-4)
		}
		note := strings.TrimSpace(strings.TrimPrefix(s.note(), "dead"))
		if r.note = note; note != "" && note == above {
			r.note = "″"
		}
		above = note
		taken := draw.Width(r.right[len(r.right)-1]) + 2
		if len(r.right) > 1 {
			taken += 2
		}
		if s.Dead {
			taken += 6
		}
		lines := max(len(r.left), len(r.right))
		if r.below = taken+draw.Width(r.note) > room && r.note != "″"; r.below && len(r.right) == lines {
			lines++
		}
		y += draw.LineHeight + programLine*float64(lines-1)
	}
	g.bottom = y
	return g
}

// draw has a row for each step; bars on the left say from which step to which a result is needed. It is so narrow that
// its letters can be read on a page of 420 px: long lines are broken, and what is said of several steps in a row is
// said once, with ″ beneath.
func (p *CapturedProgram) draw() *draw.Canvas {
	c := new(draw.Canvas)
	c.Text(8, 18, "start", p.title(), draw.Strong)
	head := wrapped(p.head(), min(new(programPicture).columns(8), headWidth))
	for k, line := range head {
		c.Text(8, 38+draw.LineHeight*float64(k), "start", line, draw.Faint)
	}
	top := 44 + draw.LineHeight*float64(len(head))
	most := picturedSteps
	g := p.lay(p.shown(most), top)
	for high := programHigh - 17*float64(len(p.guardLines())); g.bottom > high && most > 8; most -= 2 {
		g = p.lay(p.shown(most-2), top)
	}
	ending := func(row int) float64 {
		if row == len(g.rows) {
			return g.bottom
		}
		return g.rows[row].y
	}
	for row := range g.rows {
		r := &g.rows[row]
		if len(c.Elements.String()) > draw.MaxPicture {
			c.Text(g.left, r.y, "start", fmt.Sprintf("… %d more", len(g.rows)-row), draw.Faint)
			g.bottom = r.y + draw.LineHeight
			break
		}
		if r.step < 0 {
			c.Text(g.left, r.y, "start", "… "+draw.Counted(len(p.Steps)-most, "step"), draw.Faint)
			continue
		}
		for _, v := range p.Steps[r.step].Results {
			if at, ok := g.lanes[v.Name]; ok && at.row == row {
				x := g.left - 10 - 8*float64(at.lane)
				c.Path(fmt.Sprintf("M%s %sH%sV%sh3", draw.Num(g.left-3), draw.Num(r.y-4), draw.Num(x),
					draw.Num(ending(g.ends[v.Name])-7)), draw.Hue(at.lane), `stroke-width="2"`)
			}
		}
		p.drawStep(c, r, g.left, g.mid)
	}
	bottom := c.Lines(g.left, g.bottom, p.foot(), draw.Strong)
	for _, line := range p.guardLines() {
		bottom = c.Lines(g.left, bottom, line, draw.Faint)
	}
	return c
}

// drawStep writes a step: its results, the call, and whose it is.
func (p *CapturedProgram) drawStep(c *draw.Canvas, r *pictured, left, mid float64) {
	s := &p.Steps[r.step]
	defer c.Marked(s.Site)()
	extra := ""
	if s.Dead {
		extra = `opacity="0.7" text-decoration="line-through"`
	}
	for k, l := range r.left {
		c.Text(left, r.y+programLine*float64(k), "start", l, extra)
	}
	x, y := mid, r.y
	for k, l := range r.right {
		x, y = mid, r.y+programLine*float64(k)
		if k > 0 {
			x += 2 * draw.CharWidth
		}
		c.Text(x, y, "start", l, extra)
	}
	x += float64(draw.Width(r.right[len(r.right)-1])+2) * draw.CharWidth
	if s.Dead {
		c.Text(x, y, "start", "dead", draw.RedText)
		x += 6 * draw.CharWidth
	}
	if r.below {
		x, y = mid+2*draw.CharWidth, y+programLine
	}
	room := int((draw.NarrowWidth - 16 - x) / draw.CharWidth)
	c.Text(x, y, "start", draw.Clip(r.note, max(0, room)), draw.Faint)
}

// programLane is where the bar of a variable begins: its row, and its place on the left.
type programLane struct{ row, lane int }

// lanes gives each variable that a shown step makes a bar, which ends at the last step that uses it; ends has the row
// of that, and busy is how many bars stand side by side.
func (p *CapturedProgram) lanes(list []int) (lanes map[string]programLane, ends map[string]int, busy int) {
	lanes, ends = map[string]programLane{}, map[string]int{}
	rows := map[string]int{} // where a variable was made
	for row, i := range list {
		if i < 0 {
			continue
		}
		for _, v := range p.Steps[i].Results {
			if _, known := rows[v.Name]; !known {
				rows[v.Name] = row
			}
		}
		for _, u := range p.Steps[i].Uses {
			ends[u] = row
		}
	}
	for _, o := range p.Outputs {
		ends[o] = len(list)
	}
	var taken []int // the row until which a lane is taken
	for row, i := range list {
		if i < 0 {
			continue
		}
		for _, v := range p.Steps[i].Results {
			if rows[v.Name] != row || ends[v.Name] <= row {
				continue
			}
			at := 0
			for at < len(taken) && taken[at] > row {
				at++
			}
			if at >= programLanes {
				continue
			}
			if at == len(taken) {
				taken = append(taken, 0)
			}
			taken[at] = ends[v.Name]
			lanes[v.Name] = programLane{row, at}
		}
	}
	return lanes, ends, len(taken)
}
