package nn

import "gotorch/tensor"

// Train runs f in training: dropout drops, and normalization by batches uses and records the statistics of its input.
// It holds for the running goroutine, as autograd.NoGrad does, and for all modules that f calls. Outside of Train
// modules evaluate, so that a model that is only used can never be left in training by mistake.
func Train(f func()) { tensor.InScope(func(s *tensor.Scope) { s.Training = true }, f) }

// Eval runs f in evaluation, inside a Train.
func Eval(f func()) { tensor.InScope(func(s *tensor.Scope) { s.Training = false }, f) }

// Training reports whether the running goroutine is inside a Train.
func Training() bool {
	s := tensor.CurrentScope()
	return s != nil && s.Training
}
