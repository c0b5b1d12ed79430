package cpu

import (
	"gotorch/internal/lapack"
	"gotorch/tensor"
)

// nuclearKernel adds up the singular values of each matrix of the two reduced dimensions.
func nuclearKernel(c *tensor.Call) {
	if c.Self().Dtype().IsComplex() {
		nuclear[complex128](c)
	} else {
		nuclear[float64](c)
	}
}

func nuclear[T matrixElement](c *tensor.Call) {
	x := c.Self()
	d := tensor.NuclearDims(c.Name(), c.Ints(2), x.Dim())
	out, flush := results[float64](c, 0)
	keep := contiguous(c.Name(), x, tensor.DtypeOf[T]())
	elems, stride := tensor.Elems[T](keep), packedStrides(x.Sizes())
	m, n := x.Sizes()[d[0]], x.Sizes()[d[1]]
	var starts []int
	eachOther(x.Sizes(), stride, d, func(_, at int) { starts = append(starts, at) })
	f := new(failures)
	eachMatrix(c, len(starts), 4*m*n*min(m, n), func(i int) {
		a, s := make([]T, m*n), make([]float64, min(m, n))
		for r := range m {
			for k := range n {
				a[r*n+k] = elems[starts[i]+r*stride[d[0]]+k*stride[d[1]]]
			}
		}
		spectrumOf(f, i, a, func() bool { return lapack.SVD(a, m, n, false, s, nil, nil) })
		out[i] = 0
		for _, v := range s {
			out[i] += v
		}
	})
	f.raise(c, x, noSpectrum)
	(&batch[T]{keep: keep}).release()
	flush()
}

// packedStrides returns the strides of a contiguous tensor.
func packedStrides(shape []int) []int {
	stride, n := make([]int, len(shape)), 1
	for i := len(shape) - 1; i >= 0; i-- {
		stride[i] = n
		n *= shape[i]
	}
	return stride
}

// eachOther calls f with the number and first element of each matrix over dimensions d.
func eachOther(shape, stride []int, d [2]int, f func(i, at int)) {
	n := 1
	for j, s := range shape {
		if j != d[0] && j != d[1] {
			n *= s
		}
	}
	for i := range n {
		at, rest := 0, i
		for j := len(shape) - 1; j >= 0; j-- {
			if j != d[0] && j != d[1] {
				at += rest % shape[j] * stride[j]
				rest /= shape[j]
			}
		}
		f(i, at)
	}
}

func init() { linalg("_unitary_factor", unitaryFactorKernel[float64], unitaryFactorKernel[complex128]) }

// unitaryFactorKernel is U @ Vh; singular values of zero, whose vectors are anything orthogonal, take no part.
func unitaryFactorKernel[T matrixElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	out, flush := results[T](c, 0)
	m, n, k := a.rows, a.cols, min(a.rows, a.cols)
	iterate(c, a, 20*m*n*k, func(i int, x []T) bool {
		u, s, vh := make([]T, m*k), make([]float64, k), make([]T, k*n)
		if !lapack.SVD(x, m, n, false, s, u, vh) {
			return false
		}
		for j, v := range s {
			if v <= s[0]*1e-14 {
				for r := range m {
					u[r*k+j] = 0
				}
			}
		}
		lapack.Mul(out[i*m*n:(i+1)*m*n], lapack.NoTrans, lapack.NoTrans, m, n, k, u, vh)
		return true
	})
	flush()
}
