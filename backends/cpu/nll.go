package cpu

import (
	"math"
	"runtime"
	"sync/atomic"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Losses of classes. Of a line of inputs x and its target t, with p = softmax(x), smoothing s over C classes and
// weights w with sum W, the loss is
//
//	-(1-s)·w[t]·log p[t] - s/C·Σ w[j]·log p[j]
//
// and its gradient A·p[j] - s/C·w[j], less (1-s)·w[t] at t, with A = (1-s)·w[t] + s/C·W. Without softmax x stands for
// log p, and s is 0. Targets that are ignored have the loss 0.

func init() {
	kernels(map[string]tensor.Kernel{
		"_nll": func(c *tensor.Call) {
			if c.Ret(0).Dtype() == tensor.Float64 {
				nllForward(c, exps64, simd.DotFloat64, simd.SumFloat64)
			} else {
				nllForward(c, exps32, simd.DotFloat32, simd.SumFloat32)
			}
		},
		"_nll_backward": func(c *tensor.Call) {
			if c.Ret(0).Dtype() == tensor.Float64 {
				nllBackward(c, exps64)
			} else {
				nllBackward(c, exps32)
			}
		},
	})
}

// nll is what both passes know: lines of classes elements that are inner apart.
type nll[T float] struct {
	*exponentials[T]
	op                    string
	targets               []int64
	w                     []T // nil for none
	weightSum             float64
	classes, inner, lines int
	ignore                int64
	smooth                float64
	bad                   atomic.Bool // a target is out of bounds
}

func newNll[T interface {
	float
	tensor.Element
}](c *tensor.Call, f *exponentials[T], shape []int, ignore int, smooth float64) *nll[T] {
	d := min(len(shape)-1, 1)
	n := &nll[T]{exponentials: f, op: c.Name(), classes: shape[d], inner: 1, ignore: int64(ignore), smooth: smooth}
	for _, s := range shape[d+1:] {
		n.inner *= s
	}
	return n
}

// weigh takes the target and weights.
func (n *nll[T]) weigh(targets []int64, w []T) {
	n.targets, n.lines, n.w, n.weightSum = targets, len(targets), w, float64(n.classes)
	if w != nil {
		n.weightSum = 0
		for _, v := range w {
			n.weightSum += float64(v)
		}
	}
}

// weight is w[t].
func (n *nll[T]) weight(t int64) float64 {
	if n.w == nil {
		return 1
	}
	return float64(n.w[t])
}

// share is how many lines are worth a goroutine's while, where an element costs so many cheap ones.
func (n *nll[T]) share(cost int) int { return max(1, grainSize/max(1, cost)) }

// eachStrip calls f for strips of lines that lie side by side: the offset of the first element, the first line and how
// many.
func (n *nll[T]) eachStrip(f func(at, line, w int)) {
	if n.inner == 0 {
		return
	}
	width := min(n.inner, stripLen)
	perRow := (n.inner + width - 1) / width
	parallel.For(n.lines/n.inner*perRow, n.share(width*n.classes), func(lo, hi int) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(n.op)
			col := i % perRow * width
			f(i/perRow*n.classes*n.inner+col, i/perRow*n.inner+col, min(width, n.inner-col))
		}
	})
}

func nllForward[T interface {
	float
	tensor.Element
}](c *tensor.Call, f *exponentials[T], dot func(x, y []T) float64, sum func(x []T) float64) {
	xt, tt := contiguous(c.Name(), c.Tensor(0), tensor.DtypeOf[T]()), contiguous(c.Name(), c.Tensor(1), tensor.Int64)
	n := newNll(c, f, xt.Sizes(), c.Int(3), c.Float(4))
	var w []T
	if wt := c.Tensor(2); wt != nil {
		w = contig[T](n.op, wt)
	}
	n.weigh(tensor.Elems[int64](tt), w)
	x := tensor.Elems[T](xt)
	loss, weights, stats := tensor.Elems[T](c.Ret(0)), tensor.Elems[T](c.Ret(1)), tensor.Elems[T](c.Ret(2))
	// put computes the loss of a line after softmax, its input at t being a distance step from that of the next class.
	put := func(line, at int, most, sum, dot float64) {
		t := n.targets[line]
		stats[line], stats[n.lines+line] = T(most), T(1/sum)
		loss[line], weights[line] = 0, 0
		switch {
		case t == n.ignore:
			return
		case t < 0 || t >= int64(n.classes):
			n.bad.Store(true)
			return
		}
		v, wt := float64(x[at+int(t)*n.inner]), n.weight(t)
		log := math.Log(sum)
		l := (1 - n.smooth) * wt * (log - (v - most))
		if n.smooth > 0 {
			l += n.smooth / float64(n.classes) * (n.weightSum*(log+most) - dot)
		}
		loss[line], weights[line] = T(l), T(wt)
	}
	switch {
	case n.classes == 0 && n.lines > 0:
		n.bad.Store(true)
	case !c.Bool(5):
		parallel.For(n.lines, n.share(8), func(lo, hi int) { n.pick(loss, weights, x, lo, hi) })
	case n.inner == 1:
		parallel.For(n.lines, n.share(n.classes), func(lo, hi int) {
			tensor.Interrupted(n.op)
			for i := lo; i < hi; i++ {
				row := x[i*n.classes:][:n.classes]
				most, d := f.max(row), 0.0
				switch {
				case n.smooth == 0:
				case w != nil:
					d = dot(w, row)
				default:
					d = sum(row)
				}
				put(i, i*n.classes, float64(most), f.total(row, most), d)
			}
		})
	default:
		n.eachStrip(func(at, line, w int) {
			n.strip(x[at:], w, func(j int, most, sum, dot float64) { put(line+j, at+j, most, sum, dot) })
		})
	}
	if n.bad.Load() {
		panic(tensor.Errorf(c.Name(), "a target is out of bounds: classes are 0 to %d", n.classes-1).OnArg("target"))
	}
	runtime.KeepAlive(xt)
	runtime.KeepAlive(tt)
}

