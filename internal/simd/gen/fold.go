package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// combine is the operation of a fold on registers of any width: acc = acc op x.
type combine func(x, acc VecVirtual)

func addPD(x, acc VecVirtual) { VADDPD(x, acc, acc) }

// zeros clears registers.
func (v isa) zeros(rs []VecVirtual) {
	for _, r := range rs {
		VXORPS(r.AsX(), r.AsX(), r.AsX()) // the upper bits become zero too
	}
}

// widen converts a vector of float32 to two of float64.
func (v isa) widen(src VecVirtual) []VecVirtual {
	out := v.vecs(2)
	if v.avx512 {
		VCVTPS2PD(src.AsY(), out[0])
		upper := YMM()
		VEXTRACTF64X4(Imm(1), src, upper)
		VCVTPS2PD(upper, out[1])
		return out
	}
	VCVTPS2PD(src.AsX(), out[0])
	upper := XMM()
	VEXTRACTF128(Imm(1), src, upper)
	VCVTPS2PD(upper, out[1])
	return out
}

// horizontal folds the lanes of all registers into lane 0 of the first: lane j with lane j + half as long as there are
// two.
func (v isa) horizontal(accs []VecVirtual, size int, f combine) VecVirtual {
	for n := len(accs); n > 1; n /= 2 {
		for i := range n / 2 {
			f(accs[i+n/2], accs[i])
		}
	}
	a := accs[0]
	if v.avx512 {
		upper := YMM()
		VEXTRACTF64X4(Imm(1), a, upper)
		f(upper, a.AsY().(VecVirtual))
	}
	upper := XMM()
	VEXTRACTF128(Imm(1), a.AsY(), upper)
	x := a.AsX().(VecVirtual)
	f(upper, x)
	VPSHUFD(Imm(0xee), x, upper)
	f(upper, x)
	if size == 4 {
		VPSHUFD(Imm(0x55), x, upper)
		f(upper, x)
	}
	return x
}

// cursor walks inputs of one element size side by side.
type cursor struct {
	v    isa
	size int
	in   []Register
	n    Register
}

// while runs body as long as count elements are left, and moves on.
func (c *cursor) while(label string, count int, body func()) {
	Label(label)
	CMPQ(c.n, U32(uint32(count)))
	JL(LabelRef(label + "_done"))
	body()
	c.advance(count)
	JMP(LabelRef(label))
	Label(label + "_done")
}

func (c *cursor) advance(count int) {
	for _, p := range c.in {
		ADDQ(U32(uint32(count*c.size)), p)
	}
	SUBQ(U32(uint32(count)), c.n)
}

// load reads vector u of every input.
func (c *cursor) load(u int) []VecVirtual {
	x := c.v.vecs(len(c.in))
	for i := range x {
		VMOVUPS(Mem{Base: c.in[i], Disp: u * c.v.width}, x[i])
	}
	return x
}

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

// pointSums emits func name(dst, a, b *byte, n, m, stride int), which writes n sums to dst. For sum j, add is called
// with each difference a[k] - b[k][j], for k from 0 to m-1. Rows of b are stride bytes apart. The mask that add gets
// clears a number's sign.
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
