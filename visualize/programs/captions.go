package programs

import (
	"fmt"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// Caption counts the steps, and those that nothing needs.
func (p *CapturedProgram) Caption() string {
	dead := 0
	for _, s := range p.Steps {
		if s.Dead {
			dead++
		}
	}
	text := fmt.Sprintf("From %s the program makes %s in %s", draw.InWords(len(p.Inputs), "input"),
		draw.InWords(len(p.Outputs), "result"), draw.InWords(len(p.Steps), "step"))
	switch {
	case dead == 1:
		text += ", and nothing needs one of these"
	case dead > 1:
		text += fmt.Sprintf(", and nothing needs %s of these", draw.InWords(dead, ""))
	}
	return text + "."
}

// Caption says what the cut saves, and what it costs.
func (c *CutProgram) Caption() string {
	twice := 0
	for _, s := range c.Steps {
		if s.Pass == "again" {
			twice++
		}
	}
	if c.After.Bytes == c.Before.Bytes {
		return fmt.Sprintf("The minimum cut keeps as much as autograd does, %s.", bytesize.Text(c.Before.Bytes))
	}
	return fmt.Sprintf("Autograd keeps %s for the backward pass; the minimum cut keeps %s, and computes %s once more.",
		bytesize.Text(c.Before.Bytes), bytesize.Text(c.After.Bytes), draw.InWords(twice, "step"))
}

// Caption says whether both ways agree, and where they are furthest apart.
func (v *GradcheckView) Caption() string {
	if v.Failed == 0 || v.Worst == nil {
		return fmt.Sprintf("%s agree: the formulas give what moving each element by %g gives.",
			draw.Capital(draw.InWords(v.Total, "derivative")), v.Step)
	}
	verb := " are"
	if v.Failed == 1 {
		verb = " is"
	}
	return fmt.Sprintf("%s of %s wrong: for %s by %s the formula says %.4g, and differences say %.4g.",
		draw.Capital(draw.InWords(v.Failed, "")), draw.InWords(v.Total, "derivative")+verb, v.Worst.Result, v.Worst.Input,
		v.Worst.Analytic, v.Worst.Numeric)
}

// Caption says what the outermost layer means.
func (t *TensorLayers) Caption() string {
	depth := 0
	for n := &t.Layer; len(n.Beneath) > 0; n = &n.Beneath[0] {
		depth++
	}
	if depth == 0 {
		return fmt.Sprintf("%s is a plain tensor, %s: no transform has wrapped it.", t.Name, t.Layer.Type)
	}
	wraps := "a transform has"
	if depth > 1 {
		wraps = draw.InWords(depth, "transform") + " have"
	}
	return fmt.Sprintf("%s wrapped %s, which is %s for the code inside.", draw.Capital(wraps), t.Name, t.Layer.Type)
}
