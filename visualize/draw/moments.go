package draw

import "math"

// Moments are the number of values, their mean, and the sum of the squares of their distances from it, in some unit:
// see [UnitFor]. Of equal values the mean is exactly theirs, and the sum 0.
type Moments struct{ Count, Mean, Squares float64 }

// UnitFor is the unit in which squares of values up to most do not overflow.
func UnitFor(most float64) float64 {
	if most > 1e150 {
		return 0x1p600
	}
	return 1
}

// Add adds finite values, which it divides by unit: where that is not 1, in place.
func (m *Moments) Add(values []float64, unit float64) {
	if len(values) == 0 {
		return
	}
	if unit != 1 {
		for i := range values {
			values[i] /= unit
		}
	}
	// The sum is one of distances from the first value, in four parts, each of which waits for its own additions alone.
	var sum, squares [4]float64
	first, n := values[0], len(values)&^3
	for i := 0; i < n; i += 4 {
		v := values[i : i+4 : i+4]
		sum[0] += v[0] - first
		sum[1] += v[1] - first
		sum[2] += v[2] - first
		sum[3] += v[3] - first
	}
	for _, v := range values[n:] {
		sum[0] += v - first
	}
	one := Moments{Count: float64(len(values))}
	one.Mean = first + (sum[0]+sum[1]+sum[2]+sum[3])/one.Count
	for i := 0; i < n; i += 4 {
		v := values[i : i+4 : i+4]
		a, b, c, d := v[0]-one.Mean, v[1]-one.Mean, v[2]-one.Mean, v[3]-one.Mean
		squares[0] += a * a
		squares[1] += b * b
		squares[2] += c * c
		squares[3] += d * d
	}
	for _, v := range values[n:] {
		squares[0] += (v - one.Mean) * (v - one.Mean)
	}
	one.Squares = squares[0] + squares[1] + squares[2] + squares[3]
	m.Join(one)
}

// Join adds what was found of other values, in the same unit.
func (m *Moments) Join(o Moments) {
	if o.Count == 0 {
		return
	}
	n, off := m.Count+o.Count, o.Mean-m.Mean
	if m.Count == 0 {
		*m = o
		return
	}
	m.Mean += off * o.Count / n
	m.Squares += o.Squares + off*off*m.Count/n*o.Count
	m.Count = n
}

// Std is the deviation of all of the values from their mean, in the unit.
func (m *Moments) Std() float64 { return math.Sqrt(m.Squares / m.Count) }
