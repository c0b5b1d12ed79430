package tensor

import (
	"fmt"
	"slices"
)

// Note: layers. A transform works on tensors that hold others: a batched tensor stands for one example and holds all
// of them, a dual tensor stands for a number and holds a derivative beside it. To a user's code they have the shape
// of what they stand for, and their key sends every call to the transform, which takes the layer off, calls the
// operator again on what is inside, and puts the layer back on. Layers nest: the outermost layer is the innermost
// transform's, which the level says.

// Layer is what lies beneath a tensor that a transform made.
type Layer struct {
	Key     Key     // KeyBatched or KeyDual
	Level   int     // the depth of the transform, from 1
	Value   *Tensor // of a batch all examples, which dimension 0 counts; of a dual number the primal
	Tangent *Tensor // of a dual number, in the shape of Value
	Of      any     // the run of the transform that it belongs to
	Copy    bool    // Value is a copy where the operator would have given a view: writes through it would be lost
	// Lift returns a tensor that the transform does not know a layer of it: the same for all examples, or standing
	// still.
	Lift func(x *Tensor) *Tensor
	// View says of which tensor with a layer this is a view, for gradients that are asked for inside of the transform;
	// package autograd keeps it.
	View any
}

const layered KeySet = 1<<KeyBatched | 1<<KeyDual

// Wrap makes the tensor that stands for l.
func Wrap(l *Layer) *Tensor {
	v := l.Value
	if v.sparse() != nil {
		panic(Errorf(l.Key.String(), "function transforms are not implemented for layout %s", v.layout).
			WithHint("x.ToDense() gives a strided tensor"))
	}
	v.moveOut() // its substitute reads its elements
	shape, stride := v.shape, v.stride
	st := &Storage{bytes: v.st.bytes, device: v.st.device, owner: l}
	if l.Key == KeyBatched {
		shape, stride = shape[1:], stride[1:]
	} else {
		st.data = v.st.data // a dual number can be read
	}
	x := newHeader(len(shape), v.dtype)
	copy(x.shape, shape)
	copy(x.stride, stride)
	x.numel, _ = count(shape)
	x.st, x.offset, x.layout = st, v.offset, v.layout
	x.keys = v.keys&deviceKeys | 1<<l.Key
	return x
}

// Layer is what lies beneath a tensor that a transform made, nil for others.
func (x *Tensor) Layer() *Layer {
	if x.keys&layered == 0 {
		return nil
	}
	l, _ := x.st.owner.(*Layer)
	return l
}

// LiftTo gives x the levels that others have and x lacks, so that results of others can be written into it. What it
// gives is new where a layer was missing, else x itself.
func LiftTo(x *Tensor, others ...*Tensor) *Tensor {
	var missing []*Layer
	for _, o := range others {
		missing = o.layersBut(x, missing)
	}
	slices.SortFunc(missing, func(a, b *Layer) int { return a.Level - b.Level })
	for _, l := range missing {
		x = x.lifted(l)
	}
	return x
}

// layersBut adds to list the layers at and beneath o, of runs that neither x nor list has.
func (o *Tensor) layersBut(x *Tensor, list []*Layer) []*Layer {
	if o == nil {
		return list
	}
	l := o.Layer()
	if l == nil {
		return list
	}
	has := slices.ContainsFunc(list, func(k *Layer) bool { return k.Of == l.Of })
	for k := x.Layer(); k != nil && !has; k = k.Value.Layer() {
		has = k.Of == l.Of
	}
	if !has && l.Lift != nil {
		list = append(list, l)
	}
	return l.Tangent.layersBut(x, l.Value.layersBut(x, list))
}

// lifted puts a layer like l on x, beneath those of inner transforms.
func (x *Tensor) lifted(l *Layer) *Tensor {
	top := x.Layer()
	if top == nil || top.Level < l.Level {
		return l.Lift(x)
	}
	inner := *top
	inner.Value = top.Value.lifted(l)
	if inner.Tangent != nil {
		inner.Tangent = inner.Tangent.lifted(l)
	}
	return Wrap(&inner)
}

