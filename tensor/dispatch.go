package tensor

import (
	"slices"

	"gotorch/tensor/opdef"
)

// Note: the path of a call. dispatch makes the key set from the tensors' devices, whether one requires grad, and the
// scope of the goroutine. Next runs the kernel of the highest key that is left; a wrapping kernel calls Next again for
// what is beneath it. A key without a kernel falls through. A composite operator is its body at Autograd, Batched and
// the devices: what the body calls is dispatched again, and recorded and traced for itself. At a device's key the
// shape function makes the results, the kernel fills them, and then views and writes are noted.

// dispatch runs the call.
func (c *Call) dispatch() {
	if i := c.Op.inplace; i >= 0 && c.args[i].kind == boolValue && c.Bool(i) { // relu(x, inplace=True) is relu_(x)
		c.Variant = InPlace
		c.args[i] = value{}
	}
	s := CurrentScope()
	if s != nil && s.Substitute != nil {
		c.swap(s.Substitute)
	}
	var keys KeySet
	for i := range c.args {
		switch v := &c.args[i]; v.kind {
		case tensorValue:
			c.meet(v.t)
			keys |= v.t.Keys()
		case otherValue:
			switch l := v.x.(type) {
			case []*Tensor:
				for j, t := range l {
					if t == nil {
						panic(Errorf(c.Name(), "element %d of %s is a nil tensor", j, c.Op.Params[i].Name).OnArg(c.Op.Params[i].Name))
					}
					c.meet(t)
					keys |= t.Keys()
				}
			case []any:
				for _, e := range l {
					if t, ok := e.(*Tensor); ok && t != nil {
						keys |= t.Keys() &^ deviceKeys
					}
				}
			}
		}
	}
	for _, t := range c.out {
		c.meet(t)
		keys |= t.Keys()
	}
	// zeros_like(x, device) runs where it makes
	if c.device.kind == noDevice || c.Op.device >= 0 && c.arg(c.Op.device).kind == otherValue {
		c.device = c.DeviceOption()
	}
	keys = keys&^deviceKeys | 1<<c.device.Key()
	if s != nil {
		keys = keys&^s.exclude | s.include
	}
	c.all, c.keys = keys, keys&^pinnedKey
	c.Next()
	if i := c.Op.requires; i >= 0 && c.Bool(i) {
		c.ret[0].RequiresGrad_()
	}
}

// meet notes the device of t; a second device in one call is an error, a CPU tensor of no dimensions excepted.
func (c *Call) meet(t *Tensor) {
	d := t.st.device
	switch {
	case c.device == d:
	case d == freed:
		panic(usedFreed(c.Name()))
	case c.device.kind == noDevice:
		c.device = d
	case c.Op.Tags.Has(opdef.CrossDevice):
	case d == CPU && len(t.shape) == 0:
	case c.device == CPU && !slices.ContainsFunc(c.args, func(v value) bool {
		return v.kind == tensorValue && v.t.st.device == CPU && len(v.t.shape) > 0
	}):
		c.device = d
	default:
		panic(Errorf(c.Name(), "expected all tensors to be on the same device, but found at least two devices, %v and %v",
			c.device, d).WithHint("x.To(" + c.device.String() + ") moves one"))
	}
}

// Next runs the kernel of the highest key that is left.
func (c *Call) Next() {
	o := c.Op
	for c.keys != 0 {
		h := c.keys.Highest()
		c.keys &^= 1 << h
		switch {
		case c.all&(1<<KeySparse) != 0 && h <= KeyBatched && h != KeyWrapper && c.takenBySparse(h):
			return
		case h.IsDevice() && (o.table[h] != nil || h == KeyMeta && o.shape != nil):
			c.key = h
			c.runDevice(o.table[h])
			return
		case o.table[h] != nil:
			c.key = h
			o.table[h](c)
			return
		case o.composite != nil && h <= KeyBatched:
			c.key = h
			c.runBody()
			return
		case fallbacks[h] != nil:
			c.key = h
			fallbacks[h](c)
			return
		}
	}
	o.noKernelFor(c)
}

