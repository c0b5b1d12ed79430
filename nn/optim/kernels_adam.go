package optim

import "math"

// adam: p -= lr·m̂ / (√v̂ + eps), m̂ and v̂ being the means of g and g² without their bias.
func adamCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	t := float64(s.step)
	c.a, c.b, c.c = v["beta1"], v["beta2"], v["eps"]
	c.d, c.e = lr/(1-math.Pow(c.a, t)), math.Sqrt(1-math.Pow(c.b, t))
	c.f = 1
	c.on = v["amsgrad"] != 0
}

// AdamW shrinks the parameter by itself, and leaves the gradient alone.
func adamWCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	adamCoefs(v, lr, s, c)
	c.f, c.decay = 1-lr*v["weight_decay"], 0
}

func adam[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	b1, b2, r1, r2 := T(c.a), T(c.b), T(1-c.a), T(1-c.b)
	eps, step, root, keep := T(c.c), T(c.d), T(c.e), T(c.f)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		m, v := s[0], s[1]
		l.blend(w, m, m, d, b1, r1)
		l.blendSquare(w, v, d, b2, r2)
		if c.on {
			l.maximum(s[2], v)
			v = s[2]
		}
		l.rootStep(w, p, m, v, keep, step, root, eps)
	})
}

// nadam: Adam with the momentum of the next step.
func nadamCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	t := float64(s.step)
	c.a, c.b, c.c = v["beta1"], v["beta2"], v["eps"]
	mu := c.a * (1 - 0.5*math.Pow(0.96, t*v["momentum_decay"]))
	next := c.a * (1 - 0.5*math.Pow(0.96, (t+1)*v["momentum_decay"]))
	// PyTorch 1.13 keeps the product of momenta in float32, and has mu twice in that of the next step
	s.scalars[0] = float64(float32(s.scalars[0] * mu))
	c.d, c.e = lr*(1-mu)/(1-s.scalars[0]), lr*next/(1-s.scalars[0]*mu*next)
	c.f = 1 - math.Pow(c.b, t)
}

func nadam[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	b1, b2, r1, r2 := T(c.a), T(c.b), T(1-c.a), T(1-c.b)
	eps, now, next, root := T(c.c), T(c.d), T(c.e), T(math.Sqrt(c.f))
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		m, v := s[0], s[1]
		l.blend(w, m, m, d, b1, r1)
		l.blendSquare(w, v, d, b2, r2)
		l.rootStep(w, p, d, v, 1, now, root, eps)
		l.rootStep(w, p, m, v, 1, next, root, eps)
	})
}

// radam: Adam that is not adaptive until the variance of its steps is known well enough.
func radamCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	t := float64(s.step)
	c.a, c.b, c.c = v["beta1"], v["beta2"], v["eps"]
	bias2 := 1 - math.Pow(c.b, t)
	far := 2/(1-c.b) - 1
	rho := far - 2*t*math.Pow(c.b, t)/bias2
	c.d = lr / (1 - math.Pow(c.a, t))
	if c.on = rho > 5; c.on {
		c.d *= math.Sqrt((rho-4)*(rho-2)*far/((far-4)*(far-2)*rho)) * math.Sqrt(bias2)
	}
}

func radam[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	b1, b2, r1, r2, eps, step := T(c.a), T(c.b), T(1-c.a), T(1-c.b), T(c.c), T(c.d)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		m, v := s[0], s[1]
		l.blend(w, m, m, d, b1, r1)
		l.blendSquare(w, v, d, b2, r2)
		if c.on {
			l.rootStep(w, p, m, v, 1, step, 1, eps)
		} else {
			l.subScaled(w, p, m, step)
		}
	})
}

// adamax: Adam with the greatest gradient, which decays, in place of the root of v.
func adamaxCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c = v["beta1"], v["beta2"], v["eps"]
	c.d = lr / (1 - math.Pow(c.a, float64(s.step)))
}

func adamax[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	b1, b2, r1, eps, step := T(c.a), T(c.b), T(1-c.a), T(c.c), T(c.d)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		m, u := s[0], s[1]
		l.blend(w, m, m, d, b1, r1)
		l.decayedMaximum(w, u, d, b2, eps)
		l.divStep(w, p, m, u, step)
	})
}
