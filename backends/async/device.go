package async

import (
	"context"
	"runtime"
	"sync"
	"unsafe"

	_ "gotorch/backends/cpu" // whose kernels the streams run
	"gotorch/internal/streams"
	"gotorch/tensor"
)

// count is how many devices there are.
const count = 2

// device is one of them: its streams, its memory, and what went wrong on it.
type device struct {
	id      tensor.Device
	main    *Stream
	streams []*Stream // the default one first
	failed  []failure
	memory  pools
	ctx     context.Context // of the kernels that run
	cancel  context.CancelFunc
}

var (
	// mu guards the streams, the events, and the devices' lists. Nobody waits while holding it.
	mu      sync.Mutex
	devices [count]*device
	kind    func(int) tensor.Device
)

func init() {
	kind = tensor.RegisterDevice("async", func() int { return count }, runner{})
	for i := range devices {
		d := &device{id: kind(i)}
		d.main = &Stream{dev: d}
		d.streams = []*Stream{d.main}
		d.ctx, d.cancel = context.WithCancel(context.Background())
		devices[i] = d
	}
	streams.Register(streams.Source{Watch: Watch, Memory: memoryOf, Place: placeOf})
}

// Device is async:0, async:1. Another index panics with an *Error.
func Device(index int) tensor.Device {
	if index < 0 || index >= count {
		panic(tensor.Errorf("async.device", "there is no async:%d: there are %d devices", index, count).OnArg("index"))
	}
	return devices[index].id
}

// deviceOf finds the device: async:0 where none is given.
func deviceOf(op string, given []tensor.Device) *device {
	if len(given) == 0 {
		if d := tensor.DefaultDevice(); d.Type() == "async" {
			return find(op, d)
		}
		return devices[0]
	}
	return find(op, given[0])
}

func find(op string, id tensor.Device) *device {
	for _, d := range devices {
		if d.id == id {
			return d
		}
	}
	panic(tensor.Errorf(op, "%s is no device with streams", id).OnArg("device").WithHint("async.Device(0) is one"))
}

// handle is the owner of a storage: a block, and the same memory as a storage of the host, which the kernels get.
// What a stream has still to do keeps the memory and not the handle: as with CUDA, a tensor that nobody refers to
// gives its block back at once, and it is the order of the stream that makes this right.
type handle struct {
	block *block
	host  *tensor.Storage
	freed bool
	dead  runtime.Cleanup // gives the block back when the collector finds the handle
}

func handleOf(op string, st *tensor.Storage) *handle {
	h := st.Owner().(*handle)
	if h.freed {
		panic(tensor.Errorf(op, "the memory of the tensor was freed by async.Free"))
	}
	return h
}

// host is the tensor of the host's memory that stands for t on a stream. A tensor of the CPU is copied: the caller
// may change it as soon as the call has returned.
func host(op string, t *tensor.Tensor) *tensor.Tensor {
	if t.Device() == tensor.CPU {
		return snapshot(op, t)
	}
	h := handleOf(op, t.Storage())
	find(op, t.Device()).noteUse(op, h)
	return tensor.FromStorage(op, h.host, t.Sizes(), t.Strides(), t.StorageOffset(), t.Dtype())
}

// snapshot is a copy of a tensor of the CPU.
func snapshot(op string, t *tensor.Tensor) *tensor.Tensor {
	y := tensor.Alloc(op, t.Sizes(), t.Dtype(), tensor.CPU)
	tensor.CopyAcross(op, y, t)
	return y
}

// pinned is the tensor over the same memory that a stream reads or writes while the host's program goes on.
func pinned(op string, t *tensor.Tensor) *tensor.Tensor {
	st := t.Storage()
	over := tensor.NewStorage(tensor.CPU, st.Pointer(), st.Nbytes(), st)
	return tensor.FromStorage(op, over, t.Sizes(), t.Strides(), t.StorageOffset(), t.Dtype())
}

// bytesOf lends the bytes of a storage of the host.
func bytesOf(st *tensor.Storage) []byte {
	return unsafe.Slice((*byte)(st.Pointer()), st.Nbytes())
}
