package plot

import (
	"fmt"
	"math"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: signed pictures. A weight or an activation has numbers on both sides of zero; cut to 0 to 1 half of it would
// be black. Where there is a negative number, zero is the middle grey, and the number of the largest magnitude black
// or white. Numbers of which none is negative are taken as they are, 0 to 1, and larger ones cut, as the brightness
// of a photograph is.

// centred is x as a picture shows it: numbers on both sides of zero become numbers from 0 to 1 around a half. says is
// the line about its range.
func centred(x *tensor.Tensor) (y *tensor.Tensor, says string) {
	if !x.Dtype().IsFloatingPoint() {
		return x, ""
	}
	stats, _ := draw.StatsOf(x)
	switch {
	case stats == nil:
		return x, ""
	case stats.Finite == 0:
		return x, "no finite elements"
	}
	says = fmt.Sprintf("%.3g to %.3g", stats.Min, stats.Max)
	shape := x.Shape()
	alpha := len(shape) >= 3 && shape[len(shape)-3] == 4
	switch most := max(math.Abs(stats.Min), math.Abs(stats.Max)); {
	case stats.Min < 0 && !alpha:
		says += fmt.Sprintf(", centered: 0 is grey, %.3g black, %.3g white", -most, most)
		y = plain(x, shape).To(tensor.Float32).Div(2 * most).Add(0.5)
	case stats.Min < 0 || stats.Max > 1:
		says += ", cut to 0 to 1"
	}
	if stats.NaN > 0 {
		says += fmt.Sprintf(", NaN %d (black)", stats.NaN)
	}
	if y == nil {
		y = x
	}
	return y, says
}

// ThumbTiles is how many images of a batch a thumbnail has.
const ThumbTiles = 32

// Thumbnail is a small picture of a tensor that looks like one: [3 H W], [1 H W], or a batch of those, of floating
// point numbers or uint8. It is nil for any other.
func Thumbnail(x *tensor.Tensor) *Picture {
	const (
		least = 5  // pixels: kernels of convolutions are pictures too
		most  = 96 // of a side
	)
	shape := x.Shape()
	n := len(shape)
	if x.Device().Virtual() || n < 3 || n > 4 || !x.Dtype().IsFloatingPoint() && x.Dtype() != tensor.Uint8 {
		return nil
	}
	c, h, w := shape[n-3], shape[n-2], shape[n-1]
	if c != 1 && c != 3 || h < least || w < least || n == 4 && shape[0] == 0 {
		return nil
	}
	side := most
	stride := x.Stride()
	if n == 4 {
		shape[0] = min(shape[0], ThumbTiles)
		side = most / 3
	}
	step := max(1, (max(h, w)+side-1)/side)
	shape[n-2], shape[n-1] = (h+step-1)/step, (w+step-1)/step
	stride[n-2], stride[n-1] = stride[n-2]*step, stride[n-1]*step
	p := Image(tensor.FromStorage("image", x.Storage(), shape, stride, x.StorageOffset(), x.Dtype()).Clone(),
		Scale(max(1, side/max(shape[n-2], shape[n-1])/2)))
	p.Name = ""
	return p
}
