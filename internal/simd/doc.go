// Package simd has the vector kernels of the CPU backend: loops over contiguous elements in AVX2 and AVX-512 assembly, with a
// Go function beside each that computes the same and serves every other machine.
//
// Kernels are function variables such as [AddFloat32]. They are set once, when the program starts, to the fastest form that the
// CPU has; the environment variable GOTORCH_CPU=go|avx2|avx512 caps the choice. Slices that a kernel takes have the length of
// dst; they may be dst itself, but must not overlap it otherwise.
//
// A kind of kernel is a family of files: arith.go has the variables and the Go forms, arith_amd64.go the table that binds the
// assembly, gen/arith.go the generator that writes arith_amd64.s and arith_stubs_gen.go with avo, and arith_test.go compares the
// forms. The generator is a module of its own, so that building gotorch needs neither it nor avo.
package simd

//go:generate go -C gen run .
