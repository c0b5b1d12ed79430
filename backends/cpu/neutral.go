package cpu

import (
	"math"

	"gotorch/tensor"
)

// putNeutral sets x, one element, to what changes nothing when it is combined: 0 for sums and means, 1 for products,
// the least number for maxima and the greatest for minima.
func putNeutral(x *tensor.Tensor, how string) {
	s := tensor.IntScalar(0)
	switch {
	case how == "prod":
		s = tensor.IntScalar(1)
	case how == "amax" && x.Dtype().IsFloatingPoint():
		s = tensor.FloatScalar(math.Inf(-1))
	case how == "amin" && x.Dtype().IsFloatingPoint():
		s = tensor.FloatScalar(math.Inf(1))
	case how == "amax":
		s = tensor.IntScalar(limits[x.Dtype()][0])
	case how == "amin":
		s = tensor.IntScalar(limits[x.Dtype()][1])
	}
	putNumber(x.Ptr(), s, x.Dtype(), x.Dtype())
}

// limits are the least and the greatest integer of each dtype.
var limits = map[tensor.Dtype][2]int64{
	tensor.Bool: {0, 1}, tensor.Uint8: {0, math.MaxUint8}, tensor.Int8: {math.MinInt8, math.MaxInt8},
	tensor.Int16: {math.MinInt16, math.MaxInt16},
	tensor.Int32: {math.MinInt32, math.MaxInt32}, tensor.Int64: {math.MinInt64, math.MaxInt64},
}
