package optim

import (
	"math"
	"slices"

	"gotorch/tensor"
)

// Schedule is the learning rate at a step; steps are counted from 0.
type Schedule func(step int) float64

// Constant is always lr.
func Constant(lr float64) Schedule { return func(int) float64 { return lr } }

// Linear goes from from to to in so many steps, and stays there.
func Linear(from, to float64, steps int) Schedule {
	return func(step int) float64 {
		if step >= steps {
			return to
		}
		return from + (to-from)*float64(max(step, 0))/float64(steps)
	}
}

// Step is lr times gamma to the number of times that every steps have gone by.
func Step(lr float64, every int, gamma float64) Schedule {
	if every <= 0 {
		panic(tensor.Errorf("optim.Step", "every must be positive, got %d", every))
	}
	return func(step int) float64 { return lr * math.Pow(gamma, float64(step/every)) }
}

// MultiStep is lr times gamma to the number of milestones that have been reached.
func MultiStep(lr, gamma float64, milestones ...int) Schedule {
	milestones = slices.Sorted(slices.Values(milestones))
	return func(step int) float64 {
		n, _ := slices.BinarySearch(milestones, step+1)
		return lr * math.Pow(gamma, float64(n))
	}
}

// Exponential is lr times gamma to the step.
func Exponential(lr, gamma float64) Schedule {
	return func(step int) float64 { return lr * math.Pow(gamma, float64(step)) }
}

// Cosine falls from lr to least (0 without) along half a cosine wave of so many steps, rises again in as many, and so
// on.
func Cosine(lr float64, steps int, least ...float64) Schedule {
	low := 0.0
	if len(least) > 0 {
		low = least[0]
	}
	return func(step int) float64 { return low + (lr-low)*(1+math.Cos(math.Pi*float64(step)/float64(steps)))/2 }
}

// CosineRestarts falls from lr to least along half a cosine wave of period steps, and begins again, each time with a
// period that is mult times as long (Loshchilov and Hutter 2017).
func CosineRestarts(lr float64, period, mult int, least float64) Schedule {
	if period <= 0 || mult <= 0 {
		panic(tensor.Errorf("optim.CosineRestarts", "period and mult must be positive, got %d and %d", period, mult))
	}
	return func(step int) float64 {
		long := period
		if mult == 1 {
			step %= period
		}
		for step >= long {
			step -= long
			long *= mult
		}
		return least + (lr-least)*(1+math.Cos(math.Pi*float64(step)/float64(long)))/2
	}
}

// Polynomial falls from lr to 0 in so many steps, as the given power of what is left of them.
func Polynomial(lr float64, steps int, power float64) Schedule {
	return func(step int) float64 { return lr * math.Pow(1-float64(min(step, steps))/float64(steps), power) }
}

// Phases are the numbers of [OneCycle]; zero ones are PyTorch's defaults.
type Phases struct {
	Start    float64 // the share of steps in which the rate rises, 0.3
	Div      float64 // the first rate is the greatest by Div, 25
	FinalDiv float64 // the last is the first by FinalDiv, 1e4
	Linear   bool    // along lines, not cosines
	Three    bool    // falls to the first rate as long as it rose, and then on
}

// OneCycle rises from most/25 to most in the first 30 % of the steps, and falls to a ten thousandth of the first rate
// in the others (Smith and Topin 2019).
func OneCycle(most float64, steps int, phases ...Phases) Schedule {
	p := Phases{}
	if len(phases) > 0 {
		p = phases[0]
	}
	for _, d := range []struct {
		v   *float64
		def float64
	}{{&p.Start, 0.3}, {&p.Div, 25}, {&p.FinalDiv, 1e4}} {
		if *d.v == 0 {
			*d.v = d.def
		}
	}
	first := most / p.Div
	last := first / p.FinalDiv
	n := float64(steps)
	type phase struct{ end, from, to float64 }
	list := []phase{{p.Start*n - 1, first, most}, {n - 1, most, last}}
	if p.Three {
		list = []phase{{p.Start*n - 1, first, most}, {2*p.Start*n - 2, most, first}, {n - 1, first, last}}
	}
	return func(step int) float64 {
		begin := 0.0
		for i, f := range list {
			if float64(step) <= f.end || i == len(list)-1 {
				share := min((float64(step)-begin)/(f.end-begin), 1)
				if p.Linear {
					return f.from + (f.to-f.from)*share
				}
				return f.to + (f.from-f.to)/2*(1+math.Cos(math.Pi*share))
			}
			begin = f.end
		}
		return last
	}
}

// Cyclic goes from low to high in up steps and back in down steps, again and again (Smith 2017). scale, which may be
// nil, gives the height of a cycle, counted from 1, and of the step.
func Cyclic(low, high float64, up, down int, scale func(cycle, step int) float64) Schedule {
	if up <= 0 || down <= 0 {
		panic(tensor.Errorf("optim.Cyclic", "up and down must be positive, got %d and %d", up, down))
	}
	all := float64(up + down)
	ratio := float64(up) / all
	return func(step int) float64 {
		cycle := math.Floor(1 + float64(step)/all)
		x := 1 + float64(step)/all - cycle
		height := x / ratio
		if x > ratio {
			height = (x - 1) / (ratio - 1)
		}
		if scale != nil {
			height *= scale(int(cycle), step)
		}
		return low + (high-low)*height
	}
}

// Warmup rises from share·s(0) to s(0) along a line of so many steps, and goes on as s does from its beginning.
func Warmup(steps int, share float64, s Schedule) Schedule {
	return Then(Linear(share*s(0), s(0), steps), steps, s)
}

// Then is a for so many steps, and then b from its beginning.
func Then(a Schedule, steps int, b Schedule) Schedule {
	return func(step int) float64 {
		if step < steps {
			return a(step)
		}
		return b(step - steps)
	}
}

// Scale is s with every rate times the factor that f gives.
func Scale(s Schedule, f Schedule) Schedule {
	return func(step int) float64 { return s(step) * f(step) }
}

// Values are the rates of the first n steps, to be drawn.
func (s Schedule) Values(n int) []float64 {
	tensor.MustFit("optim.Schedule.Values", 8*float64(n))
	out := make([]float64, n)
	for i := range out {
		out[i] = s(i)
	}
	return out
}
