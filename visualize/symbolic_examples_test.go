package visualize

import (
	"slices"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"symbolic", func(s *viewtest.Session) View {
			w := s.Name("w", viewtest.Floats(20, 10))
			return SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 2, "h")
				h := x.Matmul(w).Relu()
				s.At("In[2]", 3, "halves")
				return tensor.Cat(h.Chunk(2, opt.Dim(1)))
			}, "[B, K]")
		}},
		exampleView{"symbolic_image", func(s *viewtest.Session) View {
			k, w := s.Name("k", viewtest.Floats(8, 3, 3, 3)), s.Name("w", viewtest.Floats(10, 8*8*8))
			return SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 2, "h")
				h := tensor.Conv2d(x, k, opt.Stride(2), opt.Padding(1)).Relu()
				s.At("In[2]", 3, "h")
				h = tensor.MaxPool2d(h, 2)
				s.At("In[2]", 4, "")
				return tensor.Linear(h.Flatten(opt.StartDim(1)), w)
			}, "[B, C, H, W]")
		}},
		exampleView{"symbolic_loop", func(s *viewtest.Session) View {
			return SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 2, "h")
				h := x.Select(1, 0)
				for t := range x.Size(1) - 1 {
					s.At("In[2]", 4, "h")
					h = h.Add(x.Select(1, t+1))
				}
				return h
			}, "[B, T, D]")
		}},
		exampleView{"symbolic_broadcast", func(s *viewtest.Session) View {
			return SymbolicShapes(func(x, y *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 1, "")
				return x.Add(y).Squeeze()
			}, "[B, K]", "int64[N, K]")
		}},
		exampleView{"symbolic_data", func(s *viewtest.Session) View {
			return SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 1, "")
				return x.Gt(0).Nonzero()
			}, "[B]")
		}},
		exampleView{"symbolic_never", func(s *viewtest.Session) View {
			steady(s) // so that a busy machine has time for all runs
			return SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 1, "")
				return x.Matmul(tensor.Zeros(3, 4)).Matmul(tensor.Zeros(5, 6))
			}, "[B, K]")
		}},
		exampleView{"symbolic_parity", func(s *viewtest.Session) View {
			return SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
				s.At("In[2]", 1, "")
				n := x.Size(0)
				return tensor.Zeros(n ^ n>>1) // no sum, product or quotient
			}, "[N]")
		}},
		exampleView{"symbolic_number", func(s *viewtest.Session) View {
			return SymbolicShapes(func(x *tensor.Tensor, n int) (*tensor.Tensor, int) {
				s.At("In[2]", 1, "")
				return x.Expand(n, -1), n * x.Size(0)
			}, "[B]", "N")
		}},
	)
}

