package autograd

import (
	"reflect"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: transforms. Vmap and JVP run a user's function with tensors that have layers (see tensor.Layer). A call with
// such a tensor comes here first; the innermost transform of those that its arguments belong to takes its layer off,
// says what is to be called instead, outside of itself, and puts its layer on the results. Where autograd records on a
// layered tensor itself, a gradient was asked for inside of the transform: then it records first. So gradients, vmap
// and jvp stand inside each other in any order.

// frame is one run of a transform.
type frame struct {
	key        tensor.Key
	level      int
	size       int        // of the batch
	randomness Randomness // of a vmap
	outer      *frame
}

func init() {
	tensor.RegisterFallback(tensor.KeyBatched, transformed)
	tensor.RegisterFallback(tensor.KeyDual, transformed)
}

// innermost is the frame that the running code is in.
func innermost() *frame {
	if s := tensor.CurrentScope(); s != nil {
		f, _ := s.Transform.(*frame)
		return f
	}
	return nil
}

// enter runs body inside of a new frame.
func enter(f *frame, body func()) {
	f.outer = innermost()
	f.level = 1
	if f.outer != nil {
		f.level = f.outer.level + 1
	}
	tensor.InScope(func(s *tensor.Scope) { f.set(s) }, body)
}

func (f *frame) set(s *tensor.Scope) {
	s.Transform, s.Level = any(f), 0
	if f == nil {
		s.Transform = nil
	} else {
		s.Level = f.level
	}
	s.Drop(tensor.Set(tensor.KeyBatched))
	for g := f; g != nil; g = g.outer {
		if g.key == tensor.KeyBatched { // every call may draw random numbers
			s.Include(tensor.Set(tensor.KeyBatched))
		}
	}
}

// outside runs body as the code around f does.
func (f *frame) outside(body func()) {
	tensor.InScope(func(s *tensor.Scope) { f.outer.set(s) }, body)
}

// layer is x's layer of f, nil if it has none.
func (f *frame) layer(x *tensor.Tensor) *tensor.Layer {
	if x == nil {
		return nil
	}
	if l := x.Layer(); l != nil && l.Of == any(f) {
		return l
	}
	return nil
}

func (f *frame) wrap(value, tangent *tensor.Tensor) *tensor.Tensor {
	return tensor.Wrap(&tensor.Layer{Key: f.key, Level: f.level, Value: value, Tangent: tangent, Of: f})
}

// transformed is the kernel of Batched and Dual for every operator.
func transformed(c *tensor.Call) {
	var top *tensor.Layer
	c.EachTensor(func(_ int, t *tensor.Tensor) {
		if l := t.Layer(); l != nil && (top == nil || l.Level > top.Level) {
			top = l
		}
	})
	for _, t := range c.Written() {
		if l := t.Layer(); l != nil && (top == nil || l.Level > top.Level) {
			top = l
		}
	}
	f := innermost()
	if top == nil {
		if c.Op.Tags.Has(opdef.Random) && f.draws(c) {
			return
		}
		c.Next()
		return
	}
	for f != nil && any(f) != top.Of {
		if f.key == tensor.KeyBatched && c.Op.Tags.Has(opdef.Random) && f.level > top.Level && f.draws(c) {
			return
		}
		f = f.outer
	}
	if f == nil {
		panic(tensor.Errorf(c.Name(), "a tensor of a transform (level %d) is used after the transform ended", top.Level).
			WithHint("give it back as a result of the function"))
	}
	if c.Left().Has(tensor.KeyAutograd) && recordedOn(c, f) {
		if c.IsWrite() {
			panic(tensor.Errorf(c.Name(), "a write in place cannot be recorded for a gradient inside of a transform").
				WithHint("use the operator that makes a new tensor"))
		}
		c.Requeue(tensor.Set(f.key), tensor.Set(tensor.KeyAutograd))
		record(c)
		return
	}
	if c.Variant == tensor.OutVariant {
		panic(tensor.Errorf(c.Name(), "opt.Out does not work inside of a transform").OnArg("out").
			WithHint("leave opt.Out away"))
	}
	if f.key == tensor.KeyDual {
		f.dual(c)
	} else {
		f.batch(c)
	}
}

// recordedOn reports whether a tensor of f has a history of its own.
func recordedOn(c *tensor.Call, f *frame) (yes bool) {
	c.EachTensor(func(_ int, t *tensor.Tensor) { yes = yes || f.layer(t) != nil && t.Recorded() })
	return yes
}

// bare is x without the history of its own; what lies beneath a layer keeps its.
func bare(x *tensor.Tensor) *tensor.Tensor {
	if l := x.Layer(); l != nil {
		copied := *l
		return tensor.Wrap(&copied)
	}
	if !x.Recorded() {
		return x
	}
	return x.Detach()
}

// callTensors calls f, a Go function of tensors, and gives its results. It panics with an *Error where f is none or
// takes another number of them.
func callTensors(op string, f any, xs []*tensor.Tensor) []*tensor.Tensor {
	switch f := f.(type) {
	case func(*tensor.Tensor) *tensor.Tensor:
		if len(xs) == 1 {
			return []*tensor.Tensor{f(xs[0])}
		}
	case func(...*tensor.Tensor) *tensor.Tensor:
		return []*tensor.Tensor{f(xs...)}
	case func(...*tensor.Tensor) []*tensor.Tensor:
		return f(xs...)
	case Func:
		return f(xs)
	}
	v := reflect.ValueOf(f)
	one := reflect.TypeFor[*tensor.Tensor]()
	if f == nil || v.Kind() != reflect.Func {
		panic(tensor.Errorf(op, "wants a function of tensors, not %T", f))
	}
	t := v.Type()
	if t.IsVariadic() || t.NumIn() != len(xs) {
		panic(tensor.Errorf(op, "the function takes %d tensors and is given %d", t.NumIn(), len(xs)))
	}
	in := make([]reflect.Value, len(xs))
	for i := range in {
		if t.In(i) != one {
			panic(tensor.Errorf(op, "argument %d of the function must be a *tensor.Tensor, not %s", i, t.In(i)))
		}
		in[i] = reflect.ValueOf(xs[i])
	}
	var out []*tensor.Tensor
	for i, r := range v.Call(in) {
		switch y := r.Interface().(type) {
		case *tensor.Tensor:
			out = append(out, y)
		case []*tensor.Tensor:
			out = append(out, y...)
		default:
			panic(tensor.Errorf(op, "result %d of the function must be a tensor, not %T", i, y))
		}
	}
	return out
}
