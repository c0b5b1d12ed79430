package tensor

import (
	"math"
	"slices"
)

// Losses. Those with a node of their own in PyTorch's graph are bodies beneath Autograd, and have a formula.

func init() {
	explicits(map[string]Kernel{
		"nn.functional.mse_loss": func(c *Call) {
			c.Return(c.loss(func(x []*Tensor) *Tensor { d := x[0].Sub(x[1]); return d.Mul(d) }, c.Tensor(0), c.Tensor(1)))
		},
		"nn.functional.smooth_l1_loss":                   smoothL1Body,
		"nn.functional.huber_loss":                       huberBody,
		"nn.functional.binary_cross_entropy":             bceBody,
		"nn.functional.binary_cross_entropy_with_logits": bceLogitsBody,
	})
	composites(map[string]Kernel{
		"nn.functional.l1_loss": func(c *Call) {
			c.Return(c.loss(func(x []*Tensor) *Tensor { return x[0].Sub(x[1]).Abs() }, c.Tensor(0), c.Tensor(1)))
		},
		"nn.functional.kl_div": klDivBody,
		"nn.functional.hinge_embedding_loss": func(c *Call) {
			c.Return(c.loss(func(a []*Tensor) *Tensor {
				x, t := a[0], a[1]
				far := x.Neg().Add(c.Float(2)).ClampMin(0)
				return Where(t.Ne(1), far, 0).Add(Where(t.Ne(-1), x, 0))
			}, c.Tensor(0), c.Tensor(1)))
		},
		"nn.functional.margin_ranking_loss": func(c *Call) {
			a, b, t := c.Tensor(0), c.Tensor(1), c.Tensor(2)
			if len(a.shape) != len(b.shape) || len(a.shape) != len(t.shape) {
				panic(Errorf(c.Name(), "all inputs should have the same number of dimensions, got shapes %v, %v and %v", a.shape,
					b.shape, t.shape))
			}
			c.Return(c.loss(func(x []*Tensor) *Tensor {
				return x[2].Neg().Mul(x[0].Sub(x[1])).Add(c.Float(3)).ClampMin(0)
			}, a, b, t))
		},
		"nn.functional.poisson_nll_loss":  poissonBody,
		"nn.functional.gaussian_nll_loss": gaussianBody,
		"nn.functional.cosine_similarity": cosineBody,
		"nn.functional.pairwise_distance": func(c *Call) {
			x := fuseCall([]*Tensor{c.Tensor(0), c.Tensor(1)}, func(x []*Tensor) *Tensor {
				return x[0].Sub(x[1]).Add(c.Float(3))
			})
			c.Return(x.Norm(optP(c.Float(2)), optDim(-1), optKeepdim(c.Bool(4))))
		},
	})
}

// LossReduction reads the three arguments that say how a loss is reduced; size_average and reduce (nil, or a bool) are
// PyTorch's old ones. The result is "none", "mean" or "sum"; another reduction is passed on.
//
//gotorch:internal
func LossReduction(sizeAverage, reduce any, reduction string) string {
	if sizeAverage == nil && reduce == nil {
		return reduction
	}
	isFalse := func(v any) bool { b, ok := v.(bool); return ok && !b }
	switch {
	case isFalse(reduce):
		return "none"
	case isFalse(sizeAverage):
		return "sum"
	}
	return "mean"
}

// reduction is how the call's loss is reduced.
func (c *Call) reduction() string {
	var average, reduce any
	if i := c.Op.Param("size_average"); i >= 0 {
		average, reduce = c.Arg(i), c.Arg(c.Op.Param("reduce"))
	}
	r := LossReduction(average, reduce, c.Str(c.Op.Param("reduction")))
	if r != "none" && r != "mean" && r != "sum" {
		panic(Errorf(c.Name(), "%s is not a valid value for reduction", r).OnArg("reduction").
			WithHint(`it is "none", "mean" or "sum"`))
	}
	return r
}

