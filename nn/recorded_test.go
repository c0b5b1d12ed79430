package nn_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	_ "gotorch"
	"gotorch/nn"
	inits "gotorch/nn/init"
	"gotorch/nn/internal/recorded"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

type T = *tensor.Tensor

// moduleCase is what nn/testdata/record.py recorded of a module.
type moduleCase struct {
	Seed, Draw int
	Training   bool
	State      [][2]any
	Params     []string
	Inputs     []*recorded.Tensor
	Outputs    []*recorded.Tensor
	InputGrads []*recorded.Tensor `json:"input_grads"`
	Grads      map[string]*recorded.Tensor
	After      [][2]any
}

// made is a module and how it is called.
type made struct {
	m    any
	call func(xs []T) []T
}

func one(m nn.Module) made {
	return made{m, func(xs []T) []T { return []T{m.Forward(xs[0])} }}
}

var modules = map[string]func() made{
	"linear":        func() made { return one(nn.NewLinear(5, 3)) },
	"linear_nobias": func() made { return one(nn.NewLinear(5, 3, nn.Bias(false))) },
	"bilinear": func() made {
		b := nn.NewBilinear(3, 4, 2)
		return made{b, func(xs []T) []T { return []T{b.Forward(xs[0], xs[1])} }}
	},
	"conv1d":          func() made { return one(nn.NewConv1d(4, 6, 3, opt.Stride(2), opt.Padding(1), opt.Groups(2))) },
	"conv1d_circular": func() made { return one(nn.NewConv1d(2, 3, 3, opt.Padding(1), opt.PaddingMode("circular"))) },
	"conv2d": func() made {
		return one(nn.NewConv2d(3, 4, []int{3, 2}, opt.Stride(1, 2), opt.Padding([]int{1, 0}), opt.Dilation(2, 1)))
	},
	"conv2d_same": func() made { return one(nn.NewConv2d(2, 3, 4, opt.Padding("same"))) },
	"conv2d_reflect": func() made {
		return one(nn.NewConv2d(2, 2, 3, opt.Padding([]int{2, 1}), opt.PaddingMode("reflect"), nn.Bias(false)))
	},
	"conv2d_same_replicate": func() made {
		return one(nn.NewConv2d(2, 2, []int{2, 3}, opt.Padding("same"), opt.PaddingMode("replicate")))
	},
	"conv3d": func() made { return one(nn.NewConv3d(2, 3, 2, opt.Stride(2))) },
	"conv_transpose1d": func() made {
		return one(nn.NewConvTranspose1d(3, 4, 3, opt.Stride(2), opt.Padding(1), opt.OutputPadding(1)))
	},
	"conv_transpose2d": func() made {
		return one(nn.NewConvTranspose2d(4, 2, 3, opt.Stride(2), opt.Groups(2), opt.Dilation(2)))
	},
	"conv_transpose3d": func() made { return one(nn.NewConvTranspose3d(2, 2, 2, opt.Stride(2), nn.Bias(false))) },
	"max_pool1d":       func() made { return one(nn.NewMaxPool1d(3, opt.Stride(2), opt.Padding(1))) },
	"max_pool2d":       func() made { return one(nn.NewMaxPool2d(2, opt.CeilMode(true))) },
	"max_pool3d":       func() made { return one(nn.NewMaxPool3d(2, opt.Dilation(2), opt.Stride(1))) },
	"avg_pool1d":       func() made { return one(nn.NewAvgPool1d(2)) },
	"avg_pool2d": func() made {
		return one(nn.NewAvgPool2d(3, opt.Stride(2), opt.Padding(1), opt.CountIncludePad(false)))
	},
	"avg_pool3d":          func() made { return one(nn.NewAvgPool3d(2, opt.DivisorOverride(3))) },
	"adaptive_avg_pool2d": func() made { return one(nn.NewAdaptiveAvgPool2d([]int{2, 3})) },
	"adaptive_max_pool1d": func() made { return one(nn.NewAdaptiveMaxPool1d(3)) },
	"batch_norm1d_train":  func() made { return one(nn.NewBatchNorm1d(3)) },
	"batch_norm1d_eval":   func() made { return one(nn.NewBatchNorm1d(3)) },
	"batch_norm2d_train":  func() made { return one(nn.NewBatchNorm2d(3, opt.Momentum(-1), opt.Eps(1e-3))) },
	"batch_norm2d_notrack": func() made {
		return one(nn.NewBatchNorm2d(3, opt.TrackRunningStats(false), opt.Affine(false)))
	},
	"batch_norm3d_train":     func() made { return one(nn.NewBatchNorm3d(2)) },
	"instance_norm1d":        func() made { return one(nn.NewInstanceNorm1d(3, opt.Affine(true))) },
	"instance_norm2d_single": func() made { return one(nn.NewInstanceNorm2d(3)) },
	"instance_norm2d_track": func() made {
		return one(nn.NewInstanceNorm2d(3, opt.Affine(true), opt.TrackRunningStats(true)))
	},
	"instance_norm3d_eval": func() made { return one(nn.NewInstanceNorm3d(2, opt.TrackRunningStats(true))) },
	"layer_norm":           func() made { return one(nn.NewLayerNorm([]int{3, 4})) },
	"group_norm":           func() made { return one(nn.NewGroupNorm(2, 4)) },
	"local_response_norm":  func() made { return one(nn.NewLocalResponseNorm(3)) },
	"embedding":            func() made { return one(nn.NewEmbedding(7, 3)) },
	"embedding_padding":    func() made { return one(nn.NewEmbedding(7, 3, opt.PaddingIdx(-5))) },
	"embedding_max_norm":   func() made { return one(nn.NewEmbedding(7, 3, opt.MaxNorm(1))) },
	"embedding_bag_mean":   func() made { return one(nn.NewEmbeddingBag(7, 3)) },
	"embedding_bag_sum":    func() made { return one(nn.NewEmbeddingBag(7, 3, opt.Mode("sum"), opt.PaddingIdx(2))) },
	"embedding_bag_max":    func() made { return one(nn.NewEmbeddingBag(7, 3, opt.Mode("max"))) },
	"dropout_eval":         func() made { return one(nn.NewDropout(0.5)) },
	"dropout_train":        func() made { return one(nn.NewDropout(0.3)) },
	"dropout2d_train":      func() made { return one(nn.NewDropout2d(0.4)) },
	"alpha_dropout_train":  func() made { return one(nn.NewAlphaDropout(0.2)) },
	"prelu":                func() made { return one(nn.NewPReLU(opt.NumParameters(3))) },
	"rrelu_eval":           func() made { return one(nn.RReLU) },
	"softmax2d":            func() made { return one(nn.Softmax2d) },
	"gelu_tanh":            func() made { return one(nn.NewGELU("tanh")) },
	"pixel_shuffle":        func() made { return one(nn.NewPixelShuffle(2)) },
	"upsample":             func() made { return one(nn.NewUpsample(opt.ScaleFactor(2), opt.Mode("bilinear"))) },
	"constant_pad2d":       func() made { return one(nn.NewConstantPad2d([]int{1, 2, 0, 1}, 3.5)) },
	"reflection_pad1d":     func() made { return one(nn.NewReflectionPad1d(2)) },
	"sequential": func() made {
		return one(nn.Sequential{nn.NewConv2d(1, 2, 3), nn.NewBatchNorm2d(2), nn.ReLU, nn.Flatten, nn.NewLinear(18, 4)})
	},
}

