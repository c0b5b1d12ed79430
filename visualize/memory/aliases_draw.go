package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// title is the head line of a storage.
func (s *AliasStorage) title() string {
	t := fmt.Sprintf("storage #%d  ", s.ID)
	used := bytesize.Text(s.Used)
	if s.Most > s.Used {
		used = fmt.Sprintf("%s to %s", used, bytesize.Text(s.Most))
	}
	if s.Virtual {
		t += fmt.Sprintf("no memory, %s if it were real", bytesize.Text(s.Bytes))
	} else {
		t += fmt.Sprintf("%s kept, %s used", bytesize.Text(s.Bytes), used)
	}
	t += fmt.Sprintf("  version %d", s.Version)
	if s.Device != "cpu" {
		t += "  " + s.Device
	}
	return t
}

// label is the name, or that there is none.
func (n *AliasName) label() string {
	if n.Unnamed {
		return "(no name)"
	}
	return draw.Clip(n.Name, draw.MaxName)
}

// what is dtype and shape.
func (n *AliasName) what() string { return draw.Clip(fmt.Sprintf("%s%v", n.Dtype, n.Shape), 40) }

// reach is how many bytes it sees.
func (n *AliasName) reach() string {
	if n.Most > n.Bytes {
		return "≥ " + bytesize.Text(n.Bytes)
	}
	return bytesize.Text(n.Bytes)
}

// made is the operator that made it, and where.
func (n *AliasName) made() string {
	t := draw.Clip(n.Made, 48)
	if n.Unnamed {
		return "kept by what looks into it"
	}
	if n.Site != "" {
		t += " @ " + n.Site
	}
	return t
}

// columns are the widths of the columns of the whole map.
func (m *AliasMap) columns() (head, parts, what, reach int) {
	for i := range m.Storages {
		for k := range m.Storages[i].Names {
			n := &m.Storages[i].Names[k]
			head = max(head, draw.Width(n.Tree)+draw.Width(n.label()))
			parts = max(parts, draw.Width(n.Parts))
			what = max(what, draw.Width(n.what()))
			reach = max(reach, draw.Width(n.reach()))
		}
	}
	return head, parts, what, reach
}

// foot are the last lines.
func (m *AliasMap) foot() (lines []string) {
	switch {
	case len(m.Storages) == 0 && m.Alone > 0:
		return []string{fmt.Sprintf("no storage is shared: one name alone looks into each of %d, "+
			"which %%alias -all shows", m.Alone)}
	case len(m.Storages) == 0:
		return []string{"no tensors have a name"}
	}
	if m.More > 0 {
		lines = append(lines, fmt.Sprintf("… %s, %s", draw.Counted(m.More, "more storage"), bytesize.Text(m.MoreKept)))
	}
	if m.Count > 1 {
		lines = append(lines, fmt.Sprintf("%s, %s kept", draw.Counted(m.Count, "storage"), bytesize.Text(m.Kept)))
	}
	if m.Alone > 0 {
		lines = append(lines, draw.Counted(m.Alone, "more storage")+" that one name alone looks into: %alias -all")
	}
	return lines
}

const barLegend = "█ all of this part of the storage  ▒ some of it  · none"

// Text is a tree for each storage.
func (m *AliasMap) Text(color bool) string {
	head, parts, what, reach := m.columns()
	var b strings.Builder
	for i := range m.Storages {
		s := &m.Storages[i]
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(draw.Bold(color, s.title()) + "\n")
		for k := range s.Names {
			n := &s.Names[k]
			name := draw.Paint(color, k, n.label())
			if n.Unnamed {
				name = draw.Dim(color, n.label())
			}
			line := "  " + draw.Dim(color, n.Tree) + name + strings.Repeat(" ", head-draw.Width(n.Tree)-draw.Width(n.label())) +
				"  " +
				draw.Paint(color, k, n.Parts) + strings.Repeat(" ", parts-draw.Width(n.Parts)) + "  "
			if made := n.made(); made != "" {
				line += draw.PadRight(n.what(), what) + "  " + draw.PadLeft(n.reach(), reach) + "  " + draw.Dim(color, made)
			} else {
				line += draw.PadRight(n.what(), what) + "  " + draw.PadLeft(n.reach(), reach)
			}
			b.WriteString(line + "\n")
		}
		if s.More > 0 {
			b.WriteString("  … " + draw.Counted(s.More, "more name") + "\n")
		}
		if s.Hint != "" {
			b.WriteString("  " + draw.Paint(color, 5, "! "+s.Hint) + "\n")
		}
	}
	for i, l := range m.foot() {
		if i == 0 && len(m.Storages) > 0 {
			b.WriteString("\n")
		}
		b.WriteString(l + "\n")
	}
	if len(m.Storages) > 0 {
		b.WriteString(draw.Dim(color, barLegend))
	}
	return strings.TrimRight(b.String(), "\n")
}

