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

// Picture is an image tensor as a picture.
type Picture struct {
	Name   string `json:"name,omitempty"`
	Shape  []int  `json:"shape"`
	Dtype  string `json:"dtype"`
	Width  int    `json:"width"` // in pixels of the tensor, a grid's gaps included
	Height int    `json:"height"`
	Images int    `json:"images"` // of the grid
	Left   int    `json:"left,omitempty"`
	Range  string `json:"range"`
	PNG    []byte `json:"png"` // the file, base64 in JSON
	Scale  int    `json:"scale"`

	Places *draw.Elements `json:"places,omitempty"` // of one small picture
}

// Limits of a picture.
const (
	maxTiles    = 64
	tileGap     = 2
	shownPixels = 192      // small pictures are enlarged to about so many
	maxPixels   = 16 << 20 // of a picture before it is scaled

	maxMarkedPixels = 800 // elements of a picture that are linked
)

// Scale enlarges every pixel of an [Image] to a square of so many; 0 chooses, so that small pictures can be seen.
type Scale int

// Image shows an image tensor: [H W] or [C H W] with 1 (grey), 3 (red, green, blue) or 4 (with alpha) channels, or a
// batch [N C H W], which becomes a grid of at most 64. Floating point numbers, uint8, or bool. Numbers of which none
// is negative go from 0 to 1, larger ones are cut; with negative ones, 0 is the middle grey and the largest magnitude
// black or white. The line beneath says the range. Any other shape or dtype panics with a *tensor.Error.
//
//	visualize.Image(tensor.LoadImage("cat.png"))
//	visualize.Image(kernels, visualize.Scale(12))
func Image(x *tensor.Tensor, scale ...Scale) *Picture {
	const op = "image"
	if x == nil {
		panic(tensor.Errorf(op, "the tensor is nil"))
	}
	if x.Device() == tensor.Meta {
		panic(tensor.Errorf(op, "a meta tensor has no elements to show"))
	}
	p := &Picture{Name: draw.LiveNames()[x], Shape: x.Shape(), Dtype: x.Dtype().String(), Images: 1}
	shape := x.Shape()
	if len(shape) < 2 || len(shape) > 4 {
		panic(tensor.Errorf(op, "a picture has shape [H W], [C H W] or [N C H W], not %v", shape).
			WithHint("View, Reshape or Permute it; channels come before height and width"))
	}
	if len(shape) == 3 && !channelsOK(shape[0]) && channelsOK(shape[2]) {
		panic(tensor.Errorf(op, "a picture of shape [C H W] has 1, 3 or 4 channels, not %d", shape[0]).
			WithHint("Permute(2, 0, 1) puts channels first"))
	}
	if c := len(shape) - 3; c >= 0 && !channelsOK(shape[c]) {
		hint := "index one channel, x[0], to see it in grey"
		if len(shape) == 4 && channelsOK(shape[3]) {
			hint = "Permute(0, 3, 1, 2) puts channels in front of height and width"
		} else if len(shape) == 3 {
			hint = "x.Unsqueeze(1) makes it a batch of grey pictures"
		}
		panic(tensor.Errorf(op, "a picture has 1, 3 or 4 channels, not %d (shape %v)", shape[c], shape).WithHint(hint))
	}
	if x.Dtype().IsComplex() || x.Dtype().IsIntegral() && x.Dtype() != tensor.Uint8 {
		panic(tensor.Errorf(op, "a picture is of a floating point dtype, uint8 or bool, not %s", x.Dtype()).
			WithHint("x.To(tensor.Uint8), or floating point numbers from 0 to 1"))
	}
	if x.Numel() == 0 {
		panic(tensor.Errorf(op, "a picture of shape %v has no pixels", shape))
	}
	h, w := shape[len(shape)-2], shape[len(shape)-1]
	if h > maxPixels/w {
		panic(tensor.Errorf(op, "a picture of %d by %d pixels is too large to show; index a part of it", w, h))
	}
	if n := x.Numel(); len(shape) < 4 && n <= maxMarkedPixels {
		p.Places = draw.ElementsOf(x)
	}
	x, p.Range = centred(x)
	var img image.Image
	if len(shape) == 4 {
		img = p.grid(x, shape)
	} else {
		img = plain(x, shape).ToImage()
	}
	p.Width, p.Height = img.Bounds().Dx(), img.Bounds().Dy()
	for _, s := range scale {
		if s < 0 {
			panic(tensor.Errorf(op, "the scale is %d", int(s)))
		}
		p.Scale = int(s)
	}
	if p.Scale == 0 {
		p.Scale = max(1, min(32, shownPixels/max(p.Width, p.Height)))
	}
	if p.Scale > 1 && p.Width*p.Height > maxPixels/p.Scale/p.Scale {
		panic(tensor.Errorf(op, "a picture of %d by %d pixels enlarged %d times is too large to show", p.Width, p.Height,
			p.Scale))
	}
	var b bytes.Buffer
	if err := png.Encode(&b, enlarge(img, p.Scale)); err != nil {
		panic(tensor.Errorf(op, "%v", err))
	}
	p.PNG = b.Bytes()
	return p
}

