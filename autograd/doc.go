// Package autograd records what operators do to tensors that require grad, and computes gradients by walking the graph backwards.
package autograd
