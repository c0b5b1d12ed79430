package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// StrideMap shows storages and the views into them. A storage of up to 64 cells is shown cell by cell, every cell
// labelled with the index under which a view sees it; a view of a longer one as nested blocks, a [Band] for each
// dimension.
type StrideMap struct {
	Storages []StorageMap `json:"storages"`
	More     int          `json:"more,omitempty"` // tensors that are left out
}

// StorageMap is one storage and the views into it.
type StorageMap struct {
	ID      uint64   `json:"id"`
	Dtype   string   `json:"dtype"` // of the cells: the smallest among the views
	Size    int      `json:"size"`  // bytes of a cell
	Count   int      `json:"count"`
	Bytes   int      `json:"bytes"`
	Device  string   `json:"device"`
	Version uint32   `json:"version"`
	Cells   []int    `json:"cells"` // the cells that are shown, in order
	Values  []string `json:"values,omitempty"`
	Lanes   []Lane   `json:"lanes"`
	Nested  bool     `json:"nested,omitempty"` // the views are shown as blocks
}

// Lane is one view.
type Lane struct {
	Name    string `json:"name"`
	Shape   []int  `json:"shape"`
	Stride  []int  `json:"stride"`
	Offset  int    `json:"offset"`
	Numel   int    `json:"numel"`
	Dtype   string `json:"dtype"`
	Scale   int    `json:"scale"` // storage cells for one element of the view
	Rows    []Row  `json:"rows"`  // more than one where windows overlap
	Example string `json:"example"`
	Size    int    `json:"size"`             // bytes of an element
	Index   []int  `json:"index,omitempty"`  // of the element in Example
	Chosen  bool   `json:"chosen,omitempty"` // someone asked for that element

	Bands     []Band `json:"bands,omitempty"`      // its dimensions, the largest stride first
	Unbanded  bool   `json:"unbanded,omitempty"`   // there are too many: Bands is left out
	Parts     string `json:"parts,omitempty"`      // of the storage: █ all of it, ▒ some, · none
	Reach     int    `json:"reach,omitempty"`      // bytes of the storage that it reaches; at least so many
	ReachMost int    `json:"reach_most,omitempty"` // and at most
	More      bool   `json:"more,omitempty"`       // more windows overlap than are shown
}

// Row has the index under which the view sees each of the shown cells, "" where it does not, and ← in the further
// cells of an element that is larger than a cell.
type Row []string

// Limits of what is shown.
const (
	maxLanes    = 16       // of all storages
	maxCells    = maxWhole // of a storage that is shown cell by cell; halved until all rows have at most maxGrid cells
	endCells    = 24       // at each end of one that has more
	maxGrid     = 640
	minCells    = 12
	maxRows     = 6    // of one view
	maxFound    = 64   // indices of one cell
	maxSearches = 4000 // steps in search of the indices of one cell
	sameElement = "←"
)

// Strides shows where the elements of tensors lie. Tensors that share a storage are lanes of one map.
//
//	visualize.Strides(x, x.T(), x.Flatten())
//
// Above 64 cells each view is drawn as nested blocks: a band for each dimension, with its size, its stride and the
// bytes from one block to the next, blocks and gaps in proportion, and single elements at the edges. The address of
// one element is computed in full beneath; [Address] takes an element of the user's choice.
func Strides(xs ...*tensor.Tensor) *StrideMap {
	m := new(StrideMap)
	names := draw.Labels("Strides", draw.LiveNames(), xs)
	var order []*tensor.Storage
	lanes := map[*tensor.Storage][]int{}
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf("strides", "tensor %d is nil", i))
		}
		tensor.RequireStrided("strides", x)
		if i >= maxLanes {
			m.More++
			continue
		}
		st := x.Storage()
		if lanes[st] == nil {
			order = append(order, st)
		}
		lanes[st] = append(lanes[st], i)
	}
	for _, st := range order {
		var views []view
		for _, i := range lanes[st] {
			views = append(views, view{x: xs[i], name: names[i]})
		}
		most := maxCells
		s := mapOf(st, views, most)
		for !s.Nested && s.rows()*len(s.Cells) > max(maxGrid/len(order), 4*minCells) && most > minCells {
			most /= 2
			s = mapOf(st, views, most)
		}
		s.fill(views, st)
		m.Storages = append(m.Storages, s)
	}
	m.bound()
	return m
}

