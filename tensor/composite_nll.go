package tensor

import (
	"runtime"
	"slices"

	"gotorch/internal/simd"
)

// The losses of classes.

func init() {
	explicits(map[string]Kernel{"nn.functional.nll_loss": nllBody})
	shapes(map[string]Kernel{
		"_nll":          nllShape,
		"_nll_backward": func(c *Call) { c.New(c.Ints(5), c.Tensor(0).dtype) },
	})
	composites(map[string]Kernel{"nn.functional.cross_entropy": crossEntropyBody})
}

// NllWeights gives, for each target, its class with zero in place of those that are ignored, and its weight, zero for
// those. shape and dt are of the input.
//
//gotorch:internal
func NllWeights(target, weight *Tensor, ignore int, dt Dtype) (class, w *Tensor) {
	valid := target.Ne(ignore)
	class = Where(valid, target, 0)
	if weight == nil {
		return class, valid.To(dt)
	}
	w = weight.IndexSelect(0, class.Reshape(-1)).Reshape(target.shape...)
	return class, Where(valid, w, 0)
}

func nllBody(c *Call) {
	x, t, weight, ignore := c.Tensor(0), c.Tensor(1), c.Tensor(2), c.Int(4)
	n := len(x.shape)
	d := min(n-1, 1)
	switch {
	case n == 0:
		panic(Errorf(c.Name(), "expected an input of 1 or more dimensions, got a 0-dimensional tensor"))
	case t.dtype != Int64 && t.dtype != Uint8:
		panic(Errorf(c.Name(), "expected target of dtype int64, got %v", t.dtype).OnArg("target"))
	case len(t.shape) != n-1 || n > 1 && (t.shape[0] != x.shape[0] || !slices.Equal(t.shape[1:], x.shape[2:])):
		panic(Errorf(c.Name(), "expected a target of the shape of input %s without the classes (dimension %d), got shape "+
			"%s: sizes must match", sizesText(x.shape), d, sizesText(t.shape)).OnArg("target"))
	case weight != nil && (len(weight.shape) != 1 || weight.shape[0] != x.shape[d]):
		panic(Errorf(c.Name(), "weight tensor should be defined either for all %d classes or no classes but got weight "+
			"tensor of shape %s", x.shape[d], sizesText(weight.shape)).OnArg("weight"))
	}
	if onePass(x, t, weight, d) {
		out := several("_nll", x, t, weight, ignore, 0.0, false)
		if mean := c.nllMean(out[0], out[1]); mean != nil {
			c.Return(mean)
			return
		}
		c.Return(c.reduceNll(out[0], out[1]))
		return
	}
	t = t.To(Int64)
	if x.st.device != Meta && t.numel > 0 {
		bad := t.Ne(ignore).LogicalAnd(t.Lt(0).LogicalOr(t.Ge(x.shape[d])))
		if bad.Any().ItemBool() {
			panic(Errorf(c.Name(), "a target is out of bounds: classes are 0 to %d", x.shape[d]-1).OnArg("target"))
		}
	}
	class, w := NllWeights(t, weight, ignore, x.dtype)
	loss := x.Gather(d, class.Unsqueeze(d)).Squeeze(d).Mul(w).Neg()
	loss = Where(w.Eq(0).LogicalAnd(t.Eq(ignore)), 0, loss)
	switch c.reduction() {
	case "mean":
		loss = loss.Sum().Div(w.Sum())
	case "sum":
		loss = loss.Sum()
	default:
		loss = loss.Contiguous()
	}
	c.Return(loss)
}

