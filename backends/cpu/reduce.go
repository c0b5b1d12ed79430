package cpu

import (
	"fmt"
	"runtime"
	"sort"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: reductions. A reduction folds the elements of each run (those that differ in the reduced dimensions only) into a state, block by
// block. Runs longer than runLen are cut into parts of that length whose states are merged in order, however many goroutines there are, so
// results repeat to the last bit. Runs that lie across memory are gathered several at a time.

const (
	runLen  = 32 * 1024 // elements of a part
	tileLen = 256       // elements of a block where several runs are gathered together
	tileMax = 16        // how many runs
)

// reducer folds elements of A into states S.
type reducer[A, S any] struct {
	zero  S
	block func(s *S, xs []A, at int)      // xs follow at elements of the run
	merge func(s *S, next *S)             // next folded what comes after s
	done  func(out int, s *S, length int) // the run of result out, of length elements, is folded
}

// runs is a tensor seen as results and the run of each.
type runs struct {
	x                  side
	keep, keepStride   []int // row by row: the order of results
	run, runStride     []int
	outs, length       int
	inner, innerStride int // the last dimension of a run
}

// runsOf sees x as runs over the dimensions of mask. Ordered runs are walked row by row; others in the order of memory.
func runsOf(x *tensor.Tensor, mask []bool, want tensor.Dtype, ordered bool) *runs {
	r := &runs{outs: 1, length: 1}
	type dim struct{ size, stride int }
	var run []dim
	for i, s := range x.Sizes() {
		if mask[i] {
			r.length *= s
			if s != 1 {
				run = append(run, dim{s, x.Strides()[i]})
			}
			continue
		}
		r.outs *= s
		if s != 1 {
			r.keep, r.keepStride = append(r.keep, s), append(r.keepStride, x.Strides()[i])
		}
	}
	if !ordered {
		sort.SliceStable(run, func(i, j int) bool { return max(run[i].stride, -run[i].stride) > max(run[j].stride, -run[j].stride) })
	}
	for _, d := range run {
		if n := len(r.run) - 1; n >= 0 && r.runStride[n] == d.size*d.stride {
			r.run[n] *= d.size
			r.runStride[n] = d.stride
			continue
		}
		r.run, r.runStride = append(r.run, d.size), append(r.runStride, d.stride)
	}
	if len(r.run) == 0 {
		r.run, r.runStride = []int{1}, []int{1}
	}
	if len(r.keep) == 0 {
		r.keep, r.keepStride = []int{1}, []int{1}
	}
	r.inner, r.innerStride = r.run[len(r.run)-1], r.runStride[len(r.run)-1]
	r.x = side{size: x.ElementSize(), want: want.Size(), stride: r.runStride, direct: x.Dtype() == want, convert: convertTable[x.Dtype()][want]}
	r.x.base = unsafe.Add(x.Storage().Pointer(), x.StorageOffset()*r.x.size)
	return r
}

// reduce folds every run of the call's tensor over the dimensions of mask.
func reduce[A tensor.Element, S any](c *tensor.Call, mask []bool, ordered bool, f reducer[A, S]) {
	op, x := c.Name(), c.Self()
	r := runsOf(x, mask, tensor.DtypeOf[A](), ordered)
	if c.KeySet().Has(tensor.KeyTrace) {
		c.Note = r.describe(x.Dtype())
	}
	defer runtime.KeepAlive(x)
	switch {
	case r.outs == 0:
	case r.length == 0:
		for i := range r.outs {
			s := f.zero
			f.done(i, &s, 0)
		}
	case r.length > runLen && r.outs < 1024:
		parts := (r.length + runLen - 1) / runLen
		states := make([]S, r.outs*parts)
		parallel.For(len(states), 1, func(lo, hi int) {
			tensor.Interrupted(op)
			tmp := scratches.Get().(*scratch)
			for i := lo; i < hi; i++ {
				states[i] = f.zero
				from := i % parts * runLen
				foldRun(r, f, &states[i], i/parts, from, min(from+runLen, r.length), tmp)
			}
			scratches.Put(tmp)
		})
		for i := range r.outs {
			s := &states[i*parts]
			for j := 1; j < parts; j++ {
				f.merge(s, &states[i*parts+j])
			}
			f.done(i, s, r.length)
		}
	default:
		parallel.For(r.outs, max(1, runLen/r.length), func(lo, hi int) {
			tensor.Interrupted(op)
			tmp := scratches.Get().(*scratch)
			states := make([]S, tileMax)
			for lo < hi {
				if n := min(hi-lo, tileMax, r.across(lo)); n > 1 {
					foldTile(r, f, states[:n], lo, tmp)
					lo += n
					continue
				}
				states[0] = f.zero
				foldRun(r, f, &states[0], lo, 0, r.length, tmp)
				f.done(lo, &states[0], r.length)
				lo++
			}
			scratches.Put(tmp)
		})
	}
}

// describe says how the runs are walked, for traces.
func (r *runs) describe(d tensor.Dtype) string {
	way := "run by run"
	switch n := min(tileMax, r.across(0)); {
	case r.outs == 0 || r.length == 0:
		way = "nothing to walk"
	case r.length > runLen && r.outs < 1024:
		way = fmt.Sprintf("in parts of %d", runLen)
	case n > 1:
		way = fmt.Sprintf("%d runs side by side", n)
	}
	return fmt.Sprintf("%s, %d × run %v stride %v, starts %v stride %v, %s", d, r.outs, r.run, r.runStride, r.keep, r.keepStride, way)
}

// across is how many results from out on have runs that lie side by side in memory, while the runs themselves do not.
func (r *runs) across(out int) int {
	last := len(r.keep) - 1
	if r.innerStride == 1 || r.keepStride[last] != 1 || r.inner < 4 {
		return 1
	}
	return r.keep[last] - out%r.keep[last]
}

// foldRun folds elements [from, to) of a run.
func foldRun[A, S any](r *runs, f reducer[A, S], s *S, out, from, to int, tmp *scratch) {
	base := unsafe.Add(r.x.base, offsetOf(r.keep, r.keepStride, out)*r.x.size)
	if len(r.run) == 1 && r.x.direct && r.innerStride == 1 {
		all := slice[A](base, r.length)
		for at := from; at < to; at += blockLen {
			f.block(s, all[at:min(at+blockLen, to)], at)
		}
		return
	}
	x := r.x
	x.base = base
	for at := from; at < to; at += blockLen {
		n := min(blockLen, to-at)
		f.block(s, slice[A](x.block(r.run, unsafe.Pointer(&tmp[0]), at, n, false), n), at)
	}
}

// foldTile folds runs that lie side by side, one for each state: a piece of each row of memory serves all of them.
func foldTile[A, S any](r *runs, f reducer[A, S], states []S, out int, tmp *scratch) {
	n := len(states)
	for i := range states {
		states[i] = f.zero
	}
	x := &r.x
	base := unsafe.Add(x.base, offsetOf(r.keep, r.keepStride, out)*x.size)
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
	for i := range n {
		f.done(out+i, &states[i], r.length)
	}
}

// results lends the elements of result i as S: its own memory, or a buffer that the function converts into it.
func results[S tensor.Element](c *tensor.Call, i int) ([]S, func()) {
	y := c.Ret(i)
	if y.Dtype() == tensor.DtypeOf[S]() {
		return tensor.Elems[S](y), func() {}
	}
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
