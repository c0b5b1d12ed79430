package data

import (
	"math"
	"strings"

	"gotorch/tensor"
)

// strokes are the digits as lines between points of a grid 4 wide and 6 high; a space lifts the pen.
var strokes = [10]string{
	"10 30 41 45 36 16 05 01 10",
	"02 20 26",
	"01 10 30 41 42 06 46",
	"00 40 23 43 45 36 16 05",
	"36 30 04 44",
	"40 00 02 32 43 45 36 16 05",
	"40 10 01 05 16 36 45 43 32 02",
	"00 40 16",
	"10 30 41 42 33 13 02 01 10 - 13 04 05 16 36 45 44 33",
	"06 36 45 41 30 10 01 03 14 44",
}

// DigitsSize is the height and width of the pictures of [Digits].
const DigitsSize = 16

// Digits is n drawn digits: pictures (1, 16, 16) of float32 from 0 to 1 with their class, each moved, turned, sized
// and drawn with a pen as chance will have it. Options: opt.Noise (0.05), opt.Seed.
func Digits(n int, opts ...tensor.Option) Dataset {
	const op = "data.Digits"
	m := tensor.Keywords(op, opts, "noise", "seed")
	noise := 0.05
	if v, ok := m["noise"].(float64); ok {
		noise = v
	}
	if n < 0 {
		panic(tensor.Errorf(op, "the number of digits must not be negative, got %d", n))
	}
	const size = DigitsSize
	tensor.MustFit(op, (4*size*size+8)*float64(n))
	pixels, classes := make([]float32, n*size*size), make([]int64, n)
	generatorOf(m["seed"]).Draw(func(s *tensor.Source) {
		for i := range n {
			c := int(s.Below(10))
			classes[i] = int64(c)
			draw(pixels[i*size*size:][:size*size], strokes[c], s)
		}
		for i := range pixels {
			pixels[i] = float32(min(max(float64(pixels[i])+noise*s.Normal(), 0), 1))
		}
	})
	return Tensors(tensor.FromSlice(pixels, n, 1, size, size), tensor.FromSlice(classes, n))
}

// draw draws a digit into a picture.
func draw(picture []float32, digit string, s *tensor.Source) {
	const size = DigitsSize
	between := func(low, high float64) float64 { return low + (high-low)*s.Float64() }
	turn, scale := between(-0.2, 0.2), between(1.5, 1.9)
	slant, pen := between(-0.15, 0.15), between(0.7, 1.2)
	dx, dy := between(-1.5, 1.5), between(-1.2, 1.2)
	sin, cos := math.Sincos(turn)
	place := func(p string) (x, y float64) {
		x, y = (float64(p[0]-'0')-2)*scale, (float64(p[1]-'0')-3)*scale
		x -= slant * y
		return cos*x - sin*y + size/2 - 0.5 + dx, sin*x + cos*y + size/2 - 0.5 + dy
	}
	points := strings.Fields(digit)
	for i := range points[1:] {
		if points[i] == "-" || points[i+1] == "-" {
			continue
		}
		ax, ay := place(points[i])
		bx, by := place(points[i+1])
		for y := range size {
			for x := range size {
				d := distance(float64(x), float64(y), ax, ay, bx, by)
				ink := float32(min(max(pen+0.5-d, 0), 1))
				picture[y*size+x] = max(picture[y*size+x], ink)
			}
		}
	}
}

// distance is that of a point from the line between two others.
func distance(x, y, ax, ay, bx, by float64) float64 {
	dx, dy := bx-ax, by-ay
	t := 0.0
	if l := dx*dx + dy*dy; l > 0 {
		t = min(max(((x-ax)*dx+(y-ay)*dy)/l, 0), 1)
	}
	return math.Hypot(x-ax-t*dx, y-ay-t*dy)
}
