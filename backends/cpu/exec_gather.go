package cpu

import "unsafe"

// gathered runs rows [lo, hi) in blocks of as many as fit. Chunks begin where operands that repeat do.
func (e *executor) gathered(lo, hi int) {
	tmp := e.begin(e.block)
	defer scratches.Put(tmp)
	var x [1 + maxInputs]unsafe.Pointer
	for first := true; lo < hi; first = false {
		rows := min(e.piece, hi-lo)
		for i := range e.sides {
			s := &e.sides[i]
			x[i] = unsafe.Pointer(&tmp[i])
			switch {
			case s.whole:
				x[i] = unsafe.Add(s.base, lo*e.inner*s.size)
			case i > 0 && !s.fixed && (first || e.period[i] > e.repeat):
				e.gather(i, x[i], lo, rows)
			}
		}
		e.call(rows*e.inner, &x)
		if !e.sides[0].whole {
			e.scatter(x[0], lo, rows)
		}
		lo += rows
	}
}

// periods finds after how many rows operands repeat. A block has a multiple of e.repeat rows, which is the period of
// those that need to be gathered once in a chunk only.
func (e *executor) periods() {
	shape := e.plan.Shape
	last := len(shape) - 1
	e.piece, e.repeat = max(1, e.block/e.inner), 1
	for i := range e.sides {
		s := &e.sides[i]
		d, period := 0, 1
		for d < last && (s.stride[d] == 0 || shape[d] == 1) {
			d++
		}
		for ; d < last; d++ {
			period *= shape[d]
		}
		if e.period[i] = period; i > 0 && !s.whole && !s.fixed && period <= e.piece {
			e.repeat = max(e.repeat, period) // the lesser periods divide the greater ones
		}
	}
	e.piece -= e.piece % e.repeat
}

// gather loads rows of operand i from row at on, one after the other.
func (e *executor) gather(i int, dst unsafe.Pointer, at, rows int) {
	s := &e.sides[i]
	last := len(e.plan.Shape) - 1
	if last == 0 {
		s.loadRows(dst, s.base, 0, s.stride[0], 1, e.inner)
		return
	}
	e.planes(s, at, rows, func(p unsafe.Pointer, from, n int) {
		s.loadRows(unsafe.Add(dst, from*e.inner*s.want), p, s.stride[last-1], s.stride[last], n, e.inner)
	})
}

// scatter stores rows of the result from row at on.
func (e *executor) scatter(src unsafe.Pointer, at, rows int) {
	s := &e.sides[0]
	last := len(e.plan.Shape) - 1
	if last == 0 {
		s.convert(s.base, s.stride[0], src, 1, e.inner)
		return
	}
	e.planes(s, at, rows, func(p unsafe.Pointer, from, n int) {
		for r := range n {
			s.convert(unsafe.Add(p, r*s.stride[last-1]*s.size), s.stride[last],
				unsafe.Add(src, (from+r)*e.inner*s.want), 1, e.inner)
		}
	})
}

// planes calls f for the parts of rows from row at on that lie in one plane of the last two dimensions: the address of
// the first row, how many came before, and how many follow.
func (e *executor) planes(s *side, at, rows int, f func(p unsafe.Pointer, from, n int)) {
	last := len(e.plan.Shape) - 1
	outer, height := e.plan.Shape[:last-1], e.plan.Shape[last-1]
	for from := 0; from < rows; {
		plane, row := (at+from)/height, (at+from)%height
		n := min(rows-from, height-row)
		f(unsafe.Add(s.base, (offsetOf(outer, s.stride, plane)+row*s.stride[last-1])*s.size), from, n)
		from += n
	}
}
