package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["rotate"] = rotate }

// rotateLanes are the elements of a row that rotations work on.
const rotateLanes = 32

// rotate emits rotations of rows that lie a step apart, each of a row and the next. The row that the next rotation
// turns too stays in registers.
func rotate() {
	for _, v := range isas {
		f := floating{size: 8, name: "Float64"}
		name := "rotate" + f.name + v.suffix
		TEXT(name, 4, "func(x *byte, step int, cs *byte, n int)")
		Pragma("noescape")
		Doc(name + " turns rows i and i+1 of x by the cosine and the sine that stand at cs, for n rows in turn.")
		x, step := Load(Param("x"), GP64()), Load(Param("step"), GP64())
		cs, n := Load(Param("cs"), GP64()), Load(Param("n"), GP64())
		count := rotateLanes * f.size / v.width
		carried := v.vecs(count)
		c, s, y, turned := v.vec(), v.vec(), v.vec(), v.vec()
		for i, r := range carried {
			VMOVUPD(Mem{Base: x, Disp: i * v.width}, r)
		}
		Label("rotations")
		VBROADCASTSD(Mem{Base: cs}, c)
		VBROADCASTSD(Mem{Base: cs, Disp: f.size}, s)
		for i, r := range carried {
			VMOVUPD(Mem{Base: x, Index: step, Scale: 1, Disp: i * v.width}, y)
			VMULPD(c, r, turned)
			VFMADD231PD(s, y, turned)
			VMULPD(c, y, y)
			VFNMADD132PD(s, y, r)
			VMOVUPD(turned, Mem{Base: x, Disp: i * v.width})
		}
		ADDQ(step, x)
		ADDQ(Imm(uint64(2*f.size)), cs)
		DECQ(n)
		JNZ(LabelRef("rotations"))
		for i, r := range carried {
			VMOVUPD(r, Mem{Base: x, Disp: i * v.width})
		}
		VZEROUPPER()
		RET()
	}
}

func init() {
	families["reflect"] = func() {
		for _, v := range isas {
			reflectRows(v)
		}
	}
}

// reflectRows emits s = x + p[0]*y + p[1]*z, and the subtraction of p[2]*s from x, p[3]*s from y, and p[4]*s from z.
func reflectRows(v isa) {
	f := floating{size: 8, name: "Float64"}
	name := fmt.Sprintf("reflect%s%s", f.name, v.suffix)
	TEXT(name, 4, "func(x, y, z, p *byte, n int)")
	Pragma("noescape")
	Doc(name + " reflects three rows of n elements.")
	var rows []Register
	for _, r := range []string{"x", "y", "z"} {
		rows = append(rows, Load(Param(r), GP64()))
	}
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	regs := v.registers()
	factors, elems, sum, mask := regs[:5], regs[5:8], regs[8], regs[9]
	for i, r := range factors {
		f.broadcast(Mem{Base: p, Disp: 8 * i}, r)
	}
	step := func(load func(Mem, VecPhysical), store func(VecPhysical, Mem)) {
		for i, r := range rows {
			load(Mem{Base: r}, elems[i])
		}
		VMOVAPD(elems[0], sum)
		f.fma(elems[1], factors[0], sum)
		f.fma(elems[2], factors[1], sum)
		for i, r := range rows {
			VFNMADD231PD(sum, factors[2+i], elems[i])
			store(elems[i], Mem{Base: r})
		}
	}
	Label("vectors")
	CMPQ(n, Imm(uint64(v.width/8)))
	JL(LabelRef("rest"))
	step(func(m Mem, r VecPhysical) { f.move(m, r) }, func(r VecPhysical, m Mem) { f.move(r, m) })
	for _, r := range rows {
		ADDQ(U32(uint32(v.width)), r)
	}
	SUBQ(Imm(uint64(v.width/8)), n)
	JMP(LabelRef("vectors"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	load, store := f.tail(v, n, mask)
	step(load, store)
	Label("done")
	VZEROUPPER()
	RET()
}
