package visualize

import (
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/programs"
)

// A program rejects inputs for which its function might do something else, and names the guard.
func TestProgramGuards(t *testing.T) {
	x := viewtest.Floats(3)
	sum := func(x *tensor.Tensor) *tensor.Tensor {
		out := tensor.Zeros()
		for i := range x.Size(0) {
			out = out.Add(x.Select(0, i))
		}
		return out
	}
	branch := func(x *tensor.Tensor) *tensor.Tensor {
		if x.Sum().Item() > 0 {
			return x.Mul(2)
		}
		return x.Neg()
	}
	equal := func(x, y *tensor.Tensor) *tensor.Tensor {
		if tensor.Equal(x, y) {
			return x
		}
		return x.Sub(y)
	}
	for name, c := range map[string]struct {
		f    any
		with []*tensor.Tensor
		on   []*tensor.Tensor
		want string // "" where it runs
	}{
		"shape": {sum, []*tensor.Tensor{x}, []*tensor.Tensor{viewtest.Floats(5)},
			"captured for float32 [3], and this is float32 [5]"},
		"dtype":     {sum, []*tensor.Tensor{x}, []*tensor.Tensor{x.Double()}, "this is float64 [3]"},
		"meta":      {sum, []*tensor.Tensor{x}, []*tensor.Tensor{x.To(tensor.Meta)}, "captured on cpu"},
		"the same":  {sum, []*tensor.Tensor{x}, []*tensor.Tensor{x.Mul(2)}, ""},
		"branch":    {branch, []*tensor.Tensor{x}, []*tensor.Tensor{x.Neg()}, "item("},
		"no branch": {branch, []*tensor.Tensor{x}, []*tensor.Tensor{x.Flip(0)}, ""},
		"element": {func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x.At(1)) }, []*tensor.Tensor{x},
			[]*tensor.Tensor{x.Mul(2)}, "[1] is"},
		"another element": {func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x.At(1)) }, []*tensor.Tensor{x},
			[]*tensor.Tensor{x.Mul(tensor.New([]float32{5, 1, 7}))}, ""},
		"data": {func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(float64(tensor.Data[float32](x)[0])) },
			[]*tensor.Tensor{x}, []*tensor.Tensor{x.Add(1)}, "data("},
		"bool": {equal, []*tensor.Tensor{x, x.Clone()}, []*tensor.Tensor{x, x.Add(1)}, "equal("},
		"nonzero": {func(x *tensor.Tensor) *tensor.Tensor {
			n := x.Gt(0).Nonzero()
			return tensor.Ones(n.Size(0)).Mul(2)
		}, []*tensor.Tensor{x}, []*tensor.Tensor{x.Mul(0).Sub(1)}, "int64["},
		"twice": {func(x, y *tensor.Tensor) *tensor.Tensor { return x.Mul(y) }, []*tensor.Tensor{x, x},
			[]*tensor.Tensor{x, x.Add(1)}, "the same tensor"},
		"number of inputs": {sum, []*tensor.Tensor{x}, []*tensor.Tensor{x, x}, "takes 1 tensors"},
	} {
		p := Program(c.f, c.with...)
		for pass, q := range map[string]*CapturedProgram{"": p, "dead code": programs.DeadCode(p),
			"common": programs.CommonSubexpressions(p), "functional": programs.Functionalize(p)} {
			var got []*tensor.Tensor
			err := tensor.Try(func() { got = q.Run(c.on...) })
			switch {
			case c.want != "":
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%s, %s: %v; want %q\n%v", name, pass, err, c.want, q)
				}
			case err != nil:
				t.Errorf("%s, %s: %v", name, pass, err)
			default:
				want := c.f.(func(*tensor.Tensor) *tensor.Tensor)(c.on[0])
				if !tensor.Equal(got[0], want) {
					t.Errorf("%s, %s: %v, want %v", name, pass, got[0], want)
				}
			}
		}
	}
}

