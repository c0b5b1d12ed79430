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

// Note: pixels as rows. Pictures whose channels lie last, and many channels of small pictures, are convolved the other
// way round: rows of the product are outputs, its columns filters. The channels of a pixel lie side by side in the
// image then, and the weights are transposed once, to panels as wide as a tile: what a tile reads of them lies one row
// after the other. Vectors are full where the number of filters is a multiple of their lanes, however short rows of
// outputs are.

const (
	pixelBlock   = 128       // taps of all channels that are summed at a time: their weights stay in the first cache
	mostPixels   = 4096      // outputs of pictures that are small
	pixelRow     = 64        // outputs of a row of theirs
	manyPixels   = 768       // outputs that pay for transposing the weights,
	shortPixels  = 256       // where vectors of a row of outputs would be a quarter empty
	pixelOutputs = 392       // outputs of a task at least: weights are read from the last-level cache that often less,
	pixelBytes   = 512 << 10 // of their images at most

	pixelTasks    = 8       // tasks for a thread, if they have
	pixelProducts = 4 << 20 // so many products
)

// pixelConv is a convolution with pixels as rows, of one group.
type pixelConv[T number] struct {
	op           string
	in, out      [3]int // what is read, and outputs
	kernel       [3]int
	stride       [3]int
	padding      [3]int
	dilation     [3]int
	n, c, k      int
	flipped      bool // taps read from the last to the first
	xLast, yLast bool // channels lie last
	xs, bs, os   []T

	weights []T // [panels][c][taps][width]
	width   int
	image   [3]int // size of the image
	copied  bool
	cut     cut
	samples int // of a piece, where a slab is a whole sample
	offA    []int32
	offB    []int32
}

// pixelArgs describe a convolution that may have pixels as rows.
type pixelArgs struct {
	*geometry
	op           string
	n, groups, k int
	transposed   bool
	xLast, yLast bool // channels lie last
}

// channelsLast reports whether the channels of x, dimension 1, lie side by side, and pixels one after the other.
func channelsLast(x *tensor.Tensor) bool {
	sizes, strides := x.Sizes(), x.Strides()
	if x.Contig() || len(sizes) < 3 || strides[1] != 1 {
		return false
	}
	step := sizes[1]
	for d := len(sizes) - 1; d >= 0; d-- {
		if d == 1 {
			continue
		}
		if strides[d] != step {
			return false
		}
		step *= sizes[d]
	}
	return true
}

// convPixels computes a convolution with pixels as rows, and reports false where that does not pay.
func convPixels[T interface {
	number
	tensor.Element
}](a *pixelArgs, x, weight, bias, out *tensor.Tensor) bool {
	p := &pixelConv[T]{op: a.op, in: a.in, out: a.out, kernel: a.kernel, stride: a.stride, padding: a.padding,
		dilation: a.dilation, n: a.n, c: a.c, k: a.k, xLast: a.xLast, yLast: a.yLast}
	if a.transposed {
		if a.stride != [3]int{1, 1, 1} {
			return false
		}
		p.in, p.out, p.c, p.k, p.flipped = a.out, a.in, a.k, a.c, true
		for d := range p.padding {
			if p.padding[d] = a.dilation[d]*(a.kernel[d]-1) - a.padding[d]; p.padding[d] < 0 {
				return false
			}
		}
	}
	if a.groups != 1 || !p.pays() {
		return false
	}
	p.run(tensor.Elems[T](x), tensor.Elems[T](weight), elemsOf[T](bias), tensor.Elems[T](out))
	runtime.KeepAlive(x)
	runtime.KeepAlive(weight)
	runtime.KeepAlive(bias)
	runtime.KeepAlive(out)
	return true
}

// pays reports whether filters fill vectors, and channels and outputs are enough to pay for the copies. Pixels whose
// channels lie apart must be those of small pictures.
func (p *pixelConv[T]) pays() bool {
	var zero T
	switch any(zero).(type) {
	case float32, float64:
	default:
		return false
	}
	bytes := p.c * sizeOf[T]() // of a sample, which offsets must reach
	for d, n := range p.in {
		bytes *= n + 2*p.padding[d]
	}
	if bytes > math.MaxInt32 {
		return false
	}
	lanes, outs := gemm.Kernels[T]().Lanes, volume(p.out)
	small := outs <= mostPixels && p.out[2] <= pixelRow && p.out[2]%lanes != 0
	fits := p.xLast || p.yLast || p.stride[2] > 1 || small
	many := manyPixels
	if 4*p.out[2] < 3*roundUp(p.out[2], lanes) {
		many = shortPixels
	}
	return fits && p.c >= lanes && 8*p.k >= 7*roundUp(p.k, lanes) && p.n*outs >= many
}

