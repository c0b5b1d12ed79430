package memory

import (
	"fmt"
	"strings"
	"weak"

	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/widgets"
)

// Explorer is a storage and one view of it that can be moved: its sizes, strides and offset. In a notebook whose
// front end draws widgets it has a slider for each; elsewhere it is a row of frames, each a view that an operator
// makes.
type Explorer struct {
	Name   string         `json:"name"`
	Note   string         `json:"note,omitempty"` // what of the storage or the view is left out
	Frames []ExploreFrame `json:"frames"`
	Map    *StrideMap     `json:"map"` // a lane for each frame

	box   *widgets.Box // the sliders, once they were shown
	dtype tensor.Dtype
	first int            // the storage's cell that is the first here
	base  *tensor.Tensor // a copy of the cells; nil where all of a large storage is explored
	cells int            // of base, or of the storage
	src   weak.Pointer[tensor.Storage]
}

// ExploreFrame is one way to walk the storage.
type ExploreFrame struct {
	Title  string `json:"title"` // the expression that makes it
	Shape  []int  `json:"shape"`
	Stride []int  `json:"stride"`
	Offset int    `json:"offset"`
}

const (
	maxExplored = 32 // cells of a storage that is copied
	maxStride   = 8  // of the sliders, either way
)

// Explore shows the storage of x and lets one walk it otherwise: with sliders for storage size, offset, sizes and
// strides, from -8 to 8, that never leave the storage, for any number of dimensions. Map, values and address
// arithmetic follow. Of a storage of up to 64 cells a copy of at most 32 around x is explored, cell by cell; of a
// larger one all of it, as the nested blocks of [Strides]. It is read again whenever a slider moves, as long as the
// storage is alive.
//
// Without widgets it shows frames: x as it is, and transposed, backwards, every second element, a column, the
// diagonal, expanded, in windows, flat, each with the expression that makes it.
func Explore(x *tensor.Tensor) *Explorer {
	if x == nil {
		panic(tensor.Errorf("explore", "the tensor is nil"))
	}
	tensor.RequireStrided("explore", x)
	st := x.Storage()
	e := &Explorer{Name: draw.Labels("Explore", draw.LiveNames(), []*tensor.Tensor{x})[0], dtype: x.Dtype(),
		src: weak.Make(st)}
	f := ExploreFrame{e.Name, x.Shape(), x.Stride(), x.StorageOffset()}
	count := st.Nbytes() / e.dtype.Size()
	n := min(count, maxExplored)
	if count > maxWhole {
		n = count
	}
	if lo, hi := f.reach(); hi >= n || lo < 0 {
		e.first = max(0, min(lo, count-n))
	}
	f.Offset -= e.first
	if n < count {
		e.Note = fmt.Sprintf("cells %d to %d of %d", e.first, e.first+n-1, count)
		if e.first > 0 {
			e.Note += fmt.Sprintf(", offsets counted from %d", e.first)
		}
	}
	if cut := f.within(n); cut {
		e.Note += fmt.Sprintf("; shape %v cut to %v", x.Shape(), f.Shape)
	}
	if e.cells = n; n <= maxWhole {
		e.read(st)
	}
	e.Frames = f.tour(n)
	m, storage := new(StrideMap), st
	if e.base != nil {
		storage = e.base.Storage()
	}
	var views []view
	for _, f := range e.Frames {
		views = append(views, view{x: e.view(storage, f), name: f.Title})
	}
	s := mapOf(storage, views, maxCells)
	s.fill(views, storage)
	s.ID, s.Version = st.ID(), st.Version()
	m.Storages = []StorageMap{s}
	e.Map = m
	return e
}

// read copies the cells of a small storage.
func (e *Explorer) read(st *tensor.Storage) {
	e.base = tensor.FromStorage("explore", st, []int{e.cells}, []int{1}, e.first, e.dtype).Clone()
}

// view is a frame as a tensor over st, the copy or the storage itself.
func (e *Explorer) view(st *tensor.Storage, f ExploreFrame) *tensor.Tensor {
	return tensor.FromStorage("explore", st, f.Shape, f.Stride, f.Offset, e.dtype)
}

// reach are the lowest and the highest cell that a frame sees. A dimension of size 0 counts as one of size 1.
func (f ExploreFrame) reach() (lo, hi int) {
	lo, hi = f.Offset, f.Offset
	for d, n := range f.Shape {
		if far := (max(n, 1) - 1) * f.Stride[d]; far < 0 {
			lo += far
		} else {
			hi += far
		}
	}
	return lo, hi
}

