package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["sum"] = sum }

// term maps the loaded elements, one vector for each input, to what is added.
type term func(v isa, x []VecVirtual) VecVirtual

func asIs(_ isa, x []VecVirtual) VecVirtual { return x[0] }

// clearSigns drops the sign bits of elements of size bytes.
func clearSigns(size int) term {
	return func(v isa, x []VecVirtual) VecVirtual {
		m := v.vec()
		if size == 4 {
			VPCMPEQD(m.AsY(), m.AsY(), m.AsY())
		} else {
			VPCMPEQQ(m.AsY(), m.AsY(), m.AsY())
		}
		if v.avx512 {
			VPTERNLOGD(Imm(0xff), m, m, m)
		}
		if size == 4 {
			VPSRLD(Imm(1), m, m)
		} else {
			VPSRLQ(Imm(1), m, m)
		}
		VANDPS(m, x[0], x[0])
		return x[0]
	}
}

// clearNaN turns NaN into zero.
func clearNaN(size int) term {
	return func(v isa, x []VecVirtual) VecVirtual {
		compare, move := VCMPPS, VMOVAPS_Z
		if size == 8 {
			compare, move = VCMPPD, VMOVAPD_Z
		}
		if v.avx512 {
			k := K()
			compare(Imm(7), x[0], x[0], k)
			move(x[0], k, x[0])
			return x[0]
		}
		m := v.vec()
		compare(Imm(7), x[0], x[0], m)
		VANDPS(m, x[0], x[0])
		return x[0]
	}
}

func product(size int) term {
	return func(_ isa, x []VecVirtual) VecVirtual {
		if size == 4 {
			VMULPS(x[1], x[0], x[0])
		} else {
			VMULPD(x[1], x[0], x[0])
		}
		return x[0]
	}
}

// sum emits the sums of runs and of rows.
func sum() {
	for _, v := range isas {
		sumTree(v, "sum", "adds", 1, asIs)
		sumTree(v, "sumAbs", "adds the absolute values of", 1, clearSigns(4))
		sumTree(v, "nanSum", "adds those that are not NaN of", 1, clearNaN(4))
		sumTree(v, "dot", "adds the products of", 2, product(4))
		sumTree(v, "sumAbsDiffs", "adds the absolute differences of", 2, difference(4, clearSigns(4)))
		sumTree(v, "sumSquaredDiffs", "adds the squared differences of", 2, difference(4, squareSingle))
		sumWide(v, "sumAbsDiffs", "adds the absolute differences of", 8, 2, false, difference(8, clearSigns(8)))
		sumWide(v, "sumSquaredDiffs", "adds the squared differences of", 8, 2, false, difference(8, square))
		sumWide(v, "sum", "adds", 8, 1, false, asIs)
		sumWide(v, "sumAbs", "adds the absolute values of", 8, 1, false, clearSigns(8))
		sumWide(v, "nanSum", "adds those that are not NaN of", 8, 1, false, clearNaN(8))
		sumWide(v, "dot", "adds the products of", 8, 2, false, product(8))
		for _, size := range []int{4, 8} {
			sumWide(v, "sumSquares", "adds the squares of", size, 1, false, square)
			sumWide(v, "sumDeviations", "adds the squared differences from c of", size, 1, true, square)
		}
		sumHalf(v, "Float16", f16)
		sumHalf(v, "BFloat16", bf16)
		sumBytes(v)
		prod(v, 4, VMULPS)
		prod(v, 8, VMULPD)
		sumRowsTree(v)
		sumRows(v, "sum", "adds rows of", 8, false, asIs)
		for _, size := range []int{4, 8} {
			sumRows(v, "sumSquares", "adds the squares of rows of", size, false, square)
			sumRows(v, "sumDeviations", "adds the squared differences from c of rows of", size, true, square)
		}
	}
}

func square(_ isa, x []VecVirtual) VecVirtual {
	VMULPD(x[0], x[0], x[0])
	return x[0]
}

func squareSingle(_ isa, x []VecVirtual) VecVirtual {
	VMULPS(x[0], x[0], x[0])
	return x[0]
}

