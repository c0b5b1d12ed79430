package memory

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/visualize/draw"
)

// title is the call, with the place where it stands.
func (p *PlannedCall) title() string {
	var args []string
	for _, o := range p.Operands[1:] {
		if args = append(args, o.Name); o.Number != "" {
			args[len(args)-1] = o.Number
		}
	}
	if p.Dims != "" {
		args = append(args, "dim="+p.Dims)
	}
	t := p.Op + "(" + strings.Join(args, ", ") + ")"
	if p.Times > 1 {
		t += fmt.Sprintf("   × %d", p.Times)
	}
	if p.Site != "" {
		t += "   " + p.Site
	}
	return draw.Clip(t, 110)
}

// details are the lines above the table.
func (p *PlannedCall) details() []string {
	switch {
	case p.Body != nil:
		return []string{"dtype  " + p.Dtype +
			" of the result; each operator computes in the dtype that its operands promote to"}
	case p.Reduction:
		return []string{"dtype  " + p.Dtype + " of the result"}
	}
	out := []string{"dtype  " + p.Dtype + ": " + p.Why}
	var broadcast []string
	for _, o := range p.Operands[1:] {
		if o.Number == "" && fmt.Sprint(o.Shape) != fmt.Sprint(p.Shape) {
			broadcast = append(broadcast, fmt.Sprintf("%s %v", o.Name, o.Shape))
		}
	}
	shape := fmt.Sprintf("shape  %v", p.Shape)
	if len(broadcast) > 0 {
		shape += ", to which " + strings.Join(broadcast, ", ") + " is broadcast: stride 0 where it is"
	}
	out = append(out, draw.Clip(shape, 130))
	switch {
	case p.Same:
		out = append(out, "order  all operands lie row by row: one run over memory, no stage is needed")
	case len(p.Shape) > 1:
		loops := fmt.Sprintf("%d loops coalesce into %d", len(p.Permuted), len(p.Loops))
		if len(p.Permuted) == len(p.Loops) {
			loops = "no loops coalesce"
		}
		out = append(out, fmt.Sprintf("order  dims %v, slowest first; %s", p.Order, loops))
	}
	return out
}

// table has the operands and their strides at each stage.
func (p *PlannedCall) table() *draw.Tabular {
	t := &draw.Tabular{Head: []string{"", "dtype", "shape", "stride", "broadcast", "permuted", "coalesced"}}
	if p.Reduction || p.Body != nil {
		t.Head = t.Head[:4]
	}
	list := func(xs []int) string { return draw.Clip(fmt.Sprint(xs), 24) }
	for i, o := range p.Operands {
		stride := list(o.Stride)
		if o.Offset != 0 {
			stride += fmt.Sprintf(" at %d", o.Offset)
		}
		row := []string{o.Name, o.Dtype, list(o.Shape), stride, list(o.Broadcast), list(o.Permuted), list(o.Coalesced)}
		if o.Number != "" {
			row = []string{o.Number, o.Dtype, "a number", "", "", list(o.Permuted), list(o.Coalesced)}
		}
		if p.Same && o.Number == "" {
			row[4], row[5] = "·", "·"
		}
		t.Rows, t.Hues = append(t.Rows, row[:len(t.Head)]), append(t.Hues, i)
	}
	if !p.Reduction && p.Body == nil {
		permuted := list(p.Permuted)
		if p.Same {
			permuted = "·"
		}
		t.Rows, t.Hues = append(t.Rows, []string{"loops", "", "", "", "", permuted, list(p.Loops)}), append(t.Hues, -1)
	}
	return t
}

