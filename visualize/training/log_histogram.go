package training

const bins = 24

// histogram counts the finite values in equal bins from lo to hi, as shares of all.
func histogram(values []float64, lo, hi float64) []float64 {
	h := make([]float64, bins)
	n := 0
	for _, v := range values {
		if v-v != 0 {
			continue
		}
		k := 0
		if hi > lo {
			k = min(int((v-lo)/(hi-lo)*bins), bins-1)
		}
		h[k]++
		n++
	}
	for k := range h {
		h[k] /= float64(max(n, 1))
	}
	return h
}

// spread puts a histogram of m into the bins from lo to hi, which enclose it: each bin's share goes evenly to where it
// lies.
func (m *Moments) spread(lo, hi float64) []float64 {
	out := make([]float64, bins)
	if len(m.Histogram) == 0 {
		return out
	}
	at := func(v float64) float64 { // the place of v in bins
		if hi <= lo {
			return 0
		}
		return (v - lo) / (hi - lo) * bins
	}
	width := (m.Max - m.Min) / bins
	for k, share := range m.Histogram {
		from, to := at(m.Min+float64(k)*width), at(m.Min+float64(k+1)*width)
		if to-from < 1e-9 {
			out[min(int(from), bins-1)] += share
			continue
		}
		for b := max(int(from), 0); b < bins && float64(b) < to; b++ {
			part := min(to, float64(b+1)) - max(from, float64(b))
			out[b] += share * max(part, 0) / (to - from)
		}
	}
	return out
}

// reach is the least and the greatest element at all steps.
func (l *LayerLog) reach() (lo, hi float64) {
	first := true
	for i := range l.Times {
		m := &l.Times[i]
		if len(m.Histogram) == 0 {
			continue
		}
		if first {
			lo, hi, first = m.Min, m.Max, false
		}
		lo, hi = min(lo, m.Min), max(hi, m.Max)
	}
	return lo, hi
}
