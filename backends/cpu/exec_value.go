package cpu

import (
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Where one of two inputs is one value, for all or for each row, a loop that takes the value as a parameter reads the
// other input alone; else the value is spread over a block, which the loop reads.

// valueLoop is such a loop: over a run, and over rows that have a value each.
type valueLoop struct {
	run   loop
	rows  simd.ValueRows
	least int // elements of a row: shorter ones are better gathered
}

// valueLoops are kernels for calls where the first input is one value, and where the second is.
func valueLoops(first, second string, d tensor.Dtype) [2]valueLoop {
	of := func(name string) valueLoop {
		rows, short := simd.ValueRowsOf(name + " " + d.String())
		if short {
			return valueLoop{kernelOf(name, d), rows, 1}
		}
		return valueLoop{kernelOf(name, d), rows, rowLen / 4}
	}
	return [2]valueLoop{of(first), of(second)}
}

// flatValue is flat where input i is one value and the other is not.
func (e *executor) flatValue(i, lo, hi int) {
	tmp := e.begin(1)
	dst, src := &e.sides[0], &e.sides[3-i]
	e.values[i-1].run(hi-lo, bytePtr(unsafe.Add(dst.base, lo*dst.size)), bytePtr(unsafe.Add(src.base, lo*src.size)), nil,
		nil, bytePtr(unsafe.Pointer(&tmp[i])))
	scratches.Put(tmp)
}

// valued is the input that is one value for each row, where there is a loop for that and the other needs no scratch;
// else 0.
func (e *executor) valued() int {
	if e.values[0].run == nil {
		return 0
	}
	last := len(e.plan.Shape) - 1
	along := func(s *side) bool { return s.direct && s.stride[last] == 1 }
	for i := 1; i < len(e.sides); i++ {
		s := &e.sides[i]
		one := s.fixed || s.direct && s.stride[last] == 0
		if one && e.inner >= e.values[i-1].least && along(&e.sides[0]) && along(&e.sides[3-i]) {
			return i
		}
	}
	return 0
}

// valueRows runs n rows from k on, where input i is one value for each row: that of all rows is at fixed.
func (e *executor) valueRows(i int, fixed unsafe.Pointer, k *cursor, n int) {
	f, last := e.values[i-1].rows, len(e.plan.Shape)-1
	dst, src, value := &e.sides[0], &e.sides[3-i], &e.sides[i]
	at := func(s *side, off int) (p unsafe.Pointer, step int) {
		if s.fixed {
			return fixed, 0
		}
		if last > 0 {
			step = s.stride[last-1] * s.size
		}
		return unsafe.Add(s.base, off*s.size), step
	}
	for n > 0 {
		run := 1
		if last > 0 {
			run = min(n, e.plan.Shape[last-1]-*k.at(last - 1))
		}
		x, dx := at(dst, k.off[0])
		y, dy := at(src, k.off[3-i])
		v, dv := at(value, k.off[i])
		f(run, e.inner, bytePtr(x), dx, bytePtr(y), dy, bytePtr(v), dv)
		if n -= run; n > 0 {
			k.skip(e, run)
		}
	}
}
