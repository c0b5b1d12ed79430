package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["random"] = random }

// random emits the steps of mt19937 and what turns its draws into uniform and normal numbers.
func random() {
	boxMuller32(avx2)
	for _, v := range isas {
		mtNext(v)
		mtTemper(v)
		uniform32(v)
		uniform64(v)
		boxMuller64(v)
		elementwise("log1mFloat64"+v.suffix, "log1mFloat64"+v.suffix+" computes log(1-a) for a in [0, 1).", v, 8, 1, 1, nil,
			func(x [][]VecVirtual) []VecVirtual {
				u, one := x[0][0], v.vec()
				VMOVUPD(fill64(1), one)
				VSUBPD(u, one, u)
				return []VecVirtual{v.log64(u)}
			})
	}
}

// fill32 is a vector of the read-only data with one 32-bit value in every element.
func fill32(bits uint32) Mem { return fillVector(uint64(bits)<<32 | uint64(bits)) }

// fill64 is a vector of the read-only data with one float64 in every element.
func fill64(f float64) Mem { return fillVector(math.Float64bits(f)) }

// fillVector is a vector of the read-only data with one 64-bit value in every element.
func fillVector(bits uint64) Mem {
	m, ok := filled[bits]
	if !ok {
		m = GLOBL(fmt.Sprintf("fill_%016x", bits), 8|16)
		for i := range 8 {
			DATA(8*i, U64(bits))
		}
		filled[bits] = m
	}
	return m
}

var filled = map[uint64]Mem{}

// counted emits a loop over n elements of size bytes: body is called for full vectors, then for a tail of fewer
// elements. at are the pointers that advance by a vector.
func counted(v isa, n Register, size int, at []Register, body func(load func(Mem, VecVirtual), store func(VecVirtual, Mem))) {
	Label("vectors")
	CMPQ(n, Imm(uint64(v.width/size)))
	JL(LabelRef("tail"))
	body(func(m Mem, r VecVirtual) { VMOVUPS(m, r) }, func(r VecVirtual, m Mem) { VMOVUPS(r, m) })
	for _, p := range at {
		ADDQ(U32(v.width), p)
	}
	SUBQ(Imm(uint64(v.width/size)), n)
	JMP(LabelRef("vectors"))
	Label("tail")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	t := v.newTail(n, size)
	body(t.load, t.store)
	Label("done")
	VZEROUPPER()
	RET()
}

// mtNext emits the recurrence of mt19937 for a run of words.
func mtNext(v isa) {
	name := "mtNext" + v.suffix
	TEXT(name, 4, "func(dst, m *byte, n int)")
	Pragma("noescape")
	Doc(name + " replaces n words of the state by their successors; dst has a word more, m the words that are mixed in.")
	dst, m, n := Load(Param("dst"), GP64()), Load(Param("m"), GP64()), Load(Param("n"), GP64())
	upper, lower, matrix, one, zero := v.vec(), v.vec(), v.vec(), v.vec(), v.vec()
	VMOVUPS(fill32(0x80000000), upper)
	VMOVUPS(fill32(0x7fffffff), lower)
	VMOVUPS(fill32(0x9908b0df), matrix)
	VMOVUPS(fill32(1), one)
	VXORPS(zero, zero, zero)
	counted(v, n, 4, []Register{dst, m}, func(load func(Mem, VecVirtual), store func(VecVirtual, Mem)) {
		y, next, mixed, odd := v.vec(), v.vec(), v.vec(), v.vec()
		load(Mem{Base: dst}, y)
		load(Mem{Base: dst, Disp: 4}, next)
		load(Mem{Base: m}, mixed)
		VANDPS(upper, y, y)
		VANDPS(lower, next, next)
		VORPS(next, y, y)
		VANDPS(one, y, odd)
		VPSRLD(Imm(1), y, y)
		VPSUBD(odd, zero, odd) // all ones where y is odd
		VANDPS(matrix, odd, odd)
		VXORPS(mixed, y, y)
		VXORPS(odd, y, y)
		store(y, Mem{Base: dst})
	})
}

