package grad

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Note: formulas as text. The engine runs code, not text. What stands in a view is what that code did when it was run
// once on tensors without elements ([autograd.Node.DryRun]): every operator that it called, written as people write
// it. There is no second list of derivatives that could say something else.

// term is a piece of a formula, and how tightly it holds together.
type term struct {
	text  string
	binds int
}

// How tightly: sums, products, a sign, powers, names and calls.
const (
	bindsNot = iota
	bindsCompare
	bindsSum
	bindsProduct
	bindsSign
	bindsPower
	bindsAll
)

// maxFormula is how many columns of a formula are shown, maxTerm how long it may grow before the rest of it is left
// out.
const (
	maxFormula = 72
	maxTerm    = 400
)

func (t term) in(least int) string {
	if t.binds < least {
		return "(" + t.text + ")"
	}
	return t.text
}

// Spelling writes down what a function calls. It is what a scope's Trace field holds.
type Spelling struct {
	terms map[*tensor.Tensor]term
	parts map[*tensor.Tensor]string // of what a formula fills: how it looks at it
	depth int
}

func (s *Spelling) Watch(c *tensor.Call) {
	if s.depth > 0 {
		c.Next()
		return
	}
	self := c.Self()
	// made beneath all operators, to be filled
	if _, known := s.terms[self]; self != nil && !known && (c.IsView() || c.IsWrite()) {
		s.terms[self] = term{fmt.Sprintf("zeros(%v)", self.Shape()), bindsAll}
	}
	args := s.args(c)
	s.depth++
	defer func() { s.depth-- }()
	c.Next()
	if assigns[c.Op.Name] && len(args) > 1 {
		if base, part := self.Base(), s.parts[self]; base != nil && part != "" {
			s.terms[base] = term{s.of(base).text + " with " + part + " = " + args[1].text, bindsNot}
		} else {
			s.terms[self] = args[1].term
		}
		return
	}
	t := spell(c.Op, args)
	if len(t.text) > maxTerm {
		t = term{"…", bindsAll}
	}
	for i, r := range c.Results() {
		if r == nil {
			continue
		}
		if _, known := s.terms[r]; known && !c.IsWrite() {
			continue // an operator that found nothing to do
		}
		if len(c.Results()) > 1 {
			r, t := r, term{fmt.Sprintf("%s[%d]", t.in(bindsAll), i), bindsAll}
			s.terms[r] = t
			continue
		}
		if s.terms[r] = t; c.IsView() && self != nil && r.Base() == self {
			args[0].text = ""
			s.parts[r] = strings.Replace(spell(c.Op, args).text, "(, ", "(", 1)
		}
	}
}

// spelled is an argument of a call in a formula.
type spelled struct {
	name string // of the parameter
	term
	tensor bool
	shape  []int
	number float64 // NaN if it is none
	ints   []int
}

func (s *Spelling) args(c *tensor.Call) []spelled {
	var out []spelled
	for i := range c.NumArgs() {
		a := spelled{name: c.Op.Params[i].Name, number: math.NaN()}
		if x := c.Tensor(i); x != nil {
			a.term, a.tensor, a.shape = s.of(x), true, x.Shape()
			out = append(out, a)
			continue
		}
		if !c.Given(i) || c.IsNone(i) {
			continue
		}
		if n, ok := c.Scalar(i); ok {
			a.term = number(n)
			a.number = n.Float()
		} else if xs := c.Tensors(i); xs != nil {
			var parts []string
			for k, x := range xs {
				if k == 3 {
					parts = append(parts, "…")
					break
				}
				parts = append(parts, s.of(x).text)
			}
			a.term = term{"[" + strings.Join(parts, ", ") + "]", bindsAll}
		} else if list := c.Indices(i); list != nil {
			a.term = term{s.index(list), bindsAll}
		} else {
			a.ints = c.Ints(i)
			text := draw.OneLine(fmt.Sprint(c.Arg(i)), 30)
			if v, ok := c.Arg(i).(string); ok {
				text = strconv.Quote(v)
			}
			a.term = term{text, bindsAll}
		}
		out = append(out, a)
	}
	return out
}

func (s *Spelling) index(list []any) string {
	var parts []string
	for _, v := range list {
		if x, ok := v.(*tensor.Tensor); ok && x != nil {
			parts = append(parts, s.of(x).text)
		} else {
			parts = append(parts, strings.ReplaceAll(fmt.Sprint(v), "<nil>", ":"))
		}
	}
	return draw.Clip("["+strings.Join(parts, ", ")+"]", 40)
}

// of is the text for x: what made it in this formula, else something that the formula had from elsewhere.
func (s *Spelling) of(x *tensor.Tensor) term {
	if t, ok := s.terms[x]; ok {
		return t
	}
	return term{"…", bindsAll}
}

func number(n tensor.Scalar) term {
	text := draw.OneLine(fmt.Sprint(n.Any()), 12)
	if f := n.Float(); !n.IsComplex() && !n.IsBool() && !n.IsInt() {
		text = strconv.FormatFloat(f, 'g', 5, 64)
	}
	if strings.HasPrefix(text, "-") {
		return term{text, bindsSign}
	}
	return term{text, bindsAll}
}

// dryRun returns the formulas of a node, one for each edge that a gradient takes: grad and saved name what they are
// made of. Where several results have gradients, grad is called with their number.
func dryRun(n *autograd.Node, grad func(result int) string, saved func(p autograd.Part) string) map[int]string {
	s := &Spelling{terms: map[*tensor.Tensor]term{}, parts: map[*tensor.Tensor]string{}}
	var grads autograd.Grads
	var err error
	draw.WithRecorder(s, func() {
		grads, err = n.DryRun(func(parts []autograd.Part) {
			for _, p := range parts {
				if p.Grad {
					s.terms[p.Tensor] = term{grad(p.Index), bindsAll}
				} else {
					s.terms[p.Tensor] = term{saved(p), bindsAll}
				}
			}
		})
	})
	if err != nil {
		return nil
	}
	out := map[int]string{}
	for i, g := range grads {
		if g == nil || i >= len(n.Next()) || n.Next()[i].Node == nil {
			continue
		}
		t := s.of(g)
		if shape := n.ArgShape(i); shape != nil && g.Numel() != count(shape) {
			t = term{fmt.Sprintf("sum_to_size(%s, %v)", t.text, shape), bindsAll}
		}
		out[i] = draw.Clip(t.text, maxFormula)
	}
	return out
}

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}
