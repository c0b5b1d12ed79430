package operators

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// The measures of the picture: two columns of boxes, and the floors of the cube.
const (
	branchRow   = 22.0
	keyLeft     = 22.0
	keyWide     = 76.0
	kindLeft    = keyLeft + keyWide + 8
	dtypeTrunk  = 224.0
	dtypeLeft   = dtypeTrunk + 16
	dtypeWide   = 84.0
	kernelLeft  = dtypeLeft + dtypeWide + 8
	kernelChars = 42
	lineChars   = 84 // of what stands across the picture

	cubeLeft = 156.0
	cellWide = 36.0
	cellHigh = 20.0
	cellSlip = 12.0 // by which a row is further right than the one before it
	floorGap = 26.0
)

const dashed = `fill="none" stroke="currentColor" stroke-opacity="0.45" stroke-dasharray="2 3"`

func (v *DispatchBranches) picture() *draw.Canvas {
	c := new(draw.Canvas)
	call, rest := v.heading()
	y := c.Lines(6, 18, call, draw.Strong)
	if rest != "" {
		y = c.Lines(6, y, rest, draw.Faint)
	}
	y = c.Lines(6, y, "by key: "+v.keysTitle(), draw.Faint)
	y = c.Lines(6, y, "by dtype: "+v.dtypesTitle(), draw.Faint) - 6
	y = max(v.drawKeys(c, y), v.drawDtypes(c, y)) + 14
	if v.Kernel != "" {
		y = c.Lines(6, y, v.label()+v.Kernel, draw.Strong)
	}
	if len(v.Results) > 0 && v.Error == "" {
		y = c.Lines(6, y, "→ "+strings.Join(v.Results, ", "), "")
	}
	if v.Error != "" {
		y = c.Lines(6, y, "✗ "+v.Error, draw.RedText)
	}
	v.Cube.draw(c, v.Op, y+8)
	return c
}

// keyY is the middle of the box of key i.
func keyY(top float64, i int) float64 { return top + branchRow*(float64(i)+0.5) }

// drawKeys draws the keys from the highest to the lowest. The way of the call is a thick line.
func (v *DispatchBranches) drawKeys(c *draw.Canvas, top float64) float64 {
	const trunk = 10.0
	taken := -1
	for i := range v.First {
		if s := v.First[i].State; s == "taken" || s == "failed" {
			taken = i
		}
	}
	for i := range v.First {
		b := &v.First[i]
		y := keyY(top, i)
		box(c, keyLeft, y, keyWide, b.Key, b.State, b.What)
		extra := draw.Faint
		if b.State == "taken" {
			extra = draw.Strong
		}
		c.Text(kindLeft, y+4, "start", b.Kind, extra)
		if b.State == "" {
			line(c, fmt.Sprintf("M%s %sH%s", draw.Num(trunk), draw.Num(y), draw.Num(keyLeft)), false)
		} else {
			line(c, fmt.Sprintf("M%s %sH%s", draw.Num(trunk), draw.Num(y), draw.Num(keyLeft)), true)
		}
	}
	if n := len(v.First); n > 0 {
		line(c, fmt.Sprintf("M%s %sV%s", draw.Num(trunk), draw.Num(top), draw.Num(keyY(top, n-1))), false)
	}
	if taken >= 0 {
		line(c, fmt.Sprintf("M%s %sV%s", draw.Num(trunk), draw.Num(top), draw.Num(keyY(top, taken))), true)
	}
	return top + branchRow*float64(len(v.First))
}

