package tensor

import (
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"gotorch/tensor/opdef"
)

// Kernel runs a call: it reads the arguments from c and sets the results.
//
//gotorch:internal
type Kernel func(c *Call)

// Op is an operator: a row of the table with what was registered for it.
//
//gotorch:internal
type Op struct {
	*opdef.Sig
	Full         string // the name with the overload: max.dim
	table        [numKeys]Kernel
	present      KeySet
	calls        KeySet                  // keys whose kernels call other operators
	shape        Kernel                  // checks the arguments and makes the results; kernels fill them
	derivedShape bool                    // shape follows from the row; see pointwise.go
	composite    Kernel                  // the body, of an operator that is others in a row
	passesOn     bool                    // the body makes nothing but its results; see passes
	sparse       Kernel                  // the body where an argument is sparse; see sparse.go
	defaults     atomic.Pointer[[]value] // see missing
	class        opdef.Tag
	writes       bool // the schema writes to its first argument
	nativeOut    bool // kernels write into a given destination themselves
	idempotent   bool // writing an element twice is as good as once: fill_, zero_
	inplace      int  // the parameter called inplace, -1 if there is none
	device       int  // of operators that make a tensor (they take requires_grad): the slot of device, else -1
	requires     int  // and that of requires_grad, else -1
	promote      func(c *Call) (compute, result Dtype)
	flops        func(c *Call) float64    // see Flops
	notes        [2]atomic.Pointer[Write] // see noteOf
	// Formula is what package autograd registered: how gradients flow through the operator.
	Formula any
	defined bool // by Define
	// Site is where [Define] was called in a cell, the zero Site for operators of the table.
	Site Site
}

// zeroed reports whether kernels rely on results of zeros.
func (o *Op) zeroed() bool { return o.Tags.Has(opdef.Zeroed) }

// ops are the operators by their full names. What is registered for an operator goes through here.
var ops = func() map[string]*Op {
	rows := opdef.Signatures()
	m := make(map[string]*Op, len(rows))
	for i := range rows {
		o := &operators[i]
		o.init(&rows[i])
		if m[o.Full] != nil {
			panic("tensor: two rows for " + o.Full)
		}
		m[o.Full] = o
	}
	return m
}()

// init sets what follows from the row.
func (o *Op) init(sig *opdef.Sig) {
	o.Sig, o.Full, o.class = sig, sig.FullName(), sig.Tags.Class()
	for i := range sig.Params {
		for _, t := range sig.Params[i].Types {
			o.writes = o.writes || t.Write
		}
	}
	o.nativeOut = o.class == opdef.Pointwise
	o.idempotent = sig.Tags.Has(opdef.Idempotent)
	o.inplace = sig.Param("inplace")
	o.device, o.requires = -1, sig.Param("requires_grad")
	if o.requires >= 0 {
		o.device = sig.Param("device")
	}
}

// byName are the overloads of each of PyTorch's names, in the table's order.
var byName = sync.OnceValue(func() map[string][]*Op {
	m := map[string][]*Op{}
	for i := range operators {
		o := &operators[i]
		m[o.Name] = append(m[o.Name], o)
	}
	return m
})

// missing is the value of a parameter that a call leaves out. The schema's defaults are read when the first call asks
// for one.
func (o *Op) missing(i int) *value {
	if o.defaults.Load() == nil {
		o.readDefaults()
	}
	return &(*o.defaults.Load())[i]
}

func (o *Op) readDefaults() {
	d := make([]value, len(o.Params))
	for i := range d {
		var err error
		if d[i], err = parseDefault(&o.Params[i]); err != nil {
			panic("tensor: " + o.Schema + ": " + err.Error())
		}
	}
	o.defaults.CompareAndSwap(nil, &d)
}

// Lookup finds an operator by its full name ("max.dim"; "my.clip" or "my::clip" of [Define]), nil if there is none.
func Lookup(name string) *Op {
	if o := ops[name]; o != nil {
		return o
	}
	return definedOps()[strings.Replace(name, "::", ".", 1)]
}

// Ops lists all operators: those of the table in its order, then those of [Define].
func Ops() []*Op {
	list := make([]*Op, len(operators), len(operators)+len(definedOps()))
	for i := range list {
		list[i] = &operators[i]
	}
	return append(list, Defined()...)
}

// registering finds the operator that something is registered for.
func registering(what, name string) *Op {
	o := ops[name]
	if o == nil {
		panic("tensor: " + what + " for " + name + ", which has no row in the operator table")
	}
	return o
}

// Register sets the kernel of an operator for a key. The operator's shape function, if it has one, has run before a
// device's kernel does: results are made, and the kernel fills them. A kernel must not call operators; if it does, use
// [RegisterCalling]. A second kernel for the same key panics.
//
//gotorch:internal
func Register(name string, k Key, f Kernel) {
	o := registering("a kernel", name)
	if n := kinds.Load(); k == KeyPrivate && n > uint32(firstBackend) {
		Device{kind: deviceKind(n - 1)}.RegisterKernel(name, f)
		return
	}
	if o.table[k] != nil {
		panic("tensor: two kernels of " + name + " for " + k.String())
	}
	o.table[k] = f
	o.present |= 1 << k
}

