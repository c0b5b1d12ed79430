package visualize

import (
	"fmt"
	"strings"
)

// columns are the widths of the columns of a log: version, writer, place, source.
func (l *VersionLog) columns() (ver, who, site, source int) {
	for i := range l.Lines {
		v := &l.Lines[i]
		ver = max(ver, width(v.number()))
		who = max(who, width(v.who()))
		site = max(site, width(v.Site))
		source = max(source, width(v.Source))
	}
	return ver, who, site, source
}

// Text is a line for each version.
func (l *VersionLog) Text(color bool) string {
	ver, who, site, source := l.columns()
	var b strings.Builder
	b.WriteString(bold(color, l.title()))
	for i := range l.Lines {
		v := &l.Lines[i]
		if s := v.skipped(); s != "" {
			b.WriteString("\n  " + dim(color, s))
		}
		line := padRight(v.number(), ver) + "  " + padRight(v.who(), who)
		if site > 0 {
			line += "  " + padRight(v.Site, site)
		}
		if source > 0 {
			line += "  " + padRight(v.Source, source)
		}
		lead := "\n  "
		for k, note := range v.notes() {
			if k > 0 {
				line = strings.Repeat(" ", width(line))
			}
			b.WriteString(lead + line + "  ◂ " + l.tint(color, v, k, note))
		}
		if len(v.notes()) == 0 {
			b.WriteString(lead + strings.TrimRight(line, " "))
		}
	}
	for _, s := range l.Verdict {
		b.WriteString("\n" + bold(color, s))
	}
	return b.String()
}

// tint colours note k of a line.
func (l *VersionLog) tint(color bool, v *VersionLine, k int, note string) string {
	switch {
	case k < len(v.Saved) && v.Saved[k].Stale:
		return paint(color, 5, note)
	case k < len(v.Saved):
		return paint(color, 2, note)
	}
	return bold(color, note)
}

// String is the text without colour.
func (l *VersionLog) String() string { return l.Text(false) }

// picture draws the versions as a line through time, downwards, what was saved at the right.
func (l *VersionLog) picture() *canvas {
	c := new(canvas)
	ver, who, site, source := l.columns()
	c.text(8, 18, "start", l.title(), bar)
	const axis = 18.0
	at := func(cols int) float64 { return 34 + float64(cols)*charWidth }
	xWho := at(ver + 2)
	xSite := at(ver + who + 4)
	xSource := xSite
	if site > 0 {
		xSource = at(ver + who + site + 6)
	}
	xNote := xSource
	if source > 0 {
		xNote += float64(source+2) * charWidth
	}
	y, from := 44.0, 50.0
	for i := range l.Lines {
		v := &l.Lines[i]
		if s := v.skipped(); s != "" {
			c.path(fmt.Sprintf("M%s %sV%s", num(axis), num(from), num(y-12)), "currentColor", thin)
			c.path(fmt.Sprintf("M%s %sV%s", num(axis), num(y-12), num(y+10)), "currentColor", `stroke-dasharray="2 4"`)
			c.text(xWho, y+2, "start", s, faint)
			y += 26
			from = y - 14
		}
		if i > 0 {
			c.path(fmt.Sprintf("M%s %sV%s", num(axis), num(from), num(y-6)), "currentColor", thin)
		}
		from = y + 6
		fill, strength := "none", 0.0
		if v.stale() {
			fill, strength = red, 0.9
		} else if len(v.Saved) > 0 {
			fill, strength = hue(2), 0.9
		} else if v.Now {
			fill, strength = hue(0), 0.9
		}
		c.grow(axis+6, y+6)
		if fill == "none" {
			c.b.WriteString(fmt.Sprintf(`<circle cx="%s" cy="%s" r="4" fill="currentColor"/>`, num(axis), num(y)))
		} else {
			c.b.WriteString(fmt.Sprintf(`<circle cx="%s" cy="%s" r="6" fill="%s" fill-opacity="%s" stroke="currentColor"/>`, num(axis), num(y), fill, num2(strength)))
		}
		c.text(at(0), y+4, "start", v.number(), bar)
		c.text(xWho, y+4, "start", v.who(), "")
		c.text(xSite, y+4, "start", v.Site, faint)
		if v.Source != "" {
			c.text(xSource, y+4, "start", v.Source, "")
		}
		for k, note := range v.notes() {
			if k > 0 {
				y += 24
			}
			tone := hue(0)
			if k < len(v.Saved) {
				if tone = hue(2); v.Saved[k].Stale {
					tone = red
				}
			}
			w := float64(width(note))*charWidth + 12
			c.path(fmt.Sprintf("M%s %sl-7 4l7 4z", num(xNote+7), num(y-4)), "currentColor", `style="fill:currentColor"`)
			c.rect(xNote+12, y-9, w, 19, tone, 0.15, "")
			c.text(xNote+18, y+4, "start", note, "")
		}
		y += 26
	}
	for _, s := range l.Verdict {
		c.text(8, y+6, "start", s, bar)
		y += lineHeight
	}
	return c
}

// SVG draws the log.
func (l *VersionLog) SVG() string { return l.picture().alone("version log") }

// HTML is the picture, with its text beneath.
func (l *VersionLog) HTML() string { return pictured(l.picture(), "version log", l.Text(false)) }

// MIMEBundle is the log in all forms.
func (l *VersionLog) MIMEBundle() map[string]any { return bundle(l) }
