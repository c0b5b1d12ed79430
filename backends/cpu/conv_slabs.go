package cpu

import (
	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: slabs. The outputs of a sample are computed slab by slab: some rows of them at a time, or slices of a volume.
// Who computes a slab first copies the part of the image that it reads, which then lies in the second-level cache of
// its own CPU. Slabs, and parts of the filters where slabs are few, are independent of each other: nothing waits.

const (
	slabBytes    = 256 << 10 // of the image of a slab, about
	slabProducts = 1 << 20   // that are worth a slab of its own
	slabTasks    = 16        // tasks for a thread: one that begins late, or is held up, leaves more of them to others
)

// cut divides outputs into count slabs, height of them along dimension dim.
type cut struct{ dim, height, count int }

// firstDim is the first dimension with more than one output.
func firstDim(extent [3]int) (dim int) {
	for dim < 2 && extent[dim] <= 1 {
		dim++
	}
	return dim
}

// newCut chooses slabs for outputs of the given extent, made by so many products for a sample. Where the image is
// copied, a row of outputs takes row bytes of it, and the image of a slab is reach rows longer than the slab.
func newCut(extent [3]int, reach, row int, copied bool, samples, products int) cut {
	k := cut{dim: firstDim(extent)}
	total := extent[k.dim]
	k.count = max(1, min(ceilDiv(4*parallel.Threads(), max(1, samples)), products/slabProducts))
	if copied {
		least := max(1, 2*reach) // so that not much is copied twice
		k.count = max(min(k.count, total/least), ceilDiv(total, max(least, slabBytes/max(1, row)-reach)))
	}
	k.height = ceilDiv(total, max(1, min(k.count, total)))
	k.count = ceilDiv(total, max(1, k.height))
	return k
}

// imageCut is newCut for outputs made from images of c channels, whose images it shortens to those of a slab.
func imageCut[T number](img *image, extent, reach [3]int, c, samples, products int) cut {
	dim := firstDim(extent)
	x, beyond, copied := &img[dim], reach[dim], !img.plain()
	k := newCut(extent, beyond, img.size()/max(1, x.length)*c*sizeOf[T](), copied, samples, products)
	if copied {
		x.length = min(x.length, k.height+beyond)
	}
	return k
}

func ceilDiv(n, by int) int { return (n + by - 1) / by }

// of is the image of slab i, given that of the first.
func (k cut) of(img *image, i int) image {
	m := *img
	m[k.dim].start += i * k.height * m[k.dim].step
	return m
}

// take leaves of s the outputs of slab i, and filters r0 up to r1; it reports whether there are any.
func (s *taps[T]) take(k cut, i, r0, r1 int) bool {
	from := i * k.height
	s.extent[k.dim] = min(k.height, s.extent[k.dim]-from)
	s.base += from*s.step[k.dim] + r0*s.plane
	s.rows = r1 - r0
	return s.extent[k.dim] > 0
}

// convolving is the computation of rows channels of results from the image of every sample and group, c channels of
// plane elements, with each of the parts.
type convolving[T number] struct {
	op                        string
	img                       *image
	cut                       cut
	n, groups, c, plane, rows int
	parts                     []*taps[T]
	xs, ws                    []T
	weights                   int // elements of a group's weights
	bs, os                    []T
}

// run shares out the slabs of all samples and groups.
func (v *convolving[T]) run() {
	products := 0
	for _, f := range v.parts {
		products += f.products()
	}
	slabs := v.n * v.groups * v.cut.count
	if slabs == 0 {
		return
	}
	shares := 1 // parts of the filters
	// parts have whole panels, and too many filters for the kernels for one filter
	panels := max(1, min(ceilDiv(v.rows, gemm.Kernels[T]().MaxRows[2]), v.rows/(fewFilters+1)))
	if want := slabTasks * parallel.Threads(); slabs < want {
		shares = max(1, min(ceilDiv(want, slabs), panels, products/v.cut.count/slabProducts))
	}
	grain := max(1, gemm.SerialProduct/4*v.cut.count*shares/max(1, products))
	parallel.For(slabs*shares, grain, func(lo, hi int) {
		w, pool := gemm.Take[T]()
		defer pool.Put(w)
		var img []T
		have, parts := -1, new([2]taps[T])
		for task := lo; task < hi; task++ {
			if have != task/shares {
				have = task / shares
				img = v.image(w, have/v.cut.count, have%v.cut.count)
			}
			p0, p1 := gemm.Spread(task%shares, shares, panels)
			v.compute(w, parts, img, have/v.cut.count, have%v.cut.count, p0*v.rows/panels, p1*v.rows/panels)
		}
	})
}

// image is what slab i of a sample and group reads: the input itself where that need not be copied.
func (v *convolving[T]) image(w *gemm.Work[T], t, i int) []T {
	slack := 0
	if gemm.Kernels[T]().Whole || v.rows <= fewFilters {
		slack = imageSlack
	}
	if at := t * v.c * v.plane; v.img.plain() && at+v.c*v.plane+slack <= len(v.xs) {
		row := 1
		for _, x := range v.img[v.cut.dim+1:] {
			row *= x.length
		}
		return v.xs[at+i*v.cut.height*row:]
	}
	tensor.Interrupted(v.op)
	m, size := v.cut.of(v.img, i), v.img.size()
	buf := gemm.Room(&w.B, max(1, v.c)*size+imageSlack)
	for q := range v.c {
		copyImage(&m, buf[q*size:][:size], v.xs[(t*v.c+q)*v.plane:][:v.plane])
	}
	return buf
}

// compute computes slab i of a sample and group for filters r0 up to r1; room is for its sums.
func (v *convolving[T]) compute(w *gemm.Work[T], room *[2]taps[T], img []T, t, i, r0, r1 int) {
	g, result := t%v.groups, len(v.os)/(v.n*v.groups)
	a, y := v.ws[g*v.weights:][:v.weights], v.os[t*result:][:result]
	var bias []T
	if v.bs != nil {
		bias = v.bs[g*v.rows+r0:][:r1-r0]
	}
	for _, f := range v.parts {
		p, b := &room[0], &room[1]
		if *p = *f; !p.take(v.cut, i, r0, r1) {
			continue
		}
		if f.between != nil {
			*b = *f.between
			if p.between = nil; b.take(v.cut, i, r0, r1) {
				p.between = b
			}
		}
		p.plan()
		for task := range p.tasks {
			p.compute(w, task, a[r0*f.rowA:], img, bias, y)
		}
	}
}
