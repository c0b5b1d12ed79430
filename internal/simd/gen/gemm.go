package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["gemm"] = gemm }

// gemmRows is the greatest number of rows of tiles of 1, 2 and 4 vectors: sums, a row of b and two elements of a share
// the registers.
func gemmRows(v isa) map[int]int {
	if v.avx512 {
		return map[int]int{1: 14, 2: 14, 4: 6}
	}
	return map[int]int{1: 6, 2: 6, 4: 2}
}

// Offsets of the fields of GemmTile.
const (
	tileA, tileRowA, tileColA, tileB, tileRowB = 0, 8, 16, 24, 32
	tileC, tileRowC, tileD, tileRowD           = 40, 48, 56, 64
	tileEach, tileAlpha, tileK, tileCols       = 72, 80, 88, 96
	tileOffA, tileOffB, tileAhead              = 104, 112, 120
)

// gemm emits the micro-kernels of products of matrices.
func gemm() {
	for _, v := range isas {
		for _, f := range []floating{{size: 4, name: "Float32"}, {size: 8, name: "Float64"}} {
			for _, vecs := range []int{1, 2, 4} {
				for rows := 1; rows <= gemmRows(v)[vecs]; rows++ {
					f.tile(v, rows, vecs, false)
					f.tile(v, rows, vecs, true)
				}
			}
			for rows := 1; rows <= 4; rows++ {
				for cols := 1; cols <= 2; cols++ {
					f.dots(v, rows, cols)
				}
			}
			f.addRows(v, 1)
			f.addRows(v, 4)
			f.transpose(v)
			f.panel(v)
			floating{size: f.size, name: fmt.Sprint("Complex", 16*f.size)}.complexKernels(v)
		}
		for _, f := range []floating{{size: 4, name: "Int32", integer: true}, {size: 8, name: "Int64", integer: true}} {
			if f.size == 8 && !v.avx512 { // no instruction multiplies them
				continue
			}
			f.addRows(v, 1)
			f.addRows(v, 4)
		}
	}
	pairKernels()
}

// floating picks instructions for float32 or float64, or for integers of those sizes.
type floating struct {
	size    int
	name    string
	integer bool
	pairs   bool // of bfloat16 numbers
}

func (f floating) fma(a Op, b, sum VecPhysical) {
	if f.pairs {
		dotPairs(a.(VecPhysical), b, sum)
		return
	}
	f.of(VFMADD231PS, VFMADD231PD)(a, b, sum)
}

// addTimes is sum += a*b; tmp is clobbered.
func (f floating) addTimes(a Op, b, sum, tmp VecPhysical) {
	switch {
	case !f.integer:
		f.fma(a, b, sum)
	case f.size == 4:
		VPMULLD(a, b, tmp)
		VPADDD(tmp, sum, sum)
	default:
		VPMULLQ(a, b, tmp)
		VPADDQ(tmp, sum, sum)
	}
}

func (f floating) of(single, double func(...Op)) func(...Op) {
	if f.size == 4 {
		return single
	}
	return double
}

func (f floating) of3(single, double func(a, b, c Op)) func(a, b, c Op) {
	if f.size == 4 {
		return single
	}
	return double
}

func (f floating) broadcast(src Mem, dst VecPhysical) { f.of(VBROADCASTSS, VBROADCASTSD)(src, dst) }
func (f floating) add(ops ...Op)                      { f.of(VADDPS, VADDPD)(ops...) }
func (f floating) mul(ops ...Op)                      { f.of(VMULPS, VMULPD)(ops...) }
func (f floating) move(ops ...Op)                     { f.of(VMOVUPS, VMOVUPD)(ops...) }

var (
	zmm = []VecPhysical{Z0, Z1, Z2, Z3, Z4, Z5, Z6, Z7, Z8, Z9, Z10, Z11, Z12, Z13, Z14, Z15,
		Z16, Z17, Z18, Z19, Z20, Z21, Z22, Z23, Z24, Z25, Z26, Z27, Z28, Z29, Z30, Z31}
	ymm = []VecPhysical{Y0, Y1, Y2, Y3, Y4, Y5, Y6, Y7, Y8, Y9, Y10, Y11, Y12, Y13, Y14, Y15}
)

// registers are the vector registers of an instruction set.
func (v isa) registers() []VecPhysical {
	if v.avx512 {
		return zmm
	}
	return ymm
}

