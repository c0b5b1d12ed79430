package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["value_rows"] = valueRows }

const shortVectors = 4 // full vectors of a short row, at most

// valueRows emits the operations of a row and a value for many short rows.
func valueRows() {
	for _, v := range isas {
		for _, f := range []floating{{size: 4, name: "float32"}, {size: 8, name: "float64"}} {
			// Of instructions of three operands the second is the left one of a difference or quotient.
			valueFirst := func(op func(...Op)) func(x, value, y VecVirtual) {
				return func(x, value, y VecVirtual) { op(x, value, y) }
			}
			rowFirst := func(op func(...Op)) func(x, value, y VecVirtual) {
				return func(x, value, y VecVirtual) { op(value, x, y) }
			}
			add, mul := f.of(VADDPS, VADDPD), f.of(VMULPS, VMULPD)
			sub, div := f.of(VSUBPS, VSUBPD), f.of(VDIVPS, VDIVPD)
			f.valueRows(v, "scale", rowFirst(mul))
			f.valueRows(v, "add_value", rowFirst(add))
			f.valueRows(v, "sub_value", rowFirst(sub))
			f.valueRows(v, "value_sub", valueFirst(sub))
			f.valueRows(v, "div_value", rowFirst(div))
			f.valueRows(v, "value_div", valueFirst(div))
		}
	}
}

// valueRows emits an operation of rows of n elements and a value for each, all of which may be steps of bytes apart.
func (f floating) valueRows(v isa, kernel string, op func(x, value, y VecVirtual)) {
	name := identifier(kernel+" rows "+f.name) + v.suffix
	TEXT(name, 4, // NOSPLIT
		"func(rows, n int, dst *byte, dstStep int, src *byte, srcStep int, value *byte, valueStep int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s is the kernel %s %s for rows of n elements, which have a value each.", name, kernel, f.name))
	rows, n := Load(Param("rows"), GP64()), Load(Param("n"), GP64())
	dst, dstStep := Load(Param("dst"), GP64()), Load(Param("dstStep"), GP64())
	src, srcStep := Load(Param("src"), GP64()), Load(Param("srcStep"), GP64())
	at, valueStep := Load(Param("value"), GP64()), Load(Param("valueStep"), GP64())
	lanes := v.width / f.size
	rest, full := GP64(), GP64()
	MOVQ(n, rest)
	ANDQ(Imm(uint64(lanes-1)), rest)
	last := v.newTail(rest, f.size)
	MOVQ(n, full)
	SHRQ(Imm(uint64(log2(lanes))), full)
	value := v.vec()
	// each emits a loop over the rows.
	each := func(label string, row func()) {
		Label(label)
		f.of(VBROADCASTSS, VBROADCASTSD)(Mem{Base: at}, value)
		row()
		ADDQ(dstStep, dst)
		ADDQ(srcStep, src)
		ADDQ(valueStep, at)
		DECQ(rows)
		JNZ(LabelRef(label))
	}
	load, store := func(m Mem, r VecVirtual) { VMOVUPS(m, r) }, func(r VecVirtual, m Mem) { VMOVUPS(r, m) }
	part := func(x, y Register, disp int, load func(Mem, VecVirtual), store func(VecVirtual, Mem)) {
		r := v.vec()
		load(Mem{Base: x, Disp: disp}, r)
		op(r, value, r)
		store(r, Mem{Base: y, Disp: disp})
	}
	// Short rows have a loop for each number of vectors, without and with a last one that is not full.
	for vecs := range shortVectors + 1 {
		next := fmt.Sprintf("above%d", vecs)
		CMPQ(full, Imm(uint64(vecs)))
		JNE(LabelRef(next))
		vectors := func() {
			for u := range vecs {
				part(src, dst, u*v.width, load, store)
			}
		}
		if vecs > 0 {
			rests := fmt.Sprintf("rests%d", vecs)
			TESTQ(rest, rest)
			JNZ(LabelRef(rests))
			each(fmt.Sprintf("full%d", vecs), vectors)
			JMP(LabelRef("done"))
			Label(rests)
		}
		each(fmt.Sprintf("rest%d", vecs), func() {
			vectors()
			part(src, dst, vecs*v.width, last.load, last.store)
		})
		JMP(LabelRef("done"))
		Label(next)
	}
	each("long", func() {
		x, y, left := GP64(), GP64(), GP64()
		MOVQ(src, x)
		MOVQ(dst, y)
		MOVQ(n, left)
		walk := &cursor{v, f.size, []Register{x, y}, left}
		for _, unroll := range []int{4, 1} {
			walk.while(fmt.Sprintf("vectors%d", unroll), unroll*lanes, func() {
				for u := range unroll {
					part(x, y, u*v.width, load, store)
				}
			})
		}
		TESTQ(rest, rest)
		JZ(LabelRef("next"))
		part(x, y, 0, last.load, last.store)
		Label("next")
	})
	Label("done")
	VZEROUPPER()
	RET()
}
