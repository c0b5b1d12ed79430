package autograd

import (
	"fmt"
	"reflect"
	"slices"

	"gotorch/tensor"
)

// Note: functions with a derivative of their own. A custom function is called like an operator: its forward function
// runs unrecorded, and one node stands for it in the graph, whose formula is its backward function. That is run as
// formulas are: recorded where a second derivative is asked for. Beneath a vmap both functions are mapped; forward
// mode is the transpose of the backward function, so that it has to be linear in the gradients, as every derivative
// is.

// CustomFunction is a function of tensors with a derivative that was given, made by [Custom].
type CustomFunction struct {
	name     string
	site     tensor.Site
	forward  func(s *Saving, xs []*tensor.Tensor) []*tensor.Tensor
	backward func(s *Saving, grads []*tensor.Tensor) []*tensor.Tensor
	vmap     func(xs []*tensor.Tensor) []*tensor.Tensor
}

// Saving is what a custom function's forward leaves for its backward: tensors by [Saving.Save], anything else in
// Value.
type Saving struct {
	Value any
	list  []*tensor.Tensor
	n     *Node
	needs func(i int) bool
}

// Save keeps tensors for backward: inputs, results or others. Backward gets them from Saved, and only those that are
// inputs or results lead to second derivatives. A write to one of them afterwards is an error of backward.
func (s *Saving) Save(xs ...*tensor.Tensor) { s.list = append(s.list, xs...) }

// Saved is the i-th tensor that was saved.
func (s *Saving) Saved(i int) *tensor.Tensor {
	n := len(s.list)
	if s.n != nil {
		n = len(s.n.saved)
	}
	switch {
	case i < 0 || i >= n:
		panic(tensor.Errorf("custom", "backward asks for saved tensor %d, and forward saved %d", i, n))
	case s.n != nil:
		return s.n.open(&s.n.saved[i])
	}
	return s.list[i]
}

// NeedsGrad reports to backward whether the gradient of input i is wanted; it may give nil for others.
func (s *Saving) NeedsGrad(i int) bool { return s.needs == nil || s.needs(i) }

// Custom makes a function with a user's derivative. forward takes a *Saving, which may be left out, and tensors, and
// gives one or more: func(s *autograd.Saving, x, y *tensor.Tensor) *tensor.Tensor. backward takes a *Saving with what
// forward saved, which may be left out, and one gradient for each result, and gives one for each input, nil for none.
// In the graph its node is called name and "Backward". It can be differentiated again where backward can, works inside
// of Vmap, JVP and the other transforms, and is checked by [Gradcheck]. It panics with an *Error where forward or
// backward are not such functions.
//
//	square := autograd.Custom("Square", func(s *autograd.Saving, x *tensor.Tensor) *tensor.Tensor {
//		s.Save(x)
//		return x.Mul(x)
//	}, func(s *autograd.Saving, g *tensor.Tensor) *tensor.Tensor { return g.Mul(s.Saved(0)).Mul(2) })
//	y := square.Apply(x)
func Custom(name string, forward, backward any) *CustomFunction {
	if name == "" {
		panic(tensor.Errorf("custom", "the function needs a name, by which the graph shows it"))
	}
	site := tensor.Site{}
	if at := currentSite(); at != nil {
		site = *at
	}
	return &CustomFunction{name: name, site: site, forward: savingFunction(name, "forward", forward),
		backward: savingFunction(name, "backward", backward)}
}

// WithVmap gives the function its own rule for Vmap: rule computes all examples at once. It takes the inputs with the
// examples along dimension 0, those too that all examples share, and returns the results so. What it calls is recorded
// and differentiated as it stands. It returns f.
func (f *CustomFunction) WithVmap(rule any) *CustomFunction {
	f.vmap = func(xs []*tensor.Tensor) []*tensor.Tensor { return callTensors(f.name, rule, xs) }
	return f
}

// Name is the function's name.
func (f *CustomFunction) Name() string { return f.name }

// Site is where the function was made.
func (f *CustomFunction) Site() tensor.Site { return f.site }

