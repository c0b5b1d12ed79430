package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["distance"] = distance }

// distance emits the sums that distances of one point to many are made of.
func distance() {
	for _, v := range isas {
		for _, size := range []int{4, 8} {
			pointSums(v, "absDiffs", "adds the absolute differences", size, func(t, acc, mask VecVirtual) {
				if size == 4 {
					VANDPS(mask, t, t)
					VADDPS(t, acc, acc)
					return
				}
				VANDPD(mask, t, t)
				VADDPD(t, acc, acc)
			})
			pointSums(v, "squaredDiffs", "adds the squared differences", size, func(t, acc, _ VecVirtual) {
				if size == 4 {
					VMULPS(t, t, t)
					VADDPS(t, acc, acc)
					return
				}
				VMULPD(t, t, t)
				VADDPD(t, acc, acc)
			})
		}
	}
}

// pointSums emits func name(dst, a, b *byte, n, m, stride int): element j of n of dst becomes the sum of what add makes
// of the differences between element k of a, of m, and element j of row k of b, whose rows are stride bytes apart. The
// mask that add gets has all bits but the signs'.
func pointSums(v isa, name, doc string, size int, add func(t, acc, mask VecVirtual)) {
	name += typeNames[size] + v.suffix
	TEXT(name, 4, "func(dst, a, b *byte, n, m, stride int)")
	Pragma("noescape")
	Doc(name + " " + doc + " of m numbers and the columns of m rows of n, stride bytes apart.")
	dst, a, b := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64())
	n, m, stride := Load(Param("n"), GP64()), Load(Param("m"), GP64()), Load(Param("stride"), GP64())
	broadcast, sub := VBROADCASTSS, VSUBPS
	if size == 8 {
		broadcast, sub = VBROADCASTSD, VSUBPD
	}
	mask := v.vec()
	if v.avx512 {
		VPTERNLOGD(Imm(0xff), mask, mask, mask)
	} else {
		VPCMPEQD(mask, mask, mask)
	}
	if size == 4 {
		VPSRLD(Imm(1), mask, mask)
	} else {
		VPSRLQ(Imm(1), mask, mask)
	}
	// columns sums the columns of some vectors.
	columns := func(label string, vectors int, load func(m Mem, r VecVirtual), store func(r VecVirtual, m Mem)) {
		accs := v.vecs(vectors)
		v.zeros(accs)
		p, q, k := GP64(), GP64(), GP64()
		MOVQ(a, p)
		MOVQ(b, q)
		MOVQ(m, k)
		Label(label + "_rows")
		x := v.vec()
		broadcast(Mem{Base: p}, x)
		for u, acc := range accs {
			t := v.vec()
			load(Mem{Base: q, Disp: u * v.width}, t)
			sub(t, x, t)
			add(t, acc, mask)
		}
		ADDQ(Imm(uint64(size)), p)
		ADDQ(stride, q)
		DECQ(k)
		JNZ(LabelRef(label + "_rows"))
		for u, acc := range accs {
			store(acc, Mem{Base: dst, Disp: u * v.width})
		}
	}
	full := func(m Mem, r VecVirtual) { VMOVUPS(m, r) }
	put := func(r VecVirtual, m Mem) { VMOVUPS(r, m) }
	for _, vectors := range []int{8, 1} {
		label := map[int]string{8: "blocks", 1: "vectors"}[vectors]
		count := vectors * v.width / size
		Label(label)
		CMPQ(n, U32(uint32(count)))
		JL(LabelRef(label + "_done"))
		columns(label, vectors, full, put)
		ADDQ(U32(uint32(vectors*v.width)), dst)
		ADDQ(U32(uint32(vectors*v.width)), b)
		SUBQ(U32(uint32(count)), n)
		JMP(LabelRef(label))
		Label(label + "_done")
	}
	TESTQ(n, n)
	JZ(LabelRef("done"))
	t := v.newTail(n, size)
	columns("tail", 1, t.load, t.store)
	Label("done")
	VZEROUPPER()
	RET()
}
