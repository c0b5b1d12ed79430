package cpu

import (
	"sync"
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

const (
	blockLen  = 1024      // elements of a block, at most
	grainSize = 32 * 1024 // cheap elements that are worth another goroutine's while
	maxInputs = 3
)

// scratch has room for one block of each operand.
type scratch [1 + maxInputs][blockLen * 16 / 8]uint64

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// side is an operand on its way into or out of a loop.
type side struct {
	base    unsafe.Pointer // first element
	size    int            // of the operand's own elements
	want    int            // size of the loop's elements
	stride  []int
	convert converter
	narrow  converter // numbers that are rounded to a half type first
	half    tensor.Dtype
	direct  bool // the loop's dtype: a run with step 1 needs no scratch
	fixed   bool // one value for all
	whole   bool // direct, and contiguous over the whole plan
	number  [2]uint64
}

// set prepares operand i: 0 is the result. Operands of a half call are rounded to the half type first, as PyTorch
// does, but for a number that is the third operand, such as the weight of lerp.
func (s *side) set(p *tensor.Plan, o *tensor.PlanOperand, want tensor.Dtype, i int) {
	out := i == 0
	*s = side{stride: o.Stride, want: want.Size(), size: o.Dtype.Size()}
	if o.Tensor == nil {
		s.fixed = true
		compute := p.Dtype
		if i > 2 && !isFloat8(p.Dtype) {
			compute = want
		}
		putNumber(unsafe.Pointer(&s.number), o.Number, want, compute)
		s.base, s.convert, s.size = unsafe.Pointer(&s.number), convertTable[want][want], want.Size()
		return
	}
	if p.Numel > 0 { // an empty view may stand behind the last element, where no pointer may point
		s.base = unsafe.Add(o.Tensor.Storage().Pointer(), o.Offset*s.size)
	}
	s.direct = o.Dtype == want
	s.convert = convertTable[o.Dtype][want]
	if out {
		s.convert = convertTable[want][o.Dtype]
	} else if p.Dtype != o.Dtype && isHalf(p.Dtype) && want == tensor.Float32 {
		s.half, s.narrow = p.Dtype, convertTable[o.Dtype][p.Dtype]
	}
	s.fixed, s.whole = !out, s.direct
	n := 1
	for d := len(p.Shape) - 1; d >= 0; d-- {
		s.fixed = s.fixed && s.stride[d] == 0
		s.whole = s.whole && s.stride[d] == n
		n *= p.Shape[d]
	}
}

func isHalf(d tensor.Dtype) bool { return d == tensor.Float16 || d == tensor.Bfloat16 }

// isNarrow reports whether numbers are rounded to d before they are computed with in float32.
func isNarrow(d tensor.Dtype) bool {
	return isHalf(d) || isFloat8(d)
}

func isFloat8(d tensor.Dtype) bool { return d == tensor.Float8E4m3fn || d == tensor.Float8E5m2 }

// putNumber writes a number as one element of want; a half call rounds it first.
func putNumber(dst unsafe.Pointer, s tensor.Scalar, want, compute tensor.Dtype) {
	switch {
	case want == tensor.Float32 && isNarrow(compute) && !s.IsComplex():
		var h uint16
		putNumber(unsafe.Pointer(&h), s, compute, compute)
		convertTable[compute][want](dst, 1, unsafe.Pointer(&h), 1, 1)
	case s.IsComplex():
		c := s.Complex()
		convertTable[tensor.Complex128][want](dst, 1, unsafe.Pointer(&c), 1, 1)
	case s.IsBig():
		u := s.Uint()
		convertTable[tensor.Uint64][want](dst, 1, unsafe.Pointer(&u), 1, 1)
	case s.IsFloat():
		f := s.Float()
		convertTable[tensor.Float64][want](dst, 1, unsafe.Pointer(&f), 1, 1)
	default:
		i := s.Int()
		convertTable[tensor.Int64][want](dst, 1, unsafe.Pointer(&i), 1, 1)
	}
}

// block returns n contiguous elements from position at on: the operand's own memory, or scratch.
func (s *side) block(shape []int, tmp unsafe.Pointer, at, n int, out bool) unsafe.Pointer {
	last := len(shape) - 1
	switch {
	case s.fixed:
		return tmp
	case s.whole:
		return unsafe.Add(s.base, at*s.size)
	case s.direct && s.stride[last] == 1 && at%shape[last]+n <= shape[last]:
		return unsafe.Add(s.base, offsetOf(shape, s.stride, at)*s.size)
	case !out:
		s.walk(shape, at, n, func(done, off, k int) {
			s.load(unsafe.Add(tmp, done*s.want), unsafe.Add(s.base, off*s.size), s.stride[last], k)
		})
	}
	return tmp
}

func (s *side) load(dst, src unsafe.Pointer, step, n int) {
	if s.narrow == nil {
		s.convert(dst, 1, src, step, n)
		return
	}
	l := newLender()
	defer l.end()
	buf := lent[uint16](&l, blockLen)
	mid := unsafe.Pointer(&buf[0])
	for i := 0; i < n; i += len(buf) {
		k := min(len(buf), n-i)
		s.narrow(mid, 1, unsafe.Add(src, i*step*s.size), step, k)
		convertTable[s.half][tensor.Float32](unsafe.Add(dst, i*s.want), 1, mid, 1, k)
	}
}

// walk calls f for the pieces of [at, at+n) that lie in one row: done elements came before, off is the offset of the
// piece's first.
func (s *side) walk(shape []int, at, n int, f func(done, off, k int)) {
	walkRows(shape, s.stride, s.stride, at, at+n, func(pos, off, _, k int) { f(pos-at, off, k) })
}

// walkRows calls f for the pieces of the positions [lo, hi) that lie in one row, with the offsets of a piece under two
// sets of strides.
func walkRows(shape, a, b []int, lo, hi int, f func(pos, oa, ob, k int)) {
	last := len(shape) - 1
	inner, outer, sa, sb := shape[last], 1, 0, 0
	if last > 0 {
		outer, sa, sb = shape[last-1], a[last-1], b[last-1]
	}
	for lo < hi {
		// the rows that follow in the next dimension are a step away; beyond it the offset is found again
		oa, ob := offsetOf(shape, a, lo), offsetOf(shape, b, lo)
		col, row := lo%inner, lo/inner%outer
		for ; row < outer && lo < hi; row++ {
			k := min(hi-lo, inner-col)
			f(lo, oa, ob, k)
			lo += k
			oa, ob, col = oa+sa-col*a[last], ob+sb-col*b[last], 0
		}
	}
}

// offsetOf is the offset of position at, counted row by row.
func offsetOf(shape, stride []int, at int) int {
	off := 0
	for d := len(shape) - 1; d >= 0; d-- {
		off += at % shape[d] * stride[d]
		at /= shape[d]
	}
	return off
}

// loadRows loads rows of cols elements one after the other.
func (s *side) loadRows(dst, src unsafe.Pointer, rowStep, colStep, rows, cols int) {
	if s.direct {
		movers[sizeClass(s.size)](grid{rows: rows, cols: cols, dst: dst, src: src, dstRow: cols * s.size, dstCol: s.size,
			srcRow: rowStep * s.size, srcCol: colStep * s.size})
		return
	}
	if rowStep == 0 && rows > 1 {
		s.load(dst, src, colStep, cols)
		repeatRun(unsafe.Add(dst, cols*s.want), dst, cols*s.want, rows-1)
		return
	}
	if rowStep == cols*colStep {
		s.load(dst, src, colStep, rows*cols)
		return
	}
	for r := range rows {
		s.load(unsafe.Add(dst, r*cols*s.want), unsafe.Add(src, r*rowStep*s.size), colStep, cols)
	}
}

// loadTile loads rows of cols elements one after the other, where elements of a column are side by side.
func (s *side) loadTile(dst, src unsafe.Pointer, rowStep, colStep, rows, cols int) {
	if s.direct && rowStep == 1 {
		transposeTile(s.size, dst, cols, src, colStep, rows, cols)
		return
	}
	for r := range rows {
		s.load(unsafe.Add(dst, r*cols*s.want), unsafe.Add(src, r*rowStep*s.size), colStep, cols)
	}
}

// transposeTile sets dst[r*dstStep+c] = src[c*srcStep+r] for elements of a size.
func transposeTile(size int, dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int) {
	switch size {
	case 1:
		simd.Transpose8(dst, dstStep, src, srcStep, rows, cols)
	case 2:
		simd.Transpose16(dst, dstStep, src, srcStep, rows, cols)
	case 4:
		simd.Transpose32(dst, dstStep, src, srcStep, rows, cols)
	case 8:
		simd.Transpose64(dst, dstStep, src, srcStep, rows, cols)
	default:
		simd.Transpose128(dst, dstStep, src, srcStep, rows, cols)
	}
}
