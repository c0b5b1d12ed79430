package tensor

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"gotorch/internal/bytesize"
)

// Storage is the memory beneath tensors: a run of bytes on a device. Views share it; it knows no shape and no dtype.
type Storage struct {
	data   unsafe.Pointer // nil on devices that are not the host's
	bytes  int
	owner  any // what keeps data alive, or the handle of a device's memory
	id     atomic.Uint64
	device Device
	// Note: version counters. The version counts the writes to the storage through any tensor. Autograd notes it when it
	// saves a tensor and compares when the tensor is used, so that a backward pass never computes with changed numbers.
	// See [Write].
	version atomic.Uint32
	last    atomic.Pointer[Write]
	log     atomic.Pointer[writeLog]
}

// Site is a place in a user's code.
//
//gotorch:internal
type Site struct {
	Cell string // "In[3]", or a file's name
	Line int    // from 1; 0 where unknown
	Name string // the name being assigned, "" where there is none
}

// IsZero reports whether nothing is known of the place.
func (s Site) IsZero() bool { return s.Cell == "" && s.Line == 0 && s.Name == "" }

// String is In[3]:2.
func (s Site) String() string {
	if s.IsZero() {
		return ""
	}
	if s.Line == 0 {
		return s.Cell
	}
	return s.Cell + ":" + itoa(s.Line)
}

// CurrentSite is the place of the code that is running, the zero Site where nobody knows.
//
//gotorch:internal
func CurrentSite() Site {
	if f := currentHooks().Site; f != nil {
		return f()
	}
	return Site{}
}

var storageIDs atomic.Uint64

// ID is a number that tells storages apart; it is assigned at the first call.
func (s *Storage) ID() uint64 {
	if id := s.id.Load(); id != 0 {
		return id
	}
	s.id.CompareAndSwap(0, storageIDs.Add(1))
	return s.id.Load()
}

// Nbytes is the size in bytes.
func (s *Storage) Nbytes() int { return s.bytes }

// Device is where the bytes lie.
func (s *Storage) Device() Device { return s.device }

// Version counts the writes so far.
func (s *Storage) Version() uint32 { return s.version.Load() }

// String tells a storage from others: its number, bytes, device and version, as package visualize writes them.
func (s *Storage) String() string {
	if s == nil {
		return "nil"
	}
	if p, ok := s.owner.(*sparse); ok {
		return fmt.Sprintf("no storage: a sparse tensor of %s, whose parts have storages", plural(p.values.shape[0],
			"value"))
	}
	return fmt.Sprintf("storage #%d  %s  %s  version %d", s.ID(), bytesize.Text(s.bytes), s.device, s.Version())
}

// Pointer is the address of the first byte, nil on devices that are not the host's. Who uses it keeps s alive.
func (s *Storage) Pointer() unsafe.Pointer { return s.data }

// Owner is what the storage's allocator put in: on a device, its handle.
func (s *Storage) Owner() any { return s.owner }

// NewStorage is for allocators: a storage over memory of their own. data is nil where the host cannot read it.
//
//gotorch:internal
func NewStorage(d Device, data unsafe.Pointer, bytes int, owner any) *Storage {
	if bytes < 0 || bytes > 0 && data == nil && d.kind == cpuDevice {
		panic(Errorf("new_storage", "a storage of %d bytes on %s has no address", bytes, d))
	}
	return &Storage{data: data, bytes: bytes, owner: owner, device: d}
}

// Few elements lie in the storage object itself: below tinyBytes, …, rowBytes. Behind the last element there is always
// room in the same object, as in larger memory: a pointer there would otherwise point into what the collector may have
// freed.
const tinyBytes, smallBytes, middleBytes, rowBytes = 16, 64, 128, 256

type tinyStorage struct {
	Storage
	buf [tinyBytes / 8]uint64
}

type smallStorage struct {
	Storage
	buf [smallBytes / 8]uint64
}

type middleStorage struct {
	Storage
	buf [middleBytes / 8]uint64
}

type rowStorage struct {
	Storage
	buf [rowBytes / 8]uint64
}

// allocate makes a storage of n bytes on d, for the operator op: of zeros, or on the host of anything unless zeroed is
// set.
func allocate(op string, d Device, n int, zeroed bool) *Storage {
	if n >= ownedFrom && d.kind == cpuDevice {
		if scope := CurrentScope(); scope != nil && scope.Temporaries != nil {
			return scope.Temporaries.allocate(op, n, zeroed)
		}
	}
	s := newStorage(op, d, n, zeroed)
	if f := currentHooks().Storage; f != nil {
		f(s, nil, op)
	}
	return s
}

func newStorage(op string, d Device, n int, zeroed bool) *Storage {
	switch {
	case d.kind == metaDevice:
		return &Storage{bytes: n, device: d}
	case d.kind != cpuDevice:
		return d.allocated(op, n, zeroed)
	case n < tinyBytes:
		s := new(tinyStorage)
		s.data, s.bytes, s.device = unsafe.Pointer(&s.buf), n, d
		return &s.Storage
	case n < smallBytes:
		s := new(smallStorage)
		s.data, s.bytes, s.device = unsafe.Pointer(&s.buf), n, d
		return &s.Storage
	case n < middleBytes:
		s := new(middleStorage)
		s.data, s.bytes, s.device = unsafe.Pointer(&s.buf), n, d
		return &s.Storage
	case n < rowBytes:
		s := new(rowStorage)
		s.data, s.bytes, s.device = unsafe.Pointer(&s.buf), n, d
		return &s.Storage
	}
	takeBudget(op, n)
	s := &Storage{data: hostMemory(n, zeroed), bytes: n, device: d} // data keeps the memory alive
	trackBudget(s, n)
	return s
}
