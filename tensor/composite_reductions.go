package tensor

// Bodies of reductions that are others in a row.

func init() {
	composites(map[string]Kernel{
		"nanmean": func(c *Call) {
			x, dims := c.Tensor(0), optDim(c.Ints(1)...)
			if !x.dtype.IsFloatingPoint() {
				panic(Errorf(c.Name(), "expected a floating point tensor, got %s", x.dtype).WithHint("Float() it first"))
			}
			sum := x.Nansum(dims, optKeepdim(c.Bool(2)), c.DtypeOption(x.dtype))
			c.Return(sum.Div(x.Isnan().LogicalNot().Sum(dims, optKeepdim(c.Bool(2)))))
		},
		"var.unbiased":      func(c *Call) { c.Return(c.Tensor(0).Var(optUnbiased(c.Bool(1)))) },
		"std.unbiased":      func(c *Call) { c.Return(c.Tensor(0).Std(optUnbiased(c.Bool(1)))) },
		"var_mean.unbiased": func(c *Call) { c.Return(two(VarMean(c.Tensor(0), optUnbiased(c.Bool(1))))...) },
		"std_mean.unbiased": func(c *Call) { c.Return(two(StdMean(c.Tensor(0), optUnbiased(c.Bool(1))))...) },
		"sum_to_size":       func(c *Call) { c.Return(sumToSize(c, c.Tensor(0), c.Ints(1))) },
		"cov":               func(c *Call) { c.Return(cov(c, c.Tensor(0), c.Int(1), c.Tensor(2), c.Tensor(3))) },
		"corrcoef": func(c *Call) {
			x := c.Tensor(0)
			if len(x.shape) > 2 {
				panic(Errorf(c.Name(), "expected input to have two or fewer dimensions but got an input with %d dimensions",
					len(x.shape)))
			}
			v := x.Cov()
			if len(v.shape) == 0 {
				c.Return(v.Div(v))
				return
			}
			d := v.Diagonal()
			if d.dtype.IsComplex() {
				d = d.Real()
			}
			d = d.Sqrt()
			v = v.Div(d.Unsqueeze(1)).Div(d.Unsqueeze(0))
			if v.dtype.IsComplex() {
				c.Return(Complex(v.Real().Clamp(optMin(-1), optMax(1)), v.Imag().Clamp(optMin(-1), optMax(1))))
				return
			}
			c.Return(v.Clamp(optMin(-1), optMax(1)))
		},
	})
}

func two(a, b *Tensor) []*Tensor { return []*Tensor{a, b} }

// sumToSize adds up the dimensions that a tensor of shape size was repeated along.
func sumToSize(c *Call, x *Tensor, size []int) *Tensor {
	if s, ok := BroadcastStrides(size, make([]int, len(size)), x.shape); !ok || s == nil {
		panic(Errorf(c.Name(), "size %v is not expandable to size %v", size, x.shape))
	}
	if len(size) == 0 {
		return x.Sum()
	}
	shift := len(x.shape) - len(size)
	var lead, dims []int
	for i, s := range x.shape {
		switch {
		case i < shift:
			lead = append(lead, i)
			dims = append(dims, i)
		case size[i-shift] == 1 && s != 1:
			dims = append(dims, i)
		}
	}
	if len(dims) > 0 {
		x = x.Sum(optDim(dims...), optKeepdim(true))
	}
	if len(lead) > 0 {
		x = x.View(size...)
	}
	return x
}

// cov is the covariance of rows: each column counts fweights times and weighs aweights.
func cov(c *Call, x *Tensor, correction int, fweights, aweights *Tensor) *Tensor {
	if len(x.shape) > 2 {
		panic(Errorf(c.Name(), "expected input to have two or fewer dimensions but got an input with %d dimensions",
			len(x.shape)))
	}
	if x.dtype == Bool {
		panic(Errorf(c.Name(), "bool dtype is not supported for input"))
	}
	n := 1
	if len(x.shape) > 0 {
		n = x.shape[len(x.shape)-1]
	}
	in := x
	if len(x.shape) < 2 {
		in = x.View(1, -1)
		if x.numel == 0 {
			in = x.View(1, 0)
		}
	}
	var w *Tensor
	for _, v := range []struct {
		t     *Tensor
		name  string
		whole bool
	}{{fweights, "fweights", true}, {aweights, "aweights", false}} {
		switch {
		case v.t == nil:
			continue
		case len(v.t.shape) > 1:
			panic(Errorf(c.Name(), "expected %s to have one or fewer dimensions but got %s", v.name,
				plural(len(v.t.shape), "dimension")).OnArg(v.name))
		case v.whole && !v.t.dtype.IsIntegral() || !v.whole && !v.t.dtype.IsFloatingPoint():
			panic(Errorf(c.Name(), "%s has the wrong dtype %v: fweights are integers, aweights floating point", v.name,
				v.t.dtype).OnArg(v.name))
		case v.t.numel != n:
			panic(Errorf(c.Name(), "expected %s to have the same number of elements as there are observations in the input "+
				"but got %d != %d", v.name, v.t.numel, n).OnArg(v.name))
		case v.t.Device() != Meta && v.t.numel > 0 && v.t.Lt(0).Any().ItemBool():
			panic(Errorf(c.Name(), "%s cannot be negative", v.name).OnArg(v.name))
		case w == nil:
			w = v.t
		default:
			w = w.Mul(v.t)
		}
	}
	var sum, mean, norm *Tensor
	if w != nil {
		sum = w.Sum()
		mean = in.Mul(w).Sum(optDim(1)).Div(sum)
	} else {
		mean = in.Sum(optDim(1)).Div(n)
	}
	switch {
	case w == nil:
		norm = New(float64(n - correction))
	case aweights == nil || correction == 0:
		norm = sum.Sub(correction)
	default:
		norm = sum.Sub(w.Mul(aweights).Sum().Mul(correction).Div(sum))
	}
	norm = norm.ClampMin(0)
	in = in.Sub(mean.Unsqueeze(1))
	weighted := in
	if w != nil {
		weighted = in.Mul(w)
	}
	return weighted.Matmul(in.T().Conj()).Div(norm).Squeeze()
}