// within cuts sizes, the one of the largest stride first, until all lies within n cells.
func (f *ExploreFrame) within(n int) (cut bool) {
	if n == 0 {
		return false
	}
	f.Shape = append([]int(nil), f.Shape...)
	for _, d := range byStride(f.Shape, f.Stride) {
		if lo, hi := f.reach(); lo >= 0 && hi < n {
			break
		}
		was := f.Shape[d]
		f.Shape[d] = min(was, 1)
		lo, hi := f.reach()
		if lo >= 0 && hi < n {
			f.Shape[d] = min(was, f.limitsOf(d, n).size[1])
		}
		cut = cut || f.Shape[d] != was
	}
	if f.Offset < 0 || f.Offset >= n {
		f.Offset = min(max(f.Offset, 0), n-1)
	}
	return cut
}

// limits are how far the sliders of one dimension go, both ends included.
type limits struct{ size, stride [2]int }

// limitsOf returns what sizes and what strides of a dimension keep the frame within n cells while all else stays.
func (f ExploreFrame) limitsOf(d, n int) limits {
	g := f
	g.Shape = append([]int(nil), f.Shape...)
	g.Shape[d] = 1
	lo, hi := g.reach() // of the other dimensions
	up, down := n-1-hi, lo
	most := max(maxStride, f.Shape[d]) // a dimension of stride 0 takes no room
	switch s := f.Stride[d]; {
	case s > 0:
		most = up/s + 1
	case s < 0:
		most = down/-s + 1
	}
	l := limits{size: [2]int{min(1, f.Shape[d]), max(most, f.Shape[d])}}
	wide := max(maxStride, draw.Abs(f.Stride[d]))
	l.stride = [2]int{-wide, wide}
	if steps := f.Shape[d] - 1; steps > 0 {
		l.stride = [2]int{max(-wide, -(down / steps)), min(wide, up/steps)}
	}
	return l
}

// offsets are the offsets that keep the frame within n cells.
func (f ExploreFrame) offsets(n int) [2]int {
	lo, hi := f.reach()
	return [2]int{f.Offset - lo, max(f.Offset-lo, f.Offset+n-1-hi)}
}

// tour are the frames that show what views can do, those of them that the shape allows.
func (f ExploreFrame) tour(n int) []ExploreFrame {
	out := []ExploreFrame{f}
	name, rank := f.Title, len(f.Shape)
	if strings.ContainsAny(name, " +-*/@") && !draw.Balanced(name) {
		name = "(" + name + ")"
	}
	add := func(title string, shape, stride []int, offset int) {
		g := ExploreFrame{title, shape, stride, offset}
		if lo, hi := g.reach(); lo >= 0 && hi < n {
			out = append(out, g)
		}
	}
	last := rank - 1
	change := func(d, size, stride int) (shape, strides []int) {
		shape, strides = append([]int(nil), f.Shape...), append([]int(nil), f.Stride...)
		shape[d], strides[d] = size, stride
		return shape, strides
	}
	if rank >= 2 {
		shape, stride := change(last, f.Shape[last-1], f.Stride[last-1])
		shape[last-1], stride[last-1] = f.Shape[last], f.Stride[last]
		title := name + ".Transpose(-2, -1)"
		if rank == 2 {
			title = name + ".T()"
		}
		add(title, shape, stride, f.Offset)
	}
	if rank >= 1 && f.Shape[last] > 1 {
		size, step := f.Shape[last], f.Stride[last]
		index := func(i string) string { return name + "[" + strings.Repeat(":, ", last) + i + "]" }
		shape, stride := change(last, size, -step)
		add(index("::-1"), shape, stride, f.Offset+(size-1)*step)
		shape, stride = change(last, (size+1)/2, 2*step)
		add(index("::2"), shape, stride, f.Offset)
		add(index("1"), f.Shape[:last], f.Stride[:last], f.Offset+step)
		if size > 3 {
			shape, stride = change(last, size-2, step)
			add(name+".Unfold(-1, 3, 1)", append(shape, 3), append(stride, step), f.Offset)
		}
	}
	if rank == 2 && min(f.Shape[0], f.Shape[1]) > 1 {
		add(name+".Diagonal()", []int{min(f.Shape[0], f.Shape[1])}, []int{f.Stride[0] + f.Stride[1]}, f.Offset)
	}
	if rank >= 1 && f.Shape[0] > 1 {
		shape, stride := change(0, f.Shape[0], 0)
		if rank == 1 {
			shape[0] = min(shape[0], 3)
		}
		add(fmt.Sprintf("%s[:1].Expand(%s)", name, draw.Join(shape, ", ")), shape, stride, f.Offset)
	}
	if n > 0 && !(rank == 1 && f.Shape[0] == n && f.Stride[0] == 1) {
		add("storage", []int{n}, []int{1}, 0)
	}
	return out
}
