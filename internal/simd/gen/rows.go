package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"
)

func init() { families["rows"] = rows }

// ahead is how many rows are prefetched before the one that is copied.
const ahead = 32

// rows emits copies of rows: of those that indices list, and of those a step apart.
func rows() {
	strided()
	scatterRows("scatterRows", "copies n rows of row bytes, 32 or more, from src", copyRow)
	for _, add := range []struct {
		size            int
		all, one, moves func(...Op)
	}{{4, VADDPS, VADDSS, VMOVSS}, {8, VADDPD, VADDSD, VMOVSD}} {
		t, each := typeNames[add.size], addRow(add.all, add.one, add.moves, add.size)
		scatterRows("scatterSum"+t, "adds n rows of row bytes of "+t+" from src", each)
	}
	TEXT("gatherRows", 4, "func(dst, src *byte, base int, index *int64, n, row, step, wrap int)") // NOSPLIT
	Pragma("noescape")
	Doc("gatherRows copies n rows of row bytes, 32 or more; row k begins base + index[k]·step bytes behind src, negative indices being wrap less.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	index, n := Load(Param("index"), GP64()), Load(Param("n"), GP64())
	row, step, wrap := Load(Param("row"), GP64()), Load(Param("step"), GP64()), Load(Param("wrap"), GP64())
	ADDQ(Load(Param("base"), GP64()), src)
	// address sets p to the row of index k rows on, which it may clobber sign for.
	p, sign := GP64(), GP64()
	address := func(k int) {
		MOVQ(Mem{Base: index, Disp: 8 * k}, p)
		MOVQ(p, sign)
		SARQ(Imm(63), sign)
		ANDQ(wrap, sign)
		ADDQ(sign, p)
		IMULQ(step, p)
		ADDQ(src, p)
	}
	near := GP64() // bytes of a row that are prefetched: the processor finds the rest by itself
	MOVQ(row, near)
	limit := GP64()
	MOVQ(U32(512), limit)
	CMPQ(near, limit)
	CMOVQGT(limit, near)
	at := GP64()
	Label("loop")
	CMPQ(n, Imm(ahead))
	JLE(LabelRef("copy"))
	address(ahead)
	XORQ(at, at)
	Label("prefetch")
	PREFETCHT0(Mem{Base: p, Index: at, Scale: 1})
	ADDQ(Imm(64), at)
	CMPQ(at, near)
	JL(LabelRef("prefetch"))
	PREFETCHT0(Mem{Base: p, Index: near, Scale: 1, Disp: -1})
	Label("copy")
	address(0)
	copyRow(p, dst, row)
	ADDQ(row, dst)
	ADDQ(Imm(8), index)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// copyRow emits the copy of row bytes, 32 or more, from p to dst; it clobbers p.
func copyRow(p, dst, row Register) {
	to := GP64()
	MOVQ(dst, to)
	left := GP64()
	MOVQ(row, left)
	Label("blocks")
	CMPQ(left, U32(128))
	JL(LabelRef("vectors"))
	a := YMM()
	b, c, d := YMM(), YMM(), YMM()
	VMOVUPS(Mem{Base: p}, a)
	VMOVUPS(Mem{Base: p, Disp: 32}, b)
	VMOVUPS(Mem{Base: p, Disp: 64}, c)
	VMOVUPS(Mem{Base: p, Disp: 96}, d)
	VMOVUPS(a, Mem{Base: to})
	VMOVUPS(b, Mem{Base: to, Disp: 32})
	VMOVUPS(c, Mem{Base: to, Disp: 64})
	VMOVUPS(d, Mem{Base: to, Disp: 96})
	ADDQ(U32(128), p)
	ADDQ(U32(128), to)
	SUBQ(U32(128), left)
	JMP(LabelRef("blocks"))
	Label("vectors")
	CMPQ(left, Imm(32))
	JL(LabelRef("rest"))
	VMOVUPS(Mem{Base: p}, a)
	VMOVUPS(a, Mem{Base: to})
	ADDQ(Imm(32), p)
	ADDQ(Imm(32), to)
	SUBQ(Imm(32), left)
	JMP(LabelRef("vectors"))
	Label("rest") // with bytes before it
	TESTQ(left, left)
	JZ(LabelRef("copied"))
	VMOVUPS(Mem{Base: p, Index: left, Scale: 1, Disp: -32}, a)
	VMOVUPS(a, Mem{Base: to, Index: left, Scale: 1, Disp: -32})
	Label("copied")
}

// scatterRows emits what puts rows, from bytes apart in src, to those of dst that indices list, one after the other.
// each does so for a row, of which it may clobber the address in src.
func scatterRows(name, doc string, each func(src, dst, row Register)) {
	TEXT(name, 4, "func(dst, src *byte, base int, index *int64, n, row, from, step, wrap int)") // NOSPLIT
	Pragma("noescape")
	Doc(name + " " + doc + ", where they are from bytes apart, to those that begin base + index[k]·step bytes " +
		"behind dst, negative indices being wrap less.")
	dst, src := Load(Param("dst"), GP64()), Load(Param("src"), GP64())
	index, n := Load(Param("index"), GP64()), Load(Param("n"), GP64())
	row, step := Load(Param("row"), GP64()), Load(Param("step"), GP64())
	ADDQ(Load(Param("base"), GP64()), dst)
	p := GP64()
	address := func(k int) {
		sign := GP64()
		MOVQ(Mem{Base: index, Disp: 8 * k}, p)
		MOVQ(p, sign)
		SARQ(Imm(63), sign)
		ANDQ(param("wrap"), sign)
		ADDQ(sign, p)
		IMULQ(step, p)
		ADDQ(dst, p)
	}
	near := GP64() // bytes of a row that are prefetched: the processor finds the rest by itself
	MOVQ(row, near)
	limit := GP64()
	MOVQ(U32(512), limit)
	CMPQ(near, limit)
	CMOVQGT(limit, near)
	Label("loop")
	const ahead = 8
	CMPQ(n, Imm(ahead))
	JLE(LabelRef("put"))
	address(ahead)
	at := GP64()
	XORQ(at, at)
	Label("prefetch")
	PREFETCHT0(Mem{Base: p, Index: at, Scale: 1})
	ADDQ(Imm(64), at)
	CMPQ(at, near)
	JL(LabelRef("prefetch"))
	Label("put")
	address(0)
	from := GP64()
	MOVQ(src, from)
	each(from, p, row)
	ADDQ(param("from"), src)
	ADDQ(Imm(8), index)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}

// addRow emits the sum of a row and one of row bytes at p, which it clobbers, element after element of size bytes
// where there is no vector.
func addRow(add, addOne, move func(...Op), size int) func(p, dst, row Register) {
	return func(p, dst, row Register) {
		left := GP64()
		MOVQ(row, left)
		for _, vectors := range []int{4, 1} {
			label := map[int]string{4: "blocks", 1: "vectors"}[vectors]
			Label(label)
			CMPQ(left, U32(uint32(32*vectors)))
			JL(LabelRef(label + "_done"))
			for u := range vectors {
				x := YMM()
				VMOVUPS(Mem{Base: dst, Disp: 32 * u}, x)
				add(Mem{Base: p, Disp: 32 * u}, x, x)
				VMOVUPS(x, Mem{Base: dst, Disp: 32 * u})
			}
			ADDQ(U32(uint32(32*vectors)), p)
			ADDQ(U32(uint32(32*vectors)), dst)
			SUBQ(U32(uint32(32*vectors)), left)
			JMP(LabelRef(label))
			Label(label + "_done")
		}
		Label("elements")
		TESTQ(left, left)
		JZ(LabelRef("added"))
		x := XMM()
		move(Mem{Base: dst}, x)
		addOne(Mem{Base: p}, x, x)
		move(x, Mem{Base: dst})
		ADDQ(Imm(uint64(size)), p)
		ADDQ(Imm(uint64(size)), dst)
		SUBQ(Imm(uint64(size)), left)
		JMP(LabelRef("elements"))
		Label("added")
	}
}

// strided emits the copy of rows that lie a step apart on both sides.
func strided() {
	TEXT("copyRuns", 4, "func(dst *byte, dstStep int, src *byte, srcStep, row, rows int)") // NOSPLIT
	Pragma("noescape")
	Doc("copyRuns copies rows of row bytes, 32 or more, whose beginnings are a step apart.")
	dst, dstStep := Load(Param("dst"), GP64()), Load(Param("dstStep"), GP64())
	src, srcStep := Load(Param("src"), GP64()), Load(Param("srcStep"), GP64())
	row, n := Load(Param("row"), GP64()), Load(Param("rows"), GP64())
	p := GP64()
	Label("loop")
	MOVQ(src, p)
	copyRow(p, dst, row)
	ADDQ(dstStep, dst)
	ADDQ(srcStep, src)
	DECQ(n)
	JNZ(LabelRef("loop"))
	VZEROUPPER()
	RET()
}
