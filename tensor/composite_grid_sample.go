package tensor

// Note: grid_sample. Grid coordinates are converted to coordinates of elements, those outside are brought inside (or
// marked, where zeros are read there), and the elements around each are gathered and weighted. All of it is operators,
// so that the gradients for the picture and for the grid follow.

func init() { composites(map[string]Kernel{"nn.functional.grid_sample": gridSample}) }

// gridSampler is one call.
type gridSampler struct {
	x       *Tensor // (N, C, everything else flattened)
	sizes   []int   // of the dimensions that are looked into, x last
	padding string
	corners bool
}

func gridSample(c *Call) {
	x, grid, mode := c.Tensor(0), c.Tensor(1), c.Str(2)
	g := gridSampler{padding: c.Str(3), corners: c.Bool(4)}
	dims := len(x.shape) - 2
	switch {
	case dims != 2 && dims != 3 || len(grid.shape) != len(x.shape):
		panic(Errorf(c.Name(), "expected input and grid of 4 or 5 dimensions, both the same, but got shapes %v and %v",
			x.shape, grid.shape))
	case x.shape[0] != grid.shape[0]:
		panic(Errorf(c.Name(), "expected input and grid of one batch size, but got shapes %v and %v", x.shape, grid.shape))
	case grid.shape[dims+1] != dims:
		panic(Errorf(c.Name(), "expected %d numbers, one for each dimension, as the last dimension of grid, but got shape "+
			"%v", dims, grid.shape).OnArg("grid"))
	case x.dtype != grid.dtype || !x.dtype.IsFloatingPoint():
		panic(Errorf(c.Name(), "expected input and grid of one floating point dtype, but got %s and %s", x.dtype,
			grid.dtype))
	case g.padding != "zeros" && g.padding != "border" && g.padding != "reflection":
		panic(Errorf(c.Name(), `padding_mode must be "zeros", "border" or "reflection", not "%s"`, g.padding).
			OnArg("padding_mode"))
	case mode != "bilinear" && mode != "nearest" && mode != "bicubic":
		panic(Errorf(c.Name(), `mode must be "bilinear", "nearest" or "bicubic", not "%s"`, mode).OnArg("mode"))
	case mode == "bicubic" && dims == 3:
		panic(Errorf(c.Name(), `"bicubic" is only for pictures, of 4 dimensions, but input has shape %s`,
			sizesText(x.shape)).OnArg("mode"))
	}
	for i, s := range x.shape[1:] {
		if s == 0 {
			panic(Errorf(c.Name(), "expected dimensions other than the batch to have elements, but dimension %d has none: "+
				"shape %v", i+1, x.shape).OnArg("input"))
		}
	}
	g.sizes = x.shape[2:]
	g.x = x.Flatten(optStartDim(2))
	at := make([]*Tensor, dims) // in the order of sizes
	for d := range at {
		v, n := grid.Select(-1, dims-1-d).Flatten(optStartDim(1)).Add(1), float64(g.sizes[d])
		if g.corners {
			at[d] = v.Mul((n - 1) / 2)
		} else {
			at[d] = v.Mul(n).Sub(1).Div(2)
		}
	}
	var y *Tensor
	switch mode {
	case "bicubic":
		y = g.cubic(at)
	case "nearest":
		for d := range at {
			at[d] = g.inside(at[d], d).Round()
		}
		// places between which nothing changes have the gradient zero, not none
		y = g.read(at).Add(at[0].MaskedFill(OnesLike(at[0], Bool), 0).Unsqueeze(1))
	default:
		for d := range at {
			at[d] = g.inside(at[d], d)
		}
		y = g.linear(at)
	}
	shape := append([]int{x.shape[0], x.shape[1]}, grid.shape[1:dims+1]...)
	c.Return(y.Reshape(shape...))
}

// inside moves coordinates along dimension d that lie outside as padding says; zeros are left where they are.
func (g *gridSampler) inside(v *Tensor, d int) *Tensor {
	n := float64(g.sizes[d])
	switch g.padding {
	case "zeros":
		return v
	case "reflection":
		low, span := -0.5, n
		if g.corners {
			low, span = 0, n-1
		}
		if span == 0 {
			return ZerosLike(v)
		}
		v = v.Sub(low).Abs()
		turns, rest := v.Div(span).Floor().Detach(), v.Fmod(span)
		v = Where(turns.Remainder(2).Eq(0), rest.Add(low), rest.Neg().Add(span+low))
	}
	return v.Clamp(optMin(0), optMax(n-1))
}

// read gathers the elements at whole coordinates, zeros outside.
func (g *gridSampler) read(at []*Tensor) *Tensor {
	var place, within *Tensor
	for d, v := range at {
		n := g.sizes[d]
		v = v.Detach()
		in := v.Ge(0).LogicalAnd(v.Le(n - 1))
		i := Where(in, v, 0).To(Int64)
		if d == 0 {
			place, within = i, in
		} else {
			place, within = place.Mul(n).Add(i), within.LogicalAnd(in)
		}
	}
	rows, points := g.x.shape[1], place.shape[1]
	y := g.x.Gather(2, place.Unsqueeze(1).Expand(place.shape[0], rows, points))
	return Where(within.Unsqueeze(1), y, 0)
}

// linear weights the elements around each place, two in each dimension.
func (g *gridSampler) linear(at []*Tensor) *Tensor {
	var sum *Tensor
	for corner := range 1 << len(at) {
		whole := make([]*Tensor, len(at))
		var weight *Tensor
		for d, v := range at {
			low := v.Detach().Floor()
			part := v.Sub(low)
			whole[d] = low
			if corner>>d&1 == 1 {
				whole[d] = low.Add(1)
			} else {
				part = part.Neg().Add(1)
			}
			if weight == nil {
				weight = part
			} else {
				weight = weight.Mul(part)
			}
		}
		y := g.read(whole).Mul(weight.Unsqueeze(1))
		if sum == nil {
			sum = y
		} else {
			sum = sum.Add(y)
		}
	}
	return sum
}

// cubic weights the sixteen elements around each place by cubic convolution (R. Keys, IEEE Transactions on Acoustics,
// Speech, and Signal Processing 29, 1981) with the slope -0.75.
func (g *gridSampler) cubic(at []*Tensor) *Tensor {
	const a = -0.75
	weights := func(t *Tensor) [4]*Tensor {
		near := func(t *Tensor) *Tensor { return t.Mul(a + 2).Sub(a + 3).Mul(t).Mul(t).Add(1) }
		far := func(t *Tensor) *Tensor { return t.Mul(a).Sub(5 * a).Mul(t).Add(8 * a).Mul(t).Sub(4 * a) }
		u := t.Neg().Add(1)
		return [4]*Tensor{far(t.Add(1)), near(t), near(u), far(u.Add(1))}
	}
	var low [2]*Tensor
	var w [2][4]*Tensor
	for d, v := range at {
		low[d] = v.Detach().Floor()
		w[d] = weights(v.Sub(low[d]))
	}
	var sum *Tensor
	for i := range 4 {
		var row *Tensor
		for j := range 4 {
			y := g.read([]*Tensor{g.inside(low[0].Add(i-1), 0).Trunc(),
				g.inside(low[1].Add(j-1), 1).Trunc()}).Mul(w[1][j].Unsqueeze(1))
			if row == nil {
				row = y
			} else {
				row = row.Add(y)
			}
		}
		row = row.Mul(w[0][i].Unsqueeze(1))
		if sum == nil {
			sum = row
		} else {
			sum = sum.Add(row)
		}
	}
	return sum
}
