package plot

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"strings"

	vgfont "gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"

	"gotorch/visualize/draw"
)

// ink is a colour of ours where gonum wants one: a hue, or currentColor, at some strength.
type ink struct {
	paint   string
	opacity float64
}

// RGBA is of no use but to be a color.Color.
func (i ink) RGBA() (r, g, b, a uint32) { return color.Black.RGBA() }

// attribute is the ink as attributes of an element.
func (i ink) attribute(of string) string {
	if i.opacity == 1 {
		return fmt.Sprintf(`%s="%s"`, of, i.paint)
	}
	return fmt.Sprintf(`%s="%s" %s-opacity="%s"`, of, i.paint, of, draw.Num2(i.opacity))
}

var plain1 = ink{"currentColor", 1}

// vgCanvas draws what gonum's plot lays out onto a canvas of ours. A length of vg is a pixel; y goes up in gonum and
// down here.
type vgCanvas struct {
	*draw.Canvas
	height float64
	state  vgState
	stack  []vgState
}

// vgState is what Push keeps. A point x, y goes to m[0]x+m[2]y+m[4], m[1]x+m[3]y+m[5].
type vgState struct {
	width  float64
	dashes []float64
	ink    ink
	m      [6]float64
}

func newVG(c *draw.Canvas, height float64) *vgCanvas {
	v := &vgCanvas{Canvas: c, height: height}
	v.state = vgState{1, nil, plain1, [6]float64{1, 0, 0, 1, 0, 0}}
	return v
}

// at is where a point of gonum lies in the picture.
func (v *vgCanvas) at(p vg.Point) (x, y float64) {
	m, px, py := v.state.m, float64(p.X), float64(p.Y)
	return m[0]*px + m[2]*py + m[4], v.height - (m[1]*px + m[3]*py + m[5])
}

// SetLineWidth sets the width of lines.
func (v *vgCanvas) SetLineWidth(w vg.Length) { v.state.width = float64(w) }

// SetLineDash sets the dashes of lines.
func (v *vgCanvas) SetLineDash(pattern []vg.Length, _ vg.Length) {
	v.state.dashes = nil
	for _, l := range pattern {
		v.state.dashes = append(v.state.dashes, float64(l))
	}
}

// SetColor sets the ink; what is none is the colour of the page's text.
func (v *vgCanvas) SetColor(c color.Color) {
	v.state.ink = plain1
	if i, ok := c.(ink); ok {
		v.state.ink = i
	}
}

func (v *vgCanvas) transform(n [6]float64) {
	m := v.state.m
	v.state.m = [6]float64{m[0]*n[0] + m[2]*n[1], m[1]*n[0] + m[3]*n[1], m[0]*n[2] + m[2]*n[3], m[1]*n[2] + m[3]*n[3],
		m[0]*n[4] + m[2]*n[5] + m[4], m[1]*n[4] + m[3]*n[5] + m[5]}
}

// Rotate turns what follows.
func (v *vgCanvas) Rotate(rad float64) {
	s, c := math.Sincos(rad)
	v.transform([6]float64{c, s, -s, c, 0, 0})
}

// Translate moves what follows.
func (v *vgCanvas) Translate(p vg.Point) {
	v.transform([6]float64{1, 0, 0, 1, float64(p.X), float64(p.Y)})
}

// Scale stretches what follows.
func (v *vgCanvas) Scale(x, y float64) { v.transform([6]float64{x, 0, 0, y, 0, 0}) }

// Push keeps the state.
func (v *vgCanvas) Push() { v.stack = append(v.stack, v.state) }

// Pop takes back the state that was kept last.
func (v *vgCanvas) Pop() {
	v.state, v.stack = v.stack[len(v.stack)-1], v.stack[:len(v.stack)-1]
}

// d is a path as SVG writes it.
func (v *vgCanvas) d(p vg.Path) string {
	var b strings.Builder
	for _, c := range p {
		x, y := v.at(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			fmt.Fprintf(&b, "M%s %s", draw.Num(x), draw.Num(y))
		case vg.LineComp:
			fmt.Fprintf(&b, "L%s %s", draw.Num(x), draw.Num(y))
		case vg.CurveComp:
			b.WriteByte("QC"[min(len(c.Control), 2)-1])
			for _, k := range c.Control {
				kx, ky := v.at(k)
				fmt.Fprintf(&b, "%s %s ", draw.Num(kx), draw.Num(ky))
			}
			fmt.Fprintf(&b, "%s %s", draw.Num(x), draw.Num(y))
		case vg.ArcComp: // as short lines: nothing that is drawn here has large ones
			for i := range 17 {
				a := c.Start + c.Angle*float64(i)/16
				ax, ay := v.at(vg.Point{X: c.Pos.X + c.Radius*vg.Length(math.Cos(a)), Y: c.Pos.Y + c.Radius*vg.Length(math.Sin(a))})
				fmt.Fprintf(&b, "%c%s %s", "ML"[min(i, 1)], draw.Num(ax), draw.Num(ay))
			}
		case vg.CloseComp:
			b.WriteByte('Z')
		}
	}
	return b.String()
}

// Stroke draws a line.
func (v *vgCanvas) Stroke(p vg.Path) {
	s := v.state
	if s.width <= 0 {
		return
	}
	dashes := ""
	for i, l := range s.dashes {
		dashes += strings.Repeat(" ", min(i, 1)) + draw.Num(l)
	}
	if dashes != "" {
		dashes = ` stroke-dasharray="` + dashes + `"`
	}
	fmt.Fprintf(&v.Elements, `<path d="%s" fill="none" %s stroke-width="%s"%s/>`, v.d(p), s.ink.attribute("stroke"), draw.Num(s.width), dashes)
}

// Fill fills a path.
func (v *vgCanvas) Fill(p vg.Path) {
	fmt.Fprintf(&v.Elements, `<path d="%s" %s/>`, v.d(p), v.state.ink.attribute("fill"))
}

// FillString writes text, in the font of all views.
func (v *vgCanvas) FillString(_ vgfont.Face, p vg.Point, text string) {
	x, y := v.at(p)
	extra := ""
	if turn := math.Atan2(v.state.m[1], v.state.m[0]); math.Abs(turn) > 1e-6 {
		extra = fmt.Sprintf(` transform="rotate(%s %s %s)"`, draw.Num(-turn*180/math.Pi), draw.Num(x), draw.Num(y))
	}
	fmt.Fprintf(&v.Elements, `<text x="%s" y="%s"%s>%s</text>`, draw.Num(x), draw.Num(y), extra, draw.Escape(text))
}

// DrawImage draws a picture of pixels, each a box.
func (v *vgCanvas) DrawImage(r vg.Rectangle, img image.Image) {
	x0, y0 := v.at(vg.Point{X: r.Min.X, Y: r.Max.Y})
	x1, y1 := v.at(vg.Point{X: r.Max.X, Y: r.Min.Y})
	addImage(v.Canvas, x0, y0, x1-x0, y1-y0, img, "pixelated")
}

// addImage puts an image into a picture.
func addImage(c *draw.Canvas, x, y, w, h float64, img image.Image, rendering string) {
	c.Grow(x+w, y+h)
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img); err != nil {
		return
	}
	fmt.Fprintf(&c.Elements, `<image x="%s" y="%s" width="%s" height="%s" preserveAspectRatio="none" style="image-rendering:%s" href="data:image/png;base64,%s"/>`,
		draw.Num(x), draw.Num(y), draw.Num(w), draw.Num(h), rendering, base64.StdEncoding.EncodeToString(b.Bytes()))
}
