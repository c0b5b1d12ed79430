package gemm

import (
	"sync/atomic"
	"time"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

const (
	blockK    = 4096 // bytes of a row of a block of a: long, so that c is read and written seldom
	blockRows = 6    // panels of a that one task copies: they stay in the second-level cache
	blockN    = 2048 // columns of b that are copied at once
)

// blockedGemm is a large product in blocks: for every block of b all rows of a. While tasks multiply with one block of
// b, others copy the next.
type blockedGemm[T Number] struct {
	*Call[T]
	ks               *simd.GemmKernels[T]
	width            int // of a panel of b
	blocksK, blocksN int
	panels           int // of rows, those of a tile
	packed           [2][]T
	tasks            []blockTask

	copied, finished []atomic.Int32 // of each block: tasks that copy it, and panels of rows it was multiplied with
	reached          []atomic.Int32 // of each panel of rows: blocks it was multiplied with
}

// blockTask copies a part of a block of b, or multiplies panels [p0, p1) of rows by one.
type blockTask struct {
	block, p0, p1 int
	part          int // that is copied, -1 in a product
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
	size := int(unsafe.Sizeof(g.Alpha))
	b := &blockedGemm[T]{Call: g, ks: ks, width: 2 * ks.Lanes}
	b.blocksK, b.blocksN = (g.K*size+blockK-1)/blockK, (g.N+blockN-1)/blockN
	b.panels = (g.M + ks.MaxRows[2] - 1) / ks.MaxRows[2]
	blocks := b.blocksK * b.blocksN
	bufs, pool := Take[T]()
	defer pool.Put(bufs)
	most := (blockK/size + 1) * (min(g.N, blockN+b.width) + b.width)
	copies := min(2, blocks)
	buf := Room(&bufs.B, copies*most)
	for i := range copies {
		b.packed[i] = buf[i*most:][:most]
	}
	b.plan(blocks)
	b.copied, b.finished = make([]atomic.Int32, blocks), make([]atomic.Int32, blocks)
	b.reached = make([]atomic.Int32, b.panels)
	inOrder(g.Op, g.Serial, len(b.tasks), b.ready, b.run)
}

// plan lists the tasks. The next block is copied once every goroutine multiplies with the one before, and so no longer
// with that before it, whose memory it takes. The last products get smaller and smaller, so that all end at the same
// time.
func (g *blockedGemm[T]) plan(blocks int) {
	threads := 1
	if !g.Serial {
		threads = parallel.Threads()
	}
	pack := func(block int) {
		if block < blocks {
			for i := range g.packTasks(block) {
				g.tasks = append(g.tasks, blockTask{block: block, part: i})
			}
		}
	}
	pack(0)
	for block := range blocks {
		rows := min(blockRows, max(1, g.panels/threads))
		for p, n := 0, 0; p < g.panels; n++ {
			if block == blocks-1 && threads > 1 {
				rows = min(blockRows, max(1, (g.panels-p)/(2*threads)))
			}
			end := min(g.panels, p+rows)
			g.tasks = append(g.tasks, blockTask{block, p, end, -1})
			p = end
			if n == min(threads, g.panels)-1 {
				pack(block + 1)
			}
		}
	}
}

// ready reports whether what a task reads has been written, and what it writes is no longer read.
func (g *blockedGemm[T]) ready(task int) bool {
	t := &g.tasks[task]
	if t.part >= 0 {
		return t.block < 2 || int(g.finished[t.block-2].Load()) == g.panels
	}
	if int(g.copied[t.block].Load()) < g.packTasks(t.block) {
		return false
	}
	for p := t.p0; p < t.p1; p++ {
		if int(g.reached[p].Load()) < t.block {
			return false
		}
	}
	return true
}

func (g *blockedGemm[T]) run(task int) {
	t := &g.tasks[task]
	if t.part >= 0 {
		g.pack(t.block, t.part, g.packTasks(t.block))
		g.copied[t.block].Add(1)
		return
	}
	g.multiply(t.block, t.p0, t.p1)
	for p := t.p0; p < t.p1; p++ {
		g.reached[p].Add(1)
	}
	g.finished[t.block].Add(int32(t.p1 - t.p0))
}

func (g *blockedGemm[T]) packTasks(block int) int {
	j0, j1 := g.columnsOf(block / g.blocksK)
	return max(1, min(8, (j1-j0)/(2*g.width)))
}

// pack copies part of a block of b: some of its rows where elements of a row lie one after the other, else some of its
// columns, so that memory is read along.
func (g *blockedGemm[T]) pack(block, part, parts int) {
	j0, j1 := g.columnsOf(block / g.blocksK)
	k0, k1 := Spread(block%g.blocksK, g.blocksK, g.K)
	dst := g.packed[block%2]
	panels := (j1 - j0 + g.width - 1) / g.width
	p0, p1, from, to, rows := 0, panels, k0, k1, k1-k0
	if g.B.CS == 1 {
		rows = 4 // at a time
		from, to = Spread(part, parts, (k1-k0+rows-1)/rows)
		from, to = k0+from*rows, min(k1, k0+to*rows)
	} else {
		p0, p1 = Spread(part, parts, panels)
	}
	for k := from; k < to; k += rows {
		for p := p0; p < p1; p++ {
			j := j0 + p*g.width
			copyPanel(g.ks, dst[(p*(k1-k0)+k-k0)*g.width:], g.width, min(g.width, j1-j), min(rows, to-k), g.B.From(k, j))
		}
	}
}

// multiply adds the products of panels [p0, p1) of rows of a by a block of b.
func (g *blockedGemm[T]) multiply(block, p0, p1 int) {
	w, pool := Take[T]()
	defer pool.Put(w)
	j0, j1 := g.columnsOf(block / g.blocksK)
	k0, k1 := Spread(block%g.blocksK, g.blocksK, g.K)
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

// inOrder runs f for n tasks, on several goroutines that begin together. A task that is not ready waits: for tasks
// before its own, on which other goroutines work, as tasks are claimed in order.
func inOrder(op string, serial bool, n int, ready func(task int) bool, f func(task int)) {
	if serial {
		for i := range n {
			tensor.Interrupted(op)
			f(i)
		}
		return
	}
	var next atomic.Int64
	var failed atomic.Bool
	parallel.For(min(parallel.Threads(), n), 1, func(lo, hi int) {
		finished := false
		defer func() {
			if !finished {
				failed.Store(true)
			}
		}()
		for {
			task := int(next.Add(1) - 1)
			if task >= n {
				break
			}
			for spins := 0; !ready(task) && !failed.Load(); spins++ {
				if simd.Pause(8); spins > 10_000 { // the goroutine that it waits for may have no processor
					time.Sleep(50 * time.Microsecond)
				}
			}
			if failed.Load() {
				break
			}
			tensor.Interrupted(op)
			f(task)
		}
		finished = true
	})
}
