package conformance

import (
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// randomNumbers is what a random function drew, as testdata/random_numbers.py writes it.
type randomNumbers struct {
	Function string   `json:"function"`
	Count    int      `json:"count"`
	Step     int      `json:"step"`
	Seed     int      `json:"seed"`
	Out      *encoded `json:"out"`
	Next     *encoded `json:"next"`
}

var randomFunctions = map[string]func(x *tensor.Tensor) *tensor.Tensor{
	"normal":          func(x *tensor.Tensor) *tensor.Tensor { return x.Normal_(opt.Mean(1.5), opt.Std(2.25)) },
	"standard normal": func(x *tensor.Tensor) *tensor.Tensor { return x.Normal_() },
	"log normal":      func(x *tensor.Tensor) *tensor.Tensor { return x.LogNormal_(opt.Mean(0.5), opt.Std(0.75)) },
	"uniform":         func(x *tensor.Tensor) *tensor.Tensor { return x.Uniform_(opt.From(-1), opt.To(2)) },
	"exponential":     func(x *tensor.Tensor) *tensor.Tensor { return x.Exponential_(opt.Lambd(1.5)) },
	"cauchy":          func(x *tensor.Tensor) *tensor.Tensor { return x.Cauchy_(opt.Median(0.5), opt.Sigma(2)) },
	"geometric":       func(x *tensor.Tensor) *tensor.Tensor { return x.Geometric_(0.3) },
	"bernoulli":       func(x *tensor.Tensor) *tensor.Tensor { return x.Bernoulli_(opt.P(0.3)) },
	"normal of tensors": func(x *tensor.Tensor) *tensor.Tensor {
		mean := tensor.Arange(x.Numel()).To(x.Dtype()).Mul(0.1)
		return x.Copy_(tensor.Normal(mean, tensor.OnesLike(x).Mul(0.5)))
	},
}

// TestRandomNumbers holds random numbers against those of the PyTorch that GOTORCH_TORCH has, of all dtypes and of
// counts around those where PyTorch changes its way: to the last bit, but for what 64 bits make of logarithms, sines
// and tangents, whose last bits are the C library's.
func TestRandomNumbers(t *testing.T) {
	python := os.Getenv("GOTORCH_TORCH")
	if python == "" {
		t.Skip("needs PyTorch 1.13: GOTORCH_TORCH=python3")
	}
	file := filepath.Join(t.TempDir(), "random.gz")
	if out, err := exec.Command(python, "-B", "testdata/random_numbers.py", file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	rows, err := readLines[randomNumbers](file)
	if err != nil {
		t.Fatal(err)
	}
	numbers, differ := 0, 0
	for _, row := range rows {
		want, err := row.Out.logical()
		if err != nil {
			t.Fatal(err)
		}
		next, err := row.Next.logical()
		if err != nil {
			t.Fatal(err)
		}
		tensor.ManualSeed(row.Seed)
		x := tensor.Zeros(row.Count * row.Step).To(want.Dtype()).Slice(opt.Step(row.Step))
		randomFunctions[row.Function](x)
		wrong, first := 0, ""
		for i := range row.Count {
			if numbers++; !sameBits(x.At(i), want.At(i), want.Dtype()) {
				if wrong++; first == "" {
					first = fmt.Sprintf("number %d is %v, want %v", i, x.At(i), want.At(i))
				}
			}
		}
		if differ += wrong; wrong > 0 {
			t.Errorf("%s, %d of %s, step %d: %d differ: %s", row.Function, row.Count, want.Dtype(), row.Step, wrong,
				first)
		}
		if got := tensor.Rand(1); got.Item() != next.Item() {
			t.Errorf("%s, %d of %s, step %d: then comes %v, want %v", row.Function, row.Count, want.Dtype(), row.Step,
				got.Item(), next.Item())
		}
	}
	fmt.Printf("%d of %d numbers differ, in %d draws\n", differ, numbers, len(rows))
}

// sameBits reports whether parts are the same number; in 64 bits, the same within 20 roundings, or what cancels in the
// sum with a mean.
func sameBits(a, b any, d tensor.Dtype) bool {
	z, w := complexOf(a), complexOf(b)
	if d == tensor.Float64 || d == tensor.Complex128 {
		return cmplx.Abs(z-w) <= 20*0x1p-53*max(1, cmplx.Abs(w))
	}
	bits := math.Float64bits
	return bits(real(z)) == bits(real(w)) && bits(imag(z)) == bits(imag(w))
}
