package lapack

import "math"

// bidiagonalQR finds the singular values of a bidiagonal matrix by implicit QR steps that keep the relative accuracy
// of small ones, and writes them, with signs, over d (xBDSQR; Demmel and Kahan, Accurate Singular Values of Bidiagonal
// Matrices, 1990). Its left and right vectors, those of u and v, are turned along. It destroys e, and reports whether
// the iteration converged.
func bidiagonalQR(d, e []float64, lower bool, u, v *turns) bool {
	n := len(d)
	if lower { // make it an upper one
		u.sweep(0, 1)
		for i := range e {
			c, s, r := rotate(d[i], e[i])
			d[i] = r
			e[i] = s * d[i+1]
			d[i+1] *= c
			u.turn(c, s)
		}
	}
	b := bidiagonal{d: d, e: e, u: u, v: v}
	b.tol = epsilon * max(10, min(100, math.Pow(epsilon, -1.0/8)))
	least := b.least(0, n-1, 1, math.Abs(d[0]), nil)
	steps := 6 * n * n
	b.thresh = max(b.tol*least/math.Sqrt(float64(n)), float64(steps)*tiny)
	oldLo, oldHi := -1, -1
	for hi := n - 1; hi > 0; {
		if steps < 0 {
			return false
		}
		most, lo := math.Abs(d[hi]), hi
		for ; lo > 0 && math.Abs(e[lo-1]) > b.thresh; lo-- {
			most = max(most, math.Abs(d[lo-1]), math.Abs(e[lo-1]))
		}
		if math.IsNaN(most) {
			return false
		}
		if lo > 0 {
			e[lo-1] = 0
		}
		switch lo {
		case hi:
			hi--
			continue
		case hi - 1:
			small, big, sr, cr, sl, cl := impl.Dlasv2(d[lo], e[lo], d[hi])
			d[lo], d[hi], e[lo] = big, small, 0
			v.sweep(lo, 1)
			v.turn(cr, sr)
			u.sweep(lo, 1)
			u.turn(cl, sl)
			hi -= 2
			continue
		}
		if lo > oldHi || hi < oldLo { // a new block: from its larger end to the smaller
			b.upward = math.Abs(d[lo]) < math.Abs(d[hi])
		}
		b.aim(lo, hi)
		if b.converged(hi - lo) {
			continue
		}
		oldLo, oldHi = lo, hi
		steps -= hi - lo + 2
		b.step(hi-lo, b.shift(n, hi-lo, most))
	}
	return true
}

// bidiagonal is a block of a bidiagonal matrix on which steps go down, or up, which is the same on the transpose with
// all in the opposite order.
type bidiagonal struct {
	d, e        []float64
	u, v        *turns
	tol, thresh float64
	upward      bool

	d0, e0, dir int     // element i of the block is d[d0+i*dir], the one between it and the next e[e0+i*dir]
	first, last *turns  // what the rotations on the one side and on the other turn
	smallest    float64 // about the least singular value
}

// aim sets the block to rows lo to hi.
func (b *bidiagonal) aim(lo, hi int) {
	b.d0, b.e0, b.dir, b.first, b.last = lo, lo, 1, b.v, b.u
	if b.upward {
		b.d0, b.e0, b.dir, b.first, b.last = hi, hi-1, -1, b.u, b.v
	}
}

func (b *bidiagonal) dAt(i int) *float64 { return &b.d[b.d0+i*b.dir] }
func (b *bidiagonal) eAt(i int) *float64 { return &b.e[b.e0+i*b.dir] }

// least goes over a block and finds a lower bound of its singular values. Where an element of e is negligible beside
// the bound so far, and split is not nil, it sets that to its place and stops.
func (b *bidiagonal) least(d0, n, dir int, mu float64, split *int) float64 {
	least, e0 := mu, d0
	if dir < 0 {
		e0--
	}
	for i := range n {
		x := math.Abs(b.e[e0+i*dir])
		if split != nil && x <= b.tol*mu {
			*split = i
			return least
		}
		if mu == 0 {
			return 0
		}
		mu = math.Abs(b.d[d0+(i+1)*dir]) * (mu / (mu + x))
		least = min(least, mu)
	}
	return least
}

