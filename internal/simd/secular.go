package simd

// SecularPoint is where a secular equation is looked at: Origin + Offset, of which the offset is small and exact. The
// gap to a pole d is (d - Origin - Offset) * (Scale*d + Shift): Scale is 0 and Shift 1 where the equation is one of
// eigenvalues; Scale is 1 and Shift the point where it is one of singular values, which are squared.
type SecularPoint struct {
	Origin, Offset, Scale, Shift float64

	Below, BelowSlope, Above, AboveSlope float64 // sums of z/gap and z/gap² of poles below and above
}

// SecularSums writes the gaps to the poles d, and sums up what they contribute to the equation and to its slope, those
// below the point, whose gaps are negative, and those above.
func SecularSums(gap, d, z []float64, p *SecularPoint) {
	gap, z = gap[:len(d)], z[:len(d)]
	if len(d) == 0 {
		p.Below, p.BelowSlope, p.Above, p.AboveSlope = 0, 0, 0, 0
		return
	}
	secularSums(gap, d, z, p)
}

// SecularWeights multiplies w by gap / ((d - Origin) * (Scale*d + Shift)).
func SecularWeights(w, gap, d []float64, p *SecularPoint) {
	if len(d) > 0 {
		secularWeights(w[:len(d)], gap[:len(d)], d, p)
	}
}

// SecularVector writes z/gap to x and d times that to y, and returns the sums of their squares. Any of these may be
// the same; where x and y are, x is what is written.
func SecularVector(x, y, z, gap, d []float64) (xx, yy float64) {
	n := len(d)
	if n == 0 {
		return 0, 0
	}
	return secularVector(x[:n], y[:n], z[:n], gap[:n], d)
}

var (
	secularSums    = secularSumsGo
	secularWeights = secularWeightsGo
	secularVector  = secularVectorGo
)

func secularSumsGo(gap, d, z []float64, p *SecularPoint) {
	var below, belowSlope, above, aboveSlope float64
	for i, x := range d {
		g := (x - p.Origin - p.Offset) * (p.Scale*x + p.Shift)
		gap[i] = g
		inverse := 1 / g
		t := z[i] * inverse
		if g < 0 {
			below += t
			belowSlope += t * inverse
		} else {
			above += t
			aboveSlope += t * inverse
		}
	}
	p.Below, p.BelowSlope, p.Above, p.AboveSlope = below, belowSlope, above, aboveSlope
}

func secularWeightsGo(w, gap, d []float64, p *SecularPoint) {
	for i, x := range d {
		w[i] *= gap[i] / ((x - p.Origin) * (p.Scale*x + p.Shift))
	}
}

func secularVectorGo(x, y, z, gap, d []float64) (xx, yy float64) {
	for i, e := range d {
		t := z[i] / gap[i]
		xx += t * t
		u := t * e
		yy += u * u
		y[i] = u
		x[i] = t
	}
	return xx, yy
}
