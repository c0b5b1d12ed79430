package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["keys"] = keys }

// keys emits the keys by which floats are ordered: their bits, all inverted where the sign bit is set, else the sign
// bit only; zeros alike, NaN above all.
func keys() {
	for _, v := range isas {
		var zero VecVirtual
		setup := func() {
			zero = v.vec()
			VXORPS(zero, zero, zero)
		}
		elementwise("keysFloat32"+v.suffix, "keysFloat32"+v.suffix+" makes keys of float32.", v, 4, 1, 1, setup, func(x [][]VecVirtual) []VecVirtual {
			a, sign := x[0][0], v.vec()
			nan := v.unordered(a, 4)
			VADDPS(zero, a, a)
			VPSRAD(Imm(31), a, sign)
			VORPS(fill32(1<<31), sign, sign)
			VXORPS(sign, a, a)
			VORPS(nan, a, a)
			return []VecVirtual{a}
		})
		elementwise("keysFloat64"+v.suffix, "keysFloat64"+v.suffix+" makes keys of float64.", v, 8, 1, 1, setup, func(x [][]VecVirtual) []VecVirtual {
			a, sign := x[0][0], v.vec()
			nan := v.unordered(a, 8)
			VADDPD(zero, a, a)
			if v.avx512 {
				VPSRAQ(Imm(63), a, sign)
			} else {
				VPCMPGTQ(a, zero, sign)
			}
			VORPS(fillVector(1<<63), sign, sign)
			VXORPS(sign, a, a)
			VORPS(nan, a, a)
			return []VecVirtual{a}
		})
	}
}

// unordered is all ones in the elements of x that are NaN.
func (v isa) unordered(x VecVirtual, size int) VecVirtual {
	r := v.vec()
	switch {
	case v.avx512 && size == 4:
		k := K()
		VCMPPS(Imm(3), x, x, k)
		VPMOVM2D(k, r)
	case v.avx512:
		k := K()
		VCMPPD(Imm(3), x, x, k)
		VPMOVM2Q(k, r)
	case size == 4:
		VCMPPS(Imm(3), x, x, r)
	default:
		VCMPPD(Imm(3), x, x, r)
	}
	return r
}
