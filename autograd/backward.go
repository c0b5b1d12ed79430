package autograd

import (
	"reflect"
	"slices"

	"gotorch/tensor"
)

func init() {
	hooks := &tensor.AutogradHooks{
		GradFn: func(x *tensor.Tensor) tensor.Node {
			if n := gradFn(x); n != nil {
				return n
			}
			return nil
		},
		Backward:     func(x *tensor.Tensor, opts []tensor.Option) { Backward([]*tensor.Tensor{x}, opts...) },
		RequiresGrad: requiresGrad,
		RetainGrad:   retainGrad,
		RegisterHook: registerHook,
		Accumulated:  accumulatedHook,
		Define:       defineFormula,
	}
	tensor.SetHooks(func(h *tensor.Hooks) { h.Autograd = hooks })
}

// settings are the options of a backward pass.
type settings struct {
	grads         []*tensor.Tensor
	inputs        []*tensor.Tensor
	retain        bool
	create, allow bool
}

func read(op string, opts []tensor.Option, known ...string) (s settings) {
	m := tensor.Keywords(op, opts, known...)
	list := func(name string) []*tensor.Tensor {
		switch v := m[name].(type) {
		case nil:
			return nil
		case *tensor.Tensor:
			return []*tensor.Tensor{v}
		case []*tensor.Tensor:
			return v
		}
		panic(tensor.Errorf(op, "argument %s must be tensors, not %T", name, m[name]))
	}
	flag := func(name string, def bool) bool {
		v, ok := m[name]
		if !ok {
			return def
		}
		b, ok := v.(bool)
		if !ok {
			panic(tensor.Errorf(op, "argument %s must be a bool, not %T", name, v))
		}
		return b
	}
	s.grads = append(list("gradient"), list("grad_outputs")...)
	s.inputs = list("inputs")
	s.create = flag("create_graph", false)
	s.retain = flag("retain_graph", s.create)
	s.allow = flag("allow_unused", false)
	return s
}

// Backward computes the gradients of the leaves that outputs were made of and adds them to their Grad. Options:
// opt.Gradient or opt.GradOutputs (one gradient for each output of several elements), opt.RetainGraph,
// opt.CreateGraph, opt.Inputs (only of those).
func Backward(outputs []*tensor.Tensor, opts ...tensor.Option) {
	s := read("backward", opts, "gradient", "grad_outputs", "retain_graph", "create_graph", "inputs")
	if scope := tensor.CurrentScope(); scope != nil {
		if w, ok := scope.Watch.(interface {
			Differentiated(outputs []*tensor.Tensor)
		}); ok {
			w.Differentiated(outputs)
		}
	}
	outputs, s.inputs = tensor.SubstitutesOf(outputs), tensor.SubstitutesOf(s.inputs)
	if s.inputs == nil {
		run(rootsOf("backward", outputs, s), nil, nil, s.retain, s.create)
		return
	}
	if len(s.inputs) == 0 {
		panic(tensor.Errorf("backward", "opt.Inputs must name at least one tensor"))
	}
	// Tensors that are no leaves get a Grad too, as in PyTorch.
	wanted := make([]Edge, len(s.inputs))
	for i, x := range s.inputs {
		if wanted[i] = edgeOf(x); wanted[i].Node == nil {
			panic(tensor.Errorf("backward", "input %d does not require grad", i))
		}
	}
	roots := rootsOf("backward", outputs, s)
	got := make([]*tensor.Tensor, len(s.inputs))
	run(roots, wanted, got, s.retain, s.create)
	for i, x := range s.inputs {
		if got[i] == nil {
			continue
		}
		a := x.AutogradMeta()
		if leaf, ok := a.Leaf.(*Node); ok && a.Fn == nil {
			withGrad(s.create, func() { leaf.accumulate(arriving{t: got[i]}, s.create) })
			leaf.accumulated()
			continue
		}
		withGrad(s.create, func() {
			if a.Grad == nil {
				a.Grad = got[i]
			} else {
				a.Grad = a.Grad.Add(got[i])
			}
		})
	}
}

func withGrad(on bool, f func()) {
	if on {
		EnableGrad(f)
	} else {
		NoGrad(f)
	}
}