func crossEntropyBody(c *Call) {
	x, t, weight := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	smooth := c.Float(7)
	d := min(max(len(x.shape)-1, 0), 1)
	if len(x.shape) == 0 {
		panic(Errorf(c.Name(), "expected an input of 1 or more dimensions, got a 0-dimensional tensor"))
	}
	if smooth < 0 || smooth > 1 {
		panic(Errorf(c.Name(), "label_smoothing must be between 0.0 and 1.0, got %v", smooth).OnArg("label_smoothing"))
	}
	classes := x.shape[d]
	shaped := func() *Tensor { // weight along the classes
		shape := make([]int, len(x.shape))
		for i := range shape {
			shape[i] = 1
		}
		shape[d] = classes
		return weight.View(shape...)
	}
	recorded := x.keys.Has(KeyAutograd) && !Excluded(KeyAutograd)
	if onePass(x, t, weight, d) && (!recorded || x.numel >= fuseLeast) {
		c.reduction()
		out := several("_nll", x, t, weight, c.Int(4), smooth, true)
		c.Return(c.reduceNll(out[0], out[1].Detach()))
		return
	}
	logs := x.LogSoftmax(optDim(d))
	if slices.Equal(x.shape, t.shape) {
		if !t.dtype.IsFloatingPoint() {
			panic(Errorf(c.Name(), "expected floating point type for target with class probabilities, got %v", t.dtype).
				OnArg("target"))
		}
		if weight != nil && (len(weight.shape) != 1 || weight.shape[0] != classes) {
			panic(Errorf(c.Name(), "weight must have one number for each of the %d classes, got shape %s", classes,
				sizesText(weight.shape)).OnArg("weight"))
		}
		each := func(a []*Tensor) *Tensor {
			logs, t := a[0], a[1]
			if smooth > 0 {
				t = t.Mul(1 - smooth).Add(smooth / float64(classes))
			}
			if weight != nil {
				return logs.Mul(t).Mul(shaped())
			}
			return logs.Mul(t)
		}
		args := []*Tensor{logs, t}
		switch c.reduction() {
		case "mean":
			c.Return(fuseFold(args, foldSum, each).Div(max(1, x.numel/max(classes, 1))).Neg())
		case "sum":
			c.Return(fuseFold(args, foldSum, each).Neg())
		default:
			c.Return(fuseCall(args, each).Sum(optDim(d)).Neg())
		}
		return
	}
	reduction := c.reduction()
	opts := []Option{optIgnoreIndex(c.Int(4)), optReduction(reduction)}
	if weight != nil {
		opts = append(opts, optWeight(weight))
	}
	nll := NllLoss(logs, t, opts...)
	if smooth == 0 {
		c.Return(nll)
		return
	}
	if weight != nil {
		logs = logs.Mul(shaped())
	}
	ignored := t.Eq(c.Int(4))
	even := logs.Sum(optDim(d)).Neg().MaskedFill(ignored, 0)
	switch reduction {
	case "mean":
		_, w := NllWeights(t, weight, c.Int(4), x.dtype)
		even = even.Sum().Div(w.Sum())
	case "sum":
		even = even.Sum()
	}
	c.Return(nll.Mul(1 - smooth).Add(even.Mul(smooth / float64(classes))))
}

// nllShape: statistics are kept of a softmax alone.
func nllShape(c *Call) {
	x, t := c.Tensor(0), c.Tensor(1)
	c.New(t.shape, x.dtype)
	c.New(t.shape, x.dtype)
	if c.Bool(5) {
		c.New(append([]int{2}, t.shape...), x.dtype)
	} else {
		c.New([]int{0}, x.dtype)
	}
}

// several calls an operator of several results by name.
func several(name string, args ...any) []*Tensor {
	c := begin(ops[name])
	for i, v := range args {
		if x, ok := v.(*Tensor); !ok || x != nil {
			c.set(i, v)
		}
	}
	return c.runList()
}

// onePass reports whether the kernel of _nll can compute a loss of classes, which are dimension d of x: tensors of the
// host that fit together.
func onePass(x, t, weight *Tensor, d int) bool {
	if x.st.device != CPU || x.dtype != Float32 && x.dtype != Float64 || len(x.shape) == 0 ||
		t.dtype != Int64 && t.dtype != Uint8 {
		return false
	}
	if len(t.shape) != len(x.shape)-1 || d == 1 && t.shape[0] != x.shape[0] || !slices.Equal(t.shape[d:], x.shape[d+1:]) {
		return false
	}
	if weight != nil && (weight.st.device != CPU || weight.keys&opaque != 0 || weight.dtype != x.dtype ||
		len(weight.shape) != 1 || weight.shape[0] != x.shape[d]) {
		return false
	}
	if s := CurrentScope(); s != nil && (s.Substitute != nil || s.Level > 0) {
		return false
	}
	return (x.keys|t.keys)&opaque == 0 && t.st.device == CPU
}

// nllMean is the weighted mean of few losses, which need no operators for it; nil for another reduction and for many.
func (c *Call) nllMean(loss, weights *Tensor) *Tensor {
	if loss.numel > 1<<15 || c.reduction() != "mean" {
		return nil
	}
	mean := Alloc(c.Name(), []int{}, loss.dtype, CPU)
	if loss.dtype == Float32 {
		Elems[float32](mean)[0] = float32(simd.SumFloat32(Elems[float32](loss))) /
			float32(simd.SumFloat32(Elems[float32](weights)))
	} else {
		Elems[float64](mean)[0] = simd.SumFloat64(Elems[float64](loss)) / simd.SumFloat64(Elems[float64](weights))
	}
	runtime.KeepAlive(loss)
	runtime.KeepAlive(weights)
	return mean
}

// reduceNll reduces losses of targets; their mean is weighted.
func (c *Call) reduceNll(loss, weights *Tensor) *Tensor {
	switch c.reduction() {
	case "mean":
		return loss.Sum().Div(weights.Sum())
	case "sum":
		return loss.Sum()
	}
	return loss
}
