package grad

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
)

var _ display.Stepper = (*BackwardRun)(nil)

// Limits of what is written.
const (
	figureLines = 17 // of the forward pass around the one whose turn it is
	textSteps   = 60 // that the text has
	leftColumn  = 58
	rightColumn = 72
)

// blue and red are the hues of the forward pass and of gradients.
const (
	forwardHue  = 0
	gradientHue = 5
)

// Steps is the number of steps that were recorded, the beginning included: with [BackwardRun.Step] it makes a run
// something that a prompt can go through.
func (b *BackwardRun) Steps() int { return len(b.Pass) }

// gradientLines says of each line how its gradient has come together up to a step: ∂h = ∂y · w + ….
func (b *BackwardRun) gradientLines(upTo int) []string {
	out := make([]string, len(b.Lines))
	left := make([]int, len(b.Lines))
	for i := 0; i <= upTo; i++ {
		s := &b.Pass[i]
		for _, f := range s.Flows {
			text := f.Formula
			if s.Line < 0 {
				text = f.Grad
			}
			if text == "" {
				text = "…"
			}
			if out[f.To] == "" {
				out[f.To] = f.Name + " = " + text
			} else {
				out[f.To] += " + " + text
			}
			left[f.To] = f.Left
		}
	}
	for i, n := range left {
		if n > 0 && out[i] != "" {
			out[i] += " + …"
		}
	}
	return out
}

// text is the line with its value, where there is room for it.
func (l *BackwardLine) text() string {
	t := l.Text
	if l.Value != "" && draw.Width(t)+3+draw.Width(l.Value) <= leftColumn {
		t += " = " + l.Value
	}
	return draw.Clip(t, leftColumn)
}

// window is the range of lines that a step shows: all, or those around its own.
func (b *BackwardRun) window(step, most int) (lo, hi int) {
	n := len(b.Lines)
	if n <= most {
		return 0, n
	}
	at := b.Pass[step].Line
	if at < 0 {
		at = n - 1
	}
	lo = min(max(0, at-most/2), n-most)
	return lo, lo + most
}

// gap is how many lines are left out before line i: since the one before it, if that is shown, else since the
// beginning.
func (b *BackwardRun) gap(i int, after bool) int {
	if after {
		return b.Lines[i].At - b.Lines[i-1].At - 1
	}
	return b.Lines[i].At
}

// figure writes the forward pass beside the gradients that there are after a step.
func (b *BackwardRun) figure(w *strings.Builder, step, most int, color bool) {
	lo, hi := b.window(step, most)
	grads := b.gradientLines(step)
	wide := len("forward")
	for _, l := range b.Lines[lo:hi] {
		wide = max(wide, draw.Width(l.text()))
	}
	fmt.Fprintf(w, "    %s   %s\n", draw.Dim(color, draw.PadRight("forward ↓", wide)), draw.Dim(color, "gradient ↑"))
	s := &b.Pass[step]
	for i := lo; i < hi; i++ {
		l := &b.Lines[i]
		if n := b.gap(i, i > lo); n > 0 {
			fmt.Fprintf(w, "    ⋮ %s\n", draw.Counted(n, "more line"))
		}
		mark := "  "
		if i == s.Line {
			mark = "▶ "
		}
		for _, f := range s.Flows {
			if f.To == i {
				mark = "+ "
			}
		}
		text := draw.PadRight(l.text(), wide)
		right := draw.Clip(grads[i], rightColumn)
		if i != s.Line && mark == "  " {
			right = draw.Dim(color, right)
		} else {
			right = draw.Paint(color, gradientHue, right)
		}
		fmt.Fprintf(w, "  %s%s%s\n", mark, draw.Paint(color, forwardHue, text), strings.TrimRight("   "+right, " "))
	}
	if n := b.All - 1 - b.Lines[hi-1].At; n > 0 {
		fmt.Fprintf(w, "    ⋮ %s\n", draw.Counted(n, "more line"))
	}
}

// head is the heading of a step.
func (b *BackwardRun) head(step int) string {
	s := &b.Pass[step]
	last := b.Total
	switch {
	case s.Line == -1:
		return fmt.Sprintf("the beginning, before step 1 of %d", last)
	case s.Line < 0:
		return fmt.Sprintf("step %d of %d   %s", s.Number, last, s.Node)
	}
	t := fmt.Sprintf("step %d of %d   %s, which made %s", s.Number, last, s.Node, b.Lines[s.Line].Name)
	if s.Site != "" {
		t += " @ " + s.Site
	}
	return t
}

