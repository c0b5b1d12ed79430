package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: views inside of transforms. A tensor with a layer has no memory of its own to look for its base in: that is a
// matter of what lies beneath. So the result of a view operator keeps the calls that led to it from its base, and
// where a window of plain tensors would be cut out or put back, these calls are made again.

// viewCall is a call of a view operator on a tensor with a layer, and those before it.
type viewCall struct {
	before *viewCall
	op     *tensor.Op
	kept   tensor.Kept
	output int
}

func viewOf(x *tensor.Tensor) *viewCall {
	if l := x.Layer(); l != nil {
		v, _ := l.View.(*viewCall)
		return v
	}
	return nil
}

// wrapView makes the tensor of l, result i of c, and a view of the call's tensor where c is a view operator.
func wrapView(c *tensor.Call, l *tensor.Layer, i int) *tensor.Tensor {
	if !c.IsView() || l.Copy || c.Op.Tags.Has(opdef.NoHistory) || c.Self() == nil {
		return tensor.Wrap(l)
	}
	self := c.Self()
	if self.Layer() == nil || !tensor.SharesStorage(innermostValue(self), innermostValue(l.Value)) {
		return tensor.Wrap(l)
	}
	l.View = &viewCall{viewOf(self), c.Op, c.Keep(), i}
	y := tensor.Wrap(l)
	base := self.Base()
	if base == nil {
		base = self
	}
	y.SetView(base, tensor.PlainView, y.Version())
	return y
}

// viewedInPlace notes in l, the new layer of the call's tensor, a view operator in place.
func viewedInPlace(c *tensor.Call, l *tensor.Layer) *tensor.Layer {
	if self := c.Self(); self.Base() != nil {
		l.View = &viewCall{viewOf(self), c.Op, c.Keep(), 0}
		self.SetViewVersion(self.Version() - 1) // its history is to be looked at again
	}
	return l
}

// innermostValue is the plain tensor beneath all layers of x.
func innermostValue(x *tensor.Tensor) *tensor.Tensor {
	for l := x.Layer(); l != nil; l = x.Layer() {
		x = l.Value
	}
	return x
}

// take makes the calls on x, which stands for the base.
func (v *viewCall) take(x *tensor.Tensor) *tensor.Tensor {
	if v == nil {
		return x
	}
	x = v.before.take(x)
	kwargs := map[string]any{}
	for i := range v.op.Params {
		switch {
		case i == max(v.op.Self(), 0):
			kwargs[v.op.Params[i].Name] = x
		case v.kept.Given(i):
			kwargs[v.op.Params[i].Name] = v.kept.Arg(i)
		}
	}
	out, err := tensor.Invoke(v.op.Full, nil, kwargs)
	if err != nil {
		panic(err)
	}
	return out[v.output].(*tensor.Tensor)
}

// put returns the gradient of the base, of a shape and dtype, from g, that of the view: the calls backward.
func (v *viewCall) put(g *tensor.Tensor, shape []int, dtype tensor.Dtype) (out *tensor.Tensor) {
	create := IsGradEnabled()
	EnableGrad(func() {
		z := tensor.LiftTo(tensor.Alloc("backward", shape, dtype, g.Device()), g).RequiresGrad_()
		got := make([]*tensor.Tensor, 1)
		run([]root{{edgeOf(v.take(z)), g}}, []Edge{edgeOf(z)}, got, create, create)
		if out = got[0]; out == nil {
			out = bare(z)
		}
	})
	return out
}
