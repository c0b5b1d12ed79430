package lower_test

import (
	"gotorch/interp"
	"gotorch/interp/internal/celltest"
	"strings"
	"testing"

	_ "gotorch/backends/cpu"
)

// TestGenericsOfTensor: the generic functions of package tensor, which reflection does not show, can be called from
// cells.
func TestGenericsOfTensor(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, c := range [][2]string{
		{"xs := []float32{1, 2, 3, 4}\nx := FromSlice(xs, 2, 2)\nxs[0] = 9\nx", "tensor([[9., 2.],\n        [3., 4.]])"},
		{"tensor.FromSlice([]int{1, 2, 3})", "tensor([1, 2, 3])"},
		{"Data[float32](x.T())", "[9.0 3.0 2.0 4.0]"},
		{"Data[int](Arange(3))", "[0 1 2]"},
		{"WithData(x, func(d []float32) { d[1] = 7 })\nx", "tensor([[9., 7.],\n        [3., 4.]])"},
		{"f := Fuse(func(a, b *Tensor) *Tensor { return a.Mul(b).Add(1) })\nf(Ones(100, 100), Ones(100)).Sum()",
			"tensor(20000.)"},
		{"tensor.Fuse(func(a *Tensor) *Tensor { return a * 2 + 1 })(Ones(10000)).Mean()", "tensor(3.)"},
		{"Data[float64](x)", "the elements of a float32 tensor are not of the Go type float64"},
	} {
		if got := celltest.Cell(s, c[0]); !strings.Contains(got, c[1]) {
			t.Errorf("%s\ngot  %s\nwant %s", c[0], got, c[1])
		}
	}
}

// TestRandN: the generic function of math/rand/v2 takes whole numbers and durations.
func TestRandN(t *testing.T) {
	s := interp.New(interp.Options{})
	defer s.Close()
	for _, c := range []struct{ src, want string }{
		{"import \"math/rand/v2\"\nrand.N(10) < 10, rand.N(uint8(1))", "true\n0\n"},
		{"fmt.Sprintf(\"%T\", rand.N(time.Second))", "\"time.Duration\"\n"},
		{"type D int\nrand.N(D(3))", "rand.N[D] is not available in cells"},
	} {
		if got := celltest.Cell(s, c.src); !strings.Contains(got, c.want) {
			t.Errorf("%s gives %q, want %q", c.src, got, c.want)
		}
	}
}