// events tells what happens in a step, a line for each thing.
func (b *BackwardRun) events(step int, color bool) []string {
	s := &b.Pass[step]
	var out []string
	if s.Skip > 0 {
		out = append(out, fmt.Sprintf("… %s before this one are left out", draw.Counted(s.Skip, "step")))
	}
	out = append(out, s.Hooks...)
	red := func(t string) string { return draw.Paint(color, gradientHue, t) }
	if s.Line != -1 {
		for _, g := range s.Grads {
			out = append(out, red(g.Name)+" = "+g.Text)
		}
	}
	for _, f := range s.Flows {
		t := red(f.Name) + " = "
		if f.Before != "" {
			t = red(f.Name) + " += "
		}
		if s.Line != -1 && f.Formula != "" {
			t += f.Formula + " = "
		}
		t += f.Grad
		switch {
		case f.Before != "":
			t += ":  " + f.Before + " + " + f.Grad + " = " + draw.Bold(color, f.Sum)
		case f.Left > 0:
			t += "  the first"
		}
		if f.Left > 0 {
			t += fmt.Sprintf(", %d more to come", f.Left)
		}
		out = append(out, t)
	}
	for _, l := range s.Leaves {
		out = append(out, red(l.Name)+" is complete: "+l.Text+" "+l.Note)
	}
	if len(s.Flows) == 0 && s.Line >= 0 {
		out = append(out, "no gradient goes on from here")
	}
	var gone, stays []string
	total := 0
	for _, f := range s.Frees {
		if f.Why == "" {
			gone = append(gone, f.Name)
			total += f.Bytes
		} else {
			stays = append(stays, f.Name+" stays, "+f.Why)
		}
	}
	if len(gone) > 0 {
		stays = append([]string{fmt.Sprintf("frees %s: %s", strings.Join(gone, ", "), bytesize.Text(total))}, stays...)
	}
	if len(stays) > 0 {
		out = append(out, draw.Dim(color, strings.Join(stays, "; ")+";  the graph keeps "+bytesize.Text(s.Held)))
	}
	return out
}

// Step is one step as text: the figure, and what happens.
func (b *BackwardRun) Step(step int, color bool) string {
	var w strings.Builder
	w.WriteString(draw.Bold(color, b.head(step)) + "\n")
	b.figure(&w, step, figureLines, color)
	for _, e := range b.events(step, color) {
		w.WriteString("  " + e + "\n")
	}
	return strings.TrimRight(w.String(), "\n")
}

// summary is what the pass is about.
func (b *BackwardRun) summary() string {
	t := "backward: " + draw.Counted(b.Total, "step")
	if b.Held > 0 {
		t += ", the graph keeps " + bytesize.Text(b.Held)
		if b.Also > 0 {
			t += " (" + bytesize.Text(b.Also) + " of them by variables too)"
		}
	}
	if len(b.Outline) > 0 {
		t += ", its nodes took " + draw.Nanos(b.Nanos)
	}
	return t
}

// listed are the steps that the text has: all, or those at both ends.
func (b *BackwardRun) listed(most int) (list []int, left int) {
	n := len(b.Pass)
	for i := range n {
		if n <= most || i < most/2 || i >= n-most/2 {
			list = append(list, i)
		}
	}
	for _, s := range b.Pass {
		left += s.Skip
	}
	return list, left + n - len(list)
}

// Text is the whole pass: the figure as it is in the end, and then step by step what happened.
func (b *BackwardRun) Text(color bool) string {
	if len(b.Outline) > 0 {
		return b.outlineText(color)
	}
	var w strings.Builder
	w.WriteString(b.summary() + "\n")
	b.figure(&w, len(b.Pass)-1, 2*figureLines, color)
	list, _ := b.listed(textSteps)
	for k, i := range list {
		if k > 0 && i != list[k-1]+1 {
			fmt.Fprintf(&w, "… %s\n", draw.Counted(i-list[k-1]-1, "more step"))
		}
		w.WriteString(draw.Bold(color, b.head(i)) + "\n")
		for _, e := range b.events(i, color) {
			w.WriteString("  " + e + "\n")
		}
	}
	return strings.TrimRight(w.String(), "\n")
}

// String is the text without colour.
func (b *BackwardRun) String() string { return b.Text(false) }