// tolerance is that of float32 after a few operators that add up in another order than PyTorch's.
const tolerance = 2e-6

// normalTolerance is that of normal draws: PyTorch computes logarithm and cosine of 16 and more of them in float32.
const normalTolerance = 1e-7

// TestModules holds every module against PyTorch: names and bits of the state, outputs, gradients and buffers.
func TestModules(t *testing.T) {
	var all struct{ Modules map[string]*moduleCase }
	recorded.Read(t, "testdata/modules.json.gz", &all)
	checkModules(t, all.Modules, modules)
}

// checkModules holds modules against what was recorded of them; both have the same names.
func checkModules(t *testing.T, cases map[string]*moduleCase, modules map[string]func() made) {
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		c, build := cases[name], modules[name]
		if build == nil {
			t.Errorf("%s has no row", name)
			continue
		}
		t.Run(name, func(t *testing.T) {
			tensor.ManualSeed(c.Seed)
			made := build()
			bits := 0.0
			if strings.HasPrefix(name, "embedding") {
				bits = normalTolerance
			}
			compareState(t, nn.State(made.m), c.State, bits)
			if got := nn.Params(made.m).Names(); !slices.Equal(got, c.Params) {
				t.Errorf("parameters %v, want %v", got, c.Params)
			}
			var xs []T
			for i, x := range c.Inputs {
				if i > 0 && x.Data == c.Inputs[0].Data {
					xs = append(xs, xs[0])
					continue
				}
				v := x.Tensor(t)
				if v.Dtype().IsFloatingPoint() {
					v.RequiresGrad_()
				}
				xs = append(xs, v)
			}
			tensor.ManualSeed(c.Draw)
			var ys []T
			run := func() { ys = made.call(xs) }
			if c.Training {
				nn.Train(run)
			} else {
				run()
			}
			if len(ys) != len(c.Outputs) {
				t.Fatalf("%d outputs, want %d", len(ys), len(c.Outputs))
			}
			var loss T
			for i, y := range ys {
				recorded.Close(t, "output", y, c.Outputs[i].Tensor(t), tolerance)
				g := tensor.With(tensor.Float64).Arange(y.Numel()).Mul(0.7).Cos().To(tensor.Float32)
				if l := y.Flatten().Mul(g).Sum(); loss == nil {
					loss = l
				} else {
					loss = loss.Add(l)
				}
			}
			if loss.RequiresGrad() {
				loss.Backward()
			}
			for i, g := range c.InputGrads {
				if g != nil {
					recorded.Close(t, "gradient of the input", xs[i].Grad(), g.Tensor(t), 10*tolerance)
				}
			}
			for _, p := range nn.Params(made.m) {
				if g := c.Grads[p.Name]; g != nil {
					recorded.Close(t, "gradient of "+p.Name, p.Tensor.Grad(), g.Tensor(t), 10*tolerance)
				}
			}
			var buffers nn.ParamList
			for _, p := range nn.State(made.m) {
				if p.Buffer {
					buffers = append(buffers, p)
				}
			}
			compareState(t, buffers, c.After, tolerance)
		})
	}
	for name := range modules {
		if cases[name] == nil {
			t.Errorf("%s is not recorded", name)
		}
	}
}

