package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

// fourierOdd emits a step of any odd radix. Inputs j and radix-j are added and subtracted; the cosines multiply the
// sums, the sines the differences, which lie in room meanwhile: radix/2 times four vectors behind the first input.
func (f floating) fourierOdd(v isa) {
	l := lanewise{f, v}
	name := "fourierOdd" + f.name + v.suffix
	TEXT(name, 4, "func(dstRe, dstIm, srcRe, srcIm, w, roots, room *byte, radix, m, s int)")
	Pragma("noescape")
	Doc(name + " combines an odd number of groups.")
	dstRe, srcRe := Load(Param("dstRe"), GP64()), Load(Param("srcRe"), GP64())
	group := U32(uint32(2 * v.width))
	// distance is how far the imaginary parts are from the real ones
	distance := func(side string) Register {
		im, re := Load(Param(side+"Im"), GP64()), Load(Param(side+"Re"), GP64())
		SUBQ(re, im)
		return im
	}
	step := func(counts ...string) Register {
		r := Load(Param(counts[0]), GP64())
		for _, c := range counts[1:] {
			t := Load(Param(c), GP64())
			IMULQ(t, r)
		}
		SHLQ(Imm(uint64(log2(2*v.width))), r)
		return r
	}
	at := func(p Register, im Register) (Mem, Mem) { return Mem{Base: p}, Mem{Base: p, Index: im, Scale: 1} }
	w := Load(Param("w"), GP64())
	p := Load(Param("m"), GP64())
	Label("outer")
	q := Load(Param("s"), GP64())
	Label("inner")
	{
		in, srcIm := step("m", "s"), distance("src")
		get := func(p Register) pair {
			a, b := at(p, srcIm)
			return pair{l.load(a), l.load(b)}
		}
		to := Load(Param("room"), GP64())
		x0 := get(srcRe)
		f.move(x0.re, Mem{Base: to})
		f.move(x0.im, Mem{Base: to, Disp: v.width})
		low, high, n := GP64(), GP64(), Load(Param("radix"), GP64())
		MOVQ(n, high)
		DECQ(high)
		IMULQ(in, high)
		ADDQ(srcRe, high)
		LEAQ(Mem{Base: srcRe, Index: in, Scale: 1}, low)
		SHRQ(Imm(1), n)
		ADDQ(group, to)
		Label("pairs")
		a, b := get(low), get(high)
		s, d := l.sum(a, b), l.diff(a, b)
		for i, r := range []VecVirtual{s.re, s.im, d.re, d.im} {
			f.move(r, Mem{Base: to, Disp: i * v.width})
		}
		f.add(s.re, x0.re, x0.re)
		f.add(s.im, x0.im, x0.im)
		ADDQ(in, low)
		SUBQ(in, high)
		ADDQ(U32(uint32(4*v.width)), to)
		DECQ(n)
		JNZ(LabelRef("pairs"))
		re, im := at(dstRe, distance("dst"))
		f.move(x0.re, re)
		f.move(x0.im, im)
	}
	out, dstIm := step("s"), distance("dst")
	low, high := GP64(), GP64()
	wLow, wHigh := GP64(), GP64()
	{
		n := Load(Param("radix"), GP64())
		MOVQ(n, high)
		DECQ(high)
		MOVQ(high, wHigh)
		DECQ(wHigh)
		SHLQ(Imm(uint64(log2(2*f.size))), wHigh)
		ADDQ(w, wHigh)
		MOVQ(w, wLow)
		IMULQ(out, high)
		ADDQ(dstRe, high)
		LEAQ(Mem{Base: dstRe, Index: out, Scale: 1}, low)
	}
	roots := Load(Param("roots"), GP64())
	Label("outputs")
	{
		from := Load(Param("room"), GP64())
		c := pair{l.load(Mem{Base: from}), l.load(Mem{Base: from, Disp: v.width})}
		s := pair{l.v.vec(), l.v.vec()}
		VXORPS(s.re, s.re, s.re)
		VXORPS(s.im, s.im, s.im)
		n := Load(Param("radix"), GP64())
		SHRQ(Imm(1), n)
		ADDQ(group, from)
		Label("terms")
		cos, sin := l.each(Mem{Base: roots}), l.each(Mem{Base: roots, Disp: f.size})
		for i, sum := range []VecVirtual{c.re, c.im, s.re, s.im} {
			by := cos
			if i > 1 {
				by = sin
			}
			f.add(l.times(by, Mem{Base: from, Disp: i * v.width}), sum, sum)
		}
		ADDQ(U32(uint32(2*f.size)), roots)
		ADDQ(U32(uint32(4*v.width)), from)
		DECQ(n)
		JNZ(LabelRef("terms"))
		put := func(p, w Register, y pair) {
			y = l.rotated(y, l.each(Mem{Base: w}), l.each(Mem{Base: w, Disp: f.size}))
			re, im := at(p, dstIm)
			f.move(y.re, re)
			f.move(y.im, im)
		}
		a, b := l.turns(c, s)
		put(low, wLow, a)
		put(high, wHigh, b)
		ADDQ(out, low)
		SUBQ(out, high)
		ADDQ(U32(uint32(2*f.size)), wLow)
		SUBQ(U32(uint32(2*f.size)), wHigh)
		CMPQ(low, high)
		JLE(LabelRef("outputs"))
	}
	ADDQ(group, srcRe)
	ADDQ(group, dstRe)
	DECQ(q)
	JNZ(LabelRef("inner"))
	n := Load(Param("radix"), GP64())
	DECQ(n)
	out = step("s")
	IMULQ(n, out)
	ADDQ(out, dstRe)
	SHLQ(Imm(uint64(log2(2*f.size))), n)
	ADDQ(n, w)
	DECQ(p)
	JNZ(LabelRef("outer"))
	VZEROUPPER()
	RET()
}

