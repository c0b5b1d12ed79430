package interp

import (
	"context"
	"io"
	"strings"
	"testing"

	"gotorch/interp/internal/celltest"
)

// stopper interrupts the cell when it prints.
type stopper struct {
	celltest.Recorder
	stop func()
}

func (s *stopper) Stdout() io.Writer { return s }

func (s *stopper) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "begun") {
		s.stop()
	}
	return s.Out.Write(p)
}

// TestInterruptProgress interrupts a training loop: the error says so, the bar stays as it was, what was trained is
// there, and the loop can go on.
func TestInterruptProgress(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	run(t, s, [2]string{"ManualSeed(0)\nx := Randn(64, 3)\nds := data.Tensors(x, x.Sum(1, keepdim=true))\n" +
		"m := nn.NewLinear(3, 1)\nbefore := m.Weight.Detach().Clone()\no := optim.NewSGD(m, lr=1e-3)\nsteps := 0\n" +
		"var losses []float64", ""})
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	sink := &stopper{stop: cancel}
	_, err := s.Eval(ctx, "l := data.Loader(ds, batch=8, workers=2, shuffle=true)\n"+
		"for b := range train.Progress(l, epochs=1000000) {\n"+
		"\to.ZeroGrad()\n\tloss := nn.MSELoss(m.Forward(b.X), b.Y)\n\tloss.Backward()\n\to.Step()\n"+
		"\tif steps == 20 { fmt.Println(\"begun\") }\n\tsteps++\n\tlosses = append(losses, loss.Item())\n}", sink)
	if err == nil || !strings.Contains(err.Error(), "nterrupted") {
		t.Fatalf("%v", err)
	}
	if got := sink.Out.String(); !strings.Contains(got, "loss") {
		t.Errorf("the bar is gone: %q", got)
	}
	run(t, s, [][2]string{
		{"steps > 0 && steps-len(losses) <= 1", "true"},
		{"Equal(m.Weight, before)", "false"},
		{"m.Weight.Isfinite().All()", "tensor(True)"},
		{"for b := range train.Progress(data.Loader(ds, batch=8), epochs=2) {\n\to.ZeroGrad()\n" +
			"\tloss := nn.MSELoss(m.Forward(b.X), b.Y)\n\tloss.Backward()\n\to.Step()\n" +
			"\tlosses = append(losses, loss.Item())\n}\n" +
			"len(losses)-steps >= 15", "true…"},
	}...)
	if n := s.Goroutines(); n != 0 {
		t.Errorf("%d goroutines of cells are left", n)
	}
}
