package gemm

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
func (g *Call[T]) dots(w *Work[T]) bool {
	ks := Kernels[T]()
	switch {
	case g.N <= fewRows && (g.N < g.M || g.N == 1) && g.N < 2*ks.Lanes && g.A.CS == 1 && (g.M*g.K > 256 || g.N == 1):
		few := g.B.T()
		if few.CS != 1 && g.K > 1 { // copied: it is read again and again
			buf := Room(&w.C, g.N*g.K)
			for j := range g.N {
				at := few.Off + j*few.RS
				for q := range g.K {
					buf[j*g.K+q] = few.P[at]
					at += few.CS
				}
			}
			few = Matrix[T]{buf, 0, g.K, 1}
		}
		g.dotRows(ks, g.M, g.N, g.A, few, g.C, g.D)
	case g.M <= fewRows && g.B.RS == 1 && (g.N*g.K > 256 || g.M == 1) && g.A.CS == 1:
		g.dotRows(ks, g.N, g.M, g.B.T(), g.A, g.C.T(), g.D.T())
	default:
		return false
	}
	return true
}

// dotRows computes c = alpha*(a @ few.T()) + d for rows of a, m, and of few, n, that lie in memory.
func (g *Call[T]) dotRows(ks *simd.GemmKernels[T], m, n int, a, few, c, d Matrix[T]) {
	size := int(unsafe.Sizeof(g.Alpha))
	blocks := (g.K + dotBlock - 1) / dotBlock
	put := func(i, j int, s T) {
		if g.Alpha != 1 {
			s *= g.Alpha
		}
		if d.P != nil {
			s += d.P[d.Off+i*d.RS+j*d.CS]
		}
		c.P[c.Off+i*c.RS+j*c.CS] = s
	}
	block := func(w *Work[T], i, j, rows, cols, b int) {
		k := b * dotBlock
		w.Tile = simd.GemmTile{A: a.at(i, k), RowA: a.RS * size, B: few.at(j, k), RowB: few.RS * size,
			C: unsafe.Pointer(&w.Sums[0]), K: min(dotBlock, g.K-k)}
		ks.Dots(rows, cols, &w.Tile)
	}
	if m == 1 && n == 1 && blocks > 4 { // one long sum
		sums := make([]T, blocks)
		g.share((blocks+3)/4, func(w *Work[T], t int) {
			for b := 4 * t; b < min(blocks, 4*t+4); b++ {
				block(w, 0, 0, 1, 1, b)
				sums[b] = w.Sums[0]
			}
		})
		for _, s := range sums[1:] {
			sums[0] += s
		}
		put(0, 0, sums[0])
		return
	}
	rows := func(w *Work[T], lo, hi int) {
		for n == 1 && blocks == 1 && hi-lo >= 4 && ks.MaxDots[0] == 4 {
			groups := min(hi-lo, len(w.dots)) / 4
			w.Tile = simd.GemmTile{A: a.at(lo, 0), RowA: a.RS * size, B: few.at(0, 0), RowB: few.RS * size,
				C: unsafe.Pointer(&w.dots[0]), K: g.K, Cols: groups}
			ks.Dots(4, 1, &w.Tile)
			for x, s := range w.dots[:4*groups] {
				put(lo+x, 0, s)
			}
			lo += 4 * groups
		}
		for i := lo; i < hi; i += ks.MaxDots[0] {
			r := min(ks.MaxDots[0], hi-i)
			for j := 0; j < n; j += ks.MaxDots[1] {
				q := min(ks.MaxDots[1], n-j)
				block(w, i, j, r, q, 0)
				sums := w.Sums
				for b := 1; b < blocks; b++ {
					if b%8 == 0 {
						tensor.Interrupted(g.Op)
					}
					block(w, i, j, r, q, b)
					for x := range r * q {
						sums[x] += w.Sums[x]
					}
				}
				for x := range r * q {
					put(i+x/q, j+x%q, sums[x])
				}
			}
		}
	}
	const most = 4
	tasks := min((m+most-1)/most, (m*g.K+vectorJob-1)/vectorJob)
	if tasks <= 1 || g.Serial {
		w, pool := Take[T]()
		rows(w, 0, m)
		pool.Put(w)
		return
	}
	groups := (m + most - 1) / most
	g.share(tasks, func(w *Work[T], t int) {
		lo, hi := Spread(t, tasks, groups)
		rows(w, lo*most, min(m, hi*most))
	})
}

