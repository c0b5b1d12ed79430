package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
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

func init() {
	families["reflect"] = func() {
		for _, v := range isas {
			reflectRows(v)
		}
	}
}

// reflectRows emits s = x + p[0]*y + p[1]*z, and the subtraction of p[2]*s from x, p[3]*s from y, and p[4]*s from z.
func reflectRows(v isa) {
	f := floating{size: 8, name: "Float64"}
	name := fmt.Sprintf("reflect%s%s", f.name, v.suffix)
	TEXT(name, 4, "func(x, y, z, p *byte, n int)")
	Pragma("noescape")
	Doc(name + " reflects three rows of n elements.")
	var rows []Register
	for _, r := range []string{"x", "y", "z"} {
		rows = append(rows, Load(Param(r), GP64()))
	}
	p := Load(Param("p"), GP64())
	n := Load(Param("n"), GP64())
	regs := v.registers()
	factors, elems, sum, mask := regs[:5], regs[5:8], regs[8], regs[9]
	for i, r := range factors {
		f.broadcast(Mem{Base: p, Disp: 8 * i}, r)
	}
	step := func(load func(Mem, VecPhysical), store func(VecPhysical, Mem)) {
		for i, r := range rows {
			load(Mem{Base: r}, elems[i])
		}
		VMOVAPD(elems[0], sum)
		f.fma(elems[1], factors[0], sum)
		f.fma(elems[2], factors[1], sum)
		for i, r := range rows {
			VFNMADD231PD(sum, factors[2+i], elems[i])
			store(elems[i], Mem{Base: r})
		}
	}
	Label("vectors")
	CMPQ(n, Imm(uint64(v.width/8)))
	JL(LabelRef("rest"))
	step(func(m Mem, r VecPhysical) { f.move(m, r) }, func(r VecPhysical, m Mem) { f.move(r, m) })
	for _, r := range rows {
		ADDQ(U32(uint32(v.width)), r)
	}
	SUBQ(Imm(uint64(v.width/8)), n)
	JMP(LabelRef("vectors"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	load, store := f.tail(v, n, mask)
	step(load, store)
	Label("done")
	VZEROUPPER()
	RET()
}

func init() { families["secular"] = secular }

// secular emits what the roots of a secular equation, and the vectors that belong to them, are made of.
func secular() {
	for _, v := range isas {
		secularSums(v)
		secularWeights(v)
		secularVector(v)
	}
}

// secularLoop emits a loop over n float64 elements of rows. step emits the work on one vector: first for whole
// vectors, with a nil tail, then for the rest, with the tail whose masks keep loads and stores within the rows.
func secularLoop(v isa, n Register, rows []Register, step func(t *tail)) {
	Label("vectors")
	CMPQ(n, Imm(uint64(v.width/8)))
	JL(LabelRef("rest"))
	step(nil)
	for _, r := range rows {
		ADDQ(U32(uint32(v.width)), r)
	}
	SUBQ(Imm(uint64(v.width/8)), n)
	JMP(LabelRef("vectors"))
	Label("rest")
	TESTQ(n, n)
	JZ(LabelRef("done"))
	t := v.newTail(n, 8)
	step(&t)
	Label("done")
}

func (t *tail) read(base Register, x VecVirtual) {
	if t == nil {
		VMOVUPD(Mem{Base: base}, x)
		return
	}
	t.load(Mem{Base: base}, x)
}

func (t *tail) write(x VecVirtual, base Register) {
	if t == nil {
		VMOVUPD(x, Mem{Base: base})
		return
	}
	t.store(x, Mem{Base: base})
}

// secularSums emits gap = (d - p[0] - p[1]) * (p[2]*d + p[3]), and the sums of z/gap and z/gap² of negative and of
// positive gaps, to p[4] to p[7].
func secularSums(v isa) {
	name := "secularSums" + v.suffix
	TEXT(name, 4, "func(gap, d, z, p *byte, n int)")
	Pragma("noescape")
	Doc(name + " computes the gaps of n poles and adds up what they contribute.")
	gap, d, z := Load(Param("gap"), GP64()), Load(Param("d"), GP64()), Load(Param("z"), GP64())
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	at := v.vecs(4)
	for i, r := range at {
		VBROADCASTSD(Mem{Base: p, Disp: 8 * i}, r)
	}
	sums, one, zero := v.vecs(4), v.vec(), v.vec()
	v.zeros(append(sums, zero))
	bits := GP64()
	MOVQ(U64(0x3ff0000000000000), bits)
	MOVQ(bits, one.AsX())
	VBROADCASTSD(one.AsX(), one)
	secularLoop(v, n, []Register{gap, d, z}, func(t *tail) {
		x, g, w := v.vec(), v.vec(), v.vec()
		t.read(d, x)
		VSUBPD(at[0], x, g)
		VSUBPD(at[1], g, g)
		VFMADD213PD(at[3], at[2], x)
		VMULPD(x, g, g)
		t.write(g, gap)
		VDIVPD(g, one, w)
		t.read(z, x)
		VMULPD(w, x, x)
		VMULPD(w, x, w)
		if t != nil {
			t.keep64(x)
			t.keep64(w)
		}
		if v.avx512 {
			below, above := K(), K()
			VPMOVQ2M(g, below)
			KNOTB(below, above)
			VADDPD(x, sums[0], below, sums[0])
			VADDPD(w, sums[1], below, sums[1])
			VADDPD(x, sums[2], above, sums[2])
			VADDPD(w, sums[3], above, sums[3])
			return
		}
		for i, r := range []VecVirtual{x, w} {
			part := v.vec()
			VBLENDVPD(g, r, zero, part)
			VADDPD(part, sums[i], sums[i])
			VBLENDVPD(g, zero, r, part)
			VADDPD(part, sums[2+i], sums[2+i])
		}
	})
	for i, s := range sums {
		VMOVSD(v.horizontal([]VecVirtual{s}, 8, addPD).AsX(), Mem{Base: p, Disp: 32 + 8*i})
	}
	VZEROUPPER()
	RET()
}

// secularWeights emits w *= gap / ((d - p[0]) * (p[2]*d + p[3])).
func secularWeights(v isa) {
	name := "secularWeights" + v.suffix
	TEXT(name, 4, "func(w, gap, d, p *byte, n int)")
	Pragma("noescape")
	Doc(name + " multiplies n weights by quotients of gaps.")
	w, gap, d := Load(Param("w"), GP64()), Load(Param("gap"), GP64()), Load(Param("d"), GP64())
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	at := v.vecs(3)
	for i, r := range at {
		VBROADCASTSD(Mem{Base: p, Disp: [...]int{0, 16, 24}[i]}, r)
	}
	secularLoop(v, n, []Register{w, gap, d}, func(t *tail) {
		x, g := v.vec(), v.vec()
		t.read(d, x)
		VSUBPD(at[0], x, g)
		VFMADD213PD(at[2], at[1], x)
		VMULPD(x, g, g)
		t.read(gap, x)
		VDIVPD(g, x, x)
		t.read(w, g)
		VMULPD(g, x, x)
		t.write(x, w)
	})
	VZEROUPPER()
	RET()
}

// secularVector emits y = d*x and x = z/gap, and the sums of their squares, to p[0] and p[1].
func secularVector(v isa) {
	name := "secularVector" + v.suffix
	TEXT(name, 4, "func(x, y, z, gap, d, p *byte, n int)")
	Pragma("noescape")
	Doc(name + " computes two vectors of n elements and the squares of their lengths.")
	var rows []Register
	for _, r := range []string{"x", "y", "z", "gap", "d"} {
		rows = append(rows, Load(Param(r), GP64()))
	}
	p, n := Load(Param("p"), GP64()), Load(Param("n"), GP64())
	sums := v.vecs(2)
	v.zeros(sums)
	secularLoop(v, n, rows, func(t *tail) {
		x, g := v.vec(), v.vec()
		t.read(rows[3], g)
		t.read(rows[2], x)
		VDIVPD(g, x, x)
		if t != nil {
			t.keep64(x)
		}
		VFMADD231PD(x, x, sums[0])
		t.read(rows[4], g)
		VMULPD(x, g, g)
		t.write(g, rows[1])
		t.write(x, rows[0])
		VFMADD231PD(g, g, sums[1])
	})
	for i, s := range sums {
		VMOVSD(v.horizontal([]VecVirtual{s}, 8, addPD).AsX(), Mem{Base: p, Disp: 8 * i})
	}
	VZEROUPPER()
	RET()
}
