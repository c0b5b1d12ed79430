package conformance

import (
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestDifferential makes random calls of the PyTorch that the Python named by GOTORCH_TORCH has, replays them, and
// fails for every difference that is not one of explained: GOTORCH_TORCH=python3 go test -run TestDifferential -v.
// GOTORCH_CALLS and GOTORCH_SEED choose how many calls and which, 6000 and 1 by default.
func TestDifferential(t *testing.T) {
	python := os.Getenv("GOTORCH_TORCH")
	if python == "" {
		t.Skip("needs PyTorch 1.13: GOTORCH_TORCH=python3")
	}
	setting := func(name, otherwise string) string {
		if v := os.Getenv(name); v != "" {
			return v
		}
		return otherwise
	}
	dir := t.TempDir()
	calls, seed := setting("GOTORCH_CALLS", "6000"), setting("GOTORCH_SEED", "1")
	out, err := exec.Command(python, "testdata/differential.py", calls, seed, dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "opinfo", "*.jsonl.gz"))
	counts, total := map[string]int{}, 0
	for _, f := range files {
		rows, err := readLines[opinfoCase](f)
		if err != nil {
			t.Fatal(err)
		}
		for i := range rows {
			total++
			err := attempt(rows[i].run)
			if err == nil {
				counts["agree"]++
				continue
			}
			why := rows[i].explanation(err)
			if why == "" {
				t.Errorf("%s, call %d: %v", rows[i].Op, i, err)
			}
			counts[why]++
		}
	}
	names := make([]string, 0, len(counts))
	for why := range counts {
		names = append(names, why)
	}
	sort.Slice(names, func(i, j int) bool { return counts[names[i]] > counts[names[j]] })
	for _, why := range names {
		fmt.Printf("%6d of %d: %s\n", counts[why], total, why)
	}
}

// explanation is why a random call differs from PyTorch 1.13; "" if there is none. docs/conformance.md lists them.
func (c *opinfoCase) explanation(err error) string {
	for _, e := range explained {
		if e.holds(c, err) {
			return e.why
		}
	}
	return c.evidence()
}

var noKernel = regexp.MustCompile(`not implemented for '(Half|BFloat16|Bool|ComplexFloat|ComplexDouble)'|` +
	`does not support automatic differentiation for outputs with complex dtype`)

// explained are the differences from PyTorch 1.13 that stay.
var explained = []struct {
	why   string
	holds func(c *opinfoCase, err error) bool
}{
	{"1.13 has no kernel for the dtype; gotorch has, as later versions do", func(c *opinfoCase, err error) bool {
		return c.Error != nil && strings.HasPrefix(err.Error(), "no error") && noKernel.MatchString(c.Error.Message)
	}},
	{"without elements, or with one to choose from, 1.13 returns before it checks dtype or dimension",
		func(c *opinfoCase, err error) bool {
			_, refused := err.(*tensor.Error)
			return refused && c.Error == nil && c.anyTensor(func(x *tensor.Tensor) bool {
				return x.Numel() == 0 || x.Dim() < 2 || c.chooses(x)
			})
		}},
	{"shifts by less than 0, or by the width and more, are undefined in C++", func(c *opinfoCase, err error) bool {
		return strings.Contains(c.Op, "shift")
	}},
	{"exp, asin, acos and atan of complex numbers: gotorch's are those of std::complex, 1.13 has formulas of its own",
		func(c *opinfoCase, err error) bool {
			edge := func(z complex128) bool {
				return finiteNumber(z) && (c.Op == "exp" || real(z) != 0 && imag(z) != 0) // the cuts lie on the axes
			}
			return strings.Contains("exp asin acos atan", c.Op) && c.anyComplex(func(z complex128) bool { return !edge(z) })
		}},
	{"products of complex numbers that are not finite: the order of the steps decides which parts become NaN",
		func(c *opinfoCase, err error) bool {
			return strings.Contains("matmul mm bmm mv dot outer addmm baddbmm prod cumprod", c.Op) &&
				c.anyComplex(func(z complex128) bool { return !finiteNumber(z) })
		}},
	{"powers of complex64: the angle's rounding, times the exponent, is lost in both answers", (*opinfoCase).lostPower},
	{"Bessel functions of infinity are NaN in 1.13, their limit in gotorch", func(c *opinfoCase, err error) bool {
		return strings.HasPrefix(c.Op, "special.bessel")
	}},
	{"1.13's kron refuses strides that it cannot view", func(c *opinfoCase, err error) bool {
		return c.Op == "kron" && c.Error != nil && strings.Contains(c.Error.Message, "view size is not compatible")
	}},
	{"all and any of complex numbers look at the real part alone in 1.13", func(c *opinfoCase, err error) bool {
		return (c.Op == "all" || c.Op == "any") &&
			c.anyTensor(func(x *tensor.Tensor) bool { return x.Dtype().IsComplex() && !allOf(x, realNonzero) })
	}},
	{"roundings: gotorch's answer is within the tolerance of that of 64 bits, and nearer to it than the recorded one",
		(*opinfoCase).nearerInSingle},
	{"roundings of a half type: both answers are within four of its steps", (*opinfoCase).nearInHalf},
	{"mode: 1.13 sorts NaN to no fixed place", func(c *opinfoCase, err error) bool {
		return c.Op == "mode" && c.anyTensor(func(x *tensor.Tensor) bool { return !allOf(x, finiteNumber) })
	}},
	{"deviation of equal numbers: whether the rounded mean is exact decides over 0 or a root of roundings",
		func(c *opinfoCase, err error) bool {
			return c.Op == "std" && c.anyTensor(func(x *tensor.Tensor) bool {
				return x.Numel() > 0 && x.Eq(x.Flatten().Select(0, 0)).All().At() == true
			})
		}},
	{"gradients at NaN, infinity, or the zeros of a product: 1.13 leaves the element itself out, or divides by it",
		func(c *opinfoCase, err error) bool {
			return strings.HasPrefix(err.Error(), "grad") &&
				c.anyTensor(func(x *tensor.Tensor) bool { return !allOf(x, finiteNumber) })
		}},
}

