package nn

import (
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Dropout sets elements to 0 with probability P inside [Train], and scales the others by 1/(1-P); elsewhere it returns
// its input. Whole drops whole channels: 1, 2 or 3 dimensions behind them.
type Dropout struct {
	P     float64
	Whole int
	alpha bool
}

func newDropout(op string, p float64, whole int, alpha bool) Dropout {
	if !(p >= 0 && p <= 1) {
		panic(tensor.Errorf(op, "p must be a probability, from 0 to 1, got %v", p))
	}
	return Dropout{p, whole, alpha}
}

// NewDropout drops single elements with probability p.
func NewDropout(p float64) Dropout { return newDropout("nn.Dropout", p, 0, false) }

// NewDropout1d drops whole channels of (batch, channels, length) with probability p.
func NewDropout1d(p float64) Dropout { return newDropout("nn.Dropout1d", p, 1, false) }

// NewDropout2d drops whole channels of (batch, channels, height, width) with probability p.
func NewDropout2d(p float64) Dropout { return newDropout("nn.Dropout2d", p, 2, false) }

// NewDropout3d drops whole channels of (batch, channels, depth, height, width) with probability p.
func NewDropout3d(p float64) Dropout { return newDropout("nn.Dropout3d", p, 3, false) }

// NewAlphaDropout drops elements to the negative saturation of SELU with probability p, which keeps mean and variance
// (Klambauer et al. 2017).
func NewAlphaDropout(p float64) Dropout { return newDropout("nn.AlphaDropout", p, 0, true) }

// NewFeatureAlphaDropout is [NewAlphaDropout] of whole channels.
func NewFeatureAlphaDropout(p float64) Dropout {
	return newDropout("nn.FeatureAlphaDropout", p, 1, true)
}

// Forward drops.
func (d Dropout) Forward(x *tensor.Tensor) *tensor.Tensor {
	p, training := opt.P(d.P), opt.Training(Training())
	switch {
	case d.alpha && d.Whole > 0:
		return tensor.FeatureAlphaDropout(x, p, training)
	case d.alpha:
		return tensor.AlphaDropout(x, p, training)
	}
	switch d.Whole {
	case 1:
		return tensor.Dropout1d(x, p, training)
	case 2:
		return tensor.Dropout2d(x, p, training)
	case 3:
		return tensor.Dropout3d(x, p, training)
	}
	return tensor.Dropout(x, p, training)
}
