package visualize

import (
	"fmt"
	"strings"
)

// title is the head line of a storage.
func (s *AliasStorage) title() string {
	t := fmt.Sprintf("storage #%d  ", s.ID)
	used := bytesText(s.Used)
	if s.Most > s.Used {
		used = fmt.Sprintf("%s to %s", used, bytesText(s.Most))
	}
	if s.Virtual {
		t += fmt.Sprintf("no memory, %s if it were real", bytesText(s.Bytes))
	} else {
		t += fmt.Sprintf("%s kept, %s used", bytesText(s.Bytes), used)
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
	return clip(n.Name, maxName)
}

// what is dtype and shape.
func (n *AliasName) what() string { return clip(fmt.Sprintf("%s%v", n.Dtype, n.Shape), 40) }

// reach is how many bytes it sees.
func (n *AliasName) reach() string {
	if n.Most > n.Bytes {
		return "≥ " + bytesText(n.Bytes)
	}
	return bytesText(n.Bytes)
}

// made is the operator that made it, and where.
func (n *AliasName) made() string {
	t := clip(n.Made, 48)
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
			head = max(head, width(n.Tree)+width(n.label()))
			parts = max(parts, width(n.Parts))
			what = max(what, width(n.what()))
			reach = max(reach, width(n.reach()))
		}
	}
	return head, parts, what, reach
}

// foot are the last lines.
func (m *AliasMap) foot() (lines []string) {
	if len(m.Storages) == 0 {
		return []string{"no tensors have a name"}
	}
	if m.More > 0 {
		lines = append(lines, fmt.Sprintf("… %s, %s", counted(m.More, "more storage"), bytesText(m.MoreKept)))
	}
	if m.Count > 1 {
		lines = append(lines, fmt.Sprintf("%s, %s kept", counted(m.Count, "storage"), bytesText(m.Kept)))
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
		b.WriteString(bold(color, s.title()) + "\n")
		for k := range s.Names {
			n := &s.Names[k]
			name := paint(color, k, n.label())
			if n.Unnamed {
				name = dim(color, n.label())
			}
			line := "  " + dim(color, n.Tree) + name + strings.Repeat(" ", head-width(n.Tree)-width(n.label())) + "  " +
				paint(color, k, n.Parts) + strings.Repeat(" ", parts-width(n.Parts)) + "  "
			if made := n.made(); made != "" {
				line += padRight(n.what(), what) + "  " + padLeft(n.reach(), reach) + "  " + dim(color, made)
			} else {
				line += padRight(n.what(), what) + "  " + padLeft(n.reach(), reach)
			}
			b.WriteString(line + "\n")
		}
		if s.More > 0 {
			b.WriteString("  … " + counted(s.More, "more name") + "\n")
		}
		if s.Hint != "" {
			b.WriteString("  " + paint(color, 5, "! "+s.Hint) + "\n")
		}
	}
	for i, l := range m.foot() {
		if i == 0 && len(m.Storages) > 0 {
			b.WriteString("\n")
		}
		b.WriteString(l + "\n")
	}
	if len(m.Storages) > 0 {
		b.WriteString(dim(color, barLegend))
	}
	return strings.TrimRight(b.String(), "\n")
}

// String is the text without colour.
func (m *AliasMap) String() string { return m.Text(false) }

// barWidth is the width of a storage in the picture.
const barWidth = 256.0

// picture draws every storage as a box, and beneath it what each name sees of it.
func (m *AliasMap) picture() *canvas {
	c := new(canvas)
	head, _, what, reach := m.columns()
	x0 := 26 + float64(head)*charWidth
	xWhat := x0 + barWidth + 14
	xReach := xWhat + float64(what+2+reach)*charWidth
	y := 20.0
	for i := range m.Storages {
		s := &m.Storages[i]
		c.text(8, y, "start", s.title(), bar)
		y += 10
		top := y
		for k := range s.Names {
			n := &s.Names[k]
			y += 4
			c.text(12, y+13, "start", n.Tree, faint)
			extra := ""
			if n.Unnamed {
				extra = faint
			}
			c.text(12+float64(width(n.Tree))*charWidth, y+13, "start", n.label(), extra)
			n.drawBar(c, x0, y, k)
			c.text(xWhat, y+13, "start", n.what(), "")
			c.text(xReach, y+13, "end", n.reach(), "")
			c.text(xReach+14, y+13, "start", n.made(), faint)
			y += 18
		}
		c.path(fmt.Sprintf("M%s %sV%sM%s %sV%s", num(x0), num(top), num(y+4), num(x0+barWidth), num(top), num(y+4)), "currentColor", `stroke-opacity="0.35" stroke-dasharray="2 3"`)
		y += 4
		if s.More > 0 {
			c.text(12, y+13, "start", "… "+counted(s.More, "more name"), faint)
			y += 18
		}
		if s.Hint != "" {
			c.warn(12, y+13, "! "+s.Hint)
			y += 20
		}
		y += 26
	}
	for _, l := range m.foot() {
		c.text(8, y-8, "start", l, "")
		y += 18
	}
	if len(m.Storages) > 0 {
		x := 8.0
		for _, part := range []struct {
			r    rune
			text string
		}{{partFull, "all of this part of the storage"}, {partSome, "some of it"}, {partNone, "none"}} {
			n := AliasName{Parts: string(part.r)}
			n.drawPart(c, x, y-16, 18, 12, 0)
			c.text(x+24, y-6, "start", part.text, faint)
			x += 24 + float64(width(part.text)+3)*charWidth
		}
	}
	return c
}

// drawBar draws what a name sees of its storage.
func (n *AliasName) drawBar(c *canvas, x, y float64, tint int) {
	n.drawPart(c, x, y, barWidth, 16, tint)
}

// drawPart draws the parts of a bar in a box, those alike in one piece: filled, hatched, or empty.
func (n *AliasName) drawPart(c *canvas, x, y, w, h float64, tint int) {
	c.box(x, y, w, h, `fill="none" stroke="currentColor" stroke-opacity="0.3"`, "")
	parts := []rune(n.Parts)
	each := w / float64(len(parts))
	for lo := 0; lo < len(parts); {
		hi := lo + 1
		for hi < len(parts) && parts[hi] == parts[lo] {
			hi++
		}
		left, wide := x+float64(lo)*each, float64(hi-lo)*each
		switch parts[lo] {
		case partFull:
			c.rect(left, y, wide, h, hue(tint), 0.55, "")
		case partSome:
			c.rect(left, y, wide, h, hue(tint), 0.12, "")
			var d strings.Builder
			for at := 0.0; at < wide; at += 6 {
				run := min(h, wide-at)
				fmt.Fprintf(&d, "M%s %sl%s %s", num(left+at), num(y+h), num(run), num(-run))
			}
			c.path(d.String(), hue(tint), `stroke-opacity="0.8"`)
		}
		lo = hi
	}
}

// SVG draws the map.
func (m *AliasMap) SVG() string { return m.picture().alone("alias map") }

// HTML is the picture, with its text beneath.
func (m *AliasMap) HTML() string { return pictured(m.picture(), "alias map", m.Text(false)) }

// MIMEBundle is the map in all forms.
func (m *AliasMap) MIMEBundle() map[string]any { return bundle(m) }
