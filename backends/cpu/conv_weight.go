package cpu

import (
	"runtime"
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: the gradient by the weight. For each tap it is a product: what the tap reads of the channels (c × outputs) by
// the transposed gradients of the outputs (outputs × k), summed over samples. Outputs are the dimension that is
// summed over, so a table of where they are in the image takes gaps and borders out. They are taken in pieces: slabs,
// or several small samples. Who sums over a piece copies it first. Runs of pieces have sums of their own, which are
// added up at the end, in order: how many there are depends on sizes alone. Where a group has one or two filters
// (depthwise), rows of outputs are multiplied and summed instead (conv_weight_rows.go).

const (
	pieceBytes     = 384 << 10 // of what is copied of a piece
	pieceOutputs   = 512       // that it has, if there are so many
	weightBlock    = 256       // outputs that are summed at a time: their gradients stay in the first-level cache
	partialOutputs = 512       // that are worth sums of their own
	mostPartials   = 16
)

// weightSum is the gradient by the weight.
type weightSum[T number] struct {
	*geometry
	op        string
	n, groups int
	k, ldk    int // filters, and elements from output to output in the transposed gradients
	taps      int
	img       *image // of a piece
	cut       cut
	samples   int // of a piece, where a slab is a whole sample
	pieces    int // of a group
	partials  int // sums of a group
	tapAt     []int
	xs, gs    []T
	channel   int      // elements from one channel to the next in the image
	offsets   []int32  // of the outputs of a piece in the image, in bytes
	step      []int32  // of the outputs of a block in the transposed gradients
	sums      []T      // [groups][partials][c][taps][k]
	panels    [][2]int // of channels that are summed at a time
	inRows    bool     // taps that lie beside each other are summed at a time, not channels
}

// convWeight: out[g] (k × c·taps) = sum over n of grad[n, g] (k × outputs) @ what the taps read of x[n, g],
// transposed.
func convWeight[T interface {
	number
	tensor.Element
}](op string, w *geometry, n, groups, k int, x, grad, out *tensor.Tensor) {
	xs, gs, os := tensor.Elems[T](x), tensor.Elems[T](grad), tensor.Elems[T](out)
	defer runtime.KeepAlive(x)
	defer runtime.KeepAlive(grad)
	if k <= 2 {
		convWeightRows(op, w, n, groups, k, xs, gs, os)
		return
	}
	ks := gemm.Kernels[T]()
	s := &weightSum[T]{geometry: w, op: op, n: n, groups: groups, k: k,
		taps: volume(w.kernel), img: w.inputImage(), xs: xs, gs: gs}
	s.ldk = roundUp(k, ks.Lanes)
	s.plan(ks)
	s.run(ks, os)
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// plan divides outputs into pieces and channels into panels, and makes the tables of offsets.
func (s *weightSum[T]) plan(ks *simd.GemmKernels[T]) {
	size, outs := sizeOf[T](), volume(s.out)
	most := max(pieceOutputs, pieceBytes/size/(s.c*s.stride[1]*s.stride[2]+s.ldk)) // outputs of a piece
	s.cut.dim = firstDim(s.out)
	total := s.out[s.cut.dim]
	s.cut.count = min(ceilDiv(outs, most), total)
	s.cut.height = ceilDiv(total, s.cut.count)
	s.cut.count = ceilDiv(total, s.cut.height)
	s.samples = min(s.n, max(1, most/outs))
	s.pieces = ceilDiv(s.n, s.samples) * s.cut.count
	s.partials = max(1, min(s.pieces, s.n*outs/partialOutputs, mostPartials, 2*mostPartials/s.groups))
	plain := s.img.plain()
	if x := &s.img[s.cut.dim]; !plain {
		x.length -= s.out[s.cut.dim] - s.cut.height
	}
	sample := s.img.size()
	s.channel = s.samples * sample
	if plain {
		sample, s.channel = s.groups*s.c*volume(s.in), volume(s.in)
	}
	s.tapAt = make([]int, s.taps)
	s.eachTap(func(i int, at [3]int) {
		s.tapAt[i] = s.img.at([3]int{at[0] * s.dilation[0], at[1] * s.dilation[1], at[2] * s.dilation[2]})
	})
	slab := s.out
	slab[s.cut.dim] = s.cut.height
	s.offsets = make([]int32, 0, s.samples*volume(slab))
	for q := range s.samples {
		for d := range slab[0] {
			for h := range slab[1] {
				at := q*sample + (d*s.img[1].length+h)*s.img[2].length
				for x := range slab[2] {
					s.offsets = append(s.offsets, int32((at+x)*size))
				}
			}
		}
	}
	s.step = make([]int32, weightBlock)
	for i := range s.step {
		s.step[i] = int32(i * s.ldk * size)
	}
	rows := ks.MaxRows[2]
	if s.inRows = s.c < 4 && s.stride[2] == 1; s.inRows {
		rows = 1
	}
	panels := ceilDiv(s.c, rows)
	for p := range panels {
		c0, c1 := gemm.Spread(p, panels, s.c)
		s.panels = append(s.panels, [2]int{c0, c1})
	}
}

// run makes the sums, those of a run of pieces and a part of the channels by one task, and adds them up.
func (s *weightSum[T]) run(ks *simd.GemmKernels[T], os []T) {
	w, pool := gemm.Take[T]()
	defer pool.Put(w)
	rows := s.c * s.taps
	s.sums = gemm.Room(&w.C, s.groups*s.partials*rows*s.k)
	runs := s.groups * s.partials
	shares := max(1, min(len(s.panels), ceilDiv(4*parallel.Threads(), runs)))
	if s.n*volume(s.out)*s.k*rows < gemm.SerialProduct {
		shares = 1
	}
	parallel.For(runs*shares, max(1, gemm.SerialProduct/4*runs*shares/max(1, s.n*volume(s.out)*s.k*rows*s.groups)),
		func(lo, hi int) {
			w, pool := gemm.Take[T]()
			defer pool.Put(w)
			for task := lo; task < hi; task++ {
				p0, p1 := gemm.Spread(task%shares, shares, len(s.panels))
				s.runOfPieces(ks, w, task/shares, s.panels[p0:p1])
			}
		})
	const block = 64 // rows that are written at a time
	blocks := ceilDiv(rows, block)
	parallel.For(s.groups*blocks, max(1, grainSize/8/(block*s.k*s.partials)), func(lo, hi int) {
		tensor.Interrupted(s.op)
		w, pool := gemm.Take[T]()
		defer pool.Put(w)
		for task := lo; task < hi; task++ {
			g, r0 := task/blocks, task%blocks*block
			r1 := min(rows, r0+block)
			sums := s.sums[g*s.partials*rows*s.k:][:s.partials*rows*s.k]
			total := sums[r0*s.k : r1*s.k]
			w.AddRows(total, sums[min(len(sums), (rows+r0)*s.k):], rows*s.k, s.ones(w), 0, s.partials-1)
			ks.Transpose(os[g*s.k*rows+r0:], rows, total, s.k, r1-r0, s.k)
		}
	})
}

// ones is one, to multiply with.
func (s *weightSum[T]) ones(w *gemm.Work[T]) []T {
	one := gemm.Room(&w.A, 1)
	one[0] = 1
	return one
}

// runOfPieces sums over the pieces of a run for some panels.
func (s *weightSum[T]) runOfPieces(ks *simd.GemmKernels[T], w *gemm.Work[T], run int, panels [][2]int) {
	g := run / s.partials
	from, to := gemm.Spread(run%s.partials, s.partials, s.pieces)
	sums := s.sums[run*s.c*s.taps*s.k:][:s.c*s.taps*s.k]
	for piece := from; piece < to; piece++ {
		tensor.Interrupted(s.op)
		first, i := piece/s.cut.count*s.samples, piece%s.cut.count
		samples := min(s.samples, s.n-first)
		height := min(s.cut.height, s.out[s.cut.dim]-i*s.cut.height)
		outs := volume(s.out) / s.out[s.cut.dim] * height // of a sample
		grads := s.gradients(ks, w, g, first, samples, i, outs)
		img, c0 := s.copies(w, g, first, samples, i, panels)
		for o := 0; o < samples*outs; o += weightBlock {
			for _, p := range panels {
				count := min(weightBlock, samples*outs-o)
				s.sum(ks, w, sums, img[(p[0]-c0)*s.channel:], grads, p, o, count, piece == from && o == 0)
			}
			if o/weightBlock%8 == 7 {
				tensor.Interrupted(s.op)
			}
		}
	}
}

// gradients are those of a piece, transposed.
func (s *weightSum[T]) gradients(ks *simd.GemmKernels[T], w *gemm.Work[T], g, first, samples, i, outs int) []T {
	buf, all := gemm.Room(&w.A, samples*outs*s.ldk), volume(s.out)
	if s.ldk > s.k {
		clear(buf)
	}
	from := i * s.cut.height * (all / s.out[s.cut.dim])
	for q := range samples {
		grad := s.gs[((first+q)*s.groups+g)*s.k*all:][:s.k*all]
		ks.Transpose(buf[q*outs*s.ldk:], s.ldk, grad[from:], all, s.k, outs)
	}
	return buf
}

// copies are the images of a piece for panels, the first of which begins with channel c0; the input itself where that
// need not be copied.
func (s *weightSum[T]) copies(w *gemm.Work[T], g, first, samples, i int, panels [][2]int) (img []T, c0 int) {
	plane, size := volume(s.in), s.img.size()
	c0, c1 := panels[0][0], panels[len(panels)-1][1]
	if s.img.plain() {
		row := 1
		for _, x := range s.img[s.cut.dim+1:] {
			row *= x.length
		}
		return s.xs[((first*s.groups+g)*s.c+c0)*plane+i*s.cut.height*row:], c0
	}
	m, buf := s.cut.of(s.img, i), gemm.Room(&w.B, (c1-c0)*s.channel)
	for c := c0; c < c1; c++ {
		for q := range samples {
			x := s.xs[(((first+q)*s.groups+g)*s.c+c)*plane:][:plane]
			copyImage(&m, buf[(c-c0)*s.channel+q*size:][:size], x)
		}
	}
	return buf, c0
}

// sum adds count outputs from o on to the sums of a panel.
func (s *weightSum[T]) sum(ks *simd.GemmKernels[T], w *gemm.Work[T], sums, img, grads []T, panel [2]int, o, count int,
	first bool) {
	size := sizeOf[T]()
	rows, rowA, rowC, taps := panel[1]-panel[0], s.channel, s.taps*s.k, 1
	if s.inRows {
		rowA, rowC, taps = s.dilation[2], s.k, min(s.kernel[2], ks.MaxRows[2])
	}
	t := &w.Tile
	*t = simd.GemmTile{RowA: rowA * size, RowC: rowC * size, K: count, OffA: &s.offsets[o], OffB: &s.step[0]}
	for j := 0; j < s.k; {
		high := max(rows, taps)
		vecs := gemm.Vectors(ks, high, s.k-j)
		for vecs*ks.Lanes > s.ldk-j { // gradients end with the row
			vecs /= 2
		}
		t.Cols = min(s.k-j, vecs*ks.Lanes)
		t.B = unsafe.Pointer(&grads[o*s.ldk+j])
		for tap := 0; tap < s.taps; {
			if s.inRows {
				taps = min(ks.MaxRows[2], s.kernel[2]-tap%s.kernel[2])
				high = taps
			}
			t.A = unsafe.Pointer(&img[s.tapAt[tap]])
			t.C = unsafe.Pointer(&sums[(panel[0]*s.taps+tap)*s.k+j])
			if t.D = nil; !first {
				t.D, t.RowD = t.C, t.RowC
			}
			ks.Indirect(high, vecs, t)
			tap += taps
		}
		j += t.Cols
	}
}
