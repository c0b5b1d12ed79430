package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// isa is an instruction set: AVX2 with FMA, or AVX-512 with F, BW, DQ and VL.
type isa struct {
	suffix string // of the kernels' names
	width  int    // bytes of a vector register
	avx512 bool
}

var (
	avx2   = isa{"AVX2", 32, false}
	avx512 = isa{"AVX512", 64, true}
	isas   = []isa{avx2, avx512}
)

// vec allocates a vector register.
func (v isa) vec() VecVirtual {
	if v.avx512 {
		return ZMM()
	}
	return YMM()
}

// vecs allocates n vector registers.
func (v isa) vecs(n int) []VecVirtual {
	rs := make([]VecVirtual, n)
	for i := range rs {
		rs[i] = v.vec()
	}
	return rs
}

// tail is what is left of a run when no full vector fits any more: fewer elements than a vector has.
type tail struct {
	v    isa
	size int        // bytes of an element
	k    Register   // AVX-512: mask with one bit for each element
	m    VecVirtual // AVX2: mask with all bits of each element, for elements of 4 and 8 bytes
}

// newTail makes the masks for n elements; n is clobbered on neither path.
func (v isa) newTail(n Register, size int) tail {
	t := tail{v: v, size: size}
	if v.avx512 {
		bits := GP64()
		MOVQ(I64(-1), bits)
		BZHIQ(n, bits, bits)
		t.k = K()
		KMOVQ(bits, t.k)
		return t
	}
	if size < 4 {
		panic("AVX2 has no masked moves of elements below 4 bytes")
	}
	p, off := GP64(), GP64()
	LEAQ(tailMask(), p)
	MOVQ(n, off)
	SHLQ(Imm(uint64(log2(size))), off)
	SUBQ(off, p)
	t.m = v.vec()
	VMOVUPS(Mem{Base: p, Disp: 32}, t.m)
	return t
}

// load reads the elements of the tail; the rest of dst becomes zero.
func (t tail) load(src Mem, dst VecVirtual) {
	switch {
	case !t.v.avx512 && t.size == 4:
		VMASKMOVPS(src, t.m, dst)
	case !t.v.avx512:
		VMASKMOVPD(src, t.m, dst)
	case t.size == 1:
		VMOVDQU8_Z(src, t.k, dst)
	case t.size == 2:
		VMOVDQU16_Z(src, t.k, dst)
	case t.size == 4:
		VMOVDQU32_Z(src, t.k, dst)
	default:
		VMOVDQU64_Z(src, t.k, dst)
	}
}

// store writes the elements of the tail.
func (t tail) store(src VecVirtual, dst Mem) {
	switch {
	case !t.v.avx512 && t.size == 4:
		VMASKMOVPS(src, t.m, dst)
	case !t.v.avx512:
		VMASKMOVPD(src, t.m, dst)
	case t.size == 1:
		VMOVDQU8(src, t.k, dst)
	case t.size == 2:
		VMOVDQU16(src, t.k, dst)
	case t.size == 4:
		VMOVDQU32(src, t.k, dst)
	default:
		VMOVDQU64(src, t.k, dst)
	}
}

// tailMask is 32 bytes of ones and 32 bytes of zeros.
func tailMask() Mem {
	if !haveTailMask {
		tailMaskData = GLOBL("tail_mask", 8|16)
		for i := range 8 {
			if i < 4 {
				DATA(8*i, U64(1<<64-1))
			} else {
				DATA(8*i, U64(0))
			}
		}
		haveTailMask = true
	}
	return tailMaskData
}

var (
	haveTailMask bool
	tailMaskData Mem
)

func log2(n int) int {
	l := 0
	for 1<<l < n {
		l++
	}
	return l
}
