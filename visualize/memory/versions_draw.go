package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/visualize/draw"
)

// columns are the widths of the columns of a log: version, writer, place, source.
func (l *VersionLog) columns() (ver, who, site, source int) {
	for i := range l.Lines {
		v := &l.Lines[i]
		ver = max(ver, draw.Width(v.number()))
		who = max(who, draw.Width(v.who()))
		site = max(site, draw.Width(v.Site))
		source = max(source, draw.Width(v.Source))
	}
	return ver, who, site, source
}

// Text is a line for each version.
func (l *VersionLog) Text(color bool) string {
	ver, who, site, source := l.columns()
	var b strings.Builder
	b.WriteString(draw.Bold(color, l.title()))
	for i := range l.Lines {
		v := &l.Lines[i]
		if s := v.skipped(); s != "" {
			b.WriteString("\n  " + draw.Dim(color, s))
		}
		line := draw.PadRight(v.number(), ver) + "  " + draw.PadRight(v.who(), who)
		if site > 0 {
			line += "  " + draw.PadRight(v.Site, site)
		}
		if source > 0 {
			line += "  " + draw.PadRight(v.Source, source)
		}
		lead := "\n  "
		for k, note := range v.notes() {
			if k > 0 {
				line = strings.Repeat(" ", draw.Width(line))
			}
			used := 2 + draw.Width(line) + 4
			before := lead + line + "  ◂ "
			for _, part := range draw.Wrap(note, max(draw.TextWidth(200)-used, 24)) {
				b.WriteString(before + l.tint(color, v, k, part))
				before = "\n" + strings.Repeat(" ", used)
			}
		}
		if len(v.notes()) == 0 {
			b.WriteString(lead + strings.TrimRight(line, " "))
		}
	}
	for _, s := range l.Verdict {
		b.WriteString("\n" + draw.Bold(color, s))
	}
	return b.String()
}

// tint colours note k of a line.
func (l *VersionLog) tint(color bool, v *VersionLine, k int, note string) string {
	switch {
	case k < len(v.Saved) && v.Saved[k].Stale:
		return draw.Paint(color, 5, note)
	case k < len(v.Saved):
		return draw.Paint(color, 2, note)
	}
	return draw.Bold(color, note)
}

// String is the text without colour.
func (l *VersionLog) String() string { return l.Text(false) }

