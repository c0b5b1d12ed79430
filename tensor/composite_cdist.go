package tensor

import (
	"math"
	"runtime"
	"slices"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
)

// cdistBody returns the p-distances between every row of x1 and every row of x2.
func cdistBody(c *Call) {
	a, b, p := c.Tensor(0), c.Tensor(1), c.Float(2)
	for i, x := range []*Tensor{a, b} {
		if len(x.shape) < 2 {
			panic(Errorf(c.Name(), "x%d must be at least 2D, but it is %dD, of shape %v", i+1, len(x.shape), x.shape))
		}
		if !x.dtype.IsFloatingPoint() {
			panic(Errorf(c.Name(), "only floating point dtypes are supported, x%d is %s", i+1, x.dtype))
		}
	}
	if n, m := a.Size(-1), b.Size(-1); n != m {
		panic(Errorf(c.Name(), "x1 and x2 must have the same number of columns, got %d and %d", n, m))
	}
	if p < 0 || math.IsNaN(p) {
		panic(Errorf(c.Name(), "only non-negative p values are supported, got %v", p))
	}
	if mode := c.Str(3); mode != "use_mm_for_euclid_dist_if_necessary" && mode != "use_mm_for_euclid_dist" &&
		mode != "donot_use_mm_for_euclid_dist" {
		panic(Errorf(c.Name(), "%q is not a valid compute_mode", mode))
	}
	if cdistByProducts(p, c.Str(3), a.Size(-2), b.Size(-2)) {
		c.Return(euclideanByProducts(a, b))
		return
	}
	if out := sumsOfDifferences(c, a, b, p); out != nil {
		c.Return(out)
		return
	}
	// Row blocks of x1, so that the differences of a block stay in the cache.
	rows, pairs := a.Size(-2), b.Size(-2)*b.Size(-1)
	for _, n := range BroadcastShapes(a.shape[:len(a.shape)-2], b.shape[:len(b.shape)-2]) {
		pairs *= n
	}
	pairs = max(1, pairs)
	if step := max(1, cdistBlock/pairs); step < rows {
		var parts []*Tensor
		for lo := 0; lo < rows; lo += step {
			Interrupted(c.Name())
			parts = append(parts, distances(a.Narrow(-2, lo, min(step, rows-lo)), b, p))
		}
		c.Return(Cat(parts, optDim(-2)))
		return
	}
	c.Return(distances(a, b, p))
}

// cdistBlock is how many differences are made at a time.
const cdistBlock = 1 << 18

// cdistByProducts reports whether cdist of r1 rows and r2 rows multiplies matrices, by PyTorch's rule: for the
// Euclidean distance, where the mode demands it, or where it allows it and there are more than 25 rows. That is faster
// and less exact for rows that lie close together.
func cdistByProducts(p float64, mode string, r1, r2 int) bool {
	return p == 2 && (mode == "use_mm_for_euclid_dist" ||
		mode == "use_mm_for_euclid_dist_if_necessary" && (r1 > 25 || r2 > 25))
}

// euclideanByProducts is √(|x|² − 2xy + |y|²) for all pairs of rows: one product of matrices, whose columns beyond
// those of a and b are the squares and ones.
func euclideanByProducts(a, b *Tensor) *Tensor {
	last, keep := optDim(-1), NewOption("keepdim", true)
	na, nb := a.Mul(a).Sum(last, keep), b.Mul(b).Sum(last, keep)
	left := Cat([]*Tensor{a.Mul(-2), na, OnesLike(na)}, last)
	right := Cat([]*Tensor{b, OnesLike(nb), nb}, last)
	return left.Matmul(right.Transpose(-2, -1)).ClampMin_(0).Sqrt_()
}

// sumsOfDifferences computes the distances with p 1 or 2 in one loop, without storing differences; nil where it
// cannot.
func sumsOfDifferences(c *Call, a, b *Tensor, p float64) *Tensor {
	points, coords := b.Size(-2), b.Size(-1)
	plain := a.dtype == b.dtype && (a.dtype == Float32 || a.dtype == Float64) && (a.keys|b.keys)&opaque == 0 &&
		a.st.device == CPU && b.st.device == CPU
	if s := CurrentScope(); !plain || p != 1 && p != 2 || coords == 0 || points < 8 ||
		s != nil && (s.Substitute != nil || s.Level > 0) {
		return nil
	}
	batch := BroadcastShapes(a.shape[:len(a.shape)-2], b.shape[:len(b.shape)-2])
	with := func(sizes ...int) []int { return append(slices.Clone(batch), sizes...) }
	rows := a.Size(-2)
	a = a.Expand(with(rows, coords)...).Contiguous()
	b = b.Expand(with(points, coords)...).Transpose(-2, -1).Contiguous()
	out := Alloc(c.Name(), with(rows, points), a.dtype, CPU)
	switch {
	case a.dtype == Float32 && p == 1:
		addDifferences(out, a, b, simd.AbsDiffsFloat32)
	case a.dtype == Float32:
		addDifferences(out, a, b, simd.SquaredDiffsFloat32)
	case p == 1:
		addDifferences(out, a, b, simd.AbsDiffsFloat64)
	default:
		addDifferences(out, a, b, simd.SquaredDiffsFloat64)
	}
	runtime.KeepAlive(a)
	runtime.KeepAlive(b)
	if p == 2 {
		out.Sqrt_()
	}
	return out
}

// addDifferences compares each row of x1 with all points of its batch, whose coordinates are the rows of x2.
func addDifferences[T float32 | float64](out, x1, x2 *Tensor, sum func(dst, a, b []T, stride int)) {
	rows, coords, points := x1.Size(-2), x1.Size(-1), x2.Size(-1)
	dst, a, b := Elems[T](out), Elems[T](x1), Elems[T](x2)
	parallel.For(len(a)/coords, parallel.Grain(0.05*float64(coords*points)), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			Interrupted("cdist")
			many := b[i/rows*coords*points:][:coords*points]
			sum(dst[i*points:][:points], a[i*coords:][:coords], many, points)
		}
	})
}

// distances makes the differences of all pairs of rows. Where b has many rows, those of one column are made in a row,
// so that the sums run over columns.
func distances(a, b *Tensor, p float64) *Tensor {
	var d *Tensor
	along := optDim(-1)
	if b.Size(-2) >= 32 {
		d, along = a.Unsqueeze(-1).Sub(b.Transpose(-2, -1).Contiguous().Unsqueeze(-3)), optDim(-2)
	} else {
		d = a.Unsqueeze(-2).Sub(b.Unsqueeze(-3))
	}
	switch {
	case a.Size(-1) == 0:
		return d.Sum(along)
	case p == 0:
		return d.Ne(0).To(d.dtype).Sum(along)
	case p == 1:
		return d.Abs_().Sum(along)
	case p == 2:
		return d.Mul_(d).Sum(along).Sqrt_()
	case math.IsInf(p, 1):
		return d.Abs_().Amax(along)
	default:
		return d.Abs_().Pow_(p).Sum(along).Pow_(1 / p)
	}
}
