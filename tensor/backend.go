package tensor

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"unsafe"
)

// Note: a device of your own, step by step.
//
// 1. Memory. A device has an [Allocator]: Alloc makes a storage of zeroed bytes, ToHost and FromHost copy bytes
// out and in. The memory is whatever the device has; the storage keeps a handle to it as its owner, and has no
// address that the host can read:
//
//	type memory struct{}
//
//	func (memory) Alloc(d tensor.Device, n int) *tensor.Storage {
//		return tensor.NewStorage(d, nil, n, make([]byte, n))
//	}
//	func (memory) ToHost(dst []byte, src *tensor.Storage, offset int) {
//		copy(dst, src.Owner().([]byte)[offset:])
//	}
//	func (memory) FromHost(dst *tensor.Storage, offset int, src []byte) {
//		copy(dst.Owner().([]byte)[offset:], src)
//	}
//
// 2. A name. RegisterDevice makes the device known: toy := tensor.RegisterDevice("toy", count, memory{})(0). From here
// on x.To(toy), y.Cpu(), copies between dtypes and layouts, Fill_, Zero_, printing, reading and saving work: they go
// through the host by the allocator. Views work, since they touch no element. Devices lists it, ParseDevice reads
// "toy:0", and SetDefaultDevice and OnDevice take it.
//
// 3. Kernels. toy.RegisterKernel("neg", f) adds one. The operator's shape function has made the results, c.Ret(0), on
// the device; the kernel fills them. Composite operators need none: they are taken apart first.
//
// 4. What is missing. A call without a kernel is an error that names the device. After toy.FallBackToCPU() it runs on
// the CPU: arguments are copied to the host, results back. The first time of each operator is announced, and a trace
// shows the call on the CPU beneath that on the device.
//
// 5. Autograd, vmap, modes and wrappers need nothing: they lie above.
//
// 6. A device that answers later, as a GPU does, is a [Runner]: later.go, and backends/async.
//
// A device that is registered again takes the place of the one of that name; tensors of the earlier one keep their
// memory. In a session %reset takes the device away.

// backend is a kind of device beyond those of the library.
type backend struct {
	mu        sync.RWMutex
	kernels   map[string]Kernel // by the operator's full name
	runner    Runner            // of a device that answers later
	fallback  bool
	announced map[string]bool
	removed   bool
}

// backendOf is what a registered device has, nil for the CPU and the meta device.
func (d Device) backend() *backend { return devices[d.kind].backend }

// RegisterDevice makes a kind of device known; count tells how many the machine has. It returns a function that makes
// the device with an index. A kind of the same name, if it is not the library's, is replaced: its tensors keep their
// memory and can be copied. [Register] for [KeyPrivate] adds kernels to the kind that was registered last. An empty
// name, a name of the library's own, and a nil allocator panic with an *Error.
//
//gotorch:internal
func RegisterDevice(name string, count func() int, alloc Allocator) func(index int) Device {
	const op = "register_device"
	switch {
	case name == "" || strings.ContainsAny(name, ": \t\n"):
		panic(Errorf(op, "%q is no name for a device", name).OnArg("name"))
	case name == "cpu" || name == "meta" || name == "freed":
		panic(Errorf(op, "the device %s is the library's own", name).OnArg("name"))
	case alloc == nil:
		panic(Errorf(op, "the device %s has no allocator", name).OnArg("alloc"))
	}
	if count == nil {
		count = func() int { return 1 }
	}
	registeringDevice.Lock()
	kind := deviceKind(kinds.Load())
	if kind == freedDevice {
		registeringDevice.Unlock()
		panic(Errorf(op, "%d devices have been registered, and there is no room for %s", kind-firstBackend, name))
	}
	for k := firstBackend; k < kind; k++ {
		if devices[k].name == name {
			devices[k].backend.remove()
		}
	}
	runner, _ := alloc.(Runner)
	devices[kind] = deviceInfo{name, KeyPrivate, count, alloc, &backend{kernels: map[string]Kernel{}, runner: runner}}
	kinds.Store(uint32(kind) + 1)
	registeringDevice.Unlock()
	registered("device "+name, func() { Device{kind: kind}.Unregister() })
	return func(i int) Device {
		if i < 0 || i > 255 {
			panic(Errorf("device", "there is no device %s:%d", name, i))
		}
		return Device{kind, uint8(i)}
	}
}

var registeringDevice sync.Mutex

func (b *backend) remove() {
	b.mu.Lock()
	b.removed = true
	b.mu.Unlock()
}

func (b *backend) isRemoved() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.removed
}

// registeredBackend is the device's backend. The library's own devices have none, which is an *Error of op.
func (d Device) registeredBackend(op string) *backend {
	b := d.backend()
	if b == nil {
		panic(Errorf(op, "the device %s is the library's own", d))
	}
	return b
}

