package conformance

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// A sample is a call of one operator that the forms of the operator are tried with.
type sample struct {
	op     *tensor.Op
	args   []any
	kwargs map[string]any
	from   string
}

// sampler is a recorder that keeps the calls it sees, those inside of composites too: at most each of an operator, of
// tensors that are small, no two with the same dtypes and dimensions.
type sampler struct {
	each    int
	from    string
	samples map[string][]sample
	seen    map[string]bool
}

const smallSample = 600

// Watch keeps the call, with copies of its tensors, and makes it.
func (s *sampler) Watch(c *tensor.Call) {
	tensor.Under(0, tensor.Set(tensor.KeyTrace, tensor.KeyAutograd), func() { s.keep(c) })
	c.Next()
}

func (s *sampler) keep(c *tensor.Call) {
	o := c.Op
	if len(s.samples[o.Full]) >= s.each {
		return
	}
	k := sample{op: o, kwargs: map[string]any{}, from: s.from}
	key, size := o.Full, 0
	for i := range c.NumArgs() {
		v := copied(c.Arg(i))
		for _, x := range tensorsOf(v, nil) {
			key += fmt.Sprint(" ", x.Dtype(), x.Dim())
			size += x.Numel()
		}
		switch p := &o.Params[i]; {
		case !c.Given(i) && p.Name == "generator":
		case !c.Given(i) && p.HasDef:
			key += " -"
		case p.KwOnly || len(k.args) < i:
			k.kwargs[p.Name] = v
		default:
			k.args = append(k.args, v)
		}
	}
	if s.seen[key] || size > smallSample || k.kwargs["device"] == tensor.Meta {
		return
	}
	s.seen[key] = true
	s.samples[o.Full] = append(s.samples[o.Full], k)
}

// copied copies the tensors of an argument, without history, with their strides.
func copied(v any) any {
	return eachTensor(v, func(x *tensor.Tensor) *tensor.Tensor {
		if x.Layer() != nil {
			return x
		}
		return x.Detach().Clone()
	})
}

// eachTensor puts f(x) in place of each tensor of an argument.
func eachTensor(v any, f func(*tensor.Tensor) *tensor.Tensor) any {
	switch v := v.(type) {
	case *tensor.Tensor:
		if v != nil {
			return f(v)
		}
	case []*tensor.Tensor:
		out := make([]*tensor.Tensor, len(v))
		for i, x := range v {
			out[i] = f(x)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = eachTensor(v[i], f)
		}
		return out
	}
	return v
}

