package tensor

import (
	"encoding/binary"
	"runtime"
	"slices"
	"unsafe"
)

// Mapping is the bytes of a file, in memory that the system fills when it is read. What is written to tensors over it
// stays in memory and does not reach the file.
type Mapping struct{ data []byte }

// mapLeast is the size from which a file is mapped, not read.
const mapLeast = 1 << 20

// MapFile maps a file. It panics with an *Error if the file cannot be read. A mapped file must not be made shorter
// while tensors over it are in use.
func MapFile(op, path string) *Mapping {
	f := OpenFile(op, path)
	defer f.Close()
	if n := f.Size(); n >= mapLeast && int64(int(n)) == n {
		if data, unmap, err := mapFile(f.file, int(n)); err == nil {
			m := &Mapping{data}
			runtime.AddCleanup(m, func(f func()) { f() }, unmap)
			return m
		}
	}
	return &Mapping{f.ReadAll()}
}

// Bytes are those of the file. They may be used as long as m is.
func (m *Mapping) Bytes() []byte { return m.data }

// Storage is a storage over n bytes from at, which hold little-endian numbers of a dtype: without a copy where the
// host can read them where they are.
func (m *Mapping) Storage(op string, at, n int, dt Dtype) *Storage {
	if at < 0 || n < 0 || at > len(m.data) || n > len(m.data)-at {
		panic(Errorf(op, "bytes %d to %d of %d", at, at+n, len(m.data)))
	}
	b := m.data[at:][:n]
	unit := unitOf(dt)
	if n > 0 && hostOrder == '<' && dt != Bool && uintptr(unsafe.Pointer(unsafe.SliceData(b)))%uintptr(unit) == 0 {
		return NewStorage(CPU, unsafe.Pointer(unsafe.SliceData(b)), n, m)
	}
	st := bytesStorage(op, b, dt)
	runtime.KeepAlive(m)
	return st
}

// unitOf is the size of the numbers that a dtype is made of.
func unitOf(dt Dtype) int {
	if dt.IsComplex() {
		return dt.Size() / 2
	}
	return dt.Size()
}

// bytesStorage copies little-endian numbers into a storage.
func bytesStorage(op string, b []byte, dt Dtype) *Storage {
	st := allocate(op, CPU, len(b), false)
	to := hostBytes(st)
	copy(to, b)
	if hostOrder == '>' {
		swapBytes(to, unitOf(dt))
	}
	if dt == Bool {
		for i, v := range to {
			to[i] = min(v, 1)
		}
	}
	return st
}

// FromBytes makes a tensor of little-endian numbers, row by row, which are copied. It panics with an *Error if there
// are not as many bytes as the shape needs.
func FromBytes(b []byte, dt Dtype, shape ...int) *Tensor {
	const op = "from_bytes"
	n, ok := count(shape)
	if !ok || dt.Size() == 0 || n > maxElements/dt.Size() || n*dt.Size() != len(b) {
		panic(Errorf(op, "%d bytes for a %s tensor of shape %v", len(b), dt, shape))
	}
	stride := make([]int, len(shape))
	contiguousStrides(stride, shape)
	return FromStorage(op, bytesStorage(op, b, dt), slices.Clone(shape), stride, 0, dt)
}

// Bytes are the elements of x as little-endian numbers, row by row, in a slice of their own.
func (x *Tensor) Bytes() []byte {
	if x.numel == 0 {
		return nil
	}
	const op = "bytes"
	MustFit(op, float64(x.numel)*float64(x.dtype.Size()))
	out := make([]byte, x.numel*x.dtype.Size())
	x.copyTo(op, unsafe.Pointer(unsafe.SliceData(out)))
	if binary.NativeEndian.Uint16([]byte{0, 1}) == 1 {
		swapBytes(out, unitOf(x.dtype))
	}
	return out
}
