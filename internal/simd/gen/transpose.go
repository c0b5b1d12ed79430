package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["transpose"] = transpose }

// transpose emits transposes of square blocks in registers: 8×8 elements of 4 bytes and 4×4 of 8 bytes.
func transpose() {
	band("transposeBand32", 8, block8)
	band("transposeBand64", 4, block4)
	for _, v := range isas {
		evenRows(v, 4)
		evenRows(v, 8)
	}
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

// evenRows emits a loop over rows of n elements, 1 or more: every second element of src goes to dst. Nothing beyond
// element 2·(n-1) of a row is read.
func evenRows(v isa, size int) {
	lanes := v.width / size
	name := fmt.Sprintf("evenRows%d%s", 8*size, v.suffix)
	TEXT(name, 4, "func(dst *byte, dstStep int, src *byte, srcStep, n, rows int)") // NOSPLIT
	Pragma("noescape")
	Doc("evenRows copies every second element of rows.")
	dst, dstStep := Load(Param("dst"), GP64()), Load(Param("dstStep"), GP64())
	src, srcStep := Load(Param("src"), GP64()), Load(Param("srcStep"), GP64())
	n, rows := Load(Param("n"), GP64()), Load(Param("rows"), GP64())
	blocks, left, low, high := GP64(), GP64(), GP64(), GP64()
	MOVQ(n, blocks)
	DECQ(blocks)
	SHRQ(Imm(uint64(log2(lanes))), blocks)
	MOVQ(blocks, left)
	SHLQ(Imm(uint64(log2(lanes))), left)
	NEGQ(left)
	ADDQ(n, left) // 1 to lanes results, of 2·left-1 elements in two vectors
	LEAQ(Mem{Base: left, Index: left, Scale: 1, Disp: -1}, high)
	MOVQ(U32(lanes), low)
	CMPQ(high, low)
	CMOVQLT(high, low)
	SUBQ(low, high)
	first, second, results := v.newTail(low, size), v.newTail(high, size), v.newTail(left, size)
	a, b, idx := v.vec(), v.vec(), v.vec()
	if v.avx512 {
		VMOVDQU64(evenIndex(size), idx)
	}
	pick := func() VecVirtual {
		switch {
		case v.avx512 && size == 4:
			VPERMT2D(b, idx, a)
		case v.avx512:
			VPERMT2Q(b, idx, a)
		case size == 4:
			VSHUFPS(Imm(0x88), b, a, a)
			VPERMPD(Imm(0xd8), a, a)
		default:
			VUNPCKLPD(b, a, a)
			VPERMPD(Imm(0xd8), a, a)
		}
		return a
	}
	p, q, k := GP64(), GP64(), GP64()
	Label("row")
	MOVQ(src, p)
	MOVQ(dst, q)
	MOVQ(blocks, k)
	TESTQ(k, k)
	JZ(LabelRef("tail"))
	Label("block")
	VMOVUPS(Mem{Base: p}, a)
	VMOVUPS(Mem{Base: p, Disp: v.width}, b)
	VMOVUPS(pick(), Mem{Base: q})
	ADDQ(U32(2*v.width), p)
	ADDQ(U32(v.width), q)
	DECQ(k)
	JNZ(LabelRef("block"))
	Label("tail")
	first.load(Mem{Base: p}, a)
	second.load(Mem{Base: p, Disp: v.width}, b)
	results.store(pick(), Mem{Base: q})
	ADDQ(srcStep, src)
	ADDQ(dstStep, dst)
	DECQ(rows)
	JNZ(LabelRef("row"))
	VZEROUPPER()
	RET()
}

// evenIndex has the numbers 0, 2, 4, … of the elements of two vectors.
func evenIndex(size int) Mem {
	m := GLOBL(fmt.Sprintf("even_index%d", 8*size), 8|16)
	for i := range 64 / size {
		if size == 4 {
			DATA(4*i, U32(2*i))
		} else {
			DATA(8*i, U64(2*i))
		}
	}
	return m
}
