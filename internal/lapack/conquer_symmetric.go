package lapack

import "math"

// symmetric finds eigenvalues and vectors of rows lo to hi of a symmetric tridiagonal matrix.
func (c *conquest) symmetric(lo, hi int) bool {
	n := hi - lo
	if n <= conquerLeaf {
		return c.symmetricLeaf(lo, hi)
	}
	mid := lo + n/2
	beside := c.e[mid-1]
	rho := math.Abs(beside)
	c.d[mid-1] -= rho
	c.d[mid] -= rho
	if !c.symmetric(lo, mid) || !c.symmetric(mid, hi) {
		return false
	}
	most := 0.0
	for i := range n {
		c.kind[i] = upperHalf
		x := c.row(0, lo+i)[mid-1]
		if i >= mid-lo {
			c.kind[i] = lowerHalf
			x = math.Copysign(1, beside) * c.row(0, lo+i)[mid]
		}
		c.z[i] = x * math.Sqrt2 / 2
		most = max(most, math.Abs(c.z[i]), math.Abs(c.d[lo+i]))
	}
	if math.IsNaN(most) {
		return false
	}
	c.deflate(lo, ascending(c.d[lo:hi]), 2*rho, 8*epsilon*most)
	c.finish(lo, 2*rho)
	c.combine(0, c.x, lo, mid, hi)
	return true
}

// symmetricLeaf leaves a small matrix to rotations.
func (c *conquest) symmetricLeaf(lo, hi int) bool {
	z := unturned(hi - lo)
	defer turnsPool.Put(z)
	if !tridiagonalQL(c.d[lo:hi], c.e[lo:max(lo, hi-1)], z) {
		return false
	}
	z.into(c.vectors[0][lo*c.n+lo:], c.n)
	return true
}

// conquerSymmetric finds the eigenvalues of the symmetric tridiagonal matrix of diagonal d and off-diagonal e, which
// it destroys, and writes them to d, ascending, and the vectors to the columns of a.
func conquerSymmetric(d, e, a []float64) bool {
	scale := scaleNearOne(d, e)
	c := newConquest(d, e, false)
	defer conquests.Put(c)
	if !c.symmetric(0, c.n) {
		return false
	}
	order := ascending(d)
	c.columns(0, order, a, c.n)
	sortBy(d, order, scale)
	return true
}
