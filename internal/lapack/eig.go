package lapack

import (
	"math"
	"math/cmplx"
)

// Eig finds the eigenvalues of a general matrix of n rows, which it destroys, and where v is not nil the right
// eigenvectors as the columns of v, each of norm 1 and with its greatest element real (xGEEV). ok is false where the
// iteration did not converge.
func Eig[T Field](a []T, n int, w, v []complex128) (ok bool) {
	if n == 0 {
		return true
	}
	switch a := any(a).(type) {
	case []float64:
		return eigReal(a, n, w, v)
	case []complex128:
		return eigComplex(a, n, w, v)
	}
	return false
}

// eigComplex balances, reduces to Hessenberg form, iterates to the triangular Schur form, and finds its eigenvectors.
func eigComplex(a []complex128, n int, w, v []complex128) bool {
	scale := balance(a, n)
	var z []complex128
	if v != nil {
		z = v
	}
	hessenberg(a, n, z)
	if !schur(a, n, z) {
		return false
	}
	for i := range n {
		w[i] = a[i*n+i]
	}
	if v != nil {
		triangularVectors(a, n, v)
		for i, f := range scale {
			for j := range n {
				v[i*n+j] *= complex(f, 0)
			}
		}
		normalize(v, n)
	}
	return true
}

// balance scales rows and columns by powers of two until their norms are of one size, which makes eigenvalues more
// accurate (Golub and Van Loan, 7.5.7). It returns the factors of the rows of the eigenvectors.
func balance(a []complex128, n int) []float64 {
	scale := make([]float64, n)
	for i := range scale {
		scale[i] = 1
	}
	for again := true; again; {
		again = false
		for i := range n {
			c, r := 0.0, 0.0
			for j := range n {
				if j != i {
					c += abs1(a[j*n+i])
					r += abs1(a[i*n+j])
				}
			}
			if c == 0 || r == 0 || math.IsInf(c+r, 0) || math.IsNaN(c+r) {
				continue
			}
			_, ec := math.Frexp(c)
			_, er := math.Frexp(r)
			p := (er - ec) / 2
			f := math.Ldexp(1, p)
			if f == 1 || f == 0 || math.IsInf(f, 0) || c*f+r/f > 0.95*(c+r) {
				continue
			}
			again = true
			scale[i] *= f
			for j := range n {
				a[j*n+i] *= complex(f, 0)
				a[i*n+j] /= complex(f, 0)
			}
		}
	}
	return scale
}

// hessenberg makes a zero below its first subdiagonal by reflectors on both sides (Golub and Van Loan, 7.4.2). z,
// where it is not nil, becomes their product.
func hessenberg(a []complex128, n int, z []complex128) {
	if z != nil {
		Identity(z, n, n)
	}
	v, s := make([]complex128, n), make([]complex128, n)
	for i := 0; i < n-2; i++ {
		x := column(v[:n-i-1], a, n, i+1, i)
		tau := reflector(x)
		setColumn(a, n, i+1, i, x[:1])
		for r := i + 2; r < n; r++ {
			a[r*n+i] = 0
		}
		x[0] = 1
		reflectRight(a[i+1:], n, n, n-i-1, x, tau)
		reflectLeft(a[(i+1)*n+i+1:], n, n-i-1, n-i-1, x, conj(tau), s)
		if z != nil {
			reflectRight(z[i+1:], n, n, n-i-1, x, tau)
		}
	}
}

const (
	eigSteps = 30 // iterations for one eigenvalue, on average; every tenth has a shift out of the ordinary
	ulp      = 0x1p-52
)

// schur makes a Hessenberg matrix triangular by QR steps with Wilkinson's shift (Golub and Van Loan, 7.5), and takes
// the rotations into z.
func schur(h []complex128, n int, z []complex128) bool {
	cs, sn := make([]float64, n), make([]complex128, n)
	norm := 0.0
	for _, x := range h {
		norm = max(norm, abs1(x))
	}
	left := eigSteps * max(10, n)
	for hi, its := n-1, 0; hi > 0; {
		lo := hi
		for ; lo > 0; lo-- {
			size := abs1(h[(lo-1)*n+lo-1]) + abs1(h[lo*n+lo])
			if size == 0 {
				size = norm
			}
			if abs1(h[lo*n+lo-1]) <= ulp*size {
				h[lo*n+lo-1] = 0
				break
			}
		}
		if lo == hi {
			hi, its = hi-1, 0
			continue
		}
		if left--; left < 0 {
			return false
		}
		its++
		shift := wilkinson(h[(hi-1)*n+hi-1], h[(hi-1)*n+hi], h[hi*n+hi-1], h[hi*n+hi])
		if its%10 == 0 {
			shift = h[hi*n+hi] + complex(0.75*abs1(h[hi*n+hi-1]), 0)
		}
		qrStep(h, n, lo, hi, shift, z, cs, sn)
	}
	return true
}

