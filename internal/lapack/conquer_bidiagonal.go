package lapack

import (
	"math"
	"slices"
)

// bidiagonal finds singular values and vectors of rows lo to hi of an upper bidiagonal matrix, which has a column more
// than it has rows if more is 1: the last right vector is then one that it makes zero.
func (c *conquest) bidiagonal(lo, hi, more int) bool {
	n := hi - lo
	if n <= conquerLeaf {
		return c.bidiagonalLeaf(lo, hi, more)
	}
	mid := lo + n/2 // the row between the halves
	alpha, beta := c.d[mid], c.e[mid]
	if !c.bidiagonal(lo, mid, 1) || !c.bidiagonal(mid+1, hi, more) {
		return false
	}
	c.row(1, mid)[mid] = 1
	first := alpha * c.row(0, mid)[mid]
	if more == 1 { // one vector that is made zero by both halves has all of the row
		x, y := c.row(0, mid), c.row(0, hi)
		second := beta * y[mid+1]
		length := math.Hypot(first, second)
		if length > 0 {
			turnPair(x, y, first/length, second/length)
		}
		first = length
	}
	most := max(math.Abs(alpha), math.Abs(beta))
	for i := range n {
		v := c.row(0, lo+i)
		switch {
		case i < mid-lo:
			c.kind[i], c.z[i] = upperHalf, alpha*v[mid]
		case i > mid-lo:
			c.kind[i], c.z[i] = lowerHalf, beta*v[mid+1]
		default:
			c.kind[i], c.z[i], c.d[mid] = bothHalves, first, 0
		}
		most = max(most, c.d[lo+i])
	}
	if math.IsNaN(most) || math.IsNaN(first) {
		return false
	}
	small := 8 * epsilon * most
	if math.Abs(first) <= small {
		c.z[mid-lo] = small
	}
	if most == 0 { // nothing but zeros
		return true
	}
	c.d[mid] = -1 // before all others
	order := ascending(c.d[lo:hi])
	c.d[mid] = 0
	c.deflate(lo, order, 1, small)
	if len(c.kept) > 1 { // what is kept is apart from 0
		second := &c.d[lo+c.kept[1]]
		*second = max(*second, small/2)
	}
	c.finish(lo, 1)
	c.combine(0, c.x, lo, mid+1, hi+more)
	c.combine(1, c.y, lo, mid+1, hi)
	return true
}

// bidiagonalLeaf leaves a small matrix to rotations.
func (c *conquest) bidiagonalLeaf(lo, hi, more int) bool {
	n := hi - lo
	d, e := c.d[lo:hi], c.e[lo:]
	left, right := unturned(n), unturned(n+more)
	defer turnsPool.Put(left)
	defer turnsPool.Put(right)
	if more == 1 { // rotations from the right make it a lower one
		cs := right.room(0, 1, n)
		for i := range n {
			cos, sin, r := rotate(d[i], e[i])
			d[i], e[i] = r, 0
			if i+1 < n {
				e[i] = sin * d[i+1]
				d[i+1] *= cos
			}
			cs[2*i], cs[2*i+1] = cos, sin
		}
	}
	if !bidiagonalQR(d, e[:n-1], more == 1, left, right) {
		return false
	}
	right.into(c.vectors[0][lo*c.n+lo:], c.n)
	left.into(c.vectors[1][lo*c.n+lo:], c.n)
	for i, x := range d {
		if x < 0 || x == 0 && math.Signbit(x) {
			d[i] = -x
			v := c.row(0, lo+i)
			for j := range v {
				v[j] = -v[j]
			}
		}
	}
	return true
}

// conquerBidiagonal finds the singular values of the upper bidiagonal matrix of diagonal d and off-diagonal e, which
// it destroys, and writes them to d, descending. It returns the vectors and their order, to be put back into
// conquests, or nil where the iteration did not converge.
func conquerBidiagonal(d, e []float64) (c *conquest, order []int) {
	scale := scaleNearOne(d, e)
	c = newConquest(d, e, true)
	if !c.bidiagonal(0, c.n, 0) {
		conquests.Put(c)
		return nil, nil
	}
	order = ascending(d)
	slices.Reverse(order)
	sortBy(d, order, scale)
	return c, order
}