// Apply calls the function, which gives one result.
func (f *CustomFunction) Apply(xs ...*tensor.Tensor) *tensor.Tensor {
	ys := f.ApplyAll(xs...)
	if len(ys) != 1 {
		panic(tensor.Errorf(f.name, "the function gives %d results", len(ys)).WithHint("use ApplyAll"))
	}
	return ys[0]
}

// ApplyAll calls the function and returns all its results.
func (f *CustomFunction) ApplyAll(xs ...*tensor.Tensor) []*tensor.Tensor {
	own := false
	var top *tensor.Layer
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf(f.name, "input %d is a nil tensor", i))
		}
		if l := x.Layer(); l != nil && (top == nil || l.Level > top.Level) {
			top = l
		}
	}
	var fr *frame
	if top != nil {
		fr, _ = top.Of.(*frame)
	}
	beneath := false
	for _, x := range xs {
		differs := x.RequiresGrad() && x.Dtype().IsDifferentiable()
		if fr == nil {
			own = own || differs && recordedHere(x)
		} else {
			own = own || differs && (fr.layer(x) != nil || fr.holds(frameOf(x)))
			beneath = beneath || recordedBeneath(x) || x.Recorded() && fr.layer(x) == nil && !fr.holds(frameOf(x))
		}
	}
	switch {
	case own && IsGradEnabled():
		return f.recorded(fr, xs, beneath)
	case fr == nil:
		return f.unrecorded(&Saving{}, xs)
	case fr.ended:
		panic(tensor.Errorf(f.name, "a tensor of a transform (level %d) is used after the transform ended", fr.level).
			WithHint("give it back as a result of the function"))
	case fr.key == tensor.KeyDual:
		return f.dual(fr, xs)
	}
	return f.batched(fr, xs)
}

// unrecorded runs the forward function. Where that returns one of its inputs, the result is another tensor over the
// same elements.
func (f *CustomFunction) unrecorded(s *Saving, xs []*tensor.Tensor) (ys []*tensor.Tensor) {
	NoGrad(func() {
		ys = f.forward(s, xs)
		for i, y := range ys {
			if y == nil {
				panic(tensor.Errorf(f.name, "forward gives a nil tensor as result %d", i))
			}
			for _, x := range xs {
				if x == y {
					ys[i] = alias(y).Detach()
				}
			}
		}
	})
	return ys
}

// recorded runs the function and makes its node the history of the results. With beneath it has one outside of fr too.
func (f *CustomFunction) recorded(fr *frame, xs []*tensor.Tensor, beneath bool) []*tensor.Tensor {
	s := &Saving{}
	n := &Node{site: currentSite(), more: &more{custom: f}}
	n.begin()
	for i, x := range xs {
		n.addIn(i, x)
	}
	if scope := tensor.CurrentScope(); scope != nil {
		n.order = scope.Order
	}
	n.seq = sequence.Add(1)
	var ys []*tensor.Tensor
	if !beneath {
		ys = f.unrecorded(s, xs)
	} else {
		// The caller needs gradients too; the function provides them when it is called at the level below.
		bs := make([]*tensor.Tensor, len(xs))
		for i, x := range xs {
			if bs[i] = x; fr.layer(x) != nil || fr.holds(frameOf(x)) {
				bs[i] = bare(x)
			}
		}
		ys = f.ApplyAll(bs...)
		again := f.forward(s, bs)
		for i, t := range s.list {
			for j, b := range bs {
				if t == b {
					s.list[i] = xs[j]
				}
			}
			for j, y := range again {
				if t == y {
					s.list[i] = ys[j]
				}
			}
		}
	}
	for i, y := range ys {
		n.addOut(y)
		if !y.Dtype().IsDifferentiable() {
			continue
		}
		a := &n.ag
		if i > 0 {
			a = new(tensor.Autograd)
		}
		a.Fn, a.Output = n, int32(i)
		y.SetAutogradMeta(a)
	}
	for i, t := range s.list {
		if t == nil {
			panic(tensor.Errorf(f.name, "forward saves a nil tensor"))
		}
		n.save(0, i, t)
	}
	s.list = nil
	n.more.formula = &Formula{Name: f.name + "Backward", VJP: func(c *Ctx) Grads { return f.vjp(c, s) }}
	return ys
}

