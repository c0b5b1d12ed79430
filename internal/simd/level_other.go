//go:build !amd64

package simd

// best is the highest level that the CPU has.
var best = Go
