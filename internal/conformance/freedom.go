package conformance

import (
	"encoding/json"
	"math/cmplx"
	"slices"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// Note: freedom. Eigenvectors and singular vectors are determined up to a phase (a sign, of real ones), and the
// eigenvalues of a general matrix up to their order. Before such results are compared, and before the recorded
// gradients of them are taken, they are brought into the recording's order and phases, by operators that autograd
// records: the gradients are then those of the same function. What a result is free in stands in one table.

// freedom says which results of an operator are free, by their number; -1 is none.
type freedom struct {
	values  int // eigenvalues, in any order
	columns int // vectors in columns, each up to a phase
	others  int // vectors that take the same phase: in columns
	rows    int // and in rows, which take its conjugate
}

var freedoms = map[string]freedom{
	"linalg.eig":     {0, 1, -1, -1},
	"linalg.eigvals": {0, -1, -1, -1},
	"linalg.eigh":    {-1, 1, -1, -1},
	"symeig":         {-1, 1, -1, -1},
	"linalg.svd":     {-1, 0, -1, 2},
	"svd":            {-1, 0, 2, -1},
	"svd_lowrank":    {-1, 0, 2, -1},
	"pca_lowrank":    {-1, 0, 2, -1},
}

// align brings the results of an operator into the recording's order and phases.
func align(op string, args []any, kwargs map[string]any, got []any, raw json.RawMessage) error {
	f, ok := freedoms[op]
	if !ok && !anyOfEqual[op] {
		return nil
	}
	flat, err := flatResults(raw)
	if err != nil || len(flat) != len(got) {
		return err
	}
	if anyOfEqual[op] {
		return alignIndex(args, kwargs, got, flat[1])
	}
	want := func(i int) (*tensor.Tensor, error) {
		var m struct{ Tensor *encoded }
		if err := json.Unmarshal(flat[i], &m); err != nil {
			return nil, err
		}
		w, err := m.Tensor.logical()
		if err == nil {
			w = w.To(place)
		}
		return w, err
	}
	at := func(i int) *tensor.Tensor { x, _ := got[i].(*tensor.Tensor); return x }
	if f.values >= 0 {
		w, err := want(f.values)
		if err != nil {
			return err
		}
		x := at(f.values)
		if !slices.Equal(x.Sizes(), w.Sizes()) || x.Numel() == 0 {
			return nil // compared as they are
		}
		order := orderOf(x, w)
		got[f.values] = x.Gather(-1, order)
		if f.columns >= 0 {
			v := at(f.columns)
			got[f.columns] = v.Gather(-1, order.Unsqueeze(-2).Expand(v.Sizes()...))
		}
	}
	if f.columns < 0 {
		return nil
	}
	w, err := want(f.columns)
	if err != nil {
		return err
	}
	x := at(f.columns)
	if !slices.Equal(x.Sizes(), w.Sizes()) || x.Numel() == 0 {
		return nil
	}
	paired := x.Size(-1) // of a full basis the vectors beyond the singular values have no partner
	for _, other := range []int{f.others, f.rows} {
		switch {
		case other >= 0 && other == f.rows:
			paired = min(paired, at(other).Size(-2))
		case other >= 0:
			paired = min(paired, at(other).Size(-1))
		}
	}
	phase := phases(x.Narrow(-1, 0, paired), w.Narrow(-1, 0, paired))
	got[f.columns] = turned(x, w, phase)
	for _, other := range []int{f.others, f.rows} {
		if other < 0 {
			continue
		}
		u, err := want(other)
		if err != nil {
			return err
		}
		if y := at(other); !slices.Equal(y.Sizes(), u.Sizes()) {
			continue
		} else if other == f.rows {
			got[other] = turned(y.MH(), u.MH(), phase).MH()
		} else {
			got[other] = turned(y, u, phase)
		}
	}
	return nil
}

// turned multiplies the first columns of x by phases; those that are left span a space, in which they are turned
// towards those of w.
func turned(x, w, phase *tensor.Tensor) *tensor.Tensor {
	n := phase.Size(-1)
	y := x.Narrow(-1, 0, n).Mul(phase)
	left := x.Size(-1) - n
	if left == 0 {
		return y
	}
	rest, to := x.Narrow(-1, n, left), w.Narrow(-1, n, left)
	return tensor.Cat([]*tensor.Tensor{y, rest.Matmul(rest.Detach().MH().Matmul(to))}, opt.Dim(-1))
}

// phases are the numbers of absolute value 1 that bring each column of x nearest to that of w.
func phases(x, w *tensor.Tensor) *tensor.Tensor {
	sum := w.Mul(x.Detach().Conj()).Sum(opt.Dim(-2), opt.Keepdim(true))
	return tensor.Where(sum.Eq(0), 1, sum.Sgn())
}

// orderOf is the permutation, of each line, that brings every value of x nearest to one of w that is not taken yet.
func orderOf(x, w *tensor.Tensor) *tensor.Tensor {
	n := x.Size(-1)
	a := tensor.Data[complex128](x.Detach().To(tensor.Complex128).Contiguous())
	b := tensor.Data[complex128](w.To(tensor.Complex128).Contiguous())
	order := make([]int64, len(a))
	for line := 0; line < len(a); line += n {
		taken := make([]bool, n)
		for i := range n {
			best := -1
			for j := range n {
				d := func(j int) float64 { return cmplx.Abs(a[line+j] - b[line+i]) }
				if !taken[j] && (best < 0 || d(j) < d(best)) {
					best = j
				}
			}
			taken[best], order[line+i] = true, int64(best)
		}
	}
	return tensor.FromSlice(order, x.Sizes()...).To(place)
}

// anyOfEqual are operators that answer values and an index of each, where any of several equal elements may be meant.
var anyOfEqual = map[string]bool{"mode": true}

// alignIndex takes the recorded index where the element that it points at is the one that was found.
func alignIndex(args []any, kwargs map[string]any, got []any, raw json.RawMessage) error {
	want, err := logicalOf(raw)
	if err != nil {
		return err
	}
	want = want.To(place)
	x, dim, keep := args[0].(*tensor.Tensor).Detach(), any(-1), any(false)
	for i, slot := range []*any{&dim, &keep} {
		if v, ok := kwargs[[]string{"dim", "keepdim"}[i]]; ok {
			*slot = v
		} else if len(args) > i+1 {
			*slot = args[i+1]
		}
	}
	index, ok := got[1].(*tensor.Tensor)
	if !ok || x.Dim() == 0 || !slices.Equal(index.Sizes(), want.Sizes()) {
		return nil // compared as they are
	}
	at := want
	if keep != true {
		at = at.Unsqueeze(dim.(int))
	}
	pointed := x.Gather(dim.(int), at)
	if keep != true {
		pointed = pointed.Squeeze(dim.(int))
	}
	got[1] = tensor.Where(pointed.Eq(got[0].(*tensor.Tensor)), want, index)
	return nil
}