// difference is f of the difference of two inputs.
func difference(size int, f term) term {
	return func(v isa, x []VecVirtual) VecVirtual {
		if size == 4 {
			VSUBPS(x[1], x[0], x[0])
		} else {
			VSUBPD(x[1], x[0], x[0])
		}
		return f(v, x)
	}
}

var typeNames = map[int]string{4: "Float32", 8: "Float64"}

// sumTree emits a sum of float32 terms in float64. Groups of 64 terms are added by fours in float32 first: term j of
// 16 with those 16, 32 and 48 further. What is left after the groups is added to lane j in float64.
func sumTree(v isa, name, doc string, inputs int, f term) {
	name += "Float32" + v.suffix
	c := startFold(v, name, doc, 4, inputs, "")
	per := 16 * 4 / v.width // registers of 16 terms
	accs := v.vecs(2 * per)
	v.zeros(accs)
	c.while("groups", 64, func() {
		for _, in := range c.in { // memory is asked for two pages ahead: loads alone look less far
			for line := range 4 {
				PREFETCHT0(Mem{Base: in, Disp: 8192 + 64*line})
			}
		}
		for p := range per {
			var t [4]VecVirtual
			for q := range t {
				t[q] = f(v, c.load(q*per+p))
			}
			VADDPS(t[1], t[0], t[0])
			VADDPS(t[3], t[2], t[2])
			VADDPS(t[2], t[0], t[0])
			for i, w := range v.widen(t[0]) {
				VADDPD(w, accs[2*p+i], accs[2*p+i])
			}
		}
	})
	add := func(x []VecVirtual, p int) {
		for i, w := range v.widen(f(v, x)) {
			VADDPD(w, accs[2*p+i], accs[2*p+i])
		}
	}
	c.while("vectors", 16, func() {
		for p := range per {
			add(c.load(p), p)
		}
	})
	c.rest(per, v.width/4, func(p int, load func() []VecVirtual, _ func(VecVirtual)) { add(load(), p) })
	Store(v.horizontal(accs, 8, addPD).AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// sumHalf is sumTree for elements of a half type, whose number is a multiple of 16.
func sumHalf(v isa, suffix string, t elem) {
	c := startFold(v, "sum"+suffix+v.suffix, "adds n, a multiple of 16,", 2, 1, "")
	per := 16 * 4 / v.width // registers of 16 terms
	accs := v.vecs(2 * per)
	v.zeros(accs)
	load := func(u int) VecVirtual {
		x, m := v.vec(), Mem{Base: c.in[0], Disp: u * v.width / 2}
		if t == f16 {
			VCVTPH2PS(m, x)
			return x
		}
		VPMOVZXWD(m, x)
		VPSLLD(Imm(16), x, x)
		return x
	}
	add := func(x VecVirtual, p int) {
		for i, w := range v.widen(x) {
			VADDPD(w, accs[2*p+i], accs[2*p+i])
		}
	}
	c.while("groups", 64, func() {
		for line := range 2 {
			PREFETCHT0(Mem{Base: c.in[0], Disp: 8192 + 64*line})
		}
		for p := range per {
			var x [4]VecVirtual
			for q := range x {
				x[q] = load(q*per + p)
			}
			VADDPS(x[1], x[0], x[0])
			VADDPS(x[3], x[2], x[2])
			VADDPS(x[2], x[0], x[0])
			add(x[0], p)
		}
	})
	c.while("vectors", 16, func() {
		for p := range per {
			add(load(p), p)
		}
	})
	Store(v.horizontal(accs, 8, addPD).AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// sumWide emits a sum of float64 terms of elements of size bytes: term j goes to lane j modulo 32, in what is left
// after groups of 32 to lane j modulo 8. A parameter c is subtracted first.
func sumWide(v isa, name, doc string, size, inputs int, param bool, f term) {
	name += typeNames[size] + v.suffix
	extra := ""
	if param {
		extra = ", c float64"
	}
	c := startFold(v, name, doc, size, inputs, extra)
	var from VecVirtual
	if param {
		from = v.vec()
		p, _ := Param("c").Resolve()
		VBROADCASTSD(p.Addr, from)
	}
	per := v.width / 8 // elements of a register
	accs := v.vecs(32 / per)
	v.zeros(accs)
	load := func(u int) []VecVirtual {
		x := v.vecs(inputs)
		for i := range x {
			m := Mem{Base: c.in[i], Disp: u * per * size}
			if size == 4 {
				VCVTPS2PD(m, x[i])
			} else {
				VMOVUPD(m, x[i])
			}
		}
		return x
	}
	add := func(x []VecVirtual, acc VecVirtual, keep func(VecVirtual)) {
		if param {
			VSUBPD(from, x[0], x[0])
			if keep != nil {
				keep(x[0])
			}
		}
		VADDPD(f(v, x), acc, acc)
	}
	c.while("groups", 32, func() {
		for u := range accs {
			add(load(u), accs[u], nil)
		}
	})
	c.while("vectors", 8, func() {
		for u := range 8 / per {
			add(load(u), accs[u], nil)
		}
	})
	c.restWide(8/per, per, func(p int, load func() []VecVirtual, keep func(VecVirtual)) { add(load(), accs[p], keep) })
	Store(v.horizontal(accs, 8, addPD).AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// startFold begins a kernel of a run: func name(a, b, … *byte, n int) float64.
func startFold(v isa, name, doc string, size, inputs int, extra string) *cursor {
	params := "a *byte"
	if inputs == 2 {
		params = "a, b *byte"
	}
	TEXT(name, 4, "func("+params+", n int"+extra+") float64")
	Pragma("noescape")
	Doc(name + " " + doc + " elements.")
	c := &cursor{v: v, size: size}
	for i := range inputs {
		c.in = append(c.in, Load(Param(string(rune('a'+i))), GP64()))
	}
	c.n = Load(Param("n"), GP64())
	return c
}

// rest adds the elements that are left, fewer than groups registers of per elements. load gives the elements of part
// p, with zeros behind the last.
func (c *cursor) rest(groups, per int, add func(p int, load func() []VecVirtual, keep func(VecVirtual))) {
	c.restOf(groups, per, func(t tail) func() []VecVirtual {
		return func() []VecVirtual {
			x := c.v.vecs(len(c.in))
			for i := range x {
				t.load(Mem{Base: c.in[i]}, x[i])
			}
			return x
		}
	}, func() []VecVirtual { return c.load(0) }, add)
}

func (c *cursor) restOf(groups, per int, masked func(t tail) func() []VecVirtual, full func() []VecVirtual,
	add func(p int, load func() []VecVirtual, keep func(VecVirtual))) {
	end := "rest_done"
	for p := range groups {
		TESTQ(c.n, c.n)
		JZ(LabelRef(end))
		next := "rest" + string(rune('0'+p))
		if p < groups-1 {
			CMPQ(c.n, U32(uint32(per)))
			JGE(LabelRef(next))
		}
		t := c.v.newTail(c.n, c.size)
		add(p, masked(t), t.keep64)
		JMP(LabelRef(end))
		if p < groups-1 {
			Label(next)
			add(p, full, nil)
			c.advance(per)
		}
	}
	Label(end)
}

// restWide is rest for elements that are widened to float64.
func (c *cursor) restWide(groups, per int, add func(p int, load func() []VecVirtual, keep func(VecVirtual))) {
	widened := func(get func(i int, x VecVirtual)) []VecVirtual {
		x := c.v.vecs(len(c.in))
		for i := range x {
			get(i, x[i])
		}
		return x
	}
	c.restOf(groups, per, func(t tail) func() []VecVirtual {
		return func() []VecVirtual {
			return widened(func(i int, x VecVirtual) {
				m := Mem{Base: c.in[i]}
				if c.size == 8 {
					t.load(m, x)
					return
				}
				t.loadWide(m, x)
			})
		}
	}, func() []VecVirtual {
		return widened(func(i int, x VecVirtual) {
			m := Mem{Base: c.in[i]}
			if c.size == 8 {
				VMOVUPD(m, x)
				return
			}
			VCVTPS2PD(m, x)
		})
	}, add)
}

// loadWide reads float32 elements of the tail as float64.
func (t tail) loadWide(src Mem, dst VecVirtual) {
	if t.v.avx512 {
		VMOVUPS_Z(src, t.k, dst.AsY())
		VCVTPS2PD(dst.AsY(), dst)
		return
	}
	VMASKMOVPS(src, t.m.AsX(), dst.AsX())
	VCVTPS2PD(dst.AsX(), dst)
}

// keep64 clears the float64 elements behind the tail.
func (t tail) keep64(x VecVirtual) {
	switch {
	case t.v.avx512:
		VMOVAPD_Z(x, t.k, x)
	case t.size == 8:
		VANDPD(t.m, x, x)
	default:
		m := t.v.vec()
		VPMOVSXDQ(t.m.AsX(), m)
		VANDPD(m, x, x)
	}
}

// prod emits the product of a run: element j goes to lane j modulo 4 AVX-512 vectors.
func prod(v isa, size int, mul func(ops ...Op)) {
	name := "prod" + typeNames[size] + v.suffix
	TEXT(name, 4, "func(a *byte, n int) "+map[int]string{4: "float32", 8: "float64"}[size])
	Pragma("noescape")
	Doc(name + " multiplies elements; n is a multiple of 64 for float32, of 32 for float64, and not 0.")
	c := &cursor{v: v, size: size, in: []Register{Load(Param("a"), GP64())}, n: Load(Param("n"), GP64())}
	count := 256 / size
	accs := v.vecs(256 / v.width)
	for u, a := range accs {
		VMOVUPS(Mem{Base: c.in[0], Disp: u * v.width}, a)
	}
	c.advance(count)
	c.while("groups", count, func() {
		for u, a := range accs {
			mul(Mem{Base: c.in[0], Disp: u * v.width}, a, a)
		}
	})
	p := v.horizontal(accs, size, func(x, acc VecVirtual) { mul(x, acc, acc) })
	Store(p.AsX(), ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// sumBytes emits the sum of bytes.
func sumBytes(v isa) {
	name := "sumBytes" + v.suffix
	TEXT(name, 4, "func(a *byte, n int) int")
	Pragma("noescape")
	Doc(name + " adds bytes; n is a multiple of 64.")
	c := &cursor{v: v, size: 1, in: []Register{Load(Param("a"), GP64())}, n: Load(Param("n"), GP64())}
	accs := v.vecs(64 / v.width)
	zero := v.vec()
	v.zeros(accs)
	v.zeros([]VecVirtual{zero})
	c.while("groups", 64, func() {
		for u, acc := range accs {
			t := v.vec()
			VPSADBW(Mem{Base: c.in[0], Disp: u * v.width}, zero, t)
			VPADDQ(t, acc, acc)
		}
	})
	total := v.horizontal(accs, 8, func(x, acc VecVirtual) { VPADDQ(x, acc, acc) })
	r := GP64()
	VMOVQ(total.AsX(), r)
	Store(r, ReturnIndex(0))
	VZEROUPPER()
	RET()
}

// group is a number of rows that are folded at once while at least from are left.
type group struct{ rows, from int }

// rowWalk emits func name(acc, x *byte, stride, rows, n int), which walks rows of n elements of size bytes, stride
// bytes apart: as many at a time as the groups say, from left to right. step folds one vector of each row of a group:
// load reads it, a is the address of its place in acc, whose elements have wide bytes and fill whole vectors; more are
// those in other rows like acc, whose parameters are others. after is called when a group is done.
func rowWalk(v isa, name, doc, extra string, size, wide int, groups []group, others []string,
	setup func(), step func(rows int, load func(row int) VecVirtual, a Register, more []Register), after func()) {
	TEXT(name, 4, "func(acc, x *byte, stride, rows, n int"+extra+")")
	Pragma("noescape")
	Doc(name + " " + doc)
	acc, x := Load(Param("acc"), GP64()), Load(Param("x"), GP64())
	stride, rows := Load(Param("stride"), GP64()), Load(Param("rows"), GP64())
	per := v.width / size
	left := GP64()
	n := Load(Param("n"), GP64())
	MOVQ(n, left)
	ANDQ(U32(uint32(per-1)), left)
	t := v.newTail(left, size)
	if setup != nil {
		setup()
	}
	for _, group := range groups {
		g := group.rows
		label := "rows" + string(rune('0'+g))
		Label(label)
		CMPQ(rows, U32(uint32(group.from)))
		JL(LabelRef(label + "_done"))
		// pointers to every fourth row, and the distance to the last of the four
		p, a, k := make([]Register, (g+3)/4), GP64(), GP64()
		var third Register
		if g >= 4 {
			third = GP64()
			LEAQ(Mem{Base: stride, Index: stride, Scale: 2}, third)
		}
		for i := range p {
			p[i] = GP64()
			MOVQ(x, p[i])
			if rest := g - 4*i; rest >= 4 {
				LEAQ(Mem{Base: x, Index: stride, Scale: 4}, x)
			} else {
				for range rest {
					ADDQ(stride, x)
				}
			}
		}
		at := func(row int) Mem {
			m := Mem{Base: p[row/4]}
			switch row % 4 {
			case 1, 2:
				m.Index, m.Scale = stride, uint8(row%4)
			case 3:
				m.Index, m.Scale = third, 1
			}
			return m
		}
		MOVQ(acc, a)
		more := make([]Register, len(others))
		for i, o := range others {
			more[i] = Load(Param(o), GP64())
		}
		MOVQ(n, k)
		Label(label + "_vectors")
		CMPQ(k, U32(uint32(per)))
		JL(LabelRef(label + "_tail"))
		step(g, func(row int) VecVirtual {
			r := v.vec()
			VMOVUPS(at(row), r)
			return r
		}, a, more)
		for _, q := range p {
			ADDQ(U32(uint32(v.width)), q)
		}
		for _, q := range append([]Register{a}, more...) {
			ADDQ(U32(uint32(v.width*wide/size)), q)
		}
		SUBQ(U32(uint32(per)), k)
		JMP(LabelRef(label + "_vectors"))
		Label(label + "_tail")
		TESTQ(k, k)
		JZ(LabelRef(label + "_next"))
		step(g, func(row int) VecVirtual {
			r := v.vec()
			t.load(at(row), r)
			return r
		}, a, more)
		Label(label + "_next")
		SUBQ(U32(uint32(g)), rows)
		if after != nil {
			after()
		}
		JMP(LabelRef(label))
		Label(label + "_done")
	}
	VZEROUPPER()
	RET()
}

// sumRowsTree emits the sum of rows of float32 in float64: eight or four rows are added in float32 first.
func sumRowsTree(v isa) {
	groups := []group{{8, 32}, {4, 16}, {1, 1}}
	rowWalk(v, "sumRowsFloat32"+v.suffix, "adds rows of float32 to acc.", "", 4, 8, groups, nil, nil,
		func(rows int, load func(row int) VecVirtual, a Register, _ []Register) {
			four := func(row int) VecVirtual {
				t, u := load(row), load(row+1)
				VADDPS(u, t, t)
				w, z := load(row+2), load(row+3)
				VADDPS(z, w, w)
				VADDPS(w, t, t)
				return t
			}
			var t VecVirtual
			switch rows {
			case 8:
				t = four(0)
				VADDPS(four(4), t, t)
			case 4:
				t = four(0)
			default:
				t = load(0)
			}
			for i, w := range v.widen(t) {
				m := Mem{Base: a, Disp: i * v.width}
				VADDPD(m, w, w)
				VMOVUPD(w, m)
			}
		}, nil)
}

// sumRows emits the sum of rows in float64, row by row. A parameter c is a row of float64 that is subtracted first.
func sumRows(v isa, name, doc string, size int, param bool, f term) {
	name += "Rows" + typeNames[size] + v.suffix
	extra, others := "", []string(nil)
	if param {
		extra, others = ", c *byte", []string{"c"}
	}
	rowWalk(v, name, doc+" elements to acc.", extra, size, 8, []group{{1, 1}}, others, nil, func(_ int, load func(row int) VecVirtual, a Register, more []Register) {
		x := []VecVirtual{load(0)}
		if size == 4 {
			x = v.widen(x[0])
		}
		for i, w := range x {
			m := Mem{Base: a, Disp: i * v.width}
			if param {
				VSUBPD(Mem{Base: more[0], Disp: i * v.width}, w, w)
			}
			w = f(v, []VecVirtual{w})
			VADDPD(m, w, w)
			VMOVUPD(w, m)
		}
	}, nil)
}
