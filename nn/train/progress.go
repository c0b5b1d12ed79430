// Package train shows how training goes while it runs.
//
//	for b := range train.Progress(loader, opt.Epochs(20)) {
//		o.ZeroGrad()
//		nn.CrossEntropyLoss(m.Forward(b.X), b.Y).Backward()
//		o.Step()
//	}
//
// The loop's body needs no other line: the backward passes and the steps of optimizers inside it report to the loop
// that they run in (tensor.Scope.Watch), on the loop's goroutine.
package train

import (
	"fmt"
	"math"
	"strings"

	"gotorch/nn/data"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/visualize/plot"
	"gotorch/visualize/widgets"
)

const op = "train.Progress"

// Observer is what watches a model during training: [visualize.Weights] and [visualize.Gradients] are two.
type Observer interface {
	// Observe is called after a step of an optimizer, with the number of steps that it has done.
	Observe(step int)
}

// Progress ranges over batches as a loader does, and shows a progress bar with the time left, the batches a second,
// the loss (the mean of the last 50 values that Backward was called on), the norm of the gradient and the learning
// rate. In a notebook it is drawn in place, at the prompt it is a line. Leaving the loop by break, a panic or an
// interruption leaves the bar, and everything that was trained, as it was.
//
// Options: opt.Epochs (1: how often to range over the batches), opt.Title (a word before the bar), opt.Plot (true for
// a live plot of the loss, or a plot of visualize.Live to add it to), opt.Watch (an [Observer], or several in a
// []Observer).
func Progress(batches data.Batches, opts ...tensor.Option) data.Batches {
	s := read(opts)
	return func(yield func(data.Batch) bool) {
		w := &watch{settings: s, bar: widgets.NewBar(0, s.words...)}
		defer w.finish()
		tensor.InScope(func(s *tensor.Scope) { s.Watch = w }, func() { w.run(batches, yield) })
	}
}

// settings are the options.
type settings struct {
	epochs    int
	words     []widgets.Option
	live      *plot.LivePlot
	observers []Observer
}

func read(opts []tensor.Option) settings {
	m := tensor.Keywords(op, opts, "epochs", "title", "plot", "watch")
	s := settings{epochs: 1}
	if n, ok := m["epochs"]; ok {
		if s.epochs, ok = n.(int); !ok || s.epochs < 1 {
			panic(tensor.Errorf(op, "argument epochs must be a positive number, not %v", n).OnArg("epochs"))
		}
	}
	if t, ok := m["title"].(string); ok {
		s.words = append(s.words, widgets.Describe(t))
	}
	switch p := m["plot"].(type) {
	case nil:
	case bool:
		if p {
			s.live = plot.Live("loss")
		}
	case *plot.LivePlot:
		s.live = p
	default:
		panic(tensor.Errorf(op, "argument plot is a %T", p).OnArg("plot").
			WithHint("plot=true, or live := visualize.Live(\"loss\") and plot=live"))
	}
	switch v := m["watch"].(type) {
	case nil:
	case Observer:
		s.observers = []Observer{v}
	case []Observer:
		s.observers = v
	default:
		panic(tensor.Errorf(op, "argument watch must have a method Observe(step int), %T has none", v).OnArg("watch").
			WithHint("watch=visualize.Weights(m)"))
	}
	return s
}

// watch is a loop that is shown.
type watch struct {
	settings
	bar    *widgets.Bar
	done   int // batches
	each   int // batches of an epoch, 0 where that is not known
	epoch  int
	begins bool // the loader is about to say how many batches it has

	losses    []series // one for each backward pass of a batch
	pass      int      // backward passes of this batch
	norm, lr  float64
	optimized bool
}

// series is the last values of a loss, and the first.
type series struct {
	first float64
	last  [50]float64
	n     int
}

func (s *series) add(v float64) {
	if s.n == 0 {
		s.first = v
	}
	s.last[s.n%len(s.last)] = v
	s.n++
}

func (s *series) mean() float64 {
	sum, n := 0.0, min(s.n, len(s.last))
	for _, v := range s.last[:n] {
		sum += v
	}
	return sum / float64(n)
}

func (w *watch) run(batches data.Batches, yield func(data.Batch) bool) {
	for whole := true; whole && w.epoch < w.epochs; w.epoch++ {
		w.begins = true
		before := w.done
		batches(func(b data.Batch) bool {
			w.begins, w.pass = false, 0
			if whole = yield(b); whole {
				w.done++
				w.tick()
			}
			return whole
		})
		if whole && w.each == 0 { // samples that come one by one: now their number is known
			w.total(w.done - before)
		}
	}
}

// Batches is told by the loader how many batches there will be.
func (w *watch) Batches(n int) {
	if w.begins && w.each == 0 {
		w.total(n)
	}
	w.begins = false
}

func (w *watch) total(n int) {
	w.each = n
	w.bar.SetTotal(n * w.epochs)
}

// Differentiated is told of each backward pass.
func (w *watch) Differentiated(outputs []*tensor.Tensor) {
	if len(outputs) != 1 || outputs[0].Numel() != 1 || outputs[0].Dtype().IsComplex() {
		return
	}
	var v float64
	if tensor.Try(func() { v = outputs[0].Detach().Item() }) != nil {
		return
	}
	if w.pass == len(w.losses) {
		w.losses = append(w.losses, series{})
	}
	w.losses[w.pass].add(v)
	w.pass++
	if w.live != nil {
		name := "loss"
		if w.pass > 1 {
			name = fmt.Sprintf("loss %d", w.pass)
		}
		w.live.Add(w.losses[w.pass-1].n, name, v)
	}
}

// Stepped is told of each step of an optimizer.
func (w *watch) Stepped(o *optim.Optimizer) {
	if w.lr, w.optimized = o.Groups[0].Lr(o.Steps-1), true; w.bar.Due() {
		w.norm = gradientNorm(o)
	}
	for _, s := range w.observers {
		s.Observe(o.Steps)
	}
}

// gradientNorm is the norm of all gradients, of those that are there.
func gradientNorm(o *optim.Optimizer) float64 {
	sum := 0.0
	for _, g := range o.Groups {
		for _, p := range g.Params {
			if grad := p.Grad(); grad != nil {
				n := grad.Detach().Norm().Item()
				sum += n * n
			}
		}
	}
	return math.Sqrt(sum)
}

func (w *watch) tick() {
	note := ""
	if w.bar.Due() {
		note = w.note(false)
	}
	w.bar.Tick(note)
}

// note is what the loop knows in words; at the end without what changes from step to step.
func (w *watch) note(end bool) string {
	var parts []string
	if w.epochs > 1 && !end {
		parts = append(parts, fmt.Sprintf("epoch %d/%d", w.epoch+1, w.epochs))
	}
	for i := range w.losses {
		s := &w.losses[i]
		name := "loss"
		if len(w.losses) > 1 {
			name = fmt.Sprintf("loss %d", i+1)
		}
		if end && s.n > 1 {
			parts = append(parts, fmt.Sprintf("%s %.4g → %.4g", name, s.first, s.mean()))
		} else {
			parts = append(parts, fmt.Sprintf("%s %.4g", name, s.mean()))
		}
	}
	if w.optimized && !end {
		parts = append(parts, fmt.Sprintf("gradient %.3g  lr %.3g", w.norm, w.lr))
	}
	return strings.Join(parts, "  ")
}

func (w *watch) finish() {
	w.bar.Finish(w.note(true))
	if w.live != nil {
		w.live.Flush()
	}
}
