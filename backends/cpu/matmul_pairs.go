package cpu

import (
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: pairs of bfloat16. CPUs with AVX512_BF16 multiply two neighbours of a row of a by two of a column of b at
// once. Rows that lie in memory are pairs already. Columns that do are made pairs of, two rows of the matrix
// becoming one.

const pairSide = 4 // rows, columns and terms of a product from which its operands become pairs

// pair makes the operands of a product of bfloat16 matrices pairs. It reports false where they stay as they are.
func (p *product) pair(w *gemm.Work[float32]) bool {
	if simd.GemmPairs == nil || p.a.x.Dtype() != tensor.Bfloat16 || min(p.m, p.n, p.k) < pairSide {
		return false
	}
	a, b := p.a, p.b
	p.a.row, p.a.col = a.pairs(p.op, &p.a, &w.A, p.batch, p.m, p.k, a.row, a.col)
	p.b.col, p.b.row = b.pairs(p.op, &p.b, &w.B, p.batch, p.n, p.k, b.col, b.row)
	p.k = (p.k + 1) / 2
	p.pairs = true
	return true
}

// pairs makes pairs of a batch of matrices with lines of k numbers, which are line and step elements apart, in buf
// or where they are. It sets to's elements and the step of its batch, and returns the other steps there.
func (o operand) pairs(op string, to *operand, buf *[]float32, batch, lines, k, line, step int) (toLine, toStep int) {
	if o.batch == 0 {
		batch = min(batch, 1)
	}
	elems := tensor.StorageElems[tensor.BF16](o.x)
	src, first := unsafe.Slice((*uint16)(unsafe.Pointer(unsafe.SliceData(elems))), len(elems)), o.x.StorageOffset()
	if step == 1 && k%2 == 0 && line%2 == 0 && o.batch%2 == 0 && first%2 == 0 {
		words := unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(elems))), len(elems)/2)
		to.parts, to.batch = words[first/2:], o.batch/2
		return line / 2, 1
	}
	count := (k + 1) / 2
	parts := gemm.Room(buf, batch*count*lines)
	to.parts = parts
	if o.batch != 0 {
		to.batch = count * lines
	}
	if line == 1 {
		parallel.For(batch*count, parallel.Grain(0.1*float64(lines)), func(lo, hi int) {
			tensor.Interrupted(op)
			for i := lo; i < hi; i++ {
				dst := parts[i*lines:][:lines]
				q := i % count * 2
				at := first + i/count*o.batch + q*step
				if q+1 < k {
					simd.PairRows(dst, src[at:], src[at+step:])
					continue
				}
				bits := unsafe.Slice((*uint32)(unsafe.Pointer(&dst[0])), lines)
				for j := range bits {
					bits[j] = uint32(src[at+j])
				}
			}
		})
		return 1, lines
	}
	parallel.For(batch*lines, parallel.Grain(float64(k)), func(lo, hi int) {
		tensor.Interrupted(op)
		for i := lo; i < hi; i++ {
			bits := unsafe.Slice((*uint16)(unsafe.Pointer(&parts[i*count])), 2*count)
			bits[2*count-1] = 0
			at := first + i/lines*o.batch + i%lines*line
			if step == 1 {
				copy(bits, src[at:at+k])
				continue
			}
			for q := range bits[:k] {
				bits[q] = src[at]
				at += step
			}
		}
	})
	return count, 1
}
