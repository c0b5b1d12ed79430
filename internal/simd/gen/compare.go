package main

import "fmt"

func init() { families["compare"] = compare }

// compare emits comparisons and questions, which result in bools, and choices by bools.
func compare() {
	for _, t := range append(floatElems, integers...) {
		cmp := (*expr).icmp
		if t.float {
			cmp = (*expr).cmp
		}
		add := func(name string, n int, body exprFunc) {
			kernels(spec{name: name + " " + t.name, in: same(t, n), out: bit8, lane: t, unroll: 2, body: body})
		}
		truth := func(e *expr, x *node) *node { return cmp(e, ne, x, e.c(0)) }
		add("eq", 2, two(func(e *expr, x, y *node) *node { return cmp(e, eq, x, y) }))
		add("ne", 2, two(func(e *expr, x, y *node) *node { return cmp(e, ne, x, y) }))
		add("lt", 2, two(func(e *expr, x, y *node) *node { return cmp(e, lt, x, y) }))
		add("le", 2, two(func(e *expr, x, y *node) *node { return cmp(e, le, x, y) }))
		add("logical_and", 2, two(func(e *expr, x, y *node) *node { return e.mand(truth(e, x), truth(e, y)) }))
		add("logical_or", 2, two(func(e *expr, x, y *node) *node { return e.mor(truth(e, x), truth(e, y)) }))
		add("logical_xor", 2, two(func(e *expr, x, y *node) *node { return e.mxor(truth(e, x), truth(e, y)) }))
		add("logical_not", 1, one(func(e *expr, x *node) *node { return cmp(e, eq, x, e.c(0)) }))
		add("cast bool", 1, one(truth))
		if t.signed {
			add("signbit", 1, one((*expr).signMask))
		}
		if !t.float {
			continue
		}
		inf := func(e *expr) *node { return e.bits(map[int]uint64{4: 0x7f800000, 8: 0x7ff0000000000000}[t.size]) }
		add("isnan", 1, one(func(e *expr, x *node) *node { return e.cmp(uno, x, x) }))
		add("isinf", 1, one(func(e *expr, x *node) *node { return e.cmp(eq, e.abs(x), inf(e)) }))
		add("isposinf", 1, one(func(e *expr, x *node) *node { return e.cmp(eq, x, inf(e)) }))
		add("isneginf", 1, one(func(e *expr, x *node) *node { return e.cmp(eq, e.neg(x), inf(e)) }))
		add("isfinite", 1, one(func(e *expr, x *node) *node { return e.cmp(lt, e.abs(x), inf(e)) }))
	}
	for _, t := range []elem{i8, i16, i32, i64} {
		kernels(spec{name: fmt.Sprint("where ", t.name), in: []elem{bit8, t, t}, out: t, lane: t, unroll: 2,
			body: func(e *expr, x []*node) *node { return e.sel(x[0], x[1], x[2]) }})
	}
}
