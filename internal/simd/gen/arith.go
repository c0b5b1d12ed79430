package main

import (
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func init() { families["arith"] = arith }

var (
	floatElems = []elem{f32, f64}
	integers   = []elem{i8, u8, i16, i32, i64}
)

type exprFunc func(e *expr, x []*node) *node

// two makes the body of a function of two vectors.
func two(f func(e *expr, x, y *node) *node) exprFunc {
	return func(e *expr, x []*node) *node { return f(e, x[0], x[1]) }
}

// one makes the body of a function of one vector.
func one(f func(e *expr, x *node) *node) exprFunc {
	return func(e *expr, x []*node) *node { return f(e, x[0]) }
}

// same are n inputs of t.
func same(t elem, n int) []elem {
	in := make([]elem, n)
	for i := range in {
		in[i] = t
	}
	return in
}

// arith emits arithmetic that is exact: the same to the bit as the Go forms.
func arith() {
	for _, t := range floatElems {
		for _, s := range []struct {
			name string
			n    int
			body exprFunc
		}{
			{"add", 2, two((*expr).add)},
			{"sub", 2, two((*expr).sub)},
			{"mul", 2, two((*expr).mul)},
			{"div", 2, two((*expr).div)},
			{"maximum", 2, two(maximum)},
			{"minimum", 2, two(minimum)},
			{"fmax", 2, two(func(e *expr, x, y *node) *node { return e.sel(e.cmp(uno, x, x), y, e.max(y, x)) })},
			{"fmin", 2, two(func(e *expr, x, y *node) *node { return e.sel(e.cmp(uno, x, x), y, e.min(y, x)) })},
			{"copysign", 2, two((*expr).copysign)},
			{"heaviside", 2, two(func(e *expr, x, y *node) *node {
				return e.sel(e.cmp(eq, x, e.c(0)), y, e.where(e.cmp(gt, x, e.c(0)), e.c(1)))
			})},
			{"nextafter", 2, two(nextafter)},
			{"prelu", 2, two(func(e *expr, x, slope *node) *node { return e.sel(e.cmp(gt, x, e.c(0)), x, e.mul(x, slope)) })},
			{"clamp_between", 3, func(e *expr, x []*node) *node { return minimum(e, maximum(e, x[0], x[1]), x[2]) }},
			{"angle", 1, one(func(e *expr, x *node) *node {
				return e.sel(e.cmp(lt, x, e.c(0)), e.c(math.Pi), e.sel(e.cmp(uno, x, x), x, e.c(0)))
			})},
			{"add_scaled", 2, two(func(e *expr, x, y *node) *node { return e.add(x, e.mul(y, e.param(0))) })},
			{"sub_scaled", 2, two(func(e *expr, x, y *node) *node { return e.sub(x, e.mul(y, e.param(0))) })},
			{"addcmul", 3, func(e *expr, x []*node) *node { return e.add(x[0], e.mul(e.mul(e.param(0), x[1]), x[2])) }},
			{"addcdiv", 3, func(e *expr, x []*node) *node { return e.add(x[0], e.div(e.mul(e.param(0), x[1]), x[2])) }},
			{"lerp", 3, lerp},
			{"neg", 1, one((*expr).neg)},
			{"abs", 1, one((*expr).abs)},
			{"sqrt", 1, one((*expr).sqrt)},
			{"reciprocal", 1, one(func(e *expr, x *node) *node { return e.div(e.c(1), x) })},
			{"rsqrt", 1, one(func(e *expr, x *node) *node { return e.div(e.c(1), e.sqrt(x)) })},
			{"square", 1, one(func(e *expr, x *node) *node { return e.mul(x, x) })},
			{"cube", 1, one(func(e *expr, x *node) *node { return e.mul(e.mul(x, x), x) })},
			{"floor", 1, one(func(e *expr, x *node) *node { return e.round(x, down) })},
			{"ceil", 1, one(func(e *expr, x *node) *node { return e.round(x, up) })},
			{"trunc", 1, one(func(e *expr, x *node) *node { return e.round(x, towardZero) })},
			{"round", 1, one(func(e *expr, x *node) *node { return e.round(x, nearest) })},
			{"frac", 1, one(func(e *expr, x *node) *node { return e.sub(x, e.round(x, towardZero)) })},
			{"scale", 1, one(func(e *expr, x *node) *node { return e.mul(x, e.param(0)) })},
			{"add_value", 1, one(func(e *expr, x *node) *node { return e.add(x, e.param(0)) })},
			{"sub_value", 1, one(func(e *expr, x *node) *node { return e.sub(x, e.param(0)) })},
			{"value_sub", 1, one(func(e *expr, x *node) *node { return e.sub(e.param(0), x) })},
			{"div_value", 1, one(func(e *expr, x *node) *node { return e.div(x, e.param(0)) })},
			{"value_div", 1, one(func(e *expr, x *node) *node { return e.div(e.param(0), x) })},
			{"sign", 1, one(func(e *expr, x *node) *node {
				o := e.or(e.and(x, e.signBit()), e.c(1))
				return e.where(e.cmp(12, x, e.c(0)), o) // 12: ordered and not equal
			})},
			{"relu", 1, one(func(e *expr, x *node) *node { return e.max(e.c(0), x) })},
			{"leaky_relu", 1, one(func(e *expr, x *node) *node {
				return e.sel(e.cmp(gt, x, e.c(0)), x, e.mul(x, e.param(0)))
			})},
			{"threshold", 1, one(func(e *expr, x *node) *node { return e.sel(e.cmp(le, x, e.param(0)), e.param(1), x) })},
			{"clamp", 1, one(func(e *expr, x *node) *node { return e.min(e.param(1), e.max(e.param(0), x)) })},
			{"nan_to_num", 1, one(func(e *expr, x *node) *node {
				inf := e.bits(map[int]uint64{4: 0x7f800000, 8: 0x7ff0000000000000}[t.size])
				y := e.sel(e.cmp(eq, x, inf), e.param(1), x)
				y = e.sel(e.cmp(eq, e.neg(x), inf), e.param(2), y)
				return e.sel(e.cmp(uno, x, x), e.param(0), y)
			})},
			{"hardshrink", 1, one(func(e *expr, x *node) *node {
				l := e.param(0)
				return e.sel(e.mand(e.cmp(ge, x, e.neg(l)), e.cmp(le, x, l)), e.c(0), x)
			})},
			{"softshrink", 1, one(func(e *expr, x *node) *node {
				l := e.param(0)
				mid := e.sel(e.cmp(lt, x, e.neg(l)), e.add(x, l), e.mul(x, e.c(0)))
				return e.sel(e.cmp(gt, x, l), e.sub(x, l), mid)
			})},
			{"hardsigmoid", 1, one(func(e *expr, x *node) *node { return e.div(relu6(e, x), e.c(6)) })},
			{"hardswish", 1, one(func(e *expr, x *node) *node { return e.div(e.mul(x, relu6(e, x)), e.c(6)) })},
		} {
			unroll := 2
			if s.n == 1 {
				unroll = 4
			}
			kernels(spec{name: s.name + " " + t.name, in: same(t, s.n), out: t, lane: t, unroll: unroll, body: s.body})
			if t == f32 && slices.Contains(forHalves, s.name) {
				forHalf(s.name, s.n, s.body)
			}
		}
	}
	for _, t := range integers {
		integerArith(t)
	}
	bitwise()
	halfSigns()
	for _, t := range []elem{i8, i16, i32, i64} {
		kernels(spec{name: "fill " + t.name, out: t, lane: t, unroll: 4, body: func(e *expr, _ []*node) *node { return e.param(0) }})
	}
}

// maximum is NaN where either is, and x where both are zero.
func maximum(e *expr, x, y *node) *node { return e.sel(e.cmp(uno, y, y), y, e.max(y, x)) }

func minimum(e *expr, x, y *node) *node { return e.sel(e.cmp(uno, y, y), y, e.min(y, x)) }

// relu6 is x+3 between 0 and 6.
func relu6(e *expr, x *node) *node { return e.min(e.c(6), e.max(e.c(0), e.add(x, e.c(3)))) }

// nextafter is the number after x towards y: the bits as an integer count the numbers of a sign.
func nextafter(e *expr, x, y *node) *node {
	away := e.mxor(e.cmp(gt, y, x), e.cmp(gt, e.c(0), x))
	next := e.iadd(x, e.sel(away, e.bits(1), e.ones()))
	next = e.sel(e.cmp(eq, x, e.c(0)), e.or(e.and(y, e.signBit()), e.bits(1)), next)
	next = e.sel(e.cmp(eq, x, y), y, next)
	return e.sel(e.cmp(uno, x, y), e.add(x, y), next)
}

// lerp goes from the nearer end, so that a weight of 1 results in the end itself.
func lerp(e *expr, x []*node) *node {
	a, b, w := x[0], x[1], x[2]
	d := e.sub(b, a)
	near := e.add(a, e.mul(w, d))
	far := e.sub(b, e.mul(d, e.sub(e.c(1), w)))
	return e.sel(e.cmp(lt, e.abs(w), e.c(0.5)), near, far)
}

// integerArith emits what integers of t have.
func integerArith(t elem) {
	add := func(name string, n, only int, body exprFunc) {
		kernels(spec{name: name + " " + t.name, in: same(t, n), out: t, lane: t, unroll: 4 / min(n, 2), only: only,
			body: body})
	}
	add("add", 2, 0, two((*expr).iadd))
	add("sub", 2, 0, two((*expr).isub))
	add("neg", 1, 0, one(func(e *expr, x *node) *node { return e.isub(e.bits(0), x) }))
	add("add_value", 1, 0, one(func(e *expr, x *node) *node { return e.iadd(x, e.param(0)) }))
	add("sub_value", 1, 0, one(func(e *expr, x *node) *node { return e.isub(x, e.param(0)) }))
	add("value_sub", 1, 0, one(func(e *expr, x *node) *node { return e.isub(e.param(0), x) }))
	mulOnly := 0
	if t.size == 8 {
		mulOnly = 512
	}
	add("mul", 2, mulOnly, two(imul))
	add("scale", 1, mulOnly, one(func(e *expr, x *node) *node { return imul(e, x, e.param(0)) }))
	add("add_scaled", 2, mulOnly, two(func(e *expr, x, y *node) *node { return e.iadd(x, imul(e, y, e.param(0))) }))
	add("sub_scaled", 2, mulOnly, two(func(e *expr, x, y *node) *node { return e.isub(x, imul(e, y, e.param(0))) }))
	add("maximum", 2, 0, two((*expr).imax))
	add("minimum", 2, 0, two((*expr).imin))
	if t.signed {
		add("abs", 1, 0, one(func(e *expr, x *node) *node {
			if t.size == 8 && !e.v.avx512 {
				return e.sel(e.icmp(gt, x, e.bits(0)), x, e.isub(e.bits(0), x))
			}
			return e.op1(e.bySize(VPABSB, VPABSW, VPABSD, VPABSQ), x)
		}))
	}
	add("relu", 1, 0, one(func(e *expr, x *node) *node { return e.imax(x, e.bits(0)) }))
	add("sign", 1, 0, one(func(e *expr, x *node) *node {
		positive := e.where(e.icmp(gt, x, e.bits(0)), e.bits(1))
		if !t.signed {
			return positive
		}
		return e.or(positive, e.where(e.icmp(gt, e.bits(0), x), e.ones()))
	}))
	add("clamp_between", 3, 0, func(e *expr, x []*node) *node { return e.imin(e.imax(x[0], x[1]), x[2]) })
	add("clamp", 1, 0, one(func(e *expr, x *node) *node { return e.imin(e.imax(x, e.param(0)), e.param(1)) }))
	shifts(t)
}

// imax and imin are the greater and the lesser integer.
func (e *expr) imax(x, y *node) *node {
	switch {
	case !e.lane.signed:
		return e.op2(e.bySize(VPMAXUB, VPMAXUW, VPMAXUD, VPMAXUQ), x, y)
	case e.lane.size == 8 && !e.v.avx512:
		return e.sel(e.icmp(gt, x, y), x, y)
	}
	return e.op2(e.bySize(VPMAXSB, VPMAXSW, VPMAXSD, VPMAXSQ), x, y)
}

func (e *expr) imin(x, y *node) *node {
	switch {
	case !e.lane.signed:
		return e.op2(e.bySize(VPMINUB, VPMINUW, VPMINUD, VPMINUQ), x, y)
	case e.lane.size == 8 && !e.v.avx512:
		return e.sel(e.icmp(lt, x, y), x, y)
	}
	return e.op2(e.bySize(VPMINSB, VPMINSW, VPMINSD, VPMINSQ), x, y)
}

// imul is the product of integers. That of bytes is made of the even ones and the odd ones as 16 bits.
func imul(e *expr, x, y *node) *node {
	switch e.lane.size {
	case 2:
		return e.op2(VPMULLW, x, y)
	case 4:
		return e.op2(VPMULLD, x, y)
	case 8:
		return e.op2(VPMULLQ, x, y)
	}
	wide := func(f func(...Op), x *node) *node { return e.imm(f, 8, x) }
	low := e.and(e.op2(VPMULLW, x, y), e.wordMask())
	return e.or(wide(VPSLLW, e.op2(VPMULLW, wide(VPSRLW, x), wide(VPSRLW, y))), low)
}

// shifts emits the shifts of integers of t, those below 32 bits in lanes of 32: what leaves the narrow integer is
// dropped. The instructions result in 0, or to the right in the sign, beyond the width.
func shifts(t elem) {
	lane, left, right, only := t, VPSLLVD, VPSRAVD, 0
	switch {
	case t.size < 4:
		lane = i32
	case t.size == 8:
		left, right, only = VPSLLVQ, VPSRAVQ, 512
	}
	add := func(name string, only int, shift func(...Op)) {
		kernels(spec{name: name + " " + t.name, in: same(t, 2), out: t, lane: lane, unroll: 2, only: only,
			body: two(func(e *expr, x, y *node) *node { return e.op2(shift, x, y) })})
	}
	add("bitwise_left_shift", 0, left)
	add("bitwise_right_shift", only, right)
}

// wordMask is the constant of the low byte of each 16 bits, for lanes of bytes.
func (e *expr) wordMask() *node {
	n := &node{konst: true, bits: 0x00ff00ff00ff00ff, pin: true}
	e.consts[n.bits] = n
	return n
}

// bitwise emits the operations that are the same for all integers, by bytes.
func bitwise() {
	for _, s := range []struct {
		name string
		n    int
		body exprFunc
	}{
		{"bitwise_and", 2, two((*expr).and)},
		{"bitwise_or", 2, two((*expr).or)},
		{"bitwise_xor", 2, two((*expr).xor)},
		{"bitwise_not", 1, one(func(e *expr, x *node) *node { return e.xor(x, e.ones()) })},
		{"logical_not", 1, one(func(e *expr, x *node) *node { return e.xor(x, e.bits(1)) })}, // of bools
	} {
		kernels(spec{name: s.name + " bytes", in: same(u8, s.n), out: u8, lane: u8, unroll: 4, body: s.body})
	}
}
