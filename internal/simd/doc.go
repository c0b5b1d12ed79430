// Package simd has the vector kernels of the CPU backend: loops over contiguous elements in AVX2 and AVX-512 assembly,
// with a Go form of each that computes the same and serves every other machine. The fastest form that the CPU has is
// used; the environment variable GOTORCH_CPU=go|avx2|avx512, read when the program starts, caps the choice.
//
// Kernels come in families, each of a few files: NAME.go has the Go forms, gen/NAME.go emits the assembly with avo to
// NAME_amd64.s and NAME_stubs_gen.go. There are two sorts.
//
// Pointwise kernels (arith, divide, compare, cast, math, optim) all have the signature [Func] and are looked up by
// name: Get("add float32"), nil where there is no such kernel. Their assembly is generated from expressions
// (gen/expr.go), and so is NAME_table_amd64.go, which ties it to the names. To add one, define its Go form in NAME.go
// (define1, define2, define3) and add its expression under the same name in gen/NAME.go. TestKernels then compares all
// forms on special values, every tail length and guard pages; nothing else is to be written.
//
// Other kernels are function variables such as [SumFloat32], which NAME_amd64.go binds to a level with pick:
//
//	sum, extremes        folds of a run and of rows that lie side by side
//	norm, softmax        rows of normalizations and of softmax, and their gradients
//	gemm                 micro-kernels of products of matrices and convolutions, [GemmFloat32] and [GemmFloat64]
//	transpose            tiles of transposes
//	window               windows that slide over rows: filters of one channel, maxima, copies of rows, interleaving
//	integers, within     sums of integers, and whether indices are in range
//	finite               whether all elements are numbers
//	rows                 reads of rows by index
//	rotate               rotations of rows, each with the next
//	secular              equations for eigenvalues of a diagonal matrix with one of rank one added
//	taps                 rows of weighted sums of elements by index
//	keys                 sortable keys of floats
//	peak                 products in registers, to measure the machine
//	distance             sums of differences of a point and many
//	value_rows           operations of a row and a value, for many short rows, by the names of pointwise kernels
//	fourier              steps of Fourier transforms of lines side by side, [FourierOf]
//	random               Mersenne Twister, uniform and normal numbers
//
// A new one needs its Go form and variable, its emitter, its line in NAME_amd64.go, and a test that runs under every
// level (eachLevel). kernel.go has the look-up, level.go the levels, gen/main.go the list of families.
//
// Run `go -C internal/simd/gen run . [family…]` after a change in gen. The generator is a module of its own, so that
// building gotorch needs neither it nor avo.
package simd

//go:generate go -C gen run .
