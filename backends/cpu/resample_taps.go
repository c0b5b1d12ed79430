package cpu

import (
	"math"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: resampling. Resizing and padding with elements of the input are separable: along each dimension a result is a
// sum of a few elements, its taps, with weights that depend on where it is alone. Coordinates are computed in the
// tensor's own dtype, the nearest ones in float32, as PyTorch does.

// sampled is how results along one dimension are made: result o is the sum of weight[k]*x[at[k]] for k from o*width
// on. Without weights it is x[at[o]].
type sampled struct {
	in, out, width int
	at             []int32
	weight         []float64
	run            [2]int // results that are elements beside each other: from run[0] on, below run[1]; {} if unknown
}

// taps makes s's tables, weights only if they are wanted. Long ones are worth memory that is used again.
func (s *sampled) taps(op string, weights bool) {
	n := s.out * s.width
	if n < 2*blockLen {
		if s.at = make([]int32, n); weights {
			s.weight = make([]float64, n)
		}
		return
	}
	if s.at = largeBuffer[int32](op, n); weights {
		s.weight = largeBuffer[float64](op, n)
	}
}

// same leaves a dimension of n elements as it is.
func same(n int) sampled {
	s := sampled{in: n, out: n, width: 1, at: make([]int32, n)}
	for i := range s.at {
		s.at[i] = int32(i)
	}
	return s
}

// paddedBy widens n elements by before and after.
func paddedBy(op, mode string, n, before, after int) sampled {
	s := sampled{in: n, out: n + before + after, width: 1}
	s.taps(op, false)
	s.run[0] = max(before, 0)
	s.run[1] = max(s.run[0], min(before+n, s.out))
	for o := s.run[0]; o < s.run[1]; o++ {
		s.at[o] = int32(o - before)
	}
	for o := 0; o < s.out; o++ {
		i := o - before
		switch {
		case i >= 0 && i < n:
			o = s.run[1] - 1
			continue
		case mode == "circular":
			i = (i + n) % n
		case mode == "reflect" && i < 0:
			i = -i
		case mode == "reflect":
			i = 2*(n-1) - i
		default:
			i = min(max(i, 0), n-1)
		}
		s.at[o] = int32(i)
	}
	return s
}

// resized places out results in n elements; a factor of 0 is out/n.
func resized(op, mode string, n, out int, factor float64, corners bool, dt tensor.Dtype) sampled {
	round := func(v float64) float64 { return float64(float32(v)) }
	switch {
	case mode == "nearest" || mode == "nearest-exact":
	case dt == tensor.Float64:
		round = func(v float64) float64 { return v }
	case isHalf(dt):
		round = func(v float64) float64 { return float64(roundTo(dt, float32(v))) }
	}
	scale := round(float64(n) / float64(out))
	if factor > 0 {
		scale = round(1 / factor)
	}
	if corners {
		scale = 0
		if out > 1 {
			scale = round(float64(n-1) / float64(out-1))
		}
	}
	s := sampled{in: n, out: out, width: 2}
	first := 0
	switch mode {
	case "nearest", "nearest-exact":
		s.width = 1
	case "bicubic":
		s.width, first = 4, -1
	}
	s.taps(op, s.width > 1)
	for o := range out {
		place := round(scale * float64(o))
		switch {
		case mode == "nearest-exact":
			place = round(scale * (float64(o) + 0.5))
		case mode != "nearest" && !corners:
			place = round(round(scale*(float64(o)+0.5)) - 0.5)
		}
		if mode != "bicubic" {
			place = max(place, 0)
		}
		base := math.Floor(place)
		for k := range s.width {
			s.at[o*s.width+k] = int32(min(max(int(base)+first+k, 0), n-1))
		}
		if s.width > 1 {
			ws := tapWeights(s.width, round(place-base))
			for k, w := range ws[:s.width] {
				if isHalf(dt) {
					w = float64(roundTo(dt, float32(w)))
				}
				s.weight[o*s.width+k] = w
			}
		}
	}
	return s
}

// tapWeights weighs the neighbours of a place f after the first of them, or the second of four (cubic convolution with
// -3/4).
func tapWeights(width int, f float64) [4]float64 {
	const a = -0.75
	near := func(x float64) float64 { return ((a+2)*x-(a+3))*x*x + 1 }
	far := func(x float64) float64 { return ((a*x-5*a)*x+8*a)*x - 4*a }
	if width == 2 {
		return [4]float64{1 - f, f}
	}
	return [4]float64{far(f + 1), near(f), near(1 - f), far(2 - f)}
}

// spreads is a sampled dimension seen from its elements: element i goes to results to[k] with weight[k], for k from
// start[i] up to start[i+1].
type spreads struct {
	start  []int32
	to     []int32
	weight []float64
}

// transposed turns s around. Results are in their order.
func (s *sampled) transposed() spreads {
	t := spreads{start: make([]int32, s.in+1), to: make([]int32, len(s.at)), weight: make([]float64, len(s.at))}
	for _, i := range s.at {
		t.start[i+1]++
	}
	for i := range s.in {
		t.start[i+1] += t.start[i]
	}
	next := make([]int32, s.in)
	copy(next, t.start)
	for k, i := range s.at {
		t.to[next[i]], t.weight[next[i]] = int32(k/s.width), s.weightOf(k)
		next[i]++
	}
	return t
}

func (s *sampled) weightOf(k int) float64 {
	if s.weight == nil {
		return 1
	}
	return s.weight[k]
}

// tapRow is the row of results of s, for the vector kernel; nil where it has taps too far apart.
func (s *sampled) tapRow() *simd.TapRow {
	return simd.NewTapRow(s.out, s.width, s.in, s.weight != nil, func(j, k int) (simd.Tap, bool) {
		k += j * s.width
		return simd.Tap{At: int(s.at[k]), Weight: float32(s.weightOf(k))}, true
	})
}

// tapRow is the row of elements of t, summed from a row of out results; nil where those of an element are too many or
// too far apart.
func (t *spreads) tapRow(out int) *simd.TapRow {
	most := 1
	for i := range t.start[1:] {
		most = max(most, int(t.start[i+1]-t.start[i]))
	}
	if most > 16 {
		return nil
	}
	return simd.NewTapRow(len(t.start)-1, most, out, true, func(j, k int) (simd.Tap, bool) {
		i := int(t.start[j]) + k
		if i >= int(t.start[j+1]) {
			return simd.Tap{}, false
		}
		return simd.Tap{At: int(t.to[i]), Weight: float32(t.weight[i])}, true
	})
}
