package gemm

import (
	"runtime"
	"sync/atomic"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

const (
	blockK = 512  // a panel of a of this length stays in the first-level cache
	blockM = 84   // rows of a that one task copies: they stay in the second-level cache
	blockN = 2048 // columns of b that are copied at once
)

// blockedGemm is a large product in blocks: for every block of b all rows of a. While tasks multiply with one block of
// b, others copy the next.
type blockedGemm[T Number] struct {
	*Call[T]
	ks               *simd.GemmKernels[T]
	width            int // of a panel of b
	blocksK, blocksN int
	panels, chunks   int // of rows: those of a tile, and those of a task
	packed           [2][]T
}

// Spread is part i of n elements in parts.
func Spread(i, parts, n int) (lo, hi int) { return i * n / parts, (i + 1) * n / parts }

// columnsOf returns the columns of block i of b: whole panels but for the last.
func (g *blockedGemm[T]) columnsOf(i int) (j0, j1 int) {
	panels := (g.N + g.width - 1) / g.width
	p0, p1 := Spread(i, g.blocksN, panels)
	return p0 * g.width, min(g.N, p1*g.width)
}

func (g *Call[T]) blocked() {
	ks := g.kernels()
	b := &blockedGemm[T]{Call: g, ks: ks, width: 2 * ks.Lanes}
	b.blocksK, b.blocksN = (g.K+blockK-1)/blockK, (g.N+blockN-1)/blockN
	b.panels = (g.M + ks.MaxRows[2] - 1) / ks.MaxRows[2]
	b.chunks = (g.M + blockM - 1) / blockM
	if !g.Serial {
		b.chunks = max(b.chunks, min(8, b.panels/2))
	}
	blocks := b.blocksK * b.blocksN
	bufs, pool := Take[T]()
	defer pool.Put(bufs)
	most := (blockK + 1) * (min(g.N, blockN+b.width) + b.width)
	copies := min(2, blocks)
	buf := Room(&bufs.B, copies*most)
	for i := range copies {
		b.packed[i] = buf[i*most:][:most]
	}
	counts := make([]int, blocks+1)
	for i := range counts {
		if i > 0 {
			counts[i] = b.chunks
		}
		if i < blocks {
			counts[i] += b.packTasks(i)
		}
	}
	Phases(g.Op, g.Serial, counts, func(phase, task int) {
		if phase < blocks {
			if n := b.packTasks(phase); task < n {
				b.pack(phase, task, n)
				return
			} else {
				task -= n
			}
		}
		b.multiply(phase-1, task)
	})
}

func (g *blockedGemm[T]) packTasks(block int) int {
	j0, j1 := g.columnsOf(block / g.blocksK)
	return max(1, min(8, (j1-j0)/(2*g.width)))
}

// pack copies part of a block of b.
func (g *blockedGemm[T]) pack(block, task, tasks int) {
	j0, j1 := g.columnsOf(block / g.blocksK)
	k0, k1 := Spread(block%g.blocksK, g.blocksK, g.K)
	dst := g.packed[block%2]
	p0, p1 := Spread(task, tasks, (j1-j0+g.width-1)/g.width)
	rows := k1 - k0
	if g.B.CS == 1 {
		rows = 4 // at a time, so that rows of b are read along
	}
	for k := k0; k < k1; k += rows {
		for p := p0; p < p1; p++ {
			j := j0 + p*g.width
			copyPanel(g.ks, dst[(p*(k1-k0)+k-k0)*g.width:], g.width, min(g.width, j1-j), min(rows, k1-k), g.B.From(k, j))
		}
	}
}

// multiply computes with a block of b what rows of a part it up to.
func (g *blockedGemm[T]) multiply(block, chunk int) {
	w, pool := Take[T]()
	defer pool.Put(w)
	j0, j1 := g.columnsOf(block / g.blocksK)
	k0, k1 := Spread(block%g.blocksK, g.blocksK, g.K)
	p0, p1 := Spread(chunk, g.chunks, g.panels)
	r0, _ := Spread(p0, g.panels, g.M)
	_, r1 := Spread(p1-1, g.panels, g.M)
	kc, size := k1-k0, int(unsafe.Sizeof(g.Alpha))
	a, rs, cs := copyRows(&w.A, r1-r0, kc, g.A.From(r0, k0))
	t := g.aim(w)
	t.RowA, t.ColA, t.K, t.RowB = rs*size, cs*size, kc, g.width*size
	for j, done := j0, 0; j < j1; j += g.width {
		if done += (r1 - r0) * kc * g.width; done > taskProduct {
			tensor.Interrupted(g.Op)
			done = 0
		}
		t.B = unsafe.Pointer(&g.packed[block%2][(j-j0)*kc])
		t.Cols = min(g.width, j1-j)
		next := j + g.width
		if next >= j1 {
			next = j0
		}
		ahead := unsafe.Pointer(&g.packed[block%2][(next-j0)*kc])
		lines := g.width * size / 64
		for p := p0; p < p1; p++ {
			t.Ahead = nil
			if p-p0 < lines {
				t.Ahead = unsafe.Add(ahead, (p-p0)*kc*64)
			}
			i0, i1 := Spread(p, g.panels, g.M)
			t.A, t.C = unsafe.Pointer(&a[(i0-r0)*rs]), g.C.at(i0, j)
			g.add(t, k0 == 0, i0, j)
			g.ks.Tile(i1-i0, 2, t)
		}
	}
}

// Phases runs f for the tasks of every phase, on several goroutines that begin together: a task waits for all of the
// phases before its own. Tasks are claimed in order, so a wait is always for tasks that other goroutines work on.
func Phases(op string, serial bool, counts []int, f func(phase, task int)) {
	if serial {
		for p, n := range counts {
			for i := range n {
				tensor.Interrupted(op)
				f(p, i)
			}
		}
		return
	}
	starts, total, most := make([]int64, len(counts)), 0, 0
	for p, n := range counts {
		starts[p] = int64(total)
		total += n
		most = max(most, n)
	}
	var next, done atomic.Int64
	var failed atomic.Bool
	parallel.For(min(parallel.Threads(), most), 1, func(lo, hi int) {
		finished := false
		defer func() {
			if !finished {
				failed.Store(true)
			}
		}()
		for p := 0; ; {
			task := next.Add(1) - 1
			if task >= int64(total) {
				break
			}
			for p+1 < len(counts) && task >= starts[p+1] {
				p++
			}
			for spins := 0; done.Load() < starts[p] && !failed.Load(); spins++ {
				if simd.Pause(8); spins > 10_000 {
					runtime.Gosched()
				}
			}
			if failed.Load() {
				break
			}
			tensor.Interrupted(op)
			f(p, int(task-starts[p]))
			done.Add(1)
		}
		finished = true
	})
}