// Grad computes the gradients of outputs with respect to inputs and returns them, one for each input; nothing is
// accumulated. Both are a tensor or a list of tensors, or maps or structs of tensors in the order of [Flatten]; the
// gradient of one tensor is Grad(y, x)[0]. For the gradient of a function see [GradOf]. Options: opt.GradOutputs,
// opt.RetainGraph, opt.CreateGraph (so that they can be differentiated again), opt.AllowUnused (an input that the
// outputs do not depend on returns nil rather than an error).
func Grad(outputs, inputs any, opts ...tensor.Option) []*tensor.Tensor {
	s := read("grad", opts, "grad_outputs", "gradient", "retain_graph", "create_graph", "allow_unused")
	return grad(tensor.SubstitutesOf(tensorsOf("grad", "outputs", outputs)),
		tensor.SubstitutesOf(tensorsOf("grad", "inputs", inputs)), s)
}

// tensorsOf lists the tensors of an argument, nil ones included.
func tensorsOf(op, name string, v any) []*tensor.Tensor {
	switch v := v.(type) {
	case *tensor.Tensor:
		return []*tensor.Tensor{v}
	case []*tensor.Tensor:
		return v
	}
	if k := reflect.ValueOf(v).Kind(); k == reflect.Func {
		panic(tensor.Errorf(op, "argument %s must be a tensor or a list of tensors, not a function", name).
			WithHint("use GradOf, which takes a function"))
	}
	list := Flatten(v)
	if len(list) == 0 {
		panic(tensor.Errorf(op, "argument %s must be a tensor or a list of tensors, not %T", name, v))
	}
	return list
}

func grad(outputs, inputs []*tensor.Tensor, s settings) []*tensor.Tensor {
	if len(outputs) == 0 || len(inputs) == 0 {
		panic(tensor.Errorf("grad", "there must be at least one output and one input, got %d and %d", len(outputs),
			len(inputs)))
	}
	roots := rootsOf("grad", outputs, s)
	wanted := make([]Edge, len(inputs))
	for i, x := range inputs {
		if x == nil {
			panic(tensor.Errorf("grad", "input %d is a nil tensor", i))
		}
		if !x.RequiresGrad() {
			panic(tensor.Errorf("grad", "input %d does not require grad", i).OnArg("inputs").
				WithHint("RequiresGrad_() it before computing with it"))
		}
		wanted[i] = edgeOf(x)
	}
	out := make([]*tensor.Tensor, len(inputs))
	run(roots, wanted, out, s.retain, s.create)
	if !s.allow {
		for i, g := range out {
			if g == nil {
				panic(tensor.Errorf("grad", "input %d appears not to have been used in the graph of the outputs", i).
					OnArg("inputs").WithHint("give opt.AllowUnused(true) if that is meant; its gradient is nil then"))
			}
		}
	}
	return out
}

// rootsOf pairs outputs with their gradients.
func rootsOf(op string, outputs []*tensor.Tensor, s settings) []root {
	if len(s.grads) > len(outputs) || len(s.grads) != 0 && len(s.grads) < len(outputs) {
		panic(tensor.Errorf(op, "%d gradients were given for %d outputs", len(s.grads), len(outputs)))
	}
	roots := make([]root, 0, len(outputs))
	for i, y := range outputs {
		if y == nil {
			panic(tensor.Errorf(op, "output %d is a nil tensor", i))
		}
		var g *tensor.Tensor
		if i < len(s.grads) {
			g = s.grads[i]
		}
		e := edgeOf(y)
		if e.Node == nil {
			panic(tensor.Errorf(op, "element %d of tensors does not require grad and does not have a grad_fn", i).
				WithHint("RequiresGrad_() on what it is computed from, outside NoGrad"))
		}
		roots = append(roots, root{e, rootGrad(op, i, y, g)})
	}
	return roots
}

func rootGrad(op string, i int, y, g *tensor.Tensor) *tensor.Tensor {
	if g == nil {
		if y.Numel() != 1 {
			panic(tensor.Errorf(op, "grad can be implicitly created only for scalar outputs, but output %d has shape %v", i,
				y.Shape()).WithHint("sum it first, or give opt.Gradient"))
		}
		if y.Dtype().IsComplex() {
			panic(tensor.Errorf(op, "grad can be implicitly created only for real scalar outputs but got %s", y.Dtype()))
		}
		g = tensor.Alloc(op, y.Sizes(), y.Dtype(), y.Device())
		return g.Fill_(1)
	}
	if !slices.Equal(g.Sizes(), y.Sizes()) {
		panic(tensor.Errorf(op, "mismatch in shape: the gradient of output %d has shape %v and the output has shape %v", i,
			g.Shape(), y.Shape()))
	}
	if g.Dtype().IsComplex() != y.Dtype().IsComplex() {
		panic(tensor.Errorf(op, "the gradient of output %d is %s and the output is %s: both must be complex, or neither", i,
			g.Dtype(), y.Dtype()))
	}
	if g.Dtype() != y.Dtype() {
		g = g.To(y.Dtype())
	}
	return g
}
