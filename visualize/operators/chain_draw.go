package operators

import (
	"fmt"
	"strings"

	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

const viewClass = opdef.View

// String is the text without colour.
func (v *OperatorChain) String() string { return v.Text(false) }

// MIMEBundle is the view in all forms.
func (v *OperatorChain) MIMEBundle() map[string]any { return draw.Bundle(v) }

// SVG draws the chain from top to bottom.
func (v *OperatorChain) SVG() string { return v.picture().Alone("chain of a call") }

// HTML is the picture, with its text beneath.
func (v *OperatorChain) HTML() string {
	return draw.Pictured(v.picture(), "chain of a call", v.Text(false))
}

// heading is the call, where it stands, and what ran before it.
func (v *OperatorChain) heading() (call, rest string) {
	b := DispatchBranches{Call: v.Call, Site: v.Site, Before: v.Before}
	return b.heading()
}

// Text writes the links one beneath the other, their code, and behind "here" what they were for this call.
func (v *OperatorChain) Text(color bool) string {
	call, rest := v.heading()
	var out []string
	for _, l := range draw.Wrap(call, textWide-2) {
		out = append(out, draw.Bold(color, l))
	}
	if rest != "" {
		out = append(out, draw.Dim(color, rest))
	}
	for i := range v.Links {
		l := &v.Links[i]
		bar := "│"
		if i == len(v.Links)-1 {
			bar = " "
		}
		name := l.Name
		if l.At != "" {
			name = draw.PadRight(name, 14) + "  "
		}
		head := draw.Paint(color, linkHue(l), "● "+name)
		if l.Idle {
			head = draw.Dim(color, "○ "+name)
		}
		out = append(out, draw.Dim(color, "│"), head+draw.Dim(color, l.At))
		for _, code := range l.Code {
			text := draw.Clip(code, textWide-4)
			if l.Name == "typed" || l.Name == "schema" {
				for k, part := range draw.Wrap(code, textWide-6) {
					if k > 0 {
						part = "  " + part
					}
					out = append(out, draw.Dim(color, bar)+"   "+part)
				}
				continue
			}
			out = append(out, draw.Dim(color, bar)+"   "+highlighted(color, text))
		}
		for _, h := range l.Here {
			for k, part := range draw.Wrap(h, textWide-7) {
				lead := "» "
				if k > 0 {
					lead = "  "
				}
				out = append(out, draw.Dim(color, bar)+"   "+draw.Bold(color, lead+part))
			}
		}
	}
	if v.Error != "" {
		out = append(out, draw.Dim(color, "│"))
		for _, l := range draw.Wrap("✗ "+v.Error, textWide-2) {
			out = append(out, draw.Paint(color, 5, l))
		}
	}
	for i, l := range out {
		out[i] = strings.TrimRight(l, " ")
	}
	return strings.Join(out, "\n")
}

// linkHues are the hues of links; their names are always written.
var linkHues = map[string]int{"typed": 6, "schema": 0, "binding": 4, "definition": 4, "dispatcher": 1, "derivative": 3}

func linkHue(l *ChainLink) int {
	if h, ok := linkHues[l.Name]; ok {
		return h
	}
	return 2
}

// picture draws a card for each link, and arrows between them.
func (v *OperatorChain) picture() *draw.Canvas {
	const left, wide, gap, rowHigh = 8.0, 630.0, 18.0, 16.0
	const chars = 80 // of a line
	c := &draw.Canvas{Wide: left + wide}
	call, rest := v.heading()
	y := c.Lines(6, 18, call, draw.Strong)
	if rest != "" {
		y = c.Lines(6, y, rest, draw.Faint)
	}
	y -= 6
	for i := range v.Links {
		l := &v.Links[i]
		if i > 0 {
			arrow := fmt.Sprintf("M%s %sv%sm-4 -5l4 5l4 -5", draw.Num(left+20), draw.Num(y), draw.Num(gap-3))
			c.Path(arrow, "currentColor", `stroke-opacity="0.6" stroke-width="1.5"`)
			y += gap
		}
		var code, here []string
		for _, line := range l.Code {
			if l.Name == "schema" || l.Name == "typed" {
				code = append(code, draw.Wrap(line, chars)...)
			} else {
				code = append(code, draw.Clip(line, chars))
			}
		}
		for _, h := range l.Here {
			here = append(here, draw.Wrap(h, chars-2)...)
		}
		high := 26 + rowHigh*float64(len(code)+len(here))
		extra := ""
		if l.Idle {
			c.Box(left, y, wide, high, dashed, "this call has no use for it")
			extra = draw.Faint
		} else {
			c.Rect(left, y, wide, high, draw.Hue(linkHue(l)), 0.1, "")
		}
		c.Text(left+12, y+17, "start", l.Name, draw.Strong)
		c.Text(left+12+float64(draw.Width(l.Name)+2)*draw.CharWidth, y+17, "start", draw.Clip(l.At, 60), draw.Faint)
		at := y + 17
		for _, text := range code {
			at += rowHigh
			c.Text(left+24, at, "start", text, extra)
		}
		for k, text := range here {
			at += rowHigh
			if k == 0 {
				c.Text(left+12, at, "start", "»", extra)
			}
			c.Text(left+28, at, "start", text, strings.TrimSpace(draw.Strong+" "+extra))
		}
		y += high
	}
	if v.Error != "" {
		c.Lines(6, y+18, "✗ "+v.Error, draw.RedText)
	}
	return c
}
