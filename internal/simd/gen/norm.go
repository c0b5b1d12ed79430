package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["norm"] = norm }

// norm emits normalizations of float32 and their gradients. Normalized elements are x·r + s with r the reciprocal
// deviation and s = -mean·r.
func norm() {
	for _, v := range isas {
		normalized := func(x, p []VecVirtual) {
			for _, r := range x {
				VFMADD213PS(p[1], p[0], r)
			}
		}
		runMap{name: "layerNormFloat32", doc: "sets dst to (a*p + q)*b + c.", inputs: 3, params: "pq", store: true, unroll: 2, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			normalized(x[0], p)
			for u, r := range x[0] {
				VFMADD213PS(x[2][u], x[1][u], r)
			}
			return x[0], nil
		}}.emit(v)
		runMap{name: "channelNormFloat32", doc: "sets dst to (a - p)*q + r.", inputs: 1, params: "pqr", store: true, unroll: 4, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			subtract(p[0], x[0])
			for _, r := range x[0] {
				VFMADD213PS(p[2], p[1], r)
			}
			return x[0], nil
		}}.emit(v)
		runMap{name: "layerGradSumsFloat32", doc: "adds up a*b and a*b*(c*p + q).", inputs: 3, params: "pq", sums: 2, unroll: 2, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			normalized(x[2], p)
			for u, r := range x[0] {
				VMULPS(x[1][u], r, r)
				VMULPS(r, x[2][u], x[2][u])
			}
			return nil, [][]VecVirtual{x[0], x[2]}
		}}.emit(v)
		runMap{name: "layerGradFloat32", doc: "sets dst to (a*b - r - (c*p + q)*t) * p.", inputs: 3, params: "pqrt", store: true, unroll: 2, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			normalized(x[2], p)
			for u, r := range x[0] {
				VMULPS(x[1][u], r, r) // rounded as the sum that p[2] is made of
				VSUBPS(p[2], r, r)
				VFNMADD231PS(x[2][u], p[3], r)
				VMULPS(p[0], r, r)
			}
			return x[0], nil
		}}.emit(v)
		runMap{name: "weightGradFloat32", doc: "sets dst to a + b*(c*p + q): dst is a or of the same length.", inputs: 3, params: "pq", store: true, unroll: 2, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			normalized(x[2], p)
			for u, r := range x[0] {
				VFMADD231PS(x[1][u], x[2][u], r)
			}
			return x[0], nil
		}}.emit(v)
		runMap{name: "channelGradSumsFloat32", doc: "adds up a and a*(b - p).", inputs: 2, params: "p", sums: 2, unroll: 2, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			subtract(p[0], x[1])
			for u, r := range x[1] {
				VMULPS(x[0][u], r, r)
			}
			return nil, [][]VecVirtual{x[0], x[1]}
		}}.emit(v)
		runMap{name: "channelGradFloat32", doc: "sets dst to (a - q - (b - p)*r) * t.", inputs: 2, params: "pqrt", store: true, unroll: 2, body: func(v isa, x [][]VecVirtual, p []VecVirtual) ([]VecVirtual, [][]VecVirtual) {
			subtract(p[0], x[1])
			subtract(p[1], x[0])
			for u, r := range x[0] {
				VFNMADD231PS(p[2], x[1][u], r)
				VMULPS(p[3], r, r)
			}
			return x[0], nil
		}}.emit(v)
	}
}