func compareState(t *testing.T, got nn.ParamList, want [][2]any, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("the state is %v, want %d tensors", got.Names(), len(want))
	}
	for i, w := range want {
		if got[i].Name != w[0] {
			t.Errorf("tensor %d is called %s, want %s", i, got[i].Name, w[0])
			continue
		}
		m := w[1].(map[string]any)
		r := &recorded.Tensor{Dtype: m["dtype"].(string), Data: m["data"].(string)}
		for _, n := range m["shape"].([]any) {
			r.Shape = append(r.Shape, int(n.(float64)))
		}
		recorded.Close(t, got[i].Name, got[i].Tensor, r.Tensor(t), tol)
	}
}

// TestInits holds the initial values against PyTorch's, bit for bit where no other library decides the last one.
func TestInits(t *testing.T) {
	var all struct {
		Inits map[string]struct {
			Seed  int
			Value *recorded.Tensor
		}
	}
	recorded.Read(t, "testdata/modules.json.gz", &all)
	rows := map[string]func(x T) T{
		"uniform_":         func(x T) T { return inits.Uniform_(x, -2, 3) },
		"normal_":          func(x T) T { return inits.Normal_(x, 1, 2) },
		"trunc_normal_":    func(x T) T { return inits.TruncNormal_(x, 0.5, 1, opt.A(-1), opt.B(1)) },
		"xavier_uniform_":  func(x T) T { return inits.XavierUniform_(x, opt.Gain(1.5)) },
		"xavier_normal_":   func(x T) T { return inits.XavierNormal_(x) },
		"kaiming_uniform_": func(x T) T { return inits.KaimingUniform_(x, opt.Mode("fan_out"), opt.Nonlinearity("relu")) },
		"kaiming_normal_":  func(x T) T { return inits.KaimingNormal_(x, opt.A(0.2)) },
		"orthogonal_":      func(x T) T { return inits.Orthogonal_(x, opt.Gain(2)) },
		"orthogonal_tall_": func(x T) T { return inits.Orthogonal_(x) },
		"sparse_":          func(x T) T { return inits.Sparse_(x, 0.4, 0.01) },
		"dirac_":           func(x T) T { return inits.Dirac_(x, 2) },
		"eye_":             func(x T) T { return inits.Eye_(x) },
	}
	if len(all.Inits) != len(rows) {
		t.Errorf("%d are recorded, %d have a row", len(all.Inits), len(rows))
	}
	tolerances := map[string]float64{
		"orthogonal_": tolerance, "orthogonal_tall_": tolerance, "trunc_normal_": tolerance,
		"normal_": normalTolerance, "xavier_normal_": normalTolerance, "kaiming_normal_": normalTolerance,
		"sparse_": normalTolerance,
	}
	for name, c := range all.Inits {
		tol := tolerances[name]
		tensor.ManualSeed(c.Seed)
		recorded.Close(t, name, rows[name](tensor.Empty(c.Value.Shape...)), c.Value.Tensor(t), tol)
	}
}