// recordedSamples are at most each samples of every operator that the recorded calls reach.
func recordedSamples(t *testing.T, each int) *sampler {
	s := &sampler{each: each, samples: map[string][]sample{}, seen: map[string]bool{}}
	files, err := filepath.Glob(filepath.Join(compact, "opinfo", "*.jsonl.gz"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s (%v)", compact, err)
	}
	for _, f := range files {
		rows, err := readLines[opinfoCase](f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			c := &rows[i]
			if c.Error != nil {
				continue
			}
			s.from = fmt.Sprintf("%s, case %d", strings.TrimSuffix(filepath.Base(f), ".jsonl.gz"), i)
			tensor.WithRecorder(s, func() { c.perform(false, nil) })
		}
	}
	return s
}

// sampledAs are operators that no recorded call reaches, and those of one signature whose samples serve them.
var sampledAs = map[string]string{
	"moveaxis": "movedim", "swapaxes": "transpose", "swapdims": "transpose", "adjoint": "mH", "concat": "cat",
	"concatenate": "cat", "row_stack": "vstack", "arcsin": "asin", "arccos": "acos", "arctan": "atan",
	"arcsinh": "asinh", "arccosh": "acosh", "arctanh": "atanh", "absolute": "abs", "negative": "neg", "fix": "trunc",
	"subtract": "sub", "multiply": "mul", "divide": "div", "arctan2": "atan2", "clip": "clamp", "not_equal": "ne",
	"less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge", "ger": "outer",
	"chain_matmul": "linalg.multi_dot", "det": "linalg.det", "slogdet": "linalg.slogdet", "inverse": "linalg.inv",
	"linalg.matrix_exp": "linalg.det", "matrix_power": "linalg.matrix_power", "linalg.matmul": "matmul",
	"linalg.diagonal": "mT", "msort": "round", "orgqr": "linalg.householder_product", "alias": "abs", "detach_": "abs",
	"cfloat": "abs", "cdouble": "abs", "cpu": "abs", "type_as": "copy_", "to.other": "copy_", "rand_like": "zeros_like",
	"nn.functional.dropout1d": "nn.functional.dropout2d", "nn.functional.alpha_dropout": "nn.functional.dropout2d",
	"nn.functional.feature_alpha_dropout": "nn.functional.dropout2d", "index_put_": "index_put",
}

// made are calls that reach operators which no recorded call does.
var made = map[string]func(){
	"empty_strided":  func() { invoke("empty_strided", []int{2, 3}, []int{1, 2}) },
	"range":          func() { invoke("range", 1, 5) },
	"vander":         func() { tensor.Vander(reals(4)) },
	"view.dtype":     func() { invoke("view.dtype", reals(3, 4), tensor.Int32) },
	"narrow.Tensor":  func() { invoke("narrow.Tensor", reals(3, 4), 1, tensor.New(1), 2) },
	"swapaxes_":      func() { reals(3, 4).Swapaxes_(0, 1) },
	"swapdims_":      func() { reals(3, 4, 2).Swapdims_(0, -1) },
	"tensordot.dims": func() { invoke("tensordot.dims", reals(3, 4), reals(4, 3), []int{0, 1}, []int{1, 0}) },
	"kron":           func() { tensor.Kron(reals(2, 3), reals(3, 2)); tensor.Kron(reals(2), complexes(3, 2)) },
	"fft": func() {
		for _, name := range []string{"fft.fft", "fft.ifft", "fft.fftn", "fft.ifftn"} {
			invoke(name, reals(3, 4))
			invoke(name, complexes(5, 3))
		}
		tensor.FftFftfreq(5)
		tensor.FftRfftfreq(6)
		tensor.Stft(reals(2, 40), 8, opt.ReturnComplex(true), opt.Window(tensor.HannWindow(8)))
	},
	"windows": func() {
		for _, name := range []string{"bartlett", "blackman", "hamming", "hann", "kaiser"} {
			invoke(name+"_window", 7)
			invoke(name+"_window", 6, false)
		}
	},
	"slice_scatter":  func() { tensor.SliceScatter(reals(4, 3), reals(2, 3), opt.Start(1), opt.End(3)) },
	"fill_diagonal_": func() { reals(4, 3).FillDiagonal_(2); reals(7, 3).FillDiagonal_(2, opt.Wrap(true)) },
	"conv3d": func() {
		backward(tensor.Conv3d(reals(1, 2, 4, 4, 3), reals(2, 2, 2, 3, 2), opt.Bias(reals(2))))
		backward(tensor.ConvTranspose3d(reals(1, 2, 3, 3, 2), reals(2, 2, 2, 2, 2), opt.Stride(2)))
	},
	"pools": func() {
		backward(tensor.MaxPool1d(reals(2, 3, 8), 3))
		backward(tensor.MaxPool2d(reals(1, 2, 6, 5), 2, opt.Padding(1)))
		backward(tensor.MaxPool3d(reals(1, 2, 4, 4, 5), 2))
		backward(tensor.AdaptiveAvgPool3d(reals(1, 2, 4, 5, 3), []int{2, 2, 2}))
	},
	"resizing": func() {
		for _, name := range []string{"interpolate", "upsample"} {
			backward(invoke("nn.functional."+name, reals(1, 2, 3, 4), []int{6, 5}))
			backward(invoke("nn.functional."+name, reals(1, 2, 3, 4), nil, 2.0, "bilinear"))
		}
	},
	"fold":      func() { backward(tensor.Fold(reals(2, 8, 9), []int{4, 4}, 2)) },
	"dropout3d": func() { tensor.Dropout3d(reals(2, 3, 2, 2, 2)) },
	"max pools without indices": func() {
		backward(invoke("_max_pool2d", reals(2, 3, 5, 6), 2, 2, 1, 1, true))
		backward(invoke("_max_pool3d", reals(2, 2, 4, 5, 6), []int{2, 3, 2}))
		backward(invoke("_adaptive_max_pool2d", reals(2, 3, 5, 6), []int{2, 3}))
		backward(invoke("_adaptive_max_pool3d", reals(2, 2, 4, 5, 6), 2))
	},
	"attention": func() { backward(tensor.ScaledDotProductAttention(reals(2, 3, 4), reals(2, 5, 4), reals(2, 5, 4))) },
	"ctc": func() {
		backward(tensor.CtcLoss(reals(6, 2, 4).LogSoftmax(opt.Dim(-1)), tensor.New([]any{[]any{1, 2}, []any{3, 1}}),
			tensor.New([]any{6, 5}), tensor.New([]any{2, 1})))
	},
	"random": func() {
		tensor.Randint(0, 9, 2, 3)
		invoke("randint.high", 9, []int{2, 3})
		tensor.Randperm(7)
		tensor.RandintLike(reals(2, 3), 1, 9)
		invoke("randint_like.high", reals(2, 3), 9)
		tensor.Poisson(positive(3, 4))
		tensor.Binomial(tensor.Full([]int{3, 2}, 9.0), reals(3, 2).Sigmoid())
		invoke("_standard_gamma", positive(3, 4))
		invoke("_standard_gamma_grad", positive(3, 4), positive(3, 4))
		invoke("_sample_dirichlet", positive(3, 4))
		invoke("_dirichlet_grad", positive(3, 4).Div(9), positive(3, 4), positive(3, 4).Add(3))
		for _, name := range []string{"normal_", "random_", "exponential_", "log_normal_", "cauchy_"} {
			invoke(name, reals(3, 4))
		}
		invoke("geometric_", reals(3, 4), 0.5)
	},
	"to.dtype": func() { invoke("to.dtype", reals(2, 3), tensor.Float64) },
}

func invoke(name string, args ...any) *tensor.Tensor {
	out, err := tensor.Invoke(name, args, nil)
	if err != nil {
		panic(err)
	}
	x, _ := out[0].(*tensor.Tensor)
	return x
}

func reals(shape ...int) *tensor.Tensor { return tensor.Randn(shape...).RequiresGrad_().Mul(1) }
func positive(shape ...int) *tensor.Tensor {
	return reals(shape...).Detach().Abs().Add(0.5)
}
func complexes(shape ...int) *tensor.Tensor { return tensor.With(tensor.Complex64).Randn(shape...) }

func backward(y *tensor.Tensor) { y.Sum().Backward() }

// allSamples are recordedSamples with those of operators that the recorded calls do not reach.
func allSamples(t *testing.T, each int) map[string][]sample {
	s := recordedSamples(t, each)
	for name, f := range made {
		s.from = name
		tensor.ManualSeed(0)
		tensor.WithRecorder(s, f)
	}
	all := s.samples
	for name, other := range sampledAs {
		if len(all[name]) > 0 {
			t.Errorf("sampledAs has %s, which is reached without it", name)
		}
		for _, k := range all[other] {
			k.op, k.from = tensor.Lookup(name), other
			all[name] = append(all[name], k)
		}
	}
	return all
}