// loop names the kind of loop: one run, with or without numbers, or a nest over strides.
func (p *PlannedCall) loop() string {
	if p.Body != nil {
		return "loop   one for all operators, block by block"
	}
	if p.Reduction {
		return "loop   " + p.Kernel
	}
	step := func(n int) bool { // every operand steps by n, or stands still
		for _, o := range p.Operands {
			if len(o.Coalesced) != 1 || o.Coalesced[0] != 0 && o.Coalesced[0] != n {
				return false
			}
		}
		return true
	}
	kind := "strided"
	switch fixed := slices.ContainsFunc(p.Operands[1:], func(o PlannedOperand) bool {
		return len(o.Coalesced) == 1 && o.Coalesced[0] == 0
	}); {
	case (p.Flat || step(1)) && fixed:
		kind = "one run × one value"
	case p.Flat:
		kind = "one run"
	}
	if p.Kernel != "" {
		kind += "; the kernel: " + p.Kernel
	}
	return "loop   " + kind
}

// code is the nest as one would write it.
func (p *PlannedCall) code() []string {
	if p.Reduction || len(p.Loops) > 8 || p.Body != nil {
		return p.Body
	}
	var out []string
	indent := ""
	for d, n := range p.Loops {
		out = append(out, fmt.Sprintf("%sfor %c := range %d {", indent, 'i'+rune(d), n))
		indent += "  "
	}
	var args []string
	for _, o := range p.Operands[1:] {
		args = append(args, o.at(p.Dtype))
	}
	out = append(out, draw.Clip(fmt.Sprintf("%s%s = %s(%s)", indent, p.Operands[0].at(p.Operands[0].Dtype),
		strings.TrimSuffix(p.Op, "_"), strings.Join(args, ", ")), 120))
	out = append(out, strings.Repeat("}", len(p.Loops)))
	return out
}

// at is the element of an operand that a step reads, converted where the kernel computes in another dtype:
// float32(y[3 + 4*i + j]).
func (o *PlannedOperand) at(dtype string) string {
	text := o.Number
	if text == "" {
		var sum []string
		if o.Offset != 0 {
			sum = append(sum, fmt.Sprint(o.Offset))
		}
		for d, s := range o.Coalesced {
			switch s {
			case 0:
			case 1:
				sum = append(sum, string('i'+rune(d)))
			default:
				sum = append(sum, fmt.Sprintf("%d*%c", s, 'i'+rune(d)))
			}
		}
		if len(sum) == 0 {
			sum = []string{"0"}
		}
		name := o.Name
		if strings.ContainsAny(name, " +-*/@") && !draw.Balanced(name) {
			name = "(" + name + ")"
		}
		text = name + "[" + strings.ReplaceAll(strings.Join(sum, " + "), "+ -", "- ") + "]"
	}
	if o.Dtype != dtype {
		text = dtype + "(" + text + ")"
	}
	return text
}

// rest is the line about what is not shown.
func (v *IterationPlans) rest() []string {
	var out []string
	if v.More > 0 {
		out = append(out, "… "+draw.Counted(v.More, "more plan"))
	}
	if len(v.Others) > 0 {
		line, n := "without a plan: "+v.Others[0], 1
		for ; n < len(v.Others) && draw.Width(line+v.Others[n]) < 116; n++ {
			line += ", " + v.Others[n]
		}
		if left := len(v.Others) - n; left > 0 {
			line += fmt.Sprintf(", … %d more", left)
		}
		out = append(out, line)
	}
	return out
}

// Text writes the stages of each plan as a table, and the loops as code.
func (v *IterationPlans) Text(color bool) string {
	var out []string
	for i, p := range v.Calls {
		if i > 0 {
			out = append(out, "")
		}
		out = append(out, draw.Bold(color, p.title()))
		for _, f := range p.details() {
			out = append(out, "  "+f)
		}
		out = append(out, p.table().Text("    ", color)...)
		out = append(out, "  "+p.loop())
		for _, l := range p.code() {
			out = append(out, "    "+draw.Dim(color, l))
		}
	}
	out = append(out, v.rest()...)
	if len(v.Calls) == 0 && v.Error == "" {
		out = append(out, "no call was planned")
	}
	if v.Error != "" {
		out = append(out, draw.Paint(color, 5, "✗ "+v.Error))
	}
	return strings.Join(out, "\n")
}

