package lapack

import (
	"math"
	"slices"
	"sync"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: divide and conquer. A tridiagonal or bidiagonal matrix is cut in two but for an element, or a row, that
// couples the halves. What is found for these makes a diagonal matrix and a vector z of the whole, whose secular
// equation has its values, and whose vectors are products with those of the halves (Cuppen, A Divide and Conquer
// Method for the Symmetric Tridiagonal Eigenproblem, 1981). Where an element of z is next to nothing, or becomes so by
// turning two vectors of about the same value, a value and its vector stay as they are.

// conquest is a matrix that is divided, and vectors as rows of square matrices: eigenvectors, or right and then left
// singular vectors. Values and vectors are in no order.
type conquest struct {
	n       int
	d, e    []float64
	vectors [2][]float64
	squares bool // singular values
	memory  []float64

	// of the part that is conquered
	z, values     []float64
	kind          []uint8 // which of the halves a vector has elements of
	kept, dropped []int
	byKind        []int
	groups        [3]int // how many vectors of a kind are kept
	eq            secular
	x, y          []float64 // vectors of the equation, as rows
	copies        []float64 // of vectors
}

// The kinds: of the first half, of both, of the second.
const (
	upperHalf = iota
	bothHalves
	lowerHalf
)

// conquerLeaf is the number of rows up to which matrices are not divided.
const conquerLeaf = 32

// conquests lends a conquest, with its memory.
var conquests = sync.Pool{New: func() any { return new(conquest) }}

// newConquest begins with a matrix of diagonal d and what is beside it, e. It is to be put back into conquests.
func newConquest(d, e []float64, squares bool) *conquest {
	n := len(d)
	c := conquests.Get().(*conquest)
	c.n, c.d, c.e, c.squares, c.eq.squares = n, d, e, squares, squares
	if cap(c.kind) < n {
		c.kind = make([]uint8, n)
		c.kept, c.dropped, c.byKind, c.eq.ascending = make([]int, n), make([]int, n), make([]int, n), make([]int, n)
	}
	c.kind = c.kind[:n]
	sets := 1
	if squares {
		sets = 2
	}
	m := gemm.Room(&c.memory, (2*sets+1)*n*n+5*n)
	take := func(k int) (s []float64) { s, m = m[:k:k], m[k:]; return s }
	c.vectors[1] = nil
	for i := range sets {
		c.vectors[i] = take(n * n)
		clear(c.vectors[i])
	}
	c.z, c.values, c.eq.d, c.eq.z, c.eq.squared = take(n), take(n), take(n), take(n), take(n)
	c.x, c.copies = take(n*n), take(n*n)
	if squares {
		c.y = take(n * n)
	}
	return c
}

// row is vector i of a set.
func (c *conquest) row(set, i int) []float64 { return c.vectors[set][i*c.n:][:c.n] }

// turnPair turns vectors i and j: they become cos·i + sin·j and cos·j - sin·i.
func turnPair(x, y []float64, cos, sin float64) {
	for k, u := range x {
		v := y[k]
		x[k], y[k] = cos*u+sin*v, cos*v-sin*u
	}
}

// deflate sorts out which of the vectors from number lo on are kept; order has the ascending order of their values.
// With squares the first in order stays what it is. small is what is next to nothing, rho the factor of z zᵀ.
func (c *conquest) deflate(lo int, order []int, rho, small float64) {
	c.kept, c.dropped = c.kept[:0], c.dropped[:0]
	last := -1
	for i, j := range order {
		if c.squares && i == 0 {
			c.kept = append(c.kept, j)
			continue
		}
		if rho*math.Abs(c.z[j]) <= small {
			c.dropped = append(c.dropped, j)
			continue
		}
		if last >= 0 {
			length := math.Hypot(c.z[last], c.z[j])
			cos, sin := c.z[j]/length, -c.z[last]/length
			x, y := c.d[lo+last], c.d[lo+j]
			near := math.Abs((y-x)*cos*sin) <= small
			if c.squares {
				near = y-x <= small
			}
			if near {
				c.z[j], c.z[last] = length, 0
				for set, v := range c.vectors {
					if v != nil {
						turnPair(c.row(set, lo+last), c.row(set, lo+j), cos, sin)
					}
				}
				if !c.squares {
					c.d[lo+last], c.d[lo+j] = x*cos*cos+y*sin*sin, x*sin*sin+y*cos*cos
				}
				if c.kind[last] != c.kind[j] {
					c.kind[j] = bothHalves
				}
				c.dropped = append(c.dropped, last)
				last = j
				continue
			}
			c.kept = append(c.kept, last)
		}
		last = j
	}
	if last >= 0 {
		c.kept = append(c.kept, last)
	}
}

// solve finds the values of what is kept, which stand in ascending order, and writes those to d, and the vectors in
// the basis of those kept, group by group, to x, and y with squares.
func (c *conquest) solve(lo int, rho float64) {
	k := len(c.kept)
	eq := &c.eq
	eq.d, eq.z, eq.squared, eq.inverse = eq.d[:k], eq.z[:k], eq.squared[:k], 1/rho
	eq.ascending = eq.ascending[:k]
	byKind, at := c.byKind[:0], 0
	for kind := range c.groups {
		for rank, j := range c.kept {
			if int(c.kind[j]) == kind {
				byKind = append(byKind, j)
				eq.ascending[rank] = at
				eq.d[at], eq.z[at], eq.squared[at] = c.d[lo+j], c.z[j], c.z[j]*c.z[j]
				at++
			}
		}
		c.groups[kind] = at
	}
	c.groups[2] -= c.groups[1]
	c.groups[1] -= c.groups[0]
	values := c.values[:k]
	parallel.For(k, parallel.Grain(float64(k)*4+300), func(from, to int) {
		var p simd.SecularPoint
		for i := from; i < to; i++ {
			tensor.Interrupted(op)
			values[i] = eq.root(i, c.x[i*k:][:k], &p)
		}
	})
	eq.refit(c.x)
	copy(c.kept, byKind)
	parallel.For(k, parallel.Grain(float64(k)*2), func(from, to int) {
		for i := from; i < to; i++ {
			x := c.x[i*k:][:k]
			if !c.squares {
				square, _ := simd.SecularVector(x, x, eq.z, x, x)
				shorten(x, square)
				continue
			}
			y := c.y[i*k:][:k]
			xx, yy := simd.SecularVector(x, y, eq.z, x, eq.d)
			y[eq.ascending[0]] = -1
			shorten(x, xx)
			shorten(y, yy+1)
		}
	})
	copy(c.d[lo:], values)
}

// finish solves for what is kept, and puts the values of what is dropped behind.
func (c *conquest) finish(lo int, rho float64) {
	rest := c.values[c.n-len(c.dropped):]
	for i, j := range c.dropped {
		rest[i] = c.d[lo+j]
	}
	c.groups = [3]int{}
	if len(c.kept) > 0 {
		c.solve(lo, rho)
	}
	copy(c.d[lo+len(c.kept):], rest)
}

// shorten divides x by the root of its square.
func shorten(x []float64, square float64) {
	f := 1 / math.Sqrt(square)
	for i := range x {
		x[i] *= f
	}
}

// combine replaces the vectors from number lo on of a set by those that factors make of the ones that are kept, and
// then the ones that are dropped. The first half of elements ends before column mid, the second before column end.
func (c *conquest) combine(set int, factors []float64, lo, mid, end int) {
	k, width := len(c.kept), end-lo
	upper, lower := c.groups[0]+c.groups[1], c.groups[1]+c.groups[2]
	first := c.copies[:upper*(mid-lo)]
	second := c.copies[len(first):][:lower*(end-mid)]
	rest := c.copies[len(first)+len(second):][:len(c.dropped)*width]
	for i, j := range c.kept {
		row := c.row(set, lo+j)
		if i < upper {
			copy(first[i*(mid-lo):][:mid-lo], row[lo:])
		}
		if i -= c.groups[0]; i >= 0 {
			copy(second[i*(end-mid):][:end-mid], row[mid:])
		}
	}
	for i, j := range c.dropped {
		copy(rest[i*width:][:width], c.row(set, lo+j)[lo:])
	}
	v := rowMajor(c.vectors[set], c.n)
	multiply(k, mid-lo, upper, rowMajor(factors, k), rowMajor(first, mid-lo), v.From(lo, lo))
	multiply(k, end-mid, lower, rowMajor(factors, k).From(0, c.groups[0]), rowMajor(second, end-mid), v.From(lo, mid))
	for i := range c.dropped {
		copy(c.row(set, lo+k+i)[lo:], rest[i*width:][:width])
	}
}

// sorted writes a set of vectors in an order to the rows of dst, which are ld elements apart.
func (c *conquest) sorted(set int, order []int, dst []float64, ld int) {
	for i, j := range order {
		copy(dst[i*ld:][:c.n], c.row(set, j))
	}
}

// columns writes a set of vectors in an order to the columns of dst, whose rows are ld elements apart.
func (c *conquest) columns(set int, order []int, dst []float64, ld int) {
	c.sorted(set, order, c.copies, c.n)
	gemm.Kernels[float64]().Transpose(dst, ld, c.copies, c.n, c.n, c.n)
}

// scaleNearOne divides d and e by the power of two that makes the greatest of them about 1, and returns that.
func scaleNearOne(d, e []float64) float64 {
	most := max(greatest(d), greatest(e))
	if most == 0 || math.IsNaN(most) || math.IsInf(most, 0) {
		return 1
	}
	_, exp := math.Frexp(most)
	exp = max(exp, -1000) // so that the factor is a number
	f := math.Ldexp(1, -exp)
	for i := range d {
		d[i] *= f
	}
	for i := range e {
		e[i] *= f
	}
	return math.Ldexp(1, exp)
}

// sortBy puts d in an order, times scale.
func sortBy(d []float64, order []int, scale float64) {
	was := slices.Clone(d)
	for i, j := range order {
		d[i] = was[j] * scale
	}
}
