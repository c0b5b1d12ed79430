package main

import (
	"fmt"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// Note: expressions. The kernels of pointwise functions are written once, as expressions over vectors, for both
// instruction sets and all dtypes: expr.add(x, y) is a node, not an instruction. When the expression is complete, its
// nodes are emitted in the order of their creation, with registers assigned by their last use. Constants that do not
// fit in registers stay in memory.

// elem is the type of an element in memory or in a vector.
type elem struct {
	name   string
	size   int
	suffix string // of instructions for vectors of it
	float  bool
	signed bool
}

var (
	f32  = elem{"float32", 4, "PS", true, true}
	f64  = elem{"float64", 8, "PD", true, true}
	f16  = elem{"float16", 2, "", false, false}
	bf16 = elem{"bfloat16", 2, "", false, false}
	i8   = elem{"int8", 1, "B", false, true}
	u8   = elem{"uint8", 1, "B", false, false}
	i16  = elem{"int16", 2, "W", false, true}
	i32  = elem{"int32", 4, "D", false, true}
	i64  = elem{"int64", 8, "Q", false, true}
	bit8 = elem{"bool", 1, "B", false, false}
)

// node is a value of an expression: a vector, a mask or a constant.
type node struct {
	args  []*node
	emit  func(n *node)
	mask  bool
	bits  uint64 // of a constant
	konst bool
	param int // 1 + index of a broadcast parameter
	reg   Op
	uses  int
	last  int  // number of the node that uses it last
	early bool // its register may not be one of its arguments'
	pin   bool // a constant that an instruction needs in a register
	keep  bool // reg stays taken after the last use
}

// expr is an expression under construction.
type expr struct {
	v      isa
	lane   elem // of the vectors
	nodes  []*node
	consts map[uint64]*node
	params map[int]*node
	io     *io
	data32 bool // the inputs are float32
	pairs  bool // a vector from memory has twice as many elements as one has lanes
}

func newExpr(v isa, lane elem) *expr {
	return &expr{v: v, lane: lane, consts: map[uint64]*node{}, params: map[int]*node{}}
}

// lanes is the number of elements that are computed at a time.
func (e *expr) lanes() int {
	if e.pairs {
		return 2 * e.v.width / e.lane.size
	}
	return e.v.width / e.lane.size
}

// node adds a node; emit writes its instructions, with the registers of n and of its arguments set.
func (e *expr) node(emit func(n *node), args ...*node) *node {
	n := &node{emit: emit, args: args}
	e.nodes = append(e.nodes, n)
	return n
}

// bits is a constant by its bits.
func (e *expr) bits(b uint64) *node {
	if n := e.consts[b]; n != nil {
		return n
	}
	n := &node{bits: b, konst: true}
	e.consts[b] = n
	return n
}

// c is a constant of the lanes' type.
func (e *expr) c(v float64) *node {
	switch {
	case e.lane == f32:
		return e.bits(uint64(math.Float32bits(float32(v))))
	case e.lane == f64:
		return e.bits(math.Float64bits(v))
	}
	return e.bits(uint64(int64(v)) & (1<<(8*e.lane.size) - 1))
}

// param is element i of the parameters, in all lanes.
func (e *expr) param(i int) *node {
	if n := e.params[i]; n != nil {
		return n
	}
	n := &node{param: i + 1}
	e.params[i] = n
	return n
}

// data is the memory of a constant, as wide as a vector.
func (e *expr) data(b uint64) Mem {
	w := 8 * e.lane.size
	for b>>w != 0 { // a constant of wider groups of lanes
		w *= 2
	}
	full := b
	for ; w < 64; w *= 2 {
		full |= full << w
	}
	return wideConstant(full, e.v.width)
}

var wideConstants = map[string]Mem{}

func wideConstant(full uint64, width int) Mem {
	name := fmt.Sprintf("wide%d_%016x", width, full)
	if m, ok := wideConstants[name]; ok {
		return m
	}
	m := GLOBL(name, 8|16) // RODATA|NOPTR
	for i := range width / 8 {
		DATA(8*i, U64(full))
	}
	wideConstants[name] = m
	return m
}

var zmms = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15, Z16, Z17, Z18, Z19, Z20, Z21,
	Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}