// drawDtypes draws the branches of the kernel, or what a body called.
func (v *DispatchBranches) drawDtypes(c *draw.Canvas, top float64) float64 {
	key := -1
	for i := range v.First {
		if v.First[i].State == "taken" {
			key = i
		}
	}
	n := len(v.Second)
	if n == 0 {
		n = len(v.Inner)
	}
	if n == 0 || key < 0 {
		return top
	}
	from := keyY(top, key)
	begin := kindLeft + float64(draw.Width(v.First[key].Kind)+1)*draw.CharWidth
	line(c, fmt.Sprintf("M%s %sH%s", draw.Num(begin), draw.Num(from), draw.Num(dtypeTrunk)), true)
	line(c, fmt.Sprintf("M%s %sV%s", draw.Num(dtypeTrunk), draw.Num(min(from, keyY(top, 0))),
		draw.Num(max(from, keyY(top, n-1)))), false)
	for i := range v.Second {
		b := &v.Second[i]
		y := keyY(top, i)
		state, extra := "", draw.Faint
		switch {
		case b.Taken && b.Why != "":
			state, extra = "failed", draw.RedText
		case b.Taken:
			state, extra = "taken", draw.Strong
		case b.Why != "":
			extra = draw.RedText
		}
		bend(c, from, y, b.Taken)
		box(c, dtypeLeft, y, dtypeWide, b.Dtype, state, b.Why)
		c.Text(kernelLeft, y+4, "start", draw.Clip(b.says(), kernelChars), extra)
	}
	if len(v.Second) > 0 {
		return top + branchRow*float64(n)
	}
	for i, in := range v.Inner {
		y := keyY(top, i)
		bend(c, from, y, true)
		call := draw.Clip(in.Call, 30)
		wide := max(dtypeWide, float64(draw.Width(call)+2)*draw.CharWidth)
		box(c, dtypeLeft, y, wide, call, "passed", in.Call)
		chars := kernelChars - int((wide-dtypeWide)/draw.CharWidth)
		c.Text(dtypeLeft+wide+8, y+4, "start", draw.Clip(in.Key+"  "+in.Kernel, chars), draw.Faint)
	}
	if v.More > 0 {
		c.Text(dtypeLeft, keyY(top, n)+4, "start", "… "+draw.Counted(v.More, "more call"), draw.Faint)
		n++
	}
	return top + branchRow*float64(n)
}

// bend is the way from the trunk to a box of the second column.
func bend(c *draw.Canvas, from, y float64, thick bool) {
	if thick {
		line(c, fmt.Sprintf("M%s %sV%s", draw.Num(dtypeTrunk), draw.Num(from), draw.Num(y)), true)
	}
	line(c, fmt.Sprintf("M%s %sH%s", draw.Num(dtypeTrunk), draw.Num(y), draw.Num(dtypeLeft)), thick)
}

func line(c *draw.Canvas, d string, thick bool) {
	if thick {
		c.Path(d, draw.Hue(0), `stroke-width="2.5" stroke-linecap="round"`)
		return
	}
	c.Path(d, "currentColor", `stroke-opacity="0.35"`)
}

// box is a box with a word, around y: filled where the call went through, red where it ended, else dashed.
func box(c *draw.Canvas, x, y, wide float64, word, state, tip string) {
	const high = 18.0
	extra := ""
	switch state {
	case "taken":
		c.Box(x, y-high/2, wide, high, fmt.Sprintf(`fill="%s" fill-opacity="0.35" stroke="%s" stroke-width="2"`, draw.Hue(0),
			draw.Hue(0)), tip)
		extra = draw.Strong
	case "failed":
		c.Box(x, y-high/2, wide, high, fmt.Sprintf(`fill="none" stroke="%s" stroke-width="2"`, draw.Red), tip)
		extra = draw.RedText
	case "passed":
		c.Rect(x, y-high/2, wide, high, draw.Hue(0), 0.12, tip)
	default:
		c.Box(x, y-high/2, wide, high, dashed, tip)
		extra = draw.Faint
	}
	c.Text(x+wide/2, y+4, "middle", word, extra)
}