// columns multiplies a matrix by a vector, or a vector by a matrix, where what a sum runs over are rows in memory:
// multiples of whole rows are added up. It reports false for others.
func (g *Call[T]) columns(w *Work[T]) bool {
	ks := Kernels[T]()
	n, rows, x, out, d := g.N, g.B, g.A.T(), g.C, g.D
	if g.N == 1 && g.M > 1 {
		n, rows, x, out, d = g.M, g.A.T(), g.B, g.C.T(), g.D.T()
	}
	if rows.CS != 1 || n < ks.Lanes {
		return false
	}
	factors := Room(&w.A, g.K)
	for q := range factors {
		factors[q] = x.P[x.Off+q*x.RS]
	}
	part := func(w *Work[T], lo, hi int) {
		sum := Room(&w.C, hi-lo)
		clear(sum)
		for q := 0; q < g.K; {
			step := 1
			if g.K-q >= 4 {
				step = 4
			}
			ks.AddRows(sum, rows.P[rows.Off+q*rows.RS+lo:], rows.RS, factors[q:q+step])
			q += step
		}
		for j, s := range sum {
			if g.Alpha != 1 {
				s *= g.Alpha
			}
			if d.P != nil {
				s += d.P[d.Off+(lo+j)*d.CS]
			}
			out.P[out.Off+(lo+j)*out.CS] = s
		}
	}
	tasks := min((n+511)/512, (n*g.K+vectorJob-1)/vectorJob)
	if tasks > 1 && n*int(unsafe.Sizeof(g.Alpha)) <= 1<<14 && n < g.K {
		g.rowBlocks(w, n, rows, out, d, factors)
		return true
	}
	tasks = max(tasks, (n+4095)/4096) // sums stay in the first-level cache
	if tasks <= 1 {
		part(w, 0, n)
		return true
	}
	g.share(tasks, func(w *Work[T], t int) {
		lo, hi := Spread(t, tasks, n)
		part(w, lo, hi)
	})
	return true
}

// rowBlocks adds up factors times rows of n elements, each task those of a block of rows, so that memory is read in
// order.
func (g *Call[T]) rowBlocks(w *Work[T], n int, rows, out, d Matrix[T], factors []T) {
	ks := Kernels[T]()
	tasks := (n*g.K + vectorJob - 1) / vectorJob
	groups := (g.K + 3) / 4
	parts := Room(&w.B, tasks*n)
	g.share(tasks, func(_ *Work[T], t int) {
		lo, hi := Spread(t, tasks, groups)
		sum := parts[t*n:][:n]
		clear(sum)
		for q := 4 * lo; q < min(4*hi, g.K); {
			step := 1
			if g.K-q >= 4 {
				step = 4
			}
			ks.AddRows(sum, rows.P[rows.Off+q*rows.RS:], rows.RS, factors[q:q+step])
			q += step
		}
	})
	for j := range n {
		s := parts[j]
		for t := 1; t < tasks; t++ {
			s += parts[t*n+j]
		}
		if g.Alpha != 1 {
			s *= g.Alpha
		}
		if d.P != nil {
			s += d.P[d.Off+j*d.CS]
		}
		out.P[out.Off+j*out.CS] = s
	}
}

// rowSums computes each row of c as a sum of multiples of rows of b.
func (g *Call[T]) rowSums() {
	const block = 1024 // columns of c at a time, which stay in the first-level cache
	ks := Kernels[T]()
	if g.B.CS != 1 {
		w, pool := Take[T]()
		defer pool.Put(w)
		buf := Room(&w.B, g.K*g.N)
		copyPanel(ks, buf, g.N, g.N, g.K, g.B)
		g.B = Matrix[T]{buf, 0, g.N, 1}
	}
	blocks := (g.N + block - 1) / block
	rows := max(1, taskProduct/32/(g.K*min(g.N, block))) // of a task
	tasks := (g.M + rows - 1) / rows
	g.share(tasks*blocks, func(w *Work[T], t int) {
		j0 := t % blocks * block
		j1 := min(g.N, j0+block)
		sums := Room(&w.C, j1-j0)
		for i := t / blocks * rows; i < min(g.M, (t/blocks+1)*rows); i++ {
			clear(sums)
			for q := 0; q < g.K; {
				step := 1
				if g.K-q >= 4 {
					step = 4
				}
				for r := range step {
					w.Sums[r] = g.A.P[g.A.Off+i*g.A.RS+(q+r)*g.A.CS]
				}
				ks.AddRows(sums, g.B.P[g.B.Off+q*g.B.RS+j0:], g.B.RS, w.Sums[:step])
				q += step
			}
			at := g.D.Off + i*g.D.RS + j0*g.D.CS
			row := g.C.P[g.C.Off+i*g.C.RS:][j0:j1]
			for j, s := range sums {
				if g.Alpha != 1 {
					s *= g.Alpha
				}
				if g.D.P != nil {
					s += g.D.P[at]
					at += g.D.CS
				}
				row[j] = s
			}
		}
	})
}
