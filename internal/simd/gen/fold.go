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
