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