// Unregister takes a device of [RegisterDevice] away: it is no longer listed or found by its name, and no longer the
// default. Its tensors can still be printed and copied. The library's own devices panic with an *Error.
func (d Device) Unregister() {
	d.registeredBackend("unregister").remove()
	if v := defaultDevice.Load(); deviceKind(v>>8) == d.kind {
		SetDefaultDevice(CPU)
	}
}

// RegisterKernel sets the kernel of an operator on a device of [RegisterDevice], by the operator's full name, such as
// "add" or "max.dim"; one that is there is replaced. The shape function has run before it: the kernel fills the
// results. A name that is no operator's, and the library's own devices, panic with an *Error.
//
//gotorch:internal
func (d Device) RegisterKernel(name string, f Kernel) {
	b := d.registeredBackend("register_kernel")
	o := Operator(name)
	if f == nil {
		panic(Errorf("register_kernel", "the kernel of %s for %s is nil", name, d))
	}
	b.mu.Lock()
	b.kernels[o.Full] = f
	b.mu.Unlock()
}

// FallBackToCPU lets the CPU run what a device of [RegisterDevice] has no kernel for. The library's own devices panic
// with an *Error.
func (d Device) FallBackToCPU() {
	b := d.registeredBackend("fall_back_to_cpu")
	b.mu.Lock()
	b.fallback = true
	b.mu.Unlock()
}

