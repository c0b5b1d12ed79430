package shapes

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// Caption names what is broadcast and along which dimensions, or where sizes do not meet.
func (b *Broadcasting) Caption() string {
	if len(b.Clashes) > 0 {
		c := b.Clashes[0]
		text := fmt.Sprintf("The shapes do not fit together: in dimension %d, %s", c.Dim,
			strings.TrimPrefix(c.Text, fmt.Sprintf("dim %d: ", c.Dim)))
		if b.Free < 0 && b.Last == "result" {
			text += ", and neither is 1"
		}
		return text + "."
	}
	var parts []string
	for _, r := range b.Operands {
		times := 1
		var dims []string
		for d, c := range r.Cells {
			if c.To != c.Size || c.Missing {
				times *= c.To
				dims = append(dims, fmt.Sprint(d))
			}
		}
		if len(dims) > 0 {
			what := "dimension "
			if len(dims) > 1 {
				what = "dimensions "
			}
			parts = append(parts, fmt.Sprintf("%s %v is read %s along %s", r.Name, r.Shape, draw.Counted(times, "time"),
				what+draw.And(dims, 8)))
		}
	}
	switch {
	case len(b.Operands) == 0:
		return ""
	case len(parts) == 0:
		return fmt.Sprintf("Nothing is broadcast: %s have the shape %v.", operandNamesOf(b), b.Result)
	}
	return fmt.Sprintf("The result has the shape %v: %s, and nothing is copied for it.", b.Result, draw.And(parts, 4))
}

func operandNamesOf(b *Broadcasting) string {
	var names []string
	for _, r := range b.Operands {
		names = append(names, r.Name)
	}
	for range b.More {
		names = append(names, "")
	}
	if len(names) == 1 {
		return "all operands"
	}
	return draw.And(names, 4)
}

// Caption says how far the run came, and what its results would take.
func (v *ShapeRun) Caption() string {
	if len(v.Lines) == 0 {
		return ""
	}
	last := &v.Lines[len(v.Lines)-1]
	if i := slices.IndexFunc(v.Lines, func(l ShapeLine) bool { return l.Failed }); i >= 0 {
		text := fmt.Sprintf("%s fails after %s", v.Lines[i].Op, draw.InWords(v.Calls-1, "call"))
		for k, a := range v.Lines[i].Args {
			if k > 0 {
				text += " and"
			} else {
				text += ": its arguments have the shapes"
			}
			text += fmt.Sprintf(" %v", a.Shape)
		}
		return text + "."
	}
	text := fmt.Sprintf("%s would make %s of results, %s at most in one call", draw.Capital(draw.InWords(v.Calls,
		"call")),
		bytesize.Text(v.Bytes), bytesize.Text(v.Largest))
	if len(last.Results) > 0 && v.More == 0 {
		text += fmt.Sprintf("; the last one, %s, gives the shape %v", last.Op, last.Results[0].Shape)
	}
	return text + "."
}

// Caption says what the result's shape is, and for which sizes.
func (v *SymbolicView) Caption() string {
	switch {
	case v.Error != "" && len(v.Lines) > 0:
		l := &v.Lines[len(v.Lines)-1]
		return fmt.Sprintf("Shapes are known as far as %s, which is call %d.", draw.OneLine(l.Op, 200), len(v.Lines))
	case v.Error != "" || len(v.Lines) == 0:
		return ""
	}
	what := "What comes out has the shape"
	text := shownTensors(v.Result)
	if len(v.Result) == 0 {
		what, text = "The last call gives", v.Lines[len(v.Lines)-1].result()
	}
	text = fmt.Sprintf("%s %s", what, draw.Clip(text, 100))
	if cs := v.conditions(); len(cs) > 0 {
		text += " where " + draw.And(cs, 4)
	} else {
		text += ", whatever the sizes"
	}
	return draw.OneLine(text, 270) + fmt.Sprintf("; so it was with all of %d sizes.", v.Within)
}
