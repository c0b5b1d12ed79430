package autograd

import (
	"gotorch/tensor"
)

// Note: derivatives of functions. GradOf, VJP, Jacrev and the others take a function and run it on inputs of their
// own: what is captured by the function, or recorded outside, keeps its history, so that they stand inside each other
// and inside Vmap and JVP. The result has a history exactly where something outside asks for one.

// recording is a function that ran once, with what leads from its results back to its inputs.
type recording struct {
	op     string
	xs, in []*tensor.Tensor // what was given, and what the function saw in its place; nil in in where no gradient goes
	ys     []*tensor.Tensor // with their history
	keep   bool             // the caller may differentiate what comes of this
	outer  bool             // and it has a history of its own where the function ran
}

// recordFunction runs f on xs. Gradients will be asked for of the inputs wrt.
func recordFunction(op string, f func([]*tensor.Tensor) []*tensor.Tensor, xs []*tensor.Tensor, wrt []int) *recording {
	r := &recording{op: op, xs: xs, in: make([]*tensor.Tensor, len(xs))}
	enabled := IsGradEnabled()
	args := make([]*tensor.Tensor, len(xs))
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf(op, "input %d is a nil tensor", i))
		}
		args[i] = x
	}
	own := map[*Node]bool{}
	EnableGrad(func() {
		for _, i := range wrt {
			x, f := xs[i], innermost()
			switch {
			case !x.Dtype().IsDifferentiable():
				panic(tensor.Errorf(op, "input %d is %s: only floating point and complex tensors have a derivative", i,
					x.Dtype()))
			case f != nil && f.layer(x) == nil && !f.holds(frameOf(x)):
				// It comes from outside of the transform that runs; the gradient is one of each example.
				r.in[i] = freshLeaf(f.lift(x))
				own[edgeOf(r.in[i]).Node] = true
			case enabled && x.Recorded():
				r.in[i] = alias(x)
				r.outer = true
			default:
				r.in[i] = freshLeaf(x)
				own[edgeOf(r.in[i]).Node] = true
			}
			args[i] = r.in[i]
		}
		r.ys = f(args)
	})
	for i, y := range r.ys {
		if y == nil {
			panic(tensor.Errorf(op, "result %d of the function is a nil tensor", i))
		}
		if enabled {
			r.outer = r.outer || leadsElsewhere(y, own)
			r.keep = r.keep || recordedBeneath(y)
		}
	}
	for _, x := range r.in {
		if x != nil && enabled {
			r.keep = r.keep || recordedBeneath(x)
		}
	}
	r.keep = r.keep || r.outer
	return r
}

// recordedBeneath reports whether a history lies beneath the layers of x.
func recordedBeneath(x *tensor.Tensor) bool {
	for l := x.Layer(); l != nil; l = x.Layer() {
		if l.Value.Recorded() || l.Tangent != nil && (l.Tangent.Recorded() || recordedBeneath(l.Tangent)) {
			return true
		}
		x = l.Value
	}
	return false
}

// leadsElsewhere reports whether the graph of y ends in a leaf that is none of own.
func leadsElsewhere(y *tensor.Tensor, own map[*Node]bool) bool {
	e := edgeOf(y)
	if e.Node == nil {
		return false
	}
	seen := map[*Node]bool{e.Node: true}
	for list := []*Node{e.Node}; len(list) > 0; {
		n := list[len(list)-1]
		list = list[:len(list)-1]
		if n.Leaf() != nil && !own[n] {
			return true
		}
		for _, next := range n.Next() {
			if next.Node != nil && !seen[next.Node] {
				seen[next.Node] = true
				list = append(list, next.Node)
			}
		}
	}
	return false
}

// shown returns a result without the history that only the recording needs.
func (r *recording) shown(x *tensor.Tensor) *tensor.Tensor {
	if r.outer || x == nil {
		return x
	}
	return bare(x)
}

// results are the results of the function, returned.
func (r *recording) results() []*tensor.Tensor {
	out := make([]*tensor.Tensor, len(r.ys))
	for i, y := range r.ys {
		out[i] = r.shown(y)
	}
	return out
}