// TestSymbolicGuards: what is asked of sizes, for each sort of condition, and what comes out.
func TestSymbolicGuards(t *testing.T) {
	viewtest.NewSession(t)
	for _, c := range []struct {
		name   string
		f      any
		args   []any
		guards string
		result string
	}{
		{"none", func(x *tensor.Tensor) *tensor.Tensor { return x.Exp().Sum(opt.Dim(0)) }, []any{"[B, K]"}, "",
			"[K] float32"},
		{"a number", func(x *tensor.Tensor) *tensor.Tensor { return x.Matmul(tensor.Zeros(4, 3)) }, []any{"[B, K]"},
			"K = 4", "[B, 3] float32"},
		{"two letters", func(x, y *tensor.Tensor) *tensor.Tensor { return x.Matmul(y) }, []any{"[B, K]", "[N, M]"},
			"K = N", "[B, M] float32"},
		{"broadcast", func(x *tensor.Tensor) *tensor.Tensor { return x.Add(tensor.Zeros(5)) }, []any{"[B, K]"},
			"K = 5 or 1", "[B, 5] float32"},
		{"either", func(x, y *tensor.Tensor) *tensor.Tensor { return x.Mul(y) }, []any{"[B]", "[N]"},
			"B = N or N = 1", "[B] float32"},
		{"multiples", func(x *tensor.Tensor) *tensor.Tensor { return x.View(-1, 6) }, []any{"[B, K]"},
			"(B*K) % 6 = 0", "[(B*K)//6, 6] float32"},
		{"heads", func(x *tensor.Tensor) *tensor.Tensor { return x.View(x.Size(0), x.Size(1), 8, x.Size(2)/8) },
			[]any{"[B, T, D]"}, "D % 8 = 0", "[B, T, 8, D//8] float32"},
		{"at least", func(x *tensor.Tensor) *tensor.Tensor { return x.Unfold(0, 5, 2) }, []any{"[T]"},
			"T ≥ 5", "[(T - 3)//2, 5] float32"},
		{"at most", func(x *tensor.Tensor) *tensor.Tensor { return tensor.Zeros(9).Narrow(0, 0, x.Size(0)) },
			[]any{"[T]"}, "T ≤ 9", "[T] float32"},
		{"squeeze", func(x *tensor.Tensor) *tensor.Tensor { return x.Squeeze() }, []any{"[A, B]"},
			"A ≠ 1 and B ≠ 1", "[A, B] float32"},
		{"branch", func(x *tensor.Tensor) *tensor.Tensor {
			if x.Size(0) > 10 {
				return x.Exp()
			}
			return x
		}, []any{"[T]"}, "T ≥ 11", "[T] float32"},
		{"a window", func(x, k *tensor.Tensor) *tensor.Tensor { return tensor.Conv1d(x, k, opt.Padding(1)) },
			[]any{"[B, 2, T]", "[7, 2, K]"}, "T ≥ K - 2", "[B, 7, T - K + 3] float32"},
		{"least", func(x *tensor.Tensor) *tensor.Tensor { return x.Slice(opt.End(10)) }, []any{"[T]"}, "",
			"[min(T, 10)] float32"},
		{"diagonal", func(x *tensor.Tensor) *tensor.Tensor { return x.Diagonal() }, []any{"[M, N]"}, "",
			"[min(M, N)] float32"},
		{"shared letter", func(x *tensor.Tensor) *tensor.Tensor { return x.Triu().Matmul(x) }, []any{"[N, N]"}, "",
			"[N, N] float32"},
		{"sums of letters", func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Cat([]*tensor.Tensor{x, x.Narrow(0, 0, 2)})
		},
			[]any{"[2*H + 1]"}, "", "[2*H + 3] float32"},
	} {
		v := SymbolicShapes(c.f, c.args...)
		var guards []string
		for _, g := range v.Guards {
			guards = append(guards, g.Conds...)
		}
		if got := strings.Join(guards, " and "); got != c.guards || !v.Exact {
			t.Errorf("%s: guards %q, want %q\n%s", c.name, got, c.guards, v)
		}
		if !strings.Contains(v.String(), "result  "+c.result+"\n") {
			t.Errorf("%s: want the result %s\n%s", c.name, c.result, v)
		}
	}
}

// TestSymbolicTrue: on programs of several calls, what the expressions say for new sizes is what comes out for them,
// and where a guard does not hold the program fails or gives other shapes.
func TestSymbolicTrue(t *testing.T) {
	viewtest.NewSession(t)
	for name, f := range map[string]func(x *tensor.Tensor) *tensor.Tensor{
		"attention": func(x *tensor.Tensor) *tensor.Tensor {
			q := x.View(x.Size(0), x.Size(1), 4, -1).Transpose(1, 2)
			q = q.Matmul(q.Transpose(2, 3)).Softmax(opt.Dim(-1)).Matmul(q)
			return q.Transpose(1, 2).Reshape(x.Size(0), x.Size(1), -1)
		},
		"linear": func(x *tensor.Tensor) *tensor.Tensor {
			return x.Matmul(tensor.Zeros(12, 6)).Flatten().Unfold(0, 4, 3)
		},
		"pool": func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.MaxPool1d(tensor.Conv1d(x, tensor.Zeros(6, 4, 3), opt.Stride(2)), 3)
		},
		"einsum": func(x *tensor.Tensor) *tensor.Tensor { return tensor.Einsum("bij,bkj->bik", x, x) },
		"halves": func(x *tensor.Tensor) *tensor.Tensor { return tensor.Cat(x.Chunk(2, opt.Dim(1)), opt.Dim(2)) },
		"shifted": func(x *tensor.Tensor) *tensor.Tensor {
			return x.Slice(opt.Dim(1), opt.End(-1)).Sub(x.Slice(opt.Dim(1), opt.Start(1)))
		},
		"diagonal": func(x *tensor.Tensor) *tensor.Tensor { return x.Diagonal(opt.Dim1(1), opt.Dim2(2)).Cumsum(0) },
	} {
		v := SymbolicShapes(f, "[A, B, C]")
		if !v.Exact || strings.Contains(v.String(), "?") {
			t.Errorf("%s: no rule\n%s", name, v)
			continue
		}
		held := 0
		for n := range 3000 {
			at := map[string]int{"A": 1 + n*7%19, "B": 1 + n*11%53, "C": 1 + n*13%41}
			if n%3 == 0 {
				at["C"] = 12
			}
			if n%5 == 0 {
				at["B"] = 4
			}
			want, ok := v.ShapesAt(at)
			var got []int
			err := tensor.Try(func() {
				tensor.OnDevice(tensor.Meta, func() { got = f(metaLike(at["A"], at["B"], at["C"])).Shape() })
			})
			if ok {
				held++
			}
			if same := err == nil && len(want) == 1 && slices.Equal(got, want[0]); same != ok {
				t.Fatalf("%s at %v gives %v (%v), the expressions say %v (%v)\n%s", name, at, got, err, want, ok, v)
			}
		}
		if held < 20 {
			t.Errorf("%s: guards held %d times", name, held)
		}
	}
}

