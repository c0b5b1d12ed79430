package cpu

import (
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// A writer puts elements of a source into x. Where several meet, they are put one after the other in the order of the
// source, on one goroutine, so that results do not depend on the number of threads.
type writer struct {
	// each puts src[k] to dst[base + k·inner + index[k]·step].
	each func(dst unsafe.Pointer, base, inner int, index []int64, step, wrap int, src unsafe.Pointer)
	// row puts n contiguous elements.
	row func(dst, src unsafe.Pointer, n int)
	// rows puts rows of contiguous elements; nil for one after the other. See simd.ScatterRows.
	rows func(dst, src unsafe.Pointer, base int, index []int64, row, from, step, wrap int)
}

// write scatters the elements of src, which is contiguous and of x's dtype; the last of those that meet stays.
func (l *indexer) write(src *tensor.Tensor) {
	l.put(storers[l.x.ElementSize()], src, src.ElementSize())
}

// fill sets the elements to v, a tensor of one element of x's dtype.
func (l *indexer) fill(v *tensor.Tensor) {
	l.put(fillers[l.x.ElementSize()], v, 0)
}

// combineWith combines the elements of src, which is contiguous and of x's dtype, with those of x.
func (l *indexer) combineWith(how string, src *tensor.Tensor) {
	t := combiners[how]
	if t == nil || t[l.x.Dtype()].each == nil {
		panic(tensor.Errorf(l.op, "%s is not implemented for %s", how, l.x.Dtype()))
	}
	l.put(t[l.x.Dtype()], src, src.ElementSize())
}

// storers overwrite elements of a size.
var storers = map[int]writer{1: storer[uint8](), 2: storer[uint16](), 4: storer[uint32](), 8: storer[uint64](),
	16: storer[[2]uint64]()}

func storer[T any]() writer {
	return writer{
		each: func(dst unsafe.Pointer, base, inner int, index []int64, step, wrap int, src unsafe.Pointer) {
			s, size := slice[T](src, len(index))[:len(index)], sizeOf[T]()
			if step == 1 && inner == 0 && wrap == 0 {
				k := 0
				for ; k+4 <= len(index); k += 4 { // the base alone may lie outside of dst, where no pointer may point
					e, v := (*[4]T)(s[k:]), (*[4]int64)(index[k:])
					*(*T)(unsafe.Add(dst, (base+int(v[0]))*size)) = e[0]
					*(*T)(unsafe.Add(dst, (base+int(v[1]))*size)) = e[1]
					*(*T)(unsafe.Add(dst, (base+int(v[2]))*size)) = e[2]
					*(*T)(unsafe.Add(dst, (base+int(v[3]))*size)) = e[3]
				}
				for ; k < len(index); k++ {
					*(*T)(unsafe.Add(dst, (base+int(index[k]))*size)) = s[k]
				}
				return
			}
			for k, v := range index {
				*(*T)(unsafe.Add(dst, (base+(int(v)+wrap&int(v>>63))*step)*size)) = s[k]
				base += inner
			}
		},
		row:  func(dst, src unsafe.Pointer, n int) { copy(slice[T](dst, n), slice[T](src, n)) },
		rows: simd.ScatterRows,
	}
}

// fillers set elements of a size to the one that src points to.
var fillers = map[int]writer{1: filler[uint8](), 2: filler[uint16](), 4: filler[uint32](), 8: filler[uint64](),
	16: filler[[2]uint64]()}

func filler[T any]() writer {
	return writer{
		each: func(dst unsafe.Pointer, base, inner int, index []int64, step, wrap int, src unsafe.Pointer) {
			x, size := *(*T)(src), sizeOf[T]()
			for _, v := range index {
				*(*T)(unsafe.Add(dst, (base+(int(v)+wrap&int(v>>63))*step)*size)) = x
				base += inner
			}
		},
		row: setters[sizeClass(sizeOf[T]())],
	}
}

// put writes; the indices have been checked. Work is shared out where goroutines cannot meet: by the dimensions before
// the indexed one, or by parts of those behind it. size is the distance between elements of the source in bytes.
func (l *indexer) put(w writer, src *tensor.Tensor, size int) {
	switch {
	case l.numel() == 0:
	case l.shape != nil:
		l.putElements(w, src.Ptr(), size)
	default:
		l.putSlices(w, src.Ptr(), size)
	}
	runtime.KeepAlive(l)
	runtime.KeepAlive(src)
}

// putBlock is how many elements are put between two looks at whether the call is interrupted.
const putBlock = 1 << 17

func (l *indexer) putSlices(w writer, src unsafe.Pointer, size int) {
	dst, own, n, row := l.base(), l.x.ElementSize(), len(l.index), l.post.n
	if row == 1 {
		parallel.For(l.pre.n, max(1, grainSize/n), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				for j := 0; j < n; j += putBlock {
					tensor.Interrupted(l.op)
					w.each(dst, l.pre.pos(i)+l.shift, 0, l.index[j:min(j+putBlock, n)], l.step, l.wrap, unsafe.Add(src, (i*n+j)*size))
				}
			}
		})
		return
	}
	run, part := l.run(), row
	// a part of the rows for each goroutine, in whole cache lines
	if line := 64 / own; l.pre.n < 4 && n*row > grainSize && row >= 4*line {
		share := min(parallel.Threads(), row/(2*line))
		part = roundUp(ceilDiv(row, share), line)
	}
	parts := (row + part - 1) / part
	parallel.For(l.pre.n*parts, max(1, grainSize/(n*part)), func(lo, hi int) {
		for p := lo; p < hi; p++ {
			i, from := p/parts, p%parts*part
			to := min(from+part, row)
			if run && w.rows != nil && size > 0 {
				l.putRows(w, unsafe.Add(src, (i*n*row+from)*size), l.pre.pos(i)+l.shift+from, to-from)
				continue
			}
			wait := 0
			for j, v := range l.index {
				if wait -= part; wait < 0 {
					tensor.Interrupted(l.op)
					wait = putBlock
				}
				base := l.pre.pos(i) + l.shift + (int(v)+l.wrap&int(v>>63))*l.step
				s := unsafe.Add(src, ((i*n+j)*row+from)*size)
				if run {
					w.row(unsafe.Add(dst, (base+from)*own), s, to-from)
					continue
				}
				for k := from; k < to; k++ {
					w.row(unsafe.Add(dst, (base+l.post.pos(k))*own), unsafe.Add(s, (k-from)*size), 1)
				}
			}
		}
	})
}

