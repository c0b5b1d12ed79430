package tensor

import "gotorch/internal/simd"

// Note: folds. A fused loop may end in the sum or the mean of all elements of its result, which then is never stored:
// a loss is one pass over its inputs. Each block is added up in float64, and so are the sums of the blocks, in their
// order.

// fold says how the elements of a loop's result are folded into one number.
type fold byte

const (
	foldNone fold = iota
	foldSum
	foldMean
)

// of folds x by an operator.
func (f fold) of(x *Tensor) *Tensor {
	switch f {
	case foldSum:
		return x.Sum()
	case foldMean:
		return x.Mean()
	}
	return x
}

// Unfold is the gradient of the loop's result from that of what it is folded into.
func (b *FusedBody) Unfold(g *Tensor) *Tensor {
	if b.fold == foldMean {
		g = g.Div(b.vals[b.outs[0]].fake.numel)
	}
	if b.fold != foldNone {
		g = g.Expand(b.Shape()...)
	}
	return g
}

// total adds the sums of the blocks up.
func (l *fusedLoop) total(dst *Tensor) {
	sum := simd.SumFloat64(l.sums)
	if l.b.fold == foldMean {
		sum /= float64(l.b.vals[l.b.outs[0]].fake.numel)
	}
	if dst.dtype == Float32 {
		Elems[float32](dst)[0] = float32(sum)
	} else {
		Elems[float64](dst)[0] = sum
	}
}

// foldStep adds up what the last step of a block would store; nil where there is no kernel for that.
func (f *fusedCalls) foldStep(s *fusedStep) func() float64 {
	var x [2]*Tensor
	out := f.heads[s.out]
	for i, o := range s.in {
		if o.val < 0 || i == len(x) {
			return nil
		}
		if x[i] = f.heads[o.val]; x[i].dtype != out.dtype || x[i].numel != out.numel || !x[i].Contig() {
			return nil
		}
	}
	switch s.op.Name {
	case "abs":
		return foldOf(x[0], nil, simd.SumAbsFloat32, simd.SumAbsFloat64)
	case "mul":
		return foldOf(x[0], x[1], nil, nil)
	}
	return nil
}

// foldDifference adds up what the last two steps of a block would store, where they make absolute or squared
// differences of two tensors: they are read once. It is nil for others.
func (f *fusedCalls) foldDifference(first, last *fusedStep) func() float64 {
	if first.op.Name != "sub" || first.args[2].kind != unset || len(first.in) != 2 {
		return nil
	}
	for _, o := range last.in {
		if o.val != first.out {
			return nil
		}
	}
	dt, n := last.compute, 0
	var x [2]*Tensor
	for i, o := range first.in {
		if o.val < 0 {
			return nil
		}
		if x[i] = f.heads[o.val]; x[i].dtype != dt || !x[i].Contig() || i > 0 && x[i].numel != n {
			return nil
		}
		n = x[i].numel
	}
	switch {
	case dt != Float32 && dt != Float64:
		return nil
	case last.op.Name == "abs":
		return foldPair(x[0], x[1], simd.SumAbsDiffsFloat32, simd.SumAbsDiffsFloat64)
	case last.op.Name == "mul":
		return foldPair(x[0], x[1], simd.SumSquaredDiffsFloat32, simd.SumSquaredDiffsFloat64)
	}
	return nil
}

// foldPair adds up f32 or f64 of the elements of x and y.
func foldPair(x, y *Tensor, f32 func(x, y []float32) float64, f64 func(x, y []float64) float64) func() float64 {
	if x.dtype == Float32 {
		return func() float64 { return f32(Elems[float32](x), Elems[float32](y)) }
	}
	return func() float64 { return f64(Elems[float64](x), Elems[float64](y)) }
}

// foldOf adds up f32 or f64 of the elements of x, or their products with those of y, which both have the
// same dtype.
func foldOf(x, y *Tensor, f32 func(x []float32) float64, f64 func(x []float64) float64) func() float64 {
	switch {
	case y == nil && x.dtype == Float32:
		return func() float64 { return f32(Elems[float32](x)) }
	case y == nil:
		return func() float64 { return f64(Elems[float64](x)) }
	}
	return foldPair(x, y, simd.DotFloat32, simd.DotFloat64)
}