// runDevice makes the results, fills them by the device's kernel f (nil for shapes alone), and notes views and writes.
func (c *Call) runDevice(f Kernel) {
	o := c.Op
	if o.writes && !o.idempotent || c.Variant == InPlace && o.class != opdef.View {
		for _, w := range c.Written() {
			checkWritable(c.Name(), w)
		}
	}
	if o.shape != nil {
		o.shape(c)
	}
	c.checkStored()
	if c.key == KeyMeta {
		if s := CurrentScope(); s != nil && s.fuse != nil {
			s.fuse.note(c)
		}
	}
	if c.inRows && f != nil {
		rows := f
		f = func(c *Call) { c.fillRows(rows) }
	}
	switch {
	case f == nil:
	case c.all&(1<<KeyTrace|pinnedKey) != 0:
		c.fillTraced(f)
	default:
		c.fill(f)
	}
	if o.class == opdef.View {
		c.noteViews()
		return
	}
	if c.Variant != Functional && !o.nativeOut {
		c.copyToDestinations()
	}
	if c.Variant != Functional || o.writes {
		for _, w := range c.Written() {
			w.st.now().wrote(c.Op.noteOf(c.Variant))
		}
	}
}

// fill runs a device's kernel.
func (c *Call) fill(f Kernel) {
	if watch := currentHooks().Draw; watch != nil && c.Op.Tags.Has(opdef.Random) {
		c.watchDraws(f, watch)
		return
	}
	if c.Op.calls.Has(c.key) {
		run := func() { c.blamed(func() { Under(0, 1<<KeyAutograd, func() { f(c) }) }) }
		if t := c.temporaries(); t != nil {
			t.within(c, run)
			return
		}
		run()
		return
	}
	f(c)
}

// runBody runs a composite operator's body, and frees what it made on the way.
func (c *Call) runBody() {
	if t := c.temporaries(); t != nil {
		c.blamed(func() { t.within(c, c.body) })
		return
	}
	c.blamed(c.body)
}

func (c *Call) body() { c.bodyOf(c.Op.composite) }

// bodyOf runs a body in the form of the call.
func (c *Call) bodyOf(body Kernel) {
	if c.Variant == Functional {
		body(c)
		return
	}
	dst, variant := c.Written(), c.Variant
	if variant == OutVariant && c.all.Has(KeyAutograd) {
		panic(Errorf(c.Name(), "opt.Out does not support automatic differentiation, but a tensor of the call requires grad").
			OnArg("out").WithHint("leave opt.Out away, or call inside autograd.NoGrad"))
	}
	c.Variant = Functional
	body(c)
	c.Variant = variant
	for i, d := range dst {
		if c.ret[i] != d { // the body has not passed it on
			c.checkDestination(d, c.ret[i].shape, c.ret[i].dtype)
			d.Copy_(c.ret[i])
		}
	}
	c.Return(dst...)
}

// copyToDestinations moves results that were made apart to where an in-place form or opt.Out wants them.
func (c *Call) copyToDestinations() {
	dst := c.Written()
	if len(dst) > len(c.ret) {
		panic(Errorf(c.Name(), "opt.Out gives %d tensors for %d results", len(dst), len(c.ret)))
	}
	for i, d := range dst {
		c.checkDestination(d, c.ret[i].shape, c.ret[i].dtype)
		if d != c.ret[i] {
			rawCopy(c.Name(), d, c.ret[i])
		}
	}
	c.Return(dst...)
}

// checkDestination panics where a result of shape and dt cannot be put into d; opt.Out is given the shape.
func (c *Call) checkDestination(d *Tensor, shape []int, dt Dtype) {
	if !CanCast(dt, d.dtype) {
		panic(Errorf(c.Name(), "result type %s can't be cast to the desired output type %s", dt, d.dtype))
	}
	if slices.Equal(d.shape, shape) {
		if c.Variant == OutVariant {
			checkWritable(c.Name(), d)
		}
		return
	}
	if c.Variant == InPlace {
		panic(Errorf(c.Name(), "output with shape %v doesn't match the broadcast shape %v", d.shape, shape).
			WithDetails(resultDetails(d, shape)))
	}
	d.resize(c.Name(), shape)
}

// rawCopy copies src into dst at the device's key: no history, no trace, no version.
func rawCopy(op string, dst, src *Tensor) {
	c := begin(opCopy_)
	c.setTensor(0, dst)
	c.setTensor(1, src)
	c.device = dst.st.device
	k := c.device.Key()
	c.key, c.all = k, 1<<k
	o := c.Op
	f := o.table[k]
	if b := c.device.backend(); f == nil && b != nil {
		f = b.kernel(o)
	}
	if f == nil && k != KeyMeta {
		o.noKernelFor(c)
	}
	o.shape(c)
	if f != nil {
		if (dst.keys|src.keys)&pinnedKey != 0 {
			c.all |= pinnedKey
			c.fillPinned(f)
		} else {
			f(c)
		}
	}
	end(c)
}