// mtTemper emits the tempering of mt19937.
func mtTemper(v isa) {
	name := "mtTemper" + v.suffix
	TEXT(name, 4, "func(dst, a *byte, n int)")
	Pragma("noescape")
	Doc(name + " turns n words of the state into draws.")
	dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	b, c := v.vec(), v.vec()
	VMOVUPS(fill32(0x9d2c5680), b)
	VMOVUPS(fill32(0xefc60000), c)
	counted(v, n, 4, []Register{dst, a}, func(load func(Mem, VecVirtual), store func(VecVirtual, Mem)) {
		y, t := v.vec(), v.vec()
		load(Mem{Base: a}, y)
		VPSRLD(Imm(11), y, t)
		VXORPS(t, y, y)
		VPSLLD(Imm(7), y, t)
		VANDPS(b, t, t)
		VXORPS(t, y, y)
		VPSLLD(Imm(15), y, t)
		VANDPS(c, t, t)
		VXORPS(t, y, y)
		VPSRLD(Imm(18), y, t)
		VXORPS(t, y, y)
		store(y, Mem{Base: dst})
	})
}

// uniform32 emits 24 bits of a draw times width plus low.
func uniform32(v isa) {
	name := "uniformFloat32" + v.suffix
	TEXT(name, 4, "func(dst, a *byte, n int, width, low float32)")
	Pragma("noescape")
	Doc(name + " turns n draws of 32 bits into n float32.")
	dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	mask, scale, width, low := v.vec(), v.vec(), v.vec(), v.vec()
	VMOVUPS(fill32(1<<24-1), mask)
	VMOVUPS(fill32(math.Float32bits(0x1p-24)), scale)
	VBROADCASTSS(param("width"), width)
	VBROADCASTSS(param("low"), low)
	counted(v, n, 4, []Register{dst, a}, func(load func(Mem, VecVirtual), store func(VecVirtual, Mem)) {
		y := v.vec()
		load(Mem{Base: a}, y)
		VANDPS(mask, y, y)
		VCVTDQ2PS(y, y)
		VMULPS(scale, y, y)
		VFMADD213PS(low, width, y)
		store(y, Mem{Base: dst})
	})
}

// param is the memory of a parameter.
func param(name string) Mem {
	c, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return c.Addr
}

// uniform64 emits 53 bits of two draws times width plus low. The bits become a float64 in two parts, each beside a
// power of two that has it as its last bits.
func uniform64(v isa) {
	name := "uniformFloat64" + v.suffix
	TEXT(name, 4, "func(dst, a *byte, n int, width, low float64)")
	Pragma("noescape")
	Doc(name + " turns 2n draws of 32 bits into n float64.")
	dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("n"), GP64())
	width, low := v.vec(), v.vec()
	VBROADCASTSD(param("width"), width)
	VBROADCASTSD(param("low"), low)
	counted(v, n, 8, []Register{dst, a}, func(load func(Mem, VecVirtual), store func(VecVirtual, Mem)) {
		y, lo := v.vec(), v.vec()
		load(Mem{Base: a}, y)
		VPSRLQ(Imm(32), y, lo) // the second draw is the lower half
		VANDPD(fillVector(1<<21-1), y, y)
		VORPD(fill64(0x1p52), lo, lo)
		VORPD(fill64(0x1p84), y, y)
		VSUBPD(fill64(0x1p84+0x1p52), y, y)
		VADDPD(lo, y, y)
		VMULPD(fill64(0x1p-53), y, y)
		VFMADD213PD(low, width, y)
		store(y, Mem{Base: dst})
	})
}

