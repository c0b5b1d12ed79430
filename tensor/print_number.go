package tensor

import (
	"math"
	"strconv"
	"strings"
)

// formatter writes the numbers of one tensor in one width and one notation, found from all that are shown.
type formatter struct {
	float, integers, sci bool // integers: floats without a fraction, written 1.
	precision, width     int
}

func newFormatter(shown []Scalar, float bool, o *PrintOptions) *formatter {
	f := &formatter{float: float, integers: true, precision: o.Precision, width: 1}
	if !float {
		for _, s := range shown {
			f.width = max(f.width, len(s.String()))
		}
		return f
	}
	var finite []float64
	lo, hi := math.Inf(1), 0.0
	for _, s := range shown {
		v := s.f
		if v == 0 || math.IsInf(v, 0) || math.IsNaN(v) {
			continue
		}
		finite = append(finite, v)
		lo, hi = min(lo, math.Abs(v)), max(hi, math.Abs(v))
		f.integers = f.integers && v == math.Ceil(v)
	}
	if len(finite) == 0 {
		return f
	}
	f.sci = hi/lo > 1000 || hi > 1e8 || !f.integers && lo < 1e-4
	if o.SciMode != nil {
		f.sci = *o.SciMode
	}
	for _, v := range finite {
		f.width = max(f.width, len(f.digits(v)))
	}
	return f
}

// digits writes v without padding.
func (f *formatter) digits(v float64) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	case f.sci:
		return strconv.FormatFloat(v, 'e', f.precision, 64)
	case f.integers:
		return strconv.FormatFloat(v, 'f', 0, 64) + "."
	}
	return strconv.FormatFloat(v, 'f', f.precision, 64)
}

// format writes s, padded on the left.
func (f *formatter) format(s Scalar) string {
	var text string
	if f.float {
		text = f.digits(s.f)
	} else {
		text = s.String()
	}
	return strings.Repeat(" ", max(0, f.width-len(text))) + text
}