// pull sends gradients of the results back to the inputs that gradients are asked for of: nil where there is none to
// ask for, zeros where nothing depends on it. retain leaves the graph for another time.
func (r *recording) pull(vs []*tensor.Tensor, retain bool) []*tensor.Tensor {
	if len(vs) != len(r.ys) {
		panic(tensor.Errorf(r.op, "the function has %d results and is given %d vectors", len(r.ys), len(vs)))
	}
	var outs, seeds, ins []*tensor.Tensor
	for i, y := range r.ys {
		if y.RequiresGrad() && vs[i] != nil {
			outs, seeds = append(outs, y), append(seeds, vs[i])
		}
	}
	for _, x := range r.in {
		if x != nil {
			ins = append(ins, x)
		}
	}
	grads := make([]*tensor.Tensor, len(ins))
	if len(outs) > 0 && len(ins) > 0 {
		create := r.keep
		for _, v := range seeds {
			create = create || IsGradEnabled() && (v.Recorded() || recordedBeneath(v))
		}
		run(rootsOf(r.op, outs, settings{grads: seeds}), edgesOf(ins), grads, retain || create, create)
	}
	out := make([]*tensor.Tensor, len(r.in))
	k := 0
	for i, x := range r.in {
		if x == nil {
			continue
		}
		if out[i] = grads[k]; out[i] == nil {
			out[i] = tensor.ZerosLike(bare(x))
		}
		k++
	}
	return out
}

func edgesOf(xs []*tensor.Tensor) []Edge {
	out := make([]Edge, len(xs))
	for i, x := range xs {
		out[i] = edgeOf(x)
	}
	return out
}

// argnums are the inputs that a derivative is taken by: those of opt.Argnums, else def.
func argnums(op string, m map[string]any, n int, def []int) []int {
	v, given := m["argnums"]
	if !given {
		for _, i := range def {
			if i >= n {
				panic(tensor.Errorf(op, "the function needs an input to take the derivative by"))
			}
		}
		return def
	}
	var list []int
	switch v := v.(type) {
	case int:
		list = []int{v}
	case []int:
		list = append(list, v...)
	default:
		panic(tensor.Errorf(op, "argnums must be ints, not %T", v))
	}
	for k, i := range list {
		if i < 0 {
			list[k] = i + n
		}
		if list[k] < 0 || list[k] >= n {
			panic(tensor.Errorf(op, "argnums names input %d of a function of %d", i, n))
		}
		for _, j := range list[:k] {
			if j == list[k] {
				panic(tensor.Errorf(op, "argnums names input %d twice", j))
			}
		}
	}
	if len(list) == 0 {
		panic(tensor.Errorf(op, "argnums names no input"))
	}
	return list
}

// function converts f, a Go function of tensors, to a function of a list of tensors.
func function(op string, f any) func([]*tensor.Tensor) []*tensor.Tensor {
	return func(xs []*tensor.Tensor) []*tensor.Tensor { return callTensors(op, f, xs) }
}

// scalarResult is the result of a function whose gradient is taken.
func (r *recording) scalarResult() *tensor.Tensor {
	if len(r.ys) != 1 {
		panic(tensor.Errorf(r.op, "the function must give one tensor, not %d", len(r.ys)).
			WithHint("give back the loss alone; VJP takes functions of several results"))
	}
	y := r.ys[0]
	switch {
	case y.Numel() != 1:
		panic(tensor.Errorf(r.op, "the function must give one number, and its result has shape %v", y.Shape()).
			WithHint("sum or average it, or use Jacrev"))
	case y.Dtype().IsComplex():
		panic(tensor.Errorf(r.op, "the function must give a real number, not %s", y.Dtype()).
			WithHint("use its real part or absolute value"))
	case !y.Dtype().IsDifferentiable():
		panic(tensor.Errorf(r.op, "the function must give a floating point number, not %s", y.Dtype()))
	}
	return y
}

// noInputs rejects tensors among the options of a transform, which belong to the function that it returns.
func noInputs(op, name string, opts []tensor.Option) {
	for _, o := range opts {
		if _, is := o.(*tensor.Tensor); is {
			panic(tensor.Errorf(op, "takes a function and gives one; it is given a tensor as well").
				WithHint("call what it gives: " + name + "(f)(x)"))
		}
	}
}

// one takes the single result that opt.Argnums asks for.
func one(op, all string, list []*tensor.Tensor) *tensor.Tensor {
	if len(list) != 1 {
		panic(tensor.Errorf(op, "opt.Argnums names %d inputs, which gives as many results", len(list)).
			WithHint("use " + all))
	}
	return list[0]
}

