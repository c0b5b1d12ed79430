package programs

import (
	"gotorch/autograd"
	"gotorch/tensor"
)

// Run calls the function with other inputs, of the shapes, dtypes and devices that it was captured with, and returns
// its results. Their backward pass is that of the cut: it keeps the saved values alone and computes the others once
// more. Gradients are those of the function itself, up to rounding. It panics with an *Error that names the guard
// where the inputs are others (see [CapturedProgram.Run]), and where the gradients are to be differentiated again.
func (c *CutProgram) Run(xs ...*tensor.Tensor) []*tensor.Tensor {
	switch {
	case c.joint == nil:
		panic(tensor.Errorf("mincut", "a program that was read from JSON cannot be run"))
	case len(xs) != c.given:
		panic(tensor.Errorf("mincut", "takes %d tensors and is given %d", c.given, len(xs)))
	}
	checked := *c.joint
	checked.inputs, checked.Inputs = c.joint.inputs[:c.given], c.joint.Inputs[:c.given]
	checked.forms = c.joint.forms[:c.given]
	checked.checkInputs(xs)
	return c.function.ApplyAll(append(append([]*tensor.Tensor(nil), xs...), c.captured[c.given:]...)...)
}

// environment has the constants.
func (c *CutProgram) environment() map[ref]*tensor.Tensor {
	env := map[ref]*tensor.Tensor{}
	for x, held := range c.consts {
		env[x] = held
	}
	return env
}

// forward is the forward pass of the custom function: it saves what the cut says.
func (c *CutProgram) forward(s *autograd.Saving, xs ...*tensor.Tensor) []*tensor.Tensor {
	env := c.environment()
	for i, x := range c.inputs {
		env[x] = xs[i]
	}
	c.run(env, inForward)
	for _, x := range c.saved {
		s.Save(env[x])
	}
	ys := make([]*tensor.Tensor, c.outputs)
	for i, id := range c.joint.gives[:c.outputs] {
		ys[i] = env[ref(id)]
	}
	return ys
}

// backward computes once more what was not saved, and the gradients.
func (c *CutProgram) backward(s *autograd.Saving, grads ...*tensor.Tensor) []*tensor.Tensor {
	if autograd.IsGradEnabled() {
		panic(tensor.Errorf("mincut", "the gradients of %s cannot be differentiated again: the values between its inputs "+
			"and its results are not saved", c.Name).WithHint("call the function itself, or autograd.Checkpoint"))
	}
	env := c.environment()
	for i, x := range c.saved {
		env[x] = s.Saved(i)
	}
	for i, id := range c.tangents {
		env[ref(id)] = grads[i]
	}
	c.run(env, again|inBackward)
	out := make([]*tensor.Tensor, len(c.inputs))
	for i, at := range c.grads {
		if at >= 0 {
			out[i] = env[ref(c.joint.gives[at])]
		}
	}
	return out
}

// run calls the steps of a pass in their order.
func (c *CutProgram) run(env map[ref]*tensor.Tensor, pass side) {
	for i, s := range c.joint.replay {
		if pass == inForward {
			c.joint.checkKnownReads(i, env)
		}
		if c.side[i]&pass == 0 {
			continue
		}
		kwargs := map[string]any{}
		for name, v := range s.kwargs {
			kwargs[name] = bound(v, env)
		}
		out, err := tensor.Invoke(s.op, nil, kwargs)
		if err != nil {
			panic(err)
		}
		for k, id := range s.results {
			env[ref(id)] = asTensor(out[k])
		}
	}
}

// checkKnownReads is checkReads for the values that a pass has made.
func (p *CapturedProgram) checkKnownReads(at int, env map[ref]*tensor.Tensor) {
	for _, g := range p.Reads {
		if g.step == at && env[ref(g.id)] == nil {
			return
		}
	}
	p.checkReads(at, env)
}
