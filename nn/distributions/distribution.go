// Package distributions has probability distributions as torch.distributions has them: draws from the same random
// streams, densities, entropies and divergences, all differentiable in the parameters.
//
// A distribution has a batch shape, that of its broadcast parameters, and an event shape, that of one draw of one of
// them. Sample(3, 2) draws a tensor of shape (3, 2, batch…, event…). Rsample does so by a path that gradients follow
// back to the parameters. LogProb takes values of shape (…, batch…, event…) and returns (…, batch…).
//
// Parameters are tensors of floating point numbers, or Go numbers, which take the dtype of the other parameters. Those
// out of their range are rejected, as are values that a distribution never takes.
package distributions

import (
	"fmt"
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Distribution is what all distributions have. Rsample, Mean, Variance and Entropy panic with a *tensor.Error for a
// distribution that has none.
type Distribution interface {
	BatchShape() []int
	EventShape() []int
	Mean() *tensor.Tensor
	Variance() *tensor.Tensor
	Stddev() *tensor.Tensor
	Sample(shape ...int) *tensor.Tensor
	Rsample(shape ...int) *tensor.Tensor
	LogProb(value any) *tensor.Tensor
	Entropy() *tensor.Tensor
	String() string
}

// family is the common part of distributions.
type family struct {
	name         string
	batch, event []int
	like         *tensor.Tensor // a parameter: its dtype and device are those of draws and values
	show         []parameter
}

type parameter struct {
	name  string
	value *tensor.Tensor
}

// BatchShape is the shape of the broadcast parameters: how many distributions these are.
func (f *family) BatchShape() []int { return slices.Clone(f.batch) }

// EventShape is the shape of one draw: empty for a number, (n) for a vector.
func (f *family) EventShape() []int { return slices.Clone(f.event) }

// String lists the parameters: Normal(loc: 0.0, scale: 1.0), or their sizes where they have many elements.
func (f *family) String() string {
	s := f.name + "("
	for i, p := range f.show {
		if i > 0 {
			s += ", "
		}
		if p.value.Numel() == 1 {
			s += fmt.Sprintf("%s: %v", p.name, p.value.Detach().Flatten().At(0))
		} else {
			s += fmt.Sprintf("%s: %v", p.name, p.value.Shape())
		}
	}
	return s + ")"
}

// shape is that of draws of a sample shape.
func (f *family) shape(sample []int) []int { return slices.Concat(sample, f.batch, f.event) }

// empty is memory for draws.
func (f *family) empty(sample []int) *tensor.Tensor {
	return tensor.With(f.like.Dtype(), f.like.Device()).Zeros(f.shape(sample)...)
}

// none reports that a distribution lacks something.
func (f *family) none(what, hint string) {
	panic(tensor.Errorf("distributions."+f.name, "has no %s", what).WithHint(hint))
}

// value is an argument of LogProb and its like as a tensor that broadcasts with the batch.
func (f *family) value(v any) *tensor.Tensor {
	x, ok := v.(*tensor.Tensor)
	if !ok {
		x = tensor.New(v, f.like.Dtype(), opt.Device(f.like.Device()))
	}
	if n := len(f.event); n > 0 {
		if x.Dim() < n || !slices.Equal(x.Sizes()[x.Dim()-n:], f.event) {
			panic(tensor.Errorf("distributions."+f.name, "values end in the event shape %v, got shape %v", f.event, x.Shape()))
		}
	}
	outer := x.Sizes()[:x.Dim()-len(f.event)]
	for i := 1; i <= min(len(outer), len(f.batch)); i++ {
		a, b := outer[len(outer)-i], f.batch[len(f.batch)-i]
		if a != b && a != 1 && b != 1 {
			panic(tensor.Errorf("distributions."+f.name, "values of shape %v do not broadcast with the batch shape %v",
				x.Shape(), f.batch))
		}
	}
	return x
}

// support rejects values where ok is false.
func (f *family) support(x, ok *tensor.Tensor, what string) {
	if !holds(ok) {
		panic(tensor.Errorf("distributions."+f.name, "values must be %s, got %s", what, worst(x, ok)))
	}
}

// holds reports whether all elements are true. Batched tensors and those without values are not looked at.
func holds(ok *tensor.Tensor) bool {
	return !ok.IsPlain() || ok.Device() == tensor.Meta || ok.Detach().All().At() == true
}

// worst is the first element for which ok is false, in words.
func worst(x, ok *tensor.Tensor) string {
	list := tensor.BroadcastTensors(x.Detach(), ok)
	at := list[1].Flatten().LogicalNot().Nonzero()
	if at.Numel() == 0 {
		return "others"
	}
	return fmt.Sprint(list[0].Flatten().At(int(at.Flatten().At(0).(int64))))
}

// demand is a condition on a parameter.
type demand struct {
	words string
	holds func(x *tensor.Tensor) *tensor.Tensor
}

var (
	anyReal     = demand{"real numbers", func(x *tensor.Tensor) *tensor.Tensor { return x.Eq(x) }}
	positive    = demand{"positive", func(x *tensor.Tensor) *tensor.Tensor { return x.Gt(0) }}
	nonnegative = demand{"not negative", func(x *tensor.Tensor) *tensor.Tensor { return x.Ge(0) }}
	unit        = demand{"between 0 and 1", func(x *tensor.Tensor) *tensor.Tensor { return x.Ge(0).LogicalAnd(x.Le(1)) }}
	whole       = demand{"whole numbers that are not negative",
		func(x *tensor.Tensor) *tensor.Tensor { return x.Ge(0).LogicalAnd(x.Eq(x.Floor())) }}
	simplex = demand{"weights that are not negative",
		func(x *tensor.Tensor) *tensor.Tensor { return x.Ge(0) }}
)

// given is a parameter as a constructor receives it.
type given struct {
	name   string
	value  any
	demand demand
}

// newFamily broadcasts parameters of numbers and checks them.
func newFamily(name string, params ...given) (family, []*tensor.Tensor) {
	op := "distributions." + name
	dt, dev := tensor.DefaultDtype(), tensor.CPU
	for i := len(params) - 1; i >= 0; i-- {
		if x, ok := params[i].value.(*tensor.Tensor); ok {
			if !x.Dtype().IsFloatingPoint() {
				panic(tensor.Errorf(op, "%s must be floating point, got %s", params[i].name, x.Dtype()).
					WithHint("Float() it first"))
			}
			dt, dev = x.Dtype(), x.Device()
		}
	}
	ts := make([]*tensor.Tensor, len(params))
	for i, p := range params {
		x, ok := p.value.(*tensor.Tensor)
		if !ok {
			if p.value == nil {
				panic(tensor.Errorf(op, "argument %s is missing", p.name))
			}
			x = tensor.New(p.value, dt, opt.Device(dev))
		}
		ts[i] = x
		if good := p.demand.holds(x); !holds(good) {
			panic(tensor.Errorf(op, "%s must be %s, got %s", p.name, p.demand.words, worst(x, good)))
		}
	}
	var err error
	if len(ts) > 1 {
		err = tensor.Try(func() { ts = tensor.BroadcastTensors(ts...) })
	}
	if err != nil {
		words := ""
		for i, p := range params {
			words += fmt.Sprintf(" %s %v", p.name, ts[i].Shape())
		}
		panic(tensor.Errorf(op, "the shapes of the parameters do not broadcast:%s", words))
	}
	f := family{name: name, batch: ts[0].Shape(), like: ts[0]}
	for i, p := range params {
		f.show = append(f.show, parameter{p.name, ts[i]})
	}
	return f, ts
}

// detached draws outside of any gradient.
func detached(f func() *tensor.Tensor) (x *tensor.Tensor) {
	tensor.Under(0, tensor.Set(tensor.KeyAutograd), func() { x = f() })
	return x.Detach()
}

// like is v expanded to the shape of draws.
func (f *family) expand(v *tensor.Tensor, sample []int) *tensor.Tensor {
	return v.Expand(f.shape(sample)...)
}

// sumEvent adds up the last n dimensions.
func sumEvent(x *tensor.Tensor, n int) *tensor.Tensor {
	for range n {
		x = x.Sum(opt.Dim(-1))
	}
	return x
}