// RegisterCalling is [Register] for a kernel that calls other operators, which run with Autograd excluded.
//
//gotorch:internal
func RegisterCalling(name string, k Key, f Kernel) {
	Register(name, k, f)
	ops[name].calls |= 1 << k
}

// fallbacks are boxed kernels for every operator that has none of its own for the key.
var fallbacks [numKeys]Kernel

// RegisterFallback sets the one kernel of a key for all operators. Composite bodies run in place of the fallbacks of
// Autograd and Batched.
//
//gotorch:internal
func RegisterFallback(k Key, f Kernel) {
	if fallbacks[k] != nil {
		panic("tensor: two fallbacks for " + k.String())
	}
	fallbacks[k] = f
}

// shapes registers shape functions: they check a call's arguments and make its results, for every device and for Meta.
// One of a pointwise operator stands in place of the derived one, whichever is registered first.
func shapes(m map[string]Kernel) {
	for name, f := range m {
		o := registering("a shape function", name)
		if o.shape != nil && !o.derivedShape {
			panic("tensor: two shape functions for " + name)
		}
		o.shape, o.derivedShape = f, false
	}
}

// composites registers bodies of operators that are others in a row.
func composites(m map[string]Kernel) {
	for name, f := range m {
		o := registering("a body", name)
		if o.composite != nil {
			panic("tensor: two bodies for " + name)
		}
		o.composite = f
	}
}

// passes registers bodies that pass on an argument, a view of it, or the result of one call: there is nothing to free
// behind them.
func passes(m map[string]Kernel) {
	composites(m)
	for name := range m {
		ops[name].passesOn = true
	}
}

// views registers the kernels of view operators. They touch no data and serve every device.
func views(m map[string]Kernel) {
	shapes(m)
	for name := range m {
		for k := KeyMeta; k.IsDevice(); k++ {
			Register(name, k, noKernel)
		}
	}
}

// noKernel is the device kernel of operators whose shape function does everything.
func noKernel(*Call) {}

// promotions registers dtype rules of pointwise operators that do not follow from their tags.
func promotions(m map[string]func(c *Call) (compute, result Dtype)) {
	for name, f := range m {
		o := registering("a dtype rule", name)
		if o.promote != nil {
			panic("tensor: two dtype rules for " + name)
		}
		o.promote = f
	}
}

// Registered are the functions that were registered for the operator: its shape function, its body and the kernel for
// k, nil where there is none. For tools that show them.
func (o *Op) Registered(k Key) (shape, body, kernel Kernel) { return o.shape, o.composite, o.table[k] }

// HasKernel reports whether the operator has a kernel of its own for k.
func (o *Op) HasKernel(k Key) bool { return o.table[k] != nil }

// Entry says what the operator does at key k: "kernel", "composite", "fallback" or "fallthrough".
func (o *Op) Entry(k Key) string {
	switch {
	case o.table[k] != nil:
		return "kernel"
	case k == KeySparse && o.sparse != nil:
		return "composite"
	case o.composite != nil && k <= KeyBatched:
		return "composite"
	case k == KeyMeta && o.shape != nil:
		return "kernel"
	case fallbacks[k] != nil:
		return "fallback"
	}
	return "fallthrough"
}

// Class is the tag of the shape class: opdef.Pointwise, opdef.Reduction and so on.
func (o *Op) Class() opdef.Tag { return o.class }

// IsComposite reports whether the operator is a body of others.
func (o *Op) IsComposite() bool { return o.composite != nil }

// noKernelFor panics with an error that says which devices have a kernel.
func (o *Op) noKernelFor(c *Call) {
	if c.all.Has(KeySparse) {
		panic(c.notSparse())
	}
	if c.key == KeyWrapper {
		panic(Errorf(c.Name(), "the handler of a wrapper forwarded the call, and no kernel can read a wrapper").
			WithHint("c.Forward(unwrap, wrap) calls the operator on what the wrappers hold"))
	}
	var have []string
	for i := range kinds.Load() {
		k := devices[i].key
		if deviceKind(i) == noDevice || !devices[i].is() {
			continue
		}
		if o.table[k] != nil || k == KeyMeta && o.shape != nil || k == KeyPrivate && devices[i].backend.kernel(o) != nil {
			have = append(have, devices[i].name)
		}
	}
	sort.Strings(have)
	d := c.Device()
	switch {
	case len(have) == 0 && d == CPU:
		panic(Errorf(c.Name(), "there is no kernel for %s on any device", o.Full).
			WithHint(`import _ "gotorch/backends/cpu", or _ "gotorch"`))
	case d == Meta && o.class == opdef.Dynamic:
		panic(Errorf(c.Name(), "the shape of the result depends on the values, which a meta tensor does not have"))
	}
	e := Errorf(c.Name(), "there is no kernel for %s; there is one for %s", d, strings.Join(have, ", "))
	if d.backend() != nil {
		e = e.WithHint(`x.Device().RegisterKernel("` + o.Full + `", f) adds one, x.Device().FallBackToCPU() uses the CPU's`)
	}
	panic(e)
}
