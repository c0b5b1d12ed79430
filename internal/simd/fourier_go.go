package simd

import "math"

// The Go forms of the kernels in fourier.go.

// portableFourier has the Go forms.
func portableFourier[T float32 | float64](lanes int) *Fourier[T] {
	f := &Fourier[T]{Lanes: lanes}
	g := fourierGroups[T]{lanes}
	for radix, x := range map[int]func(x []complexOf[T]){2: butterfly2[T], 3: butterfly3[T], 5: butterfly5[T]} {
		f.steps[radix] = func(dst, src, w []T, m, s int, inverse bool) { g.step(dst, src, w, radix, m, s, inverse, x) }
		f.lasts[radix] = func(dst, src, _ []T, m, s int, inverse bool) { g.step(dst, src, nil, radix, m, s, inverse, x) }
	}
	f.lasts[4], f.steps[4] = g.last4, g.step4
	f.odd = func(dst, src, w, roots, _ []T, radix, m, s int, inverse bool) {
		g.step(dst, src, w, radix, m, s, inverse, butterflyOdd(roots, radix))
	}
	f.times, f.fold, f.split, f.join = g.times, g.fold, g.split, g.join
	return f
}

// fourierGroups are the Go forms for groups of lanes.
type fourierGroups[T float32 | float64] struct{ lanes int }

// complexOf is a complex number of two T, whose operations are rounded one by one.
type complexOf[T float32 | float64] struct{ re, im T }

func (a complexOf[T]) plus(b complexOf[T]) complexOf[T] {
	return complexOf[T]{a.re + b.re, a.im + b.im}
}
func (a complexOf[T]) minus(b complexOf[T]) complexOf[T] {
	return complexOf[T]{a.re - b.re, a.im - b.im}
}
func (a complexOf[T]) scaled(by T) complexOf[T] { return complexOf[T]{T(a.re * by), T(a.im * by)} }
func (a complexOf[T]) times(re, im T) complexOf[T] {
	return complexOf[T]{T(a.re*re) - T(a.im*im), T(a.re*im) + T(a.im*re)}
}

// turns returns a - i·b and a + i·b.
func (a complexOf[T]) turns(b complexOf[T]) (minus, plus complexOf[T]) {
	return complexOf[T]{a.re + b.im, a.im - b.re}, complexOf[T]{a.re - b.im, a.im + b.re}
}

// parts are the places of real and imaginary parts in a group.
func (g fourierGroups[T]) parts(inverse bool) (re, im int) {
	if inverse {
		return g.lanes, 0
	}
	return 0, g.lanes
}

func (g fourierGroups[T]) step(dst, src, w []T, radix, m, s int, inverse bool, butterfly func(x []complexOf[T])) {
	re, im := g.parts(inverse)
	group := 2 * g.lanes
	var room [64]complexOf[T]
	x := room[:radix]
	for p := range m {
		for q := range s {
			for lane := range g.lanes {
				for i := range x {
					from := src[((p+m*i)*s+q)*group+lane:]
					x[i] = complexOf[T]{from[re], from[im]}
				}
				butterfly(x)
				for j, y := range x {
					if j > 0 && w != nil {
						at := 2 * (p*(radix-1) + j - 1)
						y = y.times(w[at], w[at+1])
					}
					to := dst[((radix*p+j)*s+q)*group+lane:]
					to[re], to[im] = y.re, y.im
				}
			}
		}
	}
}

func butterfly2[T float32 | float64](x []complexOf[T]) {
	x[0], x[1] = x[0].plus(x[1]), x[0].minus(x[1])
}

func butterfly3[T float32 | float64](x []complexOf[T]) {
	sum, diff := x[1].plus(x[2]), x[1].minus(x[2])
	mid := x[0].minus(sum.scaled(0.5))
	x[0] = x[0].plus(sum)
	x[1], x[2] = mid.turns(diff.scaled(T(math.Sqrt(3) / 2)))
}

// step4 is the step of radix 4, in which most of the time is spent, written out.
func (g fourierGroups[T]) step4(dst, src, w []T, m, s int, inverse bool) {
	for p := range m {
		u := w[6*p:][:6]
		u1, v1, u2, v2, u3, v3 := u[0], u[1], u[2], u[3], u[4], u[5]
		for q := range s {
			x, y := g.quadruple(src, p*s+q, m*s, inverse), g.quadruple(dst, 4*p*s+q, s, inverse)
			a, b, c, d, ai, bi, ci, di := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
			e, f, h, i, ei, fi, hi, ii := y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]
			for k := range a {
				pr, pi, qr, qi := a[k]+c[k], ai[k]+ci[k], a[k]-c[k], ai[k]-ci[k]
				rr, ri, tr, ti := b[k]+d[k], bi[k]+di[k], b[k]-d[k], bi[k]-di[k]
				e[k], ei[k] = pr+rr, pi+ri
				xr, xi := pr-rr, pi-ri
				h[k], hi[k] = T(xr*u2)-T(xi*v2), T(xr*v2)+T(xi*u2)
				xr, xi = qr+ti, qi-tr
				f[k], fi[k] = T(xr*u1)-T(xi*v1), T(xr*v1)+T(xi*u1)
				xr, xi = qr-ti, qi+tr
				i[k], ii[k] = T(xr*u3)-T(xi*v3), T(xr*v3)+T(xi*u3)
			}
		}
	}
}