// String is the text without colour.
func (v *IterationPlans) String() string { return v.Text(false) }

// SVG draws the tables.
func (v *IterationPlans) SVG() string { return v.picture().Alone("iteration plan") }

// HTML is the picture, with its text beneath.
func (v *IterationPlans) HTML() string {
	return draw.Pictured(v.picture(), "iteration plan", v.Text(false))
}

// MIMEBundle is the view in all forms.
func (v *IterationPlans) MIMEBundle() map[string]any { return draw.Bundle(v) }

// plansHigh is how high a picture grows before the rest of its plans is counted.
const plansHigh = 840.0

func (v *IterationPlans) picture() *draw.Canvas {
	c := new(draw.Canvas)
	y := 18.0
	for i, p := range v.Calls {
		if y > plansHigh {
			y = c.Lines(6, y, "… "+draw.Counted(len(v.Calls)-i, "plan")+" more in the text", "") + 3
			break
		}
		y = c.Lines(6, y, p.title(), draw.Strong) - 17
		for _, f := range p.details() {
			y = c.Lines(22, y+17, f, "") - 17
		}
		y = p.table().Narrow(36).Draw(c, 36, y+24) + 2
		y = c.Lines(22, y, p.loop(), "") - 9
		if code := slices.Clone(p.code()); len(code) > 0 {
			c.Group(draw.Filled("none", 0))
			long := 0
			for i, l := range code {
				code[i] = draw.Clip(l, (draw.NarrowWidth-60)*10/73)
				long = max(long, draw.Width(code[i]))
			}
			c.Box(36, y, float64(long)*draw.CharWidth+16, float64(len(code))*16+8, "", "")
			c.End()
			for _, l := range code {
				y += 16
				c.Text(44, y, "start", l, "")
			}
			y += 8
		}
		y += 28
	}
	for _, l := range v.rest() {
		y = c.Lines(6, y, l, "") + 3
	}
	if len(v.Calls) == 0 && v.Error == "" {
		c.Text(6, y, "start", "no call was planned", "")
	}
	if v.Error != "" {
		c.Lines(6, y, draw.Clip("✗ "+v.Error, 300), draw.RedText)
	}
	return c
}

// Caption is about the first call: its dtype, what is broadcast, and the loops that are left.
func (v *IterationPlans) Caption() string {
	if len(v.Calls) == 0 {
		return ""
	}
	p := v.Calls[0]
	if p.Reduction {
		return fmt.Sprintf("%s reads %s %v and writes %v, in %s.", p.Op, p.Operands[len(p.Operands)-1].Name,
			p.Operands[len(p.Operands)-1].Shape, p.Operands[0].Shape, p.Dtype)
	}
	var repeated []string
	for _, o := range p.Operands[1:] {
		if o.Number == "" && !slices.Equal(o.Shape, p.Shape) {
			repeated = append(repeated, fmt.Sprintf("%s %v", o.Name, o.Shape))
		}
	}
	text := fmt.Sprintf("%s computes in %s over the shape %v", p.Op, p.Dtype, p.Shape)
	if len(repeated) > 0 {
		text += fmt.Sprintf(", to which %s is broadcast with stride 0", draw.And(repeated, 4))
	}
	switch {
	case p.Same || p.Flat || len(p.Loops) < 2 && len(p.Shape) > 0:
		text += ", in one run over memory"
	case len(p.Loops) > 0 && len(p.Loops) < len(p.Shape):
		text += fmt.Sprintf("; its %s become %s", draw.InWords(len(p.Shape), "dimension"), draw.InWords(len(p.Loops),
			"loop"))
	case len(p.Loops) > 0:
		text += fmt.Sprintf(", in %s, one inside of the other", draw.InWords(len(p.Loops), "loop"))
	}
	return text + "."
}
