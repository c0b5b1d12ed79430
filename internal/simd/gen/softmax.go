package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["softmax"] = softmax }

// float is a constant row of one float32.
func (v isa) float(f float64) Mem { return v.constant(math.Float32bits(float32(f))) }

// expPolynomial are the coefficients of (exp(r) - 1 - r) / r² for |r| <= ln(2)/2, the highest first.
var expPolynomial = []float64{1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1}

// exp32 replaces float32 vectors by their exponentials: 2^k·exp(r) with k the nearest integer to x/ln(2) and a
// polynomial of r. Results are within 1.5 ULP, also denormal ones; NaN stays NaN. The vectors are computed side by
// side.
func exp32(v isa, x []VecVirtual) {
	k, p := v.vecs(len(x)), v.vecs(len(x))
	each := func(f func(i int)) {
		for i := range x {
			f(i)
		}
	}
	limit := v.vec() // VMAXPS and VMINPS give their first operand here where either is NaN
	VMOVUPS(v.float(-104), limit)
	each(func(i int) { VMAXPS(x[i], limit, x[i]) })
	VMOVUPS(v.float(104), limit)
	each(func(i int) { VMINPS(x[i], limit, x[i]) })
	each(func(i int) { VMULPS(v.float(math.Log2E), x[i], k[i]) })
	each(func(i int) {
		if v.avx512 {
			VRNDSCALEPS(Imm(8), k[i], k[i])
		} else {
			VROUNDPS(Imm(8), k[i], k[i])
		}
	})
	each(func(i int) { VFNMADD231PS(v.float(0.693359375), k[i], x[i]) })
	each(func(i int) { VFNMADD231PS(v.float(-2.12194440e-4), k[i], x[i]) })
	each(func(i int) { VMOVUPS(v.float(expPolynomial[0]), p[i]) })
	for _, c := range expPolynomial[1:] {
		each(func(i int) { VFMADD213PS(v.float(c), x[i], p[i]) })
	}
	// p = p·x² + x + 1
	each(func(i int) { VMULPS(x[i], p[i], p[i]) })
	each(func(i int) { VFMADD213PS(x[i], x[i], p[i]) })
	each(func(i int) { VADDPS(v.float(1), p[i], p[i]) })
	if v.avx512 {
		each(func(i int) { VSCALEFPS(k[i], p[i], x[i]) })
		return
	}
	// in two steps, so that neither power of two leaves the range
	each(func(i int) { VCVTPS2DQ(k[i], k[i]) })
	half := v.vecs(len(x))
	each(func(i int) { VPSRAD(Imm(1), k[i], half[i]) })
	each(func(i int) { VPSUBD(half[i], k[i], k[i]) })
	for _, e := range [][]VecVirtual{half, k} {
		each(func(i int) {
			VPADDD(v.constant(127), e[i], e[i])
			VPSLLD(Imm(23), e[i], e[i])
			VMULPS(e[i], p[i], p[i])
		})
	}
	each(func(i int) { VMOVAPS(p[i], x[i]) })
}

// subtract takes a parameter from vectors.
func subtract(p VecVirtual, x []VecVirtual) {
	for _, r := range x {
		VSUBPS(p, r, r)
	}
}

func softmax() {
	for _, v := range isas {
		unroll := 4
		if !v.avx512 {
			unroll = 2
		}
		exps := func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			subtract(p[0], x[0])
			exp32(v, x[0])
			terms := v.vecs(len(x[0]))
			for u, r := range x[0] {
				VMOVAPS(r, terms[u])
			}
			return x[0], [][]VecVirtual{terms}
		}
		runMap{name: "expSumFloat32", doc: "sets dst to exp(a - p) and adds that up.", inputs: 1, params: "p", store: true, sums: 1, unroll: unroll, body: exps}.emit(v)
		runMap{name: "expTotalFloat32", doc: "adds exp(a - p) up.", inputs: 1, params: "p", sums: 1, unroll: unroll, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			subtract(p[0], x[0])
			exp32(v, x[0])
			return nil, [][]VecVirtual{x[0]}
		}}.emit(v)
		runMap{name: "scaleRunFloat32", doc: "sets dst to a * p.", inputs: 1, params: "p", store: true, unroll: 4, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			for _, r := range x[0] {
				VMULPS(p[0], r, r)
			}
			return x[0], nil
		}}.emit(v)
		runMap{name: "shiftFloat32", doc: "sets dst to (a - p) - q.", inputs: 1, params: "pq", store: true, unroll: 4, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			subtract(p[0], x[0])
			subtract(p[1], x[0])
			return x[0], nil
		}}.emit(v)
		runMap{name: "expRowFloat32", doc: "sets dst to exp(a - b).", inputs: 2, store: true, unroll: unroll, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			for u, r := range x[0] {
				VSUBPS(x[1][u], r, r)
			}
			exp32(v, x[0])
			return x[0], nil
		}}.emit(v)
		runMap{name: "shiftRowFloat32", doc: "sets dst to (a - b) - c.", inputs: 3, store: true, unroll: unroll, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			for u, r := range x[0] {
				VSUBPS(x[1][u], r, r)
				VSUBPS(x[2][u], r, r)
			}
			return x[0], nil
		}}.emit(v)
		runMap{name: "softmaxGradFloat32", doc: "sets dst to (a - p) * b.", inputs: 2, params: "p", store: true, unroll: 4, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			subtract(p[0], x[0])
			for u, r := range x[0] {
				VMULPS(x[1][u], r, r)
			}
			return x[0], nil
		}}.emit(v)
		runMap{name: "logSoftmaxGradFloat32", doc: "sets dst to a - exp(b) * p.", inputs: 2, params: "p", store: true, unroll: unroll, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			exp32(v, x[1])
			for u, r := range x[1] {
				VFNMADD231PS(p[0], r, x[0][u])
			}
			return x[0], nil
		}}.emit(v)
	}
}