// log64 computes the logarithms of positive normal numbers up to 1 as math.Log does on amd64, step by step (FreeBSD's
// e_log.c).
func (v isa) log64(x VecVirtual) VecVirtual {
	// x = 2^k (1+f) with sqrt(1/2) < 1+f <= sqrt(2)
	edge := math.Float64bits(math.Sqrt2/2) + 1
	k, f := v.vec(), v.vec()
	VPADDQ(fillVector(math.Float64bits(1)-edge), x, f)
	VPSRLQ(Imm(52), f, k)
	VORPD(fill64(0x1p52), k, k)
	VSUBPD(fill64(0x1p52+0x3ff), k, k)
	VANDPD(fillVector(1<<52-1), f, f)
	VPADDQ(fillVector(edge), f, f)
	VSUBPD(fill64(1), f, f)
	s, s2, s4, t1, t2 := v.vec(), v.vec(), v.vec(), v.vec(), v.vec()
	VADDPD(fill64(2), f, s)
	VDIVPD(s, f, s)
	VMULPD(s, s, s2)
	VMULPD(s2, s2, s4)
	v.horner(t1, s4, 1.479819860511658591e-01, 1.818357216161805012e-01, 2.857142874366239149e-01, 6.666666666666735130e-01)
	VMULPD(s2, t1, t1)
	v.horner(t2, s4, 1.531383769920937332e-01, 2.222219843214978396e-01, 3.999999999940941908e-01)
	VMULPD(s4, t2, t2)
	VADDPD(t2, t1, t1)
	half := v.vec()
	VMULPD(fill64(0.5), f, half)
	VMULPD(f, half, half)
	VADDPD(half, t1, t1)
	VMULPD(s, t1, t1)
	lo := v.vec()
	VMULPD(fill64(1.90821492927058770002e-10), k, lo)
	VADDPD(lo, t1, t1)
	VSUBPD(t1, half, half)
	VSUBPD(f, half, half)
	VMULPD(fill64(6.93147180369123816490e-01), k, k)
	VSUBPD(half, k, k)
	return k
}

// horner sets r to the polynomial of x with the coefficients, the highest first, rounding after every step.
func (v isa) horner(r, x VecVirtual, c ...float64) {
	VMOVUPD(fill64(c[0]), r)
	for _, c := range c[1:] {
		VMULPD(x, r, r)
		VADDPD(fill64(c), r, r)
	}
}

// sincos64 computes sine and cosine for x in [0, 2π] as math.Sincos does, step by step (Cephes' sin.c).
func (v isa) sincos64(x VecVirtual) (sin, cos VecVirtual) {
	y, z := v.vec(), v.vec()
	var octant VecVirtual // of x, made even, as 64-bit integers
	VMULPD(fill64(4/math.Pi), x, y)
	if v.avx512 {
		j := YMM()
		VCVTTPD2DQ(y, j)
		odd := YMM()
		VPAND(fill32(1), j, odd)
		VPADDD(odd, j, j)
		VCVTDQ2PD(j, y)
		octant = v.vec()
		VPMOVZXDQ(j, octant)
	} else {
		j, odd := XMM(), XMM()
		VCVTTPD2DQY(y, j)
		VPAND(fill32(1), j, odd)
		VPADDD(odd, j, j)
		VCVTDQ2PD(j, y)
		octant = v.vec()
		VPMOVZXDQ(j, octant)
	}
	part := v.vec()
	VMULPD(fill64(7.85398125648498535156e-1), y, part)
	VSUBPD(part, x, z)
	VMULPD(fill64(3.77489470793079817668e-8), y, part)
	VSUBPD(part, z, z)
	VMULPD(fill64(2.69515142907905952645e-15), y, part)
	VSUBPD(part, z, z)
	zz := v.vec()
	VMULPD(z, z, zz)
	s, c, t := v.vec(), v.vec(), v.vec()
	v.horner(c, zz, -1.13585365213876817300e-11, 2.08757008419747316778e-9, -2.75573141792967388112e-7,
		2.48015872888517045348e-5, -1.38888888888730564116e-3, 4.16666666666665929218e-2)
	v.horner(s, zz, 1.58962301576546568060e-10, -2.50507477628578072866e-8, 2.75573136213857245213e-6,
		-1.98412698295895385996e-4, 8.33333333332211858878e-3, -1.66666666666666307295e-1)
	VMULPD(zz, zz, t)
	VMULPD(c, t, c)
	VMULPD(fill64(0.5), zz, t)
	VMULPD(z, zz, zz)
	VMULPD(zz, s, s)
	VADDPD(z, s, s)
	one := v.vec()
	VMOVUPD(fill64(1), one)
	VSUBPD(t, one, t)
	VADDPD(c, t, c)
	// octants 2 and 6 exchange the two; 4 and 6 negate the sine, 2 and 4 the cosine
	swap, sign := v.vec(), v.vec()
	VPSLLQ(Imm(62), octant, swap)
	VPSLLQ(Imm(61), octant, sign)
	minus := v.vec()
	VMOVUPD(fillVector(1<<63), minus)
	sin, cos = v.vec(), v.vec()
	if v.avx512 {
		k := K()
		VPMOVQ2M(swap, k)
		VBLENDMPD(c, s, k, sin)
		VBLENDMPD(s, c, k, cos)
	} else {
		VBLENDVPD(swap, c, s, sin)
		VBLENDVPD(swap, s, c, cos)
	}
	VXORPD(sign, swap, swap)
	VANDPD(minus, sign, sign)
	VANDPD(minus, swap, swap)
	VXORPD(sign, sin, sin)
	VXORPD(swap, cos, cos)
	return sin, cos
}

