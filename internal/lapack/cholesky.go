package lapack

import "math"

// Cholesky factors a Hermitian positive definite matrix of n rows, of which it reads the lower triangle, into L Lᴴ; it
// reads the upper triangle, and factors into Uᴴ U, if upper is set (xPOTRF). The factor replaces its triangle, and the
// other one becomes zero. It returns the order of the first leading minor that is not positive, or 0; the factor is
// then complete up to there.
func Cholesky[T Number](a []T, n int, upper bool) (minor int) {
	if n == 0 {
		return 0
	}
	switch x := any(a).(type) {
	case []float32:
		minor = choleskyReal(x, n, upper)
	case []float64:
		minor = choleskyReal(x, n, upper)
	default:
		if upper {
			minor = choleskyUpper(a, n)
		} else {
			minor = choleskyLower(a, n)
		}
	}
	otherTriangle(a, n, upper)
	return minor
}

// otherTriangle clears what is not of the factor.
func otherTriangle[T Number](a []T, n int, upper bool) {
	for i := range n {
		if upper {
			clear(a[i*n : i*n+i])
		} else {
			clear(a[i*n+i+1 : i*n+n])
		}
	}
}

// choleskyLower finds L row by row (Golub and Van Loan, 4.2.5, in the order of rows).
func choleskyLower[T Number](a []T, n int) (minor int) {
	for i := range n {
		row := a[i*n : i*n+n]
		for j := range i {
			row[j] = (row[j] - dotConj(a[j*n:j*n+j], row)) / a[j*n+j]
		}
		d := Real(row[i]) - Real(dotConj(row[:i], row))
		if !(d > 0) {
			return i + 1
		}
		row[i] = FromReal[T](math.Sqrt(d))
	}
	return 0
}

// choleskyUpper finds U row by row, taking each row's part from those below.
func choleskyUpper[T Number](a []T, n int) (minor int) {
	for i := range n {
		row := a[i*n : i*n+n]
		d := Real(row[i])
		if !(d > 0) {
			return i + 1
		}
		root := math.Sqrt(d)
		row[i] = FromReal[T](root)
		for j := i + 1; j < n; j++ {
			row[j] /= FromReal[T](root)
		}
		for k := i + 1; k < n; k++ {
			f := Conj(row[k])
			below := a[k*n : k*n+n]
			for j := k; j < n; j++ {
				below[j] -= f * row[j]
			}
		}
	}
	return 0
}

// dotConj is the sum of y[i] times the conjugate of x[i], over x.
func dotConj[T Number](x, y []T) (s T) {
	for i, v := range x {
		s += y[i] * Conj(v)
	}
	return s
}
