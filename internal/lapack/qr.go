package lapack

import "math"

// narrow is the number of columns up to which reflectors are applied one by one.
const narrow = 12

// QR factors the m by n matrix a into Q R in place: R stands on and above the diagonal, and below it the vectors v of
// the reflectors I - tau v vᴴ whose product is Q; the first element of each v, on the diagonal, is 1 and not stored
// (xGEQRF). tau has min(m, n) elements.
func QR[T Field](a []T, m, n int, tau []T) {
	if min(m, n) == 0 {
		return
	}
	switch a := any(a).(type) {
	case []float64:
		qrReal(a, m, n, any(tau).([]float64))
	case []complex128:
		t := any(tau).([]complex128)
		v := make([]complex128, m)
		s := make([]complex128, n)
		for i := range min(m, n) {
			x := column(v[:m-i], a, n, i, i)
			t[i] = reflector(x)
			setColumn(a, n, i, i, x)
			x[0] = 1
			reflectLeft(a[i*n+i+1:], n, m-i, n-i-1, x, conj(t[i]), s)
		}
	}
}

func conj(x complex128) complex128 { return complex(real(x), -imag(x)) }

// column copies the elements of column j from row i on.
func column(x, a []complex128, n, i, j int) []complex128 {
	for k := range x {
		x[k] = a[(i+k)*n+j]
	}
	return x
}

func setColumn(a []complex128, n, i, j int, x []complex128) {
	for k := range x {
		a[(i+k)*n+j] = x[k]
	}
}

// reflector finds tau and v, with v[0] = 1, such that (I - tau v vᴴ)ᴴ x is real and has one element (xLARFG). It
// writes that element to x[0] and the rest of v over the rest of x.
func reflector(x []complex128) (tau complex128) {
	if len(x) == 0 {
		return 0
	}
	alpha, rest := x[0], norm2(x[1:])
	if rest == 0 && imag(alpha) == 0 {
		return 0
	}
	beta := -math.Copysign(math.Hypot(math.Hypot(real(alpha), imag(alpha)), rest), real(alpha))
	tau = complex((beta-real(alpha))/beta, -imag(alpha)/beta)
	scale := 1 / (alpha - complex(beta, 0))
	for i := range x[1:] {
		x[i+1] *= scale
	}
	x[0] = complex(beta, 0)
	return tau
}

// norm2 is the Euclidean norm, without overflow.
func norm2(x []complex128) float64 {
	scale, sum := 0.0, 1.0
	add := func(v float64) {
		if v = math.Abs(v); v == 0 {
			return
		}
		if scale < v {
			sum = 1 + sum*(scale/v)*(scale/v)
			scale = v
		} else {
			sum += (v / scale) * (v / scale)
		}
	}
	for _, v := range x {
		add(real(v))
		add(imag(v))
	}
	return scale * math.Sqrt(sum)
}

// reflectLeft replaces the rows by cols matrix c by (I - tau v vᴴ) c; its rows are stride apart. s is workspace of
// cols.
func reflectLeft(c []complex128, stride, rows, cols int, v []complex128, tau complex128, s []complex128) {
	if tau == 0 || cols == 0 {
		return
	}
	s = s[:cols]
	clear(s)
	for i := range rows {
		f := conj(v[i])
		for j, x := range c[i*stride : i*stride+cols] {
			s[j] += f * x
		}
	}
	for i := range rows {
		f := tau * v[i]
		row := c[i*stride : i*stride+cols]
		for j, x := range s {
			row[j] -= f * x
		}
	}
}

// reflectRight replaces the rows by cols matrix c by c (I - tau v vᴴ).
func reflectRight(c []complex128, stride, rows, cols int, v []complex128, tau complex128) {
	if tau == 0 || cols == 0 {
		return
	}
	for i := range rows {
		row := c[i*stride : i*stride+cols]
		var s complex128
		for j, x := range row {
			s += x * v[j]
		}
		s *= tau
		for j := range row {
			row[j] -= s * conj(v[j])
		}
	}
}

// Q makes the first n columns of the product of k reflectors, which stand in the m by n matrix a as QR leaves them, in
// place (xORGQR, xUNGQR).
func Q[T Field](a []T, m, n, k int, tau []T) {
	if n == 0 {
		return
	}
	switch a := any(a).(type) {
	case []float64:
		qReal(a, m, n, k, any(tau).([]float64))
	case []complex128:
		t := any(tau).([]complex128)
		v := make([]complex128, m*k)
		for i := range k {
			x := column(v[i*m:i*m+m-i], a, n, i, i)
			x[0] = 1
		}
		Identity(a, m, n)
		s := make([]complex128, n)
		for i := k - 1; i >= 0; i-- {
			reflectLeft(a[i*n+i:], n, m-i, n-i, v[i*m:i*m+m-i], t[i], s)
		}
	}
}

// MulQ replaces the rows by cols matrix c by op(Q) c, or by c op(Q) if left is not set, where Q is the product of the
// k reflectors in the columns of a, which has n columns (xORMQR, xUNMQR).
func MulQ[T Field](left bool, trans Trans, c []T, rows, cols int, a []T, n, k int, tau []T) {
	if rows == 0 || cols == 0 || k == 0 {
		return
	}
	switch a := any(a).(type) {
	case []float64:
		mulQ(left, trans != NoTrans, any(c).([]float64), rows, cols, a, n, k, any(tau).([]float64))
	case []complex128:
		c, tau := any(c).([]complex128), any(tau).([]complex128)
		m := cols
		if left {
			m = rows
		}
		v, s := make([]complex128, m), make([]complex128, cols)
		for step := range k {
			i := step
			if left == (trans == NoTrans) {
				i = k - 1 - step
			}
			t := tau[i]
			if trans != NoTrans {
				t = conj(t)
			}
			x := column(v[:m-i], a, n, i, i)
			x[0] = 1
			if left {
				reflectLeft(c[i*cols:], cols, rows-i, cols, x, t, s)
			} else {
				reflectRight(c[i:], cols, rows, cols-i, x, t)
			}
		}
	}
}
