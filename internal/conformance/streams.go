package conformance

import (
	"fmt"
	"math"
	"unsafe"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// streamCase is two draws in a row after manual_seed.
type streamCase struct {
	Seed   int      `json:"seed"`
	Python string   `json:"python"`
	First  *encoded `json:"first"`
	Second *encoded `json:"second"`
}

func empty(shape ...int) *tensor.Tensor { return tensor.Empty(shape...) }

// floats is a vector over xs.
func floats(xs []float32) *tensor.Tensor {
	st := tensor.NewStorage(tensor.CPU, unsafe.Pointer(&xs[0]), 4*len(xs), xs)
	return tensor.FromStorage("floats", st, []int{len(xs)}, []int{1}, 0, tensor.Float32)
}

// uniformInit fills as torch.nn.init's functions do.
func uniformInit(x *tensor.Tensor, bound float64) *tensor.Tensor {
	return x.Uniform_(opt.From(-bound), opt.To(bound))
}

// draws are the Python expressions of the recording.
var draws = map[string]func() *tensor.Tensor{
	"torch.rand(3)":                       func() *tensor.Tensor { return tensor.Rand(3) },
	"torch.rand(17)":                      func() *tensor.Tensor { return tensor.Rand(17) },
	"torch.rand(1000)":                    func() *tensor.Tensor { return tensor.Rand(1000) },
	"torch.rand(2,5)":                     func() *tensor.Tensor { return tensor.Rand(2, 5) },
	"torch.rand(4, dtype=torch.float64)":  func() *tensor.Tensor { return tensor.With(tensor.Float64).Rand(4) },
	"torch.rand(33, dtype=torch.float64)": func() *tensor.Tensor { return tensor.With(tensor.Float64).Rand(33) },
	"torch.rand(20).half()":               func() *tensor.Tensor { return tensor.Rand(20).Half() },
	"torch.rand(3).bfloat16()":            func() *tensor.Tensor { return tensor.Rand(3).Bfloat16() },
	"torch.randn(3)":                      func() *tensor.Tensor { return tensor.Randn(3) },
	"torch.randn(15)":                     func() *tensor.Tensor { return tensor.Randn(15) },
	"torch.randn(16)":                     func() *tensor.Tensor { return tensor.Randn(16) },
	"torch.randn(17)":                     func() *tensor.Tensor { return tensor.Randn(17) },
	"torch.randn(40)":                     func() *tensor.Tensor { return tensor.Randn(40) },
	"torch.randn(1000)":                   func() *tensor.Tensor { return tensor.Randn(1000) },
	"torch.randn(4,5)":                    func() *tensor.Tensor { return tensor.Randn(4, 5) },
	"torch.randn(7, dtype=torch.float64)": func() *tensor.Tensor { return tensor.With(tensor.Float64).Randn(7) },
	"torch.randn(35, dtype=torch.float64)": func() *tensor.Tensor {
		return tensor.With(tensor.Float64).Randn(35)
	},
	"torch.randint(10,(5,))":      func() *tensor.Tensor { return tensor.Randint(0, 10, 5) },
	"torch.randint(2**40,(4,))":   func() *tensor.Tensor { return tensor.Randint(0, big(40), 4) },
	"torch.randint(-3,4,(20,))":   func() *tensor.Tensor { return tensor.Randint(-3, 4, 20) },
	"torch.randint(0,2**33,(9,))": func() *tensor.Tensor { return tensor.Randint(0, big(33), 9) },
	"torch.randperm(1)":           func() *tensor.Tensor { return tensor.Randperm(1) },
	"torch.randperm(10)":          func() *tensor.Tensor { return tensor.Randperm(10) },
	"torch.randperm(1000)":        func() *tensor.Tensor { return tensor.Randperm(1000) },
	"torch.empty(20).bernoulli_(0.7)": func() *tensor.Tensor {
		return empty(20).Bernoulli_(opt.P(0.7))
	},
	"torch.bernoulli(torch.full((20,),0.3))": func() *tensor.Tensor {
		return tensor.Full([]int{20}, 0.3).Bernoulli()
	},
	"torch.empty(10).uniform_(-2,3)": func() *tensor.Tensor { return empty(10).Uniform_(opt.From(-2), opt.To(3)) },
	"torch.empty(40).normal_(1,2)":   func() *tensor.Tensor { return empty(40).Normal_(opt.Mean(1), opt.Std(2)) },
	"torch.empty(9).normal_(1,2)":    func() *tensor.Tensor { return empty(9).Normal_(opt.Mean(1), opt.Std(2)) },
	"torch.empty(8).exponential_()":  func() *tensor.Tensor { return empty(8).Exponential_() },
	"torch.empty(8).log_normal_()":   func() *tensor.Tensor { return empty(8).LogNormal_() },
	"torch.empty(8).geometric_(0.3)": func() *tensor.Tensor { return empty(8).Geometric_(0.3) },
	"torch.empty(8).cauchy_()":       func() *tensor.Tensor { return empty(8).Cauchy_() },
	"torch.empty(10).random_(5)":     func() *tensor.Tensor { return empty(10).Random_(opt.From(5)) },
	"torch.empty(10,dtype=torch.int64).random_()": func() *tensor.Tensor {
		return tensor.With(tensor.Int64).Empty(10).Random_()
	},
	"torch.multinomial(torch.tensor([0.1,0.2,0.7]),10,replacement=True)": func() *tensor.Tensor {
		return floats([]float32{0.1, 0.2, 0.7}).Multinomial(10, opt.Replacement(true))
	},
	"torch.multinomial(torch.tensor([0.1,0.2,0.3,0.4]),3)": func() *tensor.Tensor {
		return floats([]float32{0.1, 0.2, 0.3, 0.4}).Multinomial(3)
	},
	"torch.normal(torch.zeros(5),torch.ones(5))":   func() *tensor.Tensor { return normal(5) },
	"torch.normal(torch.zeros(20),torch.ones(20))": func() *tensor.Tensor { return normal(20) },
	"torch.poisson(torch.full((6,),4.0))": func() *tensor.Tensor {
		return tensor.Poisson(tensor.Full([]int{6}, 4.0))
	},
	"torch.nn.functional.dropout(torch.ones(30),0.4)": func() *tensor.Tensor {
		return tensor.Dropout(tensor.Ones(30), opt.P(0.4))
	},
	// torch.nn's modules draw their parameters when they are made.
	"torch.nn.init.xavier_uniform_(torch.empty(4,3))": func() *tensor.Tensor {
		return uniformInit(empty(4, 3), math.Sqrt(6.0/7))
	},
	"torch.nn.init.kaiming_uniform_(torch.empty(4,3))": func() *tensor.Tensor {
		return uniformInit(empty(4, 3), math.Sqrt(2))
	},
	"torch.nn.Linear(3,2).weight": func() *tensor.Tensor {
		w := uniformInit(empty(2, 3), 1/math.Sqrt(3))
		uniformInit(empty(2), 1/math.Sqrt(3))
		return w
	},
	"torch.nn.Linear(3,2).bias": func() *tensor.Tensor {
		uniformInit(empty(2, 3), 1/math.Sqrt(3))
		return uniformInit(empty(2), 1/math.Sqrt(3))
	},
	"torch.nn.Conv2d(2,3,3).weight": func() *tensor.Tensor {
		w := uniformInit(empty(3, 2, 3, 3), 1/math.Sqrt(18))
		uniformInit(empty(3), 1/math.Sqrt(18))
		return w
	},
	"torch.nn.Embedding(5,3).weight": func() *tensor.Tensor { return empty(5, 3).Normal_() },
}

func normal(n int) *tensor.Tensor {
	out, err := tensor.Invoke("normal", []any{tensor.Zeros(n), tensor.Ones(n)}, nil)
	if err != nil {
		panic(err)
	}
	return out[0].(*tensor.Tensor)
}

func (c *streamCase) run() error {
	return attempt(func() error {
		draw := draws[c.Python]
		if draw == nil {
			return fmt.Errorf("%s is not known", c.Python)
		}
		tensor.ManualSeed(c.Seed)
		if err := same(fmt.Sprintf("%s, seed %d", c.Python, c.Seed), draw(), c.First); err != nil {
			return err
		}
		return same(c.Python+", second draw", draw(), c.Second)
	})
}

// big is 2^n. The result is not a constant, so that this file compiles where an int has 32 bits.
func big(n int) int { return 1 << n }
