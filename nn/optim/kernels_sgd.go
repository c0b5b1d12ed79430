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
	eta, keep, mu, wd, sign := T(c.a), T(c.b), T(c.c), T(c.decay), T(c.sign)
	g, ax := g[:len(p)], s[0][:len(p)]
	for i, x := range p {
		d := sign*g[i] + wd*x
		x = x*keep - eta*d
		p[i] = x
		if mu == 1 {
			ax[i] = x
		} else {
			ax[i] += (x - ax[i]) * mu
		}
	}
}

// rprop: the step of each element grows while its gradient keeps its sign, and shrinks when it changes.
func rpropCoefs(v map[string]float64, _ float64, _ *state, c *coefs) {
	common(v, c)
	c.a, c.b, c.c, c.d = v["etaminus"], v["etaplus"], v["least"], v["most"]
}

func rprop[T float](c *coefs, p, g []T, s *[slotsMost][]T) {
	minus, plus, least, most, sign := T(c.a), T(c.b), T(c.c), T(c.d), T(c.sign)
	g, prev, size := g[:len(p)], s[0][:len(p)], s[1][:len(p)]
	for i := range p {
		d, factor := sign*g[i], T(1)
		switch same := d * prev[i]; {
		case same > 0:
			factor = plus
		case same < 0:
			factor, d = minus, 0
		}
		step := min(max(size[i]*factor, least), most)
		size[i], prev[i] = step, d
		switch {
		case d > 0:
			p[i] -= step
		case d < 0:
			p[i] += step
		}
	}
}