// last4 is step4 without twiddles.
func (g fourierGroups[T]) last4(dst, src, _ []T, _, s int, inverse bool) {
	for q := range s {
		x, y := g.quadruple(src, q, s, inverse), g.quadruple(dst, q, s, inverse)
		a, b, c, d, ai, bi, ci, di := x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7]
		e, f, h, i, ei, fi, hi, ii := y[0], y[1], y[2], y[3], y[4], y[5], y[6], y[7]
		for k := range a {
			pr, pi, qr, qi := a[k]+c[k], ai[k]+ci[k], a[k]-c[k], ai[k]-ci[k]
			rr, ri, tr, ti := b[k]+d[k], bi[k]+di[k], b[k]-d[k], bi[k]-di[k]
			e[k], ei[k], h[k], hi[k] = pr+rr, pi+ri, pr-rr, pi-ri
			f[k], fi[k], i[k], ii[k] = qr+ti, qi-tr, qr-ti, qi+tr
		}
	}
}

// quadruple are the real parts of four groups, from group i on and step apart, and then the imaginary ones.
func (g fourierGroups[T]) quadruple(x []T, i, step int, inverse bool) (parts [8][]T) {
	re, im := g.parts(inverse)
	for j := range 4 {
		group := x[(i+j*step)*2*g.lanes:]
		parts[j], parts[j+4] = group[re:][:g.lanes], group[im:][:g.lanes]
	}
	return parts
}

func butterfly5[T float32 | float64](x []complexOf[T]) {
	const (
		cos1, sin1 = 0.3090169943749474241022934171828190588602, 0.9510565162951535721164393333793821434057
		cos2, sin2 = -0.8090169943749474241022934171828190588602, 0.5877852522924731291687059546390727685977
	)
	a, d, b, e := x[1].plus(x[4]), x[1].minus(x[4]), x[2].plus(x[3]), x[2].minus(x[3])
	m1 := x[0].plus(a.scaled(cos1)).plus(b.scaled(cos2))
	m2 := x[0].plus(a.scaled(cos2)).plus(b.scaled(cos1))
	x[0] = x[0].plus(a).plus(b)
	x[1], x[4] = m1.turns(d.scaled(sin1).plus(e.scaled(sin2)))
	x[2], x[3] = m2.turns(d.scaled(sin2).minus(e.scaled(sin1)))
}

// butterflyOdd is the transform by its definition, sums and differences of pairs by cosines and sines.
func butterflyOdd[T float32 | float64](roots []T, radix int) func(x []complexOf[T]) {
	half := radix / 2
	sums, diffs := make([]complexOf[T], half), make([]complexOf[T], half)
	return func(x []complexOf[T]) {
		first := x[0]
		for j := range half {
			a, b := x[j+1], x[radix-1-j]
			sums[j], diffs[j] = a.plus(b), a.minus(b)
			x[0] = x[0].plus(sums[j])
		}
		for k := range half {
			c, s := first, complexOf[T]{}
			for j := range half {
				at := 2 * (k*half + j)
				c, s = c.plus(sums[j].scaled(roots[at])), s.plus(diffs[j].scaled(roots[at+1]))
			}
			x[k+1], x[radix-1-k] = c.turns(s)
		}
	}
}

func (g fourierGroups[T]) times(x, w []T, groups int, inverse bool) {
	re, im := g.parts(inverse)
	for at := 0; at < 2*g.lanes*groups; at += 2 * g.lanes {
		x, w := x[at:][:2*g.lanes], w[at:][:2*g.lanes]
		for k := range g.lanes {
			y := complexOf[T]{x[k+re], x[k+im]}.times(w[k], w[k+g.lanes])
			x[k+re], x[k+im] = y.re, y.im
		}
	}
}

func (g fourierGroups[T]) fold(low, high, w []T, factor T, pairs, groups int) {
	row := 2 * g.lanes * groups
	for i := range pairs {
		wr, wi := w[2*i], w[2*i+1]
		for q := 0; q < row; q += 2 * g.lanes {
			a, b := low[i*row+q:][:2*g.lanes], high[(pairs-1-i)*row+q:][:2*g.lanes]
			for k := range g.lanes {
				im := k + g.lanes
				er, ei, u, d := a[k]+b[k], a[im]-b[im], a[im]+b[im], a[k]-b[k]
				x, y := T(u*wr)+T(d*wi), T(d*wr)-T(u*wi)
				a[k], a[im] = T((er+x)*factor), T((ei-y)*factor)
				b[k], b[im] = T((er-x)*factor), T((0-ei-y)*factor)
			}
		}
	}
}

func (g fourierGroups[T]) split(dst []T, dstStep int, src []T, srcStep, rows, groups int) {
	for r := range rows {
		for at := 0; at < 2*g.lanes*groups; at += 2 * g.lanes {
			d, s := dst[r*dstStep+at:][:2*g.lanes], src[r*srcStep+at:][:2*g.lanes]
			for k := range g.lanes {
				d[k], d[k+g.lanes] = s[2*k], s[2*k+1]
			}
		}
	}
}

func (g fourierGroups[T]) join(dst []T, dstStep int, src []T, srcStep, rows, groups int) {
	for r := range rows {
		for at := 0; at < 2*g.lanes*groups; at += 2 * g.lanes {
			d, s := dst[r*dstStep+at:][:2*g.lanes], src[r*srcStep+at:][:2*g.lanes]
			for k := range g.lanes {
				d[2*k], d[2*k+1] = s[k], s[k+g.lanes]
			}
		}
	}
}