var masks = []OpmaskPhysical{K2, K3, K4, K5, K6, K7}

// vector is register i as the instruction set uses it.
func (e *expr) vector(i int) Op {
	if e.v.avx512 {
		return zmms[i]
	}
	return zmms[i].AsY()
}

// prepare counts uses, chooses the constants that stay in registers, and loads them. p points to the parameters.
func (e *expr) prepare(p Register) {
	for i, n := range e.nodes {
		for _, a := range n.args {
			a.uses++
			a.last = i
		}
	}
	total := 15 // the last one is scratch
	if e.v.avx512 {
		total = 32
	}
	free := total - e.assign(nil, nil)
	next := total
	take := func(n *node) {
		if free--; free < 0 {
			panic("expr: more constants and live values than registers")
		}
		next--
		n.reg, n.keep = e.vector(next), true
	}
	for i := range 8 {
		if n := e.params[i]; n != nil {
			take(n)
			if e.lane == f64 && e.data32 { // parameters are of the inputs' type
				VBROADCASTSS(Mem{Base: p, Disp: i * 4}, narrow(n.reg, e.v.width/2))
				VCVTPS2PD(narrow(n.reg, e.v.width/2), n.reg)
				continue
			}
			e.broadcast(Mem{Base: p, Disp: i * e.lane.size}, n.reg)
		}
	}
	var ks []*node
	for _, n := range e.consts {
		if n.uses > 0 {
			ks = append(ks, n)
		}
	}
	slices.SortFunc(ks, func(a, b *node) int {
		switch {
		case a.pin != b.pin && a.pin:
			return -1
		case a.pin != b.pin:
			return 1
		case a.uses != b.uses:
			return b.uses - a.uses
		case a.bits < b.bits:
			return -1
		}
		return 1
	})
	for _, n := range ks {
		m := e.data(n.bits)
		switch {
		case free > 0 || n.pin:
			take(n)
			e.load(m, n.reg)
		default:
			n.reg = m
		}
	}
}

func (e *expr) load(m Mem, r Op) { VMOVUPS(m, r) }

func (e *expr) broadcast(m Mem, r Op) {
	switch e.lane.size {
	case 1:
		VPBROADCASTB(m, r)
	case 2:
		VPBROADCASTW(m, r)
	case 4:
		VBROADCASTSS(m, r)
	default:
		VBROADCASTSD(m, r)
	}
}

// assign returns registers to all nodes and calls begin and end around each emission; it returns the greatest number
// of vector registers in use at a time.
func (e *expr) assign(begin, end func(n *node)) int {
	var vecs, ks [32]bool
	most := 0
	at := map[*node]int{}
	release := func(i int, n *node) {
		for j, a := range n.args {
			if a.last != i || a.konst || a.param > 0 || slices.Index(n.args, a) != j {
				continue
			}
			if a.mask && e.v.avx512 {
				ks[at[a]] = false
			} else {
				vecs[at[a]] = false
			}
		}
	}
	for i, n := range e.nodes {
		if !n.early {
			release(i, n)
		}
		pool := &vecs
		if n.mask && e.v.avx512 {
			pool = &ks
		}
		r := slices.Index(pool[:], false)
		// A register of an argument that ends here saves a move.
		if !n.early {
			for _, a := range n.args {
				if j, ok := at[a]; ok && a.last == i && a.mask == n.mask && !pool[j] {
					r = j
					break
				}
			}
		}
		pool[r], at[n] = true, r
		if n.early {
			release(i, n)
		}
		if begin != nil {
			if n.mask && e.v.avx512 {
				if r >= len(masks) {
					panic("expr: too many masks")
				}
				n.reg = masks[r]
			} else {
				n.reg = e.vector(r)
			}
			begin(n)
		}
		used := 0
		for _, b := range vecs {
			if b {
				used++
			}
		}
		most = max(most, used)
		if n.uses == 0 && !n.keep {
			pool[r] = false
		}
	}
	return most
}

// emitAll writes the code of the expression.
func (e *expr) emitAll() { e.assign(func(n *node) { n.emit(n) }, nil) }

