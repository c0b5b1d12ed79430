package cpu

import (
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: complex matrices without vector kernels. The real parts of the elements of a matrix are one real matrix, the
// imaginary parts another. A product is four products of these, which the kernels for real numbers compute: portable
// sums of complex numbers would take longer.

const (
	planeProduct = 16 * 16 * 16 // products from which the parts are worth their copies
	planeSide    = 4            // and rows and columns of the result
)

// planes are the parts of a batch of complex matrices.
type planes[R float] struct {
	re, im gemm.Matrix[R]
	batch  int // from one matrix to the next
}

func (s planes[R]) at(i int) (re, im gemm.Matrix[R]) {
	re, im = s.re, s.im
	re.Off += i * s.batch
	im.Off += i * s.batch
	return re, im
}

// multiplyComplex multiplies complex matrices, C, whose parts are R.
func multiplyComplex[C complex64 | complex128, R float](p product) {
	if gemm.Kernels[C]().Vectors() || p.m*p.n*p.k < planeProduct || min(p.m, p.n) < planeSide || p.batch == 0 {
		multiply[C](p)
		return
	}
	w, pool := gemm.Take[R]()
	defer pool.Put(w)
	a := splitParts[C](p.op, p.a, p.batch, p.m, p.k, &w.A)
	b := splitParts[C](p.op, p.b, p.batch, p.k, p.n, &w.B)
	size, results := p.m*p.n, p.batch
	if p.c.batch == 0 {
		results = 1
	}
	buf := gemm.Room(&w.C, 2*results*size)
	c := planes[R]{gemm.View(buf, 0, p.n, 1), gemm.View(buf, results*size, p.n, 1), p.c.batch}
	one := func(i int, serial bool) {
		ar, ai := a.at(i)
		br, bi := b.at(i)
		cr, ci := c.at(i)
		g := gemm.Call[R]{Op: p.op, M: p.m, N: p.n, K: p.k, Alpha: 1, Serial: serial}
		add := func(alpha R, a, b, c gemm.Matrix[R], more bool) {
			g.Alpha, g.A, g.B, g.C, g.D = alpha, a, b, c, gemm.Matrix[R]{}
			if more {
				g.D = c
			}
			g.Run()
		}
		sum := p.c.batch == 0 && i > 0
		add(1, ar, br, cr, sum)
		add(-1, ai, bi, cr, true)
		add(1, ar, bi, ci, sum)
		add(1, ai, br, ci, true)
	}
	if p.c.batch == 0 || p.batch < 2*parallel.Threads() {
		for i := range p.batch {
			one(i, false)
		}
	} else {
		parallel.For(p.batch, 1, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				tensor.Interrupted(p.op)
				one(i, true)
			}
		})
	}
	joinPlanes[C](p, c.re.P[:results*size], c.im.P[results*size:])
}

// splitParts copies the parts of a batch of complex matrices of rows and columns to buf, transposed where they are
// in memory.
func splitParts[C complex64 | complex128, R float](op string, o operand, batch, rows, cols int, buf *[]R) planes[R] {
	if o.batch == 0 {
		batch = min(batch, 1)
	}
	transposed := o.row == 1 && o.col != 1 && rows > 1
	if transposed {
		o.row, o.col, rows, cols = o.col, o.row, cols, rows
	}
	src := matrixOf[C](o)
	size := rows * cols
	parts := gemm.Room(buf, 2*batch*size)
	parallel.For(batch*rows, parallel.Grain(0.7*float64(cols)), func(lo, hi int) {
		tensor.Interrupted(op)
		for i := lo; i < hi; i++ {
			at := src.Off + i/rows*o.batch + i%rows*o.row
			re, im := parts[i*cols:][:cols], parts[batch*size+i*cols:][:cols]
			for j := range re {
				v := partsOf[R](&src.P[at])
				re[j], im[j] = v[0], v[1]
				at += o.col
			}
		}
	})
	s := planes[R]{gemm.View(parts, 0, cols, 1), gemm.View(parts, batch*size, cols, 1), size}
	if o.batch == 0 {
		s.batch = 0
	}
	if transposed {
		s.re, s.im = s.re.T(), s.im.T()
	}
	return s
}

// partsOf is a complex number as its two parts.
func partsOf[R float, C complex64 | complex128](v *C) *[2]R { return (*[2]R)(unsafe.Pointer(v)) }

// joinPlanes makes the result, alpha times the products with what is added, of the parts of the products.
func joinPlanes[C complex64 | complex128, R float](p product, re, im []R) {
	c := matrixOf[C](p.c)
	alpha, beta := numberAs[C](p.alpha), numberAs[C](p.beta)
	var d gemm.Matrix[C]
	if p.d.x != nil {
		d = matrixOf[C](p.d)
	}
	parallel.For(len(re)/p.n, parallel.Grain(1.5*float64(p.n)), func(lo, hi int) {
		tensor.Interrupted(p.op)
		for i := lo; i < hi; i++ {
			row := c.P[c.Off+i*p.n:][:p.n]
			at := d.Off + i/p.m*p.d.batch + i%p.m*d.RS
			for j := range row {
				var v C
				*partsOf[R](&v) = [2]R{re[i*p.n+j], im[i*p.n+j]}
				if alpha != 1 {
					v *= alpha
				}
				switch {
				case d.P != nil:
					v += d.P[at+j*d.CS]
				case beta != 0:
					v += beta * row[j]
				}
				row[j] = v
			}
		}
	})
}
