package conformance

import (
	"fmt"
	"math"
	"math/cmplx"
	"slices"

	"gotorch/tensor"
)

type tolerance struct{ abs, rel float64 }

// tolerances are PyTorch's own defaults.
var tolerances = map[tensor.Dtype]tolerance{
	tensor.Float64: {1e-7, 1e-7}, tensor.Complex128: {1e-7, 1e-7},
	tensor.Float32: {1e-5, 1.3e-6}, tensor.Complex64: {1e-5, 1.3e-6},
	tensor.Float16: {1e-5, 1e-3}, tensor.Bfloat16: {1e-5, 1.6e-2},
}

// same holds got against what PyTorch answered; it says the first difference in words.
func same(what string, got *tensor.Tensor, want *encoded) error {
	w, err := want.logical()
	if err != nil {
		return err
	}
	return sameTensor(what, got, w)
}

func sameTensor(what string, got, want *tensor.Tensor) error {
	switch {
	case got == nil:
		return fmt.Errorf("%s: nothing, want a tensor of shape %v", what, want.Shape())
	case got.Dtype() != want.Dtype():
		return fmt.Errorf("%s: dtype %s, want %s", what, got.Dtype(), want.Dtype())
	case !slices.Equal(got.Shape(), want.Shape()):
		return fmt.Errorf("%s: shape %v, want %v", what, got.Shape(), want.Shape())
	}
	if got.Device() != tensor.CPU {
		got = got.Detach().Cpu()
	}
	tol := tolerances[got.Dtype()]
	var first error
	eachIndex(got.Shape(), func(ix []int) bool {
		if g, w := got.At(ix...), want.At(ix...); !near(g, w, tol) {
			first = fmt.Errorf("%s%v: %v, want %v", what, ix, g, w)
			return false
		}
		return true
	})
	return first
}

func near(got, want any, tol tolerance) bool {
	if got == want {
		return true
	}
	switch w := want.(type) {
	case float64:
		g := got.(float64)
		if math.IsNaN(w) || math.IsInf(w, 0) {
			return math.IsNaN(w) && math.IsNaN(g) || g == w
		}
		return math.Abs(g-w) <= tol.abs+tol.rel*math.Abs(w)
	case complex128:
		g := got.(complex128)
		if cmplx.IsNaN(w) {
			return cmplx.IsNaN(g)
		}
		if cmplx.IsInf(w) {
			return cmplx.IsInf(g)
		}
		return cmplx.Abs(g-w) <= tol.abs+tol.rel*cmplx.Abs(w)
	}
	return false
}

// eachIndex calls f with every index of shape in row-major order until it gives false.
func eachIndex(shape []int, f func(ix []int) bool) {
	if slices.Contains(shape, 0) {
		return
	}
	ix := make([]int, len(shape))
	for {
		if !f(ix) {
			return
		}
		d := len(shape) - 1
		for ; d >= 0; d-- {
			if ix[d]++; ix[d] < shape[d] {
				break
			}
			ix[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// attempt runs f; a panic of any kind is an error, one that is not a *tensor.Error is marked as a bug.
func attempt(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if e, ok := r.(*tensor.Error); ok {
				err = e
				return
			}
			err = bug{fmt.Errorf("PANIC %v", r)}
		}
	}()
	return f()
}

// bug is a panic that is no *tensor.Error.
type bug struct{ error }
