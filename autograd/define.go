package autograd

import (
	"fmt"
	"sync/atomic"

	"gotorch/tensor"
)

// defineFormula gives an operator of tensor.Define its derivative, a [Formula], and its rule for vmap.
func defineFormula(o *tensor.Op, formula any, vmap func(c *tensor.Call, xs []*tensor.Tensor) []*tensor.Tensor) {
	var f Formula
	switch v := formula.(type) {
	case nil:
	case Formula:
		f = v
	case *Formula:
		f = *v
	case func(*Ctx) Grads:
		f.VJP = v
	default:
		panic(tensor.Errorf("define", "the formula of %s must be an autograd.Formula, not %T", o.Full, formula).
			OnArg("Formula"))
	}
	if formula != nil && f.VJP == nil && f.Batch == nil {
		panic(tensor.Errorf("define", "the formula of %s has no VJP", o.Full).OnArg("Formula"))
	}
	if vmap != nil {
		f.Batch = func(fr *frame, c *tensor.Call) []*tensor.Tensor { return fr.userRule(c, vmap) }
	}
	f.unfused = new(atomic.Int32)
	o.Formula = &f
}

// userRule calls a user's rule for vmap with all examples of each tensor in front.
func (f *frame) userRule(c *tensor.Call,
	rule func(c *tensor.Call, xs []*tensor.Tensor) []*tensor.Tensor) []*tensor.Tensor {
	var xs []*tensor.Tensor
	c.EachTensor(func(_ int, t *tensor.Tensor) { xs = append(xs, f.value(t)) })
	out := rule(c, xs)
	for i, y := range out {
		if y == nil || y.Dim() == 0 || y.Size(0) != f.size {
			panic(tensor.Errorf(c.Name(), "the rule for vmap must return results with the %d examples along dimension 0, and "+
				"result %d is %s", f.size, i, shapeOf(y)))
		}
	}
	return out
}

func shapeOf(y *tensor.Tensor) string {
	if y == nil {
		return "nil"
	}
	return fmt.Sprintf("of shape %v", y.Sizes())
}