// fourierTimes emits the multiplication of groups by groups of w.
func (f floating) fourierTimes(v isa) {
	l := lanewise{f, v}
	name := "fourierTimes" + f.name + v.suffix
	TEXT(name, 4, "func(re, im, w *byte, groups int)")
	Doc(name + " multiplies groups by groups.")
	Pragma("noescape")
	re, im, w := Load(Param("re"), GP64()), Load(Param("im"), GP64()), Load(Param("w"), GP64())
	q := Load(Param("groups"), GP64())
	Label("loop")
	wr, wi := l.load(Mem{Base: w}), l.load(Mem{Base: w, Disp: v.width})
	y := l.rotated(pair{l.load(Mem{Base: re}), l.load(Mem{Base: im})}, wr, wi)
	f.move(y.re, Mem{Base: re})
	f.move(y.im, Mem{Base: im})
	for _, r := range []Register{w, re, im} {
		ADDQ(U32(uint32(2*v.width)), r)
	}
	DECQ(q)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// fourierFold emits what makes the transform of real numbers of that of half the length, and the reverse: rows from
// both ends meet in the middle.
func (f floating) fourierFold(v isa) {
	l := lanewise{f, v}
	name := "fourierFold" + f.name + v.suffix
	TEXT(name, 4, "func(low, high, w, factor *byte, pairs, groups int)")
	Pragma("noescape")
	Doc(name + " combines rows from both ends.")
	low, high := Load(Param("low"), GP64()), Load(Param("high"), GP64())
	w, n := Load(Param("w"), GP64()), Load(Param("pairs"), GP64())
	by := l.each(Mem{Base: Load(Param("factor"), GP64())})
	back := Load(Param("groups"), GP64())
	SHLQ(Imm(uint64(log2(2*v.width)+1)), back)
	Label("rows")
	wr, wi := l.each(Mem{Base: w}), l.each(Mem{Base: w, Disp: f.size})
	q := Load(Param("groups"), GP64())
	Label("loop")
	load := func(p Register) pair { return pair{l.load(Mem{Base: p}), l.load(Mem{Base: p, Disp: v.width})} }
	a, b := load(low), load(high)
	er, ei := l.plus(a.re, b.re), l.minus(a.im, b.im)
	u, d := l.plus(a.im, b.im), l.minus(a.re, b.re)
	x, y := l.plus(l.times(u, wr), l.times(d, wi)), l.minus(l.times(d, wr), l.times(u, wi))
	f.move(l.times(l.plus(er, x), by), Mem{Base: low})
	f.move(l.times(l.minus(ei, y), by), Mem{Base: low, Disp: v.width})
	zero := v.vec()
	VXORPS(zero, zero, zero)
	f.move(l.times(l.minus(er, x), by), Mem{Base: high})
	f.move(l.times(l.minus(l.minus(zero, ei), y), by), Mem{Base: high, Disp: v.width})
	ADDQ(U32(uint32(2*v.width)), low)
	ADDQ(U32(uint32(2*v.width)), high)
	DECQ(q)
	JNZ(LabelRef("loop"))
	SUBQ(back, high)
	ADDQ(U32(uint32(2*f.size)), w)
	DECQ(n)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// fourierRows emits a loop over rows of groups on one side and of as many complex numbers on the other.
func (f floating) fourierRows(v isa, name, doc string, body func(dst, src Register, disp, half int)) {
	TEXT(name, 4, "func(dst *byte, dstStep int, src *byte, srcStep int, rows, groups int)")
	Pragma("noescape")
	Doc(name + " " + doc)
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	dstStep, srcStep := Load(Param("dstStep"), GP64()), Load(Param("srcStep"), GP64())
	n := Load(Param("rows"), GP64())
	Label("rows")
	q := Load(Param("groups"), GP64())
	to, from := GP64(), GP64()
	MOVQ(dst, to)
	MOVQ(src, from)
	Label("loop")
	for half := 0; half < v.width; half += 32 {
		body(to, from, 2*half, half)
	}
	ADDQ(U32(uint32(2*v.width)), to)
	ADDQ(U32(uint32(2*v.width)), from)
	DECQ(q)
	JNZ(LabelRef("loop"))
	ADDQ(dstStep, dst)
	ADDQ(srcStep, src)
	DECQ(n)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// fourierSplit emits the separation of complex numbers into groups.
func (f floating) fourierSplit(v isa) {
	f.fourierRows(v, fmt.Sprintf("fourierSplit%s%s", f.name, v.suffix), "separates real and imaginary parts.",
		func(dst, src Register, disp, half int) {
			a, b, re, im := YMM(), YMM(), YMM(), YMM()
			VMOVUPS(Mem{Base: src, Disp: disp}, a)
			VMOVUPS(Mem{Base: src, Disp: disp + 32}, b)
			if f.size == 4 {
				VSHUFPS(Imm(0x88), b, a, re)
				VSHUFPS(Imm(0xdd), b, a, im)
			} else {
				VUNPCKLPD(b, a, re)
				VUNPCKHPD(b, a, im)
			}
			VPERMPD(Imm(0xd8), re, re)
			VPERMPD(Imm(0xd8), im, im)
			VMOVUPS(re, Mem{Base: dst, Disp: half})
			VMOVUPS(im, Mem{Base: dst, Disp: half + v.width})
		})
}

// fourierJoin emits the reverse of fourierSplit.
func (f floating) fourierJoin(v isa) {
	f.fourierRows(v, fmt.Sprintf("fourierJoin%s%s", f.name, v.suffix), "puts real and imaginary parts together.",
		func(dst, src Register, disp, half int) {
			re, im, low, high := YMM(), YMM(), YMM(), YMM()
			VMOVUPS(Mem{Base: src, Disp: half}, re)
			VMOVUPS(Mem{Base: src, Disp: half + v.width}, im)
			if f.size == 4 {
				VUNPCKLPS(im, re, low)
				VUNPCKHPS(im, re, high)
			} else {
				VUNPCKLPD(im, re, low)
				VUNPCKHPD(im, re, high)
			}
			VPERM2F128(Imm(0x20), high, low, re)
			VPERM2F128(Imm(0x31), high, low, im)
			VMOVUPS(re, Mem{Base: dst, Disp: disp})
			VMOVUPS(im, Mem{Base: dst, Disp: disp + 32})
		})
}

// fourierFoldLine emits fourierFold for one line, whose real and imaginary parts lie beside each other: blocks of a
// vector of numbers from low on forwards, and from high on backwards, with as many roots.
func (f floating) fourierFoldLine(v isa) {
	l := lanewise{f, v}
	name := "fourierFoldLine" + f.name + v.suffix
	TEXT(name, 4, "func(low, high, w, factor *byte, blocks int)")
	Pragma("noescape")
	Doc(name + " makes, of pairs of numbers of a transform, those of the transform of real numbers.")
	low, high := Load(Param("low"), GP64()), Load(Param("high"), GP64())
	w, factorAt, n := Load(Param("w"), GP64()), Load(Param("factor"), GP64()), Load(Param("blocks"), GP64())
	factor, sign, zero := l.each(Mem{Base: factorAt}), l.load(l.constant(math.Copysign(0, -1))), v.vec()
	VXORPS(zero, zero, zero)
	negated := func(a VecVirtual) VecVirtual {
		r := v.vec()
		VXORPS(sign, a, r)
		return r
	}
	// minusPlus is a - b for real parts, a + b for imaginary ones
	minusPlus := func(a, b VecVirtual) VecVirtual {
		r := v.vec()
		if f.size == 4 {
			VADDSUBPS(b, a, r)
		} else {
			VADDSUBPD(b, a, r)
		}
		return r
	}
	reverse := func(a VecVirtual) {
		if f.size == 4 {
			VPERMPD(Imm(0x1b), a, a)
		} else {
			VPERM2F128(Imm(1), a, a, a)
		}
	}
	Label("loop")
	a, b := l.load(Mem{Base: low}), l.load(Mem{Base: high})
	reverse(b)
	even, odd := minusPlus(a, negated(b)), minusPlus(a, b)
	re, im, turned := l.load(Mem{Base: w}), v.vec(), v.vec()
	if f.size == 4 {
		VMOVSHDUP(re, im)
		VMOVSLDUP(re, re)
		VPERMILPS(Imm(0xb1), odd, turned)
	} else {
		VPERMILPD(Imm(0xf), re, im)
		VMOVDDUP(re, re)
		VPERMILPD(Imm(0x5), odd, turned)
	}
	t := minusPlus(l.times(turned, re), l.times(odd, negated(im)))
	x := l.times(minusPlus(even, negated(t)), factor)
	mirrored := l.minus(zero, even)
	if f.size == 4 {
		VBLENDPS(Imm(0xaa), mirrored, even, mirrored)
	} else {
		VBLENDPD(Imm(0xa), mirrored, even, mirrored)
	}
	y := l.times(l.minus(mirrored, t), factor)
	reverse(y)
	f.move(x, Mem{Base: low})
	f.move(y, Mem{Base: high})
	ADDQ(Imm(uint64(v.width)), low)
	ADDQ(Imm(uint64(v.width)), w)
	SUBQ(Imm(uint64(v.width)), high)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
