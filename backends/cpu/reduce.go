package cpu

import (
	"fmt"
	"runtime"
	"sort"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: reductions. A reduction folds the elements of each run (those that differ in the reduced dimensions only) into
// a state. Where a run's elements are contiguous, block folds them. Where instead the runs lie side by side in memory,
// rows folds whole rows into a row of states (see columns.go). Otherwise blocks are gathered, for several runs at a
// time if these lie side by side.
//
// Long runs are cut into parts whose states are merged in order. The cuts depend on the shape alone, so that results
// are the same to the last bit for any number of goroutines.

const (
	runLen    = 32 * 1024  // elements of a part
	shareLen  = 128 * 1024 // elements that are worth another goroutine's while, at about a tenth of a nanosecond each
	tileLen   = 256        // elements of a block where several runs are gathered together
	tileMax   = 16         // how many runs
	mostParts = 1 << 20    // of all runs together; longer runs have longer parts
	unchecked = 1 << 20    // elements that are folded without looking for an interruption
)

// reducer folds elements of A into states S.
type reducer[A, S any] struct {
	zero  S
	block func(s *S, xs []A, at int) // xs follow at elements of the run
	// optional: rows of n elements, stride apart, follow at rows; see simd.SumRowsFloat32
	rows  func(acc []S, xs []A, stride, rows, n, at int)
	merge func(s, next []S)                // next folded what comes after s; as long as s
	done  func(out int, s []S, length int) // the runs of the results from out on, of length elements, are folded
	heavy bool                             // an element takes ten nanoseconds rather than a tenth
}

// eachState makes a merge of one for two states.
func eachState[S any](f func(s, next *S)) func(s, next []S) {
	return func(s, next []S) {
		for i := range s {
			f(&s[i], &next[i])
		}
	}
}

// eachResult makes a done of one for one result.
func eachResult[S any](f func(out int, s *S, length int)) func(out int, s []S, length int) {
	return func(out int, s []S, length int) {
		for i := range s {
			f(out+i, &s[i], length)
		}
	}
}

// addStates merges sums.
func addStates[S number](s, next []S) {
	for i, v := range next[:len(s)] {
		s[i] += v
	}
}

// share is how many elements are worth another goroutine's while.
func (f *reducer[A, S]) share() int {
	if f.heavy {
		return shareLen / 64
	}
	return shareLen
}

// runs is a tensor seen as results and the run of each.
type runs struct {
	x                  side
	keep, keepStride   []int // row by row: the order of results
	run, runStride     []int
	outs, length       int
	inner, innerStride int // the last dimension of a run
	dims               [4][2]int
}

// appendDim adds a dimension inside those of sizes and strides, as a part of the last one if it continues that.
func appendDim(sizes, strides []int, size, stride int) ([]int, []int) {
	if n := len(sizes) - 1; n >= 0 && strides[n] == size*stride {
		sizes[n] *= size
		strides[n] = stride
		return sizes, strides
	}
	return append(sizes, size), append(strides, stride)
}

// runsOf sees x as runs over the dimensions of mask. Ordered runs are walked row by row; others in the order of
// memory.
func runsOf(x *tensor.Tensor, mask []bool, want tensor.Dtype, ordered bool) *runs {
	r := &runs{outs: 1, length: 1}
	for i, list := range []*[]int{&r.keep, &r.keepStride, &r.run, &r.runStride} {
		*list = r.dims[i][:0] // of more dimensions they lie elsewhere
	}
	type dim struct{ size, stride int }
	var buf [8]dim
	run := buf[:0]
	strides := x.Strides()
	for i, s := range x.Sizes() {
		if mask[i] {
			r.length *= s
			if s != 1 {
				run = append(run, dim{s, strides[i]})
			}
			continue
		}
		r.outs *= s
		if s != 1 {
			r.keep, r.keepStride = appendDim(r.keep, r.keepStride, s, strides[i])
		}
	}
	if !ordered && len(run) > 1 {
		sort.SliceStable(run, func(i, j int) bool {
			return max(run[i].stride, -run[i].stride) > max(run[j].stride, -run[j].stride)
		})
	}
	for _, d := range run {
		r.run, r.runStride = appendDim(r.run, r.runStride, d.size, d.stride)
	}
	if len(r.run) == 0 {
		r.run, r.runStride = []int{1}, []int{1}
	}
	if len(r.keep) == 0 {
		r.keep, r.keepStride = []int{1}, []int{1}
	}
	r.inner, r.innerStride = r.run[len(r.run)-1], r.runStride[len(r.run)-1]
	r.x = side{size: x.ElementSize(), want: want.Size(), stride: r.runStride, direct: x.Dtype() == want,
		convert: convertTable[x.Dtype()][want]}
	r.x.base = x.Ptr() // nil of no elements: their place may lie behind the storage
	return r
}

// reduce folds every run of the call's tensor over the dimensions of mask.
func reduce[A tensor.Element, S any](c *tensor.Call, mask []bool, ordered bool, f reducer[A, S]) {
	op, x := c.Name(), c.Self()
	r := runsOf(x, mask, tensor.DtypeOf[A](), ordered)
	if c.KeySet().Has(tensor.KeyTrace) {
		c.Note = r.describe(x.Dtype(), f.rows != nil)
	}
	defer runtime.KeepAlive(x)
	switch {
	case r.outs == 0:
	case r.length == 0:
		for i := range r.outs {
			f.done(i, []S{f.zero}, 0)
		}
	case f.rows != nil && r.sideBySide():
		reduceColumns(op, r, &f, ordered)
	case r.parts() > 1:
		parts, part := r.parts(), r.part()
		states := make([]S, r.outs*parts)
		parallel.For(len(states), max(1, f.share()/part), func(lo, hi int) {
			tmp := scratches.Get().(*scratch)
			row := stateRow(r, &f, ordered)
			for i := lo; i < hi; i++ {
				tensor.Interrupted(op)
				states[i] = f.zero
				from := i % parts * part
				foldRun(op, r, &f, &states[i], i/parts, from, min(from+part, r.length), tmp, row)
			}
			scratches.Put(tmp)
		})
		for i := range r.outs {
			s := states[i*parts:][:parts]
			for j := 1; j < parts; j++ {
				f.merge(s[:1], s[j:j+1])
			}
			f.done(i, s[:1], r.length)
		}
	default:
		parallel.For(r.outs, max(1, f.share()/r.length), func(lo, hi int) {
			tensor.Interrupted(op)
			tmp := scratches.Get().(*scratch)
			row := stateRow(r, &f, ordered)
			var states [tileMax]S
			for lo < hi {
				if r.x.direct && len(r.run) == 1 && len(r.keep) == 1 && (r.innerStride == 1 || r.length == 1) &&
					r.length <= runLen {
					n := min(hi-lo, tileMax)
					for i := range n {
						states[i] = f.zero
						f.block(&states[i], slice[A](r.at(lo+i), r.length), 0)
					}
					f.done(lo, states[:n], r.length)
					lo += n
					continue
				}
				if n := min(hi-lo, tileMax, r.across(lo)); n > 1 {
					foldTile(r, &f, states[:n], lo, tmp)
					lo += n
					continue
				}
				states[0] = f.zero
				foldRun(op, r, &f, &states[0], lo, 0, r.length, tmp, row)
				f.done(lo, states[:1], r.length)
				lo++
			}
			scratches.Put(tmp)
		})
	}
}

// parts is how many parts a run is cut into.
func (r *runs) parts() int {
	if r.outs >= 1024 {
		return 1
	}
	part := r.part()
	return (r.length + part - 1) / part
}

// part is the length of a part.
func (r *runs) part() int {
	n := runLen
	for r.length/n > mostParts/r.outs {
		n *= 2
	}
	return n
}

// describe says how the runs are walked, for traces.
func (r *runs) describe(d tensor.Dtype, rows bool) string {
	way := "run by run"
	switch n := min(tileMax, r.across(0)); {
	case r.outs == 0 || r.length == 0:
		way = "nothing to walk"
	case rows && r.sideBySide():
		way = "row by row"
	case r.parts() > 1:
		way = fmt.Sprintf("in parts of %d", r.part())
	case n > 1:
		way = fmt.Sprintf("%d runs side by side", n)
	}
	return fmt.Sprintf("%s, %d × run %v stride %v, starts %v stride %v, %s", d, r.outs, r.run, r.runStride, r.keep,
		r.keepStride, way)
}

// across is how many results from out on have runs that lie side by side in memory, while the runs themselves do not.
func (r *runs) across(out int) int {
	last := len(r.keep) - 1
	if r.innerStride == 1 || r.keepStride[last] != 1 || r.inner < 4 {
		return 1
	}
	return r.keep[last] - out%r.keep[last]
}

// at is the address of the first element of a run.
func (r *runs) at(out int) unsafe.Pointer {
	off := out * r.keepStride[0]
	if len(r.keep) > 1 {
		off = offsetOf(r.keep, r.keepStride, out)
	}
	return unsafe.Add(r.x.base, off*r.x.size)
}

// stateRow has room for the states of a row where runs are made of short rows, which are folded side by side; else it
// is nil.
func stateRow[A, S any](r *runs, f *reducer[A, S], ordered bool) []S {
	if f.rows == nil || ordered || !r.x.direct || len(r.run) < 2 || r.innerStride != 1 || r.inner < 8 || r.inner > 256 ||
		r.length < 8*r.inner {
		return nil
	}
	return make([]S, simd.RowLen(r.inner))
}

// foldShortRows folds elements [from, to) of a run, whole rows, into a row of states, and these into s by halves.
func foldShortRows[A, S any](r *runs, f *reducer[A, S], s *S, base unsafe.Pointer, from, to int, row []S) {
	for i := range row {
		row[i] = f.zero
	}
	last, n := len(r.run)-1, r.inner
	high, stride := r.run[last-1], r.runStride[last-1]
	for at := from / n; at < to/n; {
		count := min(to/n-at, high-at%high)
		p := unsafe.Add(base, offsetOf(r.run[:last], r.runStride[:last], at)*r.x.size)
		if stride < n { // rows that overlap, repeat or go backwards
			count = 1
		}
		f.rows(row, slice[A](p, (count-1)*stride+n), stride, count, n, at)
		at += count
	}
	for n > 1 {
		half := n / 2
		f.merge(row[:half], row[n-half:n])
		n -= half
	}
	f.merge(unsafe.Slice(s, 1), row[:1])
}

// foldRun folds elements [from, to) of a run; row is what stateRow gave.
func foldRun[A, S any](op string, r *runs, f *reducer[A, S], s *S, out, from, to int, tmp *scratch, row []S) {
	base := r.at(out)
	if row != nil && from%r.inner == 0 && to%r.inner == 0 && to-from <= unchecked {
		foldShortRows(r, f, s, base, from, to, row)
		return
	}
	if r.x.direct && r.innerStride == 1 && (len(r.run) == 1 || r.inner >= 64) {
		for work := 0; from < to; {
			n := min(to-from, r.inner-from%r.inner, unchecked)
			off := from
			if len(r.run) > 1 {
				off = offsetOf(r.run, r.runStride, from)
			}
			f.block(s, slice[A](unsafe.Add(base, off*r.x.size), n), from)
			from += n
			if work += n; work >= unchecked {
				tensor.Interrupted(op)
				work = 0
			}
		}
		return
	}
	x := r.x
	x.base = base
	for at := from; at < to; at += blockLen {
		n := min(blockLen, to-at)
		f.block(s, slice[A](x.block(r.run, unsafe.Pointer(&tmp[0]), at, n, false), n), at)
		if (at-from)%unchecked == unchecked-blockLen {
			tensor.Interrupted(op)
		}
	}
}

// foldTile folds runs that lie side by side, one for each state: a piece of each row of memory serves all of them.
func foldTile[A, S any](r *runs, f *reducer[A, S], states []S, out int, tmp *scratch) {
	n := len(states)
	for i := range states {
		states[i] = f.zero
	}
	x := &r.x
	base := r.at(out)
	scratch := unsafe.Pointer(tmp)
	for at := 0; at < r.length; at += tileLen {
		k := min(tileLen, r.length-at)
		for j := range k {
			off := offsetOf(r.run, r.runStride, at+j)
			x.convert(unsafe.Add(scratch, j*x.want), tileLen, unsafe.Add(base, off*x.size), 1, n)
		}
		for i := range n {
			f.block(&states[i], slice[A](unsafe.Add(scratch, i*tileLen*x.want), k), at)
		}
	}
	f.done(out, states, r.length)
}

// results lends the elements of result i as S: its own memory, or a buffer that the function converts into it.
func results[S tensor.Element](c *tensor.Call, i int) ([]S, func()) {
	y := c.Ret(i)
	if y.Dtype() == tensor.DtypeOf[S]() {
		return tensor.Elems[S](y), func() {}
	}
	tensor.MustFit(c.Name(), float64(y.Numel())*float64(tensor.DtypeOf[S]().Size()))
	buf := make([]S, y.Numel())
	return buf, func() {
		if len(buf) > 0 {
			convertTable[tensor.DtypeOf[S]()][y.Dtype()](y.Ptr(), 1, unsafe.Pointer(&buf[0]), 1, len(buf))
		}
	}
}

// dimsOf tells which dimensions a call reduces.
func dimsOf(c *tensor.Call) []bool {
	return tensor.ReduceDims(c.Name(), c.ReduceArg(), c.Self().Dim())
}
