package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// complexRows is gemmRows for complex numbers, which need two sums for each vector of a tile.
func complexRows(v isa) map[int]int {
	if v.avx512 {
		return map[int]int{1: 14, 2: 7, 4: 3}
	}
	return map[int]int{1: 6, 2: 3, 4: 1}
}

// complexKernels emits the micro-kernels of complex numbers, whose parts f is of.
func (f floating) complexKernels(v isa) {
	for _, vecs := range []int{1, 2, 4} {
		for rows := 1; rows <= complexRows(v)[vecs]; rows++ {
			f.complexTile(v, rows, vecs)
		}
	}
	for rows := 1; rows <= 4; rows++ {
		f.complexDots(v, rows)
	}
	f.complexAddRows(v, 1)
	f.complexAddRows(v, 4)
}

// swap exchanges the parts of complex numbers.
func (f floating) swap(src Op, dst VecPhysical) {
	if f.size == 4 {
		VPERMILPS(Imm(0xb1), src, dst)
	} else {
		VPERMILPD(Imm(0x55), src, dst)
	}
}

// join adds i times the numbers in im to those in re, and clobbers im: real parts become re - im, imaginary ones
// re + im, of exchanged parts. ones has ones; AVX2 does not need it.
func (f floating) join(v isa, re, im, ones VecPhysical) {
	f.swap(im, im)
	if v.avx512 {
		f.of(VFMADDSUB213PS, VFMADDSUB213PD)(im, ones, re)
	} else {
		f.of3(VADDSUBPS, VADDSUBPD)(im, re, re)
	}
}

// fillOnes fills a vector with ones.
func (f floating) fillOnes(v isa, r VecPhysical) {
	if !v.avx512 {
		return
	}
	bits := GP64()
	if f.size == 4 {
		MOVQ(U64(0x3f800000), bits)
		VPBROADCASTD(bits.As32(), r)
	} else {
		MOVQ(U64(0x3ff0000000000000), bits)
		VPBROADCASTQ(bits, r)
	}
}

