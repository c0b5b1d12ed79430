package plot

// nth is the value that would stand at place k if values were sorted. It moves values about (Hoare's selection), so
// that those before place k are at most as great, those after it at least; that takes time in proportion to their
// number, where sorting takes longer. Values hold no NaN.
func nth(values []float64, k int) float64 {
	lo, hi := 0, len(values)-1
	for lo < hi {
		pivot := median3(values[lo], values[lo+(hi-lo)/2], values[hi])
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return values[k]
		}
	}
	return values[k]
}

// median3 is the middle one of three values.
func median3(a, b, c float64) float64 {
	return max(min(a, b), min(max(a, b), c))
}

// sampled is of how many values a percentile is found: of more, a sample of so many stands for all.
const sampled = 100_000

// sample is those of many numbers that can be drawn: of more than some, one from each of as many parts of equal size,
// at changing places.
func sample(list []numbers) (some []float64) {
	count := 0
	for i := range list {
		count += list[i].count()
	}
	k := max(1, count/sampled)
	some = make([]float64, 0, count/k)
	place := uint32(1)
	for i := range list {
		for from := 0; from+k <= list[i].count(); from += k {
			place = place*1664525 + 1013904223 // of Numerical Recipes
			if v := list[i].at(from + int(uint64(place)*uint64(k)>>32)); drawable(v) {
				some = append(some, v)
			}
		}
	}
	return some
}
