package draw

import (
	"math"

	"gotorch/tensor"
)

// Stats tell of the elements of a real tensor; of at most maxStats of them.
type Stats struct {
	Min, Max, Mean, Std float64
	NaN, Inf, Zeros     int
	Finite              int // the elements that are neither NaN nor infinite; without any, Min, Max, Mean and Std are 0
	Sampled             int // how many elements were looked at, where that is not all
}

const (
	maxStats = 1 << 16
	bins     = 16
)

// StatsOf looks at the elements of x, at evenly spaced ones where there are very many, and counts them in bins from
// the least to the greatest. There is nothing to tell of fewer than two.
func StatsOf(x *tensor.Tensor) (s *Stats, histogram []int) {
	if x.Numel() < 2 {
		return nil, nil
	}
	step := (x.Numel() + maxStats - 1) / maxStats
	s = &Stats{Min: math.Inf(1), Max: math.Inf(-1)}
	shape := x.Shape()
	index := make([]int, len(shape))
	var values []float64
	for i := 0; i < x.Numel(); i += step {
		for d, rest := len(shape)-1, i; d >= 0; d-- {
			index[d], rest = rest%shape[d], rest/shape[d]
		}
		n, _ := tensor.ScalarOf(x.At(index...))
		v := n.Float()
		switch {
		case math.IsNaN(v):
			s.NaN++
			continue
		case math.IsInf(v, 0):
			s.Inf++
			continue
		case v == 0:
			s.Zeros++
		}
		values = append(values, v)
		s.Min, s.Max = min(s.Min, v), max(s.Max, v)
	}
	if step > 1 {
		s.Sampled = (x.Numel() + step - 1) / step
	}
	if len(values) == 0 {
		s.Min, s.Max, s.Mean = 0, 0, 0
		return s, nil
	}
	s.moments(values)
	return s, s.histogram(values)
}

// moments computes mean and deviation, in units in which squares do not overflow.
func (s *Stats) moments(values []float64) {
	s.Finite = len(values)
	unit := 1.0
	if m := max(math.Abs(s.Min), math.Abs(s.Max)); m > 1e150 {
		unit = m
	}
	n := float64(len(values))
	mean, dev := 0.0, 0.0
	for _, v := range values {
		mean += v / unit / n
	}
	for _, v := range values {
		dev += (v/unit - mean) * (v/unit - mean)
	}
	most := func(f float64) float64 { return max(-math.MaxFloat64, min(f, math.MaxFloat64)) }
	s.Mean, s.Std = most(mean*unit), most(math.Sqrt(dev/max(1, n-1))*unit)
}

// histogram counts values in bins from Min to Max.
func (s *Stats) histogram(values []float64) []int {
	out := make([]int, bins)
	width := s.Max/2 - s.Min/2 // halved: it may be more than the largest number
	for _, v := range values {
		k := 0
		if width > 0 {
			k = max(0, min(bins-1, int((v/2-s.Min/2)/width*bins)))
		}
		out[k]++
	}
	return out
}
