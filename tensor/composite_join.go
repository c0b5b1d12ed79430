package tensor

import "slices"

// Bodies of operators that join, repeat and reorder by means of others.

func init() {
	cat := func(c *Call) { c.Return(Cat(c.Tensors(0), optDim(c.Int(1)))) }
	vstack := func(c *Call) { c.Return(Cat(each(c, Atleast2d))) }
	composites(map[string]Kernel{
		"concat":      cat,
		"concatenate": cat,
		"hstack":      func(c *Call) { c.Return(columns(each(c, Atleast1d))) },
		"vstack":      vstack,
		"row_stack":   vstack,
		"dstack":      func(c *Call) { c.Return(Cat(each(c, Atleast3d), optDim(2))) },
		"column_stack": func(c *Call) {
			c.Return(columns(each(c, func(t *Tensor) *Tensor {
				if len(t.shape) < 2 {
					return t.Reshape(t.numel, 1)
				}
				return t
			})))
		},
		"tile": func(c *Call) {
			x, dims := c.Tensor(0), c.Ints(1)
			for len(dims) < len(x.shape) {
				dims = slices.Insert(slices.Clone(dims), 0, 1)
			}
			c.Return(x.Repeat(dims...))
		},
		"repeat_interleave": repeatInterleaveBody,
		"fliplr":            func(c *Call) { c.Return(atLeast(c, 2).Flip(1)) },
		"flipud":            func(c *Call) { c.Return(atLeast(c, 1).Flip(0)) },
		"cartesian_prod":    cartesianBody,
		"combinations":      combinationsBody,
		"meshgrid":          meshgridBody,
		"vander":            vanderBody,
	})
}

// each applies f to every tensor of a list that has at least one.
func each(c *Call, f func(*Tensor) *Tensor) []*Tensor {
	ts, _ := joined(c)
	out := make([]*Tensor, len(ts))
	for i, t := range ts {
		out[i] = f(t)
	}
	return out
}

// columns joins along dimension 1, vectors along 0.
func columns(ts []*Tensor) *Tensor {
	if len(ts[0].shape) == 1 {
		return Cat(ts)
	}
	return Cat(ts, optDim(1))
}

func repeatInterleaveBody(c *Call) {
	x := c.Tensor(0)
	d := 0
	if c.IsNone(2) {
		x = x.Flatten()
	} else {
		d = c.wrapDim(2, c.Int(2), len(x.shape))
		if len(x.shape) == 0 {
			if n := len(interleaved(c, 1)); n != 1 {
				panic(Errorf(c.Name(), "a tensor without dimensions cannot have %d elements along one", n).OnArg("dim").
					WithHint("without dim the result is a vector"))
			}
			c.Return(x.Clone())
			return
		}
	}
	c.Return(x.IndexSelect(d, New(interleaved(c, x.shape[d]), x.Device())))
}

// interleaved lists the indices 0 to n-1, each as often as repeats says.
func interleaved(c *Call, n int) []int64 {
	mustFit(c.Name(), float64(n))
	counts := make([]int, n)
	if t := c.Tensor(1); t != nil {
		switch {
		case t.dtype != Int64 && t.dtype != Int32:
			panic(Errorf(c.Name(), "repeats must have int64 or int32 type, got %v", t.dtype).OnArg("repeats"))
		case len(t.shape) > 1:
			panic(Errorf(c.Name(), "repeats must be a 0-dim or 1-dim tensor, got %s", describe(t)).OnArg("repeats"))
		case t.numel != 1 && t.numel != n:
			panic(Errorf(c.Name(), "repeats must have the same size as input along dim: repeats has %d elements, the "+
				"dimension %d", t.numel, n))
		}
		t = t.Reshape(-1)
		for i := range counts {
			counts[i] = int(t.at(c.Name(), []int{i % t.numel}).Int())
		}
	} else {
		for i := range counts {
			counts[i] = c.Int(1)
		}
	}
	total, repeated := 0, 0.0
	for _, k := range counts {
		if k < 0 {
			panic(Errorf(c.Name(), "repeats can not be negative, got %d", k))
		}
		total += k
		repeated += float64(k)
	}
	mustFit(c.Name(), repeated)
	if !c.IsNone(3) && c.Int(3) != total {
		panic(Errorf(c.Name(), "output_size %d is not the sum of the repeats, %d", c.Int(3), total))
	}
	out := make([]int64, 0, total)
	for i, k := range counts {
		for range k {
			out = append(out, int64(i))
		}
	}
	return out
}

