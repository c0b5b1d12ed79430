package plot

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// PictureGrid is a batch of image tensors side by side.
type PictureGrid struct {
	Title   string     `json:"title,omitempty"`
	Shape   []int      `json:"shape"`
	Dtype   string     `json:"dtype"`
	Columns int        `json:"columns"`
	Padding int        `json:"padding"` // between the pictures, in their pixels
	Scale   int        `json:"scale"`
	Width   int        `json:"width"` // of one picture, in its pixels
	Height  int        `json:"height"`
	Tiles   []GridTile `json:"tiles"`
	Left    int        `json:"left,omitempty"` // pictures that are left out
	Range   string     `json:"range,omitempty"`
}

// GridTile is one picture of a grid.
type GridTile struct {
	Label string `json:"label,omitempty"`
	PNG   []byte `json:"png"` // the file, base64 in JSON
}

// ImageGrid shows a batch of image tensors, [N C H W] or, all grey, [N H W], side by side, each with its label below.
// Of more than 64 the rest is counted. Floating point numbers go from 0 to 1, or from what the option Range says;
// others are cut. With negative numbers and without Range, 0 is the middle grey, and the largest magnitude black or
// white.
//
//	visualize.ImageGrid(digits, visualize.Columns(8), visualize.Labels("7", "2", "1", "0"))
//
// The options are Columns, Padding, Labels, Range, Scale and Title.
func ImageGrid(x *tensor.Tensor, opts ...Option) *PictureGrid {
	const op = "image_grid"
	s := settle(op, opts, "Columns", "Padding", "Labels", "Range", "Scale", "Title")
	if x == nil {
		panic(tensor.Errorf(op, "the tensor is nil"))
	}
	if x.Device() == tensor.Meta {
		panic(tensor.Errorf(op, "a meta tensor has no elements to show"))
	}
	if x.Dtype().IsComplex() {
		panic(tensor.Errorf(op, "a picture has real numbers, not %s", x.Dtype()).WithHint("x.Abs()"))
	}
	shape := x.Shape()
	if len(shape) == 3 {
		shape = []int{shape[0], 1, shape[1], shape[2]}
	}
	if len(shape) != 4 || !channelsOK(shape[1]) {
		hint := "x.Unsqueeze(0) makes a batch of one picture"
		if len(shape) == 4 && channelsOK(shape[3]) {
			hint = "Permute(0, 3, 1, 2) puts channels in front of height and width"
		}
		panic(tensor.Errorf(op, "a grid has shape [N C H W] with 1, 3 or 4 channels, or [N H W], not %v", x.Shape()).
			WithHint(hint))
	}
	if x.Numel() == 0 {
		panic(tensor.Errorf(op, "pictures of shape %v have no pixels", x.Shape()))
	}
	n, h, w := shape[0], shape[2], shape[3]
	if h > maxPixels/w {
		panic(tensor.Errorf(op, "a picture of %d by %d pixels is too large to show; index a part of it", w, h))
	}
	if len(s.labels) > n {
		panic(tensor.Errorf(op, "there are %d labels for %d pictures", len(s.labels), n))
	}
	shown := max(1, min(n, maxTiles, maxPixels/(h*w)))
	g := &PictureGrid{Title: orText(s.title, draw.LiveNames()[x]), Shape: x.Shape(), Dtype: x.Dtype().String(), Width: w,
		Height: h, Padding: s.padding,
		Columns: s.columns, Scale: s.scale, Left: n - shown}
	if s.zones != nil {
		g.Range = fmt.Sprintf("%s to %s", draw.ShortValue(s.zones[0]), draw.ShortValue(s.zones[1]))
	} else if x.Dtype().IsIntegral() && x.Dtype() != tensor.Uint8 {
		panic(tensor.Errorf(op, "a picture is of a floating point dtype, uint8 or bool, not %s", x.Dtype()).
			WithHint("x.To(tensor.Uint8), or the option Range(lowest, highest)"))
	}
	if g.Padding < 0 {
		g.Padding = tileGap
	}
	for g.Columns == 0 || s.columns == 0 && g.Columns < shown && g.Columns*g.Columns*w < shown*h {
		g.Columns++
	}
	g.Columns = min(g.Columns, shown)
	for s.columns == 0 && g.Columns < 8 && g.Columns*g.Columns < shown { // wide rather than high
		g.Columns++
	}
	if g.Scale == 0 {
		g.Scale = max(1, min(32, 3*shownPixels/(g.Columns*(w+g.Padding))))
	}
	if g.Scale > 1 && w*h*shown > maxPixels/g.Scale/g.Scale {
		panic(tensor.Errorf(op, "%d pictures of %d by %d pixels enlarged %d times are too large to show", shown, w, h,
			g.Scale))
	}
	base, stride := x.Detach(), x.Stride()
	if s.zones == nil {
		base, g.Range = centred(base)
	}
	if len(stride) == 3 {
		base = base.Unsqueeze(1)
	}
	for i := range shown {
		one := base.Select(0, i)
		if s.zones != nil {
			one = one.To(tensor.Float32).Sub(s.zones[0]).Div(s.zones[1] - s.zones[0])
		}
		var b bytes.Buffer
		if err := png.Encode(&b, one.ToImage()); err != nil {
			panic(tensor.Errorf(op, "%v", err))
		}
		tile := GridTile{PNG: b.Bytes()}
		if i < len(s.labels) {
			tile.Label = s.labels[i]
		}
		g.Tiles = append(g.Tiles, tile)
	}
	return g
}

