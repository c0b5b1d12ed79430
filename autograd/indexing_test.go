package autograd_test

import (
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// TestSecondDerivatives holds first and second derivatives of indexing, ordering and scans against differences.
func TestSecondDerivatives(t *testing.T) {
	long := func(v ...int) *tensor.Tensor { return tensor.FromSlice(v, len(v)) }
	i23 := long(2, 0, 1, 1, 1, 0).View(2, 3)
	mask := tensor.FromSlice([]bool{true, false, true, false, true, true, false, true, true, false, true, false}, 3, 4)
	sq := func(x *tensor.Tensor) *tensor.Tensor { return x.Mul(x).Mul(x) } // so that second derivatives are not zero
	type fn = func(x, y *tensor.Tensor) *tensor.Tensor
	for name, f := range map[string]fn{
		"index": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.Index(long(0, 2, 2), tensor.Slice(nil, nil, -2)))
		},
		"index mask": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Index(mask)) },
		"index apart": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.Unsqueeze(1).Index(long(0, 2), tensor.Colon, long(1, 3)))
		},
		"index_put": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.IndexPut(tensor.Ix{long(2, 0)}, y.Narrow(0, 0, 2).Mul(x.Narrow(0, 1, 2))))
		},
		"index_put +=": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.IndexPut(tensor.Ix{long(2, 0, 2)}, y.Mul(y), opt.Accumulate(true)))
		},
		"write rows": func(x, y *tensor.Tensor) *tensor.Tensor {
			z := x.Mul(2)
			z.IndexPut_(tensor.Ix{long(1, 2), tensor.Slice(1, 3, nil)}, y.Index(long(0, 0), tensor.Slice(0, 2, nil)))
			z.Index(0).Mul_(y.Index(-1))
			return sq(z)
		},
		"index_select": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.IndexSelect(1, long(3, 3, 0))) },
		"index_add": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.IndexAdd(0, long(1, 1, 0), y, opt.Alpha(0.5)))
		},
		"index_copy": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.IndexCopy(0, long(1, 2, 0), y)) },
		"index_fill": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.IndexFill(1, long(0, -1), y.Sum())) },
		"gather":     func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Gather(0, i23)) },
		"scatter": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.Scatter(0, long(2, 0, 1, 1).View(1, 4), y))
		},
		"scatter value": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Scatter(0, i23, 2)) },
		"scatter_add":   func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.ScatterAdd(0, i23, y)) },
		"scatter mean":  func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.ScatterReduce(0, i23, y, "mean")) },
		"scatter prod":  func(x, y *tensor.Tensor) *tensor.Tensor { return x.ScatterReduce(0, i23, y, "prod") },
		"scatter amax": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.ScatterReduce(0, i23, y, "amax", opt.IncludeSelf(false)))
		},
		"take": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Take(long(0, -1, 5, 5))) },
		"put": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.Put(long(4, 1), y.Index(0, tensor.Slice(0, 2, nil))))
		},
		"masked_select":  func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.MaskedSelect(mask)) },
		"masked_scatter": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.MaskedScatter(mask, y)) },
		"select_scatter": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.SelectScatter(y.Select(0, 1), 0, 2)) },
		"slice_scatter": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.SliceScatter(y.Narrow(1, 0, 2), opt.Dim(1), opt.Start(1), opt.Step(2)))
		},
		"diagonal_scatter": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.DiagonalScatter(y.Select(1, 1), opt.Offset(1)))
		},
		"as_strided_scatter": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.Mul(1).AsStridedScatter(y.Narrow(1, 0, 2).Narrow(0, 0, 2), []int{2, 2}, []int{5, 2}))
		},
		"sort": func(x, y *tensor.Tensor) *tensor.Tensor {
			v, _ := x.Sort(opt.Dim(0), opt.Descending(true))
			return sq(v)
		},
		"topk":     func(x, y *tensor.Tensor) *tensor.Tensor { v, _ := x.Topk(2); return sq(v) },
		"kthvalue": func(x, y *tensor.Tensor) *tensor.Tensor { v, _ := x.Kthvalue(2); return sq(v) },
		"cumsum":   func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Cumsum(1)) },
		"cumprod":  func(x, y *tensor.Tensor) *tensor.Tensor { return x.Cumprod(1) },
		"cumprod of zeros": func(x, y *tensor.Tensor) *tensor.Tensor {
			return x.Mul(tensor.FromSlice([]float64{1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 0, 1}, 3, 4)).Cumprod(1)
		},
		"cumprod of several zeros": func(x, y *tensor.Tensor) *tensor.Tensor {
			return x.Mul(tensor.FromSlice([]float64{1, 0, 0, 1, 0, 1, 1, 0, 1, 1, 1, 1}, 3, 4)).Cumprod(0)
		},
		"prod of one zero": func(x, y *tensor.Tensor) *tensor.Tensor {
			return x.Mul(tensor.FromSlice([]float64{1, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 3, 4)).Prod()
		},
		"prod of zeros": func(x, y *tensor.Tensor) *tensor.Tensor {
			return x.Mul(tensor.FromSlice([]float64{1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1}, 3, 4)).Prod(opt.Dim(1))
		},
		"prod of zeros, keepdim": func(x, y *tensor.Tensor) *tensor.Tensor {
			return x.Mul(tensor.FromSlice([]float64{1, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1}, 3, 4)).
				Prod(opt.Dim(0), opt.Keepdim(true)).Mul(y)
		},
		"logcumsumexp": func(x, y *tensor.Tensor) *tensor.Tensor { return x.Logcumsumexp(1) },
		"cummax":       func(x, y *tensor.Tensor) *tensor.Tensor { v, _ := x.Cummax(1); return sq(v) },
		"cummin":       func(x, y *tensor.Tensor) *tensor.Tensor { v, _ := x.Cummin(0); return sq(v) },
		"tril":         func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Tril(opt.Diagonal(1))) },
		"triu":         func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Triu(opt.Diagonal(-1))) },
		"diag": func(x, y *tensor.Tensor) *tensor.Tensor {
			return sq(x.Diag(opt.Diagonal(1)).Add(x.Select(0, 1).Diag().Sum()))
		},
		"diag_embed":     func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.DiagEmbed(opt.Offset(-1))) },
		"diff":           func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Diff(opt.N(2), opt.Append(y))) },
		"fill_diagonal_": func(x, y *tensor.Tensor) *tensor.Tensor { return sq(x.Mul(y).FillDiagonal_(3)) },
	} {
		t.Run(name, func(t *testing.T) {
			x := tensor.FromSlice([]float64{0.3, -1.2, 0.7, 1.9, -0.4, 0.9, 1.1, -0.6, 0.2, 1.4, -1.7, 0.5}, 3,
				4).RequiresGrad_()
			y := tensor.FromSlice([]float64{1.3, 0.8, -0.9, 0.4, 1.6, -1.1, 0.1, -0.2, 0.6, 1.7, -0.5, 2.2}, 3,
				4).RequiresGrad_()
			g := func(in []*tensor.Tensor) []*tensor.Tensor {
				return []*tensor.Tensor{f(in[0], in[1]).Add(in[1].Sum().Mul(0))}
			}
			if err := autograd.Gradcheck(g, []*tensor.Tensor{x, y}); err != nil {
				t.Error(err)
			}
			if err := autograd.Gradgradcheck(g, []*tensor.Tensor{x, y}); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestProductAtZero: the second derivative of a product where an element is zero, backward twice, forward over
// backward, and of a batch.
func TestProductAtZero(t *testing.T) {
	want := tensor.FromSlice([]float64{0.75, 0.25, 0.5}, 3)
	prod := func(x *tensor.Tensor) *tensor.Tensor { return x.Prod() }
	x := tensor.FromSlice([]float64{0, 0.5, 0.25}, 3).RequiresGrad_()
	g := autograd.Grad([]*tensor.Tensor{prod(x)}, []*tensor.Tensor{x}, opt.CreateGraph(true))[0]
	if h := autograd.Grad([]*tensor.Tensor{g.Sum()}, []*tensor.Tensor{x})[0]; !h.Allclose(want) {
		t.Errorf("row sums of the Hessian are %v", h)
	}
	grad := func(x *tensor.Tensor) *tensor.Tensor { // sums of the second derivatives by each pair: forward over backward
		_, d := autograd.JVP(gradOf(prod), []*tensor.Tensor{x}, []*tensor.Tensor{tensor.OnesLike(x)})
		return d[0]
	}
	if h := grad(x.Detach()); !h.Allclose(want) {
		t.Errorf("forward over backward: %v", h)
	}
	batch := autograd.Vmap(grad)(x.Detach().Unsqueeze(0).Expand(2, 3))
	if !batch.Select(0, 1).Allclose(want) {
		t.Errorf("of a batch: %v", batch)
	}
}

func TestIndexingNodes(t *testing.T) {
	x := tensor.Ones(3, 3).RequiresGrad_()
	at := tensor.FromSlice([]int{0, 2}, 2)
	y := x.Mul(1)
	y.IndexPut_(tensor.Ix{at}, 5)
	v := x.Mul(1)
	v.Index(tensor.Colon, 1).IndexPut_(tensor.Ix{at}, 5)
	s, _ := x.Sort()
	for _, c := range []struct {
		y    *tensor.Tensor
		want string
	}{
		{x.Index(at), "IndexBackward0"}, {x.Index(0), "SelectBackward0"},
		{x.Index(tensor.Slice(1, nil, nil)), "SliceBackward0"},
		{x.Index(tensor.None), "UnsqueezeBackward0"}, {y, "IndexPutBackward0"}, {v, "CopySlices"}, {s, "SortBackward0"},
		{x.Scatter(0, at.View(1, 2), 1), "ScatterBackward1"}, {x.Scatter(0, at.View(1, 2), x), "ScatterBackward0"},
		{x.MaskedSelect(x.Gt(0)), "MaskedSelectBackward0"}, {x.Take(at), "TakeBackward0"},
	} {
		if got := autograd.GradFn(c.y).Name(); got != c.want {
			t.Errorf("node is %s, want %s", got, c.want)
		}
	}
	v.Sum().Backward()
	if got := x.Grad().Sum().Item(); got != 7 {
		t.Errorf("the gradient sums to %v, want 7: two of nine elements were overwritten", got)
	}
}
