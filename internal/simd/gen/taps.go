package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["taps"] = taps }

// taps emits rows of sums of elements by index.
func taps() {
	for _, v := range isas {
		v.tapRow("sumTaps", true)
		v.tapRow("pickTaps", false)
	}
}

// tapRow emits blocks of 16 results. The AVX-512 form permutes 64 elements in registers, that of AVX2 gathers.
func (v isa) tapRow(name string, weighted bool) {
	name += v.suffix
	TEXT(name, 4, "func(dst, src *byte, reach int, base, at *int32, weight *float32, taps, cols int)") // NOSPLIT
	Pragma("noescape")
	Doc(name + " makes a row of results of elements of src.")
	load := func(p string) Register { return Load(Param(p), GP64()) }
	dst, src, reach := load("dst"), load("src"), load("reach")
	base, at, cols := load("base"), load("at"), load("cols")
	weight := load("weight")
	parts := 64 / v.width // vectors of a block
	sums := v.vecs(parts)
	p, first, k := GP64(), GP64(), GP64()
	ones := v.vec() // -1 in each lane
	if v.avx512 {
		VPTERNLOGD(Imm(0xff), ones, ones, ones)
	} else {
		VPCMPEQD(ones, ones, ones)
	}
	var half VecVirtual
	var window []VecVirtual
	if v.avx512 {
		half = v.vec()
		VPSRLD(Imm(31), ones, half)
		VPSLLD(Imm(5), half, half)
		window = v.vecs(4)
	}
	bits, left := GP64(), GP64()
	// value reads what part q of a tap asks for.
	value := func(q int) VecVirtual {
		if v.avx512 {
			low, high, kHigh, kAny := v.vec(), v.vec(), K(), K()
			VMOVDQU32(Mem{Base: at}, low)
			VPTESTMD(half, low, kHigh)
			VPCMPD(Imm(6), ones, low, kAny) // above -1
			VMOVDQA32(low, high)
			VPERMI2PS(window[1], window[0], low)
			VPERMI2PS(window[3], window[2], high)
			VMOVAPS(high, kHigh, low)
			VMOVAPS_Z(low, kAny, low)
			return low
		}
		index, mask, out := v.vec(), v.vec(), v.vec()
		VMOVDQU(Mem{Base: at, Disp: q * v.width}, index)
		VPCMPGTD(ones, index, mask)
		VXORPS(out, out, out)
		VGATHERDPS(mask, Mem{Base: p, Index: index, Scale: 4}, out)
		return out
	}
	Label("block")
	MOVLQSX(Mem{Base: base}, first)
	LEAQ(Mem{Base: src, Index: first, Scale: 4}, p)
	if v.avx512 {
		// the elements from the base on, as far as there are any
		MOVQ(reach, left)
		SUBQ(first, left)
		MOVQ(U32(64), k)
		CMPQ(left, k)
		CMOVQGT(k, left)
		MOVQ(I64(-1), bits)
		BZHIQ(left, bits, bits)
		for i, w := range window {
			m := K()
			KMOVQ(bits, m)
			VMOVUPS_Z(Mem{Base: p, Disp: 64 * i}, m, w)
			if i < len(window)-1 {
				SHRQ(Imm(16), bits)
			}
		}
	}
	if weighted {
		MOVQ(Load(Param("taps"), GP64()), k)
	}
	next := func() {
		ADDQ(Imm(64), at)
		if weighted {
			ADDQ(Imm(64), weight)
		}
	}
	for q, s := range sums {
		x := value(q)
		if weighted {
			VMULPS(Mem{Base: weight, Disp: q * v.width}, x, s)
		} else {
			VMOVAPS(x, s)
		}
	}
	next()
	if weighted {
		DECQ(k)
		JZ(LabelRef("store"))
		Label("tap")
		for q, s := range sums {
			x := value(q)
			VMULPS(Mem{Base: weight, Disp: q * v.width}, x, x)
			VADDPS(x, s, s)
		}
		next()
		DECQ(k)
		JNZ(LabelRef("tap"))
	}
	Label("store")
	CMPQ(cols, Imm(16))
	JL(LabelRef("rest"))
	for q, s := range sums {
		VMOVUPS(s, Mem{Base: dst, Disp: q * v.width})
	}
	ADDQ(Imm(4), base)
	ADDQ(Imm(64), dst)
	SUBQ(Imm(16), cols)
	JNZ(LabelRef("block"))
	JMP(LabelRef("done"))
	Label("rest")
	if !v.avx512 {
		CMPQ(cols, Imm(8))
		JL(LabelRef("few"))
		VMOVUPS(sums[0], Mem{Base: dst})
		VMOVAPS(sums[1], sums[0])
		ADDQ(Imm(32), dst)
		SUBQ(Imm(8), cols)
		Label("few")
	}
	v.newTail(cols, 4).store(sums[0], Mem{Base: dst})
	Label("done")
	VZEROUPPER()
	RET()
}