func (g *PictureGrid) labelled() bool {
	for _, t := range g.Tiles {
		if t.Label != "" {
			return true
		}
	}
	return false
}

// summary is one line about the pictures.
func (g *PictureGrid) summary() string {
	t := fmt.Sprintf("%s of %d × %d", draw.Counted(len(g.Tiles), "image"), g.Width, g.Height)
	if g.Left > 0 {
		t += fmt.Sprintf(" (%d more left out)", g.Left)
	}
	t += fmt.Sprintf("  %s%v", g.Dtype, g.Shape)
	if g.Range != "" {
		t += "  " + g.Range
	}
	if g.Title != "" {
		t = draw.Clip(draw.OneLine(g.Title, 60), 60) + "  " + t
	}
	return t
}

// draw lays the grid out.
func (g *PictureGrid) draw() *draw.Canvas {
	c := new(draw.Canvas)
	w, h, gap := float64(g.Width*g.Scale), float64(g.Height*g.Scale), float64(g.Padding*g.Scale)
	below := gap
	if g.labelled() {
		below = max(gap, 6) + 14
	}
	letters := max(1, int((w+gap)/draw.CharWidth))
	for i, t := range g.Tiles {
		x, y := 8+float64(i%g.Columns)*(w+gap), 8+float64(i/g.Columns)*(h+below)
		c.Grow(x+w, y+h+below-gap)
		fmt.Fprintf(&c.Elements,
			`<image x="%s" y="%s" width="%s" height="%s" style="image-rendering:pixelated" href="data:image/png;base64,%s"/>`,
			draw.Num(x), draw.Num(y), draw.Num(w), draw.Num(h), base64.StdEncoding.EncodeToString(t.PNG))
		c.Text(x+w/2, y+h+14, "middle", draw.Clip(draw.OneLine(t.Label, letters), letters), "")
	}
	y := c.H
	for _, l := range wrapped(g.summary(), max(40, int(c.W/draw.CharWidth))) {
		y += 18
		c.Text(8, y, "start", l, draw.Faint)
	}
	return c
}

// SVG is the grid as a picture.
func (g *PictureGrid) SVG() string { return g.draw().Alone(g.summary()) }

// HTML is the grid as an image.
func (g *PictureGrid) HTML() string {
	w, h := g.draw().Size()
	img := fmt.Sprintf(
		`<img alt="%s" width="%.0f" height="%.0f" style="max-width:100%%;height:auto" src="data:image/svg+xml;base64,%s"/>`,
		draw.Escape(g.summary()+" "+g.labelText(" ")), w, h,
		base64.StdEncoding.EncodeToString([]byte(g.SVG())))
	return draw.Frame(img + draw.Details("as text", g.Text(false)))
}

