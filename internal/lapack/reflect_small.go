package lapack

import "math"

// qrSmall reflects row by row, without copies; a has at most narrow columns.
func qrSmall[T floats](a []T, m, n int, tau []T) {
	var x [narrow]T
	for j := range min(m, n) {
		alpha, norm := float64(a[j*n+j]), 0.0
		for i := j + 1; i < m; i++ {
			v := float64(a[i*n+j])
			norm += v * v
		}
		if !(norm > 0x1p-900 && norm < 0x1p900 && math.Abs(alpha) < 0x1p450) {
			col := make([]T, m-j)
			for i := range col {
				col[i] = a[(j+i)*n+j]
			}
			tau[j] = reflectSafely(col)
			for i, v := range col {
				a[(j+i)*n+j] = v
			}
		} else {
			beta := -math.Copysign(math.Sqrt(alpha*alpha+norm), alpha)
			tau[j] = T((beta - alpha) / beta)
			f := T(1 / (alpha - beta))
			for i := j + 1; i < m; i++ {
				a[i*n+j] *= f
			}
			a[j*n+j] = T(beta)
		}
		if tau[j] != 0 && j+1 < n {
			reflectSmall(a[j*n:], n, m-j, j, j+1, n, tau[j], x[:])
		}
	}
}

// reflectSmall applies the reflector in column j of the rows of a, whose first element stands for 1, to columns from
// to to; x is workspace.
func reflectSmall[T floats](a []T, n, rows, j, from, to int, tau T, x []T) {
	x = x[:to-from]
	copy(x, a[from:to])
	for i := 1; i < rows; i++ {
		row := a[i*n:][:n]
		v := row[j]
		for c, e := range row[from:to] {
			x[c] += v * e
		}
	}
	for c := range x {
		x[c] *= tau
		a[from+c] -= x[c]
	}
	for i := 1; i < rows; i++ {
		row := a[i*n:][:n]
		v := row[j]
		row = row[from:to]
		for c, e := range x {
			row[c] -= v * e
		}
	}
}

// formSmall writes the first n columns of the product of k reflectors over them (xORG2R).
func formSmall[T floats](a []T, m, n, k int, tau []T) {
	var x [narrow]T
	for j := k; j < n; j++ {
		for i := range m {
			a[i*n+j] = 0
		}
		a[j*n+j] = 1
	}
	for j := k - 1; j >= 0; j-- {
		if j+1 < n {
			reflectSmall(a[j*n:], n, m-j, j, j+1, n, tau[j], x[:])
		}
		for i := range j {
			a[i*n+j] = 0
		}
		for i := j + 1; i < m; i++ {
			a[i*n+j] *= -tau[j]
		}
		a[j*n+j] = 1 - tau[j]
	}
}
