package cpu

import (
	mathbits "math/bits"
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: how elements are copied. A copy between two layouts without a conversion looks at the size of elements alone.
// Its last two dimensions are a block of rows, which one function copies: runs of bytes, one value for each row, rows
// read backwards, or elements with steps on both sides. Where the elements that are side by side in the source lie
// along another dimension than in the result, a block is transposed instead, tile by tile, so that both sides use
// every cache line whole.

// copyChunk is the number of bytes of a chunk of a copy.
const copyChunk = 128 << 10

// grid is a block of rows × cols elements in two layouts, with the steps from one row or column to the next in bytes.
type grid struct {
	rows, cols     int
	dst, src       unsafe.Pointer
	dstRow, dstCol int
	srcRow, srcCol int
}

// mover copies a grid. It takes it by value: a pointer would put the caller's on the heap.
type mover func(g grid)

// movers are for elements of 1, 2, 4, 8 and 16 bytes.
var movers = [...]mover{moverOf[uint8](nil), moverOf[uint16](nil), moverOf[uint32](simd.EvenRows32),
	moverOf[uint64](simd.EvenRows64), moverOf[[2]uint64](nil)}

// sizeClass is the index of a size in bytes in tables such as movers.
func sizeClass(size int) int { return mathbits.TrailingZeros(uint(size)) }

// setters set n contiguous elements to the one at src.
var setters = [...]func(dst, src unsafe.Pointer, n int){setterOf[uint8]("fill int8"), setterOf[uint16]("fill int16"),
	setterOf[uint32]("fill int32"),
	setterOf[uint64]("fill int64"), setAll[[2]uint64]}

func setterOf[T any](kernel string) func(dst, src unsafe.Pointer, n int) {
	fill := simd.Get(kernel)
	return func(dst, src unsafe.Pointer, n int) { fill(n, bytePtr(dst), nil, nil, nil, bytePtr(src)) }
}

func setAll[T any](dst, src unsafe.Pointer, n int) {
	v, d := *(*T)(src), slice[T](dst, n)
	for i := range d {
		d[i] = v
	}
}

// moverOf makes the mover of a size. even copies every second element of rows.
func moverOf[T any](even func(n, rows int, dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int)) mover {
	size := int(unsafe.Sizeof(*new(T)))
	set := setters[sizeClass(size)]
	return func(g grid) {
		switch {
		case g.cols == 1 || g.dstCol == size && g.srcCol == size:
			copyRuns(&g, g.cols*size)
		case g.dstCol == size && g.srcCol == 0:
			fillRows[T](&g, set)
		case g.dstCol == size && g.srcCol == 2*size && even != nil && g.cols >= 4:
			even(g.cols, g.rows, g.dst, g.dstRow, g.src, g.srcRow)
		case g.dstCol == size && g.srcCol == -size && size < 16:
			for r := range g.rows {
				copyReversed[T](unsafe.Add(g.dst, r*g.dstRow), unsafe.Add(g.src, r*g.srcRow), g.cols)
			}
		default:
			stepRows[T](&g)
		}
	}
}

// copyRuns copies rows of n bytes.
func copyRuns(g *grid, n int) {
	switch {
	case g.rows == 1 || g.dstRow == n && g.srcRow == n:
		copy(slice[byte](g.dst, g.rows*n), slice[byte](g.src, g.rows*n))
		return
	case g.dstRow == n && g.srcRow == 0 && n <= 512:
		repeatRun(g.dst, g.src, n, g.rows)
		return
	}
	switch {
	case n == 1:
		column[uint8](g)
	case n == 2:
		column[uint16](g)
	case n == 4:
		column[uint32](g)
	case n == 8:
		column[uint64](g)
	case n == 16:
		column[[2]uint64](g)
	case n > 4 && n < 8:
		column2[uint32](g, n-4)
	case n > 8 && n < 16:
		column2[uint64](g, n-8)
	case n > 16 && n <= 32:
		column2[[2]uint64](g, n-16)
	default:
		simd.CopyRuns(g.dst, g.dstRow, g.src, g.srcRow, n, g.rows)
	}
}

// column copies one T of each row.
func column[T any](g *grid) {
	dst, src, dr, sr := g.dst, g.src, g.dstRow, g.srcRow
	do, so := 0, 0
	r := g.rows
	for ; r >= 4; r -= 4 {
		a, b := *(*T)(unsafe.Add(src, so)), *(*T)(unsafe.Add(src, so+sr))
		c, d := *(*T)(unsafe.Add(src, so+2*sr)), *(*T)(unsafe.Add(src, so+3*sr))
		*(*T)(unsafe.Add(dst, do)), *(*T)(unsafe.Add(dst, do+dr)) = a, b
		*(*T)(unsafe.Add(dst, do+2*dr)), *(*T)(unsafe.Add(dst, do+3*dr)) = c, d
		do, so = do+4*dr, so+4*sr
	}
	for ; r > 0; r-- {
		*(*T)(unsafe.Add(dst, do)) = *(*T)(unsafe.Add(src, so))
		do, so = do+dr, so+sr
	}
}

// column2 copies two T of each row, the second apart bytes behind the first; they may overlap.
func column2[T any](g *grid, apart int) {
	dst, src := g.dst, g.src
	do, so := 0, 0
	for range g.rows {
		a, b := *(*T)(unsafe.Add(src, so)), *(*T)(unsafe.Add(src, so+apart))
		*(*T)(unsafe.Add(dst, do)), *(*T)(unsafe.Add(dst, do+apart)) = a, b
		do, so = do+g.dstRow, so+g.srcRow
	}
}

// repeatRun writes n bytes times times, one after the other: it copies ever longer pieces of what it has written.
func repeatRun(dst, src unsafe.Pointer, n, times int) {
	all := slice[byte](dst, n*times)
	have := copy(all, slice[byte](src, n))
	for have < len(all) && have < 4096 {
		have += copy(all[have:], all[:have])
	}
	for piece := all[:have]; have < len(all); {
		have += copy(all[have:], piece)
	}
}

// fillRows sets each row to one value, short rows in words.
func fillRows[T any](g *grid, set func(dst, src unsafe.Pointer, n int)) {
	size := int(unsafe.Sizeof(*new(T)))
	n := g.cols * size
	if n >= 64 || n < 8 || size == 16 {
		if n < 64 {
			set = setAll[T]
		}
		for r := range g.rows {
			set(unsafe.Add(g.dst, r*g.dstRow), unsafe.Add(g.src, r*g.srcRow), g.cols)
		}
		return
	}
	for r := range g.rows {
		var w uint64
		switch p := unsafe.Add(g.src, r*g.srcRow); size {
		case 1:
			w = uint64(*(*uint8)(p)) * 0x0101010101010101
		case 2:
			w = uint64(*(*uint16)(p)) * 0x0001000100010001
		case 4:
			w = uint64(*(*uint32)(p)) * 0x0000000100000001
		default:
			w = *(*uint64)(p)
		}
		p := unsafe.Add(g.dst, r*g.dstRow)
		for at := 0; at < n-8; at += 8 {
			*(*uint64)(unsafe.Add(p, at)) = w
		}
		*(*uint64)(unsafe.Add(p, n-8)) = w
	}
}

// stepRows copies elements with steps on both sides; the inner loop runs along the longer side.
func stepRows[T any](g *grid) {
	line := grid{rows: g.cols, dstRow: g.dstCol, srcRow: g.srcCol}
	n, dr, sr := g.rows, g.dstRow, g.srcRow
	if g.cols < 8 && g.rows > g.cols {
		line = grid{rows: g.rows, dstRow: g.dstRow, srcRow: g.srcRow}
		n, dr, sr = g.cols, g.dstCol, g.srcCol
	}
	for i := range n {
		line.dst, line.src = unsafe.Add(g.dst, i*dr), unsafe.Add(g.src, i*sr)
		column[T](&line)
	}
}

// copySame copies between two layouts of elements of one size.
func copySame(p *tensor.Plan) {
	w := walk{op: p.Op, shape: p.Shape, out: p.Out.Stride, in: p.In[0].Stride, size: p.Out.Dtype.Size(), numel: p.Numel}
	w.dst = unsafe.Add(p.Out.Tensor.Storage().Pointer(), p.Out.Offset*w.size)
	w.src = unsafe.Add(p.In[0].Tensor.Storage().Pointer(), p.In[0].Offset*w.size)
	if d := w.transposed(); d >= 0 {
		w.transpose(d)
	} else {
		w.rows()
	}
	runtime.KeepAlive(p)
}

// walk is a copy on its way.
type walk struct {
	op             string
	shape, out, in []int // strides in elements
	size, numel    int
	dst, src       unsafe.Pointer
}

// rows copies blocks of the last two dimensions.
func (w *walk) rows() {
	last, size := len(w.shape)-1, w.size
	cols, rows := w.shape[last], 1
	g := grid{dstCol: w.out[last] * size, srcCol: w.in[last] * size}
	if last > 0 {
		rows, g.dstRow, g.srcRow = w.shape[last-1], w.out[last-1]*size, w.in[last-1]*size
	}
	move := movers[sizeClass(size)]
	chunk := copyChunk / size
	if piece := max(chunk, 1); cols >= 2*piece { // parts of rows
		parts := (cols + piece - 1) / piece
		parallel.For(w.numel/cols*parts, 1, func(lo, hi int) {
			tensor.Interrupted(w.op)
			for ; lo < hi; lo++ {
				row, from := lo/parts, lo%parts*piece
				g := g
				g.rows, g.cols = 1, min(piece, cols-from)
				g.dst = unsafe.Add(w.dst, offsetOf(w.shape[:last], w.out[:last], row)*size+from*g.dstCol)
				g.src = unsafe.Add(w.src, offsetOf(w.shape[:last], w.in[:last], row)*size+from*g.srcCol)
				move(g)
			}
		})
		return
	}
	outer := max(last-1, 0)
	shape, out, in := w.shape[:outer], w.out[:outer], w.in[:outer]
	parallel.For(w.numel/cols, max(1, chunk/cols), func(lo, hi int) {
		tensor.Interrupted(w.op)
		g := g
		g.cols = cols
		for lo < hi {
			// the blocks that follow in the next dimension are a step away; beyond it the offset is found again
			plane, row := lo/rows, lo%rows
			do, si := offsetOf(shape, out, plane)*size, offsetOf(shape, in, plane)*size
			blocks, dstStep, srcStep := 1, 0, 0
			if outer > 0 {
				blocks = shape[outer-1] - plane%shape[outer-1]
				dstStep, srcStep = out[outer-1]*size, in[outer-1]*size
			}
			for ; blocks > 0 && lo < hi; blocks-- {
				g.rows = min(hi-lo, rows-row)
				g.dst, g.src = unsafe.Add(w.dst, do+row*g.dstRow), unsafe.Add(w.src, si+row*g.srcRow)
				move(g)
				lo, row = lo+g.rows, 0
				do, si = do+dstStep, si+srcStep
			}
		}
	})
}

// transposed is the dimension, not the last, along which the source has its elements side by side; -1 where it has
// none.
func (w *walk) transposed() int {
	last := len(w.shape) - 1
	if last < 1 || w.out[last] != 1 || w.in[last] == 0 || w.in[last] == 1 || w.shape[last] < 8 {
		return -1
	}
	for d := last - 1; d >= 0; d-- {
		if w.in[d] == 1 && w.shape[d] >= 8 {
			return d
		}
	}
	return -1
}

// transpose copies the planes of dimension d and the last, in stripes of some rows.
func (w *walk) transpose(d int) {
	last, size := len(w.shape)-1, w.size
	rows, cols := w.shape[d], w.shape[last]
	var dims [3][8]int
	shape, out, in := dims[0][:0], dims[1][:0], dims[2][:0] // of the planes
	for i := range last {
		if i != d {
			shape, out, in = append(shape, w.shape[i]), append(out, w.out[i]), append(in, w.in[i])
		}
	}
	stripes := (rows + tileRows - 1) / tileRows
	parallel.For(w.numel/(rows*cols)*stripes, max(1, grainSize/(tileRows*cols)), func(lo, hi int) {
		tensor.Interrupted(w.op)
		for s := lo; s < hi; s++ {
			plane, r := s/stripes, s%stripes*tileRows
			do := offsetOf(shape, out, plane) + r*w.out[d]
			si := offsetOf(shape, in, plane) + r
			transposeTile(size, unsafe.Add(w.dst, do*size), w.out[d], unsafe.Add(w.src, si*size), w.in[last],
				min(tileRows, rows-r), cols)
		}
	})
}
