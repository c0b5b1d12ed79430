package grad

import (
	"fmt"
	"math"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// name names every value of the graph: as the user does, numbered where one name was given to several, as in a
// loop; t₁, t₂ and so on for what has no name.
func (r *backwardRecorder) name() {
	given := r.w.assigned()
	for id, label := range r.w.Labels {
		if given[id] == "" && isName(label) {
			given[id] = label
		}
	}
	count, nth := map[string]int{}, map[string]int{}
	for _, name := range given {
		count[name]++
	}
	r.names = map[int]string{}
	unnamed := 0
	for _, id := range r.order {
		name := draw.Clip(given[id], draw.MaxName)
		switch {
		case name == "":
			unnamed++
			name = "t" + draw.Subscript(unnamed)
		case count[given[id]] > 1:
			nth[name]++
			name += draw.Subscript(nth[name])
		}
		r.names[id] = name
	}
}

// isName reports whether a label is a name and not an expression.
func isName(s string) bool {
	return s != "" && !strings.ContainsAny(s, " ().,+-*/[]{}@&")
}

// gradName is the name of the gradient of a result.
func (r *backwardRecorder) gradName(id, output int) string {
	name := "∂" + r.names[id]
	if len(r.w.Nodes[id].Results()) > 1 {
		name += fmt.Sprintf("[%d]", output)
	}
	return name
}

// findValues finds the values of the forward pass that are still to be had.
func (r *backwardRecorder) findValues(xs []*tensor.Tensor) {
	for id, n := range r.w.Nodes {
		if leaf := n.Leaf(); leaf != nil {
			r.values[id] = leaf
		}
	}
	note := func(x *tensor.Tensor) {
		a := x.AutogradMeta()
		if a == nil || a.Fn == nil || a.Output > 0 {
			return
		}
		if n, ok := a.Fn.(*autograd.Node); ok {
			if id, ok := r.w.IDs[n]; ok && r.values[id] == nil {
				r.values[id] = x
			}
		}
	}
	for _, x := range xs {
		note(x)
	}
	for x := range r.w.live {
		note(x)
	}
	for _, n := range r.w.Nodes {
		for _, s := range saved(n) {
			if s.Tensor != nil && s.Version == s.Current {
				note(s.Tensor)
			}
		}
	}
}

// line describes a value.
func (r *backwardRecorder) line(id int) BackwardLine {
	n := r.w.Nodes[id]
	l := BackwardLine{Name: r.names[id], Site: draw.SiteText(n.Site()), Order: n.Order()}
	if x := r.values[id]; x != nil {
		l.Value = valueText(x)
	}
	if leaf := n.Leaf(); leaf != nil {
		l.Leaf, l.Shape, l.Text = true, draw.DtypeShape(leaf), l.Name
		return l
	}
	for i, o := range n.Results() {
		if i == 2 {
			l.Shape += fmt.Sprintf(" … %d more", len(n.Results())-i)
			break
		}
		l.Shape = strings.TrimSpace(l.Shape + fmt.Sprintf(" %s%v", o.Dtype, o.Shape))
	}
	text := r.call(id)
	if n.Inner() != nil {
		text = "a view ← " + text
	}
	l.Text = l.Name + " = " + draw.Clip(text, 46)
	return l
}

// call writes the call that a node recorded, as a formula.
func (r *backwardRecorder) call(id int) string {
	n := r.w.Nodes[id]
	op := n.Op()
	m := r.w.calls(id, r.names)
	if n.Custom() != nil {
		return n.OpName() + "(" + strings.Join(m.args, ", ") + ")"
	}
	if op == nil {
		return n.Name()
	}
	given := n.Args()
	if inner := n.Inner(); inner != nil {
		given = inner.Args()
	}
	var args []spelled
	edge := 0
	next := func(name string) spelled {
		a := spelled{name: name, term: term{name, bindsAll}, tensor: true, number: math.NaN()}
		if edge < len(m.args) {
			a.text, a.shape = m.args[edge], n.ArgShape(edge)
			if n.Next()[edge].Node == nil {
				for _, known := range []string{m.number[name], m.saved[name]} {
					if known != "" {
						a.text = known
					}
				}
			}
		}
		edge++
		return a
	}
	for i := range op.Params {
		p := &op.Params[i]
		v, has := given[p.Name]
		switch {
		case p.Is("Tensor") && has && v != nil:
			edge++
			args = append(args, plainArg(p.Name, v))
		case p.Is("Tensor"):
			if a := next(p.Name); n.ArgShape(edge-1) != nil {
				args = append(args, a)
			}
		case p.IsList("Tensor"):
			var parts []string
			for edge < len(m.args) {
				if a := next(p.Name); len(parts) < 4 {
					parts = append(parts, a.text)
				}
			}
			args = append(args, spelled{name: p.Name, term: term{"[" + strings.Join(parts, ", ") + "]", bindsAll},
				number: math.NaN()})
		case has && v != nil:
			args = append(args, plainArg(p.Name, v))
		}
	}
	return spell(op, args).text
}

// plainArg is an argument that is no tensor.
func plainArg(name string, v any) spelled {
	a := spelled{name: name, number: math.NaN(), term: term{argText(v), bindsAll}}
	switch v := v.(type) {
	case []int:
		a.ints = v
	case []any, []*tensor.Tensor, bool:
	case string:
		a.text = fmt.Sprintf("%q", v)
	default:
		if s, ok := tensor.ScalarOf(v); ok {
			a.number, a.term = s.Float(), number(s)
		}
	}
	return a
}

// maxWhole is how many elements of a tensor are written out in a step.
const maxWhole = 8

// valueText writes a tensor into a line: small ones whole, of others the first elements, their number and their norm.
func valueText(x *tensor.Tensor) string {
	if x == nil {
		return "none"
	}
	n := x.Numel()
	if n == 0 {
		return draw.DtypeShape(x)
	}
	if x.Device().Virtual() {
		return draw.DtypeShape(x) + " without elements"
	}
	if x.Layout() >= tensor.SparseCOO {
		return fmt.Sprintf("%s %s with %s", x.Layout(), draw.DtypeShape(x), draw.Counted(x.Nnz(), "value"))
	}
	if n <= maxWhole {
		return nested(x, nil)
	}
	var parts []string
	first := make([]int, x.Dim())
	for k := range 3 {
		at := k
		for d := x.Dim() - 1; d >= 0; d-- {
			first[d], at = at%x.Size(d), at/x.Size(d)
		}
		parts = append(parts, draw.ShortValue(x.At(first...)))
	}
	text := fmt.Sprintf("%v[%s … %d numbers", x.Shape(), strings.Join(parts, " "), n)
	tensor.Try(func() {
		y := x.Detach()
		if y.Dtype().IsDifferentiable() {
			text += ", norm " + draw.ShortValue(y.Norm().Item())
		}
	})
	return text + "]"
}

// nested writes the elements of x from an index on.
func nested(x *tensor.Tensor, index []int) string {
	if len(index) == x.Dim() {
		return draw.ShortValue(x.At(index...))
	}
	var parts []string
	for i := range x.Size(len(index)) {
		parts = append(parts, nested(x, append(index[:len(index):len(index)], i)))
	}
	return "[" + strings.Join(parts, " ") + "]"
}
