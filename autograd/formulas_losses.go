package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Losses. Input and target are arguments 0 and 1.

func init() {
	register(map[string]Formula{
		"nn.functional.mse_loss": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			return opposite(c, lossGrad(c, 2, 3, 4).Mul(2).Mul(c.Tensor(0).Sub(c.Tensor(1))))
		}},
		"nn.functional.smooth_l1_loss": {Save: Arg0 | Arg1, Name: "SmoothL1LossBackward0", VJP: func(c *Ctx) Grads {
			d, beta := c.Tensor(0).Sub(c.Tensor(1)), c.Float(5)
			slope := d.Sign()
			if beta > 0 {
				slope = tensor.Where(d.Abs().Lt(beta), d.Div(beta), slope)
			}
			return opposite(c, lossGrad(c, 2, 3, 4).Mul(slope))
		}},
		"nn.functional.huber_loss": {Save: Arg0 | Arg1, VJP: func(c *Ctx) Grads {
			delta := c.Float(3)
			d := c.Tensor(0).Sub(c.Tensor(1)).Clamp(opt.Min(-delta), opt.Max(delta))
			return opposite(c, lossGrad(c, -1, -1, 2).Mul(d))
		}},
		"nn.functional.binary_cross_entropy": {Save: Arg0 | Arg1 | Arg2, VJP: func(c *Ctx) Grads {
			x, t := c.Tensor(0), c.Tensor(1)
			g := weighted(c, lossGrad(c, 3, 4, 5))
			return pair(c, 0, func() *tensor.Tensor {
				return g.Mul(x.Sub(t)).Div(x.Neg().Add(1).Mul(x).ClampMin(1e-12))
			}, func() *tensor.Tensor { return g.Mul(x.Neg().Log1p().Sub(x.Log())) })
		}},
		"nn.functional.binary_cross_entropy_with_logits": {Save: Arg0 | Arg1 | Arg2 | Arg(6), VJP: bceLogitsBackward},
		"nn.functional.nll_loss":                         {For: []Saves{Arg1 | Arg2}, VJP: nllBackward, NameOf: nllName},
	})
}

// lossGrad is the gradient of the loss before its reduction; the slots are those of size_average, reduce and reduction.
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

// opposite gives g to the input and -g to the target.
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
	x, t := c.Tensor(0), c.Tensor(1)
	g := weighted(c, lossGrad(c, 3, 4, 5))
	if c.IsNone(6) {
		return pair(c, 0, func() *tensor.Tensor { return g.Mul(x.Sigmoid().Sub(t)) }, func() *tensor.Tensor { return g.Mul(x.Neg()) })
	}
	pos := c.Tensor(6)
	return pair(c, 0, func() *tensor.Tensor {
		pt := pos.Mul(t)
		return g.Mul(pt.Add(1).Sub(t).Mul(x.Sigmoid()).Sub(pt))
	}, func() *tensor.Tensor {
		return g.Mul(tensor.Logsigmoid(x.Neg()).Sub(pos.Mul(tensor.Logsigmoid(x))))
	})
}

func nllName(c *Ctx) string {
	if len(c.Shape(0)) > 2 {
		return "NllLoss2DBackward0"
	}
	return "NllLossBackward0"
}

// nllBackward puts minus the weight of each target at its class.
func nllBackward(c *Ctx) Grads {
	shape := c.Shape(0)
	d := min(len(shape)-1, 1)
	var weight *tensor.Tensor
	if !c.IsNone(2) {
		weight = c.Tensor(2)
	}
	class, w := tensor.NllWeights(c.Tensor(1).To(tensor.Int64), weight, c.Int(4), c.Dtype(0))
	g := c.Grad
	if tensor.LossReduction(c.Arg(3), c.Arg(5), c.Str(6)) == "mean" {
		g = g.Div(w.Sum())
	}
	g = g.Mul(w).Neg()
	return Grads{zeros(g, shape).ScatterAdd(d, class.Unsqueeze(d), g.Unsqueeze(d))}
}
