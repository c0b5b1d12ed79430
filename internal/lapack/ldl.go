package lapack

import "math"

// LDL factors a symmetric matrix of n rows, or a Hermitian one, into P L D Lᵀ Pᵀ (or Lᴴ) in place, by Bunch and
// Kaufman's diagonal pivoting (xSYTF2, xHETF2; Golub and Van Loan, 4.4.4). It reads the lower triangle. D has blocks
// of one and of two rows, on the diagonal and below it; pivots[k] is, counted from 1, the row that row k was exchanged
// with, and for both rows of a block of two the negative of it for the second. It returns the number of the first
// block that is zero, or 0.
func LDL[T Field](a []T, n int, hermitian bool, pivots []int) (zero int) {
	alpha := (1 + math.Sqrt(17)) / 8
	maybeConj := func(x T) T {
		if hermitian {
			return Conj(x)
		}
		return x
	}
	for k := 0; k < n; {
		kp, two := k, false
		size := abs1(a[k*n+k])
		if hermitian {
			size = math.Abs(Real(a[k*n+k]))
		}
		imax, colmax := k, 0.0
		for i := k + 1; i < n; i++ {
			if v := abs1(a[i*n+k]); v > colmax {
				imax, colmax = i, v
			}
		}
		if max(size, colmax) == 0 || math.IsNaN(size) {
			if zero == 0 {
				zero = k + 1
			}
			if hermitian {
				a[k*n+k] = FromReal[T](Real(a[k*n+k]))
			}
			pivots[k] = k + 1
			k++
			continue
		}
		if size < alpha*colmax {
			rowmax := 0.0
			for j := k; j < imax; j++ {
				rowmax = max(rowmax, abs1(a[imax*n+j]))
			}
			for i := imax + 1; i < n; i++ {
				rowmax = max(rowmax, abs1(a[i*n+imax]))
			}
			diag := abs1(a[imax*n+imax])
			if hermitian {
				diag = math.Abs(Real(a[imax*n+imax]))
			}
			switch {
			case size >= alpha*colmax*(colmax/rowmax):
			case diag >= alpha*rowmax:
				kp = imax
			default:
				kp, two = imax, true
			}
		}
		kk := k
		if two {
			kk++
		}
		if kp != kk {
			swapLower(a, n, kk, kp, maybeConj)
			if two {
				a[(k+1)*n+k], a[kp*n+k] = a[kp*n+k], a[(k+1)*n+k]
			}
		}
		if hermitian {
			for i := k; i <= kk; i++ {
				a[i*n+i] = FromReal[T](Real(a[i*n+i]))
			}
		}
		if !two {
			eliminateOne(a, n, k, maybeConj)
			pivots[k] = kp + 1
			k++
			continue
		}
		eliminateTwo(a, n, k, maybeConj)
		pivots[k], pivots[k+1] = -(kp + 1), -(kp + 1)
		k += 2
	}
	return zero
}

// swapLower exchanges rows and columns p < q of what is left of a symmetric matrix, of which the lower triangle is
// kept.
func swapLower[T Field](a []T, n, p, q int, maybeConj func(T) T) {
	for i := q + 1; i < n; i++ {
		a[i*n+p], a[i*n+q] = a[i*n+q], a[i*n+p]
	}
	for j := p + 1; j < q; j++ {
		a[j*n+p], a[q*n+j] = maybeConj(a[q*n+j]), maybeConj(a[j*n+p])
	}
	a[q*n+p] = maybeConj(a[q*n+p])
	a[p*n+p], a[q*n+q] = a[q*n+q], a[p*n+p]
}

// eliminateOne takes the part of column k away from those behind it and divides it by its pivot.
func eliminateOne[T Field](a []T, n, k int, maybeConj func(T) T) {
	d := 1 / a[k*n+k]
	for j := k + 1; j < n; j++ {
		f := d * maybeConj(a[j*n+k])
		for i := j; i < n; i++ {
			a[i*n+j] -= f * a[i*n+k]
		}
	}
	for i := k + 1; i < n; i++ {
		a[i*n+k] *= d
		if j := i*n + i; a[j] != maybeConj(a[j]) { // rounding alone
			a[j] = FromReal[T](Real(a[j]))
		}
	}
}