// commute orders two operands so that one in memory comes last.
func commute(x, y *node) (*node, *node) {
	if x.konst && !y.konst {
		return y, x
	}
	return x, y
}

// inReg is x in a register where x is a constant: one that stays there with AVX-512, one loaded for the purpose with
// AVX2, which has few registers.
func (e *expr) inReg(x *node) *node {
	switch {
	case !x.konst:
		return x
	case e.v.avx512:
		x.pin = true
		return x
	}
	return e.op1(VMOVUPS, x)
}

// op2 is an instruction of two sources, in Intel's order: f(y, x, dst). x must not be in memory.
func (e *expr) op2(f func(...Op), x, y *node) *node {
	x = e.inReg(x)
	return e.node(func(n *node) { f(y.reg, x.reg, n.reg) }, x, y)
}

// op1 is an instruction of one source.
func (e *expr) op1(f func(...Op), x *node) *node {
	return e.node(func(n *node) { f(x.reg, n.reg) }, x)
}

// imm is an instruction of one source and an immediate.
func (e *expr) imm(f func(...Op), i uint64, x *node) *node {
	return e.node(func(n *node) { f(Imm(i), x.reg, n.reg) }, x)
}

// by chooses an instruction by the lanes' type.
func (e *expr) by(ps, pd func(...Op)) func(...Op) {
	switch e.lane {
	case f32:
		return ps
	case f64:
		return pd
	}
	panic("expr: not for lanes of " + e.lane.name)
}

// bySize chooses an instruction by the lanes' size.
func (e *expr) bySize(b, w, d, q func(...Op)) func(...Op) {
	return map[int]func(...Op){1: b, 2: w, 4: d, 8: q}[e.lane.size]
}

func (e *expr) add(x, y *node) *node {
	x, y = commute(x, y)
	return e.op2(e.by(VADDPS, VADDPD), x, y)
}

func (e *expr) sub(x, y *node) *node { return e.op2(e.by(VSUBPS, VSUBPD), x, y) }

func (e *expr) mul(x, y *node) *node {
	x, y = commute(x, y)
	return e.op2(e.by(VMULPS, VMULPD), x, y)
}

func (e *expr) div(x, y *node) *node { return e.op2(e.by(VDIVPS, VDIVPD), x, y) }

// min is the lesser; y where either is NaN or both are zero.
func (e *expr) min(x, y *node) *node { return e.op2(e.by(VMINPS, VMINPD), x, y) }

// max is the greater; y where either is NaN or both are zero.
func (e *expr) max(x, y *node) *node { return e.op2(e.by(VMAXPS, VMAXPD), x, y) }

func (e *expr) sqrt(x *node) *node { return e.op1(e.by(VSQRTPS, VSQRTPD), x) }

// Modes of round.
const (
	nearest = 8 + iota
	down
	up
	towardZero
)

// round rounds to an integer.
func (e *expr) round(x *node, mode uint64) *node {
	if e.v.avx512 {
		return e.imm(e.by(VRNDSCALEPS, VRNDSCALEPD), mode, x)
	}
	return e.imm(e.by(fixed3(VROUNDPS), fixed3(VROUNDPD)), mode, x)
}

func fixed3(f func(a, b, c Op)) func(...Op) { return func(o ...Op) { f(o[0], o[1], o[2]) } }

// fma is x*y + z, rounded once.
func (e *expr) fma(x, y, z *node) *node {
	return e.fused(e.by(VFMADD132PS, VFMADD132PD), e.by(VFMADD213PS, VFMADD213PD), e.by(VFMADD231PS, VFMADD231PD), x, y, z)
}

// fnma is z - x*y, rounded once.
func (e *expr) fnma(x, y, z *node) *node {
	return e.fused(e.by(VFNMADD132PS, VFNMADD132PD), e.by(VFNMADD213PS, VFNMADD213PD), e.by(VFNMADD231PS, VFNMADD231PD), x, y, z)
}

// fms is x*y - z, rounded once.
func (e *expr) fms(x, y, z *node) *node {
	return e.fused(e.by(VFMSUB132PS, VFMSUB132PD), e.by(VFMSUB213PS, VFMSUB213PD), e.by(VFMSUB231PS, VFMSUB231PD), x, y, z)
}

