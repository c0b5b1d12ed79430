package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// transpose emits the transposition of n square blocks that lie beside each other in src, as wide as a vector; their
// transposes come below each other in dst.
func (f floating) transpose(v isa) {
	name := fmt.Sprintf("transpose%s%s", f.name, v.suffix)
	TEXT(name, 4, "func(dst *byte, rowDst int, src *byte, rowSrc int, n int)")
	Pragma("noescape")
	Doc(name + " transposes n square blocks as wide as a vector.")
	dst := Load(Param("dst"), GP64())
	rowDst := Load(Param("rowDst"), GP64())
	src := Load(Param("src"), GP64())
	rowSrc := Load(Param("rowSrc"), GP64())
	n := Load(Param("n"), GP64())
	each := 16 / f.size   // elements of a 128-bit lane
	lanes := v.width / 16 // lanes of a vector
	regs := v.registers()
	x, tmp := regs[:each*lanes], regs[each*lanes:]
	step := GP64() // rows of src from lane to lane
	MOVQ(rowSrc, step)
	SHLQ(Imm(uint64(log2(each))), step)
	step3 := GP64()
	LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
	Label("blocks")
	p := GP64()
	MOVQ(src, p)
	// lane l of x[r*lanes+q] has elements each*q… of row r + each*l
	for r := range each {
		for q := range lanes {
			reg := x[r*lanes+q].(Vec)
			VMOVUPS(Mem{Base: p, Disp: 16 * q}, reg.AsX())
			VINSERTF128(Imm(1), Mem{Base: p, Index: step, Scale: 1, Disp: 16 * q}, reg.AsY(), reg.AsY())
			if lanes == 4 {
				VINSERTF32X4(Imm(2), Mem{Base: p, Index: step, Scale: 2, Disp: 16 * q}, reg.AsZ(), reg.AsZ())
				VINSERTF32X4(Imm(3), Mem{Base: p, Index: step3, Scale: 1, Disp: 16 * q}, reg.AsZ(), reg.AsZ())
			}
		}
		ADDQ(rowSrc, p)
	}
	// transpose within lanes
	for q := range lanes {
		var out []VecPhysical
		if each == 4 {
			r0, r1, r2, r3 := x[q], x[lanes+q], x[2*lanes+q], x[3*lanes+q]
			t := tmp[:4]
			VUNPCKLPS(r1, r0, t[0])
			VUNPCKHPS(r1, r0, t[1])
			VUNPCKLPS(r3, r2, t[2])
			VUNPCKHPS(r3, r2, t[3])
			VUNPCKLPD(t[2], t[0], r0)
			VUNPCKHPD(t[2], t[0], r1)
			VUNPCKLPD(t[3], t[1], r2)
			VUNPCKHPD(t[3], t[1], r3)
			out = []VecPhysical{r0, r1, r2, r3}
		} else {
			r0, r1 := x[q], x[lanes+q]
			VUNPCKLPD(r1, r0, tmp[0])
			VUNPCKHPD(r1, r0, r1)
			out = []VecPhysical{tmp[0], r1}
		}
		for _, r := range out {
			VMOVUPS(r, Mem{Base: dst})
			ADDQ(rowDst, dst)
		}
	}
	ADDQ(Imm(uint64(v.width)), src)
	DECQ(n)
	JNZ(LabelRef("blocks"))
	VZEROUPPER()
	RET()
}

// panel emits the copy of n rows of two vectors, which come one after the other in dst.
func (f floating) panel(v isa) {
	name := fmt.Sprintf("panel%s%s", f.name, v.suffix)
	TEXT(name, 4, "func(dst, src *byte, rowSrc int, n int)")
	Pragma("noescape")
	Doc(name + " copies n rows of two vectors.")
	dst := Load(Param("dst"), GP64())
	src := Load(Param("src"), GP64())
	rowSrc := Load(Param("rowSrc"), GP64())
	n := Load(Param("n"), GP64())
	regs := v.registers()
	loop := func(label string, rows int) {
		Label(label)
		CMPQ(n, Imm(uint64(rows)))
		JL(LabelRef(label + "_done"))
		for r := range rows {
			f.move(Mem{Base: src}, regs[2*r])
			f.move(Mem{Base: src, Disp: v.width}, regs[2*r+1])
			ADDQ(rowSrc, src)
		}
		for i := range 2 * rows {
			f.move(regs[i], Mem{Base: dst, Disp: i * v.width})
		}
		ADDQ(U32(uint32(2*rows*v.width)), dst)
		SUBQ(Imm(uint64(rows)), n)
		JMP(LabelRef(label))
		Label(label + "_done")
	}
	loop("fours", 4)
	loop("ones", 1)
	VZEROUPPER()
	RET()
}

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