// run computes the convolution with weights ws.
func (p *pixelConv[T]) run(xs, ws, bs, os []T) {
	p.xs, p.bs, p.os = xs, bs, os
	ks := gemm.Kernels[T]()
	w, pool := gemm.Take[T]()
	defer pool.Put(w)
	p.plan(ks)
	p.transposeWeights(w, ws)
	pieces := ceilDiv(p.n, p.samples) * p.cut.count
	panels := ceilDiv(p.k, p.width)
	products := ceilDiv(volume(p.out), p.cut.count) * p.samples * p.k * len(p.offA)             // of a piece
	shares := max(1, min(panels, pixelTasks*parallel.Threads()/pieces, products/pixelProducts)) // parts of the filters
	parallel.For(pieces*shares, 1, func(lo, hi int) {
		w, pool := gemm.Take[T]()
		defer pool.Put(w)
		var img []T
		have := -1
		for task := lo; task < hi; task++ {
			tensor.Interrupted(p.op)
			if have != task/shares {
				have = task / shares
				img = p.imageOf(w, have)
			}
			p0, p1 := gemm.Spread(task%shares, shares, panels)
			p.piece(ks, w, img, have, p0*p.width, min(p.k, p1*p.width))
		}
	})
}

// imageOf is what a piece reads.
func (p *pixelConv[T]) imageOf(w *gemm.Work[T], piece int) []T {
	first, i := piece/p.cut.count*p.samples, piece%p.cut.count
	if p.copied {
		return p.copyPixels(w, first, min(p.samples, p.n-first), i)
	}
	row := volume(p.in)
	for d := range p.cut.dim + 1 {
		row /= p.in[d]
	}
	return p.xs[(first*volume(p.in)+i*p.cut.height*p.stride[p.cut.dim]*row)*p.c:]
}

// plan divides outputs into pieces and makes the tables of offsets.
func (p *pixelConv[T]) plan(ks *simd.GemmKernels[T]) {
	size, outs := sizeOf[T](), volume(p.out)
	p.width = gemm.Vectors(ks, p.out[2], p.k) * ks.Lanes
	p.copied = !p.xLast || p.padding != [3]int{}
	p.image = p.in
	var reach [3]int
	if p.copied {
		for d := range reach {
			reach[d] = p.dilation[d] * (p.kernel[d] - 1)
			p.image[d] = (p.out[d]-1)*p.stride[d] + reach[d] + 1
		}
	}
	dim := firstDim(p.out)
	row := volume(p.image) / p.image[dim] * p.stride[dim] * p.c * size
	p.cut = newCut(p.out, ceilDiv(reach[dim], p.stride[dim]), row, p.copied, p.n,
		outs*p.k*p.c*volume(p.kernel))
	if p.copied {
		p.image[dim] = (p.cut.height-1)*p.stride[dim] + reach[dim] + 1
	}
	p.samples = 1
	if p.cut.count == 1 {
		p.samples = max(1, min(ceilDiv(p.n, parallel.Threads()), ceilDiv(pixelOutputs, outs),
			pixelBytes/max(1, volume(p.image)*p.c*size)))
	}
	taps := volume(p.kernel)
	p.offA = make([]int32, 0, p.c*taps)
	for c := range p.c {
		for d := range p.kernel[0] {
			for h := range p.kernel[1] {
				for x := range p.kernel[2] {
					tap := [3]int{d, h, x}
					if p.flipped {
						tap = [3]int{p.kernel[0] - 1 - d, p.kernel[1] - 1 - h, p.kernel[2] - 1 - x}
					}
					at := (tap[0]*p.dilation[0]*p.image[1]+tap[1]*p.dilation[1])*p.image[2] + tap[2]*p.dilation[2]
					p.offA = append(p.offA, int32((at*p.c+c)*size))
				}
			}
		}
	}
	p.offB = make([]int32, min(pixelBlock, len(p.offA)))
	for i := range p.offB {
		p.offB[i] = int32(i * p.width * size)
	}
}

// transposeWeights writes the weights as panels of rows of filters.
func (p *pixelConv[T]) transposeWeights(w *gemm.Work[T], ws []T) {
	size, taps := sizeOf[T](), volume(p.kernel)
	rows := p.c * taps
	p.weights = gemm.Room(&w.C, roundUp(p.k, p.width)*rows)
	if !p.flipped {
		parallel.For(rows, max(64, grainSize/p.k), func(lo, hi int) {
			for k := 0; k < p.k; k += p.width {
				gemm.Kernels[T]().Transpose(p.weights[k*rows+lo*p.width:], p.width, ws[k*rows+lo:], rows, min(p.width, p.k-k),
					hi-lo)
			}
		})
		return
	}
	parallel.For(p.c, max(1, grainSize/(taps*p.k)), func(lo, hi int) {
		for q := lo; q < hi; q++ {
			for k := 0; k < p.k; k += p.width {
				dst, src := unsafe.Pointer(&p.weights[k*rows+q*taps*p.width]), unsafe.Pointer(&ws[(q*p.k+k)*taps])
				transposeTile(size, dst, p.width, src, taps, taps, min(p.width, p.k-k))
			}
		}
	})
}