// vjp is the formula of the function's node.
func (f *CustomFunction) vjp(c *Ctx, s *Saving) Grads {
	grads := make([]*tensor.Tensor, c.NumGrads())
	for i := range grads {
		grads[i] = c.GradOrZeros(i)
	}
	out := f.backward(&Saving{Value: s.Value, n: c.n, needs: c.needsEdge}, grads)
	if len(out) != len(c.n.ins()) {
		panic(tensor.Errorf(f.name, "backward gives %d gradients for %d inputs", len(out), len(c.n.ins())).
			WithHint("give one for each input of forward, nil where there is none"))
	}
	for i, g := range out {
		if g != nil && c.n.ins()[i].dtype.IsDifferentiable() && !fits(g, c.n.sizes(&c.n.ins()[i])) {
			panic(tensor.Errorf(f.name, "backward gives a gradient of shape %v for input %d of shape %v", g.Shape(), i,
				c.n.shapeOf(&c.n.ins()[i])))
		}
	}
	return out
}

// fits reports whether g has the shape of what it is the gradient of, or one that adds up to it.
func fits(g *tensor.Tensor, shape []int) bool {
	lead := g.Dim() - len(shape)
	for d, size := range shape {
		if lead < 0 || size != 1 && g.Size(d+lead) != size {
			return false
		}
	}
	return lead >= 0
}

// dual runs the function on dual tensors: its Jacobian times the tangents.
func (f *CustomFunction) dual(fr *frame, xs []*tensor.Tensor) (out []*tensor.Tensor) {
	fr.outside(func() {
		primals, tangents := make([]any, len(xs)), make([]*tensor.Tensor, len(xs))
		for i, x := range xs {
			primals[i] = x
			if l := fr.layer(x); l != nil {
				primals[i], tangents[i] = l.Value, l.Tangent
			}
		}
		ys, push := Linearize(f.ApplyAll, primals...)
		for i, t := range push(tangents...) {
			out = append(out, fr.wrap(ys[i], t))
		}
	})
	return out
}

// batched runs the function on batched tensors: by its own rule, or with both of its functions mapped.
func (f *CustomFunction) batched(fr *frame, xs []*tensor.Tensor) (out []*tensor.Tensor) {
	fr.outside(func() {
		var ys []*tensor.Tensor
		if f.vmap != nil {
			all := make([]*tensor.Tensor, len(xs))
			for i, x := range xs {
				all[i] = fr.value(x)
			}
			if ys = f.vmap(all); len(ys) == 0 || ys[0].Dim() == 0 || ys[0].Size(0) != fr.size {
				panic(tensor.Errorf(f.name, "the rule for vmap must give results with the %d examples along dimension 0",
					fr.size))
			}
		} else {
			vs := make([]*tensor.Tensor, len(xs))
			per := make([]bool, len(xs))
			for i, x := range xs {
				if vs[i] = x; fr.layer(x) != nil {
					vs[i], per[i] = fr.layer(x).Value, true
				}
			}
			ys = f.mapped(fr, per).ApplyAll(vs...)
		}
		for _, y := range ys {
			out = append(out, fr.wrap(y, nil))
		}
	})
	return out
}

// mappedState is the Value of a mapped function: that of the function, and what was saved for each example.
type mappedState struct {
	value any
	per   []bool
}

