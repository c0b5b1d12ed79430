package cpu

import (
	"math"

	"gotorch/tensor"
)

// binomial draws how many of count trials succeed.
func binomial(c *tensor.Call) {
	shape := c.Ret(0).Sizes()
	count, prob := parameters(c, 0, shape), parameters(c, 1, shape)
	fillFrom(c, func(dst []float64) {
		generator(c, 2).Draw(func(s *tensor.Source) {
			for i, n := range count {
				if i%blockSize == 0 {
					tensor.Interrupted(c.Name())
				}
				if !(n >= 0) || n != math.Floor(n) {
					panic(tensor.Errorf(c.Name(), "count must be whole numbers that are not negative, got %g", n))
				}
				checkProbability(c.Name(), prob[i])
				dst[i] = binomialOf(s, n, prob[i])
			}
		})
	})
}

// binomialOf counts the less likely of success and failure.
func binomialOf(s *tensor.Source, n, p float64) float64 {
	switch {
	case n <= 0 || p <= 0:
		return 0
	case p >= 1:
		return n
	case p > 0.5:
		return n - binomialOf(s, n, 1-p)
	case n*p >= 10:
		return binomialByRejection(s, n, p)
	}
	// waits between successes have a geometric distribution
	log, trials, successes := math.Log1p(-p), 0.0, 0.0
	for {
		if trials += math.Ceil(math.Log(s.Float64()) / log); trials > n {
			return successes
		}
		successes++
	}
}

// binomialByRejection is Hörmann's transformed rejection with squeeze ("The generation of binomial random variates",
// 1993), for means of 10 and more.
func binomialByRejection(s *tensor.Source, n, p float64) float64 {
	std := math.Sqrt(n * p * (1 - p))
	b := 1.15 + 2.53*std
	a := -0.0873 + 0.0248*b + 0.01*p
	center, vr := n*p+0.5, 0.92-4.2/b
	odds, alpha := p/(1-p), (2.83+5.1/b)*std
	mode := math.Floor((n + 1) * p)
	for {
		u := s.Float64() - 0.5
		v := s.Float64()
		us := 0.5 - math.Abs(u)
		k := math.Floor((2*a/us+b)*u + center)
		if us >= 0.07 && v <= vr {
			return k
		}
		if k < 0 || k > n {
			continue
		}
		bound := (mode+0.5)*math.Log((mode+1)/(odds*(n-mode+1))) + (n+1)*math.Log((n-mode+1)/(n-k+1)) +
			(k+0.5)*math.Log(odds*(n-k+1)/(k+1)) +
			stirlingTail(mode) + stirlingTail(n-mode) - stirlingTail(k) - stirlingTail(n-k)
		if math.Log(v*alpha/(a/(us*us)+b)) <= bound {
			return k
		}
	}
}

// stirlingTail is what Stirling's formula for log k! leaves: log k! - ((k+½)·log(k+1) - (k+1) + ½·log 2π).
func stirlingTail(k float64) float64 {
	if k <= 9 {
		lg, _ := math.Lgamma(k + 1)
		return lg - ((k+0.5)*math.Log(k+1) - (k + 1) + 0.5*math.Log(2*math.Pi))
	}
	square := (k + 1) * (k + 1)
	return (1.0/12 - (1.0/360-1.0/1260/square)/square) / (k + 1)
}
