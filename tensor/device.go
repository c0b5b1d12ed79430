package tensor

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"sync/atomic"
)

// Device is where a tensor's storage lies. The zero Device means "not given". A Device is an [Option] by itself.
type Device struct {
	kind  deviceKind
	index uint8
}

type deviceKind uint8

const (
	noDevice deviceKind = iota
	cpuDevice
	metaDevice
	firstBackend // the kind of RegisterDevice

	freedDevice = ^deviceKind(0) // of memory that has been freed
)

type deviceInfo struct {
	name    string
	key     Key
	count   func() int
	alloc   Allocator
	backend *backend // of RegisterDevice
}

// is reports whether the kind is in use: a registered one may have been removed.
func (d *deviceInfo) is() bool { return d.name != "" && (d.backend == nil || !d.backend.isRemoved()) }

// number is how many devices of the kind there are; an index has eight bits.
func (d *deviceInfo) number() int { return max(0, min(d.count(), 1<<8)) }

// An Allocator makes and moves memory of a device that is not the host's; backend.go is a tutorial.
//
//gotorch:internal
type Allocator interface {
	// Alloc returns zeroed memory of n bytes.
	Alloc(d Device, n int) *Storage
	// ToHost and FromHost copy the bytes of a contiguous region.
	ToHost(dst []byte, src *Storage, offset int)
	FromHost(dst *Storage, offset int, src []byte)
}

// devices are the kinds, of which the first kinds.Load() are there. A kind never changes.
var devices = [256]deviceInfo{
	noDevice:    {name: "no device"},
	cpuDevice:   {name: "cpu", key: KeyCPU, count: func() int { return 1 }},
	metaDevice:  {name: "meta", key: KeyMeta, count: func() int { return 1 }},
	freedDevice: {name: "freed", count: func() int { return 0 }, alloc: freedMemory{}},
}

var kinds = func() *atomic.Uint32 {
	n := new(atomic.Uint32)
	n.Store(uint32(firstBackend))
	return n
}()

// CPU is the host's memory; Meta has shapes and no data.
var (
	CPU  = Device{kind: cpuDevice}
	Meta = Device{kind: metaDevice}
)

// Devices lists the devices of this program on this machine, sorted by name.
func Devices() []Device {
	var out []Device
	for k := range kinds.Load() {
		if k == uint32(noDevice) || !devices[k].is() {
			continue
		}
		for i := range devices[k].number() {
			out = append(out, Device{deviceKind(k), uint8(i)})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].String() < out[j].String() })
	return out
}

// NamedDevice returns the device of that name, "cpu", "meta", "async:0"; "async" is the first of its kind. It panics
// with an *Error that lists the devices where there is no such one.
func NamedDevice(name string) Device {
	d, ok := namedDevice(name)
	if !ok {
		panic(noSuchDevice("device", name))
	}
	return d
}

// namedDevice is a device that there is.
func namedDevice(name string) (Device, bool) {
	d, ok := ParseDevice(name)
	return d, ok && int(d.index) < devices[d.kind].number()
}

// noSuchDevice is the error about a name that no device has.
func noSuchDevice(op, name string) *Error {
	var have []string
	for _, d := range Devices() {
		have = append(have, d.String())
	}
	return Errorf(op, "there is no device %q", name).OnArg("device").WithHint("there are " + strings.Join(have, ", "))
}

// ParseDevice reads "cpu", "meta", "cuda:1".
func ParseDevice(s string) (Device, bool) {
	name, number, numbered := strings.Cut(s, ":")
	index := 0
	if numbered {
		var err error
		if index, err = strconv.Atoi(number); err != nil {
			return Device{}, false
		}
	}
	for k := range kinds.Load() {
		if k != uint32(noDevice) && devices[k].is() && devices[k].name == name && index >= 0 && index < 256 {
			return Device{deviceKind(k), uint8(index)}, true
		}
	}
	return Device{}, false
}

// String is PyTorch's name: cpu, meta, cuda:0.
func (d Device) String() string {
	if d.kind < firstBackend || d == freed {
		return devices[d.kind].name
	}
	return fmt.Sprintf("%s:%d", devices[d.kind].name, d.index)
}

// Virtual reports whether there are no elements on d: on the meta device, and where freed memory was (see [Tidy]).
func (d Device) Virtual() bool { return d.kind == metaDevice || d == freed }

// Type is the kind of device without its index: "cuda".
func (d Device) Type() string { return devices[d.kind].name }

// Key is the dispatch key of the device's kernels.
func (d Device) Key() Key { return devices[d.kind].key }

func (d Device) allocator() Allocator { return devices[d.kind].alloc }

// Layout is how elements lie in a storage.
type Layout uint8

// Strided is the layout of ordinary tensors; the zero Layout means "not given".
const (
	//gotorch:internal
	NoLayout Layout = iota
	Strided
	// Wrapped is the layout of wrapper tensors: what they hold says where elements lie.
	Wrapped
	// SparseCOO keeps the elements that are not zero with their coordinates; see [SparseCooTensor].
	SparseCOO
	// SparseCSR keeps a matrix by rows, with the columns of the elements that are not zero; see [SparseCsrTensor].
	SparseCSR
	// SparseCSC keeps a matrix by columns, with the rows of the elements that are not zero; see [SparseCscTensor].
	SparseCSC
)

// String is PyTorch's name without "torch.".
func (l Layout) String() string {
	switch l {
	case Strided:
		return "strided"
	case Wrapped:
		return "wrapped"
	case SparseCOO:
		return "sparse_coo"
	case SparseCSR:
		return "sparse_csr"
	case SparseCSC:
		return "sparse_csc"
	}
	return "no layout"
}

// MemoryFormat is an order of dimensions in memory.
type MemoryFormat uint8

// The memory formats. The zero MemoryFormat means "not given".
const (
	//gotorch:internal
	NoFormat MemoryFormat = iota
	ContiguousFormat
	PreserveFormat
	ChannelsLast
	ChannelsLast3d
)

// String is PyTorch's name without "torch.".
func (f MemoryFormat) String() string {
	return [...]string{"no format", "contiguous_format", "preserve_format", "channels_last", "channels_last_3d"}[f]
}
