package data

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Transform changes a sample's X, a picture (channels, height, width) say. Random ones draw from g alone, so that a
// loader's batches depend only on its seed.
type Transform func(x *tensor.Tensor, g *tensor.Generator) *tensor.Tensor

// Normalize subtracts the mean of each channel (the first dimension) and divides by its standard deviation.
func Normalize(mean, std []float64) Transform {
	for _, s := range std {
		if s == 0 {
			panic(tensor.Errorf("data.Normalize", "a standard deviation is 0"))
		}
	}
	return func(x *tensor.Tensor, _ *tensor.Generator) *tensor.Tensor {
		if x.Dim() < 1 || x.Size(0) != len(mean) || len(std) != len(mean) {
			panic(tensor.Errorf("data.Normalize", "%d means and %d standard deviations for a sample of shape %v", len(mean),
				len(std), x.Shape()))
		}
		shape := make([]int, x.Dim())
		for i := range shape {
			shape[i] = 1
		}
		shape[0] = -1
		m, s := tensor.New(mean).To(x.Dtype()).View(shape...), tensor.New(std).To(x.Dtype()).View(shape...)
		return x.Sub(m).Div(s)
	}
}

// checkPicture panics unless x has at least height and width.
func checkPicture(op string, x *tensor.Tensor, height, width int) {
	if x.Dim() < 2 || x.Size(-2) < height || x.Size(-1) < width {
		panic(tensor.Errorf(op, "a picture of shape %v is smaller than %d by %d", x.Shape(), height, width))
	}
}

// CenterCrop cuts the middle out of pictures.
func CenterCrop(height, width int) Transform {
	return func(x *tensor.Tensor, _ *tensor.Generator) *tensor.Tensor {
		checkPicture("data.CenterCrop", x, height, width)
		return x.Narrow(-2, (x.Size(-2)-height)/2, height).Narrow(-1, (x.Size(-1)-width)/2, width)
	}
}

// RandomCrop pads pictures with zeros on all sides and cuts a part out at random.
func RandomCrop(height, width, padding int) Transform {
	return func(x *tensor.Tensor, g *tensor.Generator) *tensor.Tensor {
		if padding > 0 {
			x = tensor.Pad(x, []int{padding, padding, padding, padding})
		}
		checkPicture("data.RandomCrop", x, height, width)
		top := below(g, x.Size(-2)-height+1)
		left := below(g, x.Size(-1)-width+1)
		return x.Narrow(-2, top, height).Narrow(-1, left, width)
	}
}

func below(g *tensor.Generator, n int) (k int) {
	g.Draw(func(s *tensor.Source) { k = int(s.Below(uint64(n))) })
	return k
}

// RandomHorizontalFlip mirrors left and right with probability p.
func RandomHorizontalFlip(p float64) Transform { return flip(p, -1) }

// RandomVerticalFlip mirrors top and bottom with probability p.
func RandomVerticalFlip(p float64) Transform { return flip(p, -2) }

func flip(p float64, dim int) Transform {
	return func(x *tensor.Tensor, g *tensor.Generator) *tensor.Tensor {
		yes := false
		g.Draw(func(s *tensor.Source) { yes = s.Float64() < p })
		if yes {
			return x.Flip(dim)
		}
		return x
	}
}

// Resize makes pictures of that size, by linear interpolation.
func Resize(height, width int) Transform {
	return func(x *tensor.Tensor, _ *tensor.Generator) *tensor.Tensor {
		checkPicture("data.Resize", x, 1, 1)
		y := x
		for y.Dim() < 4 {
			y = y.Unsqueeze(0)
		}
		y = tensor.Interpolate(y, opt.Size([]int{height, width}), opt.Mode("bilinear"))
		for y.Dim() > x.Dim() {
			y = y.Squeeze(0)
		}
		return y
	}
}

// Noise adds normal draws times std.
func Noise(std float64) Transform {
	return func(x *tensor.Tensor, g *tensor.Generator) *tensor.Tensor {
		return x.Add(tensor.EmptyLike(x).Normal_(opt.Generator(g)).Mul(std))
	}
}

// Each is a transform without random numbers.
func Each(f func(*tensor.Tensor) *tensor.Tensor) Transform {
	return func(x *tensor.Tensor, _ *tensor.Generator) *tensor.Tensor { return f(x) }
}
