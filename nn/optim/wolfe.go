package optim

import (
	"math"

	"gotorch/tensor"
)

// point is what is known of the loss at a step t along a direction.
type point struct {
	t, f, slope float64
	g           *tensor.Tensor
}

const (
	wolfeDecrease  = 1e-4
	wolfeCurvature = 0.9
	wolfeChange    = 1e-9
	wolfeMost      = 25
)

// strongWolfe finds a step that satisfies the strong Wolfe conditions: the loss falls enough and its slope is flat
// enough (Nocedal and Wright, algorithms 3.5 and 3.6, with cubic interpolation as in minFunc). at is the loss and the
// gradient at a step; far is the greatest element of the direction.
func strongWolfe(at func(t float64) (float64, *tensor.Tensor), t, far, f0 float64, g0 *tensor.Tensor, slope0 float64,
	slopeOf func(*tensor.Tensor) float64) (f float64, g *tensor.Tensor, step float64, evals int) {
	look := func(t float64) point {
		f, g := at(t)
		evals++
		return point{t, f, slopeOf(g), g.Clone()}
	}
	start := point{0, f0, slope0, g0.Clone()}
	prev, now := start, look(t)
	var bracket []point
	done := false
	iter := 0
	for ; iter < wolfeMost; iter++ {
		if now.f > f0+wolfeDecrease*now.t*slope0 || iter > 1 && now.f >= prev.f {
			bracket = []point{prev, now}
			break
		}
		if math.Abs(now.slope) <= -wolfeCurvature*slope0 {
			bracket, done = []point{now}, true
			break
		}
		if now.slope >= 0 {
			bracket = []point{prev, now}
			break
		}
		low, high := now.t+0.01*(now.t-prev.t), now.t*10
		next := cubic(prev, now, low, high)
		prev = now
		now = look(next)
	}
	if iter == wolfeMost {
		bracket = []point{start, now}
	}
	low, high := 0, len(bracket)-1
	if len(bracket) == 2 && bracket[0].f > bracket[1].f {
		low, high = 1, 0
	}
	stuck := false
	for !done && iter < wolfeMost {
		lo, hi := math.Min(bracket[0].t, bracket[1].t), math.Max(bracket[0].t, bracket[1].t)
		if (hi-lo)*far < wolfeChange {
			break
		}
		t := cubic(bracket[0], bracket[1], lo, hi)
		// a step that is close to an end for the second time, or at an end, moves inside by a tenth
		eps := 0.1 * (hi - lo)
		if math.Min(hi-t, t-lo) < eps {
			if stuck || t >= hi || t <= lo {
				if math.Abs(t-hi) < math.Abs(t-lo) {
					t = hi - eps
				} else {
					t = lo + eps
				}
				stuck = false
			} else {
				stuck = true
			}
		} else {
			stuck = false
		}
		p := look(t)
		iter++
		if p.f > f0+wolfeDecrease*p.t*slope0 || p.f >= bracket[low].f {
			bracket[high] = p
			if bracket[0].f <= bracket[1].f {
				low, high = 0, 1
			} else {
				low, high = 1, 0
			}
			continue
		}
		if math.Abs(p.slope) <= -wolfeCurvature*slope0 {
			done = true
		} else if p.slope*(bracket[high].t-bracket[low].t) >= 0 {
			bracket[high] = bracket[low]
		}
		bracket[low] = p
	}
	b := bracket[low]
	return b.f, b.g, b.t, evals
}

// cubic is the minimum of the cubic through two points with their slopes, limited to [low, high]; the middle where
// there is none.
func cubic(a, b point, low, high float64) float64 {
	d1 := a.slope + b.slope - 3*(a.f-b.f)/(a.t-b.t)
	square := d1*d1 - a.slope*b.slope
	if !(square >= 0) {
		return (low + high) / 2
	}
	d2 := math.Sqrt(square)
	var t float64
	if a.t <= b.t {
		t = b.t - (b.t-a.t)*((b.slope+d2-d1)/(b.slope-a.slope+2*d2))
	} else {
		t = a.t - (a.t-b.t)*((a.slope+d2-d1)/(a.slope-b.slope+2*d2))
	}
	return math.Min(math.Max(t, low), high)
}