func channelsOK(c int) bool { return c == 1 || c == 3 || c == 4 }

// plain is x without a history, for reading: a header of its own into the same storage.
func plain(x *tensor.Tensor, shape []int) *tensor.Tensor {
	return tensor.FromStorage("image", x.Storage(), shape, x.Stride(), x.StorageOffset(), x.Dtype())
}

// grid puts the pictures of a batch side by side, in rows.
func (p *Picture) grid(x *tensor.Tensor, shape []int) image.Image {
	n, h, w := min(shape[0], maxTiles), shape[2], shape[3]
	n = max(1, min(n, maxPixels/((h+tileGap)*(w+tileGap))))
	p.Images, p.Left = n, shape[0]-n
	columns := 1
	for columns*columns*w < n*h || columns*columns < n && w <= h {
		columns++
	}
	columns = min(columns, n)
	rows := (n + columns - 1) / columns
	out := image.NewNRGBA(image.Rect(0, 0, columns*(w+tileGap)-tileGap, rows*(h+tileGap)-tileGap))
	for i := range n {
		one := tensor.FromStorage("image", x.Storage(), shape[1:], x.Stride()[1:], x.StorageOffset()+i*x.Stride()[0],
			x.Dtype()).ToImage()
		x0, y0 := i%columns*(w+tileGap), i/columns*(h+tileGap)
		for r := range h {
			for c := range w {
				out.Set(x0+c, y0+r, one.At(c, r))
			}
		}
	}
	return out
}

// enlarge repeats every pixel.
func enlarge(img image.Image, by int) image.Image {
	if by == 1 {
		return img
	}
	b := img.Bounds()
	box := image.Rect(0, 0, b.Dx()*by, b.Dy()*by)
	var out imagedraw.Image = image.NewNRGBA(box)
	if _, grey := img.(*image.Gray); grey {
		out = image.NewGray(box)
	}
	for y := range box.Dy() {
		for x := range box.Dx() {
			out.Set(x, y, img.At(b.Min.X+x/by, b.Min.Y+y/by))
		}
	}
	return out
}

func (p *Picture) base64() string { return base64.StdEncoding.EncodeToString(p.PNG) }

// summary is one line about the picture.
func (p *Picture) summary() string {
	t := fmt.Sprintf("image %d × %d", p.Width, p.Height)
	if len(p.Shape) == 4 {
		t = fmt.Sprintf("%s, %s", draw.Counted(p.Images, "image"), t[len("image "):])
		if p.Left > 0 {
			t += fmt.Sprintf(" (%d more left out)", p.Left)
		}
	}
	t += fmt.Sprintf("  %s%v", p.Dtype, p.Shape)
	if p.Range != "" {
		t += "  " + p.Range
	}
	if p.Name != "" {
		t = draw.Clip(p.Name, draw.MaxName) + "  " + t
	}
	return t
}

