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

// facts are shape, stride and offset, and what is special about them.
func (l *Lane) facts() string {
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
		line("addr", draw.Dim(color, "addr"), lo, hi, func(k int) string { return fmt.Sprintf("+%d", s.Cells[k]*s.Size) }, -1)
		if s.Values != nil {
			line("value", draw.Dim(color, "value"), lo, hi, func(k int) string { return s.Values[k] }, -1)
		}
		for i := range s.Lanes {
			l := &s.Lanes[i]
			for r, row := range l.Rows {
				if per < len(s.Cells) && (r > 0 || lo > 0) && !slices.ContainsFunc(row[lo:hi], func(t string) bool { return t != "" }) {
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
		fmt.Fprintf(b, "  %s  %s\n", draw.Paint(color, i, draw.PadRight(draw.Clip(l.Name, draw.MaxName), head)), l.facts())
		fmt.Fprintf(b, "  %s  %s\n", strings.Repeat(" ", head), draw.Dim(color, draw.Clip(l.Example, 160)))
	}
}
