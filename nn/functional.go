package nn

import (
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
)

// FunctionalCall is m.Forward(x) with other tensors in place of those of the model that have their names; the model
// stays as it is. The substitutes hold for the running goroutine, so that calls of one model do not meet. They can be
// differentiated, and mapped over by autograd.Vmap.
func FunctionalCall(m Module, params ParamList, x *tensor.Tensor) (y *tensor.Tensor) {
	const op = "nn.functional_call"
	by := map[string]*tensor.Tensor{}
	for _, p := range params {
		by[p.Name] = p.Tensor
	}
	swap := map[*tensor.Tensor]*tensor.Tensor{}
	for _, p := range State(m) {
		other, ok := by[p.Name]
		if !ok {
			continue
		}
		delete(by, p.Name)
		if !slices.Equal(other.Shape(), p.Tensor.Shape()) {
			panic(tensor.Errorf(op, "%s has shape %v, its substitute %v", p.Name, p.Tensor.Shape(), other.Shape()))
		}
		swap[p.Tensor] = other
	}
	if len(by) > 0 {
		var names []string
		for name := range by {
			names = append(names, name)
		}
		slices.Sort(names)
		panic(tensor.Errorf(op, "the model has no %s", strings.Join(names, ", ")))
	}
	tensor.InScope(func(s *tensor.Scope) {
		outer := s.Substitute
		s.Substitute = func(x *tensor.Tensor) *tensor.Tensor {
			if y := swap[x]; y != nil {
				x = y
			}
			if outer != nil {
				return outer(x)
			}
			return x
		}
	}, func() { y = m.Forward(x) })
	return y
}

// StackParams stacks the parameters of models of one kind: each tensor has the models as its first dimension, and
// requires grad. [Ensemble] runs all models with them in one call.
func StackParams(models ...Module) ParamList {
	const op = "nn.stack_params"
	if len(models) == 0 {
		panic(tensor.Errorf(op, "there are no models"))
	}
	out := Params(models[0])
	all := make([][]*tensor.Tensor, len(out))
	for i, m := range models {
		list := Params(m)
		if !slices.Equal(list.Names(), out.Names()) {
			panic(tensor.Errorf(op, "model %d has the parameters %v, model 0 %v", i, list.Names(), out.Names()))
		}
		for j, p := range list {
			all[j] = append(all[j], p.Tensor.Detach())
		}
	}
	for j := range out {
		out[j].Tensor = tensor.Stack(all[j]).RequiresGrad_()
	}
	return out
}

// Ensemble calls all the models whose stacked parameters are given, by autograd.Vmap: the result has the models as its
// first dimension. m is any one of them. With each, x has an input for each model as its first dimension; otherwise
// all get the same.
func Ensemble(m Module, stacked ParamList, x *tensor.Tensor, each bool) *tensor.Tensor {
	dims := make([]any, len(stacked)+1)
	for i := range stacked {
		dims[i] = 0
	}
	if each {
		dims[len(stacked)] = 0
	}
	f := func(xs ...*tensor.Tensor) *tensor.Tensor {
		params := slices.Clone(stacked)
		for i := range params {
			params[i].Tensor = xs[i]
		}
		return FunctionalCall(m, params, xs[len(stacked)])
	}
	return autograd.Vmap(f, tensor.NewOption("in_dims", dims))(append(stacked.Tensors(), x)...)
}
