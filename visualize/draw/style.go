package draw

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/rivo/uniseg"
)

// Note: one visual language. Seven hues that people with any colour vision tell apart (Okabe and Ito), each doubled
// by a label; text and lines in currentColor, so that light and dark pages both work; 12 px monospaced text; fills at
// a quarter of their strength, outlined at full strength. Orange, sky blue and olive are darker than theirs: outlines
// have a contrast of 3 on white and on the dark pictures' paper, texts one of 4.5.

// hues are the colours of lanes and kinds, in order.
var hues = []string{"#0072b2", "#c38700", "#009e73", "#cc79a7", "#4a9bc8", "#d55e00", "#969632"}

// Inks are the hues for text on a page whose background is not known: they stand out from white, and nearly as much
// from black. Where the scheme is known, dayInks and nightInks take their place.
var (
	Inks      = []string{"#217bb8", "#9c6c00", "#008561", "#a95d85", "#2c7da5", "#c05500", "#787828"}
	dayInks   = []string{"#0072b2", "#8a5f00", "#007a58", "#99527a", "#2a6f94", "#b84a00", "#6b6b24"}
	nightInks = []string{"#4ba3d6", "#e69f00", "#22b58a", "#d78fb7", "#56b4e9", "#ff9248", "#b5b54a"}
)

// Ansi are the same in a terminal's 256 colours, to be read on black and on white.
var Ansi = []int{32, 136, 29, 132, 67, 166, 100}

// Mono is the family of all letters.
const Mono = "ui-monospace,Menlo,Consolas,monospace"

const (
	FontSize   = 12
	CharWidth  = 7.3 // of the monospaced font at that size
	LineHeight = 20
	font       = `font-family="` + Mono + `" font-size="12"`
	Red        = "#d55e00"
	RedText    = `class="red" fill="#9a3d00"` // text in red: of more contrast, see night
	Faint      = `opacity="0.75"`
	Thin       = `stroke-opacity="0.55"`
	Small      = `opacity="0.75" ` + smallFont
	Strong     = `font-weight="bold"`

	smallFont = `font-size="10"`
	smallPart = 10.0 / 12

	// PageWidth is how wide a view may be: what a notebook's cell has room for.
	PageWidth = 920

	// NarrowWidth is how wide a picture may be whose letters are to be read on a page of 420 px: they have seven there.
	NarrowWidth = 700

	// ReadWidth is how wide sentences in a picture may be whatever is drawn: those that are longer are broken.
	ReadWidth = 480

	// MaxPicture is how many bytes of a picture are filled with parts before the rest is counted instead. A view's
	// HTML stays under maxHTML.
	MaxPicture = 100 << 10
	MaxHTML    = 150 << 10
)

func Hue(i int) string { return hues[i%len(hues)] }

// Paint colours text in a terminal.
func Paint(color bool, i int, s string) string {
	if !color || s == "" {
		return s
	}
	return fmt.Sprintf("\x1b[38;5;%dm%s\x1b[0m", Ansi[i%len(Ansi)], s)
}

// OnPage gives text in a terminal's colours those that a notebook's page shows legibly, light or dark.
func OnPage(s string) string {
	for i, a := range Ansi {
		n, _ := strconv.ParseUint(Inks[i][1:], 16, 32)
		ink := fmt.Sprintf("\x1b[38;2;%d;%d;%dm", n>>16, n>>8&255, n&255)
		s = strings.ReplaceAll(s, fmt.Sprintf("\x1b[38;5;%dm", a), ink)
	}
	return s
}

func Dim(color bool, s string) string {
	if !color || s == "" {
		return s
	}
	return "\x1b[2m" + s + "\x1b[0m"
}

func Bold(color bool, s string) string {
	if !color || s == "" {
		return s
	}
	return "\x1b[1m" + s + "\x1b[0m"
}

// Escape writes text into XML: markup is escaped, and what XML has no way to say becomes �.
func Escape(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, s))
}

// Width is the number of columns that s takes in a terminal.
func Width(s string) int { return uniseg.StringWidth(s) }

// PadLeft and padRight bring s to n columns.
func PadLeft(s string, n int) string  { return strings.Repeat(" ", max(0, n-Width(s))) + s }
func PadRight(s string, n int) string { return s + strings.Repeat(" ", max(0, n-Width(s))) }

// Clip cuts s to n columns, with … in place of what is left out. No part of a number is left at the end: it would be
// another number.
func Clip(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	s = strings.TrimSuffix(cut(s, n), "…")
	if n := len(s); n > 0 && '0' <= s[n-1] && s[n-1] <= '9' {
		s = strings.TrimRight(s, "0123456789.,")
	}
	return s + "…"
}

// cut cuts s to n columns wherever they end.
func cut(s string, n int) string {
	if Width(s) <= n {
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

// units are words that stay with the number before them.
var units = map[string]bool{"B": true, "KiB": true, "MiB": true, "GiB": true, "TiB": true, "ns": true, "µs": true,
	"ms": true, "s": true, "%": true, "flop": true, "kflop": true, "Mflop": true, "Gflop": true}

// words are those of a text with the spaces after them; a number and its unit are one.
func words(s string) (list []string) {
	for _, word := range strings.SplitAfter(s, " ") {
		if n := len(list); n > 0 && units[strings.TrimRight(word, " ,;.)")] {
			if last := strings.TrimSuffix(list[n-1], " "); last != "" && strings.ContainsAny(last[len(last)-1:], "0123456789") {
				list[n-1] += word
				continue
			}
		}
		list = append(list, word)
	}
	return list
}

// Wrap breaks a text between words into lines of at most n columns; a longer word is cut.
func Wrap(s string, n int) (lines []string) {
	n = max(n, 8)
	for _, word := range words(s) {
		last := len(lines) - 1
		if last >= 0 && Width(lines[last])+Width(strings.TrimRight(word, " ")) <= n {
			lines[last] += word
			continue
		}
		if last < 0 || strings.TrimSpace(word) != "" {
			lines = append(lines, cut(word, n))
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

// OneLine puts a text of several lines into one of at most n columns.
func OneLine(s string, n int) string { return Clip(Tidy(strings.Join(strings.Fields(s), " ")), n) }

// Counted is 1 cell, 2 cells.
func Counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "s") { // series
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}
