package fold

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"gotorch/visualize/draw"
)

// Step is a line of an outline as it is drawn.
type Step struct {
	Head    string // what it is
	Right   string // what it takes
	Group   bool   // it stands for several calls, or for none that is known
	Alarm   bool
	Closed  bool   // its steps are shown only where it can be opened
	Site    string // the line that it comes from, "" where there is none
	Details string // lines, shown where the pointer rests
	Page    string // HTML that it has on a page beneath it, "" for none
	Steps   []Step
}

// Limits of what is drawn.
const (
	PictureRows = 60 // of a picture
	leastRows   = 8  // that are left where deep steps are left out
	rowChars    = 76 // of a row of a picture: letters stay legible where a narrow page shrinks it
	columnHead  = 56 // of a text in columns
)

// row is a line of a text or a picture.
type row struct {
	depth int
	step  *Step
	more  int // steps that are left out here
}

// rows are the lines of the outline, at most most of them: the deepest steps are left out first, then the last ones of
// the longest parts.
func rows(steps []Step, most int) []row {
	for deep := deepest(steps); deep > 1; deep-- {
		if out := rowsIn(steps, deep, 1<<20); len(out) <= most && (len(out) >= leastRows || deep == deepest(steps)) {
			return out
		}
	}
	less := sort.Search(most, func(less int) bool { return len(rowsIn(steps, 1<<20, most-less)) <= most })
	out := rowsIn(steps, 1<<20, max(2, most-less))
	return out[:min(len(out), most)]
}

// rowsIn are the lines of at most room steps of each part, down to a depth.
func rowsIn(steps []Step, deep, room int) (out []row) {
	var put func(steps []Step, depth int)
	put = func(steps []Step, depth int) {
		for i := range steps {
			if i >= room && len(steps)-i > 1 {
				out = append(out, row{depth, nil, len(steps) - i})
				return
			}
			out = append(out, row{depth, &steps[i], 0})
			if !steps[i].Closed && depth+1 < deep {
				put(steps[i].Steps, depth+1)
			}
		}
	}
	put(steps, 0)
	return out
}

// deepest is how many lines stand one in the other.
func deepest(steps []Step) (n int) {
	for i := range steps {
		if !steps[i].Closed {
			n = max(n, deepest(steps[i].Steps))
		}
	}
	return n + min(1, len(steps))
}

// Wide is how far the rows of a [Picture] reach.
const Wide = 8 + rowChars*draw.CharWidth

// Picture draws the outline from y on: a line for each step, with what it takes at the right. It returns where the
// next line may begin.
func Picture(c *draw.Canvas, y float64, steps []Step) float64 {
	const right = Wide
	for _, r := range rows(steps, PictureRows) {
		x := 8 + float64(min(r.depth, 8))*18
		if r.step == nil {
			c.Text(x+16, y+13, "start", "… "+draw.Counted(r.more, "more call"), draw.Faint)
			y += 18
			continue
		}
		s := r.step
		after := draw.Clip(s.Right, 34)
		chars, high := int((right-x-10)/draw.CharWidth), 16.0
		if s.Group {
			chars -= chars / 12
		}
		if most := chars - draw.Width(after) - 3; draw.Width(s.Head) <= most {
			chars = most
		} else if after != "" { // it stands in a second line
			high += 16
		}
		hue, opacity := 0, 0.12
		if s.Group {
			hue, opacity = 6, 0.22
		}
		attributes := draw.Filled(draw.Hue(hue), opacity)
		if s.Alarm {
			attributes = draw.Filled(draw.Red, 0.25)
		}
		end := c.Marked(s.Site)
		c.Box(x, y, right-x, high, attributes, s.Details)
		extra := ""
		if s.Group {
			extra = draw.Strong
		}
		c.Text(x+5, y+12, "start", draw.Clip(s.Head, chars), extra)
		c.Text(right-5, y+high-4, "end", after, draw.Faint)
		end()
		y += high + 2
	}
	return y
}

// Text is the outline in at most most lines. In columns what steps take stands below each other, else after each step.
func Text(steps []Step, most int, columns, color bool) string {
	var b strings.Builder
	list := rows(steps, most)
	wide := 0
	for _, r := range list {
		if columns && r.step != nil {
			wide = max(wide, min(columnHead, 2*r.depth+draw.Width(r.step.Head)))
		}
	}
	for _, r := range list {
		indent := strings.Repeat("  ", r.depth)
		if r.step == nil {
			fmt.Fprintf(&b, "%s… %s\n", indent, draw.Counted(r.more, "more call"))
			continue
		}
		head := r.step.Head
		pad := ""
		if columns {
			head = draw.Clip(head, columnHead-len(indent))
			pad = strings.Repeat(" ", max(0, wide-len(indent)-draw.Width(head)))
		}
		if r.step.Group {
			head = draw.Bold(color, head)
		}
		line := indent + head
		if r.step.Alarm {
			line += pad + "  " + draw.Paint(color, 5, r.step.Right)
		} else if r.step.Right != "" {
			line += pad + "  " + draw.Dim(color, r.step.Right)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// unbroken is a text for a page: two spaces, between columns, stay two, numbers stay with their units, and shapes
// whole.
func unbroken(text string) string {
	text = strings.ReplaceAll(draw.Escape(text), "  ", " &#160;")
	return draw.KeepUnits(sizes.ReplaceAllStringFunc(text, func(s string) string {
		return strings.ReplaceAll(s, " ", "&#160;")
	}))
}

// sizes are a shape.
var sizes = regexp.MustCompile(`\[\d+(?: \d+)+\]`)

// Page is the outline for a page of at most most bytes: parts of more than a dozen steps are folded, and unfold
// without script.
func Page(steps []Step, most int) string {
	var b strings.Builder
	left := 0
	var put func(steps []Step, depth int)
	put = func(steps []Step, depth int) {
		for i := range steps {
			s := &steps[i]
			if b.Len() > most {
				left++
				continue
			}
			head, right := unbroken(s.Head), s.Right
			if right != "" {
				head += " "
				right = `<span style="opacity:0.7">` + unbroken(right) + `</span>`
			}
			if len(s.Steps) == 0 && s.Page == "" {
				fmt.Fprintf(&b, `<div title="%s" style="padding-left:%dpx;overflow-wrap:anywhere"%s>%s%s</div>`,
					draw.Escape(s.Details), 18+min(depth, 1)*18, draw.MarkLine(s.Site), head, right)
				continue
			}
			open := ""
			if depth < 2 && len(s.Steps) > 0 && len(s.Steps) <= 14 && !s.Closed {
				open = ` open="open"`
			}
			if s.Group {
				head = "<b>" + head + "</b>"
			}
			fmt.Fprintf(&b, `<details%s style="padding-left:%dpx"><summary style="cursor:pointer;display:list-item;`+
				`overflow-wrap:anywhere"%s>%s%s</summary>`, open, min(depth, 1)*18, draw.MarkLine(s.Site), head, right)
			b.WriteString(s.Page)
			put(s.Steps, depth+1)
			b.WriteString(`</details>`)
		}
	}
	put(steps, 0)
	if left > 0 {
		b.WriteString("<div>… " + draw.Counted(left, "more step") + " left out</div>")
	}
	return b.String()
}
