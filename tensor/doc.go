// Package tensor is the library beneath gotorch: tensors as PyTorch has them, in Go.
//
// A [Tensor] is a shape, strides and an offset over a [Storage], with a [Dtype] and a [Device]. Its operators are
// methods and functions named as in PyTorch, in Go's case (x.IndexSelect, tensor.LogSoftmax); keyword arguments are
// options of package opt:
//
//	x := tensor.Arange(6).View(2, 3)
//	y := x.Sum(opt.Dim(1), opt.Keepdim(true))
//
// Every operator is one row of the table in package opdef. The generator writes the method, the function, the in-place
// and out forms from it; a call fills a [Call] and goes through the dispatcher, which runs the kernel of the highest
// [Key] of the call: modes such as tracing first, then autograd, then the device's own kernel.
//
// Backends and autograd register themselves when they are imported, as image formats and database drivers do:
//
//	import (
//		_ "gotorch/autograd"
//		_ "gotorch/backends/cpu"
//	)
//
// or simply import _ "gotorch", which imports both. What a caller did wrong panics with an [*Error]; [Try] turns it
// into an error value.
package tensor
