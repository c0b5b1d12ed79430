package tensor

import "math"

// cdistBody gives the p-distances between every row of x1 and every row of x2.
func cdistBody(c *Call) {
	a, b, p := c.Tensor(0), c.Tensor(1), c.Float(2)
	for i, x := range []*Tensor{a, b} {
		if len(x.shape) < 2 {
			Errorf(c.Name(), "x%d must be at least 2D, but it is %dD, of shape %v", i+1, len(x.shape), x.shape)
		}
		if !x.dtype.IsFloatingPoint() {
			Errorf(c.Name(), "only floating point dtypes are supported, x%d is %s", i+1, x.dtype)
		}
	}
	if n, m := a.Size(-1), b.Size(-1); n != m {
		Errorf(c.Name(), "x1 and x2 must have the same number of columns, got %d and %d", n, m)
	}
	if p < 0 || math.IsNaN(p) {
		Errorf(c.Name(), "only non-negative p values are supported, got %v", p)
	}
	if mode := c.Str(3); mode != "use_mm_for_euclid_dist_if_necessary" && mode != "use_mm_for_euclid_dist" && mode != "donot_use_mm_for_euclid_dist" {
		Errorf(c.Name(), "%q is not a valid compute_mode", mode)
	}
	d := a.Unsqueeze(-2).Sub(b.Unsqueeze(-3)).Abs()
	switch last := optDim(-1); {
	case d.Size(-1) == 0:
		d = d.Sum(last)
	case p == 0:
		d = d.Ne(0).To(d.dtype).Sum(last)
	case p == 1:
		d = d.Sum(last)
	case p == 2:
		d = d.Mul(d).Sum(last).Sqrt()
	case math.IsInf(p, 1):
		d = d.Amax(last)
	default:
		d = d.Pow(p).Sum(last).Pow(1 / p)
	}
	c.Return(d)
}
