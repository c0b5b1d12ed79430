package programs

import (
	"fmt"
	"strings"

	"gotorch/visualize/draw"
)

// String is the text without colour.
func (p *CapturedProgram) String() string { return p.Text(false) }

// MIMEBundle is the view in all forms.
func (p *CapturedProgram) MIMEBundle() map[string]any { return draw.Bundle(p) }

// maxShownSteps is how many steps a text has, picturedSteps how many a picture has; the middle is left out.
const (
	maxShownSteps = 200
	picturedSteps = 50
)

// left is the left side of a step: a:float32[3], b:int64[3].
func (s *ProgramStep) left() string {
	var out []string
	for i, v := range s.Results {
		if i == 3 {
			out = append(out, fmt.Sprintf("… %d more", len(s.Results)-i))
			break
		}
		if v.Type == "" {
			out = append(out, v.Name)
			continue
		}
		out = append(out, v.Name+":"+draw.Clip(v.Type, 40))
	}
	return strings.Join(out, ", ")
}

func (s *ProgramStep) right() string {
	return s.Op + "(" + draw.Clip(strings.Join(s.Args, ", "), 80) + ")"
}

// note says what stands behind a step.
func (s *ProgramStep) note() string {
	var out []string
	if s.Dead {
		out = append(out, "dead")
	}
	if s.Writes {
		out = append(out, "writes")
	}
	if len(s.For) > 0 {
		out = append(out, "for "+draw.Clip(strings.Join(s.For, " → "), 70))
	}
	if s.Site != "" {
		out = append(out, s.Site)
	}
	return strings.Join(out, "   ")
}

func (p *CapturedProgram) title() string {
	if p.Name != "" {
		return "program " + p.Name
	}
	return "program"
}

// shown returns the numbers of the steps that are shown, and −1 for those between.
func (p *CapturedProgram) shown(most int) (list []int) {
	n := len(p.Steps)
	for i := range p.Steps {
		if n > most && i == most/2 {
			list = append(list, -1)
		}
		if n > most && i >= most/2 && i < n-most/2 {
			continue
		}
		list = append(list, i)
	}
	return list
}

// headWidth is how many columns of variables stand in a line.
const headWidth = 104

// wrapped breaks a list at its commas.
func wrapped(s string, width int) (lines []string) {
	for _, part := range strings.SplitAfter(s, ", ") {
		if n := len(lines); n > 0 && draw.Width(lines[n-1]+part) <= width {
			lines[n-1] += part
		} else {
			lines = append(lines, part)
		}
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

func (p *CapturedProgram) foot() string {
	s := "give " + strings.Join(p.Outputs[:min(len(p.Outputs), 20)], ", ")
	if len(p.Outputs) > 20 {
		s += fmt.Sprintf(", … %d more", len(p.Outputs)-20)
	}
	dead := 0
	for i := range p.Steps {
		if p.Steps[i].Dead {
			dead++
		}
	}
	s += "   " + draw.Counted(len(p.Steps), "step")
	if dead > 0 {
		s += fmt.Sprintf(", %d dead", dead)
	}
	if p.More > 0 {
		s += fmt.Sprintf(", %d more not written down", p.More)
	}
	return s
}

// Text writes a line for each step.
func (p *CapturedProgram) Text(color bool) string {
	var b strings.Builder
	b.WriteString(draw.Bold(color, p.title()) + " ")
	b.WriteString(strings.Join(wrapped(p.head(), headWidth), "\n  ") + "\n")
	l, r := 0, 0
	for _, i := range p.shown(maxShownSteps) {
		if i >= 0 {
			l, r = max(l, draw.Width(p.Steps[i].left())), max(r, draw.Width(p.Steps[i].right()))
		}
	}
	l, r = min(l, 44), min(r, 60)
	for _, i := range p.shown(maxShownSteps) {
		if i < 0 {
			fmt.Fprintf(&b, "  … %s\n", draw.Counted(len(p.Steps)-maxShownSteps, "step"))
			continue
		}
		s := &p.Steps[i]
		line := draw.PadRight(s.left(), l) + " = " + draw.PadRight(s.right(), r)
		if s.Dead {
			line = draw.Dim(color, line)
		}
		b.WriteString(strings.TrimRight("  "+line+"   "+draw.Dim(color, s.note()), " ") + "\n")
	}
	b.WriteString("  " + p.foot())
	for _, line := range p.guardLines() {
		b.WriteString("\n  " + draw.Dim(color, line))
	}
	return b.String()
}

// SVG draws the program.
func (p *CapturedProgram) SVG() string { return p.draw().Alone(p.label()) }

// HTML is the picture, with the text beneath it.
func (p *CapturedProgram) HTML() string { return draw.Pictured(p.draw(), p.label(), p.Text(false)) }

func (p *CapturedProgram) label() string {
	return fmt.Sprintf("%s: %s, which %s", draw.OneLine(p.title(), 70), draw.Counted(len(p.Steps), "call"),
		draw.OneLine(p.foot(), 80))
}