// wilkinson is the eigenvalue of the matrix [a b; c d] that is nearer to d.
func wilkinson(a, b, c, d complex128) complex128 {
	half := (a - d) / 2
	root := cmplx.Sqrt(half*half + b*c)
	if real(half)*real(root)+imag(half)*imag(root) < 0 {
		root = -root
	}
	if half+root == 0 {
		return d
	}
	return d - b*c/(half+root)
}

// qrStep replaces rows and columns lo to hi of h by R Q + shift, where Q R = h - shift.
func qrStep(h []complex128, n, lo, hi int, shift complex128, z []complex128, cs []float64, sn []complex128) {
	for i := lo; i <= hi; i++ {
		h[i*n+i] -= shift
	}
	for k := lo; k < hi; k++ {
		c, s := rotation(h[k*n+k], h[(k+1)*n+k])
		cs[k], sn[k] = c, s
		x, y := h[k*n:k*n+n], h[(k+1)*n:(k+1)*n+n]
		for j := k; j < n; j++ {
			p, q := x[j], y[j]
			x[j] = complex(c, 0)*p + s*q
			y[j] = complex(c, 0)*q - conj(s)*p
		}
		y[k] = 0
	}
	turn := func(row []complex128, k int) {
		c, s := complex(cs[k], 0), sn[k]
		p, q := row[k], row[k+1]
		row[k] = c*p + conj(s)*q
		row[k+1] = c*q - s*p
	}
	for k := lo; k < hi; k++ {
		for i := 0; i <= k+1; i++ {
			turn(h[i*n:i*n+n], k)
		}
		for i := 0; z != nil && i < n; i++ {
			turn(z[i*n:i*n+n], k)
		}
	}
	for i := lo; i <= hi; i++ {
		h[i*n+i] += shift
	}
}

// rotation finds c and s such that [c s; -conj(s) c] times (f, g) has a second element of zero.
func rotation(f, g complex128) (c float64, s complex128) {
	if g == 0 {
		return 1, 0
	}
	af, ag := cmplx.Abs(f), cmplx.Abs(g)
	if af == 0 {
		return 0, conj(g) / complex(ag, 0)
	}
	r := math.Hypot(af, ag)
	return af / r, f / complex(af, 0) * conj(g) / complex(r, 0)
}

// triangularVectors multiplies the columns of z by the eigenvectors of the triangular matrix t (xTREVC).
func triangularVectors(t []complex128, n int, z []complex128) {
	x, col := make([]complex128, n), make([]complex128, n)
	for k := n - 1; k >= 0; k-- {
		small := max(ulp*abs1(t[k*n+k]), 0x1p-970*float64(n))
		x[k] = 1
		for i := k - 1; i >= 0; i-- {
			s := -t[i*n+k]
			for j := i + 1; j < k; j++ {
				s -= t[i*n+j] * x[j]
			}
			d := t[i*n+i] - t[k*n+k]
			if abs1(d) < small {
				d = complex(small, 0)
			}
			x[i] = s / d
			if big := abs1(x[i]); big > 0x1p500 { // nearly parallel to what came before: keep the numbers small
				for j := i; j <= k; j++ {
					x[j] /= complex(big, 0)
				}
			}
		}
		for i := range n {
			var s complex128
			for j := 0; j <= k; j++ {
				s += z[i*n+j] * x[j]
			}
			col[i] = s
		}
		setColumn(z, n, 0, k, col) // columns before k are still those of z
	}
}

// normalize scales every column to norm 1 and a real greatest element.
func normalize(v []complex128, n int) {
	col := make([]complex128, n)
	for j := range n {
		size := norm2(column(col, v, n, 0, j))
		most, at := -1.0, complex128(0)
		for _, x := range col {
			if r := real(x)*real(x) + imag(x)*imag(x); r > most {
				most, at = r, x
			}
		}
		f := conj(at) / complex(cmplx.Abs(at)*size, 0)
		for i := range col {
			if col[i] == at {
				v[i*n+j] = complex(cmplx.Abs(at)/size, 0)
			} else {
				v[i*n+j] = col[i] * f
			}
		}
	}
}
