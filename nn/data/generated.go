package data

import (
	"math"

	"gotorch/tensor"
)

// made2d makes a data set of n points in the plane: point(i) is one with its class, before noise is added.
func made2d(op string, n int, opts []tensor.Option, def float64,
	point func(i int, s *tensor.Source) (x, y float64, class int)) Dataset {
	m := tensor.Keywords(op, opts, "noise", "seed")
	noise := def
	if v, ok := m["noise"]; ok {
		s, ok := tensor.ScalarOf(v)
		if !ok {
			panic(tensor.Errorf(op, "argument noise must be a number, not %v", v))
		}
		noise = s.Float()
	}
	if n < 0 {
		panic(tensor.Errorf(op, "the number of points must not be negative, got %d", n))
	}
	tensor.MustFit(op, 16*float64(n))
	xs, classes := make([]float32, 2*n), make([]int64, n)
	generatorOf(m["seed"]).Draw(func(s *tensor.Source) {
		for i := range n {
			x, y, c := point(i, s)
			xs[2*i], xs[2*i+1] = float32(x+noise*s.Normal()), float32(y+noise*s.Normal())
			classes[i] = int64(c)
		}
	})
	return Tensors(tensor.FromSlice(xs, n, 2), tensor.FromSlice(classes, n))
}

// Spirals is n points on so many arms that turn around each other; the arm is the class. Options: opt.Noise (0.02),
// opt.Seed.
func Spirals(n, arms int, opts ...tensor.Option) Dataset {
	if arms < 1 {
		panic(tensor.Errorf("data.Spirals", "there must be an arm, got %d", arms))
	}
	return made2d("data.Spirals", n, opts, 0.02, func(i int, s *tensor.Source) (x, y float64, class int) {
		class = i % arms
		r := math.Sqrt(s.Float64())
		turn := 2*math.Pi*float64(class)/float64(arms) + 4*r
		return r * math.Cos(turn), r * math.Sin(turn), class
	})
}

// Moons is n points on two half circles that reach into each other. Options: opt.Noise (0.1), opt.Seed.
func Moons(n int, opts ...tensor.Option) Dataset {
	return made2d("data.Moons", n, opts, 0.1, func(i int, s *tensor.Source) (x, y float64, class int) {
		t := math.Pi * s.Float64()
		if i%2 == 0 {
			return math.Cos(t), math.Sin(t), 0
		}
		return 1 - math.Cos(t), 0.5 - math.Sin(t), 1
	})
}

// Circles is n points on two circles, one inside the other. Options: opt.Noise (0.05), opt.Seed.
func Circles(n int, opts ...tensor.Option) Dataset {
	return made2d("data.Circles", n, opts, 0.05, func(i int, s *tensor.Source) (x, y float64, class int) {
		t, class := 2*math.Pi*s.Float64(), i%2
		r := 1 - 0.5*float64(class)
		return r * math.Cos(t), r * math.Sin(t), class
	})
}

// Blobs is n points around the corners of a regular polygon with so many. Options: opt.Noise (0.15), opt.Seed.
func Blobs(n, classes int, opts ...tensor.Option) Dataset {
	if classes < 1 {
		panic(tensor.Errorf("data.Blobs", "there must be a class, got %d", classes))
	}
	return made2d("data.Blobs", n, opts, 0.15, func(i int, _ *tensor.Source) (x, y float64, class int) {
		class = i % classes
		t := 2 * math.Pi * float64(class) / float64(classes)
		return math.Cos(t), math.Sin(t), class
	})
}