// String is the text without colour.
func (m *AliasMap) String() string { return m.Text(false) }

// widestBar is the width of the largest storage in the picture where there is room for it, leastBar that of the
// smallest.
const (
	widestBar = 256.0
	leastBar  = 24.0
)

// wide is how wide a storage is in the picture, to the scale of the largest, whose bar is barWidth wide.
func (s *AliasStorage) wide(largest int, barWidth float64) float64 {
	return max(leastBar, barWidth*float64(s.Bytes)/float64(max(largest, 1)))
}

// picture draws every storage as a box, and beneath it what each name sees of it.
func (m *AliasMap) picture() *draw.Canvas {
	c := new(draw.Canvas)
	head, _, what, reach := m.columns()
	x0, made := 26+float64(head)*draw.CharWidth, 0
	for i := range m.Storages {
		for k := range m.Storages[i].Names {
			made = max(made, draw.Width(m.Storages[i].Names[k].made()))
		}
	}
	beside := x0 + 14 + float64(what+2+reach)*draw.CharWidth + 14 + float64(made)*draw.CharWidth
	barWidth := max(widestBar/2, min(widestBar, draw.NarrowWidth-16-beside))
	xWhat := x0 + barWidth + 14
	xReach := xWhat + float64(what+2+reach)*draw.CharWidth
	y, largest := 20.0, 0
	for i := range m.Storages {
		largest = max(largest, m.Storages[i].Bytes)
	}
	for i := range m.Storages {
		s := &m.Storages[i]
		wide := s.wide(largest, barWidth)
		y = c.Sentence(8, y, s.title(), draw.Strong)
		y += 10
		top := y
		for k := range s.Names {
			n := &s.Names[k]
			y += 4
			c.Text(12, y+13, "start", n.Tree, draw.Faint)
			extra := ""
			if n.Unnamed {
				extra = draw.Faint
			}
			c.Text(12+float64(draw.Width(n.Tree))*draw.CharWidth, y+13, "start", n.label(), extra)
			n.drawPart(c, x0, y, wide, 16, k, s.ID, s.cut(len([]rune(n.Parts))))
			c.Text(xWhat, y+13, "start", n.what(), "")
			c.Text(xReach, y+13, "end", n.reach(), "")
			room := int((draw.NarrowWidth - 16 - xReach - 14) / draw.CharWidth)
			c.Text(xReach+14, y+13, "start", draw.Clip(n.made(), max(room, 16)), draw.Faint)
			y += 18
		}
		c.Path(fmt.Sprintf("M%s %sV%sM%s %sV%s", draw.Num(x0), draw.Num(top), draw.Num(y+4), draw.Num(x0+wide),
			draw.Num(top), draw.Num(y+4)), "currentColor", `stroke-opacity="0.35" stroke-dasharray="2 3"`)
		y += 4
		if s.More > 0 {
			c.Text(12, y+13, "start", "… "+draw.Counted(s.More, "more name"), draw.Faint)
			y += 18
		}
		if s.Hint != "" {
			y = c.Warn(12, y+13, "! "+s.Hint) - 13
			y += 20
		}
		y += 26
	}
	for _, l := range m.foot() {
		c.Text(8, y-8, "start", l, "")
		y += 18
	}
	if len(m.Storages) > 0 {
		x := 8.0
		for _, part := range []struct {
			r    rune
			text string
		}{{partFull, "all of this part of the storage"}, {partSome, "some of it"}, {partNone, "none"}} {
			n := AliasName{Parts: string(part.r)}
			n.drawPart(c, x, y-16, 18, 12, 0, 0, nil)
			c.Text(x+24, y-6, "start", part.text, draw.Faint)
			x += 24 + float64(draw.Width(part.text)+3)*draw.CharWidth
		}
	}
	return c
}