// converged sets a negligible element between the n+1 elements of the block to zero and reports whether there is one.
func (b *bidiagonal) converged(n int) bool {
	if e := b.eAt(n - 1); math.Abs(*e) <= b.tol*math.Abs(*b.dAt(n)) {
		*e = 0
		return true
	}
	split := -1
	b.smallest = b.least(b.d0, n, b.dir, math.Abs(*b.dAt(0)), &split)
	if split >= 0 {
		*b.eAt(split) = 0
		return true
	}
	return false
}

// shift is that of the next step: 0 where another would spoil small singular values.
func (b *bidiagonal) shift(all, n int, most float64) float64 {
	if float64(all)*b.tol*(b.smallest/most) <= max(epsilon, b.tol/100) {
		return 0
	}
	// the last two rows, in the order of the matrix
	x, y := *b.dAt(n - 1), *b.dAt(n)
	if b.upward {
		x, y = y, x
	}
	shift, _ := impl.Dlas2(x, *b.eAt(n - 1), y)
	if top := math.Abs(*b.dAt(0)); top > 0 && (shift/top)*(shift/top) < epsilon {
		return 0
	}
	return shift
}

// step chases a bulge over the n+1 elements of the block.
func (b *bidiagonal) step(n int, shift float64) {
	first, last := b.first.room(b.d0, b.dir, n), b.last.room(b.d0, b.dir, n)
	if shift == 0 {
		c, oldC, oldS := 1.0, 1.0, 0.0
		var s, r float64
		for i := range n {
			c, s, r = rotate(*b.dAt(i)*c, *b.eAt(i))
			if i > 0 {
				*b.eAt(i - 1) = oldS * r
			}
			oldC, oldS, *b.dAt(i) = rotate(oldC*r, *b.dAt(i + 1)*s)
			first[2*i], first[2*i+1] = c, s
			last[2*i], last[2*i+1] = oldC, oldS
		}
		h := *b.dAt(n) * c
		*b.dAt(n), *b.eAt(n - 1) = h*oldC, h*oldS
	} else {
		b.shifted(n, shift, first, last)
	}
	if e := b.eAt(n - 1); math.Abs(*e) <= b.thresh {
		*e = 0
	}
}

// shifted is a step with a shift. Both rotations of an element are found together: the second turns what the first one
// leaves, times a length by which nothing is divided until the end.
func (b *bidiagonal) shifted(n int, shift float64, first, last []float64) {
	d, e := b.d, b.e
	at, ahead, dir := b.d0, b.e0, b.dir
	x := d[at]
	f := (math.Abs(x) - shift) * (math.Copysign(1, x) + shift/x)
	g := e[ahead]
	first, last = first[:2*n], last[:2*n]
	here, above := d[at], e[ahead]
	for i := range n {
		next := d[at+dir]
		x := f*f + g*g
		p, q := f*here+g*above, g*next
		y := p*p + q*q
		if !(x > 0x1p-400 && x < 0x1p400 && y > 0x1p-800 && y < 0x1p800) {
			c, s, r := rotate(f, g)
			first[2*i], first[2*i+1] = c, s
			if i > 0 {
				e[ahead-dir] = r
			}
			f = c*here + s*above
			above = c*above - s*here
			g = s * next
			next *= c
			c, s, d[at] = rotate(f, g)
			last[2*i], last[2*i+1] = c, s
			f = c*above + s*next
			here = c*next - s*above
			if i < n-1 {
				above = e[ahead+dir]
				g = s * above
				above *= c
			}
		} else {
			u, w := f*above-g*here, f*next
			r, r2 := math.Sqrt(x), math.Sqrt(y)
			inverse, inverse2 := 1/r, 1/r2
			first[2*i], first[2*i+1] = f*inverse, g*inverse
			c, s := p*inverse2, q*inverse2
			last[2*i], last[2*i+1] = c, s
			if i > 0 {
				e[ahead-dir] = r
			}
			d[at] = r2 * inverse
			f, here = (p*u+q*w)*inverse*inverse2, (p*w-q*u)*inverse*inverse2
			if i < n-1 {
				above = e[ahead+dir]
				g = s * above
				above *= c
			}
		}
		at += dir
		ahead += dir
	}
	d[at], e[ahead-dir] = here, f
}
