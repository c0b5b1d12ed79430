package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// maxRowsOnly emits the greatest of what taps read, as maxRows does, without the indices: two vectors at a time, then
// one, and with AVX-512 what is left. The AVX2 form computes whole vectors only.
func maxRowsOnly(v isa, stride int) {
	name := fmt.Sprintf("maxRowsOnlyFloat32%d%s", stride, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s finds the greatest of windows %d apart, not where they are.", name, stride))
	lanes := v.width / 4
	t := Load(Param("t"), GP64())
	x, y, n := rowField(t, rowX), rowField(t, rowY), rowField(t, rowCols)
	bits, low := GP64(), v.vec()
	MOVQ(U64(0xff800000), bits)
	VMOVD(bits.As32(), low.AsX())
	VPBROADCASTD(low.AsX(), low)
	var evens VecVirtual
	if stride == 2 && v.avx512 {
		at := GLOBL("max_only_evens", 8|16)
		for i := range 16 {
			DATA(4*i, U32(uint32(2*i+i/8))) // the second vector begins with the last element of the first
		}
		evens = v.vec()
		VMOVDQU32(at, evens)
	}
	off, taps, at := GP64(), GP64(), GP64()
	// vectors emits some of them; masks are for reads, the second half of reads, and writes.
	vectors := func(label string, count int, masks ...Op) {
		MOVQ(Mem{Base: t, Disp: rowOff}, off)
		MOVQ(Mem{Base: t, Disp: rowTaps}, taps)
		best := make([]VecVirtual, count)
		for i := range best {
			best[i] = v.vec()
			VMOVAPS(low, best[i])
		}
		Label(label + "_taps")
		MOVLQSX(Mem{Base: off}, at)
		for i := range best {
			m := Mem{Base: x, Index: at, Scale: 1, Disp: i * v.width * stride}
			m2 := m
			m2.Disp += v.width - 4 // it ends with the last window
			a, b := v.vec(), v.vec()
			if masks != nil {
				VMOVUPS_Z(m, masks[0], a)
			} else {
				VMOVUPS(m, a)
			}
			switch {
			case stride == 1:
			case v.avx512:
				if masks != nil {
					VMOVUPS_Z(m2, masks[1], b)
				} else {
					VMOVUPS(m2, b)
				}
				moved := v.vec()
				VMOVAPS(evens, moved)
				VPERMI2PS(b, a, moved)
				a = moved
			default:
				VMOVUPS(m2, b)
				VSHUFPS(Imm(0xd8), b, a, a) // 0 2 of a, 1 3 of b
				VPERMPD(Imm(0xd8), a, a)
			}
			// of equals, and of one NaN, the second operand is taken, which is the best so far
			if v.avx512 {
				nan := K()
				VCMPPS(Imm(3), a, a, nan)
				VMAXPS(best[i], a, best[i])
				VMOVAPS(a, nan, best[i])
			} else {
				nan := v.vec()
				VCMPPS(Imm(3), a, a, nan)
				VMAXPS(best[i], a, best[i])
				VBLENDVPS(nan, a, best[i], best[i])
			}
		}
		ADDQ(Imm(4), off)
		DECQ(taps)
		JNZ(LabelRef(label + "_taps"))
		for i, r := range best {
			m := Mem{Base: y, Disp: i * v.width}
			if masks != nil {
				VMOVUPS(r, masks[2], m)
			} else {
				VMOVUPS(r, m)
			}
		}
	}
	for _, count := range []int{2, 1} {
		label := fmt.Sprintf("vectors%d", count)
		Label(label)
		CMPQ(n, Imm(uint64(count*lanes)))
		JL(LabelRef(label + "_done"))
		vectors(label, count)
		ADDQ(U32(uint32(4*lanes*stride*count)), x)
		ADDQ(U32(uint32(v.width*count)), y)
		SUBQ(Imm(uint64(lanes*count)), n)
		JMP(LabelRef(label))
		Label(label + "_done")
	}
	if v.avx512 {
		TESTQ(n, n)
		JZ(LabelRef("done"))
		first, second, write := K(), K(), K()
		MOVQ(I64(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVQ(bits, write)
		if stride == 2 {
			LEAQ(Mem{Base: n, Index: n, Scale: 1, Disp: -1}, n)
		}
		MOVQ(I64(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVQ(bits, first)
		SHRQ(Imm(15), bits)
		KMOVQ(bits, second)
		vectors("rest", 1, first, second, write)
		Label("done")
	}
	VZEROUPPER()
	RET()
}