// columnMasks makes the AVX-512 masks of the columns of a tile, which have parts numbers each. AVX-512 masks columns
// everywhere, AVX2 only in c and what is added: b has whole vectors there.
func (f floating) columnMasks(v isa, field func(int) Register, vecs, parts int) (masks []Register) {
	if !v.avx512 {
		return nil
	}
	lanes := v.width / f.size
	bits, cols := GP64(), field(tileCols)
	if parts == 2 {
		ADDQ(cols, cols)
	}
	MOVQ(I64(-1), bits)
	BZHIQ(cols, bits, bits)
	for j := range vecs {
		k := []Register{K1, K2, K3, K4}[j]
		if lanes == 16 {
			KMOVW(bits.As32(), k)
		} else {
			KMOVB(bits.As32(), k)
		}
		if j < vecs-1 {
			SHRQ(Imm(uint64(lanes)), bits)
		}
		masks = append(masks, k)
	}
	return masks
}

// tileEnd is what the end of a micro-kernel needs: sums of rows × vecs vectors, to be added to and stored.
type tileEnd struct {
	floating
	v          isa
	rows, vecs int
	masks      []Register
	sum        func(i, j int) VecPhysical
	field      func(at int) Register
	spread     func(m Mem, r VecPhysical) // fills a vector with one element of d
}

// put adds d to the sums, stores them in c, and returns. The vectors in free are clobbered.
func (e tileEnd) put(free []VecPhysical, parts int) {
	f, v, field := e.floating, e.v, e.field
	lanes := v.width / f.size
	tmp, lanesOf := free[0], free[1:1+e.vecs] // AVX2: the masks
	if !v.avx512 {
		p, cols := GP64(), field(tileCols)
		LEAQ(tailMask(), p)
		if parts == 2 {
			ADDQ(cols, cols)
		}
		most, none := GP64(), GP64()
		MOVQ(U64(uint64(lanes)), most)
		XORQ(none, none)
		for j, m := range lanesOf {
			n := GP64()
			MOVQ(cols, n)
			SUBQ(Imm(uint64(j*lanes)), n)
			CMPQ(n, none)
			CMOVQLT(none, n)
			CMPQ(n, most)
			CMOVQGT(most, n)
			SHLQ(Imm(uint64(log2(f.size))), n)
			NEGQ(n)
			VMOVUPS(Mem{Base: p, Index: n, Scale: 1, Disp: 32}, m)
		}
	}
	masked := f.of3(VMASKMOVPS, VMASKMOVPD)
	d, rowD, each := field(tileD), field(tileRowD), field(tileEach)
	TESTQ(d, d)
	JZ(LabelRef("store"))
	TESTQ(each, each)
	JNZ(LabelRef("each"))
	for i := range e.rows {
		for j := range e.vecs {
			m := Mem{Base: d, Disp: j * v.width}
			if v.avx512 {
				f.add(m, e.sum(i, j), e.masks[j], e.sum(i, j))
			} else {
				masked(m, lanesOf[j], tmp)
				f.add(tmp, e.sum(i, j), e.sum(i, j))
			}
		}
		ADDQ(rowD, d)
	}
	JMP(LabelRef("store"))
	Label("each")
	for i := range e.rows {
		e.spread(Mem{Base: d}, tmp)
		for j := range e.vecs {
			f.add(tmp, e.sum(i, j), e.sum(i, j))
		}
		ADDQ(rowD, d)
	}
	Label("store")
	c, rowC := field(tileC), field(tileRowC)
	for i := range e.rows {
		for j := range e.vecs {
			m := Mem{Base: c, Disp: j * v.width}
			if v.avx512 {
				f.move(e.sum(i, j), e.masks[j], m)
			} else {
				masked(e.sum(i, j), lanesOf[j], m)
			}
		}
		if i < e.rows-1 {
			ADDQ(rowC, c)
		}
	}
	VZEROUPPER()
	RET()
}
