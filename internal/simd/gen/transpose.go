package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["transpose"] = transpose }

// transpose emits transposes of square blocks in registers: 8×8 elements of 4 bytes and 4×4 of 8 bytes.
func transpose() {
	band("transposeBand32", 8, block8)
	band("transposeBand64", 4, block4)
	even("evenBlocks32", func(a, b VecPhysical) {
		VSHUFPS(Imm(0x88), b, a, a)
		VPERMPD(Imm(0xd8), a, a)
	})
	even("evenBlocks64", func(a, b VecPhysical) {
		VUNPCKLPD(b, a, a)
		VPERMPD(Imm(0xd8), a, a)
	})
}

// band emits a loop over blocks: columns of src, srcStep bytes apart, become rows of dst, dstStep bytes apart. Blocks
// are dstNext and srcNext bytes apart.
func band(name string, side int, block func(r []VecPhysical)) {
	TEXT(name, 4, "func(dst *byte, dstStep, dstNext int, src *byte, srcStep, srcNext int, blocks int)") // NOSPLIT
	Pragma("noescape")
	Doc(name + " transposes square blocks.")
	dst, dstStep := Load(Param("dst"), GP64()), Load(Param("dstStep"), GP64())
	src, srcStep := Load(Param("src"), GP64()), Load(Param("srcStep"), GP64())
	dstNext, srcNext := Load(Param("dstNext"), GP64()), Load(Param("srcNext"), GP64())
	blocks := Load(Param("blocks"), GP64())
	r := make([]VecPhysical, side)
	for i := range r {
		r[i] = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7}[i]
	}
	// at visits side rows of memory from p on.
	rows := func(p, step Register, f func(i int, m Mem)) {
		q := GP64()
		MOVQ(p, q)
		for i := range side {
			f(i, Mem{Base: q})
			if i+1 < side {
				ADDQ(step, q)
			}
		}
	}
	Label("loop")
	rows(src, srcStep, func(i int, m Mem) { VMOVUPS(m, r[i]) })
	block(r)
	rows(dst, dstStep, func(i int, m Mem) { VMOVUPS(r[i], m) })
	ADDQ(srcNext, src)
	ADDQ(dstNext, dst)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// block8 transposes 8×8 elements of 4 bytes.
func block8(r []VecPhysical) {
	t := []VecPhysical{Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
	for i := 0; i < 8; i += 2 {
		VUNPCKLPS(r[i+1], r[i], t[i])
		VUNPCKHPS(r[i+1], r[i], t[i+1])
	}
	for i := 0; i < 8; i += 4 {
		VUNPCKLPD(t[i+2], t[i], r[i])
		VUNPCKHPD(t[i+2], t[i], r[i+1])
		VUNPCKLPD(t[i+3], t[i+1], r[i+2])
		VUNPCKHPD(t[i+3], t[i+1], r[i+3])
	}
	for i := range 4 {
		VPERM2F128(Imm(0x20), r[i+4], r[i], t[i])
		VPERM2F128(Imm(0x31), r[i+4], r[i], t[i+4])
	}
	copy(r, t)
}

// block4 transposes 4×4 elements of 8 bytes.
func block4(r []VecPhysical) {
	t := []VecPhysical{Y8, Y9, Y10, Y11}
	for i := 0; i < 4; i += 2 {
		VUNPCKLPD(r[i+1], r[i], t[i])
		VUNPCKHPD(r[i+1], r[i], t[i+1])
	}
	for i := range 2 {
		VPERM2F128(Imm(0x20), t[i+2], t[i], r[i])
		VPERM2F128(Imm(0x31), t[i+2], t[i], r[i+2])
	}
}

// even emits a loop over blocks of 64 bytes of dst, every second element of 128 bytes of src.
func even(name string, pick func(a, b VecPhysical)) {
	TEXT(name, 4, "func(dst, src *byte, blocks int)") // NOSPLIT
	Pragma("noescape")
	Doc(name + " copies every second element.")
	dst, src, blocks := Load(Param("dst"), GP64()), Load(Param("src"), GP64()), Load(Param("blocks"), GP64())
	Label("loop")
	for i, r := range []VecPhysical{Y0, Y1, Y2, Y3} {
		VMOVUPS(Mem{Base: src, Disp: 32 * i}, r)
	}
	pick(Y0, Y1)
	pick(Y2, Y3)
	VMOVUPS(Y0, Mem{Base: dst})
	VMOVUPS(Y2, Mem{Base: dst, Disp: 32})
	ADDQ(U32(128), src)
	ADDQ(Imm(64), dst)
	DECQ(blocks)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
