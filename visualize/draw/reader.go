package draw

import (
	"cmp"
	"slices"
	"sync"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// reader reads the elements of a real tensor as float64, in the order in which they lie in memory, those of a
// dimension of stride 0 once.
type reader struct {
	x             *tensor.Tensor
	shape, stride []int // of the dimensions that move, the largest step first; none goes backwards
	offset, times int   // times is how many indices lead to each element
	list          []readerPiece
	sampled       bool
	some          []float64 // of what is not read in pieces
}

// readerPiece is what one core reads at a time.
type readerPiece struct {
	shape  []int
	offset int
}

const (
	readerRun  = 1 << 16 // elements of a piece, about
	readerPart = 1 << 12 // of what is handed out, which stays in the nearest cache
)

func readerOf(x *tensor.Tensor) *reader {
	r := &reader{x: x, offset: x.StorageOffset(), times: 1}
	var dims []int
	for d, n := range x.Shape() {
		switch s := x.Stride()[d]; {
		case s == 0:
			r.times *= n
		case n != 1:
			if s < 0 {
				r.offset += (n - 1) * s
			}
			dims = append(dims, d)
		}
	}
	slices.SortStableFunc(dims, func(a, b int) int { return cmp.Compare(Abs(x.Stride()[b]), Abs(x.Stride()[a])) })
	for _, d := range dims {
		r.shape, r.stride = append(r.shape, x.Size(d)), append(r.stride, Abs(x.Stride()[d]))
	}
	if x.Storage().Device() == tensor.CPU && r.distinct() <= maxExact {
		r.divide(0, r.offset)
	} else {
		r.sample()
	}
	return r
}

// distinct is how many elements there are.
func (r *reader) distinct() int { return r.x.Numel() / r.times }

// count is how many elements are read.
func (r *reader) count() int {
	if r.list == nil {
		return len(r.some)
	}
	return r.distinct()
}

// pieces is how many there are.
func (r *reader) pieces() int { return max(1, len(r.list)) }

// divide makes pieces of the dimensions from d on.
func (r *reader) divide(d, offset int) {
	shape := r.shape[d:]
	inner := 1
	for _, n := range shape {
		inner *= n
	}
	if inner <= readerRun {
		r.list = append(r.list, readerPiece{shape, offset})
		return
	}
	rest := inner / shape[0]
	if rest > readerRun {
		for i := range shape[0] {
			r.divide(d+1, offset+i*r.stride[d])
		}
		return
	}
	n := max(1, readerRun/rest)
	for i := 0; i < shape[0]; i += n { // several slices at a time
		part := slices.Clone(shape)
		part[0] = min(n, shape[0]-i)
		r.list = append(r.list, readerPiece{part, offset + i*r.stride[d]})
	}
}

// sample takes evenly spaced elements.
func (r *reader) sample() {
	n := r.distinct()
	step := (n + maxStats - 1) / maxStats
	r.sampled = step > 1
	index := make([]int, r.x.Dim())
	for i := 0; i < n; i += step {
		for d, rest := len(index)-1, i; d >= 0; d-- {
			index[d] = 0
			if r.x.Stride()[d] != 0 {
				index[d], rest = rest%r.x.Size(d), rest/r.x.Size(d)
			}
		}
		v, _ := tensor.ScalarOf(r.x.At(index...))
		r.some = append(r.some, v.Float())
	}
}

var readerParts = sync.Pool{New: func() any { return new([readerPart]float64) }}

// each calls f with the elements, part by part: with those of one piece, the k-th, in their order, with those of
// others at the same time. f may change part.
func (r *reader) each(f func(k int, part []float64)) {
	if r.list == nil {
		f(0, slices.Clone(r.some))
		return
	}
	parallel.For(len(r.list), 1, func(from, to int) {
		buf := readerParts.Get().(*[readerPart]float64)
		defer readerParts.Put(buf)
		for k := from; k < to; k++ {
			tensor.Interrupted("card")
			r.read(r.list[k], buf[:], func(part []float64) { f(k, part) })
		}
	})
}

// read calls f with the elements of a piece, in parts of at most the size of buf.
func (r *reader) read(p readerPiece, buf []float64, f func(part []float64)) {
	x := tensor.FromStorage("card", r.x.Storage(), p.shape, r.stride[len(r.stride)-len(p.shape):], p.offset, r.x.Dtype())
	switch x.Dtype() {
	case tensor.Float64:
		inParts(x, buf, f, widened[float64])
	case tensor.Float32:
		inParts(x, buf, f, widened[float32])
	case tensor.Uint8:
		inParts(x, buf, f, widened[uint8])
	case tensor.Int8:
		inParts(x, buf, f, widened[int8])
	case tensor.Int16:
		inParts(x, buf, f, widened[int16])
	case tensor.Int32:
		inParts(x, buf, f, widened[int32])
	case tensor.Int64:
		inParts(x, buf, f, widened[int64])
	case tensor.Bool:
		inParts(x, buf, f, func(part []float64, data []bool) {
			for i, b := range data {
				if part[i] = 0; b {
					part[i] = 1
				}
			}
		})
	case tensor.Float16:
		inParts(x, buf, f, func(part []float64, data []tensor.Half) {
			for i, h := range data {
				part[i] = float64(h.Float32())
			}
		})
	case tensor.Bfloat16:
		inParts(x, buf, f, func(part []float64, data []tensor.BF16) {
			for i, b := range data {
				part[i] = float64(b.Float32())
			}
		})
	default:
		inParts(x.To(tensor.Float64), buf, f, widened[float64])
	}
}

// inParts calls f with the elements of x, converted: from where they lie in memory, if they lie together, else from a
// copy.
func inParts[T tensor.Element](x *tensor.Tensor, buf []float64, f func(part []float64), convert func([]float64, []T)) {
	all := func(data []T) {
		for len(data) > 0 {
			n := min(len(data), len(buf))
			convert(buf[:n], data[:n])
			f(buf[:n])
			data = data[n:]
		}
	}
	if x.IsPlain() && !x.IsPinned() && x.IsContiguous() {
		tensor.WithData(x, all)
		return
	}
	all(tensor.Data[T](x))
}

func widened[T float64 | float32 | uint8 | int8 | int16 | int32 | int64](part []float64, data []T) {
	for i, v := range data {
		part[i] = float64(v)
	}
}
