package tensor

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
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
)

type deviceInfo struct {
	name  string
	key   Key
	count func() int
	alloc Allocator
}

// An Allocator makes and moves memory of a device that is not the host's.
type Allocator interface {
	// Alloc returns zeroed memory of n bytes.
	Alloc(d Device, n int) *Storage
	// ToHost and FromHost copy the bytes of a contiguous region.
	ToHost(dst []byte, src *Storage, offset int)
	FromHost(dst *Storage, offset int, src []byte)
}

var devices = []deviceInfo{
	noDevice:   {name: "no device"},
	cpuDevice:  {name: "cpu", key: KeyCPU, count: func() int { return 1 }},
	metaDevice: {name: "meta", key: KeyMeta, count: func() int { return 1 }},
}

// CPU is the host's memory; Meta has shapes and no data.
var (
	CPU  = Device{kind: cpuDevice}
	Meta = Device{kind: metaDevice}
)

// RegisterDevice makes a kind of device known, whose kernels have [KeyPrivate]; count tells how many the machine has.
// It returns a function that makes the device with an index. There is one such kind in a program: a second panics.
func RegisterDevice(name string, count func() int, alloc Allocator) func(index int) Device {
	for _, d := range devices {
		if d.name == name || d.key == KeyPrivate {
			panic("tensor: device " + name + " after " + d.name + ": a program registers one kind of device")
		}
	}
	devices = append(devices, deviceInfo{name, KeyPrivate, count, alloc})
	kind := deviceKind(len(devices) - 1)
	return func(i int) Device { return Device{kind, uint8(i)} }
}

// Devices lists the devices of this program on this machine, sorted by name.
func Devices() []Device {
	var out []Device
	for k := range devices {
		if k == int(noDevice) {
			continue
		}
		for i := range devices[k].count() {
			out = append(out, Device{deviceKind(k), uint8(i)})
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].String() < out[j].String() })
	return out
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
	for k := range devices {
		if k != int(noDevice) && devices[k].name == name && index >= 0 && index < 256 {
			return Device{deviceKind(k), uint8(index)}, true
		}
	}
	return Device{}, false
}

// String is PyTorch's name: cpu, meta, cuda:0.
func (d Device) String() string {
	if d.kind < firstBackend {
		return devices[d.kind].name
	}
	return fmt.Sprintf("%s:%d", devices[d.kind].name, d.index)
}

// Type is the kind of device without its index: "cuda".
func (d Device) Type() string { return devices[d.kind].name }

// Key is the dispatch key of the device's kernels.
func (d Device) Key() Key { return devices[d.kind].key }

func (d Device) allocator() Allocator { return devices[d.kind].alloc }

// Layout is how elements lie in a storage.
type Layout uint8

// Strided is the layout of ordinary tensors; the zero Layout means "not given".
const (
	NoLayout Layout = iota
	Strided
)

// String is PyTorch's name without "torch.".
func (l Layout) String() string {
	if l == Strided {
		return "strided"
	}
	return "no layout"
}

// MemoryFormat is an order of dimensions in memory.
type MemoryFormat uint8

// The memory formats. The zero MemoryFormat means "not given".
const (
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
