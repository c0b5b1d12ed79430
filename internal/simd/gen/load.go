package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// narrow is the part of a vector register that n bytes fill.
func narrow(r Op, n int) Op {
	v := r.(VecPhysical)
	switch {
	case n >= 64:
		return v.AsZ()
	case n >= 32:
		return v.AsY()
	}
	return v.AsX()
}

// loadRaw loads as many elements of size bytes as the expression has lanes.
func (o *io) loadRaw(m Mem, size int, r Op) {
	n := o.e.lanes() * size
	r = narrow(r, n)
	switch {
	case o.masked:
		map[int]func(a, b, c Op){1: VMOVDQU8_Z, 2: VMOVDQU16_Z, 4: VMOVDQU32_Z, 8: VMOVDQU64_Z}[size](m, K1, r)
	case n >= 16:
		VMOVUPS(m, r)
	case n == 8:
		VMOVQ(m, r)
	default:
		VMOVD(m, r)
	}
}

// storeRaw is the other direction.
func (o *io) storeRaw(r Op, size int, m Mem) {
	n := o.e.lanes() * size
	r = narrow(r, n)
	switch {
	case o.masked:
		map[int]func(...Op){1: VMOVDQU8, 2: VMOVDQU16, 4: VMOVDQU32, 8: VMOVDQU64}[size](r, K1, m)
	case n >= 16:
		VMOVUPS(r, m)
	case n == 8:
		VMOVQ(r, m)
	default:
		VMOVD(r, m)
	}
}

// input is operand i, elements of t, converted to the lanes' type; bools become masks.
func (e *expr) input(i int, t elem) *node {
	raw := func(then ...func(r Op)) *node {
		return e.node(func(n *node) {
			e.io.loadRaw(e.io.at(e.io.in[i], t.size), t.size, n.reg)
			for _, f := range then {
				f(n.reg)
			}
		})
	}
	via := func(bytes int, f func(...Op)) func(Op) { return func(r Op) { f(narrow(r, bytes), r) } }
	lanes := e.lanes()
	switch {
	case t == bit8:
		return e.truth(raw())
	case t == e.lane, !e.lane.float && e.lane.size == t.size:
		return raw()
	}
	widen := e.widening(t)
	switch e.lane {
	case f32:
		switch t {
		case f16:
			return raw(via(2*lanes, VCVTPH2PS))
		case bf16:
			return raw(via(2*lanes, VPMOVZXWD), func(r Op) { VPSLLD(Imm(16), r, r) })
		case i32:
			return raw(func(r Op) { VCVTDQ2PS(r, r) })
		}
		return raw(via(t.size*lanes, widen), func(r Op) { VCVTDQ2PS(r, r) })
	case f64:
		switch t {
		case f32:
			return raw(via(4*lanes, VCVTPS2PD))
		case f16:
			return raw(func(r Op) { VCVTPH2PS(narrow(r, 2*lanes), narrow(r, 4*lanes)) }, via(4*lanes, VCVTPS2PD))
		case bf16:
			return raw(func(r Op) {
				single := narrow(r, 4*lanes)
				VPMOVZXWD(narrow(r, 2*lanes), single)
				VPSLLD(Imm(16), single, single)
			}, via(4*lanes, VCVTPS2PD))
		case i64:
			return raw(func(r Op) { VCVTQQ2PD(r, r) })
		case i32:
			return raw(via(4*lanes, VCVTDQ2PD))
		}
		half := elem{size: 4, signed: true, name: "int32"}
		widen = (&expr{v: e.v, lane: half}).widening(t)
		return raw(func(r Op) { widen(narrow(r, t.size*lanes), narrow(r, 4*lanes)) }, via(4*lanes, VCVTDQ2PD))
	}
	return raw(via(t.size*lanes, widen))
}

// widening is the instruction that extends integers of t to the lanes' size.
func (e *expr) widening(t elem) func(...Op) {
	type from struct {
		size   int
		signed bool
	}
	k := from{t.size, t.signed}
	switch e.lane.size {
	case 2:
		return map[from]func(...Op){{1, true}: VPMOVSXBW, {1, false}: VPMOVZXBW}[k]
	case 4:
		return map[from]func(...Op){{1, true}: VPMOVSXBD, {1, false}: VPMOVZXBD, {2, true}: VPMOVSXWD, {2, false}: VPMOVZXWD}[k]
	}
	return map[from]func(...Op){{1, true}: VPMOVSXBQ, {1, false}: VPMOVZXBQ, {2, true}: VPMOVSXWQ, {2, false}: VPMOVZXWQ, {4, true}: VPMOVSXDQ}[k]
}

// truth makes a mask of one byte for each lane.
func (e *expr) truth(x *node) *node {
	if e.v.avx512 {
		return e.maskNode(func(n *node) { r := narrow(x.reg, e.lanes()); VPTESTMB(r, r, n.reg) }, x)
	}
	z := e.inReg(e.bits(0))
	widen := e.widening(u8)
	greater := e.bySize(VPCMPGTB, VPCMPGTW, VPCMPGTD, VPCMPGTQ)
	if e.lane.size == 1 {
		return e.mnot(e.maskNode(func(n *node) { VPCMPEQB(z.reg, x.reg, n.reg) }, x, z))
	}
	return e.maskNode(func(n *node) {
		widen(narrow(x.reg, 16), n.reg)
		greater(z.reg, n.reg, n.reg)
	}, x, z)
}

