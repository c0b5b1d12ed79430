package train_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	_ "gotorch"
	"gotorch/nn"
	"gotorch/nn/data"
	"gotorch/nn/optim"
	"gotorch/nn/train"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/display"
)

// sink is a place for output that keeps it.
type sink struct {
	out   bytes.Buffer
	shown []string
}

func (s *sink) Display(_ string, b display.Bundle) { s.shown = append(s.shown, b.Text(false)) }
func (s *sink) Update(_ string, b display.Bundle)  { s.shown = append(s.shown, b.Text(false)) }
func (s *sink) Clear(bool)                         {}
func (s *sink) Stdout() io.Writer                  { return &s.out }

// host gives code outside a session the sink.
type host struct {
	display.Program
	s *sink
}

func (h host) Sink() display.Sink { return h.s }

func watched(t *testing.T) *sink {
	s := new(sink)
	display.Attach(func() display.Host { return host{s: s} })
	t.Cleanup(func() { display.Attach(nil) })
	return s
}

func model() (nn.Sequential, *optim.Optimizer, data.Batches) {
	tensor.ManualSeed(0)
	m := nn.NewSequential(nn.NewLinear(2, 8), nn.ReLU, nn.NewLinear(8, 3))
	return m, optim.NewSGD(m, opt.Lr(0.1)), data.Loader(data.Spirals(90, 3, opt.Seed(1)), opt.Batch(10))
}

type steps []int

func (s *steps) Observe(step int) { *s = append(*s, step) }

func TestProgress(t *testing.T) {
	s := watched(t)
	m, o, loader := model()
	var seen steps
	n := 0
	for b := range train.Progress(loader, opt.Epochs(3), opt.Title("spirals"), opt.Watch(&seen)) {
		o.ZeroGrad()
		// another loader says nothing about this one
		for range data.Loader(data.Spirals(30, 3, opt.Seed(2)), opt.Batch(15)) {
		}
		nn.CrossEntropyLoss(m.Forward(b.X), b.Y).Backward()
		o.Step()
		n++
	}
	if n != 27 || len(seen) != 27 || seen[26] != 27 {
		t.Errorf("%d batches, seen %v", n, seen)
	}
	for _, part := range []string{"spirals 100%", "27/27", "loss 1.", " → "} {
		if !strings.Contains(s.out.String(), part) {
			t.Errorf("no %s in %q", part, s.out.String())
		}
	}
}

// TestProgressEnds: a loop that ends early, by break or a panic, leaves its bar and no watch behind.
func TestProgressEnds(t *testing.T) {
	s := watched(t)
	m, o, loader := model()
	step := func(b data.Batch) {
		o.ZeroGrad()
		nn.CrossEntropyLoss(m.Forward(b.X), b.Y).Backward()
		o.Step()
	}
	for b := range train.Progress(loader) {
		if step(b); o.Steps == 4 {
			break
		}
	}
	if !strings.Contains(s.out.String(), "3/9") {
		t.Errorf("%q", s.out.String())
	}
	s.out.Reset()
	err := tensor.Try(func() {
		for b := range train.Progress(loader) {
			if step(b); o.Steps == 6 {
				m.Forward(tensor.Ones(3, 5))
			}
		}
	})
	if err == nil || !strings.Contains(s.out.String(), "1/9") {
		t.Errorf("%v %q", err, s.out.String())
	}
	if w := tensor.CurrentScope(); w != nil && w.Watch != nil {
		t.Error("the loop is over and watches")
	}
}

// TestProgressStream: the number of batches of a stream is known after its first epoch.
func TestProgressStream(t *testing.T) {
	s := watched(t)
	_, _, loader := model()
	stream := data.Batches(func(yield func(data.Batch) bool) {
		for b := range loader {
			if !yield(b) {
				return
			}
		}
	})
	for range train.Progress(stream, opt.Epochs(2)) {
	}
	if !strings.Contains(s.out.String(), "18/18") {
		t.Errorf("%q", s.out.String())
	}
	for range train.Progress(func(func(data.Batch) bool) {}) {
		t.Error("an empty loader runs")
	}
}

func TestProgressErrors(t *testing.T) {
	_, _, loader := model()
	for want, f := range map[string]func(){
		"argument epochs":  func() { train.Progress(loader, opt.Epochs(0)) },
		"argument plot":    func() { train.Progress(loader, opt.Plot(3)) },
		"a method Observe": func() { train.Progress(loader, opt.Watch(loader)) },
		"no keyword lr":    func() { train.Progress(loader, opt.Lr(1)) },
	} {
		if err := tensor.Try(f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
