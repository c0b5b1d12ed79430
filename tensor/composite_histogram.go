package tensor

// Note: histograms. The bin of a number is the last one whose left edge is not above it, which a search finds; what is
// outside of the edges counts with the weight zero. The last bin has its right edge too.

func init() {
	composites(map[string]Kernel{
		"histogram": func(c *Call) {
			x := histogramInput(c)
			var edges *Tensor
			if t := c.Tensor(1); t != nil {
				edges = binEdges(c, x, t)
			} else {
				lo, hi := histogramRange(c, x.Flatten(), 0, 1)
				edges = evenEdges(c, x, lo, hi, c.Int(1))
			}
			weight := histogramWeight(c, x, x.shape)
			hist := countBins(x.Reshape(-1, 1), weight, []*Tensor{edges}, c.Bool(4))
			c.Return(hist, edges)
		},
		"histogramdd": histogramdd,
	})
}

func histogramInput(c *Call) *Tensor {
	x := c.Tensor(0).Detach()
	if !x.dtype.IsFloatingPoint() {
		panic(Errorf(c.Name(), "not implemented for %s", x.dtype).WithHint("Float() it first"))
	}
	return x
}

func histogramWeight(c *Call, x *Tensor, shape []int) *Tensor {
	w := c.Tensor(3)
	if w == nil {
		return OnesLike(x, x.dtype).Flatten().Narrow(0, 0, max(product(shape), 0))
	}
	if len(w.shape) != len(shape) || product(w.shape) != product(shape) || w.dtype != x.dtype {
		panic(Errorf(c.Name(), "weight must be %s of shape %v, one for each number, but is %s of %v", x.dtype, shape,
			w.dtype, w.shape).OnArg("weight"))
	}
	return w.Detach().Flatten()
}

func product(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// histogramRange returns the limits of one dimension: those of range, or the extremes of x; equal ones are moved
// apart.
func histogramRange(c *Call, x *Tensor, d, dims int) (lo, hi float64) {
	lo, hi = 0, 1
	if !c.IsNone(2) {
		r := c.Scalars(2)
		if len(r) != 2*dims {
			panic(Errorf(c.Name(), "range must have two numbers for each dimension, %d, but has %d", 2*dims, len(r)).
				OnArg("range"))
		}
		lo, hi = r[2*d].Float(), r[2*d+1].Float()
		if !(lo <= hi) {
			panic(Errorf(c.Name(), "the left limit %v must not be above the right one %v", lo, hi).OnArg("range"))
		}
	} else if x.numel > 0 && x.Device() != Meta {
		lo, hi = x.Min().To(Float64).Item(), x.Max().To(Float64).Item()
	}
	if lo-lo != 0 || hi-hi != 0 {
		panic(Errorf(c.Name(), "the limits [%v, %v] are not finite", lo, hi).OnArg("range"))
	}
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	return lo, hi
}

func evenEdges(c *Call, x *Tensor, lo, hi float64, bins int) *Tensor {
	if bins < 1 {
		panic(Errorf(c.Name(), "there must be at least one bin, got %d", bins).OnArg("bins"))
	}
	return With(x.dtype, x.Device()).Linspace(lo, hi, bins+1)
}

// binEdges checks edges that were given.
func binEdges(c *Call, x, edges *Tensor) *Tensor {
	if len(edges.shape) != 1 || edges.numel < 1 || edges.dtype != x.dtype {
		panic(Errorf(c.Name(), "edges must be a vector of %s, of at least one element, but are %s of shape %v", x.dtype,
			edges.dtype, edges.shape).OnArg("bins"))
	}
	return edges.Detach()
}

// countBins adds up the weights of points, the rows of x, in each cell between the edges.
func countBins(x, weight *Tensor, edges []*Tensor, density bool) *Tensor {
	var shape []int
	place := With(Int64, x.Device()).Zeros(x.shape[0])
	for d, e := range edges {
		bins := e.numel - 1
		v := x.Select(1, d).Contiguous()
		first, last := e.Narrow(0, 0, 1), e.Narrow(0, bins, 1)
		inside := v.Ge(first).LogicalAnd(v.Le(last))
		weight = Where(inside, weight, 0)
		i := Searchsorted(e, v, NewOption("right", true)).Sub(1).Clamp(optMin(0), optMax(max(bins-1, 0)))
		place = place.Mul(bins).Add(i)
		shape = append(shape, bins)
	}
	cells := product(shape)
	hist := With(x.dtype, x.Device()).Zeros(cells)
	if cells > 0 {
		hist = hist.IndexAdd(0, place, weight)
	}
	hist = hist.View(shape...)
	if density {
		hist = hist.Div(hist.Sum())
		for d, e := range edges {
			width := e.Diff()
			for range len(edges) - 1 - d {
				width = width.Unsqueeze(-1)
			}
			hist = hist.Div(width)
		}
	}
	return hist
}

func histogramdd(c *Call) {
	x := histogramInput(c)
	if len(x.shape) < 2 {
		panic(Errorf(c.Name(), "wants points as rows, of at least 2 dimensions, but got shape %v", x.shape).OnArg("self"))
	}
	dims := x.shape[len(x.shape)-1]
	points := x.Reshape(x.numel/max(dims, 1), dims)
	given, counts := c.Tensors(1), c.Ints(1)
	if len(counts) == 1 && dims > 1 { // one number is that of each dimension
		for range dims - 1 {
			counts = append(counts, counts[0])
		}
	}
	if n := max(len(given), len(counts)); n != dims {
		panic(Errorf(c.Name(), "points have %d dimensions, but bins has %d", dims, n).OnArg("bins"))
	}
	edges := make([]*Tensor, dims)
	for d := range edges {
		if given != nil {
			edges[d] = binEdges(c, x, given[d])
			continue
		}
		lo, hi := histogramRange(c, points.Select(1, d), d, dims)
		edges[d] = evenEdges(c, x, lo, hi, counts[d])
	}
	weight := histogramWeight(c, x, x.shape[:len(x.shape)-1])
	c.Return(append([]*Tensor{countBins(points, weight, edges, c.Bool(4))}, edges...)...)
}