// cut are the bytes between so many parts of the storage's bars, at ends of elements of the smallest dtype.
func (s *AliasStorage) cut(parts int) []int {
	unit := 16
	for i := range s.Names {
		if d, ok := tensor.ParseDtype(s.Names[i].Dtype); ok {
			unit = min(unit, d.Size())
		}
	}
	return cuts(s.Bytes, unit, parts)
}

// drawPart draws the parts of a bar in a box, those alike in one piece: filled, hatched, or empty. cut are the bytes
// of the storage between the parts; the bar of a legend has none.
func (n *AliasName) drawPart(c *draw.Canvas, x, y, w, h float64, tint int, storage uint64,
	cut []int) {
	c.Box(x, y, w, h, `fill="none" stroke="currentColor" stroke-opacity="0.3"`, "")
	parts := []rune(n.Parts)
	each := w / float64(len(parts))
	for lo := 0; lo < len(parts); {
		hi := lo + 1
		for hi < len(parts) && parts[hi] == parts[lo] {
			hi++
		}
		left, wide := x+float64(lo)*each, float64(hi-lo)*each
		mark := ""
		if hi < len(cut) {
			mark = " " + draw.MarkBytes(storage, cut[lo], cut[hi]-cut[lo])
		}
		switch parts[lo] {
		case partFull:
			c.Box(left, y, wide, h, draw.Filled(draw.Hue(tint), 0.55)+mark, "")
		case partSome:
			c.Box(left, y, wide, h, draw.Filled(draw.Hue(tint), 0.12)+mark, "")
			var d strings.Builder
			for at := 0.0; at < wide; at += 6 {
				run := min(h, wide-at)
				fmt.Fprintf(&d, "M%s %sl%s %s", draw.Num(left+at), draw.Num(y+h), draw.Num(run), draw.Num(-run))
			}
			c.Path(d.String(), draw.Hue(tint), "")
		}
		lo = hi
	}
}

// SVG draws the map.
func (m *AliasMap) SVG() string { return m.picture().Alone("alias map") }

// HTML is the picture, with its text beneath.
func (m *AliasMap) HTML() string { return draw.Pictured(m.picture(), "alias map", m.Text(false)) }

// MIMEBundle is the map in all forms.
func (m *AliasMap) MIMEBundle() map[string]any { return draw.Bundle(m) }

// Caption says who shares memory with whom, or what a view keeps alive.
func (m *AliasMap) Caption() string {
	if len(m.Storages) == 0 {
		return ""
	}
	for _, s := range m.Storages {
		at := slices.IndexFunc(s.Names, func(n AliasName) bool { return !n.Unnamed })
		if s.Hint != "" && at >= 0 {
			return fmt.Sprintf("%s reaches %s and keeps all %s of its storage alive.", s.Names[at].Name,
				bytesize.Text(s.Used), bytesize.Text(s.Bytes))
		}
	}
	most := slices.MaxFunc(m.Storages, func(a,
		b AliasStorage) int {
		return len(a.Names) + a.More - len(b.Names) - b.More
	})
	var names []string
	for _, n := range most.Names {
		if !n.Unnamed {
			names = append(names, n.Name)
		}
	}
	if len(names)+most.More > 1 {
		for range most.More {
			names = append(names, "")
		}
		return fmt.Sprintf("%s look into the same %s: what is written through one of the %s shows in the others.",
			draw.And(names, 4), bytesize.Text(most.Bytes), draw.InWords(len(names), "name"))
	}
	if m.Count == 1 && len(names) == 1 {
		return fmt.Sprintf("%s alone looks into these %s: no other name sees what is written to it.", names[0],
			bytesize.Text(most.Bytes))
	}
	return fmt.Sprintf("Each of the %s has one name: nothing is shared among their %s.", draw.InWords(m.Count, "storage"),
		bytesize.Text(m.Kept))
}