// picture draws the versions as a line through time, downwards, what was saved at the right.
func (l *VersionLog) picture() *draw.Canvas {
	c := new(draw.Canvas)
	ver, who, site, source := l.columns()
	const axis = 18.0
	at := func(cols int) float64 { return 34 + float64(cols)*draw.CharWidth }
	xWho := at(ver + 2)
	xSite := at(ver + who + 4)
	xSource := xSite
	if site > 0 {
		xSource = at(ver + who + site + 6)
	}
	xNote := xSource
	if source > 0 {
		xNote += float64(source+2) * draw.CharWidth
	}
	beneath := false // where notes have no room beside their lines
	for i := range l.Lines {
		for _, note := range l.Lines[i].notes() {
			beneath = beneath || xNote+18+float64(draw.Width(note)+1)*draw.CharWidth > draw.NarrowWidth-16
		}
	}
	if beneath {
		xNote = xWho - 12
	}
	y := c.Sentence(8, 18, l.title(), draw.Strong) + 26
	from := y + 6
	for i := range l.Lines {
		v := &l.Lines[i]
		if s := v.skipped(); s != "" {
			c.Path(fmt.Sprintf("M%s %sV%s", draw.Num(axis), draw.Num(from), draw.Num(y-12)), "currentColor", draw.Thin)
			c.Path(fmt.Sprintf("M%s %sV%s", draw.Num(axis), draw.Num(y-12), draw.Num(y+10)), "currentColor",
				`stroke-dasharray="2 4"`)
			c.Text(xWho, y+2, "start", s, draw.Faint)
			y += 26
			from = y - 14
		}
		if i > 0 {
			c.Path(fmt.Sprintf("M%s %sV%s", draw.Num(axis), draw.Num(from), draw.Num(y-6)), "currentColor", draw.Thin)
		}
		from = y + 6
		end := c.Marked(v.Site)
		fill, strength := "none", 0.0
		if v.stale() {
			fill, strength = draw.Red, 0.9
		} else if len(v.Saved) > 0 {
			fill, strength = draw.Hue(2), 0.9
		} else if v.Now {
			fill, strength = draw.Hue(0), 0.9
		}
		c.Grow(axis+6, y+6)
		if fill == "none" {
			c.Elements.WriteString(fmt.Sprintf(`<circle cx="%s" cy="%s" r="4" fill="currentColor"/>`,
				draw.Num(axis), draw.Num(y)))
		} else {
			c.Elements.WriteString(fmt.Sprintf(
				`<circle cx="%s" cy="%s" r="6" fill="%s" fill-opacity="%s" stroke="currentColor"/>`, draw.Num(axis), draw.Num(y),
				fill, draw.Num2(strength)))
		}
		c.Text(at(0), y+4, "start", v.number(), draw.Strong)
		c.Text(xWho, y+4, "start", v.who(), "")
		c.Text(xSite, y+4, "start", v.Site, draw.Faint)
		if v.Source != "" {
			c.Text(xSource, y+4, "start", v.Source, "")
		}
		for k, note := range v.notes() {
			if k > 0 || beneath {
				y += 24
			}
			tone := draw.Hue(0)
			if k < len(v.Saved) {
				if tone = draw.Hue(2); v.Saved[k].Stale {
					tone = draw.Red
				}
			}
			w := float64(draw.Width(note))*draw.CharWidth + 12
			c.Path(fmt.Sprintf("M%s %sl-7 4l7 4z", draw.Num(xNote+7), draw.Num(y-4)), "currentColor",
				`style="fill:currentColor"`)
			c.Rect(xNote+12, y-9, w, 19, tone, 0.15, "")
			c.Text(xNote+18, y+4, "start", note, "")
		}
		end()
		y += 26
	}
	for _, s := range l.Verdict {
		y = c.Sentence(8, y+6, s, draw.Strong) - 6 + draw.LineHeight
	}
	return c
}

// SVG draws the log.
func (l *VersionLog) SVG() string { return l.picture().Alone("version log") }

// HTML is the picture, with its text beneath.
func (l *VersionLog) HTML() string { return draw.Pictured(l.picture(), "version log", l.Text(false)) }

// MIMEBundle is the log in all forms.
func (l *VersionLog) MIMEBundle() map[string]any { return draw.Bundle(l) }

// Caption counts the writes, and what was saved before them.
func (v *VersionLog) Caption() string {
	stale, saved := 0, 0
	var ops []string
	for _, l := range v.Lines {
		if l.Op != "" && !slices.Contains(ops, l.Op) {
			ops = append(ops, l.Op)
		}
		for _, s := range l.Saved {
			saved++
			if s.Stale {
				stale++
			}
		}
	}
	name := v.Name
	if name == "" {
		name = "the tensor"
	}
	text := "Nothing has been written to the storage of " + name + " since it was made"
	if v.Current > 0 {
		text = fmt.Sprintf("The storage of %s has been written to %s since it was made", name,
			draw.Counted(int(v.Current), "time"))
		if len(ops) > 0 {
			text += ", by " + draw.And(ops, 4)
		}
	}
	switch {
	case stale > 0:
		return fmt.Sprintf("%s; %s for the backward pass before that, which now refuses to run with it.", text,
			was(stale, "value", "saved"))
	case saved > 0:
		return fmt.Sprintf("%s, and the %s for the backward pass can still be used.", text,
			draw.InWords(saved, "value")+" that "+map[bool]string{true: "was", false: "were"}[saved == 1]+" saved")
	}
	return text + "."
}

// was is one value was saved, two values were saved.
func was(n int, what, done string) string {
	verb := " were "
	if n == 1 {
		verb = " was "
	}
	return draw.InWords(n, what) + verb + done
}