// FallsBack reports whether the CPU runs what the device has no kernel for; see [Device.FallBackToCPU].
func (d Device) FallsBack() bool {
	b := d.backend()
	if b == nil {
		return false
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.fallback
}

// Kernels lists the operators for which a device of [RegisterDevice] has kernels of its own, sorted; it is empty for
// the library's own devices.
func (d Device) Kernels() []string {
	b := d.backend()
	if b == nil {
		return nil
	}
	b.mu.RLock()
	defer b.mu.RUnlock()
	return slices.Sorted(maps.Keys(b.kernels))
}

// kernel finds a device's kernel of an operator.
func (b *backend) kernel(o *Op) Kernel {
	b.mu.RLock()
	f := b.kernels[o.Full]
	b.mu.RUnlock()
	switch {
	case f != nil:
	case b.runner == nil:
		f = deviceKernels[o.Full]
	case o == opCopy_ || o == opPrivateToCopy:
		f = deviceKernels[o.Full]
	case o.table[KeyCPU] != nil:
		f = b.runner.Run
	}
	return f
}

// deviceKernels are those that every device has, by way of the host.
var deviceKernels map[string]Kernel

func init() {
	deviceKernels = map[string]Kernel{
		"copy_":    func(c *Call) { c.CopyAcross(c.Tensor(0), c.Tensor(1)) },
		"clone":    func(c *Call) { c.CopyAcross(c.Ret(0), c.Tensor(0)) },
		"_to_copy": func(c *Call) { c.CopyAcross(c.Ret(0), c.Tensor(0)) },
		"resize_":  noKernel,
		"fill_": func(c *Call) {
			s, ok := c.Scalar(1)
			if v := c.Tensor(1); !ok {
				s = v.ItemScalar()
			}
			fillAcross(c.Name(), c.Tensor(0), s)
		},
		"zero_": func(c *Call) { CopyAcross(c.Name(), c.Tensor(0), Alloc(c.Name(), nil, c.Tensor(0).dtype, CPU)) },
	}
	for _, name := range []string{"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided", "zeros",
		"zeros_like", "new_zeros"} {
		deviceKernels[name] = noKernel // an Allocator's memory is zeroed
	}
	for name, slot := range map[string]int{"full": 1, "full_like": 1, "new_full": 2, "ones": -1, "ones_like": -1,
		"new_ones": -1} {
		deviceKernels[name] = func(c *Call) {
			s := IntScalar(1)
			if slot >= 0 {
				s, _ = c.Scalar(slot)
			}
			fillAcross(c.Name(), c.Ret(0), s)
		}
	}
	RegisterFallback(KeyPrivate, runPrivate)
}

// fillAcross fills a tensor of another device with a number.
func fillAcross(op string, dst *Tensor, s Scalar) {
	v := Alloc(op, nil, dst.dtype, CPU)
	writeElement(v.dtype, v.Ptr(), s)
	CopyAcross(op, dst, v)
}

// runPrivate runs a call on a registered device: by its kernel, or on the CPU where it may.
func runPrivate(c *Call) {
	b := c.device.backend()
	if b == nil {
		c.Op.noKernelFor(c)
	}
	if f := b.kernel(c.Op); f != nil {
		c.runDevice(f)
		return
	}
	b.mu.Lock()
	ok, first := b.fallback, !b.announced[c.Op.Full]
	if ok && first {
		if b.announced == nil {
			b.announced = map[string]bool{}
		}
		b.announced[c.Op.Full] = true
	}
	b.mu.Unlock()
	if !ok {
		c.Op.noKernelFor(c)
	}
	if first {
		warn(fmt.Sprintf("%s has no kernel for %s: it runs on the CPU, by copies\n", c.device, c.Op.Full))
	}
	c.runOnCPU()
}

// warn shows a text where the running code's user is.
func warn(text string) {
	if f := currentHooks().Warn; f != nil {
		f(text)
		return
	}
	fmt.Fprint(os.Stderr, text)
}

// runOnCPU runs the call on copies in the host's memory, and copies back what it made and what it wrote.
func (c *Call) runOnCPU() {
	d, written := c.device, append([]*Tensor(nil), c.Written()...)
	copies := map[*Tensor]*Tensor{}
	c.Note = "on the CPU"
	var out []*Tensor
	InScope(func(s *Scope) {
		s.Exclude(1<<KeyAutograd | 1<<KeyMode)
		s.Beneath, s.Device, s.Temporaries = true, CPU, nil
	}, func() {
		out = c.Again(func(_ int, t *Tensor) *Tensor {
			if t.st.device.backend() == nil {
				return t
			}
			if copies[t] == nil {
				copies[t] = Alloc(c.Name(), t.shape, t.dtype, CPU)
				CopyAcross(c.Name(), copies[t], t)
			}
			return copies[t]
		}, func(e *Call) {
			e.device = CPU
			if i := c.Op.Param("device"); i >= 0 {
				e.args[i] = value{kind: otherValue, x: CPU}
			}
		})
	})
	if c.IsWrite() {
		for i, w := range written {
			y := out[min(i, len(out)-1)]
			c.checkDestination(w, y.shape, y.dtype)
			CopyAcross(c.Name(), w, y)
			w.st.now().wrote(c.Op.noteOf(c.Variant))
		}
		c.Return(written...)
		return
	}
	for i, y := range out {
		z := allocTensor(c.Name(), y.shape, nil, y.dtype, d, false, true)
		CopyAcross(c.Name(), z, y)
		out[i] = z
	}
	c.Return(out...)
}

// allocated is memory of n bytes by the device's allocator, which must be what was asked for.
func (d Device) allocated(op string, n int, zeroed bool) *Storage {
	var s *Storage
	if r := d.runner(); r != nil && !zeroed {
		s = r.AllocAny(d, n)
	} else {
		s = d.allocator().Alloc(d, n)
	}
	switch {
	case s == nil:
		panic(Errorf(op, "the allocator of %s returned no storage for %d bytes", d, n))
	case s.device != d:
		panic(Errorf(op, "the allocator of %s returned a storage of %s", d, s.device))
	case s.bytes != n:
		panic(Errorf(op, "the allocator of %s returned a storage of %d bytes, %d were asked for", d, s.bytes, n))
	}
	return s
}

// CopyAcross writes src, broadcast and converted, into dst, where one of them lies on a registered device: through the
// host, by the device's allocator. Where a copy fails dst is as it was.
//
//gotorch:internal
func CopyAcross(op string, dst, src *Tensor) { copyAcross(op, dst, src, false) }

func copyAcross(op string, dst, src *Tensor, nonBlocking bool) {
	if dst.numel == 0 || dst.st.device == Meta {
		return
	}
	if src.st.device == Meta {
		panic(Errorf(op, "cannot copy out of a meta tensor: it has no data"))
	}
	to, from := dst.st.device.runner(), src.st.device.runner()
	switch {
	case to != nil && (from == to || src.st.device == CPU), from != nil && dst.st.device == CPU:
		if to == nil {
			to = from
		}
		to.Copy(op, dst, src, nonBlocking)
		return
	}
	copyBytes(op, dst, src)
}

// copyBytes copies through the host.
func copyBytes(op string, dst, src *Tensor) {
	from, to := src.inHost(op), dst.inHost(op)
	rawCopy(op, to, from)
	if d := dst.st.device; d.backend() != nil {
		st := dst.st.now()
		d.allocator().FromHost(st, 0, hostBytes(to.st)[:st.bytes])
	}
}

// inHost is x itself, or where it lies on another device the same tensor over a copy of its storage in the host.
func (x *Tensor) inHost(op string) *Tensor {
	st := x.st.now()
	if st.device.backend() == nil {
		return x
	}
	MustFit(op, float64(st.bytes))
	buf := make([]uint64, st.bytes/8+1)
	p := unsafe.Pointer(unsafe.SliceData(buf))
	st.device.allocator().ToHost(unsafe.Slice((*byte)(p), st.bytes), st, 0)
	return FromStorage(op, NewStorage(CPU, p, st.bytes, buf), x.shape, x.stride, x.offset, x.dtype)
}

// moveTo copies the elements that x's storage has into grown, larger memory of the same device.
func (x *Tensor) moveTo(op string, grown *Storage) {
	n := x.st.bytes
	if n == 0 {
		return
	}
	bytes := func(st *Storage) *Tensor { return FromStorage(op, st, []int{n}, []int{1}, 0, Uint8) }
	CopyAcross(op, bytes(grown), bytes(x.st))
}