// nearInHalf reports whether gotorch's results and the recorded ones, of a half type, are both within four steps of
// those of 64 bits, in units of the largest number.
func (c *opinfoCase) nearInHalf(error) bool {
	ours, err := c.perform(false, nil)
	if err != nil || c.Error != nil {
		return false
	}
	exact, err := c.perform(true, nil)
	if err != nil {
		return false
	}
	all, ok := c.triples(ours, exact)
	for _, t := range all {
		half := t.ours.Dtype() == tensor.Float16 || t.ours.Dtype() == tensor.Bfloat16
		bound := 4 * precision[t.ours.Dtype()].eps * greatest(t.exact)
		off := func(x *tensor.Tensor) bool {
			return x.Numel() > 0 && x.To(tensor.Float64).Sub(t.exact).Abs().Gt(bound).Any().At() == true
		}
		if sameTensor("", t.ours, t.recorded) != nil && (!half || off(t.ours) || off(t.recorded)) {
			return false
		}
	}
	return ok
}

// nearerInSingle reports whether what differs was computed in 32 bits, by roundings: gotorch's numbers are within the
// tolerance of those of 64 bits, and the recorded ones no nearer, but within what rounding can lose.
func (c *opinfoCase) nearerInSingle(error) bool {
	p := precision[tensor.Float32]
	single := c.anyTensor(func(x *tensor.Tensor) bool { return precision[x.Dtype()] == p })
	ours, err := c.perform(false, nil)
	if err != nil || c.Error != nil || !single {
		return false
	}
	exact, err := c.perform(true, nil)
	if err != nil {
		return false
	}
	all, ok := c.triples(ours, exact)
	for _, t := range all {
		if sameTensor("", t.ours, t.recorded) == nil {
			continue
		}
		off := func(x *tensor.Tensor) float64 {
			return x.To(tensor.Complex128).Sub(t.exact).Abs().Amax().Item()
		}
		lost := off(t.recorded)
		if sameTensor("", t.ours, t.exact.To(t.ours.Dtype())) != nil || off(t.ours) > lost ||
			!(lost <= p.steps*p.eps*greatest(t.exact)) {
			return false
		}
	}
	return ok
}

// lostPower reports whether a complex64 to the power of n differs by what the rounding of an angle loses, which is
// multiplied by n: both answers are within four times that of those of 64 bits.
func (c *opinfoCase) lostPower(error) bool {
	if !strings.Contains(c.Op, "pow") || c.Error != nil {
		return false
	}
	ours, err := c.perform(false, nil)
	if err != nil {
		return false
	}
	exact, err := c.perform(true, nil)
	if err != nil {
		return false
	}
	n := 1.0
	for _, x := range exact.inputs {
		n = max(n, greatest(x.To(tensor.Complex128)))
	}
	all, ok := c.triples(ours, exact)
	for _, t := range all {
		bound := 4 * n * precision[t.ours.Dtype()].eps * greatest(t.exact)
		off := func(x *tensor.Tensor) bool {
			return x.Numel() > 0 && x.To(tensor.Complex128).Sub(t.exact).Abs().Gt(bound).Any().At() == true
		}
		other := t.ours.Dtype() != tensor.Complex64 && sameTensor("", t.ours, t.recorded) != nil
		if other || off(t.ours) || off(t.recorded) {
			return false
		}
	}
	return ok
}

// chooses reports whether the call takes one of the elements along a dimension of size 1.
func (c *opinfoCase) chooses(x *tensor.Tensor) bool {
	if !strings.Contains("argmax argmin amax amin sort argsort cummax cummin", c.Op) {
		return false
	}
	for _, n := range x.Sizes() {
		if n == 1 {
			return true
		}
	}
	return false
}

// anyTensor reports whether f holds for one of the arguments.
func (c *opinfoCase) anyTensor(f func(*tensor.Tensor) bool) bool {
	var ts []*tensor.Tensor
	for _, raw := range c.Args {
		if _, err := value(raw, &ts); err != nil {
			return false
		}
	}
	for _, x := range ts {
		if f(x.Detach()) {
			return true
		}
	}
	return false
}

// anyComplex reports whether f holds for an element of a complex argument.
func (c *opinfoCase) anyComplex(f func(complex128) bool) bool {
	return c.anyTensor(func(x *tensor.Tensor) bool {
		return x.Dtype().IsComplex() && !allOf(x, func(z complex128) bool { return !f(z) })
	})
}

// allOf reports whether f holds for every element.
func allOf(x *tensor.Tensor, f func(complex128) bool) bool {
	ok := true
	eachIndex(x.Shape(), func(ix []int) bool {
		ok = f(complexOf(x.At(ix...)))
		return ok
	})
	return ok
}

func realNonzero(z complex128) bool { return real(z) != 0 }
func finiteNumber(z complex128) bool {
	return !cmplx.IsNaN(z) && !math.IsInf(real(z), 0) && !math.IsInf(imag(z), 0)
}