// draw draws the cube as a house: a floor for each layout, in which devices lie one behind the other and dtypes side
// by side, so far apart that no cell hides another.
func (cube *SupportCube) draw(c *draw.Canvas, op string, y float64) {
	y = c.Lines(6, y, "device × layout × dtype: "+op+", "+cube.counts(), draw.Faint)
	rows, cols := len(cube.Devices), float64(len(cube.Dtypes))
	back := cellSlip * float64(rows-1)
	for k, d := range cube.Dtypes {
		extra := draw.Faint
		if cube.Taken != nil && cube.Taken.Dtype == k {
			extra = draw.Strong
		}
		c.Text(cubeLeft+back+cellSlip+cellWide*(float64(k)+0.5), y, "middle", shortDtype(d), extra)
	}
	y += 8
	right := cubeLeft + cellWide*cols
	for f, layout := range cube.Layouts {
		front := y + cellHigh*float64(rows)
		if f+1 < len(cube.Layouts) { // the edges of the house
			next := front + floorGap
			for _, e := range [][3]float64{{cubeLeft, front, next + cellHigh*float64(rows)}, {right, front, next},
				{right + back + cellSlip, y, next}} {
				c.Path(fmt.Sprintf("M%s %sV%s", draw.Num(e[0]), draw.Num(e[1]), draw.Num(e[2])), "currentColor",
					`stroke-opacity="0.35" stroke-dasharray="1 3"`)
			}
		}
		extra := ""
		if cube.Taken != nil && cube.Rows[cube.Taken.Row].Layout == layout {
			extra = draw.Strong
		}
		c.Text(6, y+cellHigh*float64(rows)/2+4, "start", layout, extra)
		for d := range rows {
			cube.drawRow(c, f*rows+d, cubeLeft+back-cellSlip*float64(d), y+cellHigh*float64(d))
		}
		y = front + floorGap
	}
	y -= floorGap - 20
	y = c.Lines(6, y, strings.Join(cube.legend(), "   "), "")
	for _, n := range cube.reasons() {
		y = c.Lines(6, y, n, draw.Faint)
	}
}

// drawRow draws a device: cells that lean to the right.
func (cube *SupportCube) drawRow(c *draw.Canvas, row int, x, y float64) {
	r := &cube.Rows[row]
	extra := draw.Faint
	if cube.Taken != nil && cube.Taken.Row == row {
		extra = draw.Strong
	}
	c.Text(cubeLeft-8, y+cellHigh/2+4, "end", draw.Clip(r.Device, 8), extra)
	for k, cell := range r.Cells {
		taken := cube.Taken != nil && cube.Taken.Row == row && cube.Taken.Dtype == k
		x := x + cellWide*float64(k)
		attributes := dashed
		switch {
		case taken && cell.works():
			attributes = fmt.Sprintf(`fill="%s" fill-opacity="0.6" stroke="%s" stroke-width="2.5"`, draw.Hue(0), draw.Hue(0))
		case taken:
			attributes = fmt.Sprintf(`fill="none" stroke="%s" stroke-width="2.5"`, draw.Red)
		case cell.Mark == markWorks:
			attributes = draw.Filled(draw.Hue(2), 0.4)
		case cell.works():
			attributes = draw.Filled(draw.Hue(1), 0.25)
		}
		tip := r.Layout + " on " + r.Device + ", " + cube.Dtypes[k] + ": " + cell.says(cube.Dtypes[k])
		fmt.Fprintf(&c.Elements, `<polygon points="%s,%s %s,%s %s,%s %s,%s" %s><title>%s</title></polygon>`,
			draw.Num(x+cellSlip+2), draw.Num(y+2), draw.Num(x+cellSlip+cellWide-1), draw.Num(y+2), draw.Num(x+cellWide-1),
			draw.Num(y+cellHigh-1), draw.Num(x+2), draw.Num(y+cellHigh-1), attributes, draw.Escape(tip))
		c.Grow(x+cellWide+cellSlip, y+cellHigh)
		mark, bold := cell.Mark, ""
		if taken {
			mark, bold = "["+mark+"]", draw.Strong
		}
		c.Text(x+(cellWide+cellSlip)/2, y+cellHigh/2+4, "middle", mark, bold)
	}
}

// says is what came of a cell.
func (c *SupportCell) says(dtype string) string {
	switch {
	case c.Why != "":
		return strings.ReplaceAll(c.Why, "…", dtype)
	case c.Result != "" && c.Result != dtype:
		return "works, the result is " + c.Result
	}
	return "works"
}