// output stores x, converted to t: masks become bools.
func (e *expr) output(x *node, t elem) {
	lanes := e.lanes()
	store := func(r Op) { e.io.storeRaw(r, t.size, e.io.at(e.io.dst, t.size)) }
	// convert is an instruction from a vector to one of bytes bytes.
	convert := func(bytes int, f func(...Op)) *node {
		return e.node(func(n *node) { f(x.reg, narrow(n.reg, bytes)); store(n.reg) }, x)
	}
	if x.mask {
		e.storeMask(x, store)
		return
	}
	x = e.inReg(x)
	switch {
	case t == e.lane, e.lane.size == t.size && t.float == e.lane.float:
		e.node(func(n *node) { store(x.reg) }, x)
	case e.lane == f32 && t == f16:
		e.node(func(n *node) { VCVTPS2PH(Imm(0), x.reg, narrow(n.reg, 2*lanes)); store(n.reg) }, x)
	case e.lane == f32 && t == i32:
		convert(e.v.width, VCVTTPS2DQ)
	case e.lane == f64 && t == f32:
		convert(4*lanes, e.sized(VCVTPD2PSY, VCVTPD2PS))
	case e.lane == f64 && t == i32:
		convert(4*lanes, e.sized(VCVTTPD2DQY, VCVTTPD2DQ))
	case e.lane == f64 && t == i64:
		convert(e.v.width, VCVTTPD2QQ)
	case e.lane == i64 && t == f64:
		convert(e.v.width, VCVTQQ2PD)
	case e.lane == i64 && t == f32:
		convert(4*lanes, VCVTQQ2PS)
	default: // integers to narrower ones
		e.narrowing(x, t, store)
	}
}

// sized chooses between the forms of AVX2 and AVX-512 of an instruction whose source is as wide as a vector.
func (e *expr) sized(avx2, avx512 func(...Op)) func(...Op) {
	if e.v.avx512 {
		return avx512
	}
	return avx2
}

// narrowing drops the upper bits of integers.
func (e *expr) narrowing(x *node, t elem, store func(Op)) {
	lanes := e.lanes()
	if e.v.avx512 {
		f := map[[2]int]func(...Op){{8, 4}: VPMOVQD, {8, 2}: VPMOVQW, {8, 1}: VPMOVQB, {4, 2}: VPMOVDW, {4, 1}: VPMOVDB, {2, 1}: VPMOVWB}[[2]int{e.lane.size, t.size}]
		e.node(func(n *node) { f(x.reg, narrow(n.reg, t.size*lanes)); store(n.reg) }, x)
		return
	}
	// Shuffle the low bytes of each half together, then the halves.
	var shuffle [16]byte
	for i := range shuffle {
		shuffle[i] = 0x80
	}
	per := 16 / e.lane.size
	for i := range per {
		for j := range t.size {
			shuffle[i*t.size+j] = byte(i*e.lane.size + j)
		}
	}
	m := shuffleConstant(shuffle)
	half := per * t.size // bytes that a half fills: 8, 4 or 2
	n := e.node(func(n *node) {
		r := n.reg
		VPSHUFB(m, x.reg, r)
		hi := e.scratch()
		VEXTRACTI128(Imm(1), r, hi)
		lo := narrow(r, 16)
		switch half {
		case 8:
			VPUNPCKLQDQ(hi, lo, lo)
		case 4:
			VPUNPCKLDQ(hi, lo, lo)
		default:
			VPUNPCKLWD(hi, lo, lo)
		}
		store(r)
	}, x)
	_ = n
}

// scratch is a register that no node has, for a few instructions within one node; AVX2 alone.
func (e *expr) scratch() Op { return X15 }

var shuffles = map[[16]byte]Mem{}

func shuffleConstant(b [16]byte) Mem {
	if m, ok := shuffles[b]; ok {
		return m
	}
	m := GLOBL("shuffle_"+hex(b[:]), 8|16)
	for half := range 2 {
		for i := range 2 {
			var v uint64
			for j := range 8 {
				v |= uint64(b[8*i+j]) << (8 * j)
			}
			DATA(16*half+8*i, U64(v))
		}
	}
	shuffles[b] = m
	return m
}

func hex(b []byte) string {
	const digits = "0123456789abcdef"
	var s []byte
	for _, c := range b {
		s = append(s, digits[c>>4], digits[c&15])
	}
	return string(s)
}

// storeMask stores a mask as bytes of 0 and 1.
func (e *expr) storeMask(x *node, store func(Op)) {
	lanes := e.lanes()
	if e.v.avx512 {
		one := &node{konst: true, bits: 0x0101010101010101, pin: true}
		if e.lane.size < 8 {
			one.bits &= 1<<(8*e.lane.size) - 1
		}
		if have := e.consts[one.bits]; have != nil {
			one = have
			one.pin = true
		} else {
			e.consts[one.bits] = one
		}
		e.node(func(n *node) { VMOVDQU8_Z(narrow(one.reg, lanes), x.reg, narrow(n.reg, lanes)); store(n.reg) }, x, one)
		return
	}
	bits := uint64(1)
	one := e.bits(bits)
	y := e.node(func(n *node) { VPAND(one.reg, x.reg, n.reg) }, x, one)
	if e.lane.size == 1 {
		e.node(func(n *node) { store(y.reg) }, y)
		return
	}
	e.narrowing(y, bit8, store)
}
