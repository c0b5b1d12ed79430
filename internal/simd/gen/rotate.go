package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
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
