package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// elementwise emits func name(dst, a, b, … *byte, n int), which computes n elements of size bytes from as many
// elements of each input, all contiguous; n may be any number from 0 on.
//
// setup loads constants once. body computes unroll vectors at a time, so that it can interleave them: x[i][u] is
// vector u of input i, which it may clobber; it returns the results. A tail is computed as a vector whose other
// elements are zero.
func elementwise(name, doc string, v isa, size, inputs, unroll int, setup func(), body func(x [][]VecVirtual) []VecVirtual) {
	params := "dst"
	for i := range inputs {
		params += fmt.Sprintf(", %c", 'a'+i)
	}
	TEXT(name, 4, "func("+params+" *byte, n int)") // NOSPLIT
	Pragma("noescape")
	Doc(doc)
	dst := Load(Param("dst"), GP64())
	in := make([]Register, inputs)
	for i := range in {
		in[i] = Load(Param(string(rune('a'+i))), GP64())
	}
	n := Load(Param("n"), GP64())
	if setup != nil {
		setup()
	}
	step := func(unroll int, load func(src Mem, r VecVirtual), store func(r VecVirtual, dst Mem)) {
		x := make([][]VecVirtual, inputs)
		for i := range x {
			x[i] = v.vecs(unroll)
			for u, r := range x[i] {
				load(Mem{Base: in[i], Disp: u * v.width}, r)
			}
		}
		for u, r := range body(x) {
			store(r, Mem{Base: dst, Disp: u * v.width})
		}
	}
	c := &cursor{v, size, append([]Register{dst}, in...), n}
	full := func(label string, unroll int) {
		c.while(label, unroll*v.width/size, func() {
			step(unroll, func(src Mem, r VecVirtual) { VMOVUPS(src, r) }, func(r VecVirtual, dst Mem) { VMOVUPS(r, dst) })
		})
	}
	if unroll > 1 {
		full("blocks", unroll)
	}
	full("vectors", 1)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	t := v.newTail(n, size)
	step(1, t.load, t.store)
	Label("done")
	VZEROUPPER()
	RET()
}
