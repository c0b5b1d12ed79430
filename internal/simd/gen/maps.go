package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// runMap is a kernel of float32 runs that computes a result from some inputs and parameters, and adds terms up in
// float64:
//
//	func name(dst, a, b, … *byte, n int, p, q, … float32) (s, t float64)
//
// dst is there if store is set; there are as many results as sums.
type runMap struct {
	name, doc    string
	inputs       int
	params       string // p, q, … as far as there are
	store        bool
	sums, unroll int
	// body computes vectors: x[i][u] is vector u of input i, p are the parameters. It returns the results, and for each
	// sum the terms, which may be the same registers.
	body func(v isa, x [][]VecVirtual, p []VecVirtual) (out []VecVirtual, terms [][]VecVirtual)
}

// emit writes the kernel. Terms of unroll vectors are added in float32, those sums in float64.
func (m runMap) emit(v isa) {
	sig := ""
	if m.store {
		sig = "dst"
	}
	for i := range m.inputs {
		if sig != "" {
			sig += ", "
		}
		sig += string(rune('a' + i))
	}
	sig = "func(" + sig + " *byte, n int"
	for i, p := range m.params {
		sep := ", "
		if i > 0 {
			sep = ", "
		}
		sig += sep + string(p)
	}
	if m.params != "" {
		sig += " float32"
	}
	sig += ")"
	if m.sums == 1 {
		sig += " (s float64)"
	} else if m.sums == 2 {
		sig += " (s, t float64)"
	}
	TEXT(m.name+v.suffix, 4, sig)
	Pragma("noescape")
	Doc(m.name + v.suffix + " " + m.doc)
	c := &cursor{v: v, size: 4}
	var dst Register
	if m.store {
		dst = Load(Param("dst"), GP64())
	}
	for i := range m.inputs {
		c.in = append(c.in, Load(Param(string(rune('a'+i))), GP64()))
	}
	inputs := c.in
	if m.store {
		c.in = append([]Register{dst}, c.in...)
	}
	c.n = Load(Param("n"), GP64())
	ps := v.vecs(len(m.params))
	for i, p := range m.params {
		a, _ := Param(string(p)).Resolve()
		VBROADCASTSS(a.Addr, ps[i])
	}
	sums := make([][]VecVirtual, m.sums)
	for i := range sums {
		sums[i] = v.vecs(2)
		v.zeros(sums[i])
	}
	step := func(unroll int, t *tail) {
		x := make([][]VecVirtual, m.inputs)
		for i := range x {
			x[i] = v.vecs(unroll)
			for u, r := range x[i] {
				src := Mem{Base: inputs[i], Disp: u * v.width}
				if t != nil {
					t.load(src, r)
				} else {
					VMOVUPS(src, r)
				}
			}
		}
		out, terms := m.body(v, x, ps)
		if m.store {
			for u, r := range out {
				to := Mem{Base: dst, Disp: u * v.width}
				if t != nil {
					t.store(r, to)
				} else {
					VMOVUPS(r, to)
				}
			}
		}
		for i, ts := range terms {
			if t != nil {
				t.keep32(ts[0])
			}
			for n := len(ts); n > 1; n /= 2 {
				for u := range n / 2 {
					VADDPS(ts[u+n/2], ts[u], ts[u])
				}
			}
			for j, w := range v.widen(ts[0]) {
				VADDPD(w, sums[i][j], sums[i][j])
			}
		}
	}
	if m.unroll > 1 {
		c.while("blocks", m.unroll*v.width/4, func() { step(m.unroll, nil) })
	}
	c.while("vectors", v.width/4, func() { step(1, nil) })
	TESTQ(c.n, c.n)
	JZ(LabelRef("done"))
	t := v.newTail(c.n, 4)
	step(1, &t)
	Label("done")
	for i, s := range sums {
		total := v.horizontal(s, 8, addPD)
		Store(total.AsX(), Return([]string{"s", "t"}[i]))
	}
	VZEROUPPER()
	RET()
}

// keep32 clears the float32 elements behind the tail.
func (t tail) keep32(x VecVirtual) {
	if t.v.avx512 {
		VMOVAPS_Z(x, t.k, x)
		return
	}
	VANDPS(t.m, x, x)
}

// table is a table of 32-bit constants by name, each repeated for a whole vector.
func (v isa) constant(bits uint32) Mem {
	key := fmt.Sprintf("row%d_%08x", v.width, bits)
	if m, ok := constantRows[key]; ok {
		return m
	}
	m := GLOBL(key, 8|16)
	for i := range v.width / 4 {
		DATA(4*i, U32(bits))
	}
	constantRows[key] = m
	return m
}

var constantRows = map[string]Mem{}
