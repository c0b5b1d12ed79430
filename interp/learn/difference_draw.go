package learn

import "gotorch/visualize/draw"

// draw is the picture: what was called above, the two grids beneath, side by side where they are narrow.
func (d *Difference) draw() *draw.Canvas {
	c := &draw.Canvas{}
	y := 18.0
	c.Text(8, y, "start", d.verdict(), draw.Strong)
	for _, a := range d.Args {
		y += draw.LineHeight
		c.Text(8, y, "start", draw.Clip(a, 90), "")
	}
	y += draw.LineHeight
	c.Text(8, y, "start", draw.Clip("the "+d.What+": "+d.Says, 90), draw.RedText)
	y += draw.LineHeight
	right, bottom := d.Want.draw(c, 8, y)
	if right > 330 {
		d.Got.draw(c, 8, bottom+draw.LineHeight)
	} else {
		d.Got.draw(c, right+40, y)
	}
	return c
}

// draw draws a grid at a place, and returns where it ends.
func (g *Grid) draw(c *draw.Canvas, x, y float64) (right, bottom float64) {
	c.Text(x, y+12, "start", g.Title, draw.Strong)
	right = x + float64(draw.Width(g.Title))*draw.CharWidth
	wide := 0
	for _, row := range g.Cells {
		for _, s := range row {
			wide = max(wide, min(draw.Width(s), 60))
		}
	}
	w, h := float64(wide+3)*draw.CharWidth, 24.0
	y += 22
	for i, row := range g.Cells {
		for k, s := range row {
			left, top := x+float64(k)*w, y+float64(i)*h
			s = draw.Clip(s, 60)
			if g.Marked[i][k] {
				c.Rect(left, top, w, h, draw.Red, 0.25, "differs")
				c.Text(left+w/2, top+16, "middle", s+mark, draw.Strong)
			} else {
				c.Rect(left, top, w, h, draw.Hue(0), 0.1, "")
				c.Text(left+w/2, top+16, "middle", s, "")
			}
			right = max(right, left+w)
		}
	}
	bottom = y + float64(len(g.Cells))*h
	if g.More != "" {
		bottom += 16
		c.Text(x, bottom, "start", g.More, draw.Small)
	}
	return right, bottom
}