// vectors are the tensors of a list, which must be vectors (or single numbers, where they are allowed) of one dtype.
func vectors(c *Call, numbers bool) []*Tensor {
	ts, _ := joined(c)
	out := make([]*Tensor, len(ts))
	for i, t := range ts {
		if len(t.shape) > 1 || len(t.shape) == 0 && !numbers {
			panic(Errorf(c.Name(), "expects 1D vectors, but tensor %d has shape %v", i, t.shape))
		}
		if t.dtype != ts[0].dtype {
			panic(Errorf(c.Name(), "expects all tensors to have the same dtype, got %s and %s", ts[0].dtype, t.dtype))
		}
		out[i] = t
	}
	return out
}

// grids expands vectors to the grid that they span; the first varies slowest.
func grids(ts []*Tensor) []*Tensor {
	shape := make([]int, len(ts))
	for i, t := range ts {
		shape[i] = t.numel
	}
	out := make([]*Tensor, len(ts))
	for i, t := range ts {
		one := make([]int, len(ts))
		for j := range one {
			one[j] = 1
		}
		one[i] = t.numel
		out[i] = t.View(one...).Expand(shape...)
	}
	return out
}

func meshgridBody(c *Call) {
	ts := vectors(c, true)
	switch mode := c.Str(1); {
	case mode == "xy" && len(ts) >= 2:
		ts[0], ts[1] = ts[1], ts[0]
		out := grids(ts)
		out[0], out[1] = out[1], out[0]
		c.Return(out...)
	case mode == "" || mode == "ij" || mode == "xy":
		c.Return(grids(ts)...)
	default:
		panic(Errorf(c.Name(), `indexing must be one of "xy" or "ij", got "%s"`, mode).OnArg("indexing"))
	}
}

func cartesianBody(c *Call) {
	ts := vectors(c, false)
	if len(ts) == 1 {
		c.Return(ts[0])
		return
	}
	out := grids(ts)
	for i := range out {
		out[i] = out[i].Flatten()
	}
	c.Return(Stack(out, optDim(1)))
}

func combinationsBody(c *Call) {
	x, r, again := c.Tensor(0), c.Int(1), c.Bool(2)
	if len(x.shape) != 1 {
		panic(Errorf(c.Name(), "expects a 1-D vector, got shape %v", x.shape))
	}
	if r < 0 {
		panic(Errorf(c.Name(), "expects a non-negative number, got %d", r).OnArg("r"))
	}
	if r == 0 {
		c.Return(x.NewEmpty([]int{0}))
		return
	}
	count := 1.0 // of results
	for i := range min(r, 1<<16) {
		if left := x.numel - i; again {
			count *= float64(x.numel+i) / float64(i+1)
		} else {
			count *= max(0, float64(left)) / float64(i+1)
		}
	}
	mustFit(c.Name(), count*float64(r))
	columns := make([][]int64, r)
	choice := make([]int64, r)
	var choose func(at int, from int64)
	choose = func(at int, from int64) {
		if at == r {
			Interrupted(c.Name())
			for i, v := range choice {
				columns[i] = append(columns[i], v)
			}
			return
		}
		for v := from; v < int64(x.numel); v++ {
			choice[at] = v
			if again {
				choose(at+1, v)
			} else {
				choose(at+1, v+1)
			}
		}
	}
	choose(0, 0)
	out := make([]*Tensor, r)
	for i := range out {
		if columns[i] == nil {
			columns[i] = []int64{}
		}
		out[i] = x.IndexSelect(0, New(columns[i], x.Device()))
	}
	c.Return(Stack(out, optDim(1)))
}

func vanderBody(c *Call) {
	x := c.Tensor(0)
	if len(x.shape) != 1 {
		panic(Errorf(c.Name(), "x must be a one-dimensional tensor, got shape %v", x.shape))
	}
	n := x.numel
	if !c.IsNone(1) {
		n = c.Int(1)
	}
	if n < 0 {
		panic(Errorf(c.Name(), "N must be non-negative, got %d", n).OnArg("N"))
	}
	x = x.To(PromoteTypes(x.dtype, Int64))
	out := x.NewOnes([]int{x.numel, min(n, 1)})
	if n > 1 {
		out = Cat([]*Tensor{out, x.Unsqueeze(1).Expand(-1, n-1).Cumprod(1)}, optDim(1))
	}
	if !c.Bool(2) {
		out = out.Flip(1)
	}
	c.Return(out)
}
