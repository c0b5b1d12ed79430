package runs

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

const (
	maxMemoryRows     = 36 // marks in the text
	maxMemoryStorages = 30 // storages in the text and in the picture
	memoryBar         = 28 // columns
)

// Text draws a bar for each mark, what is held for backward hatched, and a line for each of the largest storages.
func (t *MemoryTimeline) Text(color bool) string {
	var b strings.Builder
	b.WriteString(draw.Bold(color, "memory") + "   " + t.head() + "\n")
	if len(t.Storages) == 0 {
		b.WriteString("no storage was made")
	} else {
		b.WriteString("\n")
		t.marksText(&b, color)
		b.WriteString(draw.Dim(color, "▓ held for backward   █ other   ◂ peak") + "\n\n")
		t.storagesText(&b, color)
		b.WriteString(draw.Dim(color, t.how()))
	}
	if t.Error != "" {
		b.WriteString("\n" + draw.Paint(color, 5, "✗ "+t.Error))
	}
	return strings.TrimRight(b.String(), "\n")
}

// String is the text without colour.
func (t *MemoryTimeline) String() string { return t.Text(false) }

// head sums up.
func (t *MemoryTimeline) head() string {
	if len(t.Storages) == 0 {
		return nanosText(t.Nanos)
	}
	s := fmt.Sprintf("peak %s at %s", bytesize.Text(t.Peak), t.PeakOp)
	s += fmt.Sprintf("   made %s in %s", bytesize.Text(t.Made), draw.Counted(len(t.Storages)+t.More, "storage"))
	if n := len(t.Marks); n > 0 {
		s += "   there at the end " + bytesize.Text(t.Marks[n-1].Live)
	}
	if t.Before > 0 {
		s += fmt.Sprintf("   (and %s in %s from before)", bytesize.Text(t.BeforeBytes), draw.Counted(t.Before, "storage"))
	}
	if t.More > 0 {
		s += fmt.Sprintf("   %s of %d storages are not followed", bytesize.Text(t.MoreBytes), t.More)
	}
	return s
}

// how tells what the marks mean.
func (t *MemoryTimeline) how() string {
	return fmt.Sprintf("The garbage collector ran %s for this (%s, not counted). A storage ends where it was first "+
		"found gone: it was free some time before that.",
		draw.Counted(len(t.Marks), "time"), nanosText(t.Collecting))
}

// chosen are the marks that the text has room for: the first, the last, the peak and those between.
func (t *MemoryTimeline) chosen() []int {
	var out []int
	n := len(t.Marks)
	if n <= maxMemoryRows {
		for i := range n {
			out = append(out, i)
		}
		return out
	}
	for i := range maxMemoryRows / 2 {
		out = append(out, i, n-1-i)
	}
	if t.PeakMark < n {
		out = append(out, t.PeakMark)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (t *MemoryTimeline) marksText(b *strings.Builder, color bool) {
	labels, labelWidth, sizeWidth := map[int]string{}, 0, 0
	rows := t.chosen()
	for _, i := range rows {
		m := t.Marks[i]
		l := m.After
		if m.Calls > 1 {
			l += fmt.Sprintf(" and %d before", m.Calls-1)
		}
		l = draw.PadRight(m.Site, 9) + " " + l
		labels[i] = draw.Clip(l, 44)
		labelWidth, sizeWidth = max(labelWidth, draw.Width(labels[i])), max(sizeWidth, draw.Width(bytesize.Text(m.Live)))
	}
	last := -1
	for _, i := range rows {
		if i > last+1 {
			b.WriteString("… " + draw.Counted(i-last-1, "more mark") + "\n")
		}
		last = i
		m := t.Marks[i]
		saved := cells8(m.Saved, t.Peak)
		all := max(saved, cells8(m.Live, t.Peak))
		line := draw.PadRight(labels[i], labelWidth) + "  " + draw.PadLeft(bytesize.Text(m.Live), sizeWidth) + "  " +
			draw.Paint(color, 5, strings.Repeat("▓", saved)) + draw.Paint(color, 0, strings.Repeat("█", all-saved))
		if m.Saved > 0 {
			line += strings.Repeat(" ", memoryBar-all) + "  " + bytesize.Text(m.Saved) + " held for backward"
		}
		if i == t.PeakMark {
			if m.Saved == 0 {
				line += strings.Repeat(" ", memoryBar-all)
			}
			line += "  ◂ before this mark the peak, " + bytesize.Text(t.Peak)
		}
		b.WriteString(line + "\n")
	}
}

// cells8 is how many columns a part of the peak takes.
func cells8(n, peak int) int {
	if n <= 0 || peak <= 0 {
		return 0
	}
	return min(memoryBar, max(1, (n*memoryBar+peak/2)/peak))
}

// largest are the storages that the views have room for, in the order in which they were made.
func (t *MemoryTimeline) largest() (list []int, left int) {
	for i := range t.Storages {
		list = append(list, i)
	}
	if len(list) > maxMemoryStorages {
		slices.SortStableFunc(list, func(a, b int) int { return t.Storages[b].Bytes - t.Storages[a].Bytes })
		left = len(list) - maxMemoryStorages
		list = list[:maxMemoryStorages]
		slices.Sort(list)
	}
	return list, left
}

func (t *MemoryTimeline) storagesText(b *strings.Builder, color bool) {
	list, left := t.largest()
	rows := [][]string{{"storage", "bytes", "made", "last used", "", ""}}
	for _, i := range list {
		s := &t.Storages[i]
		rows = append(rows, []string{draw.Clip(s.label(), 50), bytesize.Text(s.Bytes), nanosText(s.Made), nanosText(s.Used),
			s.end(t), s.held()})
	}
	widths := make([]int, len(rows[0]))
	for _, r := range rows {
		for i, c := range r {
			widths[i] = max(widths[i], draw.Width(c))
		}
	}
	for k, r := range rows {
		line := strings.TrimRight(draw.PadRight(r[0], widths[0])+"   "+draw.PadLeft(r[1], widths[1])+"   "+
			draw.PadLeft(r[2], widths[2])+"   "+draw.PadLeft(r[3], widths[3])+"   "+draw.PadRight(r[4], widths[4])+
			"   "+r[5], " ")
		if k == 0 {
			line = draw.Dim(color, line)
		}
		b.WriteString(line + "\n")
	}
	if left > 0 {
		b.WriteString("… " + draw.Counted(left, "more storage") + ", none larger" + "\n")
	}
	b.WriteString("\n")
}
