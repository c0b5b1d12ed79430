package autograd

import (
	"reflect"
	"sync/atomic"

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
	ended      bool
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
	defer func() { f.ended = true }()
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
	return tensor.Wrap(f.newLayer(value, tangent))
}

func (f *frame) newLayer(value, tangent *tensor.Tensor) *tensor.Layer {
	return &tensor.Layer{Key: f.key, Level: f.level, Value: value, Tangent: tangent, Of: f, Lift: f.lift}
}

// lift is x with a layer of f: a copy for each example, or a tangent of zeros.
func (f *frame) lift(x *tensor.Tensor) (y *tensor.Tensor) {
	f.outside(func() {
		if f.key == tensor.KeyDual {
			y = f.wrap(x, tensor.ZerosLike(x))
			return
		}
		y = f.wrap(f.value(x).Clone(tensor.ContiguousFormat), nil)
	})
	return y
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

// recordedOn reports whether a tensor of f has a history of its own, or one leads to a leaf that was made inside of f:
// the gradient of that leaf is one for each example, although all share the tensor.
func recordedOn(c *tensor.Call, f *frame) (yes bool) {
	c.EachTensor(func(_ int, t *tensor.Tensor) {
		yes = yes || t.Recorded() && (f.layer(t) != nil || f.holds(frameOf(t)))
	})
	return yes
}

// frameOf is the frame in which the leaves that x's history leads to were made, nil if outside of all.
func frameOf(x *tensor.Tensor) *frame {
	if n := edgeOf(x).Node; n != nil {
		return n.frame.live()
	}
	return nil
}

// live is the innermost frame, f or around it, that has not ended.
func (f *frame) live() *frame {
	for f != nil && f.ended {
		f = f.outer
	}
	return f
}

// framedLeaves counts the leaves that were made inside of frames: nearly always none.
var framedLeaves atomic.Int64

// holds reports whether g is f, or a frame inside of it.
func (f *frame) holds(g *frame) bool {
	for ; g != nil; g = g.outer {
		if g == f {
			return true
		}
	}
	return false
}

// recordedHere reports whether calls with x are to be recorded where the code runs. Beneath a transform they are not,
// if x leads to a leaf that was made inside of it: the transform recorded them already.
func recordedHere(x *tensor.Tensor) bool {
	if framedLeaves.Load() == 0 {
		return true
	}
	g := frameOf(x)
	return g == nil || g.holds(innermost())
}

// meet takes the edge e of a new node's argument: none, if it leads to a leaf of a transform that the code runs
// beneath.
func (n *Node) meet(e Edge) Edge {
	if e.Node == nil {
		return e
	}
	g := e.Node.frame.live()
	switch {
	case g == nil:
		return e
	case !g.holds(innermost()):
		return Edge{}
	}
	if n.frame == nil || g.level > n.frame.level {
		n.frame = g
	}
	return e
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

// callTensors calls f, a Go function of tensors, and returns its results. It panics with an *Error where f is none or
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