func zeroVector(v isa, r VecPhysical) {
	if v.avx512 {
		VPXORD(r, r, r)
	} else {
		VXORPS(r, r, r)
	}
}

// rowsAt returns the operands of rows of a matrix: base + i*step for i below n.
func rowsAt(n int, base, step Register) (bases []Register, at func(bases []Register, i int) Mem) {
	step3 := step
	if n > 3 {
		step3 = GP64()
		LEAQ(Mem{Base: step, Index: step, Scale: 2}, step3)
	}
	bases = []Register{base}
	if n > 5 {
		step5 := GP64()
		LEAQ(Mem{Base: step, Index: step, Scale: 4}, step5)
		for i := 5; i < n; i += 5 {
			next := GP64()
			LEAQ(Mem{Base: bases[len(bases)-1], Index: step5, Scale: 1}, next)
			bases = append(bases, next)
		}
	}
	return bases, func(bases []Register, i int) Mem {
		m := Mem{Base: bases[i/5]}
		switch i % 5 {
		case 1, 2, 4:
			m.Index, m.Scale = step, uint8(i%5)
		case 3:
			m.Index, m.Scale = step3, 1
		}
		return m
	}
}

// tile emits a micro-kernel: rows × vecs vectors of c. An indirect one reads where each step's elements of a and row
// of b are from tables of offsets.
func (f floating) tile(v isa, rows, vecs int, indirect bool) {
	kind := "tile"
	if indirect {
		kind = "indirect"
	}
	name := fmt.Sprintf("%s%s%dx%d%s", kind, f.name, rows, vecs, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s computes a tile of %d rows and %d vectors.", name, rows, vecs))
	free := v.registers()
	take := func(n int) []VecPhysical {
		r := free[:n]
		free = free[n:]
		return r
	}
	sums := take(rows * vecs)
	sum := func(i, j int) VecPhysical { return sums[i*vecs+j] }

	t := Load(Param("t"), GP64())
	field := func(at int) Register {
		r := GP64()
		MOVQ(Mem{Base: t, Disp: at}, r)
		return r
	}
	masks := f.columnMasks(v, field, vecs, 1)
	for _, r := range sums {
		zeroVector(v, r)
	}
	k, b := field(tileK), field(tileB)
	a, atA := rowsAt(rows, field(tileA), field(tileRowA))
	var colA, rowB, offA, offB, ahead, aheadStep Register
	if indirect {
		offA, offB = field(tileOffA), field(tileOffB)
	} else {
		colA, rowB = field(tileColA), field(tileRowB)
		ahead, aheadStep = field(tileAhead), GP64()
		none := GP64()
		XORQ(none, none)
		MOVQ(U64(64), aheadStep)
		TESTQ(ahead, ahead)
		CMOVQEQ(b, ahead) // a line that is near: the address 0 would be looked for in the page tables
		CMOVQEQ(none, aheadStep)
	}
	inLoop := free
	row := take(vecs)
	elem := take(min(2, len(free)))
	// Lines of c are fetched before the last steps: what is read in many would drive them out of the nearest cache.
	// These steps take as long as fetching.
	const products = 48 * 28 // of vectors
	last := GP64()
	MOVQ(U32(products/(rows*vecs)), last)
	CMPQ(k, last)
	CMOVQLT(k, last)
	SUBQ(last, k)
	JZ(LabelRef("fetch"))
	Label("loop")
	as, from := a, Mem{Base: b}
	if indirect {
		oa, ob := GP64(), GP64()
		MOVLQSX(Mem{Base: offA}, oa)
		MOVLQSX(Mem{Base: offB}, ob)
		as = nil
		for _, r := range a {
			p := GP64()
			LEAQ(Mem{Base: r, Index: oa, Scale: 1}, p)
			as = append(as, p)
		}
		from.Index, from.Scale = ob, 1
	}
	for j, r := range row {
		m := from
		m.Disp = j * v.width
		if v.avx512 {
			f.of3(VMOVUPS_Z, VMOVUPD_Z)(m, masks[j], r)
		} else {
			f.move(m, r)
		}
	}
	for i := range rows {
		e := elem[i%len(elem)]
		f.broadcast(atA(as, i), e)
		for j, r := range row {
			f.fma(r, e, sum(i, j))
		}
	}
	if indirect {
		ADDQ(Imm(4), offA)
		ADDQ(Imm(4), offB)
	} else {
		for _, r := range a {
			ADDQ(colA, r)
		}
		ADDQ(rowB, b)
		PREFETCHT1(Mem{Base: ahead})
		ADDQ(aheadStep, ahead)
	}
	DECQ(k)
	JNZ(LabelRef("loop"))
	Label("fetch")
	TESTQ(last, last)
	JZ(LabelRef("summed"))
	MOVQ(last, k)
	XORQ(last, last)
	c, rowC := field(tileC), field(tileRowC)
	for i := range rows {
		for j := range vecs {
			PREFETCHT0(Mem{Base: c, Disp: j * v.width})
		}
		if i < rows-1 {
			ADDQ(rowC, c)
		}
	}
	JMP(LabelRef("loop"))
	Label("summed")

	free = inLoop
	alpha := field(tileAlpha)
	TESTQ(alpha, alpha)
	JZ(LabelRef("added"))
	f.broadcast(Mem{Base: alpha}, free[0])
	for _, r := range sums {
		f.mul(free[0], r, r)
	}
	Label("added")
	tile := tileEnd{f, v, rows, vecs, masks, sum, field, func(m Mem, r VecPhysical) { f.broadcast(m, r) }}
	tile.put(free, 1)
}

// dots emits the sums of products of rows of a with rows of b, whose elements lie one after the other; c gets them one
// after the other.
func (f floating) dots(v isa, rows, cols int) {
	name := fmt.Sprintf("dots%s%dx%d%s", f.name, rows, cols, v.suffix)
	TEXT(name, 4, "func(t *byte)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s multiplies %d rows by %d.", name, rows, cols))
	unroll := max(1, 8/(rows*cols)) // eight sums hide how long one takes
	free := v.registers()
	take := func(n int) []VecPhysical {
		r := free[:n]
		free = free[n:]
		return r
	}
	sums := take(unroll * rows * cols)
	xs, y := take(cols), take(1)[0]
	for _, r := range sums {
		zeroVector(v, r)
	}
	t := Load(Param("t"), GP64())
	field := func(at int) Register {
		r := GP64()
		MOVQ(Mem{Base: t, Disp: at}, r)
		return r
	}
	// Four rows by one are followed by Cols - 1 groups of four, whose rows are fetched ahead of their turn.
	groups := rows == 4 && cols == 1
	var group, left, stepA, c Register
	if groups {
		group, left, c = field(tileA), field(tileCols), field(tileC)
		Label("groups")
		for _, r := range sums {
			zeroVector(v, r)
		}
	} else {
		group, c = field(tileA), nil
	}
	n := field(tileK)
	stepA = field(tileRowA)
	first := group
	if groups {
		first = GP64()
		MOVQ(group, first)
	}
	as, atA := rowsAt(rows, first, stepA)
	bs, atB := rowsAt(cols, field(tileB), field(tileRowB))
	step := func(u, disp int, load func(m Mem, r VecPhysical)) {
		for j, x := range xs {
			m := atB(bs, j)
			m.Disp = disp
			load(m, x)
		}
		for i := range rows {
			m := atA(as, i)
			m.Disp = disp
			load(m, y)
			for j, x := range xs {
				f.fma(y, x, sums[(u*rows+i)*cols+j])
			}
		}
	}
	walk := &cursor{v, f.size, []Register{as[0], bs[0]}, n}
	var ahead Register
	if groups {
		ahead = GP64()
		LEAQ(Mem{Base: group, Index: stepA, Scale: 4}, ahead)
		walk.in = append(walk.in, ahead)
	}
	loop := func(label string, unroll int) {
		walk.while(label, unroll*v.width/f.size, func() {
			for i := 0; groups && unroll > 1 && i < rows*unroll*v.width/64; i++ {
				m := atA([]Register{ahead}, i%rows)
				m.Disp = i / rows * 64
				PREFETCHT0(m)
			}
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
	if !groups {
		c = field(tileC)
	}
	for q := range rows * cols {
		for u := 1; u < unroll; u++ {
			f.add(sums[u*rows*cols+q], sums[q], sums[q])
		}
		s := sums[q].(Vec)
		if v.avx512 {
			VEXTRACTF64X4(Imm(1), s.AsZ(), y.(Vec).AsY())
			f.add(y.(Vec).AsY(), s.AsY(), s.AsY())
		}
		VEXTRACTF128(Imm(1), s.AsY(), y.(Vec).AsX())
		f.add(y.(Vec).AsX(), s.AsX(), s.AsX())
		if f.size == 4 {
			VHADDPS(s.AsX(), s.AsX(), s.AsX())
			VHADDPS(s.AsX(), s.AsX(), s.AsX())
			VMOVSS(s.AsX(), Mem{Base: c, Disp: q * f.size})
		} else {
			VHADDPD(s.AsX(), s.AsX(), s.AsX())
			VMOVSD(s.AsX(), Mem{Base: c, Disp: q * f.size})
		}
	}
	if groups {
		LEAQ(Mem{Base: group, Index: stepA, Scale: 4}, group)
		ADDQ(Imm(uint64(4*f.size)), c)
		DECQ(left)
		JG(LabelRef("groups"))
	}
	VZEROUPPER()
	RET()
}

// addRows emits y += x[0]*w[0] + … for rows of w. Of four, the next four are fetched ahead.
func (f floating) addRows(v isa, rows int) {
	name := fmt.Sprintf("addRows%s%d%s", f.name, rows, v.suffix)
	TEXT(name, 4, "func(y, w *byte, rowW int, x *byte, n int)")
	Pragma("noescape")
	Doc(fmt.Sprintf("%s adds multiples of %d rows of w to y.", name, rows))
	y := Load(Param("y"), GP64())
	stepW := Load(Param("rowW"), GP64())
	ws, atW := rowsAt(rows, Load(Param("w"), GP64()), stepW)
	x := Load(Param("x"), GP64())
	n := Load(Param("n"), GP64())
	regs := v.registers()
	factors, sums, tmp, product := regs[:rows], regs[rows:rows+4], regs[rows+4], regs[rows+6]
	for i, r := range factors {
		f.broadcast(Mem{Base: x, Disp: i * f.size}, r)
	}
	walk := &cursor{v, f.size, []Register{y, ws[0]}, n}
	var ahead Register
	if rows == 4 {
		ahead = GP64()
		LEAQ(Mem{Base: ws[0], Index: stepW, Scale: 4}, ahead)
		walk.in = append(walk.in, ahead)
	}
	loop := func(label string, unroll int) {
		walk.while(label, unroll*v.width/f.size, func() {
			for i := 0; rows == 4 && unroll > 1 && i < rows*unroll*v.width/64; i++ {
				m := atW([]Register{ahead}, i%rows)
				m.Disp = i / rows * 64
				PREFETCHT0(m)
			}
			for u := range unroll {
				f.move(Mem{Base: y, Disp: u * v.width}, sums[u])
			}
			for i, r := range factors {
				for u := range unroll {
					m := atW(ws, i)
					m.Disp = u * v.width
					f.addTimes(m, r, sums[u], product)
				}
			}
			for u := range unroll {
				f.move(sums[u], Mem{Base: y, Disp: u * v.width})
			}
		})
	}
	loop("blocks", 4)
	loop("vectors", 1)
	TESTQ(n, n)
	JZ(LabelRef("done"))
	load, store := f.tail(v, n, regs[rows+5])
	load(Mem{Base: y}, sums[0])
	for i, r := range factors {
		load(atW(ws, i), tmp)
		f.addTimes(tmp, r, sums[0], product)
	}
	store(sums[0], Mem{Base: y})
	Label("done")
	VZEROUPPER()
	RET()
}

// tail returns moves of n elements, fewer than a vector has; n and, on AVX2, the register mask are clobbered.
func (f floating) tail(v isa, n Register, mask VecPhysical) (load func(Mem, VecPhysical), store func(VecPhysical, Mem)) {
	if v.avx512 {
		bits := GP64()
		MOVQ(I64(-1), bits)
		BZHIQ(n, bits, bits)
		KMOVW(bits.As32(), K1)
		return func(m Mem, r VecPhysical) { f.of3(VMOVUPS_Z, VMOVUPD_Z)(m, K1, r) },
			func(r VecPhysical, m Mem) { f.move(r, K1, m) }
	}
	p := GP64()
	LEAQ(tailMask(), p)
	SHLQ(Imm(uint64(log2(f.size))), n)
	SUBQ(n, p)
	VMOVUPS(Mem{Base: p, Disp: 32}, mask)
	masked := f.of3(VMASKMOVPS, VMASKMOVPD)
	return func(m Mem, r VecPhysical) { masked(m, mask, r) }, func(r VecPhysical, m Mem) { masked(r, mask, m) }
}