// Passes give programs with the same results, on inputs that are written to as well.
func TestProgramPasses(t *testing.T) {
	w := viewtest.Floats(3, 3).Sin()
	for name, c := range map[string]struct {
		f      func(x *tensor.Tensor) *tensor.Tensor
		dead   int // steps left after DeadCode
		common int // and after CommonSubexpressions
		writes int // steps that write, after Functionalize
	}{
		"dead": {func(x *tensor.Tensor) *tensor.Tensor { x.Exp().Sin(); return x.Mul(2) }, 1, 3, 0},
		"common": {func(x *tensor.Tensor) *tensor.Tensor { return x.Exp().Add(x.Exp()).Mul(x.Exp().Add(x.Exp())) },
			7, 3, 0},
		"write": {func(x *tensor.Tensor) *tensor.Tensor {
			y := x.Clone()
			y.Mul_(2)
			return y.Add(x)
		}, 3, 3, 0},
		"view": {func(x *tensor.Tensor) *tensor.Tensor {
			y := x.Clone()
			row, col := y.Select(0, 1), y.Select(1, 0)
			row.Mul_(3)
			col.Add_(1)
			return row.Add(col).Matmul(y)
		}, 7, 7, 0},
		"transposed": {func(x *tensor.Tensor) *tensor.Tensor {
			y := x.Mul(1)
			y.T().Narrow(0, 1, 2).Zero_()
			y.Index(tensor.Slice(nil, nil, 2)).Copy_(w.Narrow(0, 0, 2))
			return y
		}, 7, 7, 2},
		"input": {func(x *tensor.Tensor) *tensor.Tensor {
			x.Select(0, 0).Fill_(7)
			return x.Sum()
		}, 3, 3, 1},
		"out": {func(x *tensor.Tensor) *tensor.Tensor {
			y := tensor.Zeros(3, 3)
			x.Mul(x, opt.Out(y))
			return y.Add(y)
		}, 3, 3, 0},
		"dtype": {func(x *tensor.Tensor) *tensor.Tensor {
			y := x.Clone()
			y.Gt_(0)
			y.Add_(w.Double())
			return y
		}, 4, 4, 0},
		"random": {func(x *tensor.Tensor) *tensor.Tensor {
			tensor.Rand(2)
			return x.Add(tensor.RandLike(x)).Add(tensor.RandLike(x))
		}, 5, 5, 0},
		"composites": {func(x *tensor.Tensor) *tensor.Tensor {
			return autograd.GradOf(func(x *tensor.Tensor) *tensor.Tensor {
				y := tensor.LayerNorm(x.Matmul(w).Relu(), []int{3}).Softmax(opt.Dim(1))
				return tensor.CrossEntropy(y, tensor.FromSlice([]int64{0, 2, 1},
					3)).Add(y.Std()).Add(tensor.Gelu(y).Sum())
			})(x)
		}, -1, -1, -1},
		"grad": {func(x *tensor.Tensor) *tensor.Tensor {
			return autograd.GradOf(func(x *tensor.Tensor) *tensor.Tensor {
				y := x.Mul(2)
				y.Select(0, 0).Mul_(x.Select(0, 1))
				return y.Matmul(w).Square().Sum()
			})(x)
		}, -1, -1, -1},
	} {
		in := viewtest.Floats(3, 3)
		p := Program(c.f, in.Clone())
		shorter, common, functional := programs.DeadCode(p), programs.CommonSubexpressions(p), programs.Functionalize(p)
		all := map[string]*CapturedProgram{"itself": p, "dead code": shorter, "common": common,
			"functional": functional,
			"all":        programs.DeadCode(programs.CommonSubexpressions(functional))}
		for pass, q := range all {
			x, y := in.Mul(0.5), in.Mul(0.5)
			tensor.ManualSeed(4)
			want := c.f(x)
			tensor.ManualSeed(4)
			var got []*tensor.Tensor
			if err := tensor.Try(func() { got = q.Run(y) }); err != nil {
				t.Errorf("%s, %s: %v\n%v", name, pass, err, q)
				continue
			}
			if !tensor.Equal(got[0], want) || !tensor.Equal(x, y) {
				t.Errorf("%s, %s: %v, want %v; the input is %v, want %v\n%v", name, pass, got[0], want, y, x, q)
			}
		}
		writes := 0
		for _, s := range functional.Steps {
			if s.Writes {
				writes++
			}
		}
		if c.dead >= 0 && (len(shorter.Steps) != c.dead || len(common.Steps) != c.common || writes != c.writes) {
			t.Errorf("%s: %d, %d steps, %d writes\n%v\n%v\n%v", name, len(shorter.Steps), len(common.Steps), writes,
				shorter,
				common, functional)
		}
	}
}
