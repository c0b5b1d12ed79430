package visualize

import (
	"fmt"
	"strings"
)

// textWidth is how many columns the blocks of a map take.
const textWidth = 100

// Text draws the map with a column for each cell of the storage.
func (m *StrideMap) Text(color bool) string {
	var b strings.Builder
	for i := range m.Storages {
		if i > 0 {
			b.WriteString("\n")
		}
		m.Storages[i].text(&b, color)
	}
	return strings.TrimRight(b.String(), "\n")
}

// String is the text without colour.
func (m *StrideMap) String() string { return m.Text(false) }

func (s *StorageMap) title() string {
	t := fmt.Sprintf("storage #%d  %s[%d]  %s  version %d", s.ID, s.Dtype, s.Count, bytesText(s.Bytes), s.Version)
	if s.Device != "cpu" {
		t += "  " + s.Device
	}
	return t
}

func (l *Lane) facts() string {
	t := fmt.Sprintf("shape %v stride %v offset %d", l.Shape, l.Stride, l.Offset)
	if l.More > 0 {
		t += fmt.Sprintf("  (%d more overlapping)", l.More)
	}
	return t
}

func (s *StorageMap) text(b *strings.Builder, color bool) {
	b.WriteString(bold(color, s.title()) + "\n")
	cell, head := 3, len("value")
	for c, i := range s.Cells {
		cell = max(cell, len(fmt.Sprintf("+%d", i*s.Size)))
		if s.Values != nil {
			cell = max(cell, width(s.Values[c]))
		}
		for _, l := range s.Lanes {
			for _, r := range l.Rows {
				cell = max(cell, width(r[c]))
			}
		}
	}
	for _, l := range s.Lanes {
		head = max(head, width(clip(l.Name, 28)))
	}
	per := max(1, (textWidth-head-4)/(cell+2))
	line := func(name, paintedName string, lo, hi int, at func(c int) string, tint int) {
		b.WriteString("  " + paintedName + strings.Repeat(" ", head-width(name)))
		for c := lo; c < hi; c++ {
			if c > 0 && s.Cells[c] != s.Cells[c-1]+1 {
				b.WriteString("  …")
			}
			b.WriteString("  " + paint(color && tint >= 0, max(tint, 0), padLeft(at(c), cell)))
		}
		b.WriteString("\n")
	}
	for lo := 0; lo < len(s.Cells) || lo == 0; lo += per {
		hi := min(lo+per, len(s.Cells))
		if lo > 0 {
			b.WriteString("\n")
		}
		line("addr", dim(color, "addr"), lo, hi, func(c int) string { return fmt.Sprintf("+%d", s.Cells[c]*s.Size) }, -1)
		if s.Values != nil {
			line("value", dim(color, "value"), lo, hi, func(c int) string { return s.Values[c] }, -1)
		}
		for i := range s.Lanes {
			l := &s.Lanes[i]
			for r, row := range l.Rows {
				name := ""
				if r == 0 {
					name = clip(l.Name, 28)
				}
				line(name, paint(color, i, name), lo, hi, func(c int) string {
					if row[c] == "" {
						return "."
					}
					return row[c]
				}, i)
			}
		}
	}
	if n := s.Count - len(s.Cells); n > 0 {
		fmt.Fprintf(b, "  … %d cells are left out\n", n)
	}
	for i := range s.Lanes {
		l := &s.Lanes[i]
		fmt.Fprintf(b, "  %s  %s\n", paint(color, i, padRight(clip(l.Name, 28), head)), l.facts())
		fmt.Fprintf(b, "  %s  %s\n", strings.Repeat(" ", head), dim(color, l.Example))
	}
}
