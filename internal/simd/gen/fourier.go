package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["fourier"] = fourier }

// fourier emits steps of Fourier transforms of lines that lie side by side, lane by lane. A group is a vector of real
// parts and one of imaginary parts. No operation is fused, so that all levels have the same bits. They are for AVX2
// alone: wider ones would split long lines in another way, and have other bits.
func fourier() {
	for _, v := range isas[:1] {
		for _, f := range []floating{{size: 4, name: "Float32"}, {size: 8, name: "Float64"}} {
			for _, radix := range []int{2, 3, 4, 5} {
				f.fourierStep(v, radix, true)
				f.fourierStep(v, radix, false)
			}
			f.fourierOdd(v)
			f.fourierTimes(v)
			f.fourierFold(v)
			f.fourierFoldLine(v)
			f.fourierSplit(v)
			f.fourierJoin(v)
		}
	}
}

func (f floating) sub(ops ...Op) { f.of(VSUBPS, VSUBPD)(ops...) }

// pair is a group in registers.
type pair struct{ re, im VecVirtual }

// lanewise makes vectors and computes with them.
type lanewise struct {
	floating
	v isa
}

func (l lanewise) load(m Mem) VecVirtual {
	r := l.v.vec()
	l.move(m, r)
	return r
}

func (l lanewise) each(m Mem) VecVirtual {
	r := l.v.vec()
	l.of(VBROADCASTSS, VBROADCASTSD)(m, r)
	return r
}

func (l lanewise) plus(a, b VecVirtual) VecVirtual {
	r := l.v.vec()
	l.add(b, a, r)
	return r
}

func (l lanewise) minus(a, b VecVirtual) VecVirtual {
	r := l.v.vec()
	l.sub(b, a, r)
	return r
}

// times is a·b, b in a register or in memory.
func (l lanewise) times(a VecVirtual, b Op) VecVirtual {
	r := l.v.vec()
	l.mul(b, a, r)
	return r
}

// rotated is a·w for w, a broadcast number or a group, at re and im.
func (l lanewise) rotated(a pair, re, im VecVirtual) pair {
	x := l.minus(l.times(a.re, re), l.times(a.im, im))
	return pair{x, l.plus(l.times(a.re, im), l.times(a.im, re))}
}

// constant is a vector of one number in memory.
func (l lanewise) constant(x float64) Mem {
	key := fmt.Sprintf("fourier_%d_%x", l.size, math.Float64bits(x))
	if m, ok := fourierConstants[key]; ok {
		return m
	}
	m := GLOBL(key, 8|16)
	for at := 0; at < 64; at += l.size {
		if l.size == 4 {
			DATA(at, U32(math.Float32bits(float32(x))))
		} else {
			DATA(at, U64(math.Float64bits(x)))
		}
	}
	fourierConstants[key] = m
	return m
}

var fourierConstants = map[string]Mem{}

// across returns the operands p + i·step for i from 0 to 4.
func across(p, step, step3 Register, i int) Mem {
	switch i {
	case 0:
		return Mem{Base: p}
	case 3:
		return Mem{Base: p, Index: step3, Scale: 1}
	}
	return Mem{Base: p, Index: step, Scale: uint8(i)}
}

