package gemm

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
func (g *Call[T]) small(w *Work[T]) {
	if g.M*g.N*g.K <= SerialProduct || g.Serial {
		g.columnRange(w, 0, g.M, 0, g.N)
		return
	}
	ks := g.kernels()
	width := Vectors(ks, g.M, g.N) * ks.Lanes
	panels := (g.N + width - 1) / width
	rows, tasks := 1, min(panels, max(4, g.M*g.N*g.K/taskProduct))
	if panels < 4 {
		rows = min((g.M+ks.MaxRows[2]-1)/ks.MaxRows[2], max(8, g.M*g.N*g.K/taskProduct)/tasks)
	}
	g.share(rows*tasks, func(w *Work[T], t int) {
		r, c := t/tasks, t%tasks
		g.columnRange(w, r*g.M/rows, (r+1)*g.M/rows, c*panels/tasks*width, min(g.N, (c+1)*panels/tasks*width))
	})
}

// columnRange computes rows [i0, i1) and columns [j0, j1) of c.
func (g *Call[T]) columnRange(w *Work[T], i0, i1, j0, j1 int) {
	ks := g.kernels()
	size := int(unsafe.Sizeof(g.Alpha))
	t := g.aim(w)
	block := g.K
	if g.M <= 8 && g.K > 2*skinnyBlock { // so that b is read in order
		block = skinnyBlock
	} else if g.K > 2*longBlock { // so that a panel of b stays in the second-level cache
		block = longBlock
	}
	done := 0
	crowded := i1-i0 > 2*ks.MaxRows[2] && g.B.RS*size%2048 == 0
	for k := 0; k < g.K; k += block {
		t.K = min(block, g.K-k)
		for j := j0; j < j1; {
			if done > taskProduct {
				tensor.Interrupted(g.Op)
				done = 0
			}
			vecs := Vectors(ks, i1-i0, j1-j)
			width := vecs * ks.Lanes
			t.Cols = min(width, j1-j)
			done += (i1 - i0) * t.K * t.Cols
			if g.B.CS == 1 && !crowded && (!ks.Whole || t.Cols == width) {
				t.B, t.RowB = g.B.at(k, j), g.B.RS*size
			} else {
				buf := Room(&w.B, t.K*width)
				copyPanel(ks, buf, width, t.Cols, t.K, g.B.From(k, j))
				t.B, t.RowB = unsafe.Pointer(&buf[0]), width*size
			}
			most := ks.MaxRows[vecs]
			panels := (i1 - i0 + most - 1) / most
			for p := range panels {
				r0, r1 := i0+p*(i1-i0)/panels, i0+(p+1)*(i1-i0)/panels
				t.A, t.C = g.A.at(r0, k), g.C.at(r0, j)
				g.add(t, k == 0, r0, j)
				ks.Tile(r1-r0, vecs, t)
			}
			j += t.Cols
		}
	}
}
