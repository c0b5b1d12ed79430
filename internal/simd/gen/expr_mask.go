package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// Comparisons result in masks: mask registers with AVX-512, vectors of ones and zeros with AVX2.

// Predicates of cmp, as the instructions number them.
const (
	eq  = 0
	lt  = 1
	le  = 2
	ne  = 4
	nge = 9  // not greater or equal: less or unordered
	ngt = 10 // not greater: less, equal or unordered
	ge  = 13
	gt  = 14
	uno = 3 // unordered: either is NaN
	ord = 7
)

func (e *expr) maskNode(emit func(n *node), args ...*node) *node {
	n := e.node(emit, args...)
	n.mask = true
	return n
}

// cmp compares floating point numbers.
func (e *expr) cmp(pred uint64, x, y *node) *node {
	x = e.inReg(x)
	f := e.by(VCMPPS, VCMPPD)
	return e.maskNode(func(n *node) { f(Imm(pred), y.reg, x.reg, n.reg) }, x, y)
}

// icmp compares integers of the lanes' size, signed or not as the lanes are: eq, ne, lt, le, gt or ge.
func (e *expr) icmp(pred uint64, x, y *node) *node {
	x = e.inReg(x)
	if e.v.avx512 {
		f := e.bySize(VPCMPB, VPCMPW, VPCMPD, VPCMPQ)
		if !e.lane.signed {
			f = e.bySize(VPCMPUB, VPCMPUW, VPCMPUD, VPCMPUQ)
		}
		code := map[uint64]uint64{eq: 0, lt: 1, le: 2, ne: 4, ge: 5, gt: 6}[pred]
		return e.maskNode(func(n *node) { f(Imm(code), y.reg, x.reg, n.reg) }, x, y)
	}
	equal := e.bySize(VPCMPEQB, VPCMPEQW, VPCMPEQD, VPCMPEQQ)
	greater := e.bySize(VPCMPGTB, VPCMPGTW, VPCMPGTD, VPCMPGTQ)
	if !e.lane.signed && pred != eq && pred != ne {
		x, y = e.xor(x, e.signBit()), e.xor(y, e.signBit())
	}
	m := func(f func(...Op), a, b *node) *node {
		a = e.inReg(a)
		return e.maskNode(func(n *node) { f(b.reg, a.reg, n.reg) }, a, b)
	}
	switch pred {
	case eq:
		return m(equal, x, y)
	case ne:
		return e.mnot(m(equal, x, y))
	case gt:
		return m(greater, x, y)
	case lt:
		return m(greater, y, x)
	case le:
		return e.mnot(m(greater, x, y))
	}
	return e.mnot(m(greater, y, x))
}

// ones is the constant of all bits.
func (e *expr) ones() *node { return e.bits(1<<(8*e.lane.size) - 1) }

func (e *expr) mask2(k func(a, b, c Op), v func(a, b, c Op), x, y *node) *node {
	if e.v.avx512 {
		return e.maskNode(func(n *node) { k(y.reg, x.reg, n.reg) }, x, y)
	}
	return e.maskNode(func(n *node) { v(y.reg, x.reg, n.reg) }, x, y)
}

func (e *expr) mand(x, y *node) *node { return e.mask2(KANDQ, VPAND, x, y) }
func (e *expr) mor(x, y *node) *node  { return e.mask2(KORQ, VPOR, x, y) }
func (e *expr) mxor(x, y *node) *node { return e.mask2(KXORQ, VPXOR, x, y) }

func (e *expr) mnot(x *node) *node {
	if e.v.avx512 {
		return e.maskNode(func(n *node) { KNOTQ(x.reg, n.reg) }, x)
	}
	one := e.ones()
	return e.maskNode(func(n *node) { VPXOR(one.reg, x.reg, n.reg) }, x, one)
}

// sel is x where m holds, y elsewhere.
func (e *expr) sel(m, x, y *node) *node {
	y = e.inReg(y)
	if e.v.avx512 {
		f := e.bySize(VPBLENDMB, VPBLENDMW, VPBLENDMD, VPBLENDMQ)
		return e.node(func(n *node) { f(x.reg, y.reg, m.reg, n.reg) }, m, x, y)
	}
	return e.node(func(n *node) {
		if e.lane.float {
			if e.lane.size == 4 {
				VBLENDVPS(m.reg, x.reg, y.reg, n.reg)
			} else {
				VBLENDVPD(m.reg, x.reg, y.reg, n.reg)
			}
			return
		}
		VPBLENDVB(m.reg, x.reg, y.reg, n.reg)
	}, m, x, y)
}

// where is x where m holds, zero elsewhere.
func (e *expr) where(m, x *node) *node {
	if !e.v.avx512 {
		return e.node(func(n *node) { VPAND(x.reg, m.reg, n.reg) }, m, x)
	}
	x = e.inReg(x)
	f := map[int]func(a, b, c Op){1: VMOVDQU8_Z, 2: VMOVDQU16_Z, 4: VMOVDQU32_Z, 8: VMOVDQU64_Z}[e.lane.size]
	return e.node(func(n *node) { f(x.reg, m.reg, n.reg) }, m, x)
}

// when is x, but what f makes where m holds. The code of f is skipped where m holds for no lane.
func (e *expr) when(m, x *node, f func() *node) *node {
	var skip string
	begin := e.node(func(n *node) {
		if n.reg != x.reg {
			VMOVUPS(x.reg, n.reg)
		}
		if e.v.avx512 {
			KORTESTQ(m.reg, m.reg)
		} else {
			VPTEST(m.reg, m.reg)
		}
		e.io.labels++
		skip = fmt.Sprintf("skip_%d", e.io.labels)
		JZ(LabelRef(skip))
	}, x, m)
	end := e.sel(m, e.inReg(f()), begin)
	blend := end.emit
	end.args = append([]*node{begin}, end.args...) // its register is the one that the skipped code leaves alone
	end.emit = func(n *node) {
		if n.reg != begin.reg {
			panic("expr: the value to keep was moved")
		}
		blend(n)
		Label(skip)
	}
	return end
}
