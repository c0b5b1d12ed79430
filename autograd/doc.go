// Package autograd records what operators do to tensors that require grad, and computes gradients by walking the graph
// backwards.
//
//	x := tensor.Randn(3).RequiresGrad_()
//	x.Exp().Sum().Backward()
//	x.Grad()
//
// Importing the package is enough: it sets the hooks behind the methods of tensors (Backward, GradFn, RequiresGrad_,
// RetainGrad, RegisterHook) and becomes the dispatcher's kernel for the Autograd key. [Grad] returns gradients instead
// of accumulating them, [NoGrad] computes without recording, [Gradcheck] holds gradients against differences, and
// [GradFn] gives the graph to look at.
//
// The parts, one file each: formulas (the derivatives, as data and operators), record (one kernel for every operator),
// node and saved (what a call leaves behind), engine (the walk), views and window (writes through views), leaf, hooks,
// modes, backward (the functions that people call).
package autograd
