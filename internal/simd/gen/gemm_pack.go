package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
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
