package autograd

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Softmax and normalization.

func init() {
	register(map[string]Formula{
		"nn.functional.softmax": {Save: Result0, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			y, g, d := c.Result(0), c.Grad, softmaxDim(c)
			if fused(c, y, g) {
				return Grads{tensor.Private("_softmax_backward", g, y, d)}
			}
			y, g = wide(y), wide(g)
			return Grads{y.Mul(g.Sub(lineSum(c, g.Mul(y), d)))}
		}},
		"nn.functional.log_softmax": {Save: Result0, Batch: shiftDims("dim"), VJP: func(c *Ctx) Grads {
			if y, g := c.Result(0), c.Grad; fused(c, y, g) {
				return Grads{tensor.Private("_log_softmax_backward", g, y, softmaxDim(c))}
			}
			y, g, d := wide(c.Result(0)), wide(c.Grad), softmaxDim(c)
			return Grads{g.Sub(y.Exp().Mul(lineSum(c, g, d)))}
		}},
		"_layer_norm": {Save: Arg0 | Arg2 | Result1 | Result2, VJP: layerNormBackward, Name: "NativeLayerNormBackward0"},
		"_batch_norm": {Save: Arg0 | Arg1 | Result1 | Result2, Format: anyCall, VJP: batchNormBackward,
			Name: "NativeBatchNormBackward0"},
		"_standardized": {Save: Arg0 | Arg1 | Arg2, VJP: func(c *Ctx) Grads {
			g := c.Grad.Mul(c.Tensor(2))
			return Grads{g, g.Neg(), c.Grad.Mul(c.Tensor(0).Sub(c.Tensor(1)))}
		}},
		"_batch_norm_eval": {Save: Arg0 | Arg1 | Arg3 | Arg4, Format: anyCall, VJP: batchNormEvalBackward,
			Name: "NativeBatchNormBackward0"},
	})
}

// fused reports whether a gradient may be computed by one operator, which has no derivative: the computation is not
// recorded, and both tensors are plain ones of float32.
func fused(c *Ctx, x, g *tensor.Tensor) bool {
	return !IsGradEnabled() && x.Dtype() == tensor.Float32 && g.Dtype() == tensor.Float32 && x.IsPlain() &&
		g.IsPlain() && x.Numel() > 0
}

// lineSum adds up the lines of x along d. Those of a half type are rounded to it where they lie in memory in a row,
// along the last dimension, as PyTorch's kernel for these does.
func lineSum(c *Ctx, x *tensor.Tensor, d int) *tensor.Tensor {
	sum := x.Sum(opt.Dim(d), opt.Keepdim(true))
	if last := len(c.Shape(0)) - 1; d == last || d == -1 {
		return wide(sum.To(c.Grad.Dtype()))
	}
	return sum
}

// softmaxDim is the dimension of the call; without one it was PyTorch's choice.
func softmaxDim(c *Ctx) int {
	if !c.IsNone(1) {
		return c.Int(1)
	}
	if n := len(c.Shape(0)); n == 0 || n == 1 || n == 3 {
		return 0
	}
	return 1
}

// several calls an operator of several results by name.
func several(name string, args ...any) Grads {
	results, err := tensor.Invoke(name, args, nil)
	if err != nil {
		panic(err)
	}
	grads := make(Grads, len(results))
	for i, r := range results {
		grads[i] = r.(*tensor.Tensor)
	}
	return grads
}

// orNil is x as an argument that may be missing.
func orNil(x *tensor.Tensor) any {
	if x == nil {
		return nil
	}
	return x
}

// wideOrNil is wide of a tensor that may be missing.
func wideOrNil(x *tensor.Tensor) *tensor.Tensor {
	if x == nil {
		return nil
	}
	return wide(x)
}

// normalBackward is the gradient of x through xhat = (x - mean) * rstd, g being that of xhat; mean and rstd are taken
// over dims.
func normalBackward(g, xhat, rstd *tensor.Tensor, dims []int) *tensor.Tensor {
	mean := func(v *tensor.Tensor) *tensor.Tensor { return v.Mean(opt.Dim(dims...), opt.Keepdim(true)) }
	return g.Sub(mean(g)).Sub(xhat.Mul(mean(g.Mul(xhat)))).Mul(rstd)
}

// normalizedGrads returns the gradients of a normalization's input, weight and bias, over the dimensions stats for the
// statistics and params for the parameters. The mean and the variance (or its reciprocal root) are results with
// gradients of their own, so that a second derivative finds its way through them.
func normalizedGrads(c *Ctx, x, w, mean, rstd *tensor.Tensor, stats, params []int) (gx, gw, gb *tensor.Tensor) {
	xhat := tensor.Private("_standardized", x, mean, rstd)
	if g := wideOrNil(c.GradOf(0)); g != nil {
		scaled := g
		if w != nil {
			scaled = g.Mul(w)
			gw = g.Mul(xhat)
		}
		gb = g
		gx = normalBackward(scaled, xhat, rstd, stats)
		if len(params) > 0 {
			gb = gb.Sum(opt.Dim(params...))
			if gw != nil {
				gw = gw.Sum(opt.Dim(params...))
			}
		}
	}
	return gx, gw, gb
}

func sumOf(a, b *tensor.Tensor) *tensor.Tensor {
	if a == nil {
		return b
	}
	return a.Add(b)
}

