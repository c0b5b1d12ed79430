package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["window"] = window }

// Offsets of the fields of RowTile.
const (
	rowX, rowRowX, rowY, rowRowY  = 0, 8, 16, 24
	rowW, rowOff, rowIndex        = 32, 40, 48
	rowTaps, rowRows, rowCols     = 56, 64, 72
	rowAdd, rowFound, rowPosition = 80, 88, 96
)

// window emits kernels whose windows slide over rows: filters of one channel, their gradients, maxima.
func window() {
	for _, v := range isas {
		for _, f := range []floating{{size: 4, name: "Float32"}, {size: 8, name: "Float64"}} {
			for vecs := 1; vecs <= 4; vecs++ {
				f.filterRows(v, vecs)
			}
			for taps := 1; taps <= 4; taps++ {
				f.dotRows(v, taps)
			}
		}
		copyRows(v)
		interleave(v)
		for stride := 1; stride <= 2; stride++ {
			maxRows(v, stride)
			maxRowsOnly(v, stride)
		}
	}
}

// rowField reads a field of the tile.
func rowField(t Register, at int) Register {
	r := GP64()
	MOVQ(Mem{Base: t, Disp: at}, r)
	return r
}

func (f floating) virtual(v isa) (load func(m Mem, r VecVirtual), fma func(a, b Op, sum VecVirtual)) {
	return func(m Mem, r VecVirtual) { f.of(VMOVUPS, VMOVUPD)(m, r) },
		func(a, b Op, sum VecVirtual) { f.of(VFMADD231PS, VFMADD231PD)(a, b, sum) }
}

