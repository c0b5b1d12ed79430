package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Losses. Input and target are arguments 0 and 1.

func init() {
	type T = *tensor.Tensor
	register(map[string]Formula{
		"nn.functional.gaussian_nll_loss": {Batch: oneByOne},
		"nn.functional.mse_loss": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			return opposite(c, inLoop(func(a ...T) T { return a[0].Sub(a[1]).Mul(a[2].Mul(2)) }, c.Tensor(0),
				c.Tensor(1), lossGrad(c, 2, 3, 4)))
		}},
		"nn.functional.smooth_l1_loss": {Save: Arg0 | Arg1, Name: "SmoothL1LossBackward0", VJP: func(c *Ctx) Grads {
			beta := c.Float(5)
			return opposite(c, inLoop(func(a ...T) T {
				d := a[0].Sub(a[1])
				switch beta {
				case 0:
					return d.Sign().Mul(a[2])
				case 1:
					return tensor.Hardtanh(d).Mul(a[2])
				}
				return tensor.Hardtanh(d.Div(beta)).Mul(a[2])
			}, c.Tensor(0), c.Tensor(1), lossGrad(c, 2, 3, 4)))
		}},
		"nn.functional.huber_loss": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			delta := c.Float(3)
			return opposite(c, inLoop(func(a ...T) T {
				return tensor.Hardtanh(a[0].Sub(a[1]), opt.MinVal(-delta), opt.MaxVal(delta)).Mul(a[2])
			}, c.Tensor(0), c.Tensor(1), lossGrad(c, -1, -1, 2)))
		}},
		"nn.functional.binary_cross_entropy": {Save: Arg0 | Arg1 | Arg2, VJP: func(c *Ctx) Grads {
			x, t := c.Tensor(0), c.Tensor(1)
			g := weighted(c, lossGrad(c, 3, 4, 5))
			return pair(c, 0, func() *tensor.Tensor {
				return inLoop(func(a ...T) T {
					return a[2].Mul(a[0].Sub(a[1])).Div(a[0].Neg().Add(1).Mul(a[0]).ClampMin(1e-12))
				}, x, t, g)
			}, func() *tensor.Tensor {
				return inLoop(func(a ...T) T { return a[1].Mul(a[0].Neg().Log1p().Sub(a[0].Log())) }, x, g)
			})
		}},
		"nn.functional.binary_cross_entropy_with_logits": {Save: Arg0 | Arg1 | Arg2 | Arg(6), VJP: bceLogitsBackward},
		"nn.functional.ctc_loss":                         {Batch: oneByOne},
		"_ctc_loss": {Save: Arg0 | Arg1 | Arg2 | Arg3 | Result0 | Result1, Fixed: Result1, Name: "CtcLossBackward0",
			VJP: func(c *Ctx) Grads {
				return Grads{tensor.Private("_ctc_loss_backward", c.GradOrZeros(0), c.Tensor(0), c.Tensor(1), c.Tensor(2),
					c.Tensor(3), c.Result(0), c.Result(1), c.Int(4), c.Bool(5))}
			}},
		"_ctc_loss_backward": {VJP: func(c *Ctx) Grads {
			panic(tensor.Errorf("nn.functional.ctc_loss", "its gradient has no derivative").
				WithHint("leave out create_graph"))
		}},
		"_nll":                   {Save: Arg0 | Arg1 | Arg2 | Result2, Name: "NllLossBackward0", VJP: softmaxNllBackward},
		"nn.functional.nll_loss": {For: []Saves{Arg1 | Arg2}, VJP: nllBackward, NameOf: nllName},
	})
}

// lossGrad is the gradient of the loss before its reduction; the slots are those of size_average, reduce and
// reduction.
func lossGrad(c *Ctx, average, reduce, reduction int) *tensor.Tensor {
	var a, r any
	if average >= 0 {
		a, r = c.Arg(average), c.Arg(reduce)
	}
	g := c.Grad
	if tensor.LossReduction(a, r, c.Str(reduction)) != "mean" {
		return g
	}
	n := 1
	for _, s := range tensor.BroadcastShapes(c.Shape(0), c.Shape(1)) {
		n *= s
	}
	return g.Div(n)
}

// opposite returns g to the input and -g to the target.
func opposite(c *Ctx, g *tensor.Tensor) Grads {
	return pair(c, 0, func() *tensor.Tensor { return g }, func() *tensor.Tensor { return g.Neg() })
}

// weighted multiplies by the weight in slot 2, if there is one.
func weighted(c *Ctx, g *tensor.Tensor) *tensor.Tensor {
	if c.IsNone(2) {
		return g
	}
	return g.Mul(c.Tensor(2))
}

