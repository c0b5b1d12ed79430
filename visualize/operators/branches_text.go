package operators

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/visualize/draw"
)

// String is the text without colour.
func (v *DispatchBranches) String() string { return v.Text(false) }

// SVG draws the branches and the cube.
func (v *DispatchBranches) SVG() string { return v.picture().Alone("dispatch branches") }

// HTML is the picture, with its text beneath.
func (v *DispatchBranches) HTML() string {
	return draw.Pictured(v.picture(), "dispatch branches", v.Text(false))
}

// MIMEBundle is the view in all forms.
func (v *DispatchBranches) MIMEBundle() map[string]any { return draw.Bundle(v) }

// textWide is how many columns the texts of calls take.
const textWide = 80

// heading is the call, where it stands, and what ran before it.
func (v *DispatchBranches) heading() (call, rest string) {
	rest = v.Site
	if v.Before > 0 {
		rest = strings.TrimLeft(rest+fmt.Sprintf("   after %s", draw.Counted(v.Before, "other call")), " ")
	}
	return v.Call, rest
}

// Text writes the keys, the dtypes and the cube; what was taken has an arrow.
func (v *DispatchBranches) Text(color bool) string {
	call, rest := v.heading()
	var out []string
	for i, l := range draw.Wrap(call, textWide-2) {
		if i > 0 {
			l = "  " + l
		}
		out = append(out, draw.Bold(color, l))
	}
	if rest != "" {
		out = append(out, draw.Dim(color, rest))
	}
	out = append(append(out, ""), titled("by key: ", v.keysTitle(), color)...)
	for i := range v.First {
		out = append(out, v.First[i].line(color, i == len(v.First)-1))
	}
	out = append(append(out, ""), titled("by dtype: ", v.dtypesTitle(), color)...)
	for i := range v.Second {
		out = append(out, v.Second[i].line(color, i == len(v.Second)-1))
	}
	wide := 0
	for _, in := range v.Inner {
		wide = max(wide, draw.Width(in.Call))
	}
	for i, in := range v.Inner {
		bend := "├─"
		if i == len(v.Inner)-1 && v.More == 0 {
			bend = "└─"
		}
		out = append(out, "  "+bend+" "+draw.Clip(in.text(wide), textWide-6))
	}
	if v.More > 0 {
		out = append(out, "  └─ … "+draw.Counted(v.More, "more call"))
	}
	if v.Kernel != "" {
		out = append(out, wrapped("  "+v.label(), v.Kernel, color)...)
	}
	if len(v.Results) > 0 && v.Error == "" {
		out = append(out, wrapped("  → ", strings.Join(v.Results, ", "), color)...)
	}
	if v.Error != "" {
		for _, l := range draw.Wrap("✗ "+v.Error, textWide-2) {
			out = append(out, draw.Paint(color, 5, l))
		}
	}
	return strings.Join(append(append(out, ""), v.Cube.text(v.Op, color)...), "\n")
}

// titled is a title with a text that may take several lines.
func titled(title, text string, color bool) (out []string) {
	for i, l := range draw.Wrap(title+text, textWide-2) {
		if i > 0 {
			out = append(out, "  "+l)
			continue
		}
		out = append(out, draw.Bold(color, title)+l[len(title):])
	}
	return out
}

// wrapped is a label with a text that may take several lines.
func wrapped(label, text string, color bool) (out []string) {
	for i, l := range draw.Wrap(text, textWide-draw.Width(label)) {
		if i > 0 {
			label = strings.Repeat(" ", draw.Width(label))
		}
		out = append(out, draw.Dim(color, label)+l)
	}
	return out
}

func (v *DispatchBranches) keysTitle() string {
	return "the dispatcher takes the highest key of " + v.Keys + " that has an entry"
}

func (v *DispatchBranches) dtypesTitle() string {
	switch {
	case len(v.Second) == 0:
		return v.Where
	case v.Why != "":
		return v.Where + ", switches by " + v.By + ": " + v.Why
	}
	return v.Where + ", switches by " + v.By
}

// text is the call in a line, its name in wide columns.
func (in *InnerCall) text(wide int) string {
	return strings.TrimRight(draw.PadRight(in.Call, wide)+"  "+draw.PadRight(in.Key, 8)+"  "+in.Kernel, " ")
}

// line is a key in a line.
func (b *KeyBranch) line(color, last bool) string {
	bend := "├─ "
	if last {
		bend = "└─ "
	}
	switch b.State {
	case "taken":
		bend = bend[:len("├")] + "─▶"
	case "failed":
		bend = bend[:len("├")] + "─✗"
	case "passed":
		bend = bend[:len("├")] + "─▷"
	}
	text := "  " + bend + " " + draw.PadRight(b.Key, 8) + "  " + draw.PadRight(b.Kind, 13)
	if b.State != "" {
		text += "  " + draw.Clip(b.What, textWide-31)
	}
	return lined(color, b.State, strings.TrimRight(text, " "))
}

