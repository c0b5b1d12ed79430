package autograd

import "gotorch/tensor"

// NoGrad runs f without recording, in the running goroutine: results do not require grad, and leaves can be written
// to.
func NoGrad(f func()) { tensor.Under(0, tensor.Set(tensor.KeyAutograd), f) }

// EnableGrad runs f with recording, inside a NoGrad.
func EnableGrad(f func()) {
	tensor.InScope(func(s *tensor.Scope) { s.Allow(tensor.Set(tensor.KeyAutograd)) }, f)
}

// IsGradEnabled reports whether the running goroutine records.
func IsGradEnabled() bool { return !tensor.Excluded(tensor.KeyAutograd) }