// complexTile emits a micro-kernel of complex numbers. The products of b with the real parts of a and those with the
// imaginary parts are summed apart, and joined at the end, so that nothing is moved within vectors on the way.
func (f floating) complexTile(v isa, rows, vecs int) {
	name := fmt.Sprintf("tile%s%dx%d%s", f.name, rows, vecs, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s computes a tile of %d rows and %d vectors.", name, rows, vecs))
	free := v.registers()
	take := func(n int) []VecPhysical {
		r := free[:n]
		free = free[n:]
		return r
	}
	res, ims := take(rows*vecs), take(rows*vecs)
	t := Load(Param("t"), GP64())
	field := func(at int) Register {
		r := GP64()
		MOVQ(Mem{Base: t, Disp: at}, r)
		return r
	}
	masks := f.columnMasks(v, field, vecs, 2)
	for i := range res {
		zeroVector(v, res[i])
		zeroVector(v, ims[i])
	}
	k, b := field(tileK), field(tileB)
	a, atA := rowsAt(rows, field(tileA), field(tileRowA))
	colA, rowB := field(tileColA), field(tileRowB)
	rest := free
	row := take(vecs)
	elem := take(2)
	Label("loop")
	for j, r := range row {
		m := Mem{Base: b, Disp: j * v.width}
		if v.avx512 {
			f.of3(VMOVUPS_Z, VMOVUPD_Z)(m, masks[j], r)
		} else {
			f.move(m, r)
		}
	}
	for i := range rows {
		for part, sums := range [][]VecPhysical{res, ims} {
			m := atA(a, i)
			m.Disp = part * f.size
			f.broadcast(m, elem[part])
			for j, r := range row {
				f.fma(r, elem[part], sums[i*vecs+j])
			}
		}
	}
	for _, r := range a {
		ADDQ(colA, r)
	}
	ADDQ(rowB, b)
	DECQ(k)
	JNZ(LabelRef("loop"))

	ones := rest[0]
	f.fillOnes(v, ones)
	for i := range res {
		f.join(v, res[i], ims[i], ones)
	}
	alpha := field(tileAlpha)
	TESTQ(alpha, alpha)
	JZ(LabelRef("added"))
	f.broadcast(Mem{Base: alpha}, rest[0])
	f.broadcast(Mem{Base: alpha, Disp: f.size}, rest[1])
	for i := range res {
		f.swap(res[i], ims[i])
		f.mul(rest[1], ims[i], ims[i])
		f.of(VFMADDSUB213PS, VFMADDSUB213PD)(ims[i], rest[0], res[i])
	}
	Label("added")
	end := tileEnd{f, v, rows, vecs, masks, func(i, j int) VecPhysical { return res[i*vecs+j] }, field, f.spread(v)}
	end.put(append(ims[:1:1], rest...), 2)
}

// spread returns what fills a vector with one complex number.
func (f floating) spread(v isa) func(m Mem, r VecPhysical) {
	return func(m Mem, r VecPhysical) {
		switch {
		case f.size == 4:
			VBROADCASTSD(m, r)
		case v.avx512:
			VBROADCASTF64X2(m, r)
		default:
			VBROADCASTF128(m, r)
		}
	}
}

// complexDots emits the sums of products of rows of a with a row of b.
func (f floating) complexDots(v isa, rows int) {
	name := fmt.Sprintf("dots%s%dx1%s", f.name, rows, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s multiplies %d rows by 1.", name, rows))
	unroll := max(1, 2/rows)
	regs := v.registers()
	take := func(n int) []VecPhysical {
		r := regs[:n]
		regs = regs[n:]
		return r
	}
	res, ims := take(unroll*rows), take(unroll*rows)
	x, swapped, y := take(1)[0], take(1)[0], take(1)[0]
	for i := range res {
		zeroVector(v, res[i])
		zeroVector(v, ims[i])
	}
	t := Load(Param("t"), GP64())
	field := func(at int) Register {
		r := GP64()
		MOVQ(Mem{Base: t, Disp: at}, r)
		return r
	}
	n := field(tileK)
	ADDQ(n, n)
	as, atA := rowsAt(rows, field(tileA), field(tileRowA))
	b := field(tileB)
	step := func(u, disp int, load func(m Mem, r VecPhysical)) {
		load(Mem{Base: b, Disp: disp}, x)
		f.swap(x, swapped)
		for i := range rows {
			m := atA(as, i)
			m.Disp = disp
			load(m, y)
			f.fma(y, x, res[u*rows+i])
			f.fma(y, swapped, ims[u*rows+i])
		}
	}
	walk := &cursor{v, f.size, []Register{as[0], b}, n}
	loop := func(label string, unroll int) {
		walk.while(label, unroll*v.width/f.size, func() {
			for u := range unroll {
				step(u, u*v.width, func(m Mem, r VecPhysical) { f.move(m, r) })
			}
		})
	}
	if unroll > 1 {
		loop("blocks", unroll)
	}
	loop("vectors", 1)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	load, _ := f.tail(v, n, take(1)[0])
	step(0, 0, load)
	Label("done")
	c := field(tileC)
	for i := range rows {
		for part, sums := range [][]VecPhysical{res, ims} {
			for u := 1; u < unroll; u++ {
				f.add(sums[u*rows+i], sums[i], sums[i])
			}
			s := sums[i].(Vec)
			if v.avx512 {
				VEXTRACTF64X4(Imm(1), s.AsZ(), y.(Vec).AsY())
				f.add(y.(Vec).AsY(), s.AsY(), s.AsY())
			}
			VEXTRACTF128(Imm(1), s.AsY(), y.(Vec).AsX())
			f.add(y.(Vec).AsX(), s.AsX(), s.AsX())
			// what is left are one or two numbers; in re their parts are to be subtracted, in im to be added
			if f.size == 4 {
				VMOVHLPS(s.AsX(), s.AsX(), y.(Vec).AsX())
				VADDPS(y.(Vec).AsX(), s.AsX(), s.AsX())
				VMOVSHDUP(s.AsX(), y.(Vec).AsX())
			} else {
				VUNPCKHPD(s.AsX(), s.AsX(), y.(Vec).AsX())
			}
			m := Mem{Base: c, Disp: (2*i + part) * f.size}
			switch {
			case part == 0 && f.size == 4:
				VSUBSS(y.(Vec).AsX(), s.AsX(), s.AsX())
				VMOVSS(s.AsX(), m)
			case part == 0:
				VSUBSD(y.(Vec).AsX(), s.AsX(), s.AsX())
				VMOVSD(s.AsX(), m)
			case f.size == 4:
				VADDSS(y.(Vec).AsX(), s.AsX(), s.AsX())
				VMOVSS(s.AsX(), m)
			default:
				VADDSD(y.(Vec).AsX(), s.AsX(), s.AsX())
				VMOVSD(s.AsX(), m)
			}
		}
	}
	VZEROUPPER()
	RET()
}

// complexAddRows emits y += x[0]*w[0] + … for rows of w; n is the number of complex numbers.
func (f floating) complexAddRows(v isa, rows int) {
	name := fmt.Sprintf("addRows%s%d%s", f.name, rows, v.suffix)
	TEXT(name, 4, "func(y, w *byte, rowW int, x *byte, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds multiples of %d rows of w to y.", name, rows))
	y := Load(Param("y"), GP64())
	ws, atW := rowsAt(rows, Load(Param("w"), GP64()), Load(Param("rowW"), GP64()))
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	ADDQ(n, n)
	regs := v.registers()
	re, im, sum, other, tmp, ones := regs[:rows], regs[rows:2*rows], regs[2*rows:2*rows+2], regs[2*rows+2:2*rows+4],
		regs[2*rows+4], regs[2*rows+6]
	f.fillOnes(v, ones)
	for i := range rows {
		f.broadcast(Mem{Base: x, Disp: 2 * i * f.size}, re[i])
		f.broadcast(Mem{Base: x, Disp: (2*i + 1) * f.size}, im[i])
	}
	step := func(u int, load func(Mem, VecPhysical), store func(VecPhysical, Mem)) {
		load(Mem{Base: y, Disp: u * v.width}, sum[u])
		for i := range rows {
			m := atW(ws, i)
			m.Disp = u * v.width
			load(m, tmp)
			f.fma(tmp, re[i], sum[u])
			if i == 0 {
				f.mul(tmp, im[i], other[u])
			} else {
				f.fma(tmp, im[i], other[u])
			}
		}
		f.join(v, sum[u], other[u], ones)
		store(sum[u], Mem{Base: y, Disp: u * v.width})
	}
	walk := &cursor{v, f.size, []Register{y, ws[0]}, n}
	loop := func(label string, unroll int) {
		walk.while(label, unroll*v.width/f.size, func() {
			for u := range unroll {
				step(u, func(m Mem, r VecPhysical) { f.move(m, r) }, func(r VecPhysical, m Mem) { f.move(r, m) })
			}
		})
	}
	loop("blocks", 2)
	loop("vectors", 1)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	load, store := f.tail(v, n, regs[2*rows+5])
	step(0, load, store)
	Label("done")
	VZEROUPPER()
	RET()
}
