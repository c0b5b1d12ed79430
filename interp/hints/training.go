package hints

import (
	"strings"

	"gotorch/internal/lazyre"
)

// Note: what is typed to train. Modules here are structs without a base class, losses are functions, activations are
// values, and a schedule stands where the learning rate does; so PyTorch's methods of modules and its classes have
// other names. The tables say which.

const aDevice = `device="async" in the constructor makes the module there; Devices() lists the devices`

// moduleHints say what to write for a method that PyTorch's modules and optimizers have; X is what it was asked of.
var moduleHints = map[string]string{
	"parameters":                      "nn.Params(X) lists them; optimizers take the module: optim.NewAdam(X, lr=1e-3)",
	"named_parameters":                "nn.Params(X) lists the parameters with their names",
	"state_dict":                      `nn.State(X) has all tensors by name; nn.Save(X, "m.pt") writes them`,
	"load_state_dict":                 `nn.Load(X, "m.pt") reads a file, nn.LoadFrom(X, state) takes tensors`,
	"train":                           "training is a scope: nn.Train(func() { … }) around the calls",
	"eval":                            "outside of nn.Train(func() { … }) modules evaluate: leave it out",
	"forward":                         "X.Forward(x)",
	"requires_grad_":                  "for _, p := range nn.Params(X) { p.Tensor.RequiresGrad_(false) } freezes it",
	"zero_grad":                       "the optimizer does it: o.ZeroGrad()",
	"children":                        "the fields are the children: range over X.Layers, or nn.Params(X)",
	"modules":                         "nn.Summary(X, x) lists the modules with their shapes",
	"apply":                           "for _, p := range nn.Params(X) { … } goes through the parameters",
	"register_buffer":                 "a field of the type nn.Buffer is one",
	"to":                              aDevice,
	"cuda":                            aDevice,
	"cpu":                             aDevice,
	"half":                            "opt.Dtype(Float16) in the constructor makes a module of that dtype",
	"double":                          "opt.Dtype(Float64) in the constructor makes a module of that dtype",
	"param_groups":                    "X.Lr() is the rate; a schedule takes its place: lr=optim.Step(0.1, 30, 0.5)",
	"LR":                              "X.Lr() is the learning rate",
	"generate_square_subsequent_mask": "Full([n, n], math.Inf(-1)).Triu(diagonal=1) is the mask",
}

// trainingNames say what to write for names that PyTorch's packages have, in the case of Go.
var trainingNames = map[string]string{
	"optim.StepLR":                      "optim.Step(0.1, 30, 0.5)" + asRate,
	"optim.MultiStepLR":                 "optim.MultiStep(0.1, 0.5, 30, 80)" + asRate,
	"optim.ExponentialLR":               "optim.Exponential(0.1, 0.95)" + asRate,
	"optim.LinearLR":                    "optim.Linear(0.01, 0.1, 100)" + asRate,
	"optim.CosineAnnealingLR":           "optim.Cosine(0.1, 100)" + asRate,
	"optim.CosineAnnealingWarmRestarts": "optim.CosineRestarts(0.1, 10, 2, 0)" + asRate,
	"optim.OneCycleLR":                  "optim.OneCycle(0.1, 1000)" + asRate,
	"optim.CyclicLR":                    "optim.Cyclic(0.01, 0.1, 20, 20, nil)" + asRate,
	"optim.PolynomialLR":                "optim.Polynomial(0.1, 100, 2)" + asRate,
	"optim.LambdaLR":                    "func(step int) float64 { … }" + asRate,
	"optim.SequentialLR":                "optim.Then(a, 100, b)" + asRate,
	"optim.ReduceLROnPlateau":           "optim.NewPlateau(0.1)",
	"data.TensorDataset":                "data.Tensors(x, y)",
	"data.NewTensorDataset":             "data.Tensors(x, y)",
	"data.DataLoader":                   "data.Loader(set, batch=32, shuffle=true)",
	"data.NewDataLoader":                "data.Loader(set, batch=32, shuffle=true)",
	"data.ConcatDataset":                "data.Concat(a, b)",
	"visualize.Histogram":               "visualize.Hist(x)",
	"visualize.Bar":                     "visualize.Hist(x) of values, visualize.Plot(y) of a list",
	"visualize.Line":                    "visualize.Plot(y)",
	"visualize.Imshow":                  "visualize.Heatmap(x), or visualize.Image(x)",
	"visualize.ImShow":                  "visualize.Heatmap(x), or visualize.Image(x)",
	"nn.Module":                         "a struct with a method Forward",
	"nn.Parameter":                      "Randn(3, 4).RequiresGrad_() in a field",
	"nn.NewParameter":                   "Randn(3, 4).RequiresGrad_() in a field",
	"nn.ModuleList":                     "a slice of modules in a field: []*nn.Linear",
	"nn.NewModuleList":                  "a slice of modules in a field: []*nn.Linear",
	"nn.ClipGradNorm_":                  "optim.ClipGradNorm_(model, 1.0)",
	"nn.ClipGradNorm":                   "optim.ClipGradNorm_(model, 1.0)",
	"nn.Softmax":                        "Softmax(x, dim=-1), or the module nn.NewSoftmax(-1)",
	"nn.LogSoftmax":                     "LogSoftmax(x, dim=-1), or the module nn.NewLogSoftmax(-1)",
	"nn.Dropout2d":                      "nn.NewDropout2d(0.5)",
}