// eliminateTwo is eliminateOne for a block of rows k and k+1.
func eliminateTwo[T Field](a []T, n, k int, maybeConj func(T) T) {
	block := pair2(a, n, k, maybeConj)
	for j := k + 2; j < n; j++ {
		w1, w2 := block.solve(a[j*n+k], a[j*n+k+1])
		c1, c2 := maybeConj(w1), maybeConj(w2)
		for i := j; i < n; i++ {
			a[i*n+j] -= a[i*n+k]*c1 + a[i*n+k+1]*c2
		}
		a[j*n+k], a[j*n+k+1] = w1, w2
		if d := j*n + j; a[d] != maybeConj(a[d]) { // rounding alone
			a[d] = FromReal[T](Real(a[d]))
		}
	}
}

// block2 is a block [d11 d12; d21 d22] of D, divided by d12 and d21 so that its determinant does not overflow.
type block2[T Field] struct{ d12, d21, p, q, t T }

func pair2[T Field](a []T, n, k int, maybeConj func(T) T) block2[T] {
	d21 := a[(k+1)*n+k]
	d12 := maybeConj(d21)
	p, q := a[k*n+k]/d12, a[(k+1)*n+k+1]/d21
	return block2[T]{d12, d21, p, q, 1 / (p*q - 1)}
}

// solve finds the row w with w times the block = (x, y).
func (b block2[T]) solve(x, y T) (w1, w2 T) {
	return b.t * (b.q*x - y) / b.d12, b.t * (b.p*y - x) / b.d21
}

// SolveLDL solves A X = B for a matrix that LDL factored, and writes X over the n by nrhs matrix b (xSYTRS, xHETRS).
func SolveLDL[T Field](a []T, n int, hermitian bool, pivots []int, b []T, nrhs int) {
	maybeConj := func(x T) T {
		if hermitian {
			return Conj(x)
		}
		return x
	}
	row := func(i int) []T { return b[i*nrhs : i*nrhs+nrhs] }
	minus := func(dst []T, f T, src []T) {
		for j, x := range src {
			dst[j] -= f * x
		}
	}
	for k := 0; k < n; { // P L D
		if pivots[k] > 0 {
			if p := pivots[k] - 1; p != k {
				swapRows(b, nrhs, k, p)
			}
			for i := k + 1; i < n; i++ {
				minus(row(i), a[i*n+k], row(k))
			}
			d := a[k*n+k]
			for j := range row(k) {
				row(k)[j] /= d
			}
			k++
			continue
		}
		if p := -pivots[k] - 1; p != k+1 {
			swapRows(b, nrhs, k+1, p)
		}
		for i := k + 2; i < n; i++ {
			minus(row(i), a[i*n+k], row(k))
			minus(row(i), a[i*n+k+1], row(k+1))
		}
		block := pair2(a, n, k, maybeConj)
		block.d12, block.d21 = block.d21, block.d12 // a column is solved for, not a row
		block.p, block.q = a[k*n+k]/block.d12, a[(k+1)*n+k+1]/block.d21
		for j := range nrhs {
			row(k)[j], row(k + 1)[j] = block.solve(row(k)[j], row(k + 1)[j])
		}
		k += 2
	}
	for k := n - 1; k >= 0; { // the transpose of L, and P
		if pivots[k] > 0 {
			for i := k + 1; i < n; i++ {
				minus(row(k), maybeConj(a[i*n+k]), row(i))
			}
			if p := pivots[k] - 1; p != k {
				swapRows(b, nrhs, k, p)
			}
			k--
			continue
		}
		for i := k + 1; i < n; i++ {
			minus(row(k), maybeConj(a[i*n+k]), row(i))
			minus(row(k-1), maybeConj(a[i*n+k-1]), row(i))
		}
		if p := -pivots[k] - 1; p != k {
			swapRows(b, nrhs, k, p)
		}
		k -= 2
	}
}
