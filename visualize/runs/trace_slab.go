package runs

import (
	"reflect"
	"weak"

	"gotorch/tensor"
)

// Note: where a trace is kept while it grows. Nothing that was noted is ever copied to make room: events stand in
// chunks, and arguments and shapes in slabs that belong to the events when they are full.

// chunkSize is how many events a chunk holds, stretch how many arguments or sizes a slab has at least.
const (
	chunkSize = 128
	stretch   = 512
)

// slab is a list in chunks.
type slab[T any] struct {
	chunks []*[chunkSize]T
	n      int
}

// add makes room for one more, and gives its number.
func (s *slab[T]) add() int {
	if s.n == len(s.chunks)*chunkSize {
		s.chunks = append(s.chunks, new([chunkSize]T))
	}
	s.n++
	return s.n - 1
}

func (s *slab[T]) at(i int) *T { return &s.chunks[i/chunkSize][i%chunkSize] }

// room returns list, or an empty one where n more have no room in it.
func room[T any](list []T, n int) []T {
	if cap(list)-len(list) < n {
		return make([]T, 0, max(n, stretch))
	}
	return list
}

// seenTensor is a tensor that was an argument or a result lately.
type seenTensor struct {
	address uintptr // holds nothing: another tensor may stand there by now
	pointer weak.Pointer[tensor.Tensor]
}

// weakly is a weak pointer to x. Tensors that were seen lately have one already.
func (r *recorder) weakly(x *tensor.Tensor) weak.Pointer[tensor.Tensor] {
	address := reflect.ValueOf(x).Pointer()
	for i := range r.recent {
		if s := &r.recent[i]; s.address == address && s.pointer.Value() == x {
			return s.pointer
		}
	}
	s := seenTensor{address, weak.Make(x)}
	r.recent[r.next%len(r.recent)] = s
	r.next++
	return s.pointer
}
