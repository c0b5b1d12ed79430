package cpu

import (
	"math"
	"math/cmplx"

	"gotorch/tensor"
)

// Note: singular values by one-sided Jacobi rotations. Pairs of columns are turned until all are orthogonal; their
// lengths are then the singular values. Slow next to bidiagonalization for large matrices, but short, exact in every
// value, and the same for complex numbers.

const (
	svdSweeps = 60
	svdSmall  = 1e-15 // of the product of two lengths: columns are orthogonal; of the whole matrix: a column is nothing but rounding
)

// columns is a matrix of n columns of m elements each.
type columns [][]complex128

// orthogonalize turns the columns of a, and of v with them, until those of a are orthogonal. It reports whether they
// became so.
func (a columns) orthogonalize(v columns) bool {
	whole := 0.0
	for _, col := range a {
		whole = math.Hypot(whole, length(col))
	}
	nothing := whole * svdSmall * whole * svdSmall
	for range svdSweeps {
		turned := false
		for p := range a {
			for q := p + 1; q < len(a); q++ {
				var pp, qq float64
				var pq complex128
				for i, x := range a[p] {
					y := a[q][i]
					pp += real(x)*real(x) + imag(x)*imag(x)
					qq += real(y)*real(y) + imag(y)*imag(y)
					pq += cmplx.Conj(x) * y
				}
				size := cmplx.Abs(pq)
				if !(size > svdSmall*math.Sqrt(pp*qq)) || size == 0 || pp <= nothing || qq <= nothing {
					continue
				}
				turned = true
				phase := pq / complex(size, 0)
				zeta := (qq - pp) / (2 * size)
				t := math.Copysign(1, zeta) / (math.Abs(zeta) + math.Hypot(1, zeta))
				cos := 1 / math.Hypot(1, t)
				turn(a[p], a[q], cos, cos*t, phase)
				turn(v[p], v[q], cos, cos*t, phase)
			}
		}
		if !turned {
			return true
		}
	}
	return false
}

// turn rotates two columns by an angle of the given cosine and sine, the second first brought into phase with the
// first.
func turn(p, q []complex128, cos, sin float64, phase complex128) {
	c, s := complex(cos, 0), complex(sin, 0)
	for i, x := range p {
		y := q[i] * cmplx.Conj(phase)
		p[i], q[i] = c*x-s*y, s*x+c*y
	}
}

// columnsOf reads rows x cols elements from at on; a matrix that is wider than high is read as its conjugate
// transpose.
func columnsOf(x []complex128, at, rows, cols, rowStride, colStride int) (a columns, v columns) {
	wide := cols > rows
	if wide {
		rows, cols, rowStride, colStride = cols, rows, colStride, rowStride
	}
	a, v = make(columns, cols), make(columns, cols)
	for j := range a {
		a[j], v[j] = make([]complex128, rows), make([]complex128, cols)
		v[j][j] = 1
		for i := range a[j] {
			e := x[at+i*rowStride+j*colStride]
			if wide {
				e = cmplx.Conj(e)
			}
			a[j][i] = e
		}
	}
	return a, v
}

// length is the 2-norm of a column.
func length(x []complex128) float64 {
	s := 0.0
	for _, e := range x {
		s = math.Hypot(s, cmplx.Abs(e))
	}
	return s
}

// singular orthogonalizes one matrix; numbers that are not finite have no decomposition.
func singular(op string, a, v columns) {
	for _, col := range a {
		for _, e := range col {
			if cmplx.IsNaN(e) || cmplx.IsInf(e) {
				tensor.Errorf(op, "the singular value decomposition failed: the matrix contains infinities or NaNs")
			}
		}
	}
	if !a.orthogonalize(v) {
		tensor.Errorf(op, "the singular value decomposition did not converge")
	}
}

// nuclearKernel adds up the singular values of each matrix of the two reduced dimensions.
func nuclearKernel(c *tensor.Call) {
	x := c.Self()
	d := tensor.NuclearDims(c.Name(), c.Ints(2), x.Dim())
	out, flush := results[float64](c, 0)
	elems := contig[complex128](c.Name(), x)
	stride := packedStrides(x.Sizes())
	eachOther(x.Sizes(), stride, d, func(i, at int) {
		tensor.Interrupted(c.Name())
		a, v := columnsOf(elems, at, x.Sizes()[d[0]], x.Sizes()[d[1]], stride[d[0]], stride[d[1]])
		singular(c.Name(), a, v)
		for _, col := range a {
			out[i] += length(col)
		}
	})
	flush()
}

// packedStrides gives the strides of a contiguous tensor.
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

// unitaryFactorKernel is U @ Vh; singular values of zero, whose vectors are anything orthogonal, take no part.
func unitaryFactorKernel(c *tensor.Call) {
	x, y := c.Self(), c.Ret(0)
	n := x.Dim()
	rows, cols := x.Sizes()[n-2], x.Sizes()[n-1]
	elems := contig[complex128](c.Name(), x)
	whole := tensor.Alloc(c.Name(), x.Sizes(), tensor.Complex128, tensor.CPU)
	out := tensor.Elems[complex128](whole)
	eachOther(x.Sizes(), packedStrides(x.Sizes()), [2]int{n - 2, n - 1}, func(_, at int) {
		tensor.Interrupted(c.Name())
		a, v := columnsOf(elems, at, rows, cols, cols, 1)
		singular(c.Name(), a, v)
		limit := 0.0
		for _, col := range a {
			limit = max(limit, length(col)*1e-14)
		}
		for j, col := range a {
			s := length(col)
			if s <= limit {
				continue
			}
			for i, e := range col {
				u := e / complex(s, 0)
				for k, w := range v[j] {
					p := u * cmplx.Conj(w)
					if cols > rows {
						out[at+k*cols+i] += cmplx.Conj(p)
					} else {
						out[at+i*cols+k] += p
					}
				}
			}
		}
	})
	copyTensor(c.Name(), y, whole)
}

func init() { tensor.Register("_unitary_factor", tensor.KeyCPU, unitaryFactorKernel) }
