package visualize

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/tensor"
)

// StrideMap shows storages cell by cell, and beneath each the views into it, every cell labelled with the index under which the view sees
// it.
type StrideMap struct {
	Storages []StorageMap `json:"storages"`
}

// StorageMap is one storage and the views into it.
type StorageMap struct {
	ID      uint64   `json:"id"`
	Dtype   string   `json:"dtype"`
	Size    int      `json:"size"` // bytes of an element
	Count   int      `json:"count"`
	Bytes   int      `json:"bytes"`
	Device  string   `json:"device"`
	Version uint32   `json:"version"`
	Cells   []int    `json:"cells"` // the elements that are shown, in order
	Values  []string `json:"values"`
	Lanes   []Lane   `json:"lanes"`
}

// Lane is one view.
type Lane struct {
	Name    string `json:"name"`
	Shape   []int  `json:"shape"`
	Stride  []int  `json:"stride"`
	Offset  int    `json:"offset"`
	Numel   int    `json:"numel"`
	Dtype   string `json:"dtype"`
	Scale   int    `json:"scale"` // storage cells for one element of the view, where the view has another dtype
	Rows    []Row  `json:"rows"`  // more than one where windows overlap
	Example string `json:"example"`
	More    int    `json:"more,omitempty"` // rows of an overlap that are left out
}

// Row has the index under which the view sees each of the shown cells, "" where it does not.
type Row []string

// Limits of what is shown.
const (
	maxCells   = 96 // of a storage
	edgeCells  = 40 // at each end of a longer one
	maxRows    = 6  // of one view
	maxIndices = 1 << 16
)

// Strides shows where the elements of tensors lie. Tensors that share a storage are lanes of one map.
func Strides(xs ...*tensor.Tensor) *StrideMap {
	m := new(StrideMap)
	names := namesOf("Strides", xs)
	at := map[*tensor.Storage]int{}
	for i, x := range xs {
		if x == nil {
			tensor.Errorf("strides", "tensor %d is nil", i)
		}
		st := x.Storage()
		k, ok := at[st]
		if !ok {
			k = len(m.Storages)
			at[st] = k
			m.Storages = append(m.Storages, newStorageMap(x))
		}
		s := &m.Storages[k]
		s.Lanes = append(s.Lanes, s.lane(x, names[i]))
	}
	return m
}

func newStorageMap(x *tensor.Tensor) StorageMap {
	st := x.Storage()
	size := x.Dtype().Size()
	s := StorageMap{ID: st.ID(), Dtype: x.Dtype().String(), Size: size, Count: st.Nbytes() / size, Bytes: st.Nbytes(), Device: st.Device().String(), Version: st.Version()}
	for i := range s.Count {
		if s.Count <= maxCells || i < edgeCells || i >= s.Count-edgeCells {
			s.Cells = append(s.Cells, i)
		} else if i == edgeCells { // do not walk what is left out
			for j := s.Count - edgeCells; j < s.Count; j++ {
				s.Cells = append(s.Cells, j)
			}
			break
		}
	}
	if x.Device() != tensor.Meta {
		flat := tensor.FromStorage("strides", st, []int{s.Count}, []int{1}, 0, x.Dtype())
		for _, i := range s.Cells {
			s.Values = append(s.Values, shortValue(flat.At(i)))
		}
	}
	return s
}

// shortValue writes an element in few characters.
func shortValue(v any) string {
	switch v := v.(type) {
	case float64:
		return fmt.Sprintf("%.3g", v)
	case complex128:
		return fmt.Sprintf("%.2g%+.2gi", real(v), imag(v))
	}
	return fmt.Sprint(v)
}

// lane finds which of the shown cells x sees, and under which index.
func (s *StorageMap) lane(x *tensor.Tensor, name string) Lane {
	l := Lane{Name: name, Shape: x.Shape(), Stride: x.Stride(), Offset: x.StorageOffset(), Numel: x.Numel(), Dtype: x.Dtype().String(), Scale: 1}
	l.Example = example(x, name)
	size := x.Dtype().Size()
	col := map[int]int{}
	for c, i := range s.Cells {
		col[i] = c
	}
	add := func(cell int, label string) {
		c, ok := col[cell]
		if !ok {
			return
		}
		for r := range l.Rows {
			if l.Rows[r][c] == "" {
				l.Rows[r][c] = label
				return
			}
		}
		if len(l.Rows) == maxRows {
			l.More++
			return
		}
		row := make(Row, len(s.Cells))
		row[c] = label
		l.Rows = append(l.Rows, row)
	}
	walk(x, s, func(index []int, at int) {
		add(at*size/s.Size, join(index, ","))
	})
	if len(l.Rows) == 0 {
		l.Rows = []Row{make(Row, len(s.Cells))}
	}
	return l
}

// walk calls f with the indices of x whose elements are among the shown cells, at most maxIndices of them.
func walk(x *tensor.Tensor, s *StorageMap, f func(index []int, at int)) {
	shape, stride := x.Shape(), x.Stride()
	if x.Numel() == 0 || len(s.Cells) == 0 {
		return
	}
	index := make([]int, len(shape))
	steps := 0
	var visit func(d, at int)
	visit = func(d, at int) {
		if steps > maxIndices {
			return
		}
		if d == len(shape) {
			steps++
			f(index, at)
			return
		}
		for i := range shape[d] {
			// in a storage that is elided, skip whole runs that cannot reach a shown cell
			lo, hi := at+i*stride[d], at+i*stride[d]
			for k := d + 1; k < len(shape); k++ {
				if r := (shape[k] - 1) * stride[k]; r < 0 {
					lo += r
				} else {
					hi += r
				}
			}
			if s.hides(lo, hi, x.Dtype().Size()) {
				if steps++; steps > maxIndices {
					return
				}
				continue
			}
			index[d] = i
			visit(d+1, at+i*stride[d])
		}
	}
	visit(0, x.StorageOffset())
}

// hides reports whether none of the elements lo to hi, of size bytes, is shown.
func (s *StorageMap) hides(lo, hi, size int) bool {
	if s.Count <= maxCells {
		return false
	}
	return lo*size/s.Size >= edgeCells && hi*size/s.Size < s.Count-edgeCells
}

// example is the address arithmetic of one element: x[2,1] → 0 + 2·4 + 1·1 = 9 → +36 B.
func example(x *tensor.Tensor, name string) string {
	shape, stride := x.Shape(), x.Stride()
	if slices.Contains(shape, 0) {
		return name + " has no elements"
	}
	index := make([]int, len(shape))
	terms := []string{fmt.Sprint(x.StorageOffset())}
	at := x.StorageOffset()
	for d, n := range shape {
		index[d] = n - 1
		if d == len(shape)-1 && n > 2 {
			index[d] = 1
		}
		terms = append(terms, fmt.Sprintf("%d·%d", index[d], stride[d]))
		at += index[d] * stride[d]
	}
	if strings.ContainsAny(name, " +-*/@") {
		name = "(" + name + ")"
	}
	text := fmt.Sprintf("%s[%s] → %s = %d → +%d B", name, join(index, ","), strings.Join(terms, " + "), at, at*x.Dtype().Size())
	if x.Device() != tensor.Meta {
		text += fmt.Sprintf(" → %s", shortValue(x.At(index...)))
	}
	return text
}

func join(xs []int, sep string) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = fmt.Sprint(x)
	}
	if len(parts) == 0 {
		return "·"
	}
	return strings.Join(parts, sep)
}
