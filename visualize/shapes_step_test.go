package visualize_test

import (
	"strings"
	"testing"

	"gotorch/nn"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize"
	"gotorch/visualize/internal/viewtest"
)

// TestShapesOfStep: the shapes of a step of training are those of its calls; nothing is changed, and its layers are
// folded.
func TestShapesOfStep(t *testing.T) {
	s := viewtest.NewSession(t)
	six := nn.NewTransformerEncoder(nn.NewTransformerEncoderLayer(8, 2, opt.DimFeedforward(16)), 6)
	words := s.Name("words", tensor.Ones(3, 2, 8))
	o := optim.NewAdam(nn.Params(six).Tensors())
	before := nn.Params(six).Tensors()[0].Clone()
	v := visualize.Shapes(func() {
		s.At("In[1]", 1, "")
		o.ZeroGrad()
		s.At("In[1]", 2, "loss")
		loss := six.Forward(words).Square().Mean()
		s.At("In[1]", 3, "")
		loss.Backward()
		s.At("In[1]", 4, "")
		o.Step()
	})
	if v.Error != "" {
		t.Error(v.Error)
	}
	named := []string{}
	for i := range v.Lines {
		if l := &v.Lines[i]; l.Name != "" {
			named = append(named, l.Op+" "+l.Name)
		}
	}
	if got := strings.Join(named, ", "); got != "mean loss" {
		t.Errorf("named: %s", got)
	}
	if !strings.Contains(v.Text(false), "and so 6 times in all") {
		t.Error(v.Text(false))
	}
	if o.Steps != 0 || !tensor.Equal(before, nn.Params(six).Tensors()[0]) || nn.Params(six).Tensors()[0].Grad() != nil {
		t.Errorf("%d steps changed the parameters", o.Steps)
	}
	svg := v.SVG()
	if _, high := pictureExtent(t, svg); high > 1200 || !strings.Contains(svg, "more in the text") {
		t.Errorf("the picture is %d high", high)
	}
	viewtest.CheckForms(t, v)
}
