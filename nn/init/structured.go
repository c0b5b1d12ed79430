package inits

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"gotorch/tensor"
)

// Eye_ fills a matrix with the identity.
func Eye_(t *tensor.Tensor) *tensor.Tensor {
	if t.Dim() != 2 {
		panic(tensor.Errorf("init.eye_", "want a matrix, got shape %v", t.Shape()))
	}
	return write(t, func() { t.Copy_(tensor.With(t.Dtype()).Zeros(t.Shape()...).FillDiagonal_(1)) })
}

// Dirac_ fills the weight of a convolution (3 to 5 dimensions) so that it keeps as many input channels as it can, in
// each of groups groups.
func Dirac_(t *tensor.Tensor, groups int) *tensor.Tensor {
	const op = "init.dirac_"
	if t.Dim() < 3 || t.Dim() > 5 {
		panic(tensor.Errorf(op, "want 3, 4 or 5 dimensions, got shape %v", t.Shape()))
	}
	if groups < 1 || t.Size(0)%groups != 0 {
		panic(tensor.Errorf(op, "%d output channels cannot be divided into %d groups", t.Size(0), groups))
	}
	each := t.Size(0) / groups
	return write(t, func() {
		t.Zero_()
		at := make([]int, t.Dim())
		for i := 2; i < t.Dim(); i++ {
			at[i] = t.Size(i) / 2
		}
		for g := range groups {
			for d := range min(each, t.Size(1)) {
				at[0], at[1] = g*each+d, d
				t.Set(1, at...)
			}
		}
	})
}

// Orthogonal_ fills a tensor, seen as a matrix of its first dimension by the others, with orthogonal rows or columns
// times opt.Gain: the QR decomposition of normal draws (Saxe et al. 2013).
func Orthogonal_(t *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	const op = "init.orthogonal_"
	m, from := drawing(op, opts, "gain")
	if t.Dim() < 2 {
		panic(tensor.Errorf(op, "want at least 2 dimensions, got shape %v", t.Shape()))
	}
	if t.Numel() == 0 {
		return t
	}
	rows, cols := t.Size(0), t.Numel()/t.Size(0)
	return write(t, func() {
		draws := tensor.EmptyLike(t).Resize_([]int{rows, cols}).Normal_(from...)
		if rows < cols {
			draws = draws.T()
		}
		n, k := draws.Size(0), draws.Size(1)
		var qr mat.QR
		qr.Factorize(mat.NewDense(n, k, tensor.Data[float64](draws.To(tensor.Float64))))
		var q, r mat.Dense
		qr.QTo(&q)
		qr.RTo(&r)
		out := make([]float64, 0, n*k)
		for i := range n {
			for j := range k {
				out = append(out, math.Copysign(1, r.At(j, j))*q.At(i, j))
			}
		}
		x := tensor.FromSlice(out, n, k)
		if rows < cols {
			x = x.T()
		}
		t.Copy_(x.Reshape(t.Shape()...)).Mul_(float(op, "gain", m, 1))
	})
}

// Sparse_ fills a matrix with draws of a normal distribution with that standard deviation, and sets a share sparsity
// of each column's elements to 0 (Martens 2010).
func Sparse_(t *tensor.Tensor, sparsity, std float64, opts ...tensor.Option) *tensor.Tensor {
	const op = "init.sparse_"
	if t.Dim() != 2 {
		panic(tensor.Errorf(op, "want a matrix, got shape %v", t.Shape()))
	}
	if !(sparsity >= 0 && sparsity <= 1) {
		panic(tensor.Errorf(op, "sparsity must be from 0 to 1, got %v", sparsity))
	}
	_, from := drawing(op, opts)
	rows, cols := t.Size(0), t.Size(1)
	zeros := int(math.Ceil(sparsity * float64(rows)))
	return write(t, func() {
		t.Normal_(append(from, tensor.NewOption("std", std))...)
		for c := range cols {
			for _, r := range tensor.Data[int64](tensor.Randperm(rows, from...))[:zeros] {
				t.Set(0, int(r), c)
			}
		}
	})
}
