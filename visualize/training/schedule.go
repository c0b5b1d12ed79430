package training

import (
	"math"

	"gotorch/tensor"
	"gotorch/visualize/plot"
)

// spans are the numbers of steps that a schedule is drawn for, where nothing else is said: the first after which it
// stands still.
var spans = []int{50, 100, 200, 500, 1000, 2000, 5000, 10000}

// restless is how many steps are drawn of a schedule that never stands still.
const restless = 1000

// Schedule draws the learning rates of a schedule, a function from the step to the rate, as optim.Cosine and its like
// return one; a cell that ends with a schedule shows it this way. Without steps it draws the schedule until it stands
// still: the first of 50, 100, 200, 500, … 10,000 steps after which the rate stays within a hundredth of its range; a
// schedule that never does, such as one that begins again and again, is drawn for 1,000.
//
//	visualize.Schedule(optim.Warmup(10, 0.1, optim.Cosine(0.1, 90)), 100)
//
// Fewer than 2 or more than a million steps panic with a *tensor.Error.
func Schedule(rate func(step int) float64, steps ...int) *plot.Chart {
	const op = "visualize.Schedule"
	if rate == nil {
		panic(tensor.Errorf(op, "the schedule is nil").OnArg("rate"))
	}
	n := 0
	if len(steps) > 0 {
		if n = steps[0]; n < 2 || n > 1_000_000 {
			panic(tensor.Errorf(op, "expected 2 to 1000000 steps, got %d", n).OnArg("steps"))
		}
	} else {
		n = span(rate)
	}
	rates := make([]float64, n)
	for i := range rates {
		rates[i] = rate(i)
	}
	return plot.Plot(rates, "learning rate", plot.Title("learning rate"), plot.XLabel("step"), plot.YLabel("rate"))
}

// span is the number of steps after which a schedule stands still.
func span(rate func(int) float64) int {
	last := spans[len(spans)-1]
	rates := make([]float64, 2*last)
	low, high := math.Inf(1), math.Inf(-1)
	for i := range rates {
		rates[i] = rate(i)
		low, high = min(low, rates[i]), max(high, rates[i])
	}
	still := len(rates) // from here to the end the rate stays where it is
	end := rates[len(rates)-1]
	for still > 0 && math.Abs(rates[still-1]-end) <= (high-low)/100 {
		still--
	}
	for _, n := range spans {
		if still <= n {
			return n
		}
	}
	return restless
}
