package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["within"] = within }

// within emits the test of indices.
func within() {
	for _, v := range isas {
		name := "withinInt64" + v.suffix
		TEXT(name, 4, "func(a *byte, n int, low, high int64) bool")
		Pragma("noescape")
		Doc(name + " reports whether n numbers are from low up to high; n is a multiple of 16.")
		a, n := Load(Param("a"), GP64()), Load(Param("n"), GP64())
		low, high := v.vec(), v.vec()
		VPBROADCASTQ(param("low"), low)
		VPBROADCASTQ(param("high"), high)
		result := GP64()
		XORQ(result, result)
		Label("blocks")
		CMPQ(n, Imm(16))
		JL(LabelRef("done"))
		var ks []Register
		for disp := 0; disp < 128; disp += v.width {
			x := v.vec()
			VMOVUPS(Mem{Base: a, Disp: disp}, x)
			if v.avx512 {
				below, above := K(), K()
				VPCMPQ(Imm(1), low, x, below)  // x < low
				VPCMPQ(Imm(6), high, x, above) // x > high
				KORB(above, below, below)
				ks = append(ks, below)
				continue
			}
			below, above := v.vec(), v.vec()
			VPCMPGTQ(x, low, below)
			VPCMPGTQ(high, x, above)
			VORPS(above, below, below)
			ks = append(ks, below)
		}
		for _, k := range ks[1:] {
			if v.avx512 {
				KORB(k, ks[0], ks[0])
			} else {
				VORPS(k, ks[0], ks[0])
			}
		}
		if v.avx512 {
			KORTESTB(ks[0], ks[0])
		} else {
			VPTEST(ks[0], ks[0])
		}
		JNZ(LabelRef("end"))
		ADDQ(Imm(128), a)
		SUBQ(Imm(16), n)
		JMP(LabelRef("blocks"))
		Label("done")
		INCQ(result)
		Label("end")
		Store(result.As8(), ReturnIndex(0))
		VZEROUPPER()
		RET()
	}
}