// loss is the loss that f, a chain of pointwise operators, makes of args, reduced as the call says; for many elements
// in one loop.
func (c *Call) loss(f func(args []*Tensor) *Tensor, args ...*Tensor) *Tensor {
	return fuseFold(args, map[string]fold{"mean": foldMean, "sum": foldSum}[c.reduction()], f)
}

func (c *Call) reduceLoss(x *Tensor) *Tensor {
	switch c.reduction() {
	case "mean":
		return x.Mean()
	case "sum":
		return x.Sum()
	}
	return x
}

func smoothL1Body(c *Call) {
	beta := c.Float(5)
	switch {
	case beta < 0:
		panic(Errorf(c.Name(), "negative values for beta are not supported").OnArg("beta"))
	case beta == 0:
		c.Return(c.loss(func(x []*Tensor) *Tensor { return x[0].Sub(x[1]).Abs() }, c.Tensor(0), c.Tensor(1)))
		return
	}
	y := c.huber(beta)
	if beta != 1 {
		y = y.Div(beta)
	}
	c.Return(y)
}

func huberBody(c *Call) {
	delta := c.Float(3)
	if delta <= 0 {
		panic(Errorf(c.Name(), "non-positive values for delta are not supported").OnArg("delta"))
	}
	c.Return(c.huber(delta))
}

// huber is the loss d²/2 of differences d up to delta, and delta*(|d| - delta/2) beyond: k*(d - k/2) with k the
// difference clamped.
func (c *Call) huber(delta float64) *Tensor {
	return c.loss(func(x []*Tensor) *Tensor {
		d := x[0].Sub(x[1])
		k := Hardtanh(d, optMinVal(-delta), optMaxVal(delta))
		return d.Sub(k, optAlpha(0.5)).Mul(k)
	}, c.Tensor(0), c.Tensor(1))
}

// sameShapes panics where target has not input's shape.
func sameShapes(c *Call) {
	x, t := c.Tensor(0), c.Tensor(1)
	if !slices.Equal(x.shape, t.shape) {
		panic(Errorf(c.Name(), "target size %s must be the same as input size %s", sizesText(t.shape), sizesText(x.shape)).
			OnArg("target"))
	}
}

func bceBody(c *Call) {
	sameShapes(c)
	x, t := c.Tensor(0), c.Tensor(1)
	if x.st.device != Meta && x.numel > 0 && !within(x, 0, 1) {
		panic(Errorf(c.Name(), "all elements of input should be between 0 and 1").OnArg("input").
			WithHint("BinaryCrossEntropyWithLogits takes any"))
	}
	w := c.Tensor(2)
	c.Return(c.loss(func(a []*Tensor) *Tensor {
		x, t := a[0], a[1]
		loss := t.Sub(1).Mul(x.Neg().Log1p().ClampMin(-100)).Sub(t.Mul(x.Log().ClampMin(-100)))
		if w != nil {
			loss = loss.Mul(w)
		}
		return loss
	}, x, t))
}

func bceLogitsBody(c *Call) {
	sameShapes(c)
	w, pos := c.Tensor(2), c.Tensor(6)
	c.Return(c.loss(func(a []*Tensor) *Tensor {
		x, t := a[0], a[1]
		soft := Logsigmoid(x) // -log(1 + exp(-x))
		if pos != nil {
			soft = soft.Mul(pos.Sub(1).Mul(t).Add(1))
		}
		loss := t.Neg().Add(1).Mul(x).Sub(soft)
		if w != nil {
			loss = loss.Mul(w)
		}
		return loss
	}, c.Tensor(0), c.Tensor(1)))
}

func klDivBody(c *Call) {
	x, t := c.Tensor(0), c.Tensor(1)
	each := func(a []*Tensor) *Tensor {
		x, t := a[0], a[1]
		if c.Bool(5) {
			return t.Exp().Mul(t.Sub(x))
		}
		return t.Xlogy(t).Sub(t.Mul(x))
	}
	if c.IsNone(2) && c.IsNone(3) && c.Str(4) == "batchmean" {
		loss := fuseFold([]*Tensor{x, t}, foldSum, each)
		if len(x.shape) > 0 {
			loss = loss.Div(x.shape[0])
		}
		c.Return(loss)
		return
	}
	c.Return(c.loss(each, x, t))
}

