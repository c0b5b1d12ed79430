package cpu

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"gotorch/internal/gemm"
	"gotorch/internal/lapack"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: linear algebra. Kernels run package lapack on each matrix of a batch, in parallel. LU, Cholesky, triangular
// systems and the exponential compute float32 as it is; everything else computes in float64 and complex128, for which
// package lapack has all factorizations, and narrower numbers gain accuracy.

// linalg registers the kernel of an operator: the one for real numbers or the one for complex, by its first argument.
func linalg(name string, real, complex tensor.Kernel) {
	tensor.Register(name, tensor.KeyCPU, func(c *tensor.Call) {
		if c.Tensor(0).Dtype().IsComplex() {
			complex(c)
		} else {
			real(c)
		}
	})
}

// linalgNarrow registers the kernels of an operator that has one for float32 too.
func linalgNarrow(name string, narrow, real, complex tensor.Kernel) {
	linalg(name, func(c *tensor.Call) {
		if c.Tensor(0).Dtype() == tensor.Float32 {
			narrow(c)
		} else {
			real(c)
		}
	}, complex)
}

// matrixElement is what matrices are computed in, of all factorizations.
type matrixElement interface {
	lapack.Field
	tensor.Element
}

// factorElement adds float32, for LU and what is like it.
type factorElement interface {
	lapack.Number
	tensor.Element
}

// batch is the matrices of a tensor, row by row: count of them, rows by cols each.
type batch[T any] struct {
	elems             []T
	count, rows, cols int
	keep              *tensor.Tensor
}

// matricesOf reads the matrices of argument i.
func matricesOf[T tensor.Element](c *tensor.Call, i int) batch[T] {
	return matricesIn[T](c, c.Tensor(i))
}

func matricesIn[T tensor.Element](c *tensor.Call, x *tensor.Tensor) batch[T] {
	x = contiguous(c.Name(), x, tensor.DtypeOf[T]())
	d := x.Dim()
	b := batch[T]{elems: tensor.Elems[T](x), count: 1, rows: x.Size(d - 2), cols: x.Size(d - 1), keep: x}
	for _, n := range x.Sizes()[:d-2] {
		b.count *= n
	}
	return b
}

// at is matrix i.
func (b *batch[T]) at(i int) []T {
	n := b.rows * b.cols
	return b.elems[i*n : (i+1)*n]
}

// release ends the use of the elements.
func (b *batch[T]) release() { runtime.KeepAlive(b.keep) }

// linalgScratch is memory for work on one matrix.
type linalgScratch struct {
	narrow  []float32
	real    []float64
	complex []complex128
	pivots  []int
}

var linalgScratches = sync.Pool{New: func() any { return new(linalgScratch) }}

// copyIn copies a matrix to scratch memory.
func copyIn[T factorElement](s *linalgScratch, a []T) []T {
	var buf *[]T
	switch any(buf).(type) {
	case *[]float32:
		buf = any(&s.narrow).(*[]T)
	case *[]float64:
		buf = any(&s.real).(*[]T)
	default:
		buf = any(&s.complex).(*[]T)
	}
	x := gemm.Room(buf, len(a))
	copy(x, a)
	return x
}

// uninterrupted is about how many multiplications run without a look at whether they are interrupted.
const uninterrupted = 1e8

// eachMatrix calls f for matrices 0 to count-1, in parallel; work is about how many multiplications each takes.
func eachMatrix(c *tensor.Call, count, work int, f func(i int)) {
	name := c.Name()
	parallel.For(count, max(1, parallel.Grain(float64(max(1, work)))), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if tensor.Interrupted(name); work < uninterrupted {
				f(i)
				continue
			}
			tensor.Leave(c, func() { f(i) })
		}
	})
}

// broadcast tells, for each matrix of a batch of the shape to, which one of a batch of the shape from stands there.
func broadcast(from, to []int) []int {
	stride, n := make([]int, len(to)), 1
	for i := len(from) - 1; i >= 0; i-- {
		if from[i] != 1 {
			stride[len(to)-len(from)+i] = n
		}
		n *= from[i]
	}
	total := 1
	for _, s := range to {
		total *= s
	}
	index := make([]int, total)
	for k := range index {
		rest := k
		for i := len(to) - 1; i >= 0; i-- {
			index[k] += rest % to[i] * stride[i]
			rest /= to[i]
		}
	}
	return index
}

// batchShape is the shape of x without those of its matrices.
func batchShape(x *tensor.Tensor) []int { return x.Sizes()[:x.Dim()-2] }

// operands tells, for each matrix of result 0, which ones of arguments i and j it is made of.
func operands(c *tensor.Call, i, j int) (fromI, fromJ []int) {
	shape := batchShape(c.Ret(0))
	return broadcast(batchShape(c.Tensor(i)), shape), broadcast(batchShape(c.Tensor(j)), shape)
}

// failures notes which matrices could not be factored; the numbers are LAPACK's.
type failures struct {
	info  []int32
	first atomic.Int64 // the first matrix that failed, plus 1
}

// set notes the number of matrix i.
func (f *failures) set(i, info int) {
	if f.info != nil {
		f.info[i] = int32(info)
	}
	if info == 0 {
		return
	}
	for {
		was := f.first.Load()
		if was != 0 && was>>32 <= int64(i) {
			return
		}
		if f.first.CompareAndSwap(was, int64(i+1)<<32|int64(info)) {
			return
		}
	}
}

// raise panics for the first matrix that failed, where the call checks; what says how, from its number.
func (f *failures) raise(c *tensor.Call, x *tensor.Tensor, what func(info int) string) {
	v := f.first.Load()
	if v == 0 || !checks(c) {
		return
	}
	where := ""
	if x.Dim() > 2 {
		where = fmt.Sprintf("(batch element %d) ", v>>32-1)
	}
	panic(tensor.Errorf(c.Name(), "%s%s", where, what(int(v&(1<<32-1)))))
}

// checks reports whether a call raises errors: the operators that tell about failures in their last result do so where
// check_errors is set, or get_infos is not.
func checks(c *tensor.Call) bool {
	if i := c.Op.Param("get_infos"); i >= 0 {
		return !c.Bool(i)
	}
	if i := c.Op.Param("check_errors"); i >= 0 {
		return c.Bool(i)
	}
	return true
}

// infoOf is the elements of the result called info, where the operator has one.
func infoOf(c *tensor.Call) []int32 {
	last := len(c.Op.Rets) - 1
	if n := c.Op.Rets[last].Name; n == "info" || n == "infos" {
		return tensor.Elems[int32](c.Ret(last))
	}
	return nil
}

// pivotsOf reads the exchanges of rows of matrix i, which count from 1.
func pivotsOf(pivots []int32, i, k, rows int, op string) []int {
	out := make([]int, k)
	for j := range out {
		p := int(pivots[i*k+j]) - 1
		if p < j || p >= rows {
			panic(tensor.Errorf(op, "pivots must be from the number of their row to %d, got %d for row %d", rows, p+1, j+1))
		}
		out[j] = p
	}
	return out
}
