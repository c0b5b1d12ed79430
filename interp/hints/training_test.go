package hints_test

import (
	"context"
	"strings"
	"testing"

	"gotorch/interp"
)

// TestTrainingHints: what users of PyTorch type to train says what to write here.
func TestTrainingHints(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	if _, err := s.Eval(context.Background(), "type Net struct{ FC *nn.Linear }\n"+
		"func (n *Net) Forward(x *Tensor) *Tensor { return n.FC.Forward(x) }\n"+
		"net := &Net{nn.NewLinear(3, 2)}\nmodel := nn.Sequential{net}\nx := Ones(4, 3)\no := optim.NewSGD(net, lr=0.1)\n"+
		"lstm := nn.NewLSTM(3, 4)", nil); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][2]string{
		{"optim.NewAdam(net.Parameters(), lr=1e-3)", "optim.NewAdam(net, lr=1e-3)"},
		{"model.parameters()", "nn.Params(model) lists"},
		{"net.train()", "nn.Train(func() { … })"},
		{"model.Eval()", "leave it out"},
		{"net.state_dict()", "nn.Save(net, "},
		{"net.LoadStateDict(nil)", "nn.Load(net, "},
		{`net.to("cuda")`, "makes the module there"},
		{"net.zero_grad()", "o.ZeroGrad()"},
		{"net.FC.requires_grad_(false)", "for _, p := range nn.Params(net.FC) { p.Tensor.RequiresGrad_(false) } freezes it"},
		{"net.RequiresGrad_(false)", "for _, p := range nn.Params(net) { p.Tensor.RequiresGrad_(false) } freezes it"},
		{"o.param_groups", "o.Lr() is the rate"},
		{"net.Transformer()", "no field or method"},
		{"y := net(x)", "net.Forward(x)"},
		{"y := model(x)", "model.Forward(x)"},
		{"y := lstm(x)", "lstm.Forward(x)"},
		{"nn.NewReLU()", "nn.ReLU is used as it is"},
		{"criterion := nn.NewCrossEntropyLoss()", "nn.CrossEntropyLoss(input, target) is a function"},
		{"optim.StepLR(o, 5)", "here optim.Step(0.1, 30, 0.5), where the learning rate stands"},
		{"data.TensorDataset(x, x)", "here data.Tensors(x, y)"},
		{"data.Loader(data.Tensors(x, x), batch_size=2)", "it is called batch here"},
		{"data.Loader(data.Tensors(x, x), num_workers=2)", "it is called workers here"},
		{"nn.Softmax(x, dim=1)", "Softmax(x, dim=-1)"},
		{"nn.Parameter(x)", "RequiresGrad_() in a field"},
		{"optim.Adam(net, lr=1e-3)", "undefined: optim.Adam (there is optim.NewAdam)"},
		{"optim.RMSprop(net)", "undefined: optim.RMSprop (there is optim.NewRMSprop)"},
		{"visualize.Histogram(x)", "here visualize.Hist(x)"},
		{"visualize.Imshow(x)", "here visualize.Heatmap(x), or visualize.Image(x)"},
		{"x.parameters()", "a tensor has no"},
	} {
		_, err := s.Eval(context.Background(), row[0], nil)
		if err == nil || !strings.Contains(err.Error(), row[1]) {
			t.Errorf("%s\n  %v, want %s", row[0], err, row[1])
		}
	}
}
