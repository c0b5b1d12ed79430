package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func init() { families["divide"] = divide }

// divide emits divisions that round and their remainders. All are exact, so that they are the same to the bit as the
// Go forms.
func divide() {
	for _, t := range floatElems {
		add := func(name string, body exprFunc) {
			kernels(spec{name: name + " " + t.name, in: same(t, 2), out: t, lane: t, unroll: 1, body: body})
		}
		add("fmod", two(floatMod))
		add("remainder", two(func(e *expr, a, b *node) *node {
			m := floatMod(e, a, b)
			return e.sel(otherSign(e, m, b), e.add(m, b), m)
		}))
		add("floor_divide", two(floorDivide))
		add("div_trunc", two(func(e *expr, a, b *node) *node { return e.round(e.div(a, b), towardZero) }))
	}
	for _, t := range integers {
		integerDivision(t)
	}
}

// floatMod is the remainder of a/b with the sign of a.
//
// Where the quotient is below 2^24 or 2^53, the remainder of the truncated quotient is a multiple of b's last place
// that is not greater than b, so that one fused operation computes it exactly. The quotient may have been rounded up
// to a whole number, which leaves one b too little.
func floatMod(e *expr, a, b *node) *node {
	r, q := e.reduceQuotient(a, b)
	m := e.fnma(e.round(q, towardZero), b, r)
	short := e.cmp(lt, e.xor(m, e.and(a, e.signBit())), e.c(0))
	m = e.sel(short, e.add(m, e.copysign(b, a)), m)
	return e.sel(e.cmp(lt, e.abs(a), e.abs(b)), a, e.copysign(m, a))
}

// otherSign holds where m is not zero and its sign is not b's.
func otherSign(e *expr, m, b *node) *node {
	return e.cmp(lt, e.xor(m, e.and(b, e.signBit())), e.c(0))
}

// floorDivide rounds a/b down as Python does: the exact remainder decides, not the rounded quotient.
func floorDivide(e *expr, a, b *node) *node {
	m := floatMod(e, a, b)
	q := e.div(e.sub(a, m), b)
	q = e.sel(otherSign(e, m, b), e.sub(q, e.c(1)), q)
	f := e.round(q, down)
	f = e.sel(e.cmp(gt, e.sub(q, f), e.c(0.5)), e.add(f, e.c(1)), f)
	plain := e.div(a, b)
	f = e.sel(e.cmp(eq, q, e.c(0)), e.and(plain, e.signBit()), f)
	return e.sel(e.cmp(eq, b, e.c(0)), plain, f)
}

// reduceQuotient takes multiples of b from a until the quotient q of the rest r has all its digits. Each step is
// exact: what a rounded quotient of that size leaves of a has few enough bits. A quotient that overflows ends the
// kernel.
func (e *expr) reduceQuotient(a, b *node) (r, q *node) {
	limit, inf := 0x1p24, e.c(math.Inf(1))
	if e.lane == f64 {
		limit = 0x1p53
	}
	least := e.c(limit)
	q = e.div(a, b)
	size := e.abs(q)
	finite := e.cmp(lt, e.abs(a), inf)
	divisor := e.cmp(gt, e.abs(b), e.c(0))
	e.bail(e.mand(e.mand(finite, divisor), e.cmp(eq, size, inf)))
	big := e.mand(e.mand(finite, divisor), e.cmp(ge, size, least))
	sign := e.inReg(e.signBit())
	least = e.inReg(least)
	temp := e.node(func(*node) {})
	div := e.by(VDIVPS, VDIVPD)
	r = e.node(func(n *node) {
		e.io.labels++
		again, done := fmt.Sprintf("reduce_%d", e.io.labels), fmt.Sprintf("reduced_%d", e.io.labels)
		VMOVUPS(a.reg, n.reg)
		Label(again)
		if e.v.avx512 {
			KORTESTQ(big.reg, big.reg)
			JZ(LabelRef(done))
			e.by(VFNMADD231PS, VFNMADD231PD)(b.reg, q.reg, big.reg, n.reg)
			div(b.reg, n.reg, q.reg)
			VPANDNQ(q.reg, sign.reg, temp.reg)
			e.by(VCMPPS, VCMPPD)(Imm(ge), least.reg, temp.reg, big.reg, big.reg)
		} else {
			VPTEST(big.reg, big.reg)
			JZ(LabelRef(done))
			VPAND(q.reg, big.reg, temp.reg)
			e.by(VFNMADD231PS, VFNMADD231PD)(b.reg, temp.reg, n.reg)
			div(b.reg, n.reg, q.reg)
			VPANDN(q.reg, sign.reg, temp.reg)
			e.by(VCMPPS, VCMPPD)(Imm(ge), least.reg, temp.reg, temp.reg)
			VPAND(temp.reg, big.reg, big.reg)
		}
		JMP(LabelRef(again))
		Label(done)
	}, a, b, q, big, sign, least, temp)
	r.early = true
	return r, q
}

