package cpu

import (
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

const (
	fewRows   = 8       // rows up to which a product reads the other matrix but once
	dotBlock  = 1 << 16 // elements that one call of a kernel sums
	vectorJob = 1 << 18 // elements of a matrix that are worth a task
)

// dots computes products of a few rows or columns where rows of a and columns of b lie in memory one element after the
// other, as sums along them; it reports false for others.
func (g *gemmCall[T]) dots(w *gemmWork[T]) bool {
	ks := kernelsOf[T]()
	switch {
	case g.n <= fewRows && (g.n < g.m || g.n == 1) && g.n < 2*ks.Lanes && g.a.cs == 1 && (g.m*g.k > 256 || g.n == 1):
		few := g.b.t()
		if few.cs != 1 && g.k > 1 { // copied: it is read again and again
			buf := room(&w.c, g.n*g.k)
			for j := range g.n {
				at := few.off + j*few.rs
				for q := range g.k {
					buf[j*g.k+q] = few.p[at]
					at += few.cs
				}
			}
			few = matrix[T]{buf, 0, g.k, 1}
		}
		g.dotRows(ks, g.m, g.n, g.a, few, g.c, g.d)
	case g.m <= fewRows && g.b.rs == 1 && (g.n*g.k > 256 || g.m == 1) && g.a.cs == 1:
		g.dotRows(ks, g.n, g.m, g.b.t(), g.a, g.c.t(), g.d.t())
	default:
		return false
	}
	return true
}

// dotRows computes c = alpha*(a @ few.t()) + d for rows of a, m, and of few, n, that lie in memory.
func (g *gemmCall[T]) dotRows(ks *simd.GemmKernels[T], m, n int, a, few, c, d matrix[T]) {
	size := int(unsafe.Sizeof(g.alpha))
	blocks := (g.k + dotBlock - 1) / dotBlock
	put := func(i, j int, s T) {
		if g.alpha != 1 {
			s *= g.alpha
		}
		if d.p != nil {
			s += d.p[d.off+i*d.rs+j*d.cs]
		}
		c.p[c.off+i*c.rs+j*c.cs] = s
	}
	block := func(w *gemmWork[T], i, j, rows, cols, b int) {
		k := b * dotBlock
		w.tile = simd.GemmTile{A: a.at(i, k), RowA: a.rs * size, B: few.at(j, k), RowB: few.rs * size,
			C: unsafe.Pointer(&w.sums[0]), K: min(dotBlock, g.k-k)}
		ks.Dots(rows, cols, &w.tile)
	}
	if m == 1 && n == 1 && blocks > 4 { // one long sum
		sums := make([]T, blocks)
		g.share((blocks+3)/4, func(w *gemmWork[T], t int) {
			for b := 4 * t; b < min(blocks, 4*t+4); b++ {
				block(w, 0, 0, 1, 1, b)
				sums[b] = w.sums[0]
			}
		})
		for _, s := range sums[1:] {
			sums[0] += s
		}
		put(0, 0, sums[0])
		return
	}
	rows := func(w *gemmWork[T], lo, hi int) {
		for i := lo; i < hi; i += ks.MaxDots[0] {
			r := min(ks.MaxDots[0], hi-i)
			for j := 0; j < n; j += ks.MaxDots[1] {
				q := min(ks.MaxDots[1], n-j)
				block(w, i, j, r, q, 0)
				sums := w.sums
				for b := 1; b < blocks; b++ {
					if b%8 == 0 {
						tensor.Interrupted(g.op)
					}
					block(w, i, j, r, q, b)
					for x := range r * q {
						sums[x] += w.sums[x]
					}
				}
				for x := range r * q {
					put(i+x/q, j+x%q, sums[x])
				}
			}
		}
	}
	const most = 4
	tasks := min((m+most-1)/most, (m*g.k+vectorJob-1)/vectorJob)
	if tasks <= 1 || g.serial {
		w, pool := takeWork[T]()
		rows(w, 0, m)
		pool.Put(w)
		return
	}
	groups := (m + most - 1) / most
	g.share(tasks, func(w *gemmWork[T], t int) {
		lo, hi := spread(t, tasks, groups)
		rows(w, lo*most, min(m, hi*most))
	})
}

// columns multiplies a matrix by a vector, or a vector by a matrix, where what a sum runs over are rows in memory:
// multiples of whole rows are added up. It reports false for others.
func (g *gemmCall[T]) columns(w *gemmWork[T]) bool {
	ks := kernelsOf[T]()
	n, rows, x, out, d := g.n, g.b, g.a.t(), g.c, g.d
	if g.n == 1 && g.m > 1 {
		n, rows, x, out, d = g.m, g.a.t(), g.b, g.c.t(), g.d.t()
	}
	if rows.cs != 1 || n < ks.Lanes {
		return false
	}
	factors := room(&w.a, g.k)
	for q := range factors {
		factors[q] = x.p[x.off+q*x.rs]
	}
	part := func(w *gemmWork[T], lo, hi int) {
		sum := room(&w.c, hi-lo)
		clear(sum)
		for q := 0; q < g.k; {
			step := 1
			if g.k-q >= 4 {
				step = 4
			}
			ks.AddRows(sum, rows.p[rows.off+q*rows.rs+lo:], rows.rs, factors[q:q+step])
			q += step
		}
		for j, s := range sum {
			if g.alpha != 1 {
				s *= g.alpha
			}
			if d.p != nil {
				s += d.p[d.off+(lo+j)*d.cs]
			}
			out.p[out.off+(lo+j)*out.cs] = s
		}
	}
	tasks := min((n+511)/512, (n*g.k+vectorJob-1)/vectorJob)
	tasks = max(tasks, (n+4095)/4096) // sums stay in the first-level cache
	if tasks <= 1 {
		part(w, 0, n)
		return true
	}
	g.share(tasks, func(w *gemmWork[T], t int) {
		lo, hi := spread(t, tasks, n)
		part(w, lo, hi)
	})
	return true
}

// rowSums computes each row of c as a sum of multiples of rows of b.
func (g *gemmCall[T]) rowSums() {
	const block = 1024 // columns of c at a time, which stay in the first-level cache
	ks := kernelsOf[T]()
	if g.b.cs != 1 {
		w, pool := takeWork[T]()
		defer pool.Put(w)
		buf := room(&w.b, g.k*g.n)
		copyPanel(ks, buf, g.n, g.n, g.k, g.b)
		g.b = matrix[T]{buf, 0, g.n, 1}
	}
	blocks := (g.n + block - 1) / block
	rows := max(1, taskProduct/32/(g.k*min(g.n, block))) // of a task
	tasks := (g.m + rows - 1) / rows
	g.share(tasks*blocks, func(w *gemmWork[T], t int) {
		j0 := t % blocks * block
		j1 := min(g.n, j0+block)
		sums := room(&w.c, j1-j0)
		for i := t / blocks * rows; i < min(g.m, (t/blocks+1)*rows); i++ {
			clear(sums)
			for q := 0; q < g.k; {
				step := 1
				if g.k-q >= 4 {
					step = 4
				}
				for r := range step {
					w.sums[r] = g.a.p[g.a.off+i*g.a.rs+(q+r)*g.a.cs]
				}
				ks.AddRows(sums, g.b.p[g.b.off+q*g.b.rs+j0:], g.b.rs, w.sums[:step])
				q += step
			}
			at := g.d.off + i*g.d.rs + j0*g.d.cs
			row := g.c.p[g.c.off+i*g.c.rs:][j0:j1]
			for j, s := range sums {
				if g.alpha != 1 {
					s *= g.alpha
				}
				if g.d.p != nil {
					s += g.d.p[at]
					at += g.d.cs
				}
				row[j] = s
			}
		}
	})
}
