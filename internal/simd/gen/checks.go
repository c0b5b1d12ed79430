package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Tests of whole runs: whether indices are in range, and whether numbers are finite.

func init() {
	families["within"] = within
	families["finite"] = finite
}

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
