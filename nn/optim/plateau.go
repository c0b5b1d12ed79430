package optim

import "math"

// Plateau lowers the learning rate when a loss has not become better for some time: PyTorch's ReduceLROnPlateau. It
// stands where a schedule does, opt.Lr(p), and learns of the loss by Observe.
type Plateau struct {
	Rate      float64 // the learning rate now
	Factor    float64 // what it is multiplied with
	Patience  int     // how many observations without a better loss are waited for
	Cooldown  int     // how many observations after a change are not counted
	Threshold float64 // a loss is better if it is lower by this share
	Least     float64 // the lowest rate

	best      float64
	bad, cool int
	begun     bool
}

// NewPlateau makes a Plateau with PyTorch's numbers: factor 0.1, patience 10, threshold 1e-4.
func NewPlateau(lr float64) *Plateau {
	return &Plateau{Rate: lr, Factor: 0.1, Patience: 10, Threshold: 1e-4}
}

// Lr is the rate, whatever the step.
func (p *Plateau) Lr(int) float64 { return p.Rate }

// Observe takes a loss into account.
func (p *Plateau) Observe(loss float64) {
	if !p.begun {
		p.begun, p.best = true, math.Inf(1)
	}
	if loss < p.best*(1-p.Threshold) {
		p.best, p.bad = loss, 0
	} else {
		p.bad++
	}
	if p.cool > 0 {
		p.cool--
		p.bad = 0
	}
	if p.bad > p.Patience {
		if next := max(p.Rate*p.Factor, p.Least); p.Rate-next > 1e-8 {
			p.Rate = next
		}
		p.cool, p.bad = p.Cooldown, 0
	}
}
