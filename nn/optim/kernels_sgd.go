package optim

import "math"

// sgd: v = momentum·v + (1-dampening)·g, p -= lr·v; with Nesterov p -= lr·(g + momentum·v).
func sgdCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c = lr, v["momentum"], 1-v["dampening"]
	c.first, c.on, c.also = s.step == 1, v["momentum"] != 0, v["nesterov"] != 0
}

func sgd[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	lr, momentum, damp := T(c.a), T(c.b), T(c.c)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		if !c.on {
			l.subScaled(w, p, d, lr)
			return
		}
		buf := s[0]
		if c.first {
			copy(buf, d)
		} else {
			l.blend(w, buf, buf, d, momentum, damp)
		}
		if c.also {
			l.blend(w, w.tmp[:len(d)], d, buf, 1, momentum)
			l.subScaled(w, p, w.tmp[:len(d)], lr)
			return
		}
		l.subScaled(w, p, buf, lr)
	})
}

// asgd: p decays by lambd·eta, and ax is the mean of all p since step t0.
func asgdCoefs(v map[string]float64, lr float64, s *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c = s.scalars[0], 1-v["lambd"]*s.scalars[0], s.scalars[1]
	t := float64(s.step)
	s.scalars[0] = float64(float32(lr / math.Pow(1+v["lambd"]*lr*t, v["alpha"])))
	s.scalars[1] = float64(float32(1 / max(1, t-v["t0"])))
}

func asgd[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	eta, keep, mu := T(c.a), T(c.b), T(c.c)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		l.blend(w, p, p, d, keep, -eta)
		if mu == 1 {
			copy(s[0], p)
		} else {
			l.blend(w, s[0], s[0], p, 1-mu, mu)
		}
	})
}

// rprop: the step of each element grows while its gradient keeps its sign, and shrinks when it changes.
func rpropCoefs(v map[string]float64, _ float64, _ *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c, c.d = v["etaminus"], v["etaplus"], v["least"], v["most"]
}

func rprop[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	minus, plus, least, most := T(c.a), T(c.b), T(c.c), T(c.d)
	pieces(c, p, g, s, func(l *loops[T], w *scratch[T], p, d []T, s *[slotsMost][]T) {
		l.rprop(w, p, d, s[0], s[1], minus, plus, least, most)
	})
}
