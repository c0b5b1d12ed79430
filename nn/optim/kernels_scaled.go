package optim

// adagrad: p -= lr·g / (√(sum of all g²) + eps).
func adagradCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	c.a, c.b = lr/(1+float64(s.step-1)*v["lr_decay"]), v["eps"]
}

func adagrad[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	lr, eps := T(c.a), T(c.b)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		l.blendSquare(w, s[0], d, 1, 1)
		l.rootStep(w, p, d, s[0], 1, lr, 1, eps)
	})
}

// adadelta: the steps are scaled by the root of the mean of their own squares over that of the gradients'.
func adadeltaCoefs(v map[string]float64, lr float64, _ *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c = lr, v["rho"], v["eps"]
}

func adadelta[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	lr, rho, eps, rest := T(c.a), T(c.b), T(c.c), T(1-c.b)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		square, acc, step := s[0], s[1], w.second[:len(p)]
		l.blendSquare(w, square, d, rho, rest)
		l.rootRatio(w, step, acc, square, d, eps)
		l.blendSquare(w, acc, step, rho, rest)
		l.subScaled(w, p, step, lr)
	})
}

// rmsprop: p -= lr·g / (√(mean of g²) + eps), centered with the variance in place of the mean of squares.
func rmspropCoefs(v map[string]float64, lr float64, _ *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c, c.d = lr, v["alpha"], v["eps"], v["momentum"]
	c.on, c.also = v["centered"] != 0, v["momentum"] > 0
}

func rmsprop[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	lr, alpha, eps, momentum, rest := T(c.a), T(c.b), T(c.c), T(c.d), T(1-c.b)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		square, buf, mean := s[0], s[1], s[2]
		l.blendSquare(w, square, d, alpha, rest)
		if c.on {
			l.blend(w, mean, mean, d, alpha, rest)
			variance := w.second[:len(p)]
			copy(variance, square)
			l.blendSquare(w, variance, mean, 1, -1)
			square = variance
		}
		if !c.also {
			l.rootStep(w, p, d, square, 1, lr, 1, eps)
			return
		}
		l.rootStep(w, buf, d, square, momentum, -1, 1, eps)
		l.subScaled(w, p, buf, lr)
	})
}
