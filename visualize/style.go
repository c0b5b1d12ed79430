package visualize

import (
	"fmt"
	"html"
	"strings"

	"github.com/rivo/uniseg"
)

// Note: one visual language. Seven hues that people with any colour vision tell apart (Okabe and Ito), each doubled by a label; text and lines
// in currentColor, so that light and dark pages both work; 12 px monospaced text; fills at a quarter of their strength.

// hues are the colours of lanes and kinds, in order.
var hues = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#999933"}

// ansi are the same in a terminal's 256 colours.
var ansi = []int{32, 214, 36, 175, 74, 166, 143}

const (
	fontSize   = 12
	charWidth  = 7.3 // of the monospaced font at that size
	lineHeight = 20
	font       = `font-family="ui-monospace,Menlo,Consolas,monospace" font-size="12"`
	red        = "#d55e00"
)

func hue(i int) string { return hues[i%len(hues)] }

// paint colours text in a terminal.
func paint(color bool, i int, s string) string {
	if !color || s == "" {
		return s
	}
	return fmt.Sprintf("\x1b[38;5;%dm%s\x1b[0m", ansi[i%len(ansi)], s)
}

func dim(color bool, s string) string {
	if !color || s == "" {
		return s
	}
	return "\x1b[2m" + s + "\x1b[0m"
}

func bold(color bool, s string) string {
	if !color || s == "" {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

func esc(s string) string { return html.EscapeString(s) }

// width is the number of columns that s takes in a terminal.
func width(s string) int { return uniseg.StringWidth(s) }

// padLeft and padRight bring s to n columns.
func padLeft(s string, n int) string  { return strings.Repeat(" ", max(0, n-width(s))) + s }
func padRight(s string, n int) string { return s + strings.Repeat(" ", max(0, n-width(s))) }

// clip cuts s to n columns, with … in place of what is left out.
func clip(s string, n int) string {
	if width(s) <= n {
		return s
	}
	var b strings.Builder
	w := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if w += g.Width(); w > n-1 {
			break
		}
		b.WriteString(g.Str())
	}
	return b.String() + "…"
}

// bytesText is a size for people.
func bytesText(n int) string {
	f, unit := float64(n), 0
	units := []string{"B", "KB", "MB", "GB", "TB", "PB", "EB"}
	for f >= 1024 && unit < len(units)-1 {
		f /= 1024
		unit++
	}
	if unit == 0 {
		return fmt.Sprintf("%d B", n)
	}
	return fmt.Sprintf("%.1f %s", f, units[unit])
}

// canvas collects the elements of an SVG.
type canvas struct {
	b    strings.Builder
	w, h float64
}

// grow makes room for what reaches to x, y.
func (c *canvas) grow(x, y float64) {
	c.w, c.h = max(c.w, x), max(c.h, y)
}

// rect draws a box filled with a hue, with a tip that shows on hovering.
func (c *canvas) rect(x, y, w, h float64, fill string, opacity float64, tip string) {
	c.grow(x+w, y+h)
	stroke := fill
	if fill == "none" {
		stroke = "currentColor"
	}
	fmt.Fprintf(&c.b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="2" fill="%s" fill-opacity="%.2f" stroke="%s" stroke-opacity="0.7">`, x, y, w, h, fill, opacity, stroke)
	if tip != "" {
		fmt.Fprintf(&c.b, "<title>%s</title>", esc(tip))
	}
	c.b.WriteString("</rect>")
}

// text writes s; anchor is start, middle or end; extra are further attributes.
func (c *canvas) text(x, y float64, anchor, s, extra string) {
	if s == "" {
		return
	}
	w := float64(width(s)) * charWidth
	switch anchor {
	case "start":
		c.grow(x+w, y+4)
	case "middle":
		c.grow(x+w/2, y+4)
	default:
		c.grow(x, y+4)
	}
	if extra != "" {
		extra = " " + extra
	}
	fmt.Fprintf(&c.b, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="currentColor" xml:space="preserve"%s>%s</text>`, x, y, anchor, extra, esc(s))
}

// path draws a line.
func (c *canvas) path(d, stroke, extra string) {
	if extra != "" {
		extra = " " + extra
	}
	fmt.Fprintf(&c.b, `<path d="%s" fill="none" stroke="%s"%s/>`, d, stroke, extra)
}

// svg closes the picture.
func (c *canvas) svg(label string) string {
	w, h := c.w+8, c.h+8
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s" %s style="max-width:100%%;height:auto"><title>%s</title>%s</svg>`,
		w, h, w, h, esc(label), font, esc(label), c.b.String())
}

// frame is the outermost element of every HTML view.
func frame(inner string) string {
	return `<div style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:12px;line-height:1.5;overflow-x:auto">` + inner + `</div>`
}

// details is text that unfolds.
func details(summary, text string) string {
	return `<details><summary style="cursor:pointer">` + esc(summary) + `</summary><pre style="margin:0;white-space:pre;overflow-x:auto">` + esc(text) + `</pre></details>`
}