func layerNormBackward(c *Ctx) Grads {
	shape, n := c.Shape(0), len(c.Ints(1))
	var params, stats []int
	count := 1.0
	for d := range shape {
		if d < len(shape)-n {
			params = append(params, d)
		} else {
			stats = append(stats, d)
			count *= float64(shape[d])
		}
	}
	if g := c.GradOf(0); g != nil && c.GradOf(1) == nil && c.GradOf(2) == nil && fused(c, c.Tensor(0), g) {
		return several("_layer_norm_backward", g, c.Tensor(0), c.Ints(1), orNil(c.Tensor(2)), c.Result(1), c.Result(2))
	}
	x, w, mean, rstd := wideOrNil(c.Tensor(0)), wideOrNil(c.Tensor(2)), wideOrNil(c.Result(1)), wideOrNil(c.Result(2))
	gx, gw, gb := normalizedGrads(c, x, w, mean, rstd, stats, params)
	if gx != nil && c.Dtype(0) != x.Dtype() {
		gx = halfLayerGrad(c, x, w, mean, rstd, stats, count)
	}
	if g := wideOrNil(c.GradOf(1)); g != nil {
		gx = sumOf(gx, g.Div(count).Expand(shape...))
	}
	if g := wideOrNil(c.GradOf(2)); g != nil { // rstd = (var + eps)^(-1/2)
		gx = sumOf(gx, g.Mul(rstd).Mul(rstd).Mul(rstd).Mul(x.Sub(mean)).Div(-count))
	}
	return Grads{gx, gw, gb}
}

// halfLayerGrad is the gradient of the input of a half type, rounded on the way where PyTorch rounds: as a line a*g +
// b*x + c.
func halfLayerGrad(c *Ctx, x, w, mean, rstd *tensor.Tensor, stats []int, count float64) *tensor.Tensor {
	rounded := func(v *tensor.Tensor) *tensor.Tensor { return wide(v.To(c.Dtype(0))) }
	sum := func(v *tensor.Tensor) *tensor.Tensor { return rounded(v.Sum(opt.Dim(stats...), opt.Keepdim(true))) }
	g := wide(c.GradOf(0))
	if w != nil {
		g = g.Mul(w)
	}
	ds, db := sum(g.Mul(x)), sum(g)
	b := rounded(rounded(db.Mul(mean).Sub(ds)).Mul(rstd).Mul(rstd).Mul(rstd).Div(count))
	shift := b.Mul(mean).Add(db.Mul(rstd).Div(count)).Neg()
	return g.Mul(rstd).Add(x.Mul(b)).Add(shift)
}

// byChannel brings a vector to dimension 1 of n.
func byChannel(v *tensor.Tensor, n int) *tensor.Tensor {
	if v == nil {
		return nil
	}
	shape := make([]int, n)
	for i := range shape {
		shape[i] = 1
	}
	shape[1] = -1
	return v.View(shape...)
}

// notChannel lists all dimensions but 1.
func notChannel(n int) []int {
	dims := []int{0}
	for d := 2; d < n; d++ {
		dims = append(dims, d)
	}
	return dims
}

func batchNormBackward(c *Ctx) Grads {
	shape := c.Shape(0)
	n := len(shape)
	dims := notChannel(n)
	if g := c.GradOf(0); g != nil && c.GradOf(1) == nil && c.GradOf(2) == nil && fused(c, c.Tensor(0), g) {
		rstd := c.Result(2).Add(c.Float(3)).Rsqrt()
		return several("_batch_norm_backward", g, c.Tensor(0), orNil(c.Tensor(1)), c.Result(1), rstd)
	}
	x, w := wideOrNil(c.Tensor(0)), byChannel(wideOrNil(c.Tensor(1)), n)
	mean, variance := byChannel(wideOrNil(c.Result(1)), n), byChannel(wideOrNil(c.Result(2)), n)
	rstd := wide(variance.Add(c.Float(3)).Rsqrt().To(c.Dtype(0))) // PyTorch keeps it in the input's dtype
	gx, gw, gb := normalizedGrads(c, x, w, mean, rstd, dims, dims)
	count := float64(x.Numel() / max(1, shape[1]))
	if g := wideOrNil(c.GradOf(1)); g != nil {
		gx = sumOf(gx, byChannel(g, n).Div(count).Expand(shape...))
	}
	if g := wideOrNil(c.GradOf(2)); g != nil {
		gx = sumOf(gx, byChannel(g, n).Mul(x.Sub(mean)).Mul(2/count))
	}
	return Grads{gx, gw, gb}
}

func batchNormEvalBackward(c *Ctx) Grads {
	g := wideOrNil(c.Grad)
	n := len(c.Shape(0))
	if n < 2 {
		return Grads{c.Grad}
	}
	x, w := wideOrNil(c.Tensor(0)), byChannel(wideOrNil(c.Tensor(1)), n)
	mean, variance := byChannel(wideOrNil(c.Tensor(3)), n), byChannel(wideOrNil(c.Tensor(4)), n)
	rstd := variance.Add(c.Float(5)).Rsqrt()
	dims := opt.Dim(notChannel(n)...)
	out := make(Grads, 3)
	out[0] = g.Mul(rstd)
	if w != nil {
		out[0] = out[0].Mul(w)
		out[1] = g.Mul(x.Sub(mean)).Mul(rstd).Sum(dims)
	}
	out[2] = g.Sum(dims)
	return out
}