// fourierStep emits a step of one radix: inputs m·s groups apart, outputs s groups apart; s groups have the same
// twiddles, and there are m of these. The last step, of m = 1, has none.
func (f floating) fourierStep(v isa, radix int, twiddled bool) {
	l := lanewise{f, v}
	name := fmt.Sprintf("fourierStep%d%s%s", radix, f.name, v.suffix)
	if !twiddled {
		name = fmt.Sprintf("fourierLast%d%s%s", radix, f.name, v.suffix)
	}
	TEXT(name, 4, "func(dstRe, dstIm, srcRe, srcIm, w *byte, m, s int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s combines %d groups.", name, radix))
	dstRe, dstIm := Load(Param("dstRe"), GP64()), Load(Param("dstIm"), GP64())
	srcRe, srcIm := Load(Param("srcRe"), GP64()), Load(Param("srcIm"), GP64())
	w, p := Load(Param("w"), GP64()), Load(Param("m"), GP64())
	in, in3, out, out3, q := GP64(), GP64(), GP64(), GP64(), GP64()
	Load(Param("s"), out)
	SHLQ(Imm(uint64(log2(2*v.width))), out)
	MOVQ(out, in)
	IMULQ(p, in)
	LEAQ(Mem{Base: in, Index: in, Scale: 2}, in3)
	LEAQ(Mem{Base: out, Index: out, Scale: 2}, out3)
	Label("outer")
	Load(Param("s"), q)
	Label("inner")
	x := make([]pair, radix)
	get := func(i int) { x[i] = pair{l.load(across(srcRe, in, in3, i)), l.load(across(srcIm, in, in3, i))} }
	put := func(i int, y pair) {
		if twiddled && i > 0 {
			at := Mem{Base: w, Disp: 2 * (i - 1) * f.size}
			re := l.each(at)
			at.Disp += f.size
			y = l.rotated(y, re, l.each(at))
		}
		f.move(y.re, across(dstRe, out, out3, i))
		f.move(y.im, across(dstIm, out, out3, i))
	}
	for i := range radix {
		get(i)
	}
	l.butterfly(x, put)
	for _, r := range []Register{dstRe, dstIm, srcRe, srcIm} {
		ADDQ(U32(uint32(2*v.width)), r)
	}
	DECQ(q)
	JNZ(LabelRef("inner"))
	if twiddled {
		for _, r := range []Register{dstRe, dstIm} {
			for range (radix - 1) / 3 {
				ADDQ(out3, r)
			}
			for range (radix - 1) % 3 {
				ADDQ(out, r)
			}
		}
		ADDQ(U32(uint32(2*(radix-1)*f.size)), w)
		DECQ(p)
		JNZ(LabelRef("outer"))
	}
	VZEROUPPER()
	RET()
}

func (l lanewise) sum(a, b pair) pair  { return pair{l.plus(a.re, b.re), l.plus(a.im, b.im)} }
func (l lanewise) diff(a, b pair) pair { return pair{l.minus(a.re, b.re), l.minus(a.im, b.im)} }

// turns returns a - i·b and a + i·b.
func (l lanewise) turns(a, b pair) (minus, plus pair) {
	return pair{l.plus(a.re, b.im), l.minus(a.im, b.re)}, pair{l.minus(a.re, b.im), l.plus(a.im, b.re)}
}

func (l lanewise) scaled(a pair, by Mem) pair { return pair{l.times(a.re, by), l.times(a.im, by)} }

// butterfly puts the transform of x.
func (l lanewise) butterfly(x []pair, put func(i int, y pair)) {
	switch len(x) {
	case 2:
		put(0, l.sum(x[0], x[1]))
		put(1, l.diff(x[0], x[1]))
	case 3:
		sum, diff := l.sum(x[1], x[2]), l.diff(x[1], x[2])
		put(0, l.sum(x[0], sum))
		mid := l.diff(x[0], l.scaled(sum, l.constant(0.5)))
		a, b := l.turns(mid, l.scaled(diff, l.constant(math.Sqrt(3)/2)))
		put(1, a)
		put(2, b)
	case 4:
		p, q := l.sum(x[0], x[2]), l.diff(x[0], x[2])
		r, t := l.sum(x[1], x[3]), l.diff(x[1], x[3])
		put(0, l.sum(p, r))
		put(2, l.diff(p, r))
		a, b := l.turns(q, t)
		put(1, a)
		put(3, b)
	case 5:
		cos1, sin1 := l.constant(0.3090169943749474241022934171828190588602),
			l.constant(0.9510565162951535721164393333793821434057)
		cos2, sin2 := l.constant(-0.8090169943749474241022934171828190588602),
			l.constant(0.5877852522924731291687059546390727685977)
		a, d := l.sum(x[1], x[4]), l.diff(x[1], x[4])
		b, e := l.sum(x[2], x[3]), l.diff(x[2], x[3])
		put(0, l.sum(l.sum(x[0], a), b))
		m1 := l.sum(l.sum(x[0], l.scaled(a, cos1)), l.scaled(b, cos2))
		m2 := l.sum(l.sum(x[0], l.scaled(a, cos2)), l.scaled(b, cos1))
		y1, y4 := l.turns(m1, l.sum(l.scaled(d, sin1), l.scaled(e, sin2)))
		put(1, y1)
		put(4, y4)
		y2, y3 := l.turns(m2, l.diff(l.scaled(d, sin2), l.scaled(e, sin1)))
		put(2, y2)
		put(3, y3)
	}
}
