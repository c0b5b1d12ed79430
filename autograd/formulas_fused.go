package autograd

import (
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

func init() {
	register(map[string]Formula{"_fused": {Save: Arg0, VJP: fusedGrads, Name: "FusedBackward0"}})
}

// fusedGrads differentiates what was fused: by a loop of its own, or, where the derivative is recorded or needs more
// than pointwise operators, by calling the operators once more one by one.
func fusedGrads(c *Ctx) Grads {
	body, ins := c.Arg(1).(*tensor.FusedBody), c.Tensors(0)
	outs := make([]*tensor.Tensor, c.NumGrads())
	for i := range outs {
		outs[i] = body.Unfold(c.GradOrZeros(i))
	}
	var wanted []int
	for i := range ins {
		if c.NeedsItem(0, i) {
			wanted = append(wanted, i)
		}
	}
	derive := func(xs, grads []*tensor.Tensor, create bool) []*tensor.Tensor {
		ys := body.Replay(xs)
		of := make([]*tensor.Tensor, len(wanted))
		for i, k := range wanted {
			of[i] = xs[k]
		}
		var with []*tensor.Tensor
		var from []*tensor.Tensor
		for i, y := range ys {
			if y.RequiresGrad() {
				from, with = append(from, y), append(with, grads[i])
			}
		}
		return Grad(from, of, opt.GradOutputs(with...), opt.CreateGraph(create), opt.AllowUnused(true))
	}
	grads := make(Grads, len(ins))
	put := func(list []*tensor.Tensor) Grads {
		for i, k := range wanted {
			grads[k] = list[i]
		}
		return grads
	}
	if create := IsGradEnabled(); create {
		xs := make([]*tensor.Tensor, len(ins))
		for i, x := range ins {
			xs[i] = tensor.Private("alias", x) // the derivative with respect to this use of it alone
		}
		return put(derive(xs, outs, true))
	}
	if body.Whole() {
		n := len(ins)
		args, ok := expanded(ins, wanted, body.Shape())
		if ok {
			list, ok := tensor.RunFused(append(args, outs...), true, func(xs []*tensor.Tensor) []*tensor.Tensor {
				for _, k := range wanted {
					xs[k].RequiresGrad_()
				}
				return derive(xs[:n], xs[n:], false)
			})
			if ok {
				return put(list)
			}
		}
	}
	xs := make([]*tensor.Tensor, len(ins))
	for i, x := range ins {
		if xs[i] = x.Detach(); slices.Contains(wanted, i) {
			xs[i].RequiresGrad_()
		}
	}
	var list []*tensor.Tensor
	EnableGrad(func() { list = derive(xs, outs, false) })
	return put(list)
}

// expanded broadcasts inputs to shape, each by a header of its own: their gradients are of that shape, and summed
// afterwards. ok is false where one that needs a gradient has no dimensions, which decides over dtypes.
func expanded(ins []*tensor.Tensor, wanted []int, shape []int) (args []*tensor.Tensor, ok bool) {
	args = make([]*tensor.Tensor, len(ins), len(ins)+1)
	for i, x := range ins {
		switch {
		case x.Dim() > 0:
			args[i] = x.Detach().Expand(shape...)
		case slices.Contains(wanted, i):
			return nil, false
		default:
			args[i] = x
		}
	}
	return args, true
}
