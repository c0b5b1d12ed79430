package main

import (
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// VSCALEF are the instructions for float32 and float64.
var VSCALEF = [2]func(...Op){VSCALEFPS, VSCALEFPD}

// mathFunctions emits functions of floating point numbers.
func mathFunctions() {
	ln := func(e *expr, x *node, full bool) *node { return log(e, x, 1, math.Ln2, ln2Lo, full) }
	for _, s := range []struct {
		name string
		own  bool // for lanes of float32 too
		f    func(e *expr, x *node, full bool) *node
	}{
		{"exp", true, exp},
		{"exp2", false, exp2},
		{"expm1", false, expm1},
		{"log", true, ln},
		{"log2", true, func(e *expr, x *node, full bool) *node { return log(e, x, math.Log2E, 1, 0, full) }},
		{"log10", true, func(e *expr, x *node, full bool) *node {
			return log(e, x, math.Log10E, 0.30102999566398120, -2.8037281277851704e-18, full)
		}},
		{"log1p", true, log1p},
		{"sinh", false, sinh},
		{"cosh", false, cosh},
		{"tanh", false, tanh},
		{"sigmoid", true, sigmoid},
		{"silu", true, silu},
		{"softplus", false, func(e *expr, x *node, full bool) *node {
			return e.sel(e.cmp(gt, x, e.c(20)), x, softplus(e, x, full))
		}},
		{"softplus_scaled", false, func(e *expr, x *node, full bool) *node {
			y := e.mul(x, e.param(0))
			return e.sel(e.cmp(gt, y, e.param(1)), x, e.mul(softplus(e, y, full), e.param(2)))
		}},
		{"logsigmoid", false, func(e *expr, x *node, full bool) *node { return e.neg(softplus(e, e.neg(x), full)) }},
		{"mish", false, func(e *expr, x *node, full bool) *node { return e.mul(x, tanh(e, softplus(e, x, full), full)) }},
		{"asinh", false, asinh},
		{"acosh", false, acosh},
		{"atanh", false, atanh},
		{"logit", true, logit},
		{"entropy", true, entropy},
		{"sinc", true, sinc},
		{"lgamma", false, lgamma},
		{"digamma", false, digamma},
		{"trigamma", true, trigamma},
		{"atan", false, atan},
		{"asin", false, asin},
		{"acos", false, acos},
		{"erf", true, erf},
		{"erfc", false, erfc},
		{"gelu", true, gelu},
		{"gelu_tanh", false, geluTanh},
		{"sin", true, func(e *expr, x *node, full bool) *node { return sine(e, x, 0, full) }},
		{"cos", true, func(e *expr, x *node, full bool) *node { return sine(e, x, 1, full) }},
		{"tan", false, tan},
		{"elu", true, elu},
	} {
		single := f64
		if s.own {
			single = f32
		}
		kernels(spec{name: s.name + " float32", in: []elem{f32}, out: f32, lane: single, unroll: 1,
			body: one(func(e *expr, x *node) *node { return s.f(e, x, false) })})
		kernels(spec{name: s.name + " float64", in: []elem{f64}, out: f64, lane: f64, unroll: 1,
			body: one(func(e *expr, x *node) *node { return s.f(e, x, true) })})
		if slices.Contains(halfFunctions, s.name) {
			forHalf(s.name, 1, one(func(e *expr, x *node) *node { return s.f(e, x, false) }))
		}
	}
	for order, name := range []string{"i0", "i1"} {
		kernels(spec{name: name + " float32", in: []elem{f32}, out: f32, lane: f64, unroll: 1, body: one(bessel(order))})
	}
	pairs()
}

// pairs emits functions of two numbers.
func pairs() {
	for _, s := range []struct {
		name string
		own  bool // for lanes of float32 too
		f    func(e *expr, a, b *node, full bool) *node
	}{
		{"pow", false, pow},
		{"atan2", false, atan2},
		{"hypot", false, hypot},
		{"logaddexp", false, logAddExp},
		{"logaddexp2", false, logAddExp2},
		{"xlogy", true, xlogy},
	} {
		single := f64
		if s.own {
			single = f32
		}
		kernels(spec{name: s.name + " float32", in: same(f32, 2), out: f32, lane: single, unroll: 1,
			body: two(func(e *expr, a, b *node) *node { return s.f(e, a, b, false) })})
		kernels(spec{name: s.name + " float64", in: same(f64, 2), out: f64, lane: f64, unroll: 1,
			body: two(func(e *expr, a, b *node) *node { return s.f(e, a, b, true) })})
	}
}