func poissonBody(c *Call) {
	c.Return(c.loss(func(a []*Tensor) *Tensor {
		x, t := a[0], a[1]
		var loss *Tensor
		if c.Bool(2) {
			loss = x.Exp().Sub(t.Mul(x))
		} else {
			loss = x.Sub(t.Mul(x.Add(c.Float(5)).Log()))
		}
		if c.Bool(3) { // Stirling's formula for the logarithm of target's factorial
			term := t.Mul(t.Log()).Sub(t).Add(t.Mul(2 * math.Pi).Log().Mul(0.5))
			loss = loss.Add(term.MaskedFill(t.Le(1), 0))
		}
		return loss
	}, c.Tensor(0), c.Tensor(1)))
}

// within reports whether the elements of x that are numbers lie between lo and hi.
func within(x *Tensor, lo, hi float64) bool {
	least, most := x.Aminmax()
	a, b := least.Item(), most.Item()
	if a != a || b != b { // which hides the others
		return !x.Lt(lo).Any().ItemBool() && !x.Gt(hi).Any().ItemBool()
	}
	return lo <= a && b <= hi
}

func gaussianBody(c *Call) {
	x, t, v := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	n := len(x.shape)
	if !slices.Equal(v.shape, x.shape) {
		switch {
		case n > 0 && slices.Equal(v.shape, x.shape[:n-1]):
			v = v.Unsqueeze(-1)
		case n > 0 && len(v.shape) == n && slices.Equal(v.shape[:n-1], x.shape[:n-1]) && v.shape[n-1] == 1:
		default:
			panic(Errorf(c.Name(), "var is of incorrect size: shape %s for an input of shape %s", sizesText(v.shape),
				sizesText(x.shape)).OnArg("var"))
		}
	}
	c.reduction()
	if v.st.device != Meta && v.numel > 0 && !within(v, 0, math.Inf(1)) {
		panic(Errorf(c.Name(), "var has negative entries").OnArg("var"))
	}
	plain := !v.keys.Has(KeyAutograd) || Excluded(KeyAutograd)
	if !plain {
		v = v.Clone()
		Under(0, 1<<KeyAutograd, func() { v.ClampMin_(c.Float(4)) }) // the limit changes no gradient
	}
	c.Return(c.loss(func(a []*Tensor) *Tensor {
		d, v := a[0].Sub(a[1]), a[2]
		if plain {
			v = v.ClampMin(c.Float(4))
		}
		loss := v.Log().Add(d.Mul(d).Div(v)).Mul(0.5)
		if c.Bool(3) {
			loss = loss.Add(0.5 * math.Log(2*math.Pi))
		}
		return loss
	}, x, t, v))
}

func cosineBody(c *Call) {
	a, b, eps := c.Tensor(0), c.Tensor(1), c.Float(3)
	shape := broadcastTwo(c.Name(), a.shape, b.shape)
	dt := PromoteTypes(a.dtype, b.dtype)
	if !dt.IsFloatingPoint() {
		panic(Errorf(c.Name(), "expected floating point tensors, got %s and %s", a.dtype, b.dtype))
	}
	d := optDim(c.Int(2))
	withNorm := func(x *Tensor) (_, norm *Tensor) {
		x = x.To(dt).Expand(shape...)
		norm = x.Norm(optP(2), d, optKeepdim(true)).Clone()
		Under(0, 1<<KeyAutograd, func() { norm.ClampMin_(eps) })
		return x, norm
	}
	a, an := withNorm(a)
	b, bn := withNorm(b)
	c.Return(fuseCall([]*Tensor{a, an, b, bn}, func(x []*Tensor) *Tensor {
		return x[0].Div(x[1]).Mul(x[2].Div(x[3]))
	}).Sum(d))
}
