package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["arith"] = arith }

// arith emits the arithmetic of two operands.
func arith() {
	for _, v := range isas {
		for _, op := range []struct {
			name, doc string
			size      int
			f         func(ops ...Op)
		}{
			{"addFloat32", "adds float32 elements.", 4, VADDPS},
			{"addFloat64", "adds float64 elements.", 8, VADDPD},
			{"subFloat32", "subtracts float32 elements.", 4, VSUBPS},
			{"subFloat64", "subtracts float64 elements.", 8, VSUBPD},
			{"mulFloat32", "multiplies float32 elements.", 4, VMULPS},
			{"mulFloat64", "multiplies float64 elements.", 8, VMULPD},
		} {
			name := op.name + v.suffix
			elementwise(name, name+" "+op.doc, v, op.size, 2, 4, nil, func(x [][]VecVirtual) []VecVirtual {
				for u := range x[0] {
					op.f(x[1][u], x[0][u], x[0][u])
				}
				return x[0]
			})
		}
	}
}
