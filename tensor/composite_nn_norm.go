package tensor

import "slices"

// Normalization.

func init() {
	composites(map[string]Kernel{
		"nn.functional.softmin": func(c *Call) {
			x := c.Tensor(0).Neg()
			var opts []Option
			if !c.IsNone(1) {
				opts = append(opts, optDim(c.Int(1)))
			}
			if d := c.Dtype(2); d != NoDtype {
				opts = append(opts, d)
			}
			c.Return(x.Softmax(opts...))
		},
		"nn.functional.layer_norm": func(c *Call) {
			out, _, _ := callLayerNorm(c.Tensor(0), c.Ints(1), c.Tensor(2), c.Tensor(3), c.Float(4))
			c.Return(out)
		},
		"native_layer_norm": func(c *Call) {
			out, mean, rstd := callLayerNorm(c.Tensor(0), c.Ints(1), c.Tensor(2), c.Tensor(3), c.Float(4))
			c.Return(out, mean.Detach(), rstd.Detach())
		},
		"nn.functional.batch_norm": func(c *Call) {
			if x := c.Tensor(0); c.Bool(5) && len(x.shape) > 1 && x.shape[1] > 0 && x.numel/x.shape[1] == 1 {
				panic(Errorf(c.Name(), "expected more than 1 value per channel when training, got input size %v", x.shape))
			}
			out, _, _ := batchNorm(c, c.Tensor(0), c.Tensor(3), c.Tensor(4), c.Tensor(1), c.Tensor(2), c.Bool(5),
				c.Float(6), c.Float(7))
			c.Return(out)
		},
		"native_batch_norm": func(c *Call) {
			c.Return(batchNorm(c, c.Tensor(0), c.Tensor(1), c.Tensor(2), c.Tensor(3), c.Tensor(4), c.Bool(5),
				c.Float(6), c.Float(7)))
		},
		"nn.functional.group_norm":    groupNormBody,
		"nn.functional.instance_norm": instanceNormBody,
		"nn.functional.normalize": func(c *Call) {
			x, p, dim, eps := c.Tensor(0), c.Float(1), c.Int(2), c.Float(3)
			norm := x.Norm(optP(p), optDim(dim), optKeepdim(true)).ClampMin(eps)
			c.Return(x.Div(norm.ExpandAs(x)))
		},
	})
}

// batchNorm is what both batch norms do: in training it also moves the running statistics, in place.
func batchNorm(c *Call, x, weight, bias, runMean, runVar *Tensor, training bool, momentum,
	eps float64) (out, mean, rstd *Tensor) {
	op := c.Name()
	channels := 1
	if len(x.shape) > 1 {
		channels = x.shape[1]
	} else if len(x.shape) == 0 {
		panic(Errorf(op, "the input has no dimensions; the channels are dimension 1"))
	}
	if len(x.shape) == 1 {
		channels = x.shape[0]
		if x.numel > 0 {
			panic(Errorf(op, "expected an input of 2 or more dimensions, got shape %v", x.shape))
		}
	}
	for i, t := range []*Tensor{runMean, runVar, weight, bias} {
		if t != nil && t.numel != channels {
			panic(Errorf(op, "%s should contain %d elements, one for each channel, not %d",
				[]string{"running_mean", "running_var", "weight", "bias"}[i], channels, t.numel))
		}
	}
	if !x.dtype.IsFloatingPoint() {
		panic(Errorf(op, "not implemented for %s", x.dtype))
	}
	if !training {
		if runMean == nil || runVar == nil {
			panic(Errorf(op, "running_mean and running_var must be given in evaluation mode"))
		}
		empty := func() *Tensor { return Alloc(op, []int{0}, x.dtype, x.st.device) }
		return callBatchNormEval(x, weight, bias, runMean, runVar, eps), empty(), empty()
	}
	if len(x.shape) == 1 {
		empty := Alloc(op, []int{0}, x.dtype, x.st.device)
		return x.Clone(), empty, empty
	}
	out, mean, variance := callBatchNorm(x, weight, bias, eps)
	mean, variance = mean.Detach(), variance.Detach()
	Under(0, 1<<KeyAutograd, func() {
		move := func(run, v *Tensor) {
			if run != nil {
				run.Mul_(1 - momentum).Add_(v.To(run.dtype).Mul(momentum))
			}
		}
		move(runMean, mean)
		n := float64(x.numel / max(1, channels))
		move(runVar, variance.Mul(n/(n-1)))
		rstd = variance.To(x.dtype.Accumulate()).Add(eps).Rsqrt().To(x.dtype)
	})
	return out, mean, rstd
}

