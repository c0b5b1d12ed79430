package autograd

import "gotorch/tensor"

// Pooling. Averages are linear: their gradients are operators whose gradients are the averages again.

func init() {
	register(map[string]Formula{
		"nn.functional.max_pool2d_with_indices": {Save: Result1, VJP: maxPoolBackward, Name: "MaxPool2DWithIndicesBackward0"},
		"nn.functional.avg_pool2d": {Name: "AvgPool2DBackward0", VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_avg_pool2d_backward", c.Grad, c.Shape(0), c.Arg(1), c.Arg(2), c.Arg(3), c.Arg(4), c.Arg(5), c.Arg(6))}
		}},
		"_avg_pool2d_backward": {Name: "AvgPool2DBackwardBackward0", VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("nn.functional.avg_pool2d", c.Grad, c.Arg(2), c.Arg(3), c.Arg(4), c.Arg(5), c.Arg(6), c.Arg(7))}
		}},
		"nn.functional.adaptive_avg_pool2d": {Name: "AdaptiveAvgPool2DBackward0", VJP: func(c *Ctx) Grads {
			return Grads{tensor.Private("_adaptive_avg_pool2d_backward", c.Grad, c.Shape(0))}
		}},
		"_adaptive_avg_pool2d_backward": {Name: "AdaptiveAvgPool2DBackwardBackward0", VJP: func(c *Ctx) Grads {
			shape := c.Shape(0)
			return Grads{tensor.AdaptiveAvgPool2d(c.Grad, shape[len(shape)-2:])}
		}},
	})
}

// maxPoolBackward gives each window's gradient to the element that was the greatest.
func maxPoolBackward(c *Ctx) Grads {
	shape := c.Shape(0)
	n := len(shape)
	planes := 1
	for _, s := range shape[:n-2] {
		planes *= s
	}
	per := c.Grad.Numel() / max(planes, 1)
	z := zeros(c.Grad, []int{planes, shape[n-2] * shape[n-1]})
	return Grads{z.ScatterAdd(1, c.Result(1).Reshape(planes, per), c.Grad.Reshape(planes, per)).Reshape(shape...)}
}
