//go:build !linux

// Package hugepages does nothing: systems other than Linux choose the size of pages by themselves.
package hugepages

import "unsafe"

// Advise does nothing.
func Advise(unsafe.Pointer, int) {}
