package line

import (
	"strings"

	"github.com/rivo/uniseg"
)

// Hint is a line beneath the cell, with a part that matters most.
type Hint struct {
	Before, Current, After string
}

// hint lays the hint out for a terminal's width.
func (e *Editor) hint(width int) string {
	if e.cfg.Hint == nil || e.single || e.search != nil || e.menu != nil || e.paste {
		return ""
	}
	src, at := e.text.String(), e.text.offset()
	if !strings.Contains(src[:at], "(") {
		return ""
	}
	h := e.cfg.Hint(src, at)
	if h == (Hint{}) {
		return ""
	}
	if h.Current != "" && !e.cfg.Color {
		h.Current = "‹" + h.Current + "›"
	}
	room := width - 5 // an indent of four, and a column that stays empty
	if uniseg.StringWidth(h.Before+h.Current) > room {
		name, _, _ := strings.Cut(h.Before, "(")
		if h.Before = name + "(… "; uniseg.StringWidth(h.Before+h.Current) > room {
			h.Before = ""
		}
		h.Current = cut(h.Current, room)
	}
	h.Before = cut(h.Before, room)
	h.After = cut(h.After, max(room-uniseg.StringWidth(h.Before+h.Current), 0))
	if !e.cfg.Color {
		return "    " + h.Before + h.Current + h.After
	}
	dim := func(s string) string {
		if s == "" {
			return ""
		}
		return "\x1b[" + styleGhost + "m" + s + "\x1b[0m"
	}
	if h.Current != "" {
		h.Current = "\x1b[" + styleCurrent + "m" + h.Current + "\x1b[0m"
	}
	return "    " + dim(h.Before) + h.Current + dim(h.After)
}