// fused chooses the form that overwrites an operand that is not used again.
func (e *expr) fused(f132, f213, f231 func(...Op), x, y, z *node) *node {
	x, y = commute(x, y)
	x = e.inReg(x)
	if z.konst {
		y = e.inReg(y)
	}
	return e.node(func(n *node) {
		switch {
		case n.reg == z.reg:
			f231(y.reg, x.reg, n.reg)
		case n.reg == x.reg && isMem(y.reg):
			f132(y.reg, z.reg, n.reg)
		case n.reg == x.reg:
			f213(z.reg, y.reg, n.reg)
		case n.reg == y.reg:
			f213(z.reg, x.reg, n.reg)
		case isMem(y.reg):
			VMOVUPS(z.reg, n.reg)
			f231(y.reg, x.reg, n.reg)
		default:
			VMOVUPS(x.reg, n.reg)
			f213(z.reg, y.reg, n.reg)
		}
	}, x, y, z)
}

func isMem(o Op) bool { _, ok := o.(Mem); return ok }

// poly is c[0] + c[1]*x + … by Horner's rule.
func (e *expr) poly(x *node, c ...float64) *node {
	p := e.c(c[len(c)-1])
	for i := len(c) - 2; i >= 0; i-- {
		p = e.fma(p, x, e.c(c[i]))
	}
	return p
}

// poly2 is poly in two chains, of the even and the odd powers: shorter in time where a vector waits for itself.
func (e *expr) poly2(x *node, c ...float64) *node {
	if len(c) < 4 || !e.v.avx512 { // AVX2 has too few registers
		return e.poly(x, c...)
	}
	var even, odd []float64
	for i, v := range c {
		if i%2 == 0 {
			even = append(even, v)
		} else {
			odd = append(odd, v)
		}
	}
	x2 := e.mul(x, x)
	return e.fma(e.poly(x2, odd...), x, e.poly(x2, even...))
}

func (e *expr) and(x, y *node) *node {
	x, y = commute(x, y)
	if e.v.avx512 {
		return e.op2(VPANDQ, x, y)
	}
	return e.op2(fixed3(VPAND), x, y)
}

func (e *expr) or(x, y *node) *node {
	x, y = commute(x, y)
	if e.v.avx512 {
		return e.op2(VPORQ, x, y)
	}
	return e.op2(fixed3(VPOR), x, y)
}

func (e *expr) xor(x, y *node) *node {
	x, y = commute(x, y)
	if e.v.avx512 {
		return e.op2(VPXORQ, x, y)
	}
	return e.op2(fixed3(VPXOR), x, y)
}

// andn is y without the bits of x.
func (e *expr) andn(x, y *node) *node {
	if e.v.avx512 {
		return e.op2(VPANDNQ, x, y)
	}
	return e.op2(fixed3(VPANDN), x, y)
}

// signBit is the constant of the sign bit alone.
func (e *expr) signBit() *node { return e.bits(1 << (8*e.lane.size - 1)) }

func (e *expr) abs(x *node) *node { return e.andn(e.signBit(), x) }

func (e *expr) neg(x *node) *node { return e.xor(x, e.signBit()) }

// copysign is |x| with the sign of s.
func (e *expr) copysign(x, s *node) *node { return e.or(e.abs(x), e.and(s, e.signBit())) }

// Operations on the lanes as integers.

func (e *expr) iadd(x, y *node) *node {
	x, y = commute(x, y)
	return e.op2(e.bySize(VPADDB, VPADDW, VPADDD, VPADDQ), x, y)
}

func (e *expr) isub(x, y *node) *node {
	return e.op2(e.bySize(VPSUBB, VPSUBW, VPSUBD, VPSUBQ), x, y)
}

func (e *expr) shl(x *node, i uint64) *node {
	return e.imm(e.bySize(nil, VPSLLW, VPSLLD, VPSLLQ), i, x)
}

// shr is the logical shift.
func (e *expr) shr(x *node, i uint64) *node {
	return e.imm(e.bySize(nil, VPSRLW, VPSRLD, VPSRLQ), i, x)
}
