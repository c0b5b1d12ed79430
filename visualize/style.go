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
	reddish    = `class="red" fill="#b84a00"` // text in red: of more contrast, see night
	faint      = `opacity="0.75"`
	thin       = `stroke-opacity="0.55"`
	small      = `opacity="0.75" font-size="10"`
	bar        = `font-weight="bold"`

	// maxPicture is how many bytes of a picture are filled with parts before the rest is counted instead. A view's HTML stays under
	// maxHTML.
	maxPicture = 100 << 10
	maxHTML    = 150 << 10
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

// esc writes text into XML: markup is escaped, and what XML has no way to say becomes �.
func esc(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, s))
}

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

// oneLine puts a text of several lines into one of at most n columns.
func oneLine(s string, n int) string { return clip(tidy(strings.Join(strings.Fields(s), " ")), n) }

// counted is 1 cell, 2 cells.
func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