func metaLike(shape ...int) (x *tensor.Tensor) {
	tensor.OnDevice(tensor.Meta, func() { x = tensor.Zeros(shape...) })
	return x
}

// TestSymbolicErrors: shapes that cannot be read, and arguments that the function does not take.
func TestSymbolicErrors(t *testing.T) {
	viewtest.NewSession(t)
	f := func(x *tensor.Tensor) *tensor.Tensor { return x.Exp() }
	for _, c := range []struct {
		f    any
		args []any
		want string
	}{
		{3, []any{"[B]"}, "the first argument must be a function"},
		{f, []any{"[3]"}, "no argument has a letter"},
		{f, []any{"[B", "[C]"}, `"[B" is no shape`},
		{f, []any{"float33[B]"}, "there is no dtype float33"},
		{f, []any{"[B/2]"}, `"B/2" is no size in [B/2]`},
		{f, []any{"[B 3]"}, `"B 3" is no size`},
		{f, []any{"[A, B, C, D, E, F, G, H, I]"}, "there may be 8 letters, and I is one more"},
		{f, []any{"[B]", "[C]"}, "the function takes 1 argument, got 2"},
		{f, []any{"B"}, "argument 0 must be *tensor.Tensor"},
		{f, []any{"[B - 100000]"}, ""},
	} {
		err := tensor.Try(func() {
			v := SymbolicShapes(c.f, c.args...)
			if c.want == "" && !strings.Contains(v.Error, "would have a size below zero") {
				t.Errorf("%v: %s", c.args, v)
			}
		})
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
	if err := tensor.Try(func() { SymbolicInput("x") }); err == nil || !strings.Contains(err.Error(), "no such run") {
		t.Errorf("%v", err)
	}
}

// TestSymbolicLeaves: a run leaves tensors and random numbers as they are, and a function that does something else
// each time is called that.
func TestSymbolicLeaves(t *testing.T) {
	viewtest.NewSession(t)
	w := viewtest.Floats(3, 2).RequiresGrad_()
	state := tensor.DefaultGenerator().GetState()
	v := SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
		w.Mul_(2)
		return tensor.Dropout(x.Matmul(w), opt.P(0.5))
	}, "[B, 3]")
	if v.Error == "" || w.Storage().Version() != 0 {
		t.Errorf("a leaf is written: %s", v)
	}
	w.Detach_()
	v = SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
		w.Mul_(2)
		return tensor.Dropout(x.Matmul(w), opt.P(0.5))
	}, "[B, 3]")
	if v.Error != "" || w.At(0, 1) != 0.25 || tensor.DefaultGenerator().GetState() != state ||
		tensor.CurrentScope() != nil {
		t.Errorf("something is left: %v\n%s", w, v)
	}
	n := 0
	v = SymbolicShapes(func(x *tensor.Tensor) *tensor.Tensor {
		n++
		return tensor.Zeros(n)
	}, "[B]")
	if v.Exact || !strings.Contains(v.String(), "depends on more than sizes") {
		t.Errorf("it does something else each time: %s", v)
	}
	if draw.Width(strings.Split(v.String(), "\n")[0]) > 80 {
		t.Error("a line is too long")
	}
}
