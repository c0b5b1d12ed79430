package tensor

import (
	"slices"
	"strings"
)

// Note: devices that answer later. A GPU is asked for work and the call returns before it is done. For such a device
// the shape function runs at once, on the host, so that shapes, dtypes and errors about them are there immediately;
// what fills the results is taken along as a function, and runs on a stream of the device when its turn comes. A
// [Runner] is the [Allocator] of such a device. Calls are used again as soon as they have returned, so it keeps none:
// [Call.Later] copies what the kernel needs. backends/async is a Runner whose kernels are the CPU's.

// A Runner is an Allocator of a device whose kernels run after the call has returned.
//
//gotorch:internal
type Runner interface {
	Allocator
	// AllocAny is Alloc of memory that need not be zeroed.
	AllocAny(d Device, n int) *Storage
	// Run stands in place of a kernel for every operator that the CPU has a kernel for and the device has none of its
	// own. The shape function has run, but for operators whose shapes depend on values: of these Run makes the results.
	Run(c *Call)
	// Copy writes src, broadcast and converted, into dst; one of them lies on the device. nonBlocking: the caller does
	// not wait for what lies in pinned memory.
	Copy(op string, dst, src *Tensor, nonBlocking bool)
	// Order makes the stream of the scope then wait for all that has been asked of the stream of the scope first, which
	// has written x, and use x. Both are of [Scope.Stream].
	Order(x *Tensor, first, then any)
	// Wait waits for the current stream of d, and panics with an error of the device that nobody was told of.
	Wait(d Device)
}

// runner is the device's Runner, nil for the host and for devices that answer at once.
func (d Device) runner() Runner {
	b := d.backend()
	if b == nil {
		return nil
	}
	return b.runner
}

// AnswersLater reports whether the device's kernels run after the call has returned.
func (d Device) AnswersLater() bool { return d.runner() != nil }

// Settle waits until the elements of x can be read, where x lies on a device that answers later, and panics with an
// *Error where a kernel of the device has failed: whoever prints x calls it before, since package fmt swallows
// panics.
//
//gotorch:internal
func (x *Tensor) Settle() {
	if x == nil || x.st == nil {
		return
	}
	if r := x.st.device.runner(); r != nil {
		r.Wait(x.st.device)
	}
}

// OrderStreams makes the stream then wait for what has been asked of first, which has written x; both are of
// [Scope.Stream]. It does nothing for a device that answers at once.
//
//gotorch:internal
func OrderStreams(x *Tensor, first, then any) {
	if first == then || x.keys&opaque != 0 {
		return
	}
	if r := x.st.device.runner(); r != nil {
		r.Order(x, first, then)
	}
}

// Later prepares a call of the CPU's kernel: host maps each argument of c to a tensor in the host's memory. If into is
// set, the results are written into the tensors that host maps the results of c to; otherwise they are new. run makes
// the call and returns the results. It may be called after c has returned, and from any goroutine.
func (c *Call) Later(host func(*Tensor) *Tensor, into bool) (run func() []*Tensor) {
	d := &Call{Op: c.Op, Variant: c.Variant, device: CPU, key: KeyCPU, all: 1 << KeyCPU}
	d.args = slices.Clone(c.args)
	d.out = slices.Clone(c.out)
	d.swap(host)
	for i := range d.args {
		v := &d.args[i]
		switch l := v.x.(type) {
		case Device:
			v.x = CPU
		case []int:
			v.x = slices.Clone(l)
		}
	}
	if into {
		d.given = make([]*Tensor, len(c.ret))
		for i, r := range c.ret {
			d.given[i] = host(r)
		}
	}
	return func() []*Tensor {
		given := d.given
		if d.ret = nil; d.plan != nil { // of an earlier run
			d.plan.reset()
			d.plan = nil
		}
		InScope(func(s *Scope) {
			s.Exclude(1<<KeyAutograd | 1<<KeyMode | 1<<KeyTrace)
			s.Beneath, s.Device, s.Temporaries = true, CPU, nil
		}, func() {
			if d.Op.shape != nil {
				d.Op.shape(d)
			}
			d.inRows = false // the results have their places
			d.fill(d.Op.table[KeyCPU])
			for i, g := range given {
				if i < len(d.ret) && d.ret[i].st != g.st {
					rawCopy(d.Name(), g, d.ret[i])
				}
			}
		})
		return slices.Clone(d.ret)
	}
}

// NewResult makes the next result of the call like y, a tensor of the host: for a Runner's operators whose shapes
// depend on values.
func (c *Call) NewResult(y *Tensor) *Tensor { return c.NewStrided(y.shape, y.stride, y.dtype) }

// ReadsShapes reports whether the operator looks at the shapes of its tensors alone: rand_like.
func (o *Op) ReadsShapes() bool { return strings.HasSuffix(o.Name, "_like") }

// NoteRegistered tells a session of what is there until its reset, which calls undo: "streams of async".
//
//gotorch:internal
func NoteRegistered(what string, undo func()) { registered(what, undo) }

// nonBlocking is the argument of that name.
func (c *Call) nonBlocking() bool {
	i := c.Op.Param("non_blocking")
	return i >= 0 && c.Bool(i)
}

// CopyAcross is [CopyAcross] for the call, which may say that it does not wait.
func (c *Call) CopyAcross(dst, src *Tensor) { copyAcross(c.Name(), dst, src, c.nonBlocking()) }
