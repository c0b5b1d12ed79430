package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func init() { families["finite"] = finite }

// finite emits the greatest words of a run, shifted by one bit, so that the sign is away and infinities and NaN are
// greater than all numbers.
func finite() {
	for _, v := range isas[:1] { // they wait for memory
		const unroll = 4
		TEXT("greatestWords"+v.suffix, 4, "func(dst, a *byte, blocks int)")
		Pragma("noescape")
		Doc("greatestWords" + v.suffix + " sets a vector to the greatest words of blocks of 4 vectors, shifted by one bit.")
		dst, a, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("blocks"), GP64())
		most, x := v.vecs(unroll), v.vecs(unroll)
		for _, r := range most {
			VXORPS(r, r, r)
		}
		Label("loop")
		for i, r := range x {
			VMOVUPS(Mem{Base: a, Disp: i * v.width}, r)
		}
		for _, r := range x {
			VPADDD(r, r, r)
		}
		for i, r := range x {
			VPMAXUD(r, most[i], most[i])
		}
		ADDQ(U32(uint32(unroll*v.width)), a)
		DECQ(n)
		JNZ(LabelRef("loop"))
		for _, r := range most[1:] {
			VPMAXUD(r, most[0], most[0])
		}
		VMOVUPS(most[0], Mem{Base: dst})
		VZEROUPPER()
		RET()
	}
}