// groupNormBody is a layer norm over each group of channels.
func groupNormBody(c *Call) {
	x, groups, weight, bias := c.Tensor(0), c.Int(1), c.Tensor(2), c.Tensor(3)
	if len(x.shape) < 2 {
		panic(Errorf(c.Name(), "expected at least 2 dimensions, got shape %v", x.shape))
	}
	n, chans := x.shape[0], x.shape[1]
	if groups <= 0 || chans%groups != 0 {
		panic(Errorf(c.Name(), "expected number of channels in input to be divisible by num_groups, but got input of "+
			"shape %v and num_groups=%d", x.shape, groups))
	}
	per := 1
	for _, s := range x.shape[1:] {
		per *= s
	}
	per /= groups
	flat := x.Reshape(n, groups, per).To(x.dtype.Accumulate()) // half types are rounded once, at the end
	out, _, _ := callLayerNorm(flat, []int{per}, nil, nil, c.Float(4))
	out = out.Reshape(x.shape...)
	c.Return(scaledChannels(c, out, weight, bias).To(x.dtype).Contiguous(x.suggestedFormat()))
}

// scaledChannels multiplies the channels, dimension 1, by weight and adds bias.
func scaledChannels(c *Call, x, weight, bias *Tensor) *Tensor {
	shape := slices.Repeat([]int{1}, len(x.shape))
	shape[1] = x.shape[1]
	for i, t := range []*Tensor{weight, bias} {
		if t != nil && (len(t.shape) != 1 || t.shape[0] != shape[1]) {
			name := []string{"weight", "bias"}[i]
			panic(Errorf(c.Name(), "expected %s to be a vector of size equal to the number of channels in input, but got %s "+
				"of shape %v and input of shape %v", name, name, t.shape, x.shape))
		}
	}
	switch {
	case weight != nil && bias != nil && x.dtype == weight.dtype && x.dtype == bias.dtype:
		return bias.Reshape(shape...).Addcmul(x, weight.Reshape(shape...))
	case weight != nil:
		x = x.Mul(weight.Reshape(shape...))
	}
	if bias != nil {
		x = x.Add(bias.Reshape(shape...))
	}
	return x
}

// instanceNormBody is a batch norm in which every channel of every sample is a channel.
func instanceNormBody(c *Call) {
	x, runMean, runVar := c.Tensor(0), c.Tensor(1), c.Tensor(2)
	if len(x.shape) < 3 {
		panic(Errorf(c.Name(), "expected an input of 3 or more dimensions, got shape %v", x.shape))
	}
	n, chans := x.shape[0], x.shape[1]
	if c.Bool(5) && x.numel == n*chans {
		panic(Errorf(c.Name(), "expected more than 1 spatial element when training, got input size %v", x.shape))
	}
	repeat := func(t *Tensor) *Tensor {
		if t == nil {
			return nil
		}
		return t.Repeat(n)
	}
	mean, variance := repeat(runMean), repeat(runVar)
	shape := append([]int{1, n * chans}, x.shape[2:]...)
	out, _, _ := batchNorm(c, x.Contiguous().View(shape...), repeat(c.Tensor(3)), repeat(c.Tensor(4)), mean, variance,
		c.Bool(5), c.Float(6), c.Float(7))
	if c.Bool(5) {
		Under(0, 1<<KeyAutograd, func() {
			for i, t := range []*Tensor{mean, variance} {
				if t != nil {
					[]*Tensor{runMean, runVar}[i].Copy_(t.View(n, chans).Mean(optDim(0)))
				}
			}
		})
	}
	c.Return(out.View(x.shape...))
}
