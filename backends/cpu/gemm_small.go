package cpu

import (
	"unsafe"

	"gotorch/tensor"
)

const (
	skinnyBlock = 128  // rows of b that a product of a few rows goes over at a time
	longBlock   = 2048 // rows of b that others go over at a time
)

// small multiplies with a and b where they are. A panel of b is copied only where its columns do not lie one after the
// other, where its rows would fall on the same lines of the cache, or where the kernel would read behind it.
func (g *gemmCall[T]) small(w *gemmWork[T]) {
	if g.m*g.n*g.k <= serialProduct || g.serial {
		g.columnRange(w, 0, g.m, 0, g.n)
		return
	}
	ks := kernelsOf[T]()
	width := vectors(ks, g.m, g.n) * ks.Lanes
	panels := (g.n + width - 1) / width
	rows, tasks := 1, min(panels, max(4, g.m*g.n*g.k/taskProduct))
	if panels < 4 {
		rows = min((g.m+ks.MaxRows[2]-1)/ks.MaxRows[2], max(8, g.m*g.n*g.k/taskProduct)/tasks)
	}
	g.share(rows*tasks, func(w *gemmWork[T], t int) {
		r, c := t/tasks, t%tasks
		g.columnRange(w, r*g.m/rows, (r+1)*g.m/rows, c*panels/tasks*width, min(g.n, (c+1)*panels/tasks*width))
	})
}

// columnRange computes rows [i0, i1) and columns [j0, j1) of c.
func (g *gemmCall[T]) columnRange(w *gemmWork[T], i0, i1, j0, j1 int) {
	ks := kernelsOf[T]()
	size := int(unsafe.Sizeof(g.alpha))
	t := g.aim(w)
	block := g.k
	if g.m <= 8 && g.k > 2*skinnyBlock { // so that b is read in order
		block = skinnyBlock
	} else if g.k > 2*longBlock { // so that a panel of b stays in the second-level cache
		block = longBlock
	}
	done := 0
	crowded := i1-i0 > 2*ks.MaxRows[2] && g.b.rs*size%2048 == 0
	for k := 0; k < g.k; k += block {
		t.K = min(block, g.k-k)
		for j := j0; j < j1; {
			if done > taskProduct {
				tensor.Interrupted(g.op)
				done = 0
			}
			vecs := vectors(ks, i1-i0, j1-j)
			width := vecs * ks.Lanes
			t.Cols = min(width, j1-j)
			done += (i1 - i0) * t.K * t.Cols
			if g.b.cs == 1 && !crowded && (!ks.Whole || t.Cols == width) {
				t.B, t.RowB = g.b.at(k, j), g.b.rs*size
			} else {
				buf := room(&w.b, t.K*width)
				copyPanel(ks, buf, width, t.Cols, t.K, g.b.from(k, j))
				t.B, t.RowB = unsafe.Pointer(&buf[0]), width*size
			}
			most := ks.MaxRows[vecs]
			panels := (i1 - i0 + most - 1) / most
			for p := range panels {
				r0, r1 := i0+p*(i1-i0)/panels, i0+(p+1)*(i1-i0)/panels
				t.A, t.C = g.a.at(r0, k), g.c.at(r0, j)
				g.add(t, k == 0, r0, j)
				ks.Tile(r1-r0, vecs, t)
			}
			j += t.Cols
		}
	}
}
