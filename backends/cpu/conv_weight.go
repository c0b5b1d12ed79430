package cpu

import (
	"math"
	"runtime"
	"unsafe"

	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: the gradient by the weight. For each tap it is a product: what the tap reads of the channels (c × outputs) by
// the transposed gradients of the outputs (outputs × k), summed over samples. Outputs are the dimension that is
// summed over, so a table of where they are in the image takes gaps and borders out. Samples are taken several at a
// time where they are small. Where a group has one or two filters (depthwise), rows of outputs are multiplied and
// summed instead.

const (
	weightOutputs = 4096 // outputs of samples that are copied at a time, if they are so many
	weightBlock   = 512  // outputs that are summed at a time
)

// weightSum is the gradient by the weight of one group.
type weightSum[T number] struct {
	*geometry
	op        string
	n, groups int
	k, ldk    int // filters, and elements from output to output in the transposed gradients
	taps      int
	img       *image
	tapAt     []int
	xs, gs    []T
	samples   int     // that are copied at a time
	images    [2][]T  // copies of samples
	grads     [2][]T  // transposed gradients of samples
	offsets   []int32 // of the outputs of samples in the images, in bytes
	step      []int32 // of the outputs in the transposed gradients
	sums      []T     // [taps][c][k]
	rowStep   int     // elements from one to the next in the image
	tiles     []weightTile
}

// weightTile is a row of tiles: where it reads in the image and where in sums it goes.
type weightTile struct{ at, rows, out, outStep int }

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
	s.samples = min(n, max(1, weightOutputs/volume(w.out)))
	s.tapAt = make([]int, s.taps)
	w.eachTap(func(i int, at [3]int) {
		s.tapAt[i] = s.img.at([3]int{at[0] * w.dilation[0], at[1] * w.dilation[1], at[2] * w.dilation[2]})
	})
	s.plan(ks)
	s.run(ks, os)
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// plan lists the rows of tiles and the tables of offsets.
func (s *weightSum[T]) plan(ks *simd.GemmKernels[T]) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	most := ks.MaxRows[2]
	if s.c < 4 && s.stride[2] == 1 { // the taps of a row stand at equal steps
		s.rowStep = s.dilation[2]
		for c := range s.c {
			for t := 0; t < s.taps; t += s.kernel[2] {
				for q := 0; q < s.kernel[2]; q += most {
					at, rows := c*s.img.size()+s.tapAt[t+q], min(most, s.kernel[2]-q)
					s.tiles = append(s.tiles, weightTile{at, rows, ((t+q)*s.c + c) * s.k, s.c * s.k})
				}
			}
		}
	} else {
		s.rowStep = s.img.size()
		panels := (s.c + most - 1) / most
		for t := range s.taps {
			for p := range panels {
				c0, c1 := gemm.Spread(p, panels, s.c)
				s.tiles = append(s.tiles, weightTile{c0*s.img.size() + s.tapAt[t], c1 - c0, (t*s.c + c0) * s.k, s.k})
			}
		}
	}
	outs := volume(s.out)
	s.offsets, s.step = make([]int32, s.samples*outs), make([]int32, s.samples*outs)
	i := 0
	for q := range s.samples {
		for d := range s.out[0] {
			for h := range s.out[1] {
				for x := range s.out[2] {
					s.offsets[i] = int32((q*s.c*s.img.size() + (d*s.img[1].length+h)*s.img[2].length + x) * size)
					s.step[i] = int32(i % weightBlock * s.ldk * size)
					i++
				}
			}
		}
	}
}

func (s *weightSum[T]) run(ks *simd.GemmKernels[T], os []T) {
	rounds := (s.n + s.samples - 1) / s.samples
	w, pool := gemm.Take[T]()
	defer pool.Put(w)
	image, outs := s.c*s.img.size(), volume(s.out)
	one := s.samples*image + imageSlack
	buf := gemm.Room(&w.B, 2*one)
	s.images = [2][]T{buf[:one], buf[one:]}
	one = s.samples * outs * s.ldk
	buf = gemm.Room(&w.A, 2*one)
	s.grads = [2][]T{buf[:one], buf[one:]}
	s.sums = gemm.Room(&w.C, s.taps*s.c*s.k)
	// phase 0 copies the first samples; the others sum over what was copied, and copy the next; between groups sums
	// go out
	perTask := max(1, gemm.SerialProduct/8/max(1, s.samples*outs*s.k*ks.MaxRows[2]))
	work := (len(s.tiles) + perTask - 1) / perTask
	total := s.groups * rounds
	copies := func(round int) int {
		if round >= total {
			return 0
		}
		return 2 * s.samplesOf(round%rounds)
	}
	counts := []int{copies(0)}
	for r := range total {
		counts = append(counts, work+copies(r+1))
		if r%rounds == rounds-1 {
			counts = append(counts, s.c)
		}
	}
	gemm.Phases(s.op, false, counts, func(phase, task int) {
		if phase == 0 {
			s.copy(ks, 0, rounds, task)
			return
		}
		g, r := (phase-1)/(rounds+1), (phase-1)%(rounds+1)
		if r == rounds {
			s.put(g, task, os)
			return
		}
		round := g*rounds + r
		if task >= work {
			s.copy(ks, round+1, rounds, task-work)
			return
		}
		w, pool := gemm.Take[T]()
		defer pool.Put(w)
		for i := task * perTask; i < min(len(s.tiles), (task+1)*perTask); i++ {
			s.sum(ks, w, round, rounds, s.tiles[i])
		}
	})
}

// samplesOf is how many samples a round of a group takes.
func (s *weightSum[T]) samplesOf(round int) int { return min(s.samples, s.n-round*s.samples) }

