package simd

import "unsafe"

// unary makes a kernel over slices of an assembly routine of one input.
func unary[A, R any](f func(dst, a *byte, n int)) *func(dst []R, a []A) {
	k := func(dst []R, a []A) {
		if n := len(dst); n > 0 {
			f(first(dst), first(a[:n]), n)
		}
	}
	return &k
}

// binary makes a kernel over slices of an assembly routine of two inputs.
func binary[T any](f func(dst, a, b *byte, n int)) *func(dst, a, b []T) {
	k := func(dst, a, b []T) {
		if n := len(dst); n > 0 {
			f(first(dst), first(a[:n]), first(b[:n]), n)
		}
	}
	return &k
}

// first is the address of a slice's first element, for assembly.
func first[T any](s []T) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(s))) }
