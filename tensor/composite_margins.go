package tensor

import (
	"slices"
)

// Losses with a margin, and those of several labels.

func init() {
	composites(map[string]Kernel{
		"nn.functional.soft_margin_loss": func(c *Call) {
			c.Return(c.loss(func(x []*Tensor) *Tensor {
				return x[1].Neg().Mul(x[0]).Exp().Add(1).Log()
			}, c.Tensor(0), c.Tensor(1)))
		},
		"nn.functional.multilabel_soft_margin_loss": multilabelSoftBody,
		"nn.functional.multi_margin_loss":           multiMarginBody,
		"nn.functional.multilabel_margin_loss":      multilabelMarginBody,
		"nn.functional.triplet_margin_loss":         tripletBody,
		"nn.functional.cosine_embedding_loss":       cosineEmbeddingBody,
	})
}

func multilabelSoftBody(c *Call) {
	x, t := c.Tensor(0), c.Tensor(1)
	if len(x.shape) == 0 {
		panic(Errorf(c.Name(), "the input has no dimensions; the classes are the last one"))
	}
	loss := t.Mul(Logsigmoid(x)).Add(t.Neg().Add(1).Mul(Logsigmoid(x.Neg()))).Neg()
	if w := c.Tensor(2); w != nil {
		loss = loss.Mul(w)
	}
	c.Return(c.reduceLoss(loss.Sum(optDim(-1)).Div(x.shape[len(x.shape)-1])))
}

// rowsOf sees the input of a loss over classes as (N, C), whether it was (N, C), (C) or a number, and its target as
// (N, labels).
func rowsOf(c *Call, labels int) (x, t *Tensor) {
	x, t = c.Tensor(0), c.Tensor(1)
	if len(x.shape) > 2 || x.numel == 0 {
		panic(Errorf(c.Name(), "expected a non-empty vector or matrix as input, got shape %v", x.shape))
	}
	classes := 1
	if len(x.shape) > 0 {
		classes = x.shape[len(x.shape)-1]
	}
	n := x.numel / classes
	if labels < 0 {
		labels = classes
	}
	if t.numel != n*labels || len(x.shape) == 2 && t.shape[0] != n {
		panic(Errorf(c.Name(), "inconsistent target size %v for an input of size %v", t.shape, x.shape).OnArg("target"))
	}
	if t.dtype != Int64 {
		panic(Errorf(c.Name(), "expected a target of dtype int64, got %v", t.dtype).OnArg("target"))
	}
	return x.Reshape(n, classes), t.Reshape(n, labels)
}

// reduceRows is reduceLoss of one loss for each row; "none" of an input without a batch gives a number.
func reduceRows(c *Call, loss *Tensor, batched bool) *Tensor {
	if r := c.reduceLoss(loss); len(r.shape) == 0 || batched {
		return r
	}
	return loss.Reshape()
}

func multiMarginBody(c *Call) {
	x, t := rowsOf(c, 1)
	p, _ := c.Scalar(2)
	margin, _ := c.Scalar(3)
	if v := p.Float(); v != 1 && v != 2 {
		panic(Errorf(c.Name(), "only p == 1 and p == 2 are supported").OnArg("p"))
	}
	z := x.Sub(x.Gather(1, t)).Add(margin.Any()).ClampMin(0)
	if p.Float() == 2 {
		z = z.Mul(z)
	}
	if w := c.Tensor(4); w != nil {
		z = z.Mul(w.IndexSelect(0, t.Reshape(-1)).Unsqueeze(1))
	}
	z = z.Scatter(1, t, 0) // the right class has no margin from itself
	c.Return(reduceRows(c, z.Sum(optDim(1)).Div(x.shape[1]), len(c.Tensor(0).shape) == 2))
}

func multilabelMarginBody(c *Call) {
	x, t := rowsOf(c, -1)
	valid := t.Lt(0).Cumsum(1).Eq(0) // the labels end at the first -1
	labels := t.Where(valid, 0)
	hit := With(Int64, x.st.device).Zeros(x.shape...).ScatterAdd(1, labels, valid.To(Int64)).Gt(0)
	z := x.Unsqueeze(1).Sub(x.Gather(1, labels).Unsqueeze(2)).Add(1).ClampMin(0)
	counted := valid.Unsqueeze(2).LogicalAnd(hit.LogicalNot().Unsqueeze(1))
	loss := Where(counted, z, 0).Sum(optDim(1, 2)).Div(x.shape[1])
	c.Return(reduceRows(c, loss, len(c.Tensor(0).shape) == 2))
}

func tripletBody(c *Call) {
	anchor, positive, negative := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	if len(anchor.shape) != len(positive.shape) || len(anchor.shape) != len(negative.shape) {
		panic(Errorf(c.Name(), "the anchor, positive and negative inputs are expected to have the same number of "+
			"dimensions, but got %d, %d and %d", len(anchor.shape), len(positive.shape), len(negative.shape)))
	}
	p, eps := optP(c.Float(4)), optEps(c.Float(5))
	near, far := PairwiseDistance(anchor, positive, p, eps), PairwiseDistance(anchor, negative, p, eps)
	if c.Bool(6) {
		far = Minimum(far, PairwiseDistance(positive, negative, p, eps))
	}
	c.Return(c.reduceLoss(near.Sub(far).Add(c.Float(3)).ClampMin(0)))
}

func cosineEmbeddingBody(c *Call) {
	const small = 1e-12
	a, b, t := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	if len(t.shape) > 1 || !slices.Equal(a.shape, b.shape) || len(a.shape) != len(t.shape)+1 {
		panic(Errorf(c.Name(), "expected inputs of one shape, 2-D with a 1-D target or 1-D with a 0-D target, got %v, %v "+
			"and target %v", a.shape, b.shape, t.shape))
	}
	dim := optDim(len(t.shape))
	norms := a.Mul(a).Sum(dim).Add(small).Mul(b.Mul(b).Sum(dim).Add(small)).Sqrt()
	cos := a.Mul(b).Sum(dim).Div(norms)
	far := cos.Sub(c.Float(3)).ClampMin(0)
	c.Return(c.reduceLoss(Where(t.Eq(1), cos.Neg().Add(1), 0).Add(Where(t.Eq(-1), far, 0))))
}