// lined gives a line its colour: what is taken stands out, what is not stands back.
func lined(color bool, state, text string) string {
	switch state {
	case "taken":
		return draw.Bold(color, text)
	case "failed":
		return draw.Paint(color, 5, text)
	case "":
		return draw.Dim(color, text)
	}
	return text
}

// line is a dtype in a line.
func (b *DtypeBranch) line(color, last bool) string {
	bend, state := "├", ""
	if last {
		bend = "└"
	}
	switch {
	case b.Taken && b.Why != "":
		bend, state = bend+"─✗", "failed"
	case b.Taken:
		bend, state = bend+"─▶", "taken"
	default:
		bend += "─ "
	}
	return lined(color, state, draw.Clip("  "+bend+" "+draw.PadRight(b.Dtype, 10)+"  "+b.says(), textWide))
}

// says is the kernel, what the dtype is promoted to, or the error.
func (b *DtypeBranch) says() string {
	switch {
	case b.Why != "":
		return "✗ " + b.Why
	case b.Promoted != "":
		return "promoted to " + b.Promoted
	}
	return b.Kernel
}

// text is the cube, layout by layout.
func (c *SupportCube) text(op string, color bool) []string {
	out := []string{draw.Bold(color, "device × layout × dtype: ") + op + ", " + c.counts()}
	layout, device := 0, 0
	for _, r := range c.Rows {
		layout, device = max(layout, draw.Width(r.Layout)), max(device, draw.Width(r.Device))
	}
	lead := 2 + layout + 2 + device + 1
	line := strings.Repeat(" ", lead)
	wide := make([]int, len(c.Dtypes))
	for k, d := range c.Dtypes {
		short := shortDtype(d)
		wide[k] = max(3, draw.Width(short))
		line += " " + centred(short, wide[k])
	}
	out = append(out, draw.Dim(color, strings.TrimRight(line, " ")))
	for i, r := range c.Rows {
		name := r.Layout
		if i > 0 && c.Rows[i-1].Layout == name {
			name = ""
		}
		line := "  " + draw.PadRight(name, layout) + "  " + draw.PadRight(r.Device, device) + " "
		for k, cell := range r.Cells {
			mark := " " + cell.Mark + " "
			if c.Taken != nil && c.Taken.Row == i && c.Taken.Dtype == k {
				mark = draw.Bold(color, "["+cell.Mark+"]")
			}
			pad := wide[k] - 3
			line += " " + strings.Repeat(" ", pad/2) + mark + strings.Repeat(" ", pad-pad/2)
		}
		out = append(out, strings.TrimRight(line, " "))
	}
	line = ""
	for _, part := range append(c.legend(), "") {
		if line != "" && (part == "" || draw.Width(line)+3+draw.Width(part) > textWide-2) {
			out = append(out, draw.Dim(color, "  "+line))
			line = ""
		}
		line = strings.TrimLeft(line+"   "+part, " ")
	}
	for _, n := range c.reasons() {
		for i, l := range draw.Wrap(n, textWide-6) {
			if i > 0 {
				l = "  " + l
			}
			out = append(out, draw.Dim(color, "  "+l))
		}
	}
	return out
}

func centred(s string, n int) string {
	left := (n - draw.Width(s)) / 2
	return strings.Repeat(" ", left) + draw.PadRight(s, n-left)
}

// legend tells what the marks mean, of those that are there.
func (c *SupportCube) legend() (out []string) {
	if c.Taken != nil {
		out = append(out, "[ ] this call")
	}
	for _, m := range [][2]string{{markWorks, "works"}, {markOther, "works, with a result of another dtype"},
		{markFallback, "works by a fallback"}, {markRefused, "an error"}, {markUnknown, "not known"}} {
		if slices.ContainsFunc(c.Rows, func(r CubeRow) bool {
			return slices.ContainsFunc(r.Cells, func(c SupportCell) bool { return c.Mark == m[0] })
		}) {
			out = append(out, m[0]+" "+m[1])
		}
	}
	return out
}

// mostReasons is how many reasons of empty cells are told.
const mostReasons = 6

// reasons tells why cells are empty, those that are alike together.
func (c *SupportCube) reasons() (out []string) {
	var order []string
	where := map[string][]string{}
	for i := range c.Rows {
		r := &c.Rows[i]
		row := SupportRow{Cells: r.Cells}
		for _, why := range row.reasons(c.Dtypes) {
			for _, d := range c.Dtypes { // of one dtype its name can be said
				if strings.HasPrefix(why, shortDtype(d)+":") {
					why = strings.ReplaceAll(why, "…", d)
				}
			}
			if where[why] == nil {
				order = append(order, why)
			}
			where[why] = append(where[why], r.Layout+" on "+r.Device)
		}
	}
	for k, why := range order {
		if k == mostReasons-1 && len(order) > mostReasons {
			return append(out, fmt.Sprintf("… %d more reasons", len(order)-k))
		}
		places := draw.And(where[why], 3)
		if len(where[why]) == len(c.Rows) {
			places = "everywhere"
		}
		out = append(out, places+", "+why)
	}
	return out
}
