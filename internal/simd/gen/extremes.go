package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["extremes"] = extremes }

// extremeOps are the instructions of one element type.
type extremeOps struct {
	size          int
	max, min, cmp func(ops ...Op)
}

// extremes emits the greatest and the least elements of runs and rows, and the search for a value.
func extremes() {
	for _, v := range isas {
		for _, o := range []extremeOps{{4, VMAXPS, VMINPS, VCMPPS}, {8, VMAXPD, VMINPD, VCMPPD}} {
			extremeRun(v, o, "max", o.max)
			extremeRun(v, o, "min", o.min)
			extremeRows(v, o, "max", o.max)
			extremeRows(v, o, "min", o.min)
			argRows(v, o, "argMax", 0x16) // not less or equal, or unordered: NLE_UQ
			argRows(v, o, "argMin", 0x19) // not greater or equal: NGE_UQ
			index(v, o)
		}
	}
}

// extremeRun emits func(x *byte, n int) with two results: the greatest or least of n > 0 elements, and whether any is
// NaN.
func extremeRun(v isa, o extremeOps, name string, f func(ops ...Op)) {
	name += typeNames[o.size] + v.suffix
	result := map[int]string{4: "float32", 8: "float64"}[o.size]
	TEXT(name, 4, "func(a *byte, n int) (m "+result+", nan bool)")
	Pragma("noescape")
	Doc(name + " finds the extreme of n elements, n not 0, and whether one is NaN.")
	c := &cursor{v: v, size: o.size, in: []Register{Load(Param("a"), GP64())}, n: Load(Param("n"), GP64())}
	per := v.width / o.size
	first := v.vec()
	if o.size == 4 {
		VBROADCASTSS(Mem{Base: c.in[0]}, first)
	} else {
		VBROADCASTSD(Mem{Base: c.in[0]}, first)
	}
	accs := v.vecs(4)
	for _, a := range accs {
		VMOVAPS(first, a)
	}
	var nan VecVirtual
	kn := GP64()
	if v.avx512 {
		XORQ(kn, kn)
	} else {
		nan = v.vec()
		v.zeros([]VecVirtual{nan})
	}
	note := func(x, y VecVirtual) {
		if v.avx512 {
			k, g := K(), GP64()
			o.cmp(Imm(3), x, y, k)
			KMOVQ(k, g)
			ORQ(g, kn)
			return
		}
		m := v.vec()
		o.cmp(Imm(3), x, y, m)
		VORPS(m, nan, nan)
	}
	c.while("groups", 4*per, func() {
		var x [4]VecVirtual
		for u := range x {
			x[u] = c.load(u)[0]
		}
		if v.avx512 {
			k, g := K(), GP64()
			k2 := K()
			o.cmp(Imm(3), x[0], x[1], k)
			o.cmp(Imm(3), x[2], x[3], k2)
			KORW(k, k2, k)
			KMOVQ(k, g)
			ORQ(g, kn)
		} else {
			note(x[0], x[1])
			note(x[2], x[3])
		}
		for u := range x {
			f(accs[u], x[u], accs[u]) // acc where either is NaN
		}
	})
	c.while("vectors", per, func() {
		x := c.load(0)[0]
		note(x, x)
		f(accs[0], x, accs[0])
	})
	TESTQ(c.n, c.n)
	JZ(LabelRef("done"))
	t := v.newTail(c.n, o.size)
	x := v.vec()
	t.load(Mem{Base: c.in[0]}, x)
	if v.avx512 { // the first element stands in for those behind the last
		move := map[int]func(ops ...Op){4: VBLENDMPS, 8: VBLENDMPD}[o.size]
		move(x, first, t.k, x)
	} else {
		VBLENDVPS(t.m, x, first, x)
	}
	note(x, x)
	f(accs[1], x, accs[1])
	Label("done")
	out := v.horizontal(accs, o.size, func(x, acc VecVirtual) { f(x, acc, acc) })
	Store(out.AsX(), Return("m"))
	bits := GP32()
	if v.avx512 {
		TESTQ(kn, kn)
	} else {
		VMOVMSKPS(nan, bits)
		TESTL(bits, bits)
	}
	b := GP8()
	SETNE(b)
	Store(b, Return("nan"))
	VZEROUPPER()
	RET()
}

