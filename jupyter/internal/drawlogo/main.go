// Drawlogo draws the kernel's logo: a storage seen as a grid of cells, a view that walks through it
// with a stride, and a flame. The same shapes become SVG and, 32 and 64 pixels wide, PNG.
//
//	drawlogo DIR
package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"

	"golang.org/x/image/vector"
)

// side is the width and height of the drawing's own coordinates.
const side = 64

// point is a place in the drawing.
type point struct{ x, y float64 }

// shape is a closed outline of cubic curves: a start, then three points for each curve.
type shape struct {
	fill   color.NRGBA
	points []point
}

var (
	sky   = color.NRGBA{0x00, 0xad, 0xd8, 0xff}
	pale  = color.NRGBA{0xbf, 0xe9, 0xf5, 0xff}
	ember = color.NRGBA{0xe8, 0x4a, 0x27, 0xff}
	amber = color.NRGBA{0xff, 0xb0, 0x3a, 0xff}
	white = color.NRGBA{0xff, 0xff, 0xff, 0xff}
)

// cell is a square with round corners.
func cell(x, y, w, r float64, fill color.NRGBA) shape {
	k := r * 0.4477 // where the handles of a quarter of a circle stand, from the corner
	return shape{fill, []point{
		{x + r, y}, {x + r, y}, {x + w - r, y}, {x + w - r, y},
		{x + w - k, y}, {x + w, y + k}, {x + w, y + r},
		{x + w, y + r}, {x + w, y + w - r}, {x + w, y + w - r},
		{x + w, y + w - k}, {x + w - k, y + w}, {x + w - r, y + w},
		{x + w - r, y + w}, {x + r, y + w}, {x + r, y + w},
		{x + k, y + w}, {x, y + w - k}, {x, y + w - r},
		{x, y + w - r}, {x, y + r}, {x, y + r},
		{x, y + k}, {x + k, y}, {x + r, y},
	}}
}

// flame is a flame about a middle, size times as large as the one that is written down here.
func flame(middle point, size float64, fill color.NRGBA) shape {
	outline := []point{
		{1.5, -18},
		{3.5, -11}, {12.5, -6.5}, {12.5, 4},
		{12.5, 11.5}, {7, 17}, {0, 17},
		{-7, 17}, {-12.5, 11.5}, {-12.5, 4},
		{-12.5, -0.5}, {-10.5, -4}, {-8, -6.5},
		{-7.5, -3.5}, {-6.5, -2}, {-4.5, -1},
		{-5, -7.5}, {-3, -13}, {1.5, -18},
	}
	s := shape{fill: fill}
	for _, p := range outline {
		s.points = append(s.points, point{middle.x + size*p.x, middle.y + size*p.y})
	}
	return s
}

// logo is the drawing, from back to front. Cells 0, 5, 10 and 15 are what a view with stride 5 sees.
func logo() []shape {
	var shapes []shape
	const pitch, width = 15.5, 13.5
	for i := range 16 {
		fill := pale
		if i%5 == 0 {
			fill = sky
		}
		shapes = append(shapes, cell(2+pitch*float64(i%4), 2+pitch*float64(i/4), width, 3, fill))
	}
	return append(shapes,
		flame(point{32, 34}, 1.28, white),
		flame(point{32, 34}, 1.12, ember),
		flame(point{32.2, 42}, 0.55, amber))
}

func svg(shapes []shape) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d">`+"\n", side, side)
	for _, s := range shapes {
		fmt.Fprintf(&b, `<path fill="#%02x%02x%02x" d="M%.5g %.5g`, s.fill.R, s.fill.G, s.fill.B,
			s.points[0].x, s.points[0].y)
		for i := 1; i < len(s.points); i += 3 {
			p := s.points[i:]
			fmt.Fprintf(&b, "C%.5g %.5g %.5g %.5g %.5g %.5g", p[0].x, p[0].y, p[1].x, p[1].y, p[2].x, p[2].y)
		}
		b.WriteString("Z\"/>\n")
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

func raster(shapes []shape, size int) ([]byte, error) {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	at := func(p point) (x, y float32) {
		return float32(p.x * float64(size) / side), float32(p.y * float64(size) / side)
	}
	for _, s := range shapes {
		z := vector.NewRasterizer(size, size)
		x, y := at(s.points[0])
		z.MoveTo(x, y)
		for i := 1; i < len(s.points); i += 3 {
			bx, by := at(s.points[i])
			cx, cy := at(s.points[i+1])
			dx, dy := at(s.points[i+2])
			z.CubeTo(bx, by, cx, cy, dx, dy)
		}
		z.ClosePath()
		z.DrawOp = draw.Over
		z.Draw(img, img.Bounds(), image.NewUniform(s.fill), image.Point{})
	}
	var b bytes.Buffer
	err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, img)
	return b.Bytes(), err
}

// files are the logo's, by name.
func files() (map[string][]byte, error) {
	shapes := logo()
	out := map[string][]byte{"logo-svg.svg": svg(shapes)}
	for _, size := range []int{32, 64} {
		b, err := raster(shapes, size)
		if err != nil {
			return nil, err
		}
		out[fmt.Sprintf("logo-%dx%d.png", size, size)] = b
	}
	return out, nil
}

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: drawlogo DIR")
		os.Exit(2)
	}
	all, err := files()
	for name, b := range all {
		if err == nil {
			err = os.WriteFile(filepath.Join(os.Args[1], name), b, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