// Text is, with colour, the picture in half blocks, two pixels a character; without, one line about it.
func (p *Picture) Text(colored bool) string {
	img, err := png.Decode(bytes.NewReader(p.PNG))
	if !colored || err != nil {
		return p.summary()
	}
	w, h := img.Bounds().Dx(), img.Bounds().Dy()
	columns := min(80, max(w/max(p.Scale, 1), 1))
	rows := max(1, h*columns/w)
	at := func(c, r int) color.NRGBA {
		return color.NRGBAModel.Convert(img.At((2*c+1)*w/(2*columns), min(h-1, (2*r+1)*h/(2*rows)))).(color.NRGBA)
	}
	var b strings.Builder
	for r := 0; r < rows; r += 2 {
		for c := range columns {
			top := at(c, r)
			b.WriteString(draw.AnsiColour(top, false))
			if r+1 < rows {
				low := at(c, r+1)
				b.WriteString(draw.AnsiColour(low, true))
			}
			b.WriteString("▀")
		}
		b.WriteString("\x1b[0m\n")
	}
	return b.String() + draw.Dim(true, p.summary())
}

// String is the line about the picture.
func (p *Picture) String() string { return p.Text(false) }

// SVG is the picture inside of an SVG.
func (p *Picture) SVG() string {
	c := new(draw.Canvas)
	w, h := float64(p.Width*p.Scale), float64(p.Height*p.Scale)
	c.Grow(8+w, 8+h)
	fmt.Fprintf(&c.Elements, `<image x="8" y="8" width="%s" height="%s" href="data:image/png;base64,%s"/>`, draw.Num(w),
		draw.Num(h), p.base64())
	p.mark(c)
	c.Lines(8, h+24, p.summary(), draw.Faint)
	return c.Alone("image")
}

// HTML is the picture with the line about it.
func (p *Picture) HTML() string {
	if p.Places != nil && draw.Linked() {
		c := new(draw.Canvas)
		addPNG(c, 8, 8, float64(p.Width*p.Scale), float64(p.Height*p.Scale), p.PNG, "pixelated")
		p.mark(c)
		return draw.Frame(`<div>` + c.Image(p.summary()) + `</div><div style="opacity:0.75">` +
			draw.Escape(p.summary()) + `</div>`)
	}
	return draw.Frame(fmt.Sprintf(
		`<img alt="%s" width="%d" height="%d" style="max-width:100%%;height:auto;image-rendering:pixelated" src="data:image/png;base64,%s"/><div style="opacity:0.75">%s</div>`,
		draw.Escape(p.summary()), p.Width*p.Scale, p.Height*p.Scale, p.base64(), draw.Escape(p.summary())))
}

// mark puts a mark over each pixel for each of its elements, the channels' inside of each other.
func (p *Picture) mark(c *draw.Canvas) {
	if p.Places == nil || !draw.Linked() {
		return
	}
	side := float64(p.Scale)
	for y := range p.Height {
		for x := range p.Width {
			marks := []string{p.Places.Mark(y, x)}
			if len(p.Shape) == 3 {
				marks = marks[:0]
				for channel := range p.Shape[0] {
					marks = append(marks, p.Places.Mark(channel, y, x))
				}
			}
			last := len(marks) - 1
			for _, m := range marks[:last] {
				c.Elements.WriteString("<g" + m + ">")
			}
			fmt.Fprintf(&c.Elements, `<rect class="px" x="%s" y="%s" width="%d" height="%d" fill-opacity="0"%s/>`,
				draw.Num(8+float64(x)*side), draw.Num(8+float64(y)*side), p.Scale, p.Scale, marks[last])
			c.Elements.WriteString(strings.Repeat("</g>", last))
		}
	}
}

// MIMEBundle is the page that HTML returns, which holds the picture and the line about it.
func (p *Picture) MIMEBundle() map[string]any {
	return map[string]any{"text/plain": p.Text(false), "text/html": p.HTML()}
}