// putRows puts rows of n contiguous elements from src on to where base + index·step is in x; rows of the source are
// whole.
func (l *indexer) putRows(w writer, src unsafe.Pointer, base, n int) {
	own, block := l.x.ElementSize(), max(1, putBlock/n)
	for j := 0; j < len(l.index); j += block {
		tensor.Interrupted(l.op)
		index := l.index[j:min(j+block, len(l.index))]
		w.rows(l.base(), unsafe.Add(src, j*l.post.n*own), base*own, index, n*own, l.post.n*own, l.step*own, l.wrap)
	}
}

func (l *indexer) putElements(w writer, src unsafe.Pointer, size int) {
	dst, inner := l.base(), l.inner()
	put := func(lo, hi int) {
		for ; lo < hi; lo += putBlock {
			tensor.Interrupted(l.op)
			l.eachRun(lo, min(lo+putBlock, hi), func(pos, base int, index []int64) {
				w.each(dst, base, inner, index, l.step, l.wrap, unsafe.Add(src, pos*size))
			})
		}
	}
	last := len(l.shape) - 1
	before := 1
	for _, s := range l.shape[:l.lead] {
		before *= s
	}
	n := len(l.index)
	if before >= 4 || l.lead >= last {
		block := n / before
		parallel.For(before, max(1, grainSize/block), func(lo, hi int) { put(lo*block, hi*block) })
		return
	}
	// parts of the rows
	cols := l.shape[last]
	part := cols
	if n > grainSize {
		part = max(64, (cols+3)/4)
	}
	parallel.For((cols+part-1)/part, 1, func(lo, hi int) {
		from, to := lo*part, min(hi*part, cols)
		for r := 0; r < n/cols; r++ {
			if r%max(1, putBlock/part) == 0 {
				tensor.Interrupted(l.op)
			}
			put := func(pos, base int, index []int64) {
				w.each(dst, base, inner, index, l.step, l.wrap, unsafe.Add(src, pos*size))
			}
			l.eachRun(r*cols+from, r*cols+to, put)
		}
	})
}

func sizeOf[T any]() int {
	var z T
	return int(unsafe.Sizeof(z))
}