// MIMEBundle is the grid in all forms.
func (g *PictureGrid) MIMEBundle() map[string]any { return draw.Bundle(g) }

// String is the grid as text.
func (g *PictureGrid) String() string { return g.Text(false) }

// labelText is the labels, row by row.
func (g *PictureGrid) labelText(between string) string {
	if !g.labelled() {
		return ""
	}
	var rows []string
	for i := 0; i < len(g.Tiles); i += g.Columns {
		var row []string
		for _, t := range g.Tiles[i:min(i+g.Columns, len(g.Tiles))] {
			row = append(row, draw.Clip(draw.OneLine(t.Label, draw.MaxName), draw.MaxName))
		}
		if t := strings.Join(row, ", "); strings.Trim(t, ", ") != "" {
			rows = append(rows, t)
		}
	}
	return strings.Join(rows, between)
}

// whole is the grid as one picture, without its labels.
func (g *PictureGrid) whole() image.Image {
	rows := (len(g.Tiles) + g.Columns - 1) / g.Columns
	out := image.NewNRGBA(image.Rect(0, 0, g.Columns*(g.Width+g.Padding)-g.Padding, rows*(g.Height+g.Padding)-g.Padding))
	for i, t := range g.Tiles {
		if img, err := png.Decode(bytes.NewReader(t.PNG)); err == nil {
			at := image.Pt(i%g.Columns*(g.Width+g.Padding), i/g.Columns*(g.Height+g.Padding))
			imagedraw.Draw(out, image.Rectangle{at, at.Add(image.Pt(g.Width, g.Height))}, img, img.Bounds().Min, imagedraw.Src)
		}
	}
	return out
}

// Text is the pictures in half blocks, two pixels a character, or, without colour, in shades of grey; then their
// labels, row by row.
func (g *PictureGrid) Text(colored bool) string {
	t := strings.TrimRight(blocks(g.whole(), draw.TextWidth(78), colored), "\n")
	for _, l := range strings.Split(g.labelText("\n"), "\n") {
		if l != "" {
			t += "\n" + strings.Join(wrapped(l, draw.TextWidth(78)), "\n")
		}
	}
	return t + "\n" + draw.Dim(colored, strings.Join(wrapped(g.summary(), draw.TextWidth(78)), "\n"))
}

// blocks writes a picture with a character for two pixels, one above the other: in their colours, or in shades of
// grey.
func blocks(img image.Image, most int, colored bool) string {
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	columns := min(most, w)
	rows := max(1, h*columns/w)
	at := func(c, r int) color.NRGBA {
		p := img.Bounds().Min
		return color.NRGBAModel.Convert(img.At(p.X+(2*c+1)*w/(2*columns), p.Y+min(h-1, (2*r+1)*h/(2*rows)))).(color.NRGBA)
	}
	grey := func(p color.NRGBA) float64 {
		return (0.299*float64(p.R) + 0.587*float64(p.G) + 0.114*float64(p.B)) * float64(p.A) / 255 / 255
	}
	var b strings.Builder
	for r := 0; r < rows; r += 2 {
		line := ""
		for c := range columns {
			top, low := at(c, r), color.NRGBA{}
			if r+1 < rows {
				low = at(c, r+1)
			}
			switch {
			case !colored:
				line += shadeOf((grey(top) + grey(low)) / 2)
				continue
			case top.A > 0 && low.A > 0:
				b.WriteString(draw.AnsiColour(top, false) + draw.AnsiColour(low, true) + "▀\x1b[0m")
			case top.A > 0:
				b.WriteString(draw.AnsiColour(top, false) + "▀\x1b[0m")
			case low.A > 0:
				b.WriteString(draw.AnsiColour(low, false) + "▄\x1b[0m")
			default:
				b.WriteString(" ")
			}
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
