package tensor

// Overlaps reports whether x and y have an element in common: whether a write to one can change the other. Tensors
// that share a storage need not: x[:, 0] and x[:, 1] do not overlap.
func Overlaps(x, y *Tensor) bool {
	const op = "overlaps"
	if !SharesStorage(x, y) || x.numel == 0 || y.numel == 0 {
		return false
	}
	x, y = x.distinct(op), y.distinct(op)
	xLo, xHi := x.reach()
	yLo, yHi := y.reach()
	lo, hi := max(xLo, yLo), min(xHi, yHi)
	if lo >= hi || x.dense() && y.dense() {
		return lo < hi
	}
	if x.numel > y.numel {
		x, y = y, x
	}
	mustFit(op, float64(hi-lo)/8)
	has := make([]bool, hi-lo) // the bytes of the common range that x has
	x.bytesWithin(op, lo, hi, func(b int) bool { has[b-lo] = true; return true })
	common := false
	y.bytesWithin(op, lo, hi, func(b int) bool { common = has[b-lo]; return !common })
	return common
}

// distinct is x without the repetitions of expanded dimensions.
func (x *Tensor) distinct(op string) *Tensor {
	shape := x.Shape()
	for i, s := range x.stride {
		if s == 0 {
			shape[i] = 1
		}
	}
	return x.alias(op, shape, x.stride, x.offset)
}

// dense reports whether x has every byte between its first and its last.
func (x *Tensor) dense() bool {
	lo, hi := x.reach()
	return hi-lo == x.numel*x.dtype.Size() && x.Contig()
}

// bytesWithin walks those bytes of x's elements that lie from lo up to hi in the storage.
func (x *Tensor) bytesWithin(op string, lo, hi int, yield func(b int) bool) {
	size, n := x.dtype.Size(), 0
	x.offsets(func(at int) bool {
		if n++; n%4096 == 0 {
			Interrupted(op)
		}
		for b := max(at*size, lo); b < min((at+1)*size, hi); b++ {
			if !yield(b) {
				return false
			}
		}
		return true
	})
}
