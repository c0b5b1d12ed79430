package interp

import (
	"strings"
	"testing"
)

// TestGonum: cells import gonum's packages, give them types of their own, and share memory between its matrices and
// tensors.
func TestGonum(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"import \"gonum.org/v1/gonum/mat\"\nm := mat.NewDense(2, 2, []float64{1, 2, 3, 4})\nvar p mat.Dense\n" +
			"p.Mul(m, m.T())\np.RawMatrix().Data", "[5.0 11.0 11.0 25.0]"},
		{"type ramp struct{ n int }\nfunc (r ramp) Dims() (int, int) { return r.n, r.n }\n" +
			"func (r ramp) At(i, j int) float64 { return float64(i + j) }\n" +
			"func (r ramp) T() mat.Matrix { return mat.Transpose{Matrix: r} }\nmat.Sum(ramp{3})", "18.0"},
		{"import \"gotorch/tensor/gonum\"\nx := gonum.Tensor(m)\nx.Mul_(2)\nm.At(1, 1)", "8.0"},
		{"y := With(dtype=Float64).Zeros(2, 3)\ngonum.Dense(y).Set(1, 2, 4)\ny.Sum().Item()", "4.0"},
		{"gonum.Dense(Zeros(3))", "TensorError: gonum.Dense: the tensor has shape [3], a matrix has two dimensions " +
			"and a vector one (x.Reshape(rows, columns) or x.Flatten())"},
		{"stat.Mean([]float64{1, 2, 6}, nil), floats.Sum([]float64{1, 2, 3})", "3.0\n6.0"},
		{"f := func(x []float64) float64 { return (x[0]-3)*(x[0]-3) }\n" +
			"r, err := optimize.Minimize(optimize.Problem{Func: f}, []float64{0}, nil, &optimize.NelderMead{})\n" +
			"math.Abs(r.X[0]-3) < 1e-3, err", "true\n<nil>"},
	} {
		if got := strings.TrimSpace(cell(s, c.src)); !strings.HasPrefix(got, c.want) {
			t.Errorf("%s\n  %s, want %s", c.src, got, c.want)
		}
	}
}