const asRate = ", where the learning rate stands: optim.NewSGD(model, lr=…)"

// loaderKeywords are PyTorch's names of options that are called otherwise here.
var loaderKeywords = map[string]string{
	"batch_size": "batch", "num_workers": "workers", "generator": "seed", "collate_fn": "collate", "n_epochs": "epochs",
}

var trainingHints = []rule{
	{
		line: lazyre.New(`^(\S+)\.(\w+) undefined \(type (\S+) has no field or method \w+`),
		make: func(n Names, m []string) string {
			name := strings.TrimPrefix(m[3], "*")
			say := moduleHints[m[2]]
			if say == "" {
				say = moduleHints[snake(m[2])]
			}
			if say == "" || name == "Tensor" || name == "tensor.Tensor" {
				return ""
			}
			if !strings.Contains(name, ".") && !known(n, name+".Forward") { // a type of a cell's that is no module
				return ""
			}
			return m[1] + " has no " + m[2] + ": " + strings.ReplaceAll(say, "X", m[1])
		},
	},
	{
		line: lazyre.New(`^undefined: nn\.New(\w+)`),
		make: func(n Names, m []string) string {
			name := "nn." + m[1]
			switch {
			case !known(n, name):
				return ""
			case strings.HasSuffix(name, "Loss"):
				return "undefined: nn.New" + m[1] + ": " + name + "(input, target) is a function"
			}
			return "undefined: nn.New" + m[1] + ": " + name + " is used as it is: nn.Sequential{…, " + name + "}"
		},
	},
	{
		line: lazyre.New(`^undefined: (\w+\.\w+)`),
		make: func(n Names, m []string) string {
			if say := trainingNames[m[1]]; say != "" {
				return "undefined: " + m[1] + ": here " + say
			}
			return ""
		},
	},
	{
		line: lazyre.New(`^(\w+) takes no keyword (\w+)`),
		make: func(n Names, m []string) string {
			if say := loaderKeywords[m[2]]; say != "" {
				return m[1] + " takes no keyword " + m[2] + ": it is called " + say + " here"
			}
			return ""
		},
	},
	{
		line: lazyre.New(`^cannot call (\S+) \(\w+ of .*type (\*?nn\.\w+|\*[A-Z]\w*)\): .* is not a function`),
		make: func(n Names, m []string) string {
			return m[1] + " is called by its method: " + m[1] + ".Forward(x)"
		},
	},
}

// snake is a name in Python's case: LoadStateDict is load_state_dict.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if 'A' <= r && r <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}