// writable is a copy of x that a body can write the call's other tensors into, whatever transforms they belong to.
func (c *Call) writable(x *Tensor) *Tensor {
	var all []*Tensor
	c.EachTensor(func(_ int, t *Tensor) { all = append(all, t) })
	return LiftTo(x.Clone(), all...)
}

// Recorded reports whether autograd keeps a history on x itself, not only on what lies beneath it.
func (x *Tensor) Recorded() bool { return x.Keys().Has(KeyAutograd) }

// layerText is how a tensor with a layer is written.
func (l *Layer) text() string {
	if l.Key == KeyDual {
		return fmt.Sprintf("dual(level=%d, primal=%s, tangent=%s)", l.Level, l.Value, l.Tangent)
	}
	return fmt.Sprintf("batched(level=%d, size=%d, value=%s)", l.Level, l.Value.shape[0], l.Value)
}

// visible panics where x stands for a whole batch, so that there is no one value to read.
func (x *Tensor) visible(op string) {
	x.mustHaveElements(op)
	if w := x.Wrapper(); w != nil {
		panic(Errorf(op, "the elements of a %s do not lie in the tensor itself", w.Name()).
			WithHint("x.Dense() is the tensor that has them"))
	}
	if x.st.data == nil && x.keys&layered != 0 {
		l := x.Layer()
		panic(Errorf(op, "inside a vmap a tensor stands for %s at once: there is no one value to read",
			plural(l.size(), "example")).WithHint("use Where in place of if, and operators in place of reading"))
	}
}

func (l *Layer) size() int {
	for l.Key != KeyBatched && l.Value.Layer() != nil {
		l = l.Value.Layer()
	}
	if l.Value.Dim() == 0 {
		return 1
	}
	return l.Value.shape[0]
}

// Left are the keys whose kernels have not run yet.
func (c *Call) Left() KeySet { return c.keys }

// Requeue lets the keys of add run, once more if they have run, and those of drop not.
func (c *Call) Requeue(add, drop KeySet) { c.keys = c.keys&^drop | add }

// SetArg sets argument i of a call that is made again.
func (c *Call) SetArg(i int, v any) {
	c.args[i] = value{}
	c.set(i, v)
}

// Again calls the operator from the beginning with other arguments: replace returns the substitute of each tensor (the
// slot is -1 for destinations of opt.Out), and change, if not nil, changes the others.
func (c *Call) Again(replace func(slot int, t *Tensor) *Tensor, change func(d *Call)) []*Tensor {
	d := begin(c.Op)
	d.Variant = c.Variant
	for i := range c.args {
		v := c.args[i]
		switch {
		case v.kind == tensorValue:
			v.t = replace(i, v.t)
		case v.kind == otherValue:
			switch l := v.x.(type) {
			case []*Tensor:
				l = slices.Clone(l)
				for j, t := range l {
					if t != nil {
						l[j] = replace(i, t)
					}
				}
				v.x = l
			case []any:
				l = slices.Clone(l)
				for j, e := range l {
					if t, ok := e.(*Tensor); ok && t != nil {
						l[j] = replace(i, t)
					}
				}
				v.x = l
			}
		}
		d.args[i] = v
	}
	for _, t := range c.out {
		d.out = append(d.out, replace(-1, t))
	}
	if change != nil {
		change(d)
	}
	d.dispatch()
	r := slices.Clone(d.ret)
	end(d)
	return r
}

// AsFunctional turns a call in place into one that returns a new tensor.
func (c *Call) AsFunctional() { c.Variant = Functional }

// Rewrap turns x, a tensor with a layer, into the tensor that y is: for in-place changes of views.
func (x *Tensor) Rewrap(y *Tensor) {
	x.shape, x.stride = slices.Clone(y.shape), slices.Clone(y.stride)
	x.st, x.offset, x.numel = y.st, y.offset, y.numel
}
