package lapack

import "math"

// pade13 are the coefficients of the numerator of the diagonal Padé approximant of degree 13 of exp; the denominator
// has them with alternating signs.
var pade13 = [14]float64{64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000,
	10559470521600,
	670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1}

// theta13 is the 1-norm up to which that approximant is exact to a rounding.
const theta13 = 5.371920351148152

// Exp writes the exponential of the n by n matrix a over it, by scaling and squaring (Higham, The Scaling and Squaring
// Method for the Matrix Exponential Revisited, 2005).
func Exp[T Number](a []T, n int) {
	if n == 0 {
		return
	}
	if !Finite(a[:n*n]) {
		nan := FromReal[T](math.NaN())
		for i := range a[:n*n] {
			a[i] = nan
		}
		return
	}
	norm := 0.0
	for j := range n {
		s := 0.0
		for i := range n {
			s += Abs(a[i*n+j])
		}
		norm = max(norm, s)
	}
	squarings := 0
	if norm > theta13 {
		_, squarings = math.Frexp(norm / theta13)
		f := FromReal[T](math.Ldexp(1, -squarings))
		for i := range a[:n*n] {
			a[i] *= f
		}
	}
	size := n * n
	mem := make([]T, 6*size)
	part := func(i int) []T { return mem[i*size : (i+1)*size] }
	a2, a4, a6, u, v, w := part(0), part(1), part(2), part(3), part(4), part(5)
	mul := func(dst, x, y []T) { Mul(dst, NoTrans, NoTrans, n, n, n, x, y) }
	mul(a2, a, a)
	mul(a4, a2, a2)
	mul(a6, a2, a4)
	var b [14]T
	for i, c := range pade13 {
		b[i] = FromReal[T](c)
	}
	// u = a (a6 (b13 a6 + b11 a4 + b9 a2) + b7 a6 + b5 a4 + b3 a2 + b1), v the even terms
	combine := func(dst, plus []T, c6, c4, c2, c0 T) {
		for i := range dst {
			x := c6*a6[i] + c4*a4[i] + c2*a2[i]
			if plus != nil {
				x += plus[i]
			}
			dst[i] = x
		}
		for i := range n {
			dst[i*n+i] += c0
		}
	}
	combine(w, nil, b[13], b[11], b[9], 0)
	mul(u, a6, w)
	combine(w, u, b[7], b[5], b[3], b[1])
	mul(u, a, w)
	combine(w, nil, b[12], b[10], b[8], 0)
	mul(v, a6, w)
	combine(v, v, b[6], b[4], b[2], b[0])
	for i := range w {
		w[i], a[i] = v[i]-u[i], v[i]+u[i]
	}
	pivots := make([]int, n)
	LU(w, n, n, pivots)
	SolveLU(w, n, pivots, NoTrans, a, n)
	for range squarings {
		mul(w, a, a)
		copy(a, w)
	}
}
