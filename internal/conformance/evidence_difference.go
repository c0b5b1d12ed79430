package conformance

import (
	"math"
	"math/cmplx"

	"gotorch/tensor"
)

// judged is how many elements of a gradient differences are taken for: those furthest from the recording.
const judged = 4

// notTheDerivative takes finite differences of the call, in 64 bits, for the elements where a gradient and the
// recorded one differ most. It reports whether these give gotorch's gradient, and not the recorded one.
func (c *opinfoCase) notTheDerivative(ours answer) bool {
	var leaves []int
	for i, x := range ours.inputs {
		if x.RequiresGrad() && x.IsLeaf() {
			leaves = append(leaves, i)
		}
	}
	if len(leaves) != len(c.Grads) || len(ours.grads) != len(c.Grads) {
		return false
	}
	proven := false
	for k, raw := range c.Grads {
		want, err := logicalOf(raw)
		g := ours.grads[k]
		if err != nil || want != nil && g != nil && sameTensor("", g, want) == nil {
			continue
		}
		if g == nil {
			return false
		}
		if want == nil { // no gradient is one of zeros
			if g.CountNonzero().Item() == 0 {
				continue
			}
			want = g.Detach().Mul(0)
		}
		off := g.Detach().Sub(want).Abs().To(tensor.Float64).Flatten()
		off = tensor.Where(off.Isnan(), math.Inf(1), off)
		_, order := off.Topk(min(judged, off.Numel()))
		for _, n := range tensor.Data[int64](order) {
			a, r := g.Flatten().At(int(n)), want.Flatten().At(int(n))
			if near(a, r, tolerances[g.Dtype()]) {
				continue
			}
			slope, err := c.slope(leaves[k], int(n), g.Dtype().IsComplex())
			if err != nil || !judges(slope, complexOf(a), complexOf(r), precision[g.Dtype()].eps) {
				return false
			}
			proven = true
		}
	}
	return proven
}

// judges reports whether a difference quotient is gotorch's gradient a, rounded with precision eps, and not the
// recorded gradient r.
func judges(slope, a, r complex128, eps float64) bool {
	size := max(1, cmplx.Abs(a))
	is := cmplx.Abs(slope-a) <= max(1e-5, 8*eps)*size
	isNot := !(cmplx.Abs(slope-r) <= 4*max(1e-5, 8*eps)*max(cmplx.Abs(r), cmplx.Abs(slope)))
	return is && isNot
}

// slope is the derivative of the results, weighted by the recorded cotangents, by element n of an input; by its real
// and its imaginary part if it is complex.
func (c *opinfoCase) slope(input, n int, isComplex bool) (complex128, error) {
	re, err := c.slopeAlong(input, n, 1)
	if err != nil || !isComplex {
		return complex(re, 0), err
	}
	im, err := c.slopeAlong(input, n, 1i)
	return complex(re, im), err
}

// slopeAlong is the central difference quotient along a direction.
func (c *opinfoCase) slopeAlong(input, n int, direction complex128) (float64, error) {
	const h = 1e-5
	up, err := c.weighted(input, n, h*direction)
	if err != nil {
		return 0, err
	}
	down, err := c.weighted(input, n, -h*direction)
	return (up - down) / (2 * h), err
}

// weighted is the sum of the results times the conjugates of the recorded cotangents, by being added to element n of
// an input.
func (c *opinfoCase) weighted(input, n int, by complex128) (float64, error) {
	a, err := c.perform(true, func(inputs []*tensor.Tensor) {
		x := inputs[input].Detach()
		at := make([]int, x.Dim())
		for d, k := x.Dim()-1, n; d >= 0; d-- {
			at[d], k = k%x.Size(d), k/x.Size(d)
		}
		if z := complexOf(x.At(at...)) + by; x.Dtype().IsComplex() {
			x.Set(z, at...)
		} else {
			x.Set(real(z), at...)
		}
	})
	if err != nil {
		return 0, err
	}
	sum, k := 0.0, 0
	for _, o := range a.out {
		y, ok := o.(*tensor.Tensor)
		if !ok || !y.RequiresGrad() || k == len(c.Cotangents) {
			continue
		}
		g, err := logicalOf(c.Cotangents[k])
		if err != nil {
			return 0, err
		}
		k++
		sum += real(complexOf(g.To(y.Dtype()).Conj().Mul(y.Detach()).Sum().At()))
	}
	return sum, nil
}
