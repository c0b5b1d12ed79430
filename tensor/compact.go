package tensor

import (
	"unsafe"

	"gotorch/internal/hugepages"
)

// Note: compact tensors. A result of few elements is one object: header, storage and elements. Whatever looks into its
// storage keeps the header alive, and would keep a whole graph alive through it. So a compact tensor has neither a
// history nor a base: before it receives one, its elements move to a storage of their own. Storage and views that were
// made before know where they went. One case is left: what Detach gave before the elements moved looks into the old
// object, and keeps it alive.

type tinyTensor struct {
	head Tensor
	st   Storage
	buf  [tinyBytes / 8]uint64
}

type smallTensor struct {
	head Tensor
	st   Storage
	buf  [smallBytes / 8]uint64
}

// newCompact makes a tensor with room for n dimensions, and for fewer than smallBytes bytes on the host.
func newCompact(n int, dt Dtype, bytes int) *Tensor {
	var x *Tensor
	if bytes < tinyBytes {
		t := new(tinyTensor)
		x, t.st.data = &t.head, unsafe.Pointer(&t.buf)
		x.st = &t.st
	} else {
		t := new(smallTensor)
		x, t.st.data = &t.head, unsafe.Pointer(&t.buf)
		x.st = &t.st
	}
	hugepages.Advise(unsafe.Pointer(x), 1)
	x.st.bytes, x.st.device = bytes, CPU
	x.dtype, x.layout, x.compact = dt, Strided, true
	x.makeRoom(n)
	return x
}

// movedTo is the owner of a storage whose elements have moved.
type movedTo Storage

// now is the storage in which the elements of s lie: s itself, but where they have moved.
func (s *Storage) now() *Storage {
	if s.owner != nil {
		if m, ok := s.owner.(*movedTo); ok {
			return (*Storage)(m)
		}
	}
	return s
}

// moveOut returns the elements of a compact tensor a storage of their own.
func (x *Tensor) moveOut() {
	if !x.compact {
		return
	}
	old := x.st
	var st *Storage
	if old.owner == nil {
		st = newStorage("", CPU, old.bytes, false)
		copy(hostBytes(st), hostBytes(old))
	} else { // it has grown since
		st = NewStorage(CPU, old.data, old.bytes, old.owner)
	}
	st.id.Store(old.id.Load())
	st.version.Store(old.version.Load())
	st.last.Store(old.last.Load())
	st.log.Store(old.log.Load())
	old.data, old.owner = st.data, (*movedTo)(st)
	x.st, x.compact = st, false
}