// boxMuller32 emits Box and Muller's method for groups of eight radii and eight angles, step by step as
// boxMullerFloat32 does it in Go.
func boxMuller32(v isa) {
	name := "boxMullerFloat32" + v.suffix
	TEXT(name, 4, "func(x *byte, n int, mean, std float32)")
	Pragma("noescape")
	Doc(name + " turns n uniform float32 into normals, n being a multiple of 16.")
	x, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	mean, std := YMM(), YMM()
	VBROADCASTSS(param("mean"), mean)
	VBROADCASTSS(param("std"), std)
	Label("groups")
	CMPQ(n, Imm(16))
	JL(LabelRef("done"))
	u, theta := YMM(), YMM()
	VMOVUPS(number32(1), u)
	VSUBPS(Mem{Base: x}, u, u)
	radius := cephesLog32(u)
	VMULPS(number32(-2), radius, radius)
	VSQRTPS(radius, radius)
	VMOVUPS(Mem{Base: x, Disp: 32}, theta)
	VMULPS(number32(2*float32(math.Pi)), theta, theta)
	sin, cos := cephesSincos32(theta)
	for i, r := range []VecVirtual{cos, sin} {
		VMULPS(radius, r, r)
		VFMADD213PS(mean, std, r)
		VMOVUPS(r, Mem{Base: x, Disp: 32 * i})
	}
	ADDQ(Imm(64), x)
	SUBQ(Imm(16), n)
	JMP(LabelRef("groups"))
	Label("done")
	VZEROUPPER()
	RET()
}

// number32 is a vector of the read-only data with f in every element.
func number32(f float32) Mem { return fill32(math.Float32bits(f)) }

// cephesLog32 computes the logarithms of eight positive normal numbers.
func cephesLog32(u VecVirtual) VecVirtual {
	e, x, small, t, y, z := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VPSRLD(Imm(23), u, e)
	VPSUBD(fill32(0x7e), e, e)
	VCVTDQ2PS(e, e)
	VANDPS(fill32(0x807fffff), u, x)
	VORPS(fill32(0x3f000000), x, x)
	VCMPPS(Imm(1), number32(math.Sqrt2/2), x, small)
	VANDPS(x, small, t)
	VSUBPS(number32(1), x, x)
	VADDPS(t, x, x)
	VANDPS(number32(1), small, small)
	VSUBPS(small, e, e)
	VMULPS(x, x, z)
	horner32(y, x, 7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1,
		-1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1)
	VMULPS(x, y, y)
	VMULPS(number32(-2.12194440e-4), e, t)
	VFMADD213PS(t, z, y)
	VFNMADD231PS(number32(0.5), z, y)
	VADDPS(y, x, x)
	VFMADD231PS(number32(0.693359375), e, x)
	return x
}

