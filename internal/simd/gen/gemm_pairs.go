package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// pairKernels emits the micro-kernels of pairs of bfloat16 numbers, for CPUs with AVX512_BF16.
func pairKernels() {
	f := floating{size: 4, name: "Pairs", pairs: true}
	for _, vecs := range []int{1, 2, 4} {
		for rows := 1; rows <= gemmRows(avx512)[vecs]; rows++ {
			f.tile(avx512, rows, vecs, false)
		}
	}
	pairRows()
}

// dotPairs is sum += a[0]*b[0] + a[1]*b[1] for pairs of bfloat16 numbers: VDPBF16PS, which neither avo nor Go's
// assembler knows.
func dotPairs(a, b, sum VecPhysical) {
	at := func(r VecPhysical) (low, bit3, bit4 uint8) {
		i := uint8(r.(Physical).PhysicalIndex())
		return i & 7, i >> 3 & 1, i >> 4
	}
	aLow, a3, a4 := at(a)
	sumLow, sum3, sum4 := at(sum)
	bLow, b3, b4 := at(b)
	code := []uint8{
		0x62,
		(1-sum3)<<7 | (1-a4)<<6 | (1-a3)<<5 | (1-sum4)<<4 | 2,
		(15-(b3<<3|bLow))<<3 | 1<<2 | 2,
		2<<5 | (1-b4)<<3,
		0x52,
		3<<6 | sumLow<<3 | aLow,
	}
	for _, c := range code {
		Instruction(&ir.Instruction{Opcode: "BYTE", Operands: []Op{U8(c)}})
	}
}

// pairRows emits dst[i] = a[i] | b[i]<<16.
func pairRows() {
	const name = "pairRowsAVX512"
	TEXT(name, 4, "func(dst, a, b *byte, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s interleaves two rows of n numbers of 16 bits.", name))
	dst := Load(Param("dst"), GP64())
	a := Load(Param("a"), GP64())
	b := Load(Param("b"), GP64())
	n := Load(Param("n"), GP64())
	step := func(u int, load func(m Mem, r VecPhysical)) {
		load(Mem{Base: a, Disp: 32 * u}, zmm[2*u])
		load(Mem{Base: b, Disp: 32 * u}, zmm[2*u+1])
		VPSLLD(Imm(16), zmm[2*u+1], zmm[2*u+1])
		VPORD(zmm[2*u+1], zmm[2*u], zmm[2*u])
	}
	loop := func(label string, unroll int) {
		Label(label)
		CMPQ(n, Imm(uint64(16*unroll)))
		JL(LabelRef(label + "_done"))
		for u := range unroll {
			step(u, func(m Mem, r VecPhysical) { VPMOVZXWD(m, r) })
			VMOVUPS(zmm[2*u], Mem{Base: dst, Disp: 64 * u})
		}
		ADDQ(Imm(uint64(32*unroll)), a)
		ADDQ(Imm(uint64(32*unroll)), b)
		ADDQ(U32(uint32(64*unroll)), dst)
		SUBQ(Imm(uint64(16*unroll)), n)
		JMP(LabelRef(label))
		Label(label + "_done")
	}
	loop("blocks", 2)
	loop("vectors", 1)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	bits := GP64()
	MOVQ(I64(-1), bits)
	BZHIQ(n, bits, bits)
	KMOVW(bits.As32(), K1)
	step(0, func(m Mem, r VecPhysical) { VPMOVZXWD_Z(m, K1, r) })
	VMOVUPS(zmm[0], K1, Mem{Base: dst})
	Label("done")
	VZEROUPPER()
	RET()
}
