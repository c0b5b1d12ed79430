package nn_test

import (
	"slices"
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

type block struct {
	SelfAttn *nn.Linear
	FC1      nn.Linear
	Scale    T
	Seen     nn.Buffer
	Act      nn.Module
}

func (b *block) Forward(x T) T { return x }

type model struct {
	Layers []nn.Module
	ByName map[string]*block
	Tied   *nn.Linear
	Other  *nn.Linear
	Self   *model
	Skip   *nn.Linear `nn:"-"`
	Called *nn.Linear `nn:"head"`
}

// TestParams walks through everything that can hold a tensor.
func TestParams(t *testing.T) {
	shared := nn.NewLinear(2, 2)
	m := &model{
		Layers: []nn.Module{nn.ReLU, &block{SelfAttn: nn.NewLinear(1, 1, nn.Bias(false)), FC1: *nn.NewLinear(1, 2),
			Seen: nn.Buffer{Tensor: tensor.Zeros(1)}}},
		ByName: map[string]*block{"b": {Scale: tensor.Ones(2)}, "a": {Act: shared}},
		Tied:   shared, Other: shared, Skip: nn.NewLinear(1, 1), Called: nn.NewLinear(1, 1),
	}
	m.Self = m
	want := []string{"layers.1.self_attn.weight", "layers.1.fc1.weight", "layers.1.fc1.bias",
		"by_name.a.act.weight", "by_name.a.act.bias",
		"by_name.b.scale", "head.weight", "head.bias"}
	if got := nn.Params(m).Names(); !slices.Equal(got, want) {
		t.Errorf("parameters\n%q, want\n%q", got, want)
	}
	all := nn.State(m).Names()
	for _, name := range []string{"layers.1.seen", "tied.weight", "other.bias"} {
		if !slices.Contains(all, name) {
			t.Errorf("the state has no %s: %q", name, all)
		}
	}
	p := nn.Params(m)
	if n := p.Numel(); n != 1+2+2+4+2+2+1+1 {
		t.Errorf("%d elements", n)
	}
	p.Freeze()
	if slices.ContainsFunc(p.Tensors(), func(x T) bool { return x.RequiresGrad() }) {
		t.Error("frozen parameters require grad")
	}
	p.Unfreeze()
	if !p.Get("by_name.b.scale").RequiresGrad() {
		t.Error("an unfrozen parameter requires no grad")
	}
	if err := tensor.Try(func() { p.Get("scale") }); err == nil || !strings.Contains(err.Error(), "head.weight") {
		t.Errorf("a wrong name: %v", err)
	}
}

// TestHiddenParams: tensors in a field that reflection cannot read are an error, not a silence.
func TestHiddenParams(t *testing.T) {
	type secret struct{ fc *nn.Linear }
	err := tensor.Try(func() { nn.Params(&secret{nn.NewLinear(1, 1)}) })
	if err == nil || !strings.Contains(err.Error(), "field fc of nn_test.secret") {
		t.Errorf("got %v", err)
	}
	if got := nn.Params(struct{ G *tensor.Generator }{tensor.NewGenerator(1)}); len(got) != 0 {
		t.Errorf("a generator has parameters %v", got)
	}
}

// TestTrainingIsTheScope: dropout and the statistics of batches follow the call, on its goroutine.
func TestTrainingIsTheScope(t *testing.T) {
	x := tensor.Ones(100)
	d := nn.NewDropout(0.5)
	if !tensor.Equal(d.Forward(x), x) {
		t.Error("dropout dropped outside of Train")
	}
	nn.Train(func() {
		if tensor.Equal(d.Forward(x), x) {
			t.Error("dropout dropped nothing inside of Train")
		}
		autograd.NoGrad(func() {
			if !nn.Training() {
				t.Error("an inner scope ends the training")
			}
		})
		nn.Eval(func() {
			if nn.Training() {
				t.Error("Eval trains")
			}
		})
		other := make(chan bool)
		go func() { other <- nn.Training() }()
		if <-other {
			t.Error("another goroutine trains")
		}
	})
	if nn.Training() {
		t.Error("training goes on after Train")
	}
}

// TestErrors: what is wrong is said in terms of the layer.
func TestErrors(t *testing.T) {
	for want, f := range map[string]func(){
		"nn.Linear: the input of shape [2 3] has 3 features, this layer takes 4": func() {
			nn.NewLinear(4,
				1).Forward(tensor.Zeros(2, 3))
		},
		"nn.Flatten":                           func() { nn.NewLinear(12, 1).Forward(tensor.Zeros(2, 3, 4)) },
		"has 1 channels, this layer takes 3":   func() { nn.NewConv2d(3, 1, 1).Forward(tensor.Zeros(2, 1, 4, 4)) },
		"must have 4 dimensions":               func() { nn.NewConv2d(1, 1, 1).Forward(tensor.Zeros(4, 4)) },
		"multiples of 2 groups":                func() { nn.NewConv1d(3, 4, 1, opt.Groups(2)) },
		"kernel_size has 3 sizes, want 1 or 2": func() { nn.NewConv2d(3, 4, []int{1, 2, 3}) },
		"no keyword stride is taken":           func() { nn.NewLinear(3, 4, opt.Stride(2)) },
		"must have 4 dimensions, its shape":    func() { nn.NewBatchNorm2d(3).Forward(tensor.Zeros(2, 3)) },
		"p must be a probability":              func() { nn.NewDropout(1.5) },
		"cannot be divided into 3 groups":      func() { nn.NewGroupNorm(3, 4) },
		"target.ViewAs(input)":                 func() { nn.MSELoss(tensor.Zeros(3, 1), tensor.Zeros(3)) },
		"padding_idx 9 is not among":           func() { nn.NewEmbedding(3, 1, opt.PaddingIdx(9)) },
		"module 1 is nil":                      func() { nn.Sequential{nn.ReLU, nil}.Forward(tensor.Zeros(1)) },
	} {
		err := tensor.Try(f)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestLossWith: options given beforehand yield to those of the call.
func TestLossWith(t *testing.T) {
	x, y := tensor.New([]float64{1, 2}), tensor.New([]float64{0, 0})
	sum := nn.MSELoss.With(opt.Reduction("sum"))
	if got := sum(x, y).Item(); got != 5 {
		t.Errorf("sum %v", got)
	}
	if got := sum(x, y, opt.Reduction("mean")).Item(); got != 2.5 {
		t.Errorf("mean %v", got)
	}
}

// TestRMSNorm holds it against its formula.
func TestRMSNorm(t *testing.T) {
	x := tensor.With(tensor.Float64).Randn(3, 4, 5).RequiresGrad_()
	r := nn.NewRMSNorm([]int{4, 5}, opt.Dtype(tensor.Float64), opt.Eps(1e-6))
	autograd.NoGrad(func() { r.Weight.Mul_(3) })
	want := x.Div(x.Square().Flatten(opt.StartDim(1)).Mean(opt.Dim(1)).Add(1e-6).Sqrt().View(3, 1, 1)).Mul(3)
	if got := r.Forward(x); !tensor.Allclose(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if err := autograd.Gradcheck(func(xs []T) []T { return []T{r.Forward(xs[0])} }, []T{x}); err != nil {
		t.Error(err)
	}
}

// TestParamsOfList: a list keeps its own names, wherever it stands in a model.
func TestParamsOfList(t *testing.T) {
	l := nn.Params(nn.NewSequential(nn.NewLinear(2, 3), nn.Tanh, nn.NewLinear(3, 1)))
	want := []string{"0.weight", "0.bias", "2.weight", "2.bias"}
	if got := nn.Params(l).Names(); !slices.Equal(got, want) {
		t.Errorf("names %q, want %q", got, want)
	}
	in := nn.Params(map[string]nn.ParamList{"a": l[:1], "b": l[3:]}).Names()
	if want := []string{"a.0.weight", "b.2.bias"}; !slices.Equal(in, want) {
		t.Errorf("names in a map %q, want %q", in, want)
	}
}
