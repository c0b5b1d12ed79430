package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

func init() { families["cast"] = cast }

// cast emits conversions: "cast TO FROM". To bool they are comparisons.
func cast() {
	id := one(func(_ *expr, x *node) *node { return x })
	add := func(from, to, lane elem, only int, body exprFunc) {
		kernels(spec{name: "cast " + to.name + " " + from.name, in: []elem{from}, out: to, lane: lane, unroll: 2, only: only, body: body})
	}
	for _, from := range []elem{f16, bf16, u8, i8, i16, i32} {
		add(from, f32, f32, 0, id)
	}
	add(f32, f16, f32, 0, id)
	add(f32, bf16, f32, 0, one(toBF16))
	add(f32, i32, f32, 0, id)
	for _, to := range []elem{u8, i8} {
		add(f32, to, f32, 0, one(func(e *expr, x *node) *node { return e.op1(VCVTTPS2DQ, x) }))
	}
	add(f32, i64, f64, 512, id)
	for _, from := range []elem{f16, bf16, f32, u8, i8, i16, i32} {
		add(from, f64, f64, 0, id)
	}
	add(i64, f64, f64, 512, id)
	add(i64, f32, i64, 512, id)
	add(f64, f32, f64, 0, id)
	add(f64, i32, f64, 0, id)
	add(f64, i64, f64, 512, id)
	for _, to := range []elem{u8, i8, i16} {
		add(f64, to, f64, 512, one(func(e *expr, x *node) *node { return e.op1(VCVTTPD2QQ, x) }))
	}
	for _, from := range integers {
		for _, to := range integers {
			switch {
			case from.size < to.size:
				add(from, to, to, 0, id)
			case from.size > to.size:
				add(from, to, from, 0, id)
			}
		}
	}
}

// toBF16 rounds float32 to the nearest bfloat16, whose bits are the lower ones of the lanes.
func toBF16(e *expr, x *node) *node {
	odd := e.and(e.shr(x, 16), e.bits(1))
	rounded := e.iadd(x, e.iadd(odd, e.bits(0x7fff)))
	quiet := e.or(x, e.bits(0x400000))
	return e.shr(e.sel(e.cmp(uno, x, x), quiet, rounded), 16)
}

// Half types: their kernels widen, compute in lanes of float32, and round once. A vector of bfloat16 is two of
// float32 without a shuffle: the upper halves of the lanes, which are the odd elements, and the lower ones shifted
// up. Nothing has to look for NaN when a result is rounded: those of inputs, of parameters and of instructions have no
// bits in the lower half of a lane that a carry could leave.

// forHalves are the functions that have kernels for the half types. Package simd has the same list.
var forHalves = []string{"add", "sub", "mul", "div", "maximum", "minimum", "add_scaled", "sub_scaled", "addcmul",
	"addcdiv", "scale", "sqrt", "reciprocal", "rsqrt", "square", "relu", "clamp", "floor", "ceil", "trunc", "frac",
	"leaky_relu", "threshold", "hardshrink", "softshrink", "hardsigmoid", "hardswish"}

// halfFunctions are the functions of the math family that have them too.
var halfFunctions = []string{"exp", "log", "log2", "log10", "log1p", "sigmoid", "silu", "erf", "gelu"}

// selecting are those whose results are numbers of the half type before they are rounded.
var selecting = []string{"maximum", "minimum", "relu", "clamp", "floor", "ceil", "trunc"}

// forHalf emits a function of n numbers for both half types.
func forHalf(name string, n int, body exprFunc) {
	round16, roundB := rsqrtBody(roundHalf), rsqrtBody(roundedBF16)
	if name != "rsqrt" {
		round16, roundB = body, body
	}
	kernels(spec{name: name + " float16", in: same(f16, n), out: f16, lane: f32, unroll: 2, body: round16},
		spec{name: name + " bfloat16", in: same(bf16, n), out: bf16, lane: f32, unroll: 1, pairs: true,
			body: func(e *expr, x []*node) *node {
				y := roundB(e, x)
				if slices.Contains(selecting, name) {
					return y
				}
				return carryBF16(e, y)
			}})
}

// rsqrtBody is the reciprocal of the root, which PyTorch rounds before it divides.
func rsqrtBody(round func(e *expr, x *node) *node) exprFunc {
	return one(func(e *expr, x *node) *node { return e.div(e.c(1), round(e, e.sqrt(x))) })
}

// roundHalf is the nearest float16.
func roundHalf(e *expr, x *node) *node {
	return e.node(func(n *node) {
		half := narrow(n.reg, e.v.width/2)
		VCVTPS2PH(Imm(0), x.reg, half)
		VCVTPH2PS(half, n.reg)
	}, x)
}

// carryBF16 adds what makes the upper half of a lane the nearest bfloat16.
func carryBF16(e *expr, x *node) *node {
	return e.iadd(x, e.iadd(e.and(e.shr(x, 16), e.bits(1)), e.bits(0x7fff)))
}

func roundedBF16(e *expr, x *node) *node { return e.and(carryBF16(e, x), e.bits(0xffff0000)) }

// inPairs computes the even elements and the odd ones apart.
func (s *spec) inPairs(e *expr) {
	var even, odd []*node
	for i := range s.in {
		x := e.node(func(n *node) { e.io.loadRaw(e.io.at(e.io.in[i], 2), 2, n.reg) })
		even, odd = append(even, e.shl(x, 16)), append(odd, e.and(x, e.bits(0xffff0000)))
	}
	low := e.shr(s.body(e, even), 16)
	y := e.or(low, e.and(s.body(e, odd), e.bits(0xffff0000)))
	e.node(func(*node) { e.io.storeRaw(y.reg, 2, e.io.at(e.io.dst, 2)) }, y)
}

// halfSigns emits what changes the signs of half types alone.
func halfSigns() {
	for _, t := range []elem{f16, bf16} {
		kernels(spec{name: "neg " + t.name, in: same(t, 1), out: t, lane: i16, unroll: 4,
			body: one(func(e *expr, x *node) *node { return e.xor(x, e.bits(0x8000)) })},
			spec{name: "abs " + t.name, in: same(t, 1), out: t, lane: i16, unroll: 4,
				body: one(func(e *expr, x *node) *node { return e.and(x, e.bits(0x7fff)) })})
	}
}