// integerDivision emits the divisions of integers of t; where b is 0, so is the result. Integers up to 16 bits are
// divided as float32 and those of 32 bits as float64: the digits suffice for the quotient not to be rounded to a
// greater whole number.
func integerDivision(t elem) {
	if t.size == 8 {
		longDivision()
		return
	}
	lane := f32
	if t.size == 4 {
		lane = f64
	}
	add := func(name string, f func(e *expr, a, b *node) *node) {
		kernels(spec{name: name + " " + t.name, in: same(t, 2), out: t, lane: lane, unroll: 1, body: two(func(e *expr, a, b *node) *node {
			y := e.where(e.cmp(ne, b, e.c(0)), f(e, a, b))
			if t.size < 4 {
				y = e.op1(VCVTTPS2DQ, y)
			}
			return y
		})})
	}
	quotient := func(mode uint64) func(e *expr, a, b *node) *node {
		return func(e *expr, a, b *node) *node { return e.round(e.div(a, b), mode) }
	}
	rest := func(mode uint64) func(e *expr, a, b *node) *node {
		return func(e *expr, a, b *node) *node { return e.fnma(quotient(mode)(e, a, b), b, a) }
	}
	add("div_trunc", quotient(towardZero))
	add("floor_divide", quotient(down))
	add("fmod", rest(towardZero))
	add("remainder", rest(down))
}

// longDivision emits the divisions of int64, with AVX-512 alone. A quotient of floating point numbers leaves a rest
// that is at most 2^12 greater than b; a second one divides it; then it is off by one b at most.
func longDivision() {
	divided := func(e *expr, a, b *node) (q, r *node) {
		float := func(x *node) *node { return e.op1(VCVTQQ2PD, x) }
		mul := func(x, y *node) *node { return e.op2(VPMULLQ, x, y) }
		fb := float(b)
		step := func(x *node) *node { return e.op1(VCVTTPD2QQ, e.op2(VDIVPD, float(x), fb)) }
		q = step(a)
		r = e.isub(a, mul(q, b))
		more := step(r)
		return e.iadd(q, more), e.isub(r, mul(more, b))
	}
	zero := func(e *expr) *node { return e.bits(0) }
	differ := func(e *expr, r, s *node) *node { // r is not zero and has another sign than s
		return e.mand(e.icmp(lt, e.xor(r, s), zero(e)), e.icmp(ne, r, zero(e)))
	}
	add := func(name string, f func(e *expr, a, b *node) *node) {
		kernels(spec{name: name + " int64", in: same(i64, 2), out: i64, lane: i64, unroll: 1, only: 512,
			body: two(func(e *expr, a, b *node) *node { return e.where(e.icmp(ne, b, zero(e)), f(e, a, b)) })})
	}
	// away is 1 or -1, by which a quotient whose rest has another sign than a is too great in size.
	away := func(e *expr, a, b *node) *node {
		return e.or(e.op2(VPSRAVQ, e.xor(a, b), e.bits(63)), e.bits(1))
	}
	add("div_trunc", func(e *expr, a, b *node) *node {
		q, r := divided(e, a, b)
		return e.sel(differ(e, r, a), e.isub(q, away(e, a, b)), q)
	})
	add("fmod", func(e *expr, a, b *node) *node {
		_, r := divided(e, a, b)
		step := e.op2(VPMULLQ, away(e, a, b), b)
		return e.sel(differ(e, r, a), e.iadd(r, step), r)
	})
	add("floor_divide", func(e *expr, a, b *node) *node {
		q, r := divided(e, a, b)
		return e.sel(differ(e, r, b), e.isub(q, e.bits(1)), q)
	})
	add("remainder", func(e *expr, a, b *node) *node {
		_, r := divided(e, a, b)
		return e.sel(differ(e, r, b), e.iadd(r, b), r)
	})
}
