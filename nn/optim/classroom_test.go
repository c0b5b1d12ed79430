package optim_test

import (
	"math"
	"os"
	"regexp"
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestClassroom makes the mistakes of the table in docs/training.md: the error of each begins as the table says.
func TestClassroom(t *testing.T) {
	text, err := os.ReadFile("../../docs/training.md")
	if err != nil {
		t.Fatal(err)
	}
	model := func() nn.Sequential { return nn.Sequential{nn.NewLinear(3, 1)} }
	x := tensor.Ones(4, 3)
	rows := map[string]func(){
		"an input of the wrong size": func() { nn.NewLinear(784, 10).Forward(tensor.Zeros(32, 28, 28)) },
		"channels last":              func() { nn.NewConv2d(3, 4, 3).Forward(tensor.Zeros(1, 8, 8, 3)) },
		"`ZeroGrad` forgotten": func() {
			m := model()
			o := optim.NewSGD(m, opt.Lr(0.1))
			for range 2 {
				m.Forward(x).Sum().Backward()
				o.Step()
			}
		},
		"`Backward` forgotten":                           func() { optim.NewSGD(model()).Step() },
		"a loss that is no number":                       func() { model().Forward(x).Backward() },
		"all parameters frozen":                          func() { m := model(); nn.Params(m).Freeze(); optim.NewSGD(m) },
		"target and prediction of shapes that broadcast": func() { nn.MSELoss(model().Forward(x), tensor.Zeros(4)) },
		"NaN or infinity in a gradient": func() {
			m := model()
			o := optim.NewSGD(m)
			m.Forward(x).Mul(math.NaN()).Sum().Backward()
			o.Step()
		},
	}
	for _, m := range regexp.MustCompile("(?m)^\\| (.*?) \\| `(.*?) ?(?:\\.\\.\\..*)?` *(?:names.*)?\\|$").
		FindAllStringSubmatch(string(text), -1) {
		f := rows[m[1]]
		if f == nil {
			continue
		}
		delete(rows, m[1])
		want, _, _ := strings.Cut(m[2], "...")
		if err := tensor.Try(f); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, want %s", m[1], err, want)
		}
	}
	for name := range rows {
		t.Errorf("the table has no %q", name)
	}
}