// copy copies the image (even tasks) or the gradients (odd ones) of one sample of a round.
func (s *weightSum[T]) copy(ks *simd.GemmKernels[T], round, rounds, task int) {
	g, q := round/rounds, task/2
	sample := round%rounds*s.samples + q
	if task%2 == 0 {
		plane := volume(s.in)
		x := s.xs[(sample*s.groups+g)*s.c*plane:]
		size := s.img.size()
		dst := s.images[round%2][q*s.c*size:]
		for c := range s.c {
			copyImage(s.img, dst[c*size:][:size], x[c*plane:][:plane])
		}
		return
	}
	outs := volume(s.out)
	grad := s.gs[(sample*s.groups+g)*s.k*outs:][:s.k*outs]
	dst := s.grads[round%2][q*outs*s.ldk:][:outs*s.ldk]
	if s.ldk > s.k {
		clear(dst)
	}
	ks.Transpose(dst, s.ldk, grad, outs, s.k, outs)
}

// sum adds a row of tiles over the outputs of a round.
func (s *weightSum[T]) sum(ks *simd.GemmKernels[T], w *gemm.Work[T], round, rounds int, tile weightTile) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	t := &w.Tile
	*t = simd.GemmTile{RowA: s.rowStep * size, RowC: tile.outStep * size}
	images, grads := s.images[round%2], s.grads[round%2]
	t.A = unsafe.Pointer(&images[tile.at])
	total := s.samplesOf(round%rounds) * volume(s.out)
	for j := 0; j < s.k; {
		vecs := gemm.Vectors(ks, tile.rows, s.k-j)
		for vecs*ks.Lanes > s.ldk-j { // gradients end with the row
			vecs /= 2
		}
		t.Cols = min(s.k-j, vecs*ks.Lanes)
		t.C = unsafe.Pointer(&s.sums[tile.out+j])
		for o := 0; o < total; o += weightBlock {
			if o%(8*weightBlock) == 0 {
				tensor.Interrupted(s.op)
			}
			t.K = min(weightBlock, total-o)
			t.OffA, t.OffB = &s.offsets[o], &s.step[o]
			t.B = unsafe.Pointer(&grads[o*s.ldk+j])
			if t.D = nil; round%rounds > 0 || o > 0 {
				t.D, t.RowD = t.C, t.RowC
			}
			ks.Indirect(tile.rows, vecs, t)
		}
		j += t.Cols
	}
}

// put writes the sums of channel c of a group to the weight's gradient.
func (s *weightSum[T]) put(g, c int, os []T) {
	const block = 16 // filters whose lines stay in the cache
	for k0 := 0; k0 < s.k; k0 += block {
		for t := range s.taps {
			src := s.sums[(t*s.c+c)*s.k:]
			for k := k0; k < min(s.k, k0+block); k++ {
				os[((g*s.k+k)*s.c+c)*s.taps+t] = src[k]
			}
		}
	}
}

// convWeightRows is convWeight for groups of one or two filters: sums over rows of outputs.
func convWeightRows[T number](op string, w *geometry, n, groups, k int, xs, gs, os []T) {
	taps, plane, outs := volume(w.kernel), volume(w.in), volume(w.out)
	img := w.inputImage()
	offsets := make([]int, taps)
	w.eachTap(func(i int, at [3]int) {
		offsets[i] = img.at([3]int{at[0] * w.dilation[0], at[1] * w.dilation[1], at[2] * w.dilation[2]})
	})
	parallel.For(groups*w.c, 1, func(lo, hi int) {
		work, pool := gemm.Take[T]()
		defer pool.Put(work)
		buf := gemm.Room(&work.B, img.size()+imageSlack)
		for channel := lo; channel < hi; channel++ {
			g, c := channel/w.c, channel%w.c
			for s := range n {
				tensor.Interrupted(op)
				copyImage(img, buf[:img.size()], xs[((s*groups+g)*w.c+c)*plane:][:plane])
				for q := range k {
					grads := gs[((s*groups+g)*k+q)*outs:][:outs]
					dst := os[((g*k+q)*w.c+c)*taps:][:taps]
					if s == 0 {
						clear(dst)
					}
					sumTaps(work, dst, buf, grads, offsets, w, img)
				}
			}
		}
	})
}

// sumTaps adds to dst, for every tap, the sum of what it reads of x, a channel's image, times the gradients.
func sumTaps[T number](work *gemm.Work[T], dst, x, grads []T, offsets []int, w *geometry, img *image) {
	ks := windowKernelsOf[T]()
	var zero T
	size := int(unsafe.Sizeof(zero))
	off := &work.Off
	for i := 0; i < len(offsets); {
		count := 1
		off[0] = 0
		for ; count < ks.Taps && i+count < len(offsets); count++ {
			o := (offsets[i+count] - offsets[i]) * size
			if max(o, -o) > math.MaxInt32 {
				break
			}
			off[count] = int32(o)
		}
		t := &work.Row
		*t = simd.RowTile{RowX: img[2].length * size, RowY: w.out[2] * size, W: unsafe.Pointer(&work.Sums[0]),
			Off: &off[0], Taps: count,
			Rows: w.out[1], Cols: w.out[2]}
		for d := range w.out[0] {
			t.X = unsafe.Pointer(&x[offsets[i]+d*img[1].length*img[2].length])
			t.Y = unsafe.Pointer(&grads[d*w.out[1]*w.out[2]])
			ks.DotRows(t)
			for q, v := range work.Sums[:count] {
				dst[i+q] += v
			}
		}
		i += count
	}
}
