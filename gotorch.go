// Package gotorch links everything that a Go program wants of gotorch: import _ "gotorch" brings autograd and the
// CPU's kernels. Tensors are in package tensor, keyword arguments in tensor/opt, gradients in autograd, pictures in
// visualize.
package gotorch

import (
	_ "gotorch/autograd"       // derivatives
	_ "gotorch/backends/async" // a device that answers later
	_ "gotorch/backends/cpu"   // kernels
)