// bound leaves out the bands of views beyond those that a picture has room for.
func (m *StrideMap) bound() {
	bands := 0
	for i := range m.Storages {
		for k := range m.Storages[i].Lanes {
			l := &m.Storages[i].Lanes[k]
			if bands += len(l.Bands); bands > maxBands && bands > len(l.Bands) {
				l.Bands, l.Unbanded = nil, true
			}
		}
	}
}

// view is one tensor to show.
type view struct {
	x     *tensor.Tensor
	name  string
	index []int // of the element of interest; nil for any
}

// mapOf makes the map of a storage with at most most cells, without values.
func mapOf(st *tensor.Storage, views []view, most int) StorageMap {
	small := views[0].x.Dtype()
	for _, v := range views {
		if v.x.Dtype().Size() < small.Size() {
			small = v.x.Dtype()
		}
	}
	s := StorageMap{ID: st.ID(), Dtype: small.String(), Size: small.Size(), Count: st.Nbytes() / small.Size(),
		Bytes:  st.Nbytes(),
		Device: st.Device().String(), Version: st.Version()}
	if s.Nested = s.Count > maxWhole; s.Nested {
		for _, v := range views {
			l := s.laneOf(v)
			l.nested(v.x, s.Bytes)
			s.Lanes = append(s.Lanes, l)
		}
		return s
	}
	if s.Count <= most {
		for i := range s.Count {
			s.Cells = append(s.Cells, i)
		}
	} else {
		ends := min(most/2, endCells)
		for i := range ends {
			s.Cells = append(s.Cells, i)
		}
		for i := s.Count - ends; i < s.Count; i++ {
			s.Cells = append(s.Cells, i)
		}
	}
	for _, v := range views {
		s.Lanes = append(s.Lanes, s.lane(v))
	}
	return s
}

// rows is how many rows of cells the map has, that of the values included.
func (s *StorageMap) rows() int {
	n := 1
	for i := range s.Lanes {
		n += len(s.Lanes[i].Rows)
	}
	return n
}

// fill reads the values of the shown cells.
func (s *StorageMap) fill(views []view, st *tensor.Storage) {
	if st.Device().Virtual() || s.Nested {
		return
	}
	for _, v := range views {
		if v.x.Dtype().Size() != s.Size {
			continue
		}
		flat := tensor.FromStorage("strides", st, []int{s.Count}, []int{1}, 0, v.x.Dtype())
		for _, i := range s.Cells {
			s.Values = append(s.Values, draw.ShortValue(flat.At(i)))
		}
		return
	}
}

// seen is an element of a view: its index, and the shown cell in which it begins.
type seen struct {
	index []int
	cell  int
}

// laneOf describes a view, without cells and bands.
func (s *StorageMap) laneOf(v view) Lane {
	x := v.x
	l := Lane{Name: v.name, Shape: x.Shape(), Stride: x.Stride(), Offset: x.StorageOffset(), Numel: x.Numel(),
		Dtype: x.Dtype().String(),
		Scale: x.Dtype().Size() / s.Size, Size: x.ElementSize(), Index: v.index, Chosen: v.index != nil}
	if l.Index == nil {
		l.Index = exampleIndex(l.Shape)
	}
	l.Example = example(x, v.name, l.Index)
	return l
}

