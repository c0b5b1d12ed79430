package draw

import (
	"math"
	"slices"

	"gotorch/tensor"
)

// Stats tell about the elements of a real tensor. Min, Max and the counts are of all of up to maxExact elements; Mean,
// Std and the histogram are of at most maxStats of them.
type Stats struct {
	Min, Max, Mean, Std float64
	NaN, Inf, Zeros     int
	Finite              int  // the elements that are neither NaN nor infinite; without any, Min, Max, Mean and Std are 0
	Sampled             int  // how many elements Mean, Std and the histogram are of, 0 where that is all
	Partial             bool // Min, Max and the counts are of those elements too
}

const (
	maxStats = 1 << 16
	maxExact = 100_000_000
	bins     = 16
)

// StatsOf looks at the elements of x and counts evenly spaced ones in bins from the least to the greatest. There is
// nothing to tell about fewer than two. A dimension of stride 0 is read once.
func StatsOf(x *tensor.Tensor) (s *Stats, histogram []int) {
	numel := x.Numel()
	if numel < 2 {
		return nil, nil
	}
	s = &Stats{Min: math.Inf(1), Max: math.Inf(-1)}
	shape, times := slices.Clone(x.Shape()), 1
	for d, stride := range x.Stride() {
		if stride == 0 {
			shape[d], times = 1, times*shape[d]
		}
	}
	distinct := numel / times
	step := (distinct + maxStats - 1) / maxStats
	var values []float64
	switch {
	case distinct <= maxExact && x.Storage().Device() == tensor.CPU:
		n := 0
		inPieces(x, shape, x.StorageOffset(), func(data []float64) {
			s.count(data)
			for ; n < len(data); n += step {
				values = appendFinite(values, data[n])
			}
			n -= len(data)
		})
	default:
		s.Partial = step > 1
		index := make([]int, len(shape))
		var data []float64
		for i := 0; i < distinct; i += step {
			for d, rest := len(shape)-1, i; d >= 0; d-- {
				index[d], rest = rest%shape[d], rest/shape[d]
			}
			n, _ := tensor.ScalarOf(x.At(index...))
			data = append(data, n.Float())
		}
		s.count(data)
		for _, v := range data {
			values = appendFinite(values, v)
		}
	}
	if step > 1 {
		s.Sampled = (distinct + step - 1) / step
	}
	s.NaN, s.Inf, s.Zeros, s.Finite = s.NaN*times, s.Inf*times, s.Zeros*times, s.Finite*times
	if s.Finite == 0 {
		s.Min, s.Max, s.Mean = 0, 0, 0
		return s, nil
	}
	if len(values) == 0 { // none of those that were taken is finite
		values = []float64{s.Min, s.Max}
	}
	s.moments(values, times)
	return s, s.histogram(values)
}

func appendFinite(values []float64, v float64) []float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return values
	}
	return append(values, v)
}

// count looks at elements for extremes, NaN, infinities and zeros.
func (s *Stats) count(data []float64) {
	lo, hi := s.Min, s.Max
	for _, v := range data {
		switch {
		case v-v != 0: // NaN or infinite
			if v != v {
				s.NaN++
			} else {
				s.Inf++
			}
			continue
		case v == 0:
			s.Zeros++
		}
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
		s.Finite++
	}
	s.Min, s.Max = lo, hi
}

// inPieces calls f with the elements of x, row by row, at most some 65,536 at a time. shape may be 1 where x is
// expanded.
func inPieces(x *tensor.Tensor, shape []int, offset int, f func([]float64)) {
	const most = 1 << 16
	strides := x.Stride()
	var walk func(d, offset int)
	walk = func(d, offset int) {
		inner := 1
		for _, n := range shape[d:] {
			inner *= n
		}
		if inner == 0 {
			return
		}
		if inner <= most {
			f(float64s(tensor.FromStorage("card", x.Storage(), shape[d:], strides[d:], offset, x.Dtype())))
			return
		}
		if rest := inner / shape[d]; rest <= most { // several slices at a time
			tensor.Interrupted("card")
			part := slices.Clone(shape[d:])
			for i, n := 0, max(1, most/rest); i < shape[d]; i += n {
				part[0] = min(n, shape[d]-i)
				f(float64s(tensor.FromStorage("card", x.Storage(), part, strides[d:], offset+i*strides[d], x.Dtype())))
			}
			return
		}
		for i := range shape[d] {
			walk(d+1, offset+i*strides[d])
		}
	}
	walk(0, offset)
}

// float64s are the elements of a real tensor, row by row.
func float64s(x *tensor.Tensor) []float64 {
	switch data := tensor.DataOf(x).(type) {
	case []float64:
		return data
	case []float32:
		return widened(data)
	case []uint8:
		return widened(data)
	case []int8:
		return widened(data)
	case []int16:
		return widened(data)
	case []int32:
		return widened(data)
	case []int64:
		return widened(data)
	case []bool:
		return mapped(data, func(b bool) float64 {
			if b {
				return 1
			}
			return 0
		})
	case []tensor.Half:
		return mapped(data, func(h tensor.Half) float64 { return float64(h.Float32()) })
	case []tensor.BF16:
		return mapped(data, func(b tensor.BF16) float64 { return float64(b.Float32()) })
	}
	return tensor.Data[float64](x.To(tensor.Float64))
}

func widened[T float32 | uint8 | int8 | int16 | int32 | int64](data []T) []float64 {
	return mapped(data, func(v T) float64 { return float64(v) })
}

func mapped[T any](data []T, f func(T) float64) []float64 {
	out := make([]float64, len(data))
	for i, v := range data {
		out[i] = f(v)
	}
	return out
}

// moments computes mean and deviation by Welford's method, in units in which squares do not overflow. Of equal values
// the deviation is exactly 0. Each value is that of so many indices.
func (s *Stats) moments(values []float64, times int) {
	unit := 1.0
	if m := max(math.Abs(s.Min), math.Abs(s.Max)); m > 1e150 {
		unit = m
	}
	n := float64(len(values))
	mean, dev := 0.0, 0.0
	for i, v := range values {
		off := v/unit - mean
		mean += off / float64(i+1)
		dev += off * (v/unit - mean)
	}
	most := func(f float64) float64 { return max(-math.MaxFloat64, min(f, math.MaxFloat64)) }
	s.Mean, s.Std = most(mean*unit), most(math.Sqrt(dev*float64(times)/max(1, n*float64(times)-1))*unit)
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
