package lapack

import "gonum.org/v1/gonum/blas"

// SVD finds the singular values, descending, of the m by n matrix a, which it destroys (xGESVD). With u and vh, U has
// the min(m, n) first left singular vectors as columns and Vh the right ones, conjugated, as rows; with full all m
// and n of them. Both are nil where vectors are not wanted. ok is false where the iteration did not converge.
func SVD[T Field](a []T, m, n int, full bool, s []float64, u, vh []T) (ok bool) {
	k := min(m, n)
	if k == 0 {
		if full && len(u) > 0 {
			Identity(u, m, m)
		}
		if full && len(vh) > 0 {
			Identity(vh, n, n)
		}
		return true
	}
	switch a := any(a).(type) {
	case []float64:
		ud, _ := any(u).([]float64)
		vd, _ := any(vh).([]float64)
		ok = svdReal(a, m, n, full, s[:k], ud, vd)
	case []complex128:
		if m >= n {
			uc, _ := any(u).([]complex128)
			vc, _ := any(vh).([]complex128)
			return svdComplex(a, m, n, full, s[:k], uc, vc)
		}
		// Aᴴ = V S Uᴴ
		at := make([]complex128, n*m)
		TransposeInto(at, a, m, n, true)
		if u == nil {
			return svdComplex(at, n, m, full, s[:k], nil, nil)
		}
		cols := k
		if full {
			cols = n
		}
		v, uh := make([]complex128, n*cols), make([]complex128, m*m)
		ok = svdComplex(at, n, m, full, s[:k], v, uh)
		TransposeInto(any(vh).([]complex128), v, n, cols, true)
		TransposeInto(any(u).([]complex128), uh, m, m, true)
	}
	return ok
}

// svdComplex is for m >= n: reflectors on both sides make a real bidiagonal matrix (Golub and Van Loan, 5.4.8), whose
// singular values and vectors the iteration of real numbers finds.
func svdComplex(a []complex128, m, n int, full bool, d []float64, u, vh []complex128) bool {
	e := make([]float64, n)
	tauQ, tauP := make([]complex128, n), make([]complex128, n)
	left, right := make([]complex128, n*m), make([]complex128, n*n)
	s := make([]complex128, max(m, n))
	for i := range n {
		v := column(left[i*m:i*m+m-i], a, n, i, i)
		tauQ[i] = reflector(v)
		d[i] = real(v[0])
		v[0] = 1
		reflectLeft(a[i*n+i+1:], n, m-i, n-i-1, v, conj(tauQ[i]), s)
		if i == n-1 {
			break
		}
		w := right[i*n : i*n+n-i-1]
		for j := range w {
			w[j] = conj(a[i*n+i+1+j])
		}
		tauP[i] = reflector(w)
		e[i] = real(w[0])
		w[0] = 1
		reflectRight(a[(i+1)*n+i+1:], n, m-i-1, n-i-1, w, tauP[i])
	}
	bu, bv, ncol := []float64{}, []float64{}, 0
	if u != nil {
		ncol = n
		bu, bv = make([]float64, n*n), make([]float64, n*n)
		Identity(bu, n, n)
		Identity(bv, n, n)
	}
	if !impl.Dbdsqr(blas.Upper, n, ncol, ncol, 0, d, e[:max(0, n-1)], bv, max(1, ncol), bu, max(1, ncol), nil, 1,
		make([]float64, 4*n)) {
		return false
	}
	if u == nil {
		return true
	}
	cols := n
	if full {
		cols = m
	}
	Identity(u, m, cols)
	for i := range n {
		for j := range n {
			u[i*cols+j] = complex(bu[i*n+j], 0)
			vh[i*n+j] = complex(bv[i*n+j], 0)
		}
	}
	for i := n - 1; i >= 0; i-- {
		reflectLeft(u[i*cols:], cols, m-i, cols, left[i*m:i*m+m-i], tauQ[i], s)
	}
	for i := n - 2; i >= 0; i-- { // Vᴴ is the product with the reflectors' conjugates, the last first
		reflectRight(vh[i+1:], n, n, n-i-1, right[i*n:i*n+n-i-1], conj(tauP[i]))
	}
	return true
}
