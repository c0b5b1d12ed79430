package cpu

import (
	"runtime"
	"sync"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: how a pointwise call runs. A loop is a function over contiguous elements, so it knows neither strides nor the
// dtypes of operands. The executor walks the plan and hands it pieces. Where all operands are contiguous they are used
// as they are. Where only the last dimension is, each row is a piece. Short rows are gathered into blocks, as is an
// operand that is strided or of another dtype; one whose rows repeat is gathered once. An operand that is transposed
// against the result is read in tiles of 16 rows, so that every cache line it is read from is used whole.

// loop computes n contiguous elements.
type loop = simd.Func

const (
	rowLen   = 64 // elements of a row that are a piece of their own, or fewer where an input has one value for each row
	tileRows = 16
)

type executor struct {
	plan  *tensor.Plan
	sides []side
	buf   [1 + maxInputs]side
	loop  loop
	block int // elements that fit into the scratch of an operand

	values [2]valueLoop // where an input is one value: see pointwise
	inner  int          // elements of a row
	piece  int          // elements of a row that are computed at a time; rows of a block where they are gathered

	period [1 + maxInputs]int // rows after which an operand repeats
	repeat int                // the longest period that fits a block
	spans  [4]func(lo, hi int)
}

var executors = sync.Pool{New: func() any {
	e := new(executor)
	e.spans = [4]func(lo, hi int){e.flat, e.rows, e.gathered, e.tiles}
	return e
}}

// start prepares the sides: out is the loop's result dtype, ins those of its inputs.
func start(p *tensor.Plan, out tensor.Dtype, ins []tensor.Dtype) *executor {
	e := executors.Get().(*executor)
	e.plan = p
	e.sides = e.buf[:1+len(p.In)]
	e.sides[0].set(p, &p.Out, out, 0)
	for i := range p.In {
		e.sides[i+1].set(p, &p.In[i], ins[i], i+1)
	}
	return e
}

// run walks the whole plan with loop; cost is what an element takes, in cheap elements.
func (e *executor) run(loop loop, cost int) {
	p := e.plan
	if p.Numel > 0 {
		e.loop = loop
		wide := 1
		for i := range e.sides {
			wide = max(wide, e.sides[i].want)
		}
		e.block = min(2*blockLen, blockLen*16/wide)
		e.inner = p.Shape[len(p.Shape)-1]
		e.walk(max(2*blockLen, parallel.Grain(0.1*float64(cost))))
	}
	runtime.KeepAlive(p.Out.Tensor)
	e.plan, e.loop, e.buf, e.values = nil, nil, [1 + maxInputs]side{}, [2]valueLoop{}
	executors.Put(e)
}

// walk chooses how to walk; grain is the number of elements of a chunk.
func (e *executor) walk(grain int) {
	p := e.plan
	flat := true
	for i := range e.sides {
		flat = flat && (e.sides[i].whole || e.sides[i].fixed && i > 0)
	}
	rows := p.Numel / e.inner
	switch {
	case flat:
		parallel.For(p.Numel, grain, e.spans[0])
	case e.transposed():
		outer := rows / p.Shape[len(p.Shape)-2]
		stripes := (p.Shape[len(p.Shape)-2] + tileRows - 1) / tileRows
		parallel.For(outer*stripes, max(1, grain/(tileRows*e.inner)), e.spans[3])
	case e.inner >= rowLen || e.valued() > 0:
		// long rows are split, so that several goroutines can share them and an interrupt is seen
		e.piece = min(e.inner, grain)
		pieces := (e.inner + e.piece - 1) / e.piece
		parallel.For(rows*pieces, max(1, grain/e.piece), e.spans[1])
	default:
		e.periods()
		parallel.For(rows, (max(1, grain/e.inner)+e.repeat-1)/e.repeat*e.repeat, e.spans[2])
	}
}

// transposed reports whether an input has its elements side by side along the last dimension but one.
func (e *executor) transposed() bool {
	last := len(e.plan.Shape) - 1
	if last < 1 || e.inner < tileRows || e.plan.Shape[last-1] < tileRows || e.sides[0].stride[last] != 1 {
		return false
	}
	for i := range e.sides {
		if s := &e.sides[i]; i > 0 && !s.fixed && s.stride[last] != 1 && s.stride[last] != 0 && s.stride[last-1] == 1 {
			return true
		}
	}
	return false
}

func bytePtr(p unsafe.Pointer) *byte { return (*byte)(p) }

// call runs the loop on n elements of each operand.
func (e *executor) call(n int, x *[1 + maxInputs]unsafe.Pointer) {
	e.loop(n, bytePtr(x[0]), bytePtr(x[1]), bytePtr(x[2]), bytePtr(x[3]), nil)
}

// begin is the start of a chunk: scratch, with the inputs of one value in it.
func (e *executor) begin(n int) *scratch {
	tensor.Interrupted(e.plan.Op)
	tmp := scratches.Get().(*scratch)
	for i := range e.sides {
		if s := &e.sides[i]; s.fixed {
			s.load(unsafe.Pointer(&tmp[i]), s.base, 0, min(n, e.block))
		}
	}
	return tmp
}

// flat runs elements [lo, hi) where all operands are contiguous or one value.
func (e *executor) flat(lo, hi int) {
	for i := 1; i < len(e.sides); i++ {
		if e.sides[i].fixed && e.values[0].run != nil && !e.sides[3-i].fixed {
			e.flatValue(i, lo, hi)
			return
		}
	}
	var x [1 + maxInputs]unsafe.Pointer
	tmp, step := (*scratch)(nil), hi-lo
	for i := range e.sides {
		s := &e.sides[i]
		if !s.fixed {
			x[i] = unsafe.Add(s.base, lo*s.size)
			continue
		}
		if tmp == nil {
			tmp, step = e.begin(step), min(step, e.block)
		}
		x[i] = unsafe.Pointer(&tmp[i])
	}
	if tmp == nil {
		tensor.Interrupted(e.plan.Op)
		e.call(step, &x)
		return
	}
	for {
		e.call(min(step, hi-lo), &x)
		if lo += step; lo >= hi {
			break
		}
		for i := range e.sides {
			if s := &e.sides[i]; !s.fixed {
				x[i] = unsafe.Add(x[i], step*s.size)
			}
		}
	}
	scratches.Put(tmp)
}

// cursor walks the rows of a plan: the indices of the dimensions but the last, and the offset of every operand.
type cursor struct {
	index [8]int
	more  []int // indices of the dimensions beyond the eighth
	off   [1 + maxInputs]int
	dims  int
}

// at is the index of dimension d.
func (k *cursor) at(d int) *int {
	if d < len(k.index) {
		return &k.index[d]
	}
	return &k.more[d-len(k.index)]
}

// seek goes to row r of the first dims dimensions.
func (k *cursor) seek(e *executor, dims, r int) {
	k.dims, k.off = dims, [1 + maxInputs]int{}
	if dims > len(k.index) {
		k.more = make([]int, dims-len(k.index))
	}
	shape := e.plan.Shape
	for d := dims - 1; d >= 0; d-- {
		i := r % shape[d]
		r /= shape[d]
		*k.at(d) = i
		for j := range e.sides {
			k.off[j] += i * e.sides[j].stride[d]
		}
	}
}

// skip goes n rows on, at most to the end of the last dimension of rows.
func (k *cursor) skip(e *executor, n int) {
	if d := k.dims - 1; d >= 0 {
		*k.at(d) += n - 1
		for j := range e.sides {
			k.off[j] += (n - 1) * e.sides[j].stride[d]
		}
	}
	k.next(e)
}

// next goes to the following row.
func (k *cursor) next(e *executor) {
	shape := e.plan.Shape
	for d := k.dims - 1; d >= 0; d-- {
		index := k.at(d)
		*index++
		for j := range e.sides {
			k.off[j] += e.sides[j].stride[d]
		}
		if *index < shape[d] {
			return
		}
		*index = 0
		for j := range e.sides {
			k.off[j] -= e.sides[j].stride[d] * shape[d]
		}
	}
}

// rows runs pieces [lo, hi) of rows.
func (e *executor) rows(lo, hi int) {
	tmp := e.begin(e.inner)
	defer scratches.Put(tmp)
	last := len(e.plan.Shape) - 1
	pieces := (e.inner + e.piece - 1) / e.piece
	var k cursor
	k.seek(e, last, lo/pieces)
	if pieces == 1 {
		switch i := e.valued(); {
		case i > 0:
			e.valueRows(i, unsafe.Pointer(&tmp[i]), &k, hi-lo)
			return
		case e.direct():
			e.wholeRows(tmp, &k, hi-lo)
			return
		}
	}
	part := lo % pieces
	for ; lo < hi; lo++ {
		from, to := part*e.piece, min((part+1)*e.piece, e.inner)
		e.row(tmp, &k.off, from, to)
		if part++; part == pieces {
			part = 0
			k.next(e)
		}
	}
}

// direct reports whether rows need no scratch, but for inputs of one value in all or in each row.
func (e *executor) direct() bool {
	last := len(e.plan.Shape) - 1
	for i := range e.sides {
		switch s := &e.sides[i]; {
		case s.fixed || i > 0 && s.value(last):
			if e.inner > e.block {
				return false
			}
		case !s.direct || s.stride[last] != 1:
			return false
		}
	}
	return true
}

// value reports whether an operand has one value for each row, which needs no conversion.
func (s *side) value(last int) bool { return s.direct && s.stride[last] == 0 }

// wholeRows runs n rows from k on, which are direct.
func (e *executor) wholeRows(tmp *scratch, k *cursor, n int) {
	last := len(e.plan.Shape) - 1
	var base, from [1 + maxInputs]unsafe.Pointer
	var step, next [1 + maxInputs]int // from one row to the next, in bytes
	var fill [1 + maxInputs]func(dst, src unsafe.Pointer, n int)
	values := false
	for n > 0 {
		run := 1
		if last > 0 {
			run = min(n, e.plan.Shape[last-1]-*k.at(last - 1))
		}
		for i := range e.sides {
			s := &e.sides[i]
			if base[i] = unsafe.Pointer(&tmp[i]); s.fixed {
				continue
			}
			p, d := unsafe.Add(s.base, k.off[i]*s.size), 0
			if last > 0 {
				d = s.stride[last-1] * s.size
			}
			switch {
			case i == 0 || !s.value(last):
				base[i], step[i] = p, d
			case d == 0:
				setters[sizeClass(s.size)](base[i], p, e.inner)
			default:
				fill[i], from[i], next[i], values = setters[sizeClass(s.size)], p, d, true
			}
		}
		f, inner := e.loop, e.inner
		for r := range run {
			if values {
				for i := 1; i < len(e.sides); i++ {
					if fill[i] != nil {
						fill[i](base[i], unsafe.Add(from[i], r*next[i]), inner)
					}
				}
			}
			f(inner, bytePtr(unsafe.Add(base[0], r*step[0])), bytePtr(unsafe.Add(base[1], r*step[1])),
				bytePtr(unsafe.Add(base[2], r*step[2])), bytePtr(unsafe.Add(base[3], r*step[3])), nil)
		}
		if n -= run; n > 0 {
			k.skip(e, run)
		}
	}
}

// row runs elements [from, to) of the row whose operands begin at off.
func (e *executor) row(tmp *scratch, off *[1 + maxInputs]int, from, to int) {
	last := len(e.plan.Shape) - 1
	step := to - from
	for i := range e.sides {
		if s := &e.sides[i]; s.fixed || !s.direct || s.stride[last] != 1 {
			step = min(step, e.block)
		}
	}
	var x [1 + maxInputs]unsafe.Pointer
	for at := from; at < to; at += step {
		n := min(step, to-at)
		for i := range e.sides {
			s := &e.sides[i]
			st := s.stride[last]
			switch p := unsafe.Add(s.base, (off[i]+at*st)*s.size); {
			case s.fixed:
				x[i] = unsafe.Pointer(&tmp[i])
			case s.direct && st == 1:
				x[i] = p
			default:
				x[i] = unsafe.Pointer(&tmp[i])
				if i > 0 && (st != 0 || at == from) { // a value for the whole row is loaded once
					s.load(x[i], p, st, n)
				}
			}
		}
		e.call(n, &x)
		if s := &e.sides[0]; x[0] == unsafe.Pointer(&tmp[0]) {
			st := s.stride[last]
			s.convert(unsafe.Add(s.base, (off[0]+at*st)*s.size), st, x[0], 1, n)
		}
	}
}

// tiles runs stripes [lo, hi) of 16 rows.
func (e *executor) tiles(lo, hi int) {
	tmp := e.begin(e.inner)
	defer scratches.Put(tmp)
	shape := e.plan.Shape
	last := len(shape) - 1
	rows := shape[last-1]
	stripes := (rows + tileRows - 1) / tileRows
	width := e.block / tileRows
	var k cursor
	var x [1 + maxInputs]unsafe.Pointer
	for ; lo < hi; lo++ {
		k.seek(e, last-1, lo/stripes)
		r0 := lo % stripes * tileRows
		nr := min(tileRows, rows-r0)
		for c := 0; c < e.inner; c += width {
			nc := min(width, e.inner-c)
			for i := range e.sides {
				s := &e.sides[i]
				if i == 0 || s.fixed || s.direct && s.stride[last] == 1 {
					continue
				}
				p := unsafe.Add(s.base, (k.off[i]+r0*s.stride[last-1]+c*s.stride[last])*s.size)
				s.loadTile(unsafe.Pointer(&tmp[i]), p, s.stride[last-1], s.stride[last], nr, nc)
			}
			for r := range nr {
				for i := range e.sides {
					s := &e.sides[i]
					switch {
					case s.fixed || i == 0 && !s.direct:
						x[i] = unsafe.Pointer(&tmp[i])
					case s.direct && s.stride[last] == 1:
						x[i] = unsafe.Add(s.base, (k.off[i]+(r0+r)*s.stride[last-1]+c)*s.size)
					default:
						x[i] = unsafe.Add(unsafe.Pointer(&tmp[i]), r*nc*s.want)
					}
				}
				e.call(nc, &x)
				if s := &e.sides[0]; !s.direct {
					s.convert(unsafe.Add(s.base, (k.off[0]+(r0+r)*s.stride[last-1]+c)*s.size), 1, x[0], 1, nc)
				}
			}
		}
	}
}