// pick writes the losses and weights of lines [lo, hi) of x, which are logarithms.
func (n *nll[T]) pick(loss, weights, x []T, lo, hi int) {
	for i := lo; i < hi; i++ {
		t := n.targets[i]
		switch {
		case t == n.ignore:
			loss[i], weights[i] = 0, 0
			continue
		case uint64(t) >= uint64(n.classes):
			n.bad.Store(true)
			return
		}
		at := i * n.classes
		if n.inner > 1 {
			at = i/n.inner*n.classes*n.inner + i%n.inner
		}
		v, w := x[at+int(t)*n.inner], T(1)
		if n.w != nil {
			w = n.w[t]
		}
		loss[i], weights[i] = -v*w, w
	}
}

// strip returns, for each of w lines side by side, its greatest element, the sum of its exponentials relative to that,
// and its product with the weights.
func (n *nll[T]) strip(x []T, w int, f func(j int, most, sum, dot float64)) {
	const block = 16
	room := simd.RowLen(w)
	l := newLender()
	defer l.end()
	most, sums, dots := zeros[T](&l, room), zeros[float64](&l, room), zeros[float64](&l, room)
	spare := lent[T](&l, block*w)
	copy(most, x[:w])
	n.maxRows(most, x, n.inner, n.classes, w)
	for r := 0; r < n.classes; r += block {
		rows := min(block, n.classes-r)
		for i := range rows {
			row := x[(r+i)*n.inner:][:w]
			n.expRow(spare[i*w:][:w], row, most[:w])
			if n.smooth > 0 {
				wt := n.weight(int64(r + i))
				for j, v := range row {
					dots[j] += wt * float64(v)
				}
			}
		}
		n.sumRows(sums, spare, w, rows, w)
	}
	for j := range w {
		f(j, float64(most[j]), sums[j], dots[j])
	}
}

func nllBackward[T interface {
	float
	tensor.Element
}](c *tensor.Call, f *exponentials[T]) {
	out, dt := c.Ret(0), tensor.DtypeOf[T]()
	gt, tt := contiguous(c.Name(), c.Tensor(0), dt), contiguous(c.Name(), c.Tensor(1), tensor.Int64)
	n := newNll(c, f, c.Ints(5), c.Int(6), c.Float(7))
	var w []T
	if wt := c.Tensor(2); wt != nil {
		w = contig[T](n.op, wt)
	}
	n.weigh(tensor.Elems[int64](tt), w)
	g, dst := tensor.Elems[T](gt), tensor.Elems[T](out)
	var x, stats []T
	if xt := c.Tensor(3); xt != nil {
		x, stats = contig[T](n.op, xt), contig[T](n.op, c.Tensor(4))
	}
	even := n.smooth / float64(n.classes)
	// scale is A/Σexp times the line's gradient, and what is taken away at the target.
	scale := func(line int) (scale, less float64) {
		t := n.targets[line]
		if t == n.ignore {
			return 0, 0
		}
		less = (1 - n.smooth) * n.weight(t) * float64(g[line])
		if x != nil {
			scale = (less + even*n.weightSum*float64(g[line])) * float64(stats[n.lines+line])
		}
		return scale, less
	}
	switch {
	case len(dst) == 0:
	case n.inner == 1:
		parallel.For(n.lines, n.share(n.classes), func(lo, hi int) {
			tensor.Interrupted(n.op)
			for i := lo; i < hi; i++ {
				to := dst[i*n.classes:][:n.classes]
				t := n.targets[i]
				if x == nil || t == n.ignore {
					clear(to)
				}
				if t == n.ignore {
					continue
				}
				a, less := scale(i)
				if x != nil {
					f.sum(to, x[i*n.classes:][:n.classes], stats[i])
					f.scale(to, to, T(a))
					if n.smooth > 0 {
						n.lessEven(to, even*float64(g[i]))
					}
				}
				to[t] -= T(less)
			}
		})
	default:
		n.eachStrip(func(at, line, w int) {
			l := newLender()
			defer l.end()
			scales, ignored := lent[T](&l, w), false
			for j := range w {
				a, _ := scale(line + j)
				scales[j] = T(a)
				ignored = ignored || n.targets[line+j] == n.ignore
			}
			for r := range n.classes {
				to := dst[at+r*n.inner:][:w]
				if x == nil {
					clear(to)
					continue
				}
				f.expRow(to, x[at+r*n.inner:][:w], stats[line:][:w])
				f.mulRow(to, to, scales)
				if n.smooth > 0 {
					part := T(even * n.weight(int64(r)))
					for j := range to {
						to[j] -= part * g[line+j]
					}
				}
				if ignored {
					for j := range to {
						if n.targets[line+j] == n.ignore {
							to[j] = 0
						}
					}
				}
			}
			for j := range w {
				if t := n.targets[line+j]; t != n.ignore {
					_, less := scale(line + j)
					dst[at+int(t)*n.inner+j] -= T(less)
				}
			}
		})
	}
	runtime.KeepAlive(gt)
	runtime.KeepAlive(tt)
}

// lessEven takes each class's part of the smoothing from a line.
func (n *nll[T]) lessEven(dst []T, part float64) {
	if n.w == nil {
		p := T(part)
		for i := range dst {
			dst[i] -= p
		}
		return
	}
	for i, w := range n.w {
		dst[i] -= T(part * float64(w))
	}
}
