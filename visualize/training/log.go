package training

import (
	"math"

	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// ModelLog is what the parameters of a model, or their gradients, were at some steps of its training. It is a view: a
// cell that ends with it shows it.
type ModelLog struct {
	Kind   string     `json:"kind"` // weights, gradients
	Steps  []int      `json:"steps"`
	Layers []LayerLog `json:"layers"`

	params nn.ParamList
	every  int // Observe takes every so many steps
	calls  int
}

// LayerLog is a parameter over time.
type LayerLog struct {
	Name  string    `json:"name"`
	Shape []int     `json:"shape"`
	Times []Moments `json:"times"` // one for each of the log's steps
}

// Moments are the figures of a tensor at a step. Of elements that are NaN or infinite only the number is known.
type Moments struct {
	Mean      float64   `json:"mean"`
	Std       float64   `json:"std"`
	Min       float64   `json:"min"`
	Max       float64   `json:"max"`
	Norm      float64   `json:"norm"`
	Ratio     float64   `json:"ratio"` // of gradients: their norm by that of the weights
	Strange   int       `json:"strange,omitempty"`
	Missing   bool      `json:"missing,omitempty"` // there is no gradient
	Histogram []float64 `json:"histogram,omitempty"`
}

// Limits of a log.
const (
	maxSteps  = 64
	maxLayers = 24 // that are drawn
	maxSample = 1 << 16
)

// Weights follows the weights of a model while it is trained: a histogram for each parameter and step.
//
//	w := visualize.Weights(m)
//	for b := range train.Progress(loader, opt.Watch(w)) { … }
//	w
//
// It takes the weights as they are now, and then at every call of [ModelLog.Add], or by itself in train.Progress. It
// keeps at most 64 steps: where there are more, every second one is dropped.
func Weights(m any) *ModelLog {
	l := newLog("visualize.Weights", "weights", m)
	l.Add(0)
	return l
}

// Gradients follows the norm of each parameter's gradient while a model is trained, and how large it is beside the
// parameter: layers whose gradients vanish or explode stand out. It is used as [Weights] is; before the first backward
// pass there is nothing to see.
func Gradients(m any) *ModelLog {
	l := newLog("visualize.Gradients", "gradients", m)
	for _, p := range l.params {
		if p.Tensor.Grad() != nil {
			l.Add(0)
			break
		}
	}
	return l
}

func newLog(op, kind string, m any) *ModelLog {
	l := &ModelLog{Kind: kind, params: nn.Params(m), every: 1}
	if len(l.params) == 0 {
		panic(tensor.Errorf(op, "%T has no parameters", m).
			WithHint("a model is a struct with tensors or layers in its fields"))
	}
	for _, p := range l.params {
		l.Layers = append(l.Layers, LayerLog{Name: draw.Tidy(p.Name), Shape: p.Tensor.Shape()})
	}
	return l
}

// Observe takes a step where it is due: every step at first, fewer and fewer as they become many.
func (l *ModelLog) Observe(step int) {
	if l.calls++; l.calls%l.every == 0 {
		l.Add(step)
	}
}

// Add takes the model as it is now, under the number of a step.
func (l *ModelLog) Add(step int) {
	l.Steps = append(l.Steps, step)
	for i, p := range l.params {
		l.Layers[i].Times = append(l.Layers[i].Times, l.momentsOf(p.Tensor))
	}
	if len(l.Steps) < maxSteps {
		return
	}
	l.every *= 2
	l.Steps = thinned(l.Steps)
	for i := range l.Layers {
		l.Layers[i].Times = thinned(l.Layers[i].Times)
	}
}

// thinned drops every second element, and keeps the first.
func thinned[T any](s []T) []T {
	n := 0
	for i := 0; i < len(s); i += 2 {
		s[n] = s[i]
		n++
	}
	clear(s[n:])
	return s[:n]
}

func (l *ModelLog) momentsOf(p *tensor.Tensor) Moments {
	x := p
	if l.Kind == "gradients" {
		if x = p.Grad(); x == nil {
			return Moments{Missing: true}
		}
	}
	m := moments(elements(x), x.Numel())
	if l.Kind == "gradients" {
		if w := moments(elements(p), p.Numel()); w.Norm > 0 {
			m.Ratio = m.Norm / w.Norm
		}
	}
	return m
}

// elements are the elements of x, of many every k-th; of complex numbers the parts.
func elements(x *tensor.Tensor) []float64 {
	x = x.Detach()
	if x.Dtype().IsComplex() {
		x = tensor.ViewAsReal(x)
	}
	x = x.Reshape(-1)
	if n := x.Numel(); n > maxSample {
		x = x.Slice(tensor.NewOption("step", (n+maxSample-1)/maxSample))
	}
	return tensor.Elems[float64](x.To(tensor.Float64).Contiguous())
}

// moments computes the figures of a sample of n elements.
func moments(values []float64, n int) Moments {
	m := Moments{Min: math.Inf(1), Max: math.Inf(-1)}
	sum, squares, count := 0.0, 0.0, 0
	for _, v := range values {
		if v-v != 0 {
			m.Strange++
			continue
		}
		sum, squares, count = sum+v, squares+v*v, count+1
		m.Min, m.Max = min(m.Min, v), max(m.Max, v)
	}
	if count == 0 {
		m.Min, m.Max = 0, 0
		return m
	}
	m.Mean = sum / float64(count)
	for _, v := range values {
		if v-v == 0 {
			m.Std += (v - m.Mean) * (v - m.Mean)
		}
	}
	m.Std = math.Sqrt(m.Std / float64(count))
	m.Norm = math.Sqrt(squares / float64(count) * float64(n))
	m.Histogram = histogram(values, m.Min, m.Max)
	return m
}
