package conformance

import (
	"encoding/json"
	"math"
	"math/cmplx"
	"slices"

	"gotorch/tensor"
)

// Note: irreproducible answers. Some recorded answers are not what the operator computes but what the recording
// machine did: the roundings of its loops, memory that was never written, a library that answered zero. A case that
// does not pass is judged by evidence that is computed for it, never by its name or number: the same call in 64 bits,
// or finite differences of it. It still counts as not passed; the summary says how many of these are proven.

// Reasons why an answer cannot be reproduced.
const (
	lostToRounding = "rounding: recorded numbers miss those of 64 bits by more than the tolerance, gotorch's no more"
	overflowed     = "the recording's steps in a half type overflow, where the result is finite"
	blasZero       = "the recording machine's complex dot product answered 0 for sums that are not"
	noDerivative   = "the recorded gradient is not the derivative: finite differences give gotorch's"
)

// slack is how much further from the exact result than the recorded one gotorch's may be, where the recorded one
// misses it by more than the tolerance: both have lost the same digits, and not by the same steps.
const slack = 2

// complexDots are the operators that end in the complex dot product of a BLAS library.
var complexDots = map[string]bool{"dot": true, "vdot": true, "matmul": true, "__rmatmul__": true,
	"linalg.vecdot": true, "inner": true, "linalg.multi_dot": true, "tensordot": true, "einsum": true}

// precision is the distance of 1 from the next number, and how many of these a result may have lost in units of the
// largest number that took part: more than that is no rounding.
var precision = map[tensor.Dtype]struct{ eps, steps float64 }{
	tensor.Bfloat16: {0x1p-7, 8}, tensor.Float16: {0x1p-10, 8},
	tensor.Float32: {0x1p-23, 64}, tensor.Complex64: {0x1p-23, 64},
}

// evidence says why a case that does not pass cannot be reproduced: one of the reasons, or "" if none is proven.
func (c *opinfoCase) evidence() (reason string) {
	if c.Error != nil {
		return ""
	}
	attempt(func() error {
		ours, err := c.perform(false, nil)
		if err != nil {
			return err
		}
		if sameResults(ours.out, c.Out, uninitialized[c.Op]) == nil && c.notTheDerivative(ours) {
			reason = noDerivative
			return nil
		}
		exact, err := c.perform(true, nil)
		if err != nil {
			return err
		}
		reason, err = c.compareWithExact(ours, exact)
		return err
	})
	return reason
}

// triple is a result or gradient as gotorch, 64 bits and the recording have it.
type triple struct{ ours, exact, recorded *tensor.Tensor }

// triples pairs the results and gradients; ok is false where their number, shapes or dtypes differ.
func (c *opinfoCase) triples(ours, exact answer) (all []triple, ok bool) {
	flat, err := flatResults(c.Out)
	if err != nil || len(flat) != len(ours.out) || len(exact.out) != len(ours.out) || len(ours.grads) != len(c.Grads) {
		return nil, false
	}
	add := func(a, b any, raw json.RawMessage) bool {
		want, err := logicalOf(raw)
		if err != nil {
			return false
		}
		x, _ := a.(*tensor.Tensor)
		y, _ := b.(*tensor.Tensor)
		if want == nil || x == nil || y == nil {
			return want == nil && x == nil && y == nil
		}
		if x.Dtype() != want.Dtype() || !slices.Equal(x.Sizes(), want.Sizes()) ||
			!slices.Equal(y.Sizes(), want.Sizes()) {
			return false
		}
		all = append(all, triple{x.Detach(), y.Detach(), want})
		return true
	}
	for i := range flat {
		if !add(ours.out[i], exact.out[i], flat[i]) {
			return nil, false
		}
	}
	for i := range c.Grads {
		if !add(ours.grads[i], exact.grads[i], c.Grads[i]) {
			return nil, false
		}
	}
	return all, true
}

// compareWithExact judges every result that differs from the recording by that of 64 bits.
func (c *opinfoCase) compareWithExact(ours, exact answer) (string, error) {
	all, ok := c.triples(ours, exact)
	if !ok {
		return "", nil
	}
	largest := 0.0
	for _, x := range exact.inputs {
		largest = max(largest, greatest(x))
	}
	for _, raw := range c.Cotangents {
		g, err := logicalOf(raw)
		if err != nil {
			return "", err
		}
		largest = max(largest, greatest(g))
	}
	reason := ""
	for _, t := range all {
		if sameTensor("", t.ours, t.recorded) == nil {
			continue
		}
		r := t.reason(largest, complexDots[c.Op])
		if r == "" {
			return "", nil
		}
		reason = r
	}
	return reason, nil
}

// reason judges one result; largest is the largest number among the arguments.
func (t triple) reason(largest float64, dot bool) string {
	p := precision[t.ours.Dtype()] // zero for 64 bits, where no rounding is excused
	half := p.eps > 0x1p-20
	distance := func(a any, b any) float64 { return cmplx.Abs(complexOf(a) - complexOf(b)) }
	var oursOff, recordedOff float64
	zeros, lost, missed, overflow := t.ours.Dtype().IsComplex(), true, false, false
	eachIndex(t.ours.Shape(), func(ix []int) bool {
		a, e, r := t.ours.At(ix...), t.exact.At(ix...), t.recorded.At(ix...)
		if near(a, r, tolerances[t.ours.Dtype()]) {
			return true
		}
		finite := !math.IsInf(absOf(e), 0) && !math.IsNaN(absOf(e)) && !math.IsInf(absOf(a), 0) && !math.IsNaN(absOf(a))
		if math.IsNaN(absOf(r)) || math.IsInf(absOf(r), 0) || !finite {
			lost, zeros, overflow = lost && finite && half, false, true
			return true
		}
		zeros = zeros && absOf(r) == 0 && absOf(e) != 0
		missed = missed || !near(r, e, tolerances[t.ours.Dtype()])
		oursOff, recordedOff = max(oursOff, distance(a, e)), max(recordedOff, distance(r, e))
		return true
	})
	scale := max(largest, greatest(t.exact))
	within := oursOff <= slack*recordedOff && recordedOff <= p.steps*p.eps*scale
	switch {
	case dot && zeros:
		return blasZero
	case overflow && lost && within:
		return overflowed
	case lost && missed && within:
		return lostToRounding
	}
	return ""
}

// complexOf is a number as Tensor.At gives it.
func complexOf(v any) complex128 {
	s, _ := tensor.ScalarOf(v)
	return s.Complex()
}

func absOf(v any) float64 {
	z := complexOf(v)
	return math.Hypot(real(z), imag(z))
}

// greatest is the greatest absolute value among the finite numbers of x.
func greatest(x *tensor.Tensor) float64 {
	if x == nil || x.Numel() == 0 || !x.Dtype().IsDifferentiable() {
		return 0
	}
	a := x.Detach().Abs().To(tensor.Float64)
	return tensor.Where(a.Isfinite(), a, 0).Amax().Item()
}
