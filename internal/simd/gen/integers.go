package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["integers"] = wholeNumbers }

// wholeNumbers emits sums and extremes of integers, and the count of floating-point numbers that are not zero.
func wholeNumbers() {
	for _, v := range isas {
		runOfVectors(v, "sumInt64", "adds elements", 8, 0, func(acc VecVirtual, src Mem) { VPADDQ(src, acc, acc) },
			func(x, acc VecVirtual) { VPADDQ(x, acc, acc) })
		for _, o := range []struct {
			name        string
			op32, op512 func(ops ...Op)
			greater     bool
		}{{"max", VPMAXSD, VPMAXSQ, true}, {"min", VPMINSD, VPMINSQ, false}} {
			f32 := func(x, acc VecVirtual) { o.op32(x, acc, acc) }
			runOfVectors(v, o.name+"Int32", "finds the extreme", 4, 1, func(acc VecVirtual, src Mem) { o.op32(src, acc, acc) }, f32)
			f64 := func(x, acc VecVirtual) {
				if v.avx512 {
					o.op512(x, acc, acc)
					return
				}
				mask := YMM()
				if acc.Size() == 16 {
					mask = XMM()
				}
				if o.greater {
					VPCMPGTQ(acc, x, mask)
				} else {
					VPCMPGTQ(x, acc, mask)
				}
				VBLENDVPD(mask, x, acc, acc)
			}
			runOfVectors(v, o.name+"Int64", "finds the extreme", 8, 1, func(acc VecVirtual, src Mem) {
				x := v.vec()
				VMOVUPD(src, x)
				f64(x, acc)
			}, f64)
		}
		countNonzero(v, 4, VCMPPS)
		countNonzero(v, 8, VCMPPD)
	}
}

// runOfVectors emits func name(a *byte, n int) int for n elements that are a multiple of eight vectors' where AVX-512
// has them, and not none: step folds a vector of memory into a register, join folds registers. The first vectors are
// the start with first, else zeros.
func runOfVectors(v isa, name, doc string, size, first int, step func(acc VecVirtual, src Mem), join combine) {
	name += v.suffix
	TEXT(name, 4, "func(a *byte, n int) int")
	Pragma("noescape")
	Doc(name + " " + doc + " of n integers; n is a multiple of 64 and not 0.")
	c := &cursor{v: v, size: size, in: []Register{Load(Param("a"), GP64())}, n: Load(Param("n"), GP64())}
	accs := v.vecs(4)
	for u, a := range accs {
		if first == 0 {
			v.zeros([]VecVirtual{a})
		} else {
			VMOVUPS(Mem{Base: c.in[0], Disp: u * v.width}, a)
		}
	}
	c.while("groups", 4*v.width/size, func() {
		for u, a := range accs {
			step(a, Mem{Base: c.in[0], Disp: u * v.width})
		}
	})
	total := v.horizontal(accs, size, join)
	r := GP64()
	VMOVQ(total.AsX(), r)
	if size == 4 {
		MOVLQSX(r.As32(), r)
	}
	Store(r, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// countNonzero emits the count of elements that are not zero; NaN is not.
func countNonzero(v isa, size int, compare func(ops ...Op)) {
	name := "countNonzero" + typeNames[size] + v.suffix
	TEXT(name, 4, "func(a *byte, n int) int")
	Pragma("noescape")
	Doc(name + " counts the elements that are not zero; n is a multiple of 64.")
	c := &cursor{v: v, size: size, in: []Register{Load(Param("a"), GP64())}, n: Load(Param("n"), GP64())}
	zero, total := v.vec(), GP64()
	v.zeros([]VecVirtual{zero})
	XORQ(total, total)
	c.while("groups", 4*v.width/size, func() {
		for u := range 4 {
			m, bits := Mem{Base: c.in[0], Disp: u * v.width}, GP64()
			if v.avx512 {
				k := K()
				compare(Imm(4), m, zero, k)
				KMOVQ(k, bits)
			} else {
				x := v.vec()
				compare(Imm(4), m, zero, x)
				if size == 4 {
					VMOVMSKPS(x, bits.As32())
				} else {
					VMOVMSKPD(x, bits.As32())
				}
			}
			POPCNTQ(bits, bits)
			ADDQ(bits, total)
		}
	})
	Store(total, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