// extremeRows emits the extremes of rows, NaN winning: acc has elements like x.
func extremeRows(v isa, o extremeOps, name string, f func(ops ...Op)) {
	name += "Rows" + typeNames[o.size] + v.suffix
	rowWalk(v, name, "folds rows into acc, element by element; NaN wins.", "", o.size, o.size, []group{{4, 4}, {1, 1}}, nil, nil,
		func(rows int, load func(row int) VecVirtual, a Register, _ []Register) {
			acc := v.vec()
			VMOVUPS(Mem{Base: a}, acc)
			for r := range rows {
				x := load(r)
				if v.avx512 {
					k := K()
					o.cmp(Imm(7), acc, acc, k)
					f(x, acc, k, acc)
					continue
				}
				t, m := v.vec(), v.vec()
				f(x, acc, t)
				o.cmp(Imm(3), acc, acc, m)
				VBLENDVPS(m, acc, t, acc)
			}
			VMOVUPS(acc, Mem{Base: a})
		}, nil)
}

// argRows emits the extremes of rows and the numbers of the rows that have them first, counted from at on; numbers are
// integers of the elements' size.
func argRows(v isa, o extremeOps, name string, better uint8) {
	name += "Rows" + typeNames[o.size] + v.suffix
	number, one := v.vec(), v.vec()
	rowWalk(v, name, "folds rows into acc and puts their numbers, from at on, to where.", ", where *byte, at int", o.size, o.size, []group{{1, 1}}, []string{"where"},
		func() {
			at, low := Load(Param("at"), GP64()), XMM()
			VMOVQ(at, low)
			VPCMPEQD(one.AsY(), one.AsY(), one.AsY())
			if v.avx512 {
				VPTERNLOGD(Imm(0xff), one, one, one)
			}
			if o.size == 4 {
				VPBROADCASTD(low, number)
			} else {
				VPBROADCASTQ(low, number)
			}
		}, func(_ int, load func(row int) VecVirtual, a Register, more []Register) {
			acc, x := v.vec(), load(0)
			VMOVUPS(Mem{Base: a}, acc)
			if v.avx512 {
				k := K()
				o.cmp(Imm(7), acc, acc, k)
				o.cmp(Imm(uint64(better)), acc, x, k, k)
				if o.size == 4 {
					VMOVUPS(x, k, Mem{Base: a})
					VMOVDQU32(number, k, Mem{Base: more[0]})
				} else {
					VMOVUPD(x, k, Mem{Base: a})
					VMOVDQU64(number, k, Mem{Base: more[0]})
				}
				return
			}
			m, k, w := v.vec(), v.vec(), v.vec()
			o.cmp(Imm(7), acc, acc, m)
			o.cmp(Imm(uint64(better)), acc, x, k)
			VANDPS(k, m, m)
			VMOVUPS(Mem{Base: more[0]}, w)
			VBLENDVPS(m, x, acc, acc)
			VBLENDVPS(m, number, w, w)
			VMOVUPS(acc, Mem{Base: a})
			VMOVUPS(w, Mem{Base: more[0]})
		}, func() {
			if o.size == 4 {
				VPSUBD(one, number, number)
			} else {
				VPSUBQ(one, number, number)
			}
		})
}

// index emits func(x *byte, n int, v T) int: the place of the first element that equals v, or n or more.
func index(v isa, o extremeOps) {
	name := "index" + typeNames[o.size] + v.suffix
	result := map[int]string{4: "float32", 8: "float64"}[o.size]
	TEXT(name, 4, "func(a *byte, n int, v "+result+") int")
	Pragma("noescape")
	Doc(name + " finds the first of n elements that equals v; n is a multiple of a vector's elements.")
	a, n, i := Load(Param("a"), GP64()), Load(Param("n"), GP64()), GP64()
	want := v.vec()
	p, _ := Param("v").Resolve()
	if o.size == 4 {
		VBROADCASTSS(p.Addr, want)
	} else {
		VBROADCASTSD(p.Addr, want)
	}
	XORQ(i, i)
	per := v.width / o.size
	bits := GP32()
	Label("loop")
	CMPQ(i, n)
	JGE(LabelRef("done"))
	m := Mem{Base: a, Index: i, Scale: uint8(o.size)}
	if v.avx512 {
		k := K()
		o.cmp(Imm(0), m, want, k)
		KMOVW(k, bits)
	} else {
		x := v.vec()
		o.cmp(Imm(0), m, want, x)
		if o.size == 4 {
			VMOVMSKPS(x, bits)
		} else {
			VMOVMSKPD(x, bits)
		}
	}
	TESTL(bits, bits)
	JNZ(LabelRef("found"))
	ADDQ(U32(uint32(per)), i)
	JMP(LabelRef("loop"))
	Label("found")
	BSFL(bits, bits)
	ADDQ(bits.As64(), i)
	Label("done")
	Store(i, ReturnIndex(0))
	VZEROUPPER()
	RET()
}
