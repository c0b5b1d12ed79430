package programs

import (
	"fmt"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// describe writes down the steps, the saved values and the costs.
func (c *CutProgram) describe() {
	c.After.Flops = 0
	for _, pass := range []struct {
		of   side
		name string
	}{{inForward, "forward"}, {inBackward | again, "backward"}} {
		for i := range c.joint.Steps {
			if c.side[i]&pass.of == 0 {
				continue
			}
			s := &c.joint.Steps[i]
			step := CutStep{Text: s.left() + " = " + s.right(), Pass: pass.name, Flops: c.joint.replay[i].flops, Site: s.Site}
			if pass.of != inForward && c.side[i] == inForward|again {
				step.Pass = "again"
			}
			for _, v := range s.Results {
				step.Makes = append(step.Makes, v.Name)
			}
			step.Uses = s.Uses
			c.Steps = append(c.Steps, step)
			c.After.Flops += step.Flops
		}
	}
	for _, x := range c.saved {
		p := c.joint.places[int(x)]
		v := CutValue{Name: c.joint.names[x], Type: typeText(p), Bytes: bytesOf(p), Input: c.isInput(x)}
		c.Saved = append(c.Saved, v)
		c.After.Bytes += v.Bytes
		c.After.Tensors++
	}
}

// operations writes a number of operations: 950, 1.2 k, 3.4 M.
func operations(n float64) string {
	if n < 1000 {
		return fmt.Sprintf("%.0f", n)
	}
	unit := 0
	for n /= 1000; n >= 1000 && unit < 3; unit++ {
		n /= 1000
	}
	return fmt.Sprintf("%.3g %c", n, "kMGT"[unit])
}

// change is by how much a number went up or down, in percent.
func change(before, after float64) string {
	switch {
	case before == after:
		return "the same"
	case before == 0:
		return ""
	}
	return strings.Replace(fmt.Sprintf("%+.0f %%", 100*(after-before)/before), "-", "−", 1)
}

// costs is the table of what is kept and computed.
func (c *CutProgram) costs() *draw.Tabular {
	row := func(name string, k CutCost) []string {
		return []string{name, bytesize.Text(k.Bytes), draw.Counted(k.Tensors, "tensor"), operations(k.Flops)}
	}
	g := &draw.Tabular{Head: []string{"", "kept", "", "operations"}}
	g.Rows = append(g.Rows, row("as it is", c.Before), row("minimum cut", c.After),
		[]string{"", change(float64(c.Before.Bytes), float64(c.After.Bytes)), "", change(c.Before.Flops, c.After.Flops)})
	return g
}

func (c *CutProgram) title() string {
	return c.Name + ": forward and backward, and the minimum cut between"
}

// text is a saved value in a line.
func (v *CutValue) text() string {
	what := ""
	if v.Input {
		what = "   an input"
	}
	return v.Name + ":" + v.Type + "   " + bytesize.Text(v.Bytes) + what
}

// passMarks stand before the steps of each pass.
var passMarks = map[string]string{"forward": " ", "again": "↻", "backward": " "}

// String is the text without colour.
func (c *CutProgram) String() string { return c.Text(false) }

// Text writes the costs, the forward pass, the cut with what is saved, and the backward pass.
func (c *CutProgram) Text(color bool) string {
	out := []string{draw.Bold(color, c.title())}
	out = append(out, c.costs().Text("  ", color)...)
	pass := ""
	rule := func(text string) { out = append(out, draw.Dim(color, text)) }
	cut := func() {
		rule("── the cut: saved for the backward pass " + strings.Repeat("─", 30))
		for i := range c.Saved {
			out = append(out, "  "+draw.Paint(color, 1, c.Saved[i].text()))
		}
	}
	for i := range c.Steps {
		s := &c.Steps[i]
		now := s.Pass
		if now == "again" {
			now = "backward"
		}
		if now != pass {
			if now == "backward" {
				if pass == "" {
					rule("forward")
				}
				cut()
				rule("backward; ↻ is computed once more")
			} else {
				rule("forward")
			}
			pass = now
		}
		line := passMarks[s.Pass] + " " + s.Text
		if s.Pass == "again" {
			line = draw.Paint(color, 2, line)
		}
		if s.Site != "" {
			line += "   " + draw.Dim(color, s.Site)
		}
		out = append(out, line)
	}
	if pass != "backward" {
		cut()
	}
	return strings.Join(out, "\n")
}