// filterRows emits rows of vecs vectors of sums of taps.
func (f floating) filterRows(v isa, vecs int) {
	name := fmt.Sprintf("filterRows%s%d%s", f.name, vecs, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s sums the taps of rows of %d vectors.", name, vecs))
	load, fma := f.virtual(v)
	t := Load(Param("t"), GP64())
	x, y, rows := rowField(t, rowX), rowField(t, rowY), rowField(t, rowRows)
	stepX, stepY := rowField(t, rowRowX), rowField(t, rowRowY)
	rest := rowField(t, rowCols)
	SUBQ(Imm(uint64((vecs-1)*v.width/f.size)), rest)
	last := v.newTail(rest, f.size)
	sums, w := v.vecs(vecs), v.vec()
	Label("rows")
	add := rowField(t, rowAdd)
	CMPQ(add, Imm(1))
	JL(LabelRef("zero"))
	JG(LabelRef("sum"))
	bias := rowField(t, rowIndex)
	f.of(VBROADCASTSS, VBROADCASTSD)(Mem{Base: bias}, sums[0])
	for _, s := range sums[1:] {
		f.of(VMOVAPS, VMOVAPD)(sums[0], s)
	}
	JMP(LabelRef("taps"))
	Label("sum")
	for i, s := range sums {
		if m := (Mem{Base: y, Disp: i * v.width}); i < vecs-1 {
			load(m, s)
		} else {
			last.load(m, s)
		}
	}
	JMP(LabelRef("taps"))
	Label("zero")
	for _, s := range sums {
		VXORPS(s, s, s)
	}
	Label("taps")
	off, ws, n := rowField(t, rowOff), rowField(t, rowW), rowField(t, rowTaps)
	at := GP64()
	Label("loop")
	MOVLQSX(Mem{Base: off}, at)
	f.of(VBROADCASTSS, VBROADCASTSD)(Mem{Base: ws}, w)
	for i, s := range sums {
		fma(Mem{Base: x, Index: at, Scale: 1, Disp: i * v.width}, w, s)
	}
	ADDQ(Imm(4), off)
	ADDQ(Imm(uint64(f.size)), ws)
	DECQ(n)
	JNZ(LabelRef("loop"))
	for i, s := range sums {
		if m := (Mem{Base: y, Disp: i * v.width}); i < vecs-1 {
			f.of(VMOVUPS, VMOVUPD)(s, m)
		} else {
			last.store(s, m)
		}
	}
	ADDQ(stepX, x)
	ADDQ(stepY, y)
	DECQ(rows)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// dotRows emits, for each tap, the sum over rows of the products of what it reads with rows of y.
func (f floating) dotRows(v isa, taps int) {
	name := fmt.Sprintf("dotRows%s%d%s", f.name, taps, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s multiplies what %d taps read by rows.", name, taps))
	load, fma := f.virtual(v)
	t := Load(Param("t"), GP64())
	x, y, rows := rowField(t, rowX), rowField(t, rowY), rowField(t, rowRows)
	off := rowField(t, rowOff)
	offs := make([]Register, taps)
	for q := range offs {
		offs[q] = GP64()
		MOVLQSX(Mem{Base: off, Disp: 4 * q}, offs[q])
	}
	lanes := v.width / f.size
	cols, rest := rowField(t, rowCols), GP64()
	MOVQ(cols, rest)
	ANDQ(Imm(uint64(lanes-1)), rest)
	last := v.newTail(rest, f.size)
	SUBQ(rest, cols)
	SHLQ(Imm(uint64(log2(f.size))), cols)
	sums, b, a := v.vecs(taps), v.vec(), v.vec()
	for _, s := range sums {
		VXORPS(s, s, s)
	}
	Label("rows")
	j := GP64()
	XORQ(j, j)
	xj := GP64()
	MOVQ(x, xj)
	Label("loop")
	CMPQ(j, cols)
	JGE(LabelRef("tail"))
	load(Mem{Base: y, Index: j, Scale: 1}, b)
	for q, s := range sums {
		fma(Mem{Base: xj, Index: offs[q], Scale: 1}, b, s)
	}
	ADDQ(Imm(uint64(v.width)), j)
	ADDQ(Imm(uint64(v.width)), xj)
	JMP(LabelRef("loop"))
	Label("tail")
	TESTQ(rest, rest)
	JZ(LabelRef("next"))
	last.load(Mem{Base: y, Index: j, Scale: 1}, b)
	for q, s := range sums {
		last.load(Mem{Base: xj, Index: offs[q], Scale: 1}, a)
		fma(a, b, s)
	}
	Label("next")
	step := rowField(t, rowRowX)
	ADDQ(step, x)
	MOVQ(Mem{Base: t, Disp: rowRowY}, step)
	ADDQ(step, y)
	DECQ(rows)
	JNZ(LabelRef("rows"))
	c := rowField(t, rowW)
	for q, s := range sums {
		if v.avx512 {
			VEXTRACTF64X4(Imm(1), s.AsZ(), a.AsY())
			f.add(a.AsY(), s.AsY(), s.AsY())
		}
		VEXTRACTF128(Imm(1), s.AsY(), a.AsX())
		f.add(a.AsX(), s.AsX(), s.AsX())
		if f.size == 4 {
			VHADDPS(s.AsX(), s.AsX(), s.AsX())
			VHADDPS(s.AsX(), s.AsX(), s.AsX())
			VMOVSS(s.AsX(), Mem{Base: c, Disp: q * f.size})
		} else {
			VHADDPD(s.AsX(), s.AsX(), s.AsX())
			VMOVSD(s.AsX(), Mem{Base: c, Disp: q * f.size})
		}
	}
	VZEROUPPER()
	RET()
}

// maxRows emits the greatest of what taps read, and which: the first of equals, the last NaN before all others. The
// AVX2 form computes whole vectors only.
func maxRows(v isa, stride int) {
	name := fmt.Sprintf("maxRowsFloat32%d%s", stride, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s finds the greatest of windows %d apart.", name, stride))
	lanes := v.width / 4
	t := Load(Param("t"), GP64())
	x, y, found, n := rowField(t, rowX), rowField(t, rowY), rowField(t, rowFound), rowField(t, rowCols)
	position, step, low := v.vec(), v.vec(), v.vec()
	VPBROADCASTD(Mem{Base: t, Disp: rowPosition}, position)
	lane := GLOBL(fmt.Sprintf("max_lanes%d%s", stride, v.suffix), 8|16)
	for i := range lanes {
		DATA(4*i, U32(uint32(i*stride)))
	}
	VPADDD(lane, position, position)
	bits := GP64()
	MOVQ(U64(uint64(lanes*stride)), bits)
	spread := func(r VecVirtual) {
		VMOVD(bits.As32(), r.AsX())
		VPBROADCASTD(r.AsX(), r)
	}
	spread(step)
	MOVQ(U64(0xff800000), bits)
	spread(low)
	var evens VecVirtual
	if stride == 2 && v.avx512 {
		at := GLOBL("max_evens", 8|16)
		for i := range 16 {
			DATA(4*i, U32(uint32(2*i+i/8))) // the second vector begins with the last element of the first
		}
		evens = v.vec()
		VMOVDQU32(at, evens)
	}
	best, which, a, b := v.vec(), v.vec(), v.vec(), v.vec()
	kY, kY2, k1, k2, kA, kB := K(), K(), K(), K(), K(), K()
	if v.avx512 {
		MOVQ(I64(-1), bits)
		KMOVQ(bits, kY)
		KMOVQ(bits, kA)
		KMOVQ(bits, kB)
		SHRQ(Imm(56), bits)
		KMOVQ(bits, kY2)
	}
	off, index, taps, at := GP64(), GP64(), GP64(), GP64()
	Label("loop")
	CMPQ(n, Imm(uint64(lanes)))
	JGE(LabelRef("whole"))
	if v.avx512 {
		TESTQ(n, n)
		JZ(LabelRef("done"))
		count := GP64()
		MOVQ(I64(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVQ(bits, kY)
		MOVQ(bits, count)
		SHRQ(Imm(8), count)
		KMOVQ(count, kY2)
		MOVQ(n, count)
		if stride == 2 {
			LEAQ(Mem{Base: n, Index: n, Scale: 1, Disp: -1}, count)
		}
		MOVQ(I64(-1), bits)
		BZHIQ(count, bits, bits)
		KMOVQ(bits, kA)
		SHRQ(Imm(15), bits)
		KMOVQ(bits, kB)
		MOVQ(U64(uint64(lanes)), n)
	} else {
		JMP(LabelRef("done"))
	}
	Label("whole")
	MOVQ(Mem{Base: t, Disp: rowOff}, off)
	MOVQ(Mem{Base: t, Disp: rowIndex}, index)
	MOVQ(Mem{Base: t, Disp: rowTaps}, taps)
	VMOVAPS(low, best)
	VPBROADCASTD(Mem{Base: index}, which)
	Label("taps")
	MOVLQSX(Mem{Base: off}, at)
	m := Mem{Base: x, Index: at, Scale: 1}
	m2 := m
	m2.Disp = v.width - 4 // it ends with the last window
	switch {
	case v.avx512:
		VMOVUPS_Z(m, kA, a)
		if stride == 2 {
			VMOVUPS_Z(m2, kB, b)
			moved := v.vec()
			VMOVAPS(evens, moved)
			VPERMI2PS(b, a, moved)
			VMOVAPS(moved, a)
		}
	case stride == 2:
		VMOVUPS(m, a)
		VMOVUPS(m2, b)
		VSHUFPS(Imm(0xd8), b, a, a) // 0 2 of a, 1 3 of b
		VPERMPD(Imm(0xd8), a, a)
	default:
		VMOVUPS(m, a)
	}
	if v.avx512 {
		VCMPPS(Imm(0x11), a, best, k1)
		VCMPPS(Imm(3), a, a, k2)
		KORW(k1, k2, k1)
		VMOVAPS(a, k1, best)
		VPBROADCASTD(Mem{Base: index}, k1, which)
	} else {
		gt, nan := v.vec(), v.vec()
		VCMPPS(Imm(0x11), a, best, gt)
		VCMPPS(Imm(3), a, a, nan)
		VORPS(gt, nan, gt)
		VBLENDVPS(gt, a, best, best)
		VPBROADCASTD(Mem{Base: index}, nan)
		VBLENDVPS(gt, nan, which, which)
	}
	ADDQ(Imm(4), off)
	ADDQ(Imm(4), index)
	DECQ(taps)
	JNZ(LabelRef("taps"))
	VPADDD(position, which, which)
	if v.avx512 {
		VMOVUPS(best, kY, Mem{Base: y})
		VPMOVSXDQ(which.AsY(), a)
		VMOVDQU64(a, kY, Mem{Base: found})
		VEXTRACTI64X4(Imm(1), which, b.AsY())
		VPMOVSXDQ(b.AsY(), a)
		VMOVDQU64(a, kY2, Mem{Base: found, Disp: 64})
	} else {
		VMOVUPS(best, Mem{Base: y})
		VPMOVSXDQ(which.AsX(), a)
		VMOVDQU(a, Mem{Base: found})
		VEXTRACTI128(Imm(1), which, b.AsX())
		VPMOVSXDQ(b.AsX(), a)
		VMOVDQU(a, Mem{Base: found, Disp: 32})
	}
	VPADDD(step, position, position)
	ADDQ(Imm(uint64(4*lanes*stride)), x)
	ADDQ(Imm(uint64(v.width)), y)
	ADDQ(Imm(uint64(8*lanes)), found)
	SUBQ(Imm(uint64(lanes)), n)
	JMP(LabelRef("loop"))
	Label("done")
	VZEROUPPER()
	RET()
}

// maxRowsOnly emits the greatest of what taps read, as maxRows does, without the indices: two vectors at a time, then
// one, and with AVX-512 what is left. The AVX2 form computes whole vectors only.
func maxRowsOnly(v isa, stride int) {
	name := fmt.Sprintf("maxRowsOnlyFloat32%d%s", stride, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s finds the greatest of windows %d apart, not where they are.", name, stride))
	lanes := v.width / 4
	t := Load(Param("t"), GP64())
	x, y, n := rowField(t, rowX), rowField(t, rowY), rowField(t, rowCols)
	bits, low := GP64(), v.vec()
	MOVQ(U64(0xff800000), bits)
	VMOVD(bits.As32(), low.AsX())
	VPBROADCASTD(low.AsX(), low)
	var evens VecVirtual
	if stride == 2 && v.avx512 {
		at := GLOBL("max_only_evens", 8|16)
		for i := range 16 {
			DATA(4*i, U32(uint32(2*i+i/8))) // the second vector begins with the last element of the first
		}
		evens = v.vec()
		VMOVDQU32(at, evens)
	}
	off, taps, at := GP64(), GP64(), GP64()
	// vectors emits some of them; masks are for reads, the second half of reads, and writes.
	vectors := func(label string, count int, masks ...Op) {
		MOVQ(Mem{Base: t, Disp: rowOff}, off)
		MOVQ(Mem{Base: t, Disp: rowTaps}, taps)
		best := make([]VecVirtual, count)
		for i := range best {
			best[i] = v.vec()
			VMOVAPS(low, best[i])
		}
		Label(label + "_taps")
		MOVLQSX(Mem{Base: off}, at)
		for i := range best {
			m := Mem{Base: x, Index: at, Scale: 1, Disp: i * v.width * stride}
			m2 := m
			m2.Disp += v.width - 4 // it ends with the last window
			a, b := v.vec(), v.vec()
			if masks != nil {
				VMOVUPS_Z(m, masks[0], a)
			} else {
				VMOVUPS(m, a)
			}
			switch {
			case stride == 1:
			case v.avx512:
				if masks != nil {
					VMOVUPS_Z(m2, masks[1], b)
				} else {
					VMOVUPS(m2, b)
				}
				moved := v.vec()
				VMOVAPS(evens, moved)
				VPERMI2PS(b, a, moved)
				a = moved
			default:
				VMOVUPS(m2, b)
				VSHUFPS(Imm(0xd8), b, a, a) // 0 2 of a, 1 3 of b
				VPERMPD(Imm(0xd8), a, a)
			}
			// of equals, and of one NaN, the second operand is taken, which is the best so far
			if v.avx512 {
				nan := K()
				VCMPPS(Imm(3), a, a, nan)
				VMAXPS(best[i], a, best[i])
				VMOVAPS(a, nan, best[i])
			} else {
				nan := v.vec()
				VCMPPS(Imm(3), a, a, nan)
				VMAXPS(best[i], a, best[i])
				VBLENDVPS(nan, a, best[i], best[i])
			}
		}
		ADDQ(Imm(4), off)
		DECQ(taps)
		JNZ(LabelRef(label + "_taps"))
		for i, r := range best {
			m := Mem{Base: y, Disp: i * v.width}
			if masks != nil {
				VMOVUPS(r, masks[2], m)
			} else {
				VMOVUPS(r, m)
			}
		}
	}
	for _, count := range []int{2, 1} {
		label := fmt.Sprintf("vectors%d", count)
		Label(label)
		CMPQ(n, Imm(uint64(count*lanes)))
		JL(LabelRef(label + "_done"))
		vectors(label, count)
		ADDQ(U32(uint32(4*lanes*stride*count)), x)
		ADDQ(U32(uint32(v.width*count)), y)
		SUBQ(Imm(uint64(lanes*count)), n)
		JMP(LabelRef(label))
		Label(label + "_done")
	}
	if v.avx512 {
		TESTQ(n, n)
		JZ(LabelRef("done"))
		first, second, write := K(), K(), K()
		MOVQ(I64(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVQ(bits, write)
		if stride == 2 {
			LEAQ(Mem{Base: n, Index: n, Scale: 1, Disp: -1}, n)
		}
		MOVQ(I64(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVQ(bits, first)
		SHRQ(Imm(15), bits)
		KMOVQ(bits, second)
		vectors("rest", 1, first, second, write)
		Label("done")
	}
	VZEROUPPER()
	RET()
}

// copyRows emits the copy of rows of elements of 4 bytes.
func copyRows(v isa) {
	name := "copyRows" + v.suffix
	TEXT(name, 4, "func(dst *byte, rowDst int, src *byte, rowSrc int, rows, cols int)")
	Pragma("noescape")
	Doc(name + " copies rows of elements of 4 bytes.")
	load := func(p string) Register { return Load(Param(p), GP64()) }
	dst, rowDst, src, rowSrc, rows, cols := load("dst"), load("rowDst"), load("src"), load("rowSrc"), load("rows"), load("cols")
	rest := GP64()
	MOVQ(cols, rest)
	ANDQ(Imm(uint64(v.width/4-1)), rest)
	last := v.newTail(rest, 4)
	SUBQ(rest, cols)
	SHLQ(Imm(2), cols)
	a, b, j := v.vec(), v.vec(), GP64()
	Label("rows")
	XORQ(j, j)
	TESTQ(cols, cols)
	JZ(LabelRef("tail"))
	Label("loop")
	VMOVUPS(Mem{Base: src, Index: j, Scale: 1}, a)
	VMOVUPS(a, Mem{Base: dst, Index: j, Scale: 1})
	ADDQ(Imm(uint64(v.width)), j)
	CMPQ(j, cols)
	JL(LabelRef("loop"))
	Label("tail")
	last.load(Mem{Base: src, Index: j, Scale: 1}, b)
	last.store(b, Mem{Base: dst, Index: j, Scale: 1})
	ADDQ(rowSrc, src)
	ADDQ(rowDst, dst)
	DECQ(rows)
	JNZ(LabelRef("rows"))
	VZEROUPPER()
	RET()
}

// interleave emits dst = a[0], b[0], a[1], b[1], … of elements of 4 bytes, for whole vectors.
func interleave(v isa) {
	name := "interleave" + v.suffix
	TEXT(name, 4, "func(dst, a, b *byte, vectors int)")
	Pragma("noescape")
	Doc(name + " interleaves vectors of elements of 4 bytes.")
	dst, a, b, n := Load(Param("dst"), GP64()), Load(Param("a"), GP64()), Load(Param("b"), GP64()), Load(Param("vectors"), GP64())
	x, y, low, high := v.vec(), v.vec(), v.vec(), v.vec()
	var order [2]VecVirtual
	if v.avx512 {
		for half := range order {
			at := GLOBL(fmt.Sprintf("interleave_order%d", half), 8|16)
			for i := range 16 {
				DATA(4*i, U32(uint32(half*8+i/2+i%2*16)))
			}
			order[half] = v.vec()
			VMOVDQU32(at, order[half])
		}
	}
	Label("loop")
	VMOVUPS(Mem{Base: a}, x)
	VMOVUPS(Mem{Base: b}, y)
	if v.avx512 {
		VMOVAPS(order[0], low)
		VPERMI2PS(y, x, low)
		VMOVAPS(order[1], high)
		VPERMI2PS(y, x, high)
		VMOVUPS(low, Mem{Base: dst})
		VMOVUPS(high, Mem{Base: dst, Disp: v.width})
	} else {
		VUNPCKLPS(y, x, low)
		VUNPCKHPS(y, x, high)
		VPERM2F128(Imm(0x20), high, low, x)
		VPERM2F128(Imm(0x31), high, low, y)
		VMOVUPS(x, Mem{Base: dst})
		VMOVUPS(y, Mem{Base: dst, Disp: v.width})
	}
	ADDQ(Imm(uint64(v.width)), a)
	ADDQ(Imm(uint64(v.width)), b)
	ADDQ(Imm(uint64(2*v.width)), dst)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
