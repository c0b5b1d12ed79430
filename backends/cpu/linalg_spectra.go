package cpu

import (
	"strings"

	"gotorch/internal/lapack"
	"gotorch/tensor"
)

func init() {
	linalg("linalg.qr", qrKernel[float64], qrKernel[complex128])
	linalg("geqrf", geqrfKernel[float64], geqrfKernel[complex128])
	linalg("linalg.householder_product", householderKernel[float64], householderKernel[complex128])
	linalg("ormqr", ormqrKernel[float64], ormqrKernel[complex128])
	linalg("linalg.eigh", eighKernel[float64], eighKernel[complex128])
	linalg("linalg.eigvalsh", eighKernel[float64], eighKernel[complex128])
	linalg("linalg.svd", svdKernel[float64], svdKernel[complex128])
	linalg("linalg.svdvals", svdKernel[float64], svdKernel[complex128])
}

func qrKernel[T matrixElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	q, flushQ := results[T](c, 0)
	r, flushR := results[T](c, 1)
	m, n, k := a.rows, a.cols, min(a.rows, a.cols)
	cols, rows := k, k // of Q, of R
	mode := c.Str(1)
	if mode == "complete" {
		cols, rows = m, m
	}
	eachMatrix(c, a.count, 2*m*n*k, func(i int) {
		s := linalgScratches.Get().(*linalgScratch)
		defer linalgScratches.Put(s)
		f, tau := copyIn(s, a.at(i)), make([]T, k)
		lapack.QR(f, m, n, tau)
		up := r[i*rows*n : (i+1)*rows*n]
		clear(up)
		for j := range k {
			copy(up[j*n+j:(j+1)*n], f[j*n+j:(j+1)*n])
		}
		if mode == "r" {
			return
		}
		out := q[i*m*cols : (i+1)*m*cols]
		clear(out)
		for j := range m {
			copy(out[j*cols:j*cols+k], f[j*n:j*n+k])
		}
		lapack.Q(out, m, cols, k, tau)
	})
	flushQ()
	flushR()
}

func geqrfKernel[T matrixElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	f, flushF := results[T](c, 0)
	tau, flushTau := results[T](c, 1)
	m, n, k := a.rows, a.cols, min(a.rows, a.cols)
	eachMatrix(c, a.count, 2*m*n*k, func(i int) {
		x := f[i*m*n : (i+1)*m*n]
		copy(x, a.at(i))
		lapack.QR(x, m, n, tau[i*k:(i+1)*k])
	})
	flushF()
	flushTau()
}

// factorsOf reads argument 1, the factors of reflectors.
func factorsOf[T matrixElement](c *tensor.Call) (*tensor.Tensor, []T, int) {
	x := contiguous(c.Name(), c.Tensor(1), tensor.DtypeOf[T]())
	return x, tensor.Elems[T](x), x.Size(-1)
}

func householderKernel[T matrixElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	keep, tau, k := factorsOf[T](c)
	t := batch[T]{keep: keep}
	defer t.release()
	out, flush := results[T](c, 0)
	m, n := a.rows, a.cols
	eachMatrix(c, a.count, 2*m*n*k, func(i int) {
		q := out[i*m*n : (i+1)*m*n]
		copy(q, a.at(i))
		lapack.Q(q, m, n, k, tau[i*k:(i+1)*k])
	})
	flush()
}

func ormqrKernel[T matrixElement](c *tensor.Call) {
	a, b := matricesOf[T](c, 0), matricesOf[T](c, 2)
	defer a.release()
	defer b.release()
	keep, tau, k := factorsOf[T](c)
	t := batch[T]{keep: keep}
	defer t.release()
	out, flush := results[T](c, 0)
	left, trans := c.Bool(3), lapack.NoTrans
	if c.Bool(4) {
		trans = lapack.ConjTrans
	}
	size := b.rows * b.cols
	eachMatrix(c, a.count, 2*size*k, func(i int) {
		x := out[i*size : (i+1)*size]
		copy(x, b.at(i))
		lapack.MulQ(left, trans, x, b.rows, b.cols, a.at(i), a.cols, k, tau[i*k:(i+1)*k])
	})
	flush()
}

// noSpectrum says why an iteration found no eigenvalues or singular values.
func noSpectrum(info int) string {
	if info == notFinite {
		return "the algorithm failed to converge because the input matrix contained non-finite values"
	}
	return "the algorithm failed to converge because the input matrix is ill-conditioned or has too many repeated " +
		"eigenvalues"
}

// The numbers of the two failures of an iteration.
const (
	notConverged = 1
	notFinite    = 2
)

// iterate runs find for each matrix of a batch, on a copy, and panics for the first that has no result.
func iterate[T matrixElement](c *tensor.Call, a batch[T], work int, find func(i int, x []T) bool) {
	var f failures
	eachMatrix(c, a.count, work, func(i int) {
		s := linalgScratches.Get().(*linalgScratch)
		defer linalgScratches.Put(s)
		x := copyIn(s, a.at(i))
		spectrumOf(&f, i, x, func() bool { return find(i, x) })
	})
	f.raise(c, c.Tensor(0), noSpectrum)
}

// spectrumOf runs find for matrix i and notes whether it failed.
func spectrumOf[T matrixElement](f *failures, i int, x []T, find func() bool) {
	switch {
	case !lapack.Finite(x):
		f.set(i, notFinite)
	case !find():
		f.set(i, notConverged)
	}
}

// eighKernel is for eigenvalues, and for vectors where there is a result for them.
func eighKernel[T matrixElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	w, flushW := results[float64](c, 0)
	n, upper := a.rows, strings.ToUpper(c.Str(1)) == "U"
	var v []T
	flushV := func() {}
	if len(c.Op.Rets) > 1 {
		v, flushV = results[T](c, 1)
	}
	iterate(c, a, 9*n*n*n, func(i int, x []T) bool {
		ok := lapack.EigH(x, n, upper, v != nil, w[i*n:(i+1)*n])
		if v != nil {
			copy(v[i*n*n:], x)
		}
		return ok
	})
	flushW()
	flushV()
}

// svdKernel is for singular values, and for vectors where there are results for them.
func svdKernel[T matrixElement](c *tensor.Call) {
	a := matricesOf[T](c, 0)
	defer a.release()
	m, n, k := a.rows, a.cols, min(a.rows, a.cols)
	if len(c.Op.Rets) == 1 {
		s, flush := results[float64](c, 0)
		iterate(c, a, 4*m*n*k, func(i int, x []T) bool { return lapack.SVD(x, m, n, false, s[i*k:(i+1)*k], nil, nil) })
		flush()
		return
	}
	full := c.Bool(1)
	u, flushU := results[T](c, 0)
	s, flushS := results[float64](c, 1)
	vh, flushV := results[T](c, 2)
	cu, cv := c.Ret(0).Size(-1), c.Ret(2).Size(-2)
	iterate(c, a, 20*m*n*k, func(i int, x []T) bool {
		return lapack.SVD(x, m, n, full, s[i*k:(i+1)*k], u[i*m*cu:(i+1)*m*cu], vh[i*cv*n:(i+1)*cv*n])
	})
	flushU()
	flushS()
	flushV()
}