// cephesSincos32 computes the sines and cosines of eight numbers in [0, 2π].
func cephesSincos32(x VecVirtual) (sin, cos VecVirtual) {
	octant, y, z, c, s, t := YMM(), YMM(), YMM(), YMM(), YMM(), YMM()
	VMULPS(number32(float32(4/math.Pi)), x, y)
	VCVTTPS2DQ(y, octant)
	VPADDD(fill32(1), octant, octant)
	VPAND(fill32(^uint32(1)), octant, octant)
	VCVTDQ2PS(octant, y)
	for _, part := range []float32{0.78515625, 2.4187564849853515625e-4, 3.77489497744594108e-8} {
		VFNMADD231PS(number32(part), y, x)
	}
	VMULPS(x, x, z)
	horner32(c, z, 2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
	VMULPS(z, c, c)
	VMULPS(number32(0.5), z, t)
	VFMSUB213PS(t, z, c)
	VADDPS(number32(1), c, c)
	horner32(s, z, -1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
	VMULPS(z, s, s)
	VFMADD213PS(x, x, s)
	// octants 2 and 6 exchange the two; 4 and 6 negate the sine, 2 and 4 the cosine
	swap, sign := YMM(), YMM()
	VPSLLD(Imm(30), octant, swap)
	VPSLLD(Imm(29), octant, sign)
	sin, cos = YMM(), YMM()
	VBLENDVPS(swap, c, s, sin)
	VBLENDVPS(swap, s, c, cos)
	VXORPS(sign, swap, swap)
	VANDPS(fill32(1<<31), sign, sign)
	VANDPS(fill32(1<<31), swap, swap)
	VXORPS(sign, sin, sin)
	VXORPS(swap, cos, cos)
	return sin, cos
}

// horner32 sets r to the polynomial of x with the coefficients, the highest first, rounding once a step.
func horner32(r, x VecVirtual, c ...float32) {
	VMOVUPS(number32(c[0]), r)
	for _, c := range c[1:] {
		VFMADD213PS(number32(c), x, r)
	}
}

// boxMuller64 emits the method for groups of eight radii and eight angles in float64.
func boxMuller64(v isa) {
	name := "boxMullerFloat64" + v.suffix
	TEXT(name, 4, "func(x *byte, n int, mean, std float64)")
	Pragma("noescape")
	Doc(name + " turns n uniform float64 into normals, n being a multiple of 16.")
	x, n := Load(Param("x"), GP64()), Load(Param("n"), GP64())
	Label("groups")
	CMPQ(n, Imm(16))
	JL(LabelRef("done"))
	for part := 0; part < 64; part += v.width {
		u, theta := v.vec(), v.vec()
		VMOVUPD(fill64(1), u)
		VSUBPD(Mem{Base: x, Disp: part}, u, u)
		radius := v.log64(u)
		VMULPD(fill64(-2), radius, radius)
		VSQRTPD(radius, radius)
		VMOVUPD(Mem{Base: x, Disp: 64 + part}, theta)
		VMULPD(fill64(2*math.Pi), theta, theta)
		s, c := v.sincos64(theta)
		mean, std := v.vec(), v.vec()
		VBROADCASTSD(param("mean"), mean)
		VBROADCASTSD(param("std"), std)
		for i, r := range []VecVirtual{s, c} {
			VMULPD(r, radius, r)
			VMULPD(std, r, r)
			VADDPD(mean, r, r)
			VMOVUPD(r, Mem{Base: x, Disp: part + 64*(1-i)})
		}
	}
	ADDQ(Imm(128), x)
	SUBQ(Imm(16), n)
	JMP(LabelRef("groups"))
	Label("done")
	VZEROUPPER()
	RET()
}
