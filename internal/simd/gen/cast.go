package main

import (
	. "github.com/mmcloughlin/avo/build"
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
	for _, from := range []elem{f32, u8, i8, i16, i32} {
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