// lane finds which of the shown cells a view sees, and under which indices.
func (s *StorageMap) lane(v view) Lane {
	l := s.laneOf(v)
	var all []seen
	p := newProbe(l.Shape, l.Stride, l.Offset)
	for k, cell := range s.Cells {
		if cell%l.Scale != 0 {
			continue
		}
		found, more := p.at(cell / l.Scale)
		for _, index := range found {
			all = append(all, seen{index, k})
		}
		l.More = l.More || more
	}
	slices.SortFunc(all, func(a, b seen) int { return slices.Compare(a.index, b.index) })
	// Windows that overlap get rows of their own, whole: what belongs together are the elements whose leading indices
	// agree, as many of them as it takes for the rest of the dimensions not to overlap among themselves.
	lead := leadOf(l.Shape, l.Stride)
	for lo := 0; lo < len(all); {
		hi := lo + 1
		for hi < len(all) && slices.Equal(all[lo].index[:lead], all[hi].index[:lead]) {
			hi++
		}
		l.More = !l.put(all[lo:hi], len(s.Cells)) || l.More
		lo = hi
	}
	if len(l.Rows) == 0 {
		l.Rows = []Row{make(Row, len(s.Cells))}
	}
	return l
}

// put writes elements into the first row that has room for all of them; ok is false if there is none and no more may
// be made.
func (l *Lane) put(window []seen, cells int) (ok bool) {
	fits := func(r Row) bool {
		for _, e := range window {
			for k := e.cell; k < min(e.cell+l.Scale, cells); k++ {
				if r[k] != "" {
					return false
				}
			}
		}
		return true
	}
	at := slices.IndexFunc(l.Rows, fits)
	if at < 0 {
		if len(l.Rows) == maxRows {
			return false
		}
		at = len(l.Rows)
		l.Rows = append(l.Rows, make(Row, cells))
	}
	for _, e := range window {
		l.Rows[at][e.cell] = draw.Join(e.index, ",")
		for k := e.cell + 1; k < min(e.cell+l.Scale, cells); k++ {
			l.Rows[at][k] = sameElement
		}
	}
	return true
}

// leadOf is how many leading dimensions must be fixed so that those that follow surely do not overlap.
func leadOf(shape, stride []int) int {
	for lead := range shape {
		order := byStride(shape[lead:], stride[lead:])
		reach, apart := 0, true
		for i := len(order) - 1; i >= 0; i-- { // from the smallest stride up
			d := lead + order[i]
			if shape[d] < 2 {
				continue
			}
			step := draw.Abs(stride[d])
			apart = apart && step > reach
			reach += (shape[d] - 1) * step
		}
		if apart {
			return lead
		}
	}
	return len(shape)
}

// exampleIndex is the element whose address is computed where nobody asks for one.
func exampleIndex(shape []int) []int {
	if slices.Contains(shape, 0) {
		return nil
	}
	index := make([]int, len(shape))
	for d, n := range shape {
		index[d] = n - 1
		if d == len(shape)-1 && n > 2 {
			index[d] = 1
		}
	}
	return index
}

// example is the address arithmetic of one element: x[2,1] → 0 + 2·4 + 1·1 = 9 → +36 B.
func example(x *tensor.Tensor, name string, index []int) string {
	shape, stride := x.Shape(), x.Stride()
	name = draw.Clip(name, draw.MaxName)
	if slices.Contains(shape, 0) {
		return name + " has no elements"
	}
	if len(shape) == 0 {
		at := x.StorageOffset()
		text := fmt.Sprintf("%s has one element → %d → +%d B", name, at, at*x.Dtype().Size())
		if !x.Device().Virtual() {
			text += " → " + draw.ShortValue(x.At())
		}
		return text
	}
	text := address(name, index, stride, x.StorageOffset(), x.Dtype().Size())
	if !x.Device().Virtual() {
		text += " → " + draw.ShortValue(x.At(index...))
	}
	return text
}

// address is the sum that finds an element: x[2,1] → 0 + 2·4 + 1·1 = 9 → +36 B.
func address(name string, index, stride []int, offset, size int) string {
	if strings.ContainsAny(name, " +-*/@") && !draw.Balanced(name) {
		name = "(" + name + ")"
	}
	at := offset
	terms := []string{fmt.Sprint(offset)}
	for d, i := range index {
		step := fmt.Sprint(stride[d])
		if stride[d] < 0 {
			step = "(" + step + ")"
		}
		terms = append(terms, fmt.Sprintf("%d·%s", i, step))
		at += i * stride[d]
	}
	return fmt.Sprintf("%s[%s] → %s = %d → +%d B", name, draw.Join(index, ","), strings.Join(terms, " + "), at, at*size)
}