// piece computes filters k0, where a panel begins, up to k1 of a piece, a slab of a sample, or some samples, from what
// it reads.
func (p *pixelConv[T]) piece(ks *simd.GemmKernels[T], w *gemm.Work[T], img []T, piece, k0, k1 int) {
	size := sizeOf[T]()
	first, i := piece/p.cut.count*p.samples, piece%p.cut.count
	samples := min(p.samples, p.n-first)
	slab := p.out
	slab[p.cut.dim] = min(p.cut.height, slab[p.cut.dim]-i*p.cut.height)
	outs, all := volume(slab), volume(p.out)
	from := i * p.cut.height * (all / p.out[p.cut.dim]) // the first output
	sample := volume(p.in) * p.c
	if p.copied {
		sample = volume(p.image) * p.c
	}
	y, ld, apart := p.os, p.k, all // rows of outputs, elements from one to the next, outputs from sample to sample
	at := (first*all+from)*p.k + k0
	if !p.yLast {
		ld, apart, at = roundUp(k1-k0, ks.Lanes), outs, 0
		y = gemm.Room(&w.C, samples*outs*ld)
	}
	t := &w.Tile
	*t = simd.GemmTile{RowA: p.stride[2] * p.c * size, RowC: ld * size}
	for j := k0; j < k1; {
		col := j % p.width // in the panel
		vecs := gemm.Vectors(ks, slab[2], min(k1-j, p.width-col))
		for vecs*ks.Lanes > p.width-col {
			vecs /= 2
		}
		t.Cols = min(k1-j, vecs*ks.Lanes)
		tiles := ceilDiv(slab[2], ks.MaxRows[vecs])
		for b := 0; b < len(p.offA); b += pixelBlock {
			tensor.Interrupted(p.op)
			t.K = min(pixelBlock, len(p.offA)-b)
			t.OffA, t.OffB = &p.offA[b], &p.offB[0]
			t.B = unsafe.Pointer(&p.weights[(j-col)*len(p.offA)+b*p.width+col])
			for row := range samples * slab[0] * slab[1] {
				q, d, h := row/(slab[0]*slab[1]), row/slab[1]%slab[0], row%slab[1]
				src := q*sample + (d*p.stride[0]*p.image[1]+h*p.stride[1])*p.image[2]*p.c
				dst := at + j - k0 + (q*apart+(d*slab[1]+h)*slab[2])*ld
				for tile := range tiles {
					r0, r1 := gemm.Spread(tile, tiles, slab[2])
					t.A = unsafe.Pointer(&img[src+r0*p.stride[2]*p.c])
					t.C = unsafe.Pointer(&y[dst+r0*ld])
					switch {
					case b > 0:
						t.D, t.RowD = t.C, t.RowC
					case p.bs != nil:
						t.D, t.RowD = unsafe.Pointer(&p.bs[j]), 0
					default:
						t.D = nil
					}
					ks.Indirect(r1-r0, vecs, t)
				}
			}
		}
		j += t.Cols
	}
	if p.yLast {
		return
	}
	for q := range samples {
		dst, src := unsafe.Pointer(&p.os[((first+q)*p.k+k0)*all+from]), unsafe.Pointer(&y[q*outs*ld])
		transposeTile(size, dst, all, src, ld, k1-k0, outs)
	}
}

// copyPixels copies the images of slab i of some samples.
func (p *pixelConv[T]) copyPixels(w *gemm.Work[T], first, samples, i int) []T {
	size, plane, row := sizeOf[T](), volume(p.in), p.image[2]*p.c
	buf := gemm.Room(&w.B, samples*volume(p.image)*p.c)
	dst := buf
	start := p.padding
	for d := range start {
		start[d] = -start[d]
	}
	start[p.cut.dim] += i * p.cut.height * p.stride[p.cut.dim]
	left := min(max(0, -start[2]), p.image[2])
	right := max(left, min(p.image[2], p.in[2]-start[2]))
	h0 := min(max(0, -start[1]), p.image[1]) // rows of the image that the input reaches
	h1 := max(h0, min(p.image[1], p.in[1]-start[1]))
	for q := range samples {
		x := p.xs[(first+q)*plane*p.c:][:plane*p.c]
		for d := range p.image[0] {
			part := dst[:p.image[1]*row]
			dst = dst[len(part):]
			if d += start[0]; d < 0 || d >= p.in[0] || left == right || h0 == h1 {
				clear(part)
				continue
			}
			clear(part[:h0*row])
			clear(part[h1*row:])
			from := (d*p.in[1]+h0+start[1])*p.in[2] + start[2] + left // the first element of a row
			for h := h0; h < h1; h++ {
				line := part[h*row:][:row]
				clear(line[:left*p.c])
				clear(line[right*p.c:])
				if p.xLast {
					copy(line[left*p.c:right*p.c], x[from*p.c:])
				} else {
					transposeTile(size, unsafe.Pointer(&line[left*p.c]), p.c, unsafe.Pointer(&x[from]), plane, right-left, p.c)
				}
				from += p.in[2]
			}
		}
	}
	return buf
}