func bceLogitsBackward(c *Ctx) Grads {
	type T = *tensor.Tensor
	x, t := c.Tensor(0), c.Tensor(1)
	g := weighted(c, lossGrad(c, 3, 4, 5))
	if c.IsNone(6) {
		return pair(c, 0, func() *tensor.Tensor {
			return inLoop(func(a ...T) T { return a[0].Sigmoid().Sub(a[1]).Mul(a[2]) }, x, t, g)
		}, func() *tensor.Tensor { return inLoop(func(a ...T) T { return a[0].Neg().Mul(a[1]) }, x, g) })
	}
	pos := c.Tensor(6)
	return pair(c, 0, func() *tensor.Tensor {
		return inLoop(func(a ...T) T {
			x, t, g := a[0], a[1], a[2]
			pt := a[3].Mul(t)
			return pt.Add(1).Sub(t).Mul(x.Sigmoid()).Sub(pt).Mul(g)
		}, x, t, g, pos)
	}, func() *tensor.Tensor {
		return inLoop(func(a ...T) T {
			return tensor.Logsigmoid(a[0].Neg()).Sub(a[2].Mul(tensor.Logsigmoid(a[0]))).Mul(a[1])
		}, x, g, pos)
	})
}

func nllName(c *Ctx) string {
	if len(c.Shape(0)) > 2 {
		return "NllLoss2DBackward0"
	}
	return "NllLossBackward0"
}

// inOne reports whether a gradient may be computed by an operator that has no derivative: it is not recorded, and g
// and the tensors that it is computed with are plain ones of float32 or float64.
func inOne(g *tensor.Tensor, with ...*tensor.Tensor) bool {
	for _, x := range append(with, g) {
		if x != nil && (!x.IsPlain() || x.Device() != tensor.CPU ||
			x.Dtype() != g.Dtype() && x.Dtype() != tensor.Int64) {
			return false
		}
	}
	return !IsGradEnabled() && (g.Dtype() == tensor.Float32 || g.Dtype() == tensor.Float64)
}

// nllBackward puts minus the weight of each target at its class.
func nllBackward(c *Ctx) Grads {
	shape := c.Shape(0)
	d := min(len(shape)-1, 1)
	t, weight, g := c.Tensor(1).To(tensor.Int64), c.Tensor(2), c.Grad
	one := inOne(g, t, weight)
	var class, w *tensor.Tensor
	if mean := tensor.LossReduction(c.Arg(3), c.Arg(5), c.Str(6)) == "mean"; mean || !one {
		class, w = tensor.NllWeights(t, weight, c.Int(4), c.Dtype(0))
		if mean {
			g = g.Div(w.Sum())
		}
	}
	if one {
		return Grads{tensor.Private("_nll_backward", g.Expand(t.Shape()...), t, orNil(weight), nil, nil, shape,
			c.Int(4), 0.0)}
	}
	g = g.Mul(w).Neg()
	return Grads{zeros(g, shape).ScatterAdd(d, class.Unsqueeze(d), g.Unsqueeze(d))}
}

// softmaxNllBackward is the gradient of the losses of a softmax: see backends/cpu/nll.go.
func softmaxNllBackward(c *Ctx) Grads {
	x, t, weight, ignore, smooth := c.Tensor(0), c.Tensor(1).To(tensor.Int64), c.Tensor(2), c.Int(3), c.Float(4)
	g := c.GradOrZeros(0)
	if stats := c.Result(2); inOne(g, x, t, weight, stats) {
		return Grads{tensor.Private("_nll_backward", g, t, orNil(weight), x, stats, c.Shape(0), ignore, smooth)}
	}
	d := min(len(c.Shape(0))-1, 1)
	classes := c.Shape(0)[d]
	class, w := tensor.NllWeights(t, weight, ignore, x.Dtype())
	part := tensor.OnesLike(x).Mul(smooth / float64(classes)) // of each class
	if weight != nil {
		shape := make([]int, x.Dim())
		for i := range shape {
			shape[i] = 1
		}
		shape[d] = classes
		part = part.Mul(weight.View(shape...))
	}
	part = part.MaskedFill(t.Eq(ignore).Unsqueeze(d), 0)
	part = part.ScatterAdd(d, class.Unsqueeze(d), w.Mul(1-smooth).Unsqueeze(d))
	return Grads{x.Softmax(opt.Dim(d)).Mul(part.Sum(opt.Dim(d), opt.Keepdim(true))).Sub(part).Mul(g.Unsqueeze(d))}
}
