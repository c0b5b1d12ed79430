//go:build !linux

package simd

import "testing"

// guarded returns n elements; guard pages around them exist on Linux only.
func guarded[T any](t testing.TB, n int, front bool) []T { return make([]T, n) }
