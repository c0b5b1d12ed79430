package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// mapWidth is how many columns the blocks of a map take at most.
const mapWidth = 100

// Text draws the map with a column for each cell of the storage.
func (m *StrideMap) Text(color bool) string {
	var b strings.Builder
	for i := range m.Storages {
		if i > 0 {
			b.WriteString("\n")
		}
		m.Storages[i].text(&b, color)
	}
	if m.More > 0 {
		b.WriteString("… " + draw.Counted(m.More, "more tensor") + "\n")
	}
	if b.Len() == 0 {
		return "no tensors"
	}
	return strings.TrimRight(b.String(), "\n")
}

// String is the text without colour.
func (m *StrideMap) String() string { return m.Text(false) }

func (s *StorageMap) title() string {
	t := fmt.Sprintf("storage #%d  %s[%d]  %s  version %d", s.ID, s.Dtype, s.Count, bytesize.Text(s.Bytes), s.Version)
	if s.Device != "cpu" {
		t += "  " + s.Device
	}
	return t
}

// details are shape, stride and offset, and what is special about them.
func (l *Lane) details() string {
	t := draw.Clip(fmt.Sprintf("shape %v stride %v offset %d", l.Shape, l.Stride, l.Offset), 110)
	if l.Scale > 1 {
		t += fmt.Sprintf("  %s: %d cells an element", l.Dtype, l.Scale)
	}
	if l.More {
		t += "  more windows overlap than are shown"
	}
	return t
}

// elided is how many cells are left out in front of the shown cell k.
func (s *StorageMap) elided(k int) int {
	if k == 0 || k >= len(s.Cells) {
		return 0
	}
	return s.Cells[k] - s.Cells[k-1] - 1
}

// evenly is how many of n cells stand in a block if a block has room for most, so that the last is about as long as
// the others.
func evenly(n, most int) int {
	blocks := (n + most - 1) / most
	return max(1, (n+blocks-1)/max(1, blocks))
}

// widths are the columns that a cell and the heads of the rows take.
func (s *StorageMap) widths(name int) (cell, head int) {
	cell, head = 2, len("value")
	for k, i := range s.Cells {
		cell = max(cell, len(fmt.Sprintf("+%d", i*s.Size)))
		if s.Values != nil {
			cell = max(cell, draw.Width(s.Values[k]))
		}
		for _, l := range s.Lanes {
			for _, r := range l.Rows {
				cell = max(cell, draw.Width(r[k]))
			}
		}
	}
	for _, l := range s.Lanes {
		head = max(head, draw.Width(draw.Clip(l.Name, name)))
	}
	return cell, head
}

func (s *StorageMap) text(b *strings.Builder, color bool) {
	b.WriteString(draw.Bold(color, s.title()) + "\n")
	if s.Nested {
		s.nestedText(b, color)
		return
	}
	cell, head := s.widths(draw.MaxName)
	per := evenly(len(s.Cells), max(1, (draw.TextWidth(mapWidth)-head-4)/(cell+2)))
	line := func(name, painted string, lo, hi int, at func(k int) string, tint int) {
		b.WriteString("  " + painted + strings.Repeat(" ", head-draw.Width(name)))
		for k := lo; k < hi; k++ {
			if s.elided(k) > 0 {
				b.WriteString("  ⋯")
			}
			b.WriteString("  " + draw.Paint(color && tint >= 0, max(tint, 0), draw.PadLeft(at(k), cell)))
		}
		b.WriteString("\n")
	}
	for lo := 0; lo < len(s.Cells); lo += per {
		hi := min(lo+per, len(s.Cells))
		if lo > 0 {
			b.WriteString("\n")
		}
		line("addr", draw.Dim(color, "addr"), lo, hi, func(k int) string {
			return fmt.Sprintf("+%d", s.Cells[k]*s.Size)
		}, -1)
		if s.Values != nil {
			line("value", draw.Dim(color, "value"), lo, hi, func(k int) string { return s.Values[k] }, -1)
		}
		for i := range s.Lanes {
			l := &s.Lanes[i]
			for r, row := range l.Rows {
				if per < len(s.Cells) && (r > 0 || lo > 0) &&
					!slices.ContainsFunc(row[lo:hi], func(t string) bool { return t != "" }) {
					continue // of several blocks: nothing is seen of this one
				}
				name := ""
				if r == 0 {
					name = draw.Clip(l.Name, draw.MaxName)
				}
				line(name, draw.Paint(color, i, name), lo, hi, func(k int) string {
					if row[k] == "" {
						return "."
					}
					return row[k]
				}, i)
			}
		}
	}
	if n := s.Count - len(s.Cells); n > 0 {
		fmt.Fprintf(b, "  ⋯ %s of the middle left out\n", draw.Counted(n, "cell"))
	}
	for i := range s.Lanes {
		l := &s.Lanes[i]
		fmt.Fprintf(b, "  %s  %s\n", draw.Paint(color, i, draw.PadRight(draw.Clip(l.Name, draw.MaxName), head)), l.details())
		fmt.Fprintf(b, "  %s  %s\n", strings.Repeat(" ", head), draw.Dim(color, draw.Clip(l.Example, 160)))
	}
}

// maxVisited is how many elements are walked to say which places of a storage a view visits, and in which order.
const maxVisited = 1 << 14

