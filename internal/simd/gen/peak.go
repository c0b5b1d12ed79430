package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func init() { families["peak"] = peak }

// peak emits products in registers: as many at once as hide their latency.
func peak() {
	for _, v := range isas {
		name := "fmaFloat32" + v.suffix
		TEXT(name, 4, "func(half, one float32, n int) float32")
		Doc(name + " computes x*half + one n times in each lane of 12 vectors, and returns one lane.")
		n := Load(Param("n"), GP64())
		half, one := v.vec(), v.vec()
		VBROADCASTSS(param("half"), half)
		VBROADCASTSS(param("one"), one)
		xs := v.vecs(12)
		for _, x := range xs {
			VMOVUPS(one, x)
		}
		Label("rounds")
		TESTQ(n, n)
		JZ(LabelRef("done"))
		for _, x := range xs {
			VFMADD132PS(half, one, x)
		}
		DECQ(n)
		JMP(LabelRef("rounds"))
		Label("done")
		for _, x := range xs[1:] {
			VMAXPS(x, xs[0], xs[0])
		}
		Store(xs[0].AsX(), ReturnIndex(0))
		VZEROUPPER()
		RET()
	}
}
