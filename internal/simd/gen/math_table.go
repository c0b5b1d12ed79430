package main

import (
	"math"

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
		only bool // float32 alone
		f    func(e *expr, x *node, full bool) *node
	}{
		{"exp", true, false, exp},
		{"exp2", false, false, exp2},
		{"expm1", false, false, expm1},
		{"log", true, false, ln},
		{"log2", false, false, func(e *expr, x *node, full bool) *node { return log(e, x, math.Log2E, 1, 0, full) }},
		{"log10", false, false, func(e *expr, x *node, full bool) *node {
			return log(e, x, math.Log10E, 0.30102999566398120, -2.8037281277851704e-18, full)
		}},
		{"log1p", false, false, log1p},
		{"sinh", false, false, sinh},
		{"cosh", false, false, cosh},
		{"tanh", false, false, tanh},
		{"sigmoid", true, false, sigmoid},
		{"silu", true, false, silu},
		{"softplus", false, false, func(e *expr, x *node, full bool) *node {
			return e.sel(e.cmp(gt, x, e.c(20)), x, softplus(e, x, full))
		}},
		{"softplus_scaled", false, false, func(e *expr, x *node, full bool) *node {
			y := e.mul(x, e.param(0))
			return e.sel(e.cmp(gt, y, e.param(1)), x, e.mul(softplus(e, y, full), e.param(2)))
		}},
		{"logsigmoid", false, false, func(e *expr, x *node, full bool) *node { return e.neg(softplus(e, e.neg(x), full)) }},
		{"mish", false, false, func(e *expr, x *node, full bool) *node { return e.mul(x, tanh(e, softplus(e, x, full), full)) }},
		{"atan", false, false, atan},
		{"asin", false, false, asin},
		{"acos", false, false, acos},
		{"erf", true, true, func(e *expr, x *node, _ bool) *node { return erf(e, x) }},
		{"erfc", false, true, func(e *expr, x *node, _ bool) *node { return erfc(e, x) }},
		{"gelu", true, true, func(e *expr, x *node, _ bool) *node { return gelu(e, x) }},
		{"gelu_tanh", false, false, geluTanh},
		{"sin", true, false, func(e *expr, x *node, full bool) *node { return sine(e, x, 0, full) }},
		{"cos", true, false, func(e *expr, x *node, full bool) *node { return sine(e, x, 1, full) }},
		{"tan", false, false, tan},
		{"elu", false, false, elu},
	} {
		single := f64
		if s.own {
			single = f32
		}
		kernels(spec{name: s.name + " float32", in: []elem{f32}, out: f32, lane: single, unroll: 1,
			body: one(func(e *expr, x *node) *node { return s.f(e, x, false) })})
		if !s.only {
			kernels(spec{name: s.name + " float64", in: []elem{f64}, out: f64, lane: f64, unroll: 1,
				body: one(func(e *expr, x *node) *node { return s.f(e, x, true) })})
		}
	}
	kernels(spec{name: "pow float32", in: []elem{f32, f32}, out: f32, lane: f64, unroll: 1, body: two(pow)})
	kernels(spec{name: "atan2 float32", in: []elem{f32, f32}, out: f32, lane: f64, unroll: 1, body: two(atan2)})
	kernels(spec{name: "hypot float32", in: []elem{f32, f32}, out: f32, lane: f64, unroll: 1, body: two(func(e *expr, x, y *node) *node {
		inf := e.c(math.Inf(1))
		r := e.sqrt(e.fma(x, x, e.mul(y, y)))
		return e.sel(e.mor(e.cmp(eq, e.abs(x), inf), e.cmp(eq, e.abs(y), inf)), inf, r)
	})})
}