// valueAndGrads runs f, which must give one number, and takes the gradients by its inputs wrt, in this order.
func valueAndGrads(op string, f any, xs []*tensor.Tensor, wrt []int) (y *tensor.Tensor, grads []*tensor.Tensor) {
	r := recordFunction(op, function(op, f), xs, wrt)
	y = r.scalarResult()
	all := r.pull([]*tensor.Tensor{tensor.OnesLike(bare(y))}, false)
	for _, i := range wrt {
		grads = append(grads, r.shown(all[i]))
	}
	return r.shown(y), grads
}

// GradOf returns the function that computes the gradient of f, a function of tensors whose result is one number: by
// its first input, or by that which opt.Argnums names. It is torch.func.grad; cells may write Grad(f). f runs each
// time on inputs of its own: nothing is accumulated. The gradient has the shape and dtype of the input, and is zeros
// where f does not use it. It can be transformed again: GradOf(GradOf(f)) is a second derivative, Vmap(GradOf(f)) has
// a gradient for each example. For lists, maps and structs of tensors see [GradTree].
func GradOf(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) *tensor.Tensor {
	noInputs("grad", "GradOf", opts)
	m := tensor.Keywords("grad", opts, "argnums")
	return func(xs ...*tensor.Tensor) *tensor.Tensor {
		_, g := valueAndGrads("grad", f, xs, argnums("grad", m, len(xs), []int{0}))
		return one("grad", "GradAll", g)
	}
}

// GradAll is [GradOf] by all inputs, or by all that opt.Argnums names: one gradient for each.
func GradAll(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) []*tensor.Tensor {
	all := ValueAndGradAll(f, opts...)
	return func(xs ...*tensor.Tensor) []*tensor.Tensor {
		_, g := all(xs...)
		return g
	}
}

// ValueAndGrad is [GradOf] with the result of f in front.
func ValueAndGrad(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) (value, grad *tensor.Tensor) {
	noInputs("value_and_grad", "ValueAndGrad", opts)
	m := tensor.Keywords("value_and_grad", opts, "argnums")
	return func(xs ...*tensor.Tensor) (*tensor.Tensor, *tensor.Tensor) {
		y, g := valueAndGrads("value_and_grad", f, xs, argnums("value_and_grad", m, len(xs), []int{0}))
		return y, one("value_and_grad", "ValueAndGradAll", g)
	}
}

// ValueAndGradAll is [GradAll] with the result of f in front.
func ValueAndGradAll(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) (value *tensor.Tensor,
	grads []*tensor.Tensor) {
	noInputs("value_and_grad", "ValueAndGradAll", opts)
	m := tensor.Keywords("value_and_grad", opts, "argnums")
	return func(xs ...*tensor.Tensor) (*tensor.Tensor, []*tensor.Tensor) {
		return valueAndGrads("value_and_grad", f, xs, argnums("value_and_grad", m, len(xs), upTo(len(xs))))
	}
}

// VJP runs f and returns its results, and the function that multiplies vectors with the Jacobian from the left: one
// vector for each result, in its shape and dtype (nil for zeros), to one gradient for each input. f takes as many
// tensors as there are xs, or lists and structs of tensors where xs are those: inputs count as their tensors do, in
// the order of [Flatten]. Inputs of other than floating point or complex dtype have nil. The function may be called
// any number of times, also inside of Vmap.
func VJP(f any, xs ...any) (outputs []*tensor.Tensor, pullback func(vs ...*tensor.Tensor) []*tensor.Tensor) {
	in := Flatten(xs)
	r := recordFunction("vjp", treeFunction("vjp", f, xs), in, differentiableAmong(in))
	return r.results(), func(vs ...*tensor.Tensor) []*tensor.Tensor {
		out := r.pull(vs, true)
		for i, g := range out {
			if g != nil && !r.outer {
				out[i] = r.stripped(g, vs)
			}
		}
		return out
	}
}

// stripped takes the recording's history from a gradient, unless the vectors that made it have one.
func (r *recording) stripped(g *tensor.Tensor, vs []*tensor.Tensor) *tensor.Tensor {
	for _, v := range vs {
		if v != nil && v.Recorded() {
			return g
		}
	}
	return bare(g)
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// differentiableAmong lists the inputs that can have a gradient.
func differentiableAmong(xs []*tensor.Tensor) (wrt []int) {
	for i, x := range xs {
		if x != nil && x.Dtype().IsDifferentiable() {
			wrt = append(wrt, i)
		}
	}
	return wrt
}
