package runs

import (
	"fmt"
	"math"

	"gotorch/visualize/draw"
)

// draw draws the facts of each device, and of the CPU its roofline.
func (v *DevicesView) draw() *draw.Canvas {
	c := new(draw.Canvas)
	y := 0.0
	for i := range v.Devices {
		s := &v.Devices[i]
		y += 20
		c.Text(8, y, "start", s.Name, draw.Strong)
		c.Text(8+float64(draw.Width(s.Name)+3)*draw.CharWidth, y, "start", s.Kind, draw.Faint)
		for _, r := range s.rows() {
			y += 18
			c.Text(8, y, "start", r[0], draw.Faint)
			y = c.Sentence(80, y, r[1], "")
		}
		if s.Measured != nil && s.Measured.BytesPerSecond > 0 && s.Measured.FlopsPerSecond > 0 {
			y = s.Measured.roofline(c, y+24)
		}
		y += 10
	}
	return c
}

// intensities are operators by the operations that they do for each byte of float32 that they read and write.
var intensities = []struct {
	name         string
	flopsPerByte float64
}{
	{"a + b", 1.0 / 12},
	{"x.Sum()", 1.0 / 4},
	{"a @ b, 64 × 64", 64.0 / 6},
	{"a @ b, 1024 × 1024", 1024.0 / 6},
}

// roofline draws what an operator can reach at most: on the left as fast as its bytes arrive, on the right as fast as
// the machine multiplies. Both axes are logarithmic. It returns how far down it went.
func (m *Machine) roofline(c *draw.Canvas, top float64) float64 {
	const left, width, height = 112.0, 488.0, 150.0
	const lowest, highest = 1.0 / 16, 512.0 // operations for a byte
	at := func(flopsPerByte, flops float64) (x, y float64) {
		x = left + width*math.Log2(flopsPerByte/lowest)/math.Log2(highest/lowest)
		floor, roof := lowest*m.BytesPerSecond, m.FlopsPerSecond
		if roof <= floor {
			floor = roof / 2
		}
		return x, top + height - height*math.Log(flops/floor)/math.Log(roof/floor)
	}
	reach := func(flopsPerByte float64) float64 { return min(m.FlopsPerSecond, flopsPerByte*m.BytesPerSecond) }
	line := ""
	for k := range 161 { // enough for the corner to look like one
		f := lowest * math.Pow(highest/lowest, float64(k)/160)
		x, y := at(f, reach(f))
		line += fmt.Sprintf("%s%s %s", map[bool]string{true: "M", false: "L"}[k == 0], draw.Num(x), draw.Num(y))
	}
	c.Path(line, draw.Hue(0), `stroke-width="2"`)
	for i, o := range intensities {
		flops := reach(o.flopsPerByte)
		x, y := at(o.flopsPerByte, flops)
		tip := fmt.Sprintf("%s: %.3g operations for each byte, at most %s", o.name, o.flopsPerByte,
			rateText(flops, 1e9, "flop"))
		c.Rect(x-4, y-4, 8, 8, draw.Hue(i+1), 0.8, tip)
		if flops < m.FlopsPerSecond {
			c.Text(x+10, y+14, "start", o.name, "")
		} else {
			c.Text(x, y+22+18*float64(i%2), "middle", o.name, "")
		}
	}
	c.Text(left-6, top+5, "end", rateText(m.FlopsPerSecond, 1e9, "flop"), draw.Faint)
	y := top + height + 16
	for f := lowest; f <= highest; f *= 8 {
		x, _ := at(f, m.FlopsPerSecond)
		label := fmt.Sprintf("%g", f)
		if f < 1 {
			label = fmt.Sprintf("1/%g", 1/f)
		}
		c.Text(x, y, "middle", label, draw.Faint)
	}
	c.Text(left+width/2, y+18, "middle", "operations for each byte", draw.Faint)
	c.Grow(left+width+40, y+24)
	return y + 24
}
