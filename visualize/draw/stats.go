package draw

import (
	"math"

	"gotorch/tensor"
)

// Stats tell about the elements of a real tensor: all of up to maxExact, of more evenly spaced ones.
type Stats struct {
	Min, Max, Mean, Std float64
	NaN, Inf, Zeros     int
	Finite              int // the elements that are neither NaN nor infinite; without any, Min, Max, Mean and Std are 0
	Sampled             int // how many elements were looked at, 0 where that is all
}

const (
	maxExact = 100_000_000
	maxStats = 1 << 16 // of more
	bins     = 16
)

// StatsOf looks at the elements of x and counts them in bins from the least to the greatest. There is nothing to tell
// about fewer than two. A dimension of stride 0 is read once. An interrupt of the cell ends it.
//
// The elements are read twice, by all cores: for the extremes, then for the deviation and the bins, which are between
// them. What the pieces of a tensor say is put together in their order, so that sums do not depend on the cores.
func StatsOf(x *tensor.Tensor) (s *Stats, histogram []int) {
	if x.Numel() < 2 {
		return nil, nil
	}
	e := readerOf(x)
	s = &Stats{Min: math.Inf(1), Max: math.Inf(-1)}
	if e.sampled {
		s.Sampled = len(e.some)
	}
	tallies := make([]Stats, e.pieces())
	e.each(func(k int, part []float64) {
		t := &tallies[k]
		if t.NaN+t.Inf+t.Finite == 0 {
			t.Min, t.Max = math.Inf(1), math.Inf(-1)
		}
		t.count(part)
	})
	for i := range tallies {
		t := &tallies[i]
		s.Min, s.Max = min(s.Min, t.Min), max(s.Max, t.Max)
		s.NaN, s.Inf, s.Zeros, s.Finite = s.NaN+t.NaN, s.Inf+t.Inf, s.Zeros+t.Zeros, s.Finite+t.Finite
	}
	finite := s.Finite == e.count() // none needs to be looked for again
	s.NaN, s.Inf, s.Zeros, s.Finite = s.NaN*e.times, s.Inf*e.times, s.Zeros*e.times, s.Finite*e.times
	if s.Finite == 0 {
		s.Min, s.Max = 0, 0
		return s, nil
	}
	unit := UnitFor(max(math.Abs(s.Min), math.Abs(s.Max)))
	moments, counts := make([]Moments, len(tallies)), make([][bins]int, len(tallies))
	e.each(func(k int, part []float64) {
		if !finite {
			part = finiteOnly(part)
		}
		moments[k].Add(part, unit)
		s.bin(&counts[k], part)
	})
	var all Moments
	histogram = make([]int, bins)
	for k := range moments {
		all.Join(moments[k])
		for i, n := range counts[k] {
			histogram[i] += n
		}
	}
	times := float64(e.times)
	most := func(f float64) float64 { return max(-math.MaxFloat64, min(f, math.MaxFloat64)) }
	s.Mean = most(all.Mean * unit)
	s.Std = most(math.Sqrt(all.Squares*times/max(1, all.Count*times-1)) * unit)
	return s, histogram
}

// count looks at elements for extremes, NaN, infinities and zeros.
func (s *Stats) count(data []float64) {
	lo, hi, zeros, finite := s.Min, s.Max, 0, 0
	for _, v := range data {
		if v-v != 0 { // NaN or infinite
			if v != v {
				s.NaN++
			} else {
				s.Inf++
			}
			continue
		}
		finite++
		if v == 0 {
			zeros++
		}
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	s.Min, s.Max, s.Zeros, s.Finite = lo, hi, s.Zeros+zeros, s.Finite+finite
}

// finiteOnly moves the finite ones of data together.
func finiteOnly(data []float64) []float64 {
	n := 0
	for _, v := range data {
		if v-v == 0 {
			data[n] = v
			n++
		}
	}
	return data[:n]
}

// bin counts finite values in bins from Min to Max.
func (s *Stats) bin(counts *[bins]int, data []float64) {
	least, width := s.Min/2, s.Max/2-s.Min/2 // halved: the range may be more than the largest number
	if !(width > 0) {
		counts[0] += len(data)
		return
	}
	for _, v := range data {
		k := int((v/2 - least) / width * bins)
		counts[max(0, min(bins-1, k))]++
	}
}
