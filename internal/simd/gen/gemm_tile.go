package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

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
