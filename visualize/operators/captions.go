package operators

import (
	"fmt"

	"gotorch/visualize/draw"
)

// Caption follows a call down the keys that a plain tensor on the CPU with a gradient has.
func (t *DispatchTable) Caption() string {
	if len(t.Ops) == 0 {
		return ""
	}
	o := &t.Ops[0]
	kind := map[string]string{}
	kernels := 0
	for _, r := range o.Keys {
		if len(r.Kinds) > 0 {
			kind[r.Key] = r.Kinds[0]
			if r.Kinds[0] == "kernel" {
				kernels++
			}
		}
	}
	has := draw.InWords(kernels, "") + " have"
	switch kernels {
	case 0:
		has = "none has"
	case 1:
		has = "one has"
	}
	text := fmt.Sprintf("Of %s, %s a kernel for %s alone", draw.InWords(len(o.Keys), "key"), has, o.Name)
	if kind["CPU"] != "" {
		text += fmt.Sprintf("; at CPU it is answered by %s", withArticle(kind["CPU"]))
	}
	if o.Formula != "" {
		text += ", and its derivative stands in " + o.At
	}
	return text + "."
}

// withArticle is a kernel, the shape function.
func withArticle(kind string) string {
	switch kind {
	case "shapes":
		return "the shape function"
	case "none", "falls through":
		return "nothing"
	}
	return "a " + kind
}

// Caption counts the dtypes that the first operator takes on each device.
func (g *SupportGrid) Caption() string {
	if len(g.Rows) == 0 {
		return ""
	}
	var parts []string
	for _, r := range g.Rows {
		if r.Op != g.Rows[0].Op {
			break
		}
		takes := 0
		for _, c := range r.Cells {
			if c.Mark == markWorks || c.Mark == markOther || c.Mark == markFallback {
				takes++
			}
		}
		parts = append(parts, fmt.Sprintf("%d of %s on %s", takes, draw.Counted(len(r.Cells), "dtype"), r.Device))
	}
	return fmt.Sprintf("%s takes %s.", g.Rows[0].Op, draw.And(parts, 4))
}

// Caption counts the parts of the first operator.
func (s *OperatorSource) Caption() string {
	if len(s.Ops) == 0 {
		return ""
	}
	o := &s.Ops[0]
	var parts []string
	for _, p := range o.Parts {
		parts = append(parts, p.Part)
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf("%s is made of %s: %s, the first of them in %s.", o.Name, draw.InWords(len(parts), "part"),
		draw.And(parts, 8), o.Parts[0].At)
}

// Caption counts the operators and those that have a derivative.
func (l *OperatorList) Caption() string {
	n, formulas := 0, 0
	for _, t := range l.Topics {
		for _, r := range t.Rows {
			n++
			if r.Derivative == "formula" {
				formulas++
			}
		}
	}
	if n == 0 {
		return ""
	}
	has := draw.Capital(draw.InWords(formulas, ""))
	if formulas == 0 {
		has = "None"
	}
	comes := "comes"
	if formulas > 1 {
		comes = "come"
	}
	return fmt.Sprintf("%s of %s %s with a derivative by a formula of its own.", has, draw.InWords(n, "operator"), comes)
}