// visit is the places of a storage that a view visits, in the order of its elements.
type visit struct {
	places   []int // nil where there are too many
	distinct int   // -1 where it is not known
}

// visitOf walks the elements of a lane, in cells of the storage.
func visitOf(l *Lane) (v visit) {
	if l.Numel > maxVisited {
		v.distinct = -1
		if leadOf(l.Shape, l.Stride) == 0 && !slices.Contains(l.Stride, 0) {
			v.distinct = l.Numel
		}
		return v
	}
	index := make([]int, len(l.Shape))
	seen := map[int]bool{}
	for range l.Numel {
		at := l.Offset
		for d, i := range index {
			at += i * l.Stride[d]
		}
		v.places = append(v.places, at*l.Scale)
		seen[at] = true
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < l.Shape[d] {
				break
			}
			index[d] = 0
		}
	}
	v.distinct = len(seen)
	return v
}

// Caption compares the last view with the first one of its storage, and says how it steps.
func (m *StrideMap) Caption() string {
	if len(m.Storages) == 0 {
		return ""
	}
	if len(m.Storages) > 1 {
		var names []string
		for _, s := range m.Storages {
			names = append(names, s.Lanes[0].Name)
		}
		return draw.And(names, 4) + " lie in different storages: what is written to one does not show in the other."
	}
	s := &m.Storages[0]
	return s.Lanes[len(s.Lanes)-1].sentence(s)
}

// sentence is about the view l, which comes last of those into s.
func (l *Lane) sentence(s *StorageMap) string {
	mine := visitOf(l)
	of := "its storage"
	if first := &s.Lanes[0]; first != l {
		of = first.Name
		if theirs := visitOf(first); first.Scale == l.Scale && mine.places != nil && theirs.places != nil {
			switch {
			case slices.Equal(mine.places, theirs.places):
				return fmt.Sprintf("%s visits the same %s in the same order: %s.", l.Name, draw.InWords(mine.distinct, "number"),
					l.steps())
			case mine.distinct == l.Numel && slices.Equal(sorted(mine.places), sorted(theirs.places)):
				return fmt.Sprintf("%s visits the same %s in a different order: %s.", l.Name,
					draw.InWords(mine.distinct, "number"), l.steps())
			}
		}
	}
	switch {
	case l.Numel == 0:
		return fmt.Sprintf("%s has no elements, so it visits none of the %s of its storage.", l.Name,
			draw.InWords(s.Count/l.Scale, "number"))
	case len(l.Shape) == 0:
		return fmt.Sprintf("%s is a single number, the one at place %d of its storage.", l.Name, l.Offset)
	case mine.distinct < 0:
		return fmt.Sprintf("%s has %s: %s.", l.Name, draw.InWords(l.Numel, "element"), l.steps())
	case mine.distinct < l.Numel:
		return fmt.Sprintf("%s has %s, but they lie in only %s of %s: %s.", l.Name, draw.InWords(l.Numel, "element"),
			draw.InWords(mine.distinct, "place"), of, l.steps())
	}
	all := s.Count / l.Scale
	if of != "its storage" && s.Lanes[0].Scale == l.Scale {
		if theirs := visitOf(&s.Lanes[0]); subset(mine.places, theirs.places) {
			return fmt.Sprintf("%s visits %s of the %s of %s: %s.", l.Name, draw.InWords(mine.distinct, ""),
				draw.InWords(theirs.distinct, "number"), of, l.steps())
		}
	}
	if mine.distinct == all {
		return fmt.Sprintf("%s visits all %s of its storage: %s.", l.Name, draw.InWords(all, "number"), l.steps())
	}
	return fmt.Sprintf("%s visits %s of the %s of its storage: %s.", l.Name, draw.InWords(mine.distinct, ""),
		draw.InWords(all, "number"), l.steps())
}

func sorted(xs []int) []int { return slices.Sorted(slices.Values(xs)) }

// subset reports whether all of the places a are among b; false where the places are not known.
func subset(a, b []int) bool {
	if a == nil || b == nil {
		return false
	}
	among := map[int]bool{}
	for _, at := range b {
		among[at] = true
	}
	return !slices.ContainsFunc(a, func(at int) bool { return !among[at] })
}

// steps says how a view steps: its rows by 4, its columns by 1.
func (l *Lane) steps() string {
	start := ""
	if l.Offset != 0 {
		start = fmt.Sprintf("it begins at place %d and ", l.Offset)
	}
	its := func(what string) string {
		if start != "" {
			return what
		}
		return "its " + what
	}
	switch len(l.Stride) {
	case 0:
		return "it is the number at place " + fmt.Sprint(l.Offset)
	case 1:
		if start != "" {
			return fmt.Sprintf("%ssteps by %d", start, l.Stride[0])
		}
		return fmt.Sprintf("its elements step by %d", l.Stride[0])
	case 2:
		if start != "" {
			start += "has "
			return fmt.Sprintf("%srows that step by %d and columns by %d", start, l.Stride[0], l.Stride[1])
		}
		return fmt.Sprintf("%s step by %d, its columns by %d", its("rows"), l.Stride[0], l.Stride[1])
	}
	var all []string
	for d, s := range l.Stride {
		all = append(all, fmt.Sprintf("dimension %d by %d", d, s))
	}
	if start == "" {
		start = "it "
	}
	return start + "steps along " + draw.And(all, 6)
}