// mapped is f for all examples of fr at once; per says of each input whether there is one for each example.
func (f *CustomFunction) mapped(fr *frame, per []bool) *CustomFunction {
	// inside runs body in a frame like fr, with tensors made ready, and returns its results for all examples.
	inside := func(vs []*tensor.Tensor, per []bool, body func(xs []*tensor.Tensor) []*tensor.Tensor) []*tensor.Tensor {
		g := &frame{key: tensor.KeyBatched, size: fr.size, randomness: fr.randomness}
		var out []*tensor.Tensor
		enter(g, func() {
			xs := make([]*tensor.Tensor, len(vs))
			for i, v := range vs {
				if xs[i] = v; v != nil && per[i] {
					g.outside(func() { xs[i] = g.wrap(v, nil) })
				}
			}
			ys := body(xs)
			g.outside(func() {
				for _, y := range ys {
					if y != nil {
						y = g.value(y)
					}
					out = append(out, y)
				}
			})
		})
		return out
	}
	return &CustomFunction{name: f.name, site: f.site,
		forward: func(s *Saving, vs []*tensor.Tensor) []*tensor.Tensor {
			var kept []int // which input each saved tensor is, -1 for others
			in := &Saving{}
			n := 0
			all := inside(vs, per, func(xs []*tensor.Tensor) []*tensor.Tensor {
				ys := f.forward(in, xs)
				n = len(ys)
				kept = make([]int, len(in.list))
				for i, t := range in.list {
					kept[i] = slices.Index(xs, t)
				}
				return append(ys, in.list...)
			})
			state := mappedState{in.Value, make([]bool, len(kept))}
			for i, t := range all[n:] {
				state.per[i] = true
				if j := kept[i]; j >= 0 { // as it came, with its history
					t, state.per[i] = vs[j], per[j]
				}
				s.Save(t)
			}
			s.Value = state
			return all[:n]
		},
		backward: func(s *Saving, grads []*tensor.Tensor) []*tensor.Tensor {
			state := s.Value.(mappedState)
			vs, all := append([]*tensor.Tensor(nil), grads...), make([]bool, len(grads))
			for i := range all {
				all[i] = true
			}
			for i, per := range state.per {
				vs, all = append(vs, s.Saved(i)), append(all, per)
			}
			out := inside(vs, all, func(xs []*tensor.Tensor) []*tensor.Tensor {
				return f.backward(&Saving{Value: state.value, list: xs[len(grads):], needs: s.needs}, xs[:len(grads)])
			})
			for i, g := range out {
				if g != nil && i < len(per) && !per[i] {
					out[i] = g.Sum(tensor.NewOption("dim", []int{0}))
				}
			}
			return out
		}}
}

var savingType = reflect.TypeFor[*Saving]()

// savingFunction makes a function of lists of f, which may take a *Saving first.
func savingFunction(name, what string, f any) func(s *Saving, xs []*tensor.Tensor) []*tensor.Tensor {
	v := reflect.ValueOf(f)
	if f == nil || v.Kind() != reflect.Func {
		panic(tensor.Errorf("custom", "%s of %s must be a function of tensors, not %T", what, name, f))
	}
	t := v.Type()
	with := 0
	if t.NumIn() > 0 && t.In(0) == savingType {
		with = 1
	}
	for i := with; i < t.NumIn(); i++ {
		in := t.In(i)
		if t.IsVariadic() && i == t.NumIn()-1 {
			in = in.Elem()
		}
		if in != tensorType {
			panic(tensor.Errorf("custom", "argument %d of %s of %s must be a *tensor.Tensor, not %s", i, what, name,
				in))
		}
	}
	for i := range t.NumOut() {
		if o := t.Out(i); o != tensorType && o != reflect.TypeFor[[]*tensor.Tensor]() {
			panic(tensor.Errorf("custom", "result %d of %s of %s must be a *tensor.Tensor, not %s", i, what, name, o))
		}
	}
	return func(s *Saving, xs []*tensor.Tensor) (out []*tensor.Tensor) {
		if n := t.NumIn() - with; !t.IsVariadic() && n != len(xs) {
			panic(tensor.Errorf(name, "%s takes %d tensors and is given %d", what, n, len(xs)))
		}
		in := make([]reflect.Value, 0, len(xs)+1)
		if with == 1 {
			in = append(in, reflect.ValueOf(s))
		}
		for _, x := range xs {
			in = append(in, reflect.ValueOf(x))
		}
		for _, r := range v.Call(in) {
			switch y := r.Interface().(type) {
			case *tensor.Tensor:
				out = append(out, y)
			case []*tensor.Tensor:
				out = append(out, y...)
			}
		}
		return out
	}
}

// Custom is the function that a node was made by, nil for operators.
func (n *Node) Custom() *CustomFunction {
	if n.more == nil {
		return nil
	}
	return n.more.custom
}

// savedNumber names what a custom function saved.
func savedNumber(i uint16) string { return fmt.Sprintf("saved[%d]", i) }

// String is the name of the function, and where it was made.
func (f *CustomFunction) String() string { return f.name + ", a custom function made" + place(f.site) }
