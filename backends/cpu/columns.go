package cpu

import (
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Reductions of runs that lie side by side. The results are cut into strips of up to stripLen columns, whose states
// stay in the first-level cache while the rows pass by.

const stripLen = 256

// sideBySide reports whether runs of consecutive results lie side by side, so that rows can be folded.
func (r *runs) sideBySide() bool {
	last := len(r.keep) - 1
	return r.keepStride[last] == 1 && r.keep[last] > 1 && r.innerStride > 1 && r.inner > 1
}

// strips is how reduceColumns cuts its work: cells of a strip and a part of the rows.
type strips struct {
	cols, width, perRow int // columns of a row, of a strip; strips of a row
	// rows that are seen as one, where they are short, nothing lies between two, and their order does not matter
	wide            int
	parts, partRows int
}

func (r *runs) strips(ordered bool) strips {
	s := strips{cols: r.keep[len(r.keep)-1], wide: 1, parts: 1, partRows: r.length}
	s.width = min(s.cols, stripLen)
	s.perRow = (s.cols + s.width - 1) / s.width
	if !ordered && s.cols <= 32 && len(r.run) == 1 && r.innerStride == s.cols && r.inner >= 256 {
		s.wide = 128 / s.cols
	}
	// few strips share their rows out too, where that is worth the merging
	if cells := r.outs / s.cols * s.perRow; cells < 8 {
		s.parts = max(1, min(8/cells, r.length*s.width/shareLen))
		s.partRows = ((r.length+s.parts-1)/s.parts + s.wide - 1) / s.wide * s.wide
		s.parts = (r.length + s.partRows - 1) / s.partRows
	}
	return s
}

func reduceColumns[A, S any](op string, r *runs, f *reducer[A, S], ordered bool) {
	t := r.strips(ordered)
	cells := r.outs / t.cols * t.perRow
	var states []S // of all parts
	if t.parts > 1 {
		states = make([]S, r.outs*t.parts)
	}
	parallel.For(cells*t.parts, max(1, f.share()/(t.width*t.partRows)), func(lo, hi int) {
		l := newLender()
		row := lent[S](&l, simd.RowLen(t.width*t.wide))
		tmp := scratches.Get().(*scratch)
		for i := lo; i < hi; i++ {
			tensor.Interrupted(op)
			cell, part := i/t.parts, i%t.parts
			col := cell % t.perRow * t.width
			out := cell/t.perRow*t.cols + col
			n := min(t.width, t.cols-col)
			foldRows(op, r, f, row, out, n, t.wide, part*t.partRows, min((part+1)*t.partRows, r.length), tmp)
			if states != nil {
				copy(states[part*r.outs+out:], row[:n])
				continue
			}
			f.done(out, row[:n], r.length)
		}
		scratches.Put(tmp)
		l.end()
	})
	if states == nil {
		return
	}
	for part := 1; part < t.parts; part++ {
		f.merge(states[:r.outs], states[part*r.outs:][:r.outs])
	}
	f.done(0, states[:r.outs], r.length)
}

// foldRows folds rows [from, to) of n results from out on into acc; wide rows are seen as one.
func foldRows[A, S any](op string, r *runs, f *reducer[A, S], acc []S, out, n, wide, from, to int, tmp *scratch) {
	for i := range acc {
		acc[i] = f.zero
	}
	base := r.at(out)
	if wide > 1 {
		whole := (to - from) / wide
		foldPiece(r, f, acc, unsafe.Add(base, from*n*r.x.size), n*wide, whole, n*wide, from, tmp)
		for k := 1; k < wide; k++ {
			f.merge(acc[:n], acc[k*n:][:n])
		}
		from += whole * wide
	}
	for work := 0; from < to; {
		count := min(to-from, r.inner-from%r.inner, max(16, unchecked/n))
		off := from * r.innerStride
		if len(r.run) > 1 {
			off = offsetOf(r.run, r.runStride, from)
		}
		foldPiece(r, f, acc, unsafe.Add(base, off*r.x.size), r.innerStride, count, n, from, tmp)
		from += count
		if work += count * n; work >= unchecked {
			tensor.Interrupted(op)
			work = 0
		}
	}
}

// foldPiece folds count rows of n elements, stride elements apart from base on.
func foldPiece[A, S any](r *runs, f *reducer[A, S], acc []S, base unsafe.Pointer, stride, count, n, at int,
	tmp *scratch) {
	if count == 0 {
		return
	}
	if r.x.direct {
		f.rows(acc, slice[A](base, (count-1)*stride+n), stride, count, n, at)
		return
	}
	room := int(unsafe.Sizeof(*tmp)) / (n * r.x.want) &^ 3 // rows that are converted at a time
	for i := 0; i < count; i += room {
		k := min(room, count-i)
		for j := range k {
			r.x.convert(unsafe.Add(unsafe.Pointer(tmp), j*n*r.x.want), 1, unsafe.Add(base, (i+j)*stride*r.x.size), 1, n)
		}
		f.rows(acc, slice[A](unsafe.Pointer(tmp), k*n), n, k, n, at+i)
	}
}