// checkWritable panics if more than one element of x is the same place in memory.
func checkWritable(op string, x *Tensor) {
	for i, s := range x.shape {
		if s > 1 && x.stride[i] == 0 && x.numel > 0 {
			panic(Errorf(op, "more than one element of the written-to tensor refers to a single memory location (shape %v, "+
				"stride %v)", x.shape, x.stride).WithHint("Clone() it first"))
		}
	}
}

// noteViews writes into the results of a view operator what they look into.
func (c *Call) noteViews() {
	src := c.Self()
	if c.Variant == InPlace { // x.T_(): the header itself changes
		r := c.ret[0]
		shape, stride := slices.Clone(r.shape), slices.Clone(r.stride)
		if len(shape) > inlineDims || len(src.shape) > inlineDims {
			src.shape, src.stride = shape, stride
		} else {
			n := len(shape)
			src.shape, src.stride = src.dims[:n:n], src.dims[inlineDims:inlineDims+n:inlineDims+n]
			copy(src.shape, shape)
			copy(src.stride, stride)
		}
		src.offset, src.numel = r.offset, r.numel
		src.st.now().wrote(c.Op.noteOf(c.Variant))
		c.Return(src)
		return
	}
	c.noteOrigins(src)
	if c.Op.Tags.Has(opdef.NoHistory) { // shares memory and version, but no history ever
		return
	}
	base := src.view.base
	if base == nil {
		base = src
	}
	kind := PlainView
	switch {
	case c.all&(1<<KeyAutograd) == 0 && Excluded(KeyAutograd) && !inKernel():
		kind = NoGradView
	case c.ReturnsList():
		kind = MultiView
	}
	v := src.st.now().version.Load()
	for _, r := range c.ret {
		if SharesStorage(r, src) {
			r.view = viewState{base, v, kind}
		}
	}
}

// inKernel reports whether the running code is beneath a wrapping kernel rather than in a user's NoGrad.
func inKernel() bool {
	s := CurrentScope()
	return s != nil && s.Beneath
}

// resize gives an opt.Out destination another shape, contiguous; its storage grows where it is too small.
func (x *Tensor) resize(op string, shape []int) {
	n, ok := count(shape)
	if !ok || n > maxElements || x.offset > maxElements {
		panic(Errorf(op, "cannot allocate shape %v of %s: more bytes than can be counted", shape, x.dtype))
	}
	y := newHeader(len(shape), x.dtype)
	copy(y.shape, shape)
	contiguousStrides(y.stride, shape)
	if need := (x.offset + n) * x.dtype.Size(); need > x.st.bytes {
		grown := allocate(op, x.st.device, need, true)
		grown.keep()
		if x.st.data != nil && x.st.bytes > 0 {
			copy(hostBytes(grown), hostBytes(x.st))
		}
		owner := any(grown)
		if x.st.device.backend() != nil {
			x.moveTo(op, grown)
			owner = grown.owner
		}
		x.st.data, x.st.bytes, x.st.owner = grown.data, need, owner
		if f := currentHooks().Storage; f != nil {
			f(x.st, grown, op)
		}
	}
	x.shape, x.stride, x.numel = y.shape, y.stride, n
}

func (c *Call) run1() *Tensor {
	c.dispatch()
	r := c.ret[0]
	end(c)
	return r
}

func (c *Call) run2() (*Tensor, *Tensor) {
	c.dispatch()
	a, b := c.ret[0], c.ret[1]
	end(c)
	return a, b
}

func (c *Call) run3() (*Tensor, *Tensor, *Tensor) {
	c.dispatch()
	a, b, d := c.ret[0], c.ret[1], c.ret[2]
	end(c)
	return a, b, d
}

func (c *Call) run4() (*Tensor, *Tensor, *Tensor, *Tensor) {
	c.dispatch()
	x, y, z, w := c.ret[0], c.ret[1], c.ret[2], c.ret[3]
	end(c)
	return x, y, z, w
}

func (c *Call) runList() []*Tensor {
	c.dispatch()
	r := slices.Clone(c.ret)
	end(c)
	return r
}
