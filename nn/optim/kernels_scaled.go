package optim

// adagrad: p -= lr·g / (√(sum of all g²) + eps).
func adagradCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	c.a, c.b = lr/(1+float64(s.step-1)*v["lr_decay"]), v["eps"]
}

func adagrad[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	lr, eps, wd, sign := T(c.a), T(c.b), T(c.decay), T(c.sign)
	g, sum := g[:len(p)], s[0][:len(p)]
	for i, x := range p {
		d := sign*g[i] + wd*x
		sum[i] += d * d
		p[i] = x - lr*(d/(sqrt(sum[i])+eps))
	}
}

// adadelta: the steps are scaled by the root of the mean of their own squares over that of the gradients'.
func adadeltaCoefs(v map[string]float64, lr float64, _ *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c = lr, v["rho"], v["eps"]
}

func adadelta[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	lr, rho, eps, rest, wd, sign := T(c.a), T(c.b), T(c.c), T(1-c.b), T(c.decay), T(c.sign)
	g, square, acc := g[:len(p)], s[0][:len(p)], s[1][:len(p)]
	for i, x := range p {
		d := sign*g[i] + wd*x
		square[i] = rho*square[i] + rest*d*d
		step := sqrt(acc[i]+eps) / sqrt(square[i]+eps) * d
		acc[i] = rho*acc[i] + rest*step*step
		p[i] = x - lr*step
	}
}

// rmsprop: p -= lr·g / (√(mean of g²) + eps), centered with the variance in place of the mean of squares.
func rmspropCoefs(v map[string]float64, lr float64, _ *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c, c.d = lr, v["alpha"], v["eps"], v["momentum"]
	c.on, c.also = v["centered"] != 0, v["momentum"] > 0
}

func rmsprop[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	lr, alpha, eps, momentum, rest, wd, sign := T(c.a), T(c.b), T(c.c), T(c.d), T(1-c.b), T(c.decay), T(c.sign)
	g, square := g[:len(p)], s[0][:len(p)]
	var buf, mean []T
	if c.also {
		buf = s[1][:len(p)]
	}
	if c.on {
		mean = s[2][:len(p)]
	}
	for i, x := range p {
		d := sign*g[i] + wd*x
		v := alpha*square[i] + rest*d*d
		square[i] = v
		if c.on {
			mean[i] = alpha*mean[i] + rest*d
			v -= mean[i] * mean[i]
		}
		d /= sqrt(v) + eps
		if c.also {
			buf[i] = momentum*buf[i] + d
			d = buf[i]
		}
		p[i] = x - lr*d
	}
}
