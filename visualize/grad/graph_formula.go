package grad

import (
	"fmt"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// maxGrads is how many different gradients of a node's arguments are written out.
const maxGrads = 3

// naming holds the names of the tensors in a node's formula.
type naming struct {
	result string
	args   []string          // of each edge
	saved  map[string]string // by the names of parameters
	number map[string]string // the names of constants without one
}

// calls finds the names of what node id computes with: those of variables and of other nodes' results, else the
// parameters'.
func (w *Walk) calls(id int, names map[int]string) naming {
	n := w.Nodes[id]
	params := argNames(n)
	m := naming{result: "result", saved: map[string]string{}, number: map[string]string{}}
	used := map[string]int{}
	for i, e := range n.Next() {
		name := ""
		if i < len(params) {
			name = params[i]
		}
		if e.Node != nil {
			if to, ok := w.IDs[e.Node]; ok && names[to] != "" {
				if name = draw.Clip(names[to], draw.MaxName); len(e.Node.Results()) > 1 {
					name += fmt.Sprintf("[%d]", e.Output)
				}
			}
		}
		if name == "" {
			name = fmt.Sprintf("argument %d", i)
		}
		m.args = append(m.args, name)
		if i < len(params) && name != params[i] && n.Inner() == nil {
			m.saved[params[i]] = name
		}
		used[name]++
	}
	for _, s := range saved(n) {
		if s.Tensor == nil {
			continue
		}
		if name := w.live[s.Tensor]; name != "" {
			m.saved[s.Name] = draw.Clip(name, draw.MaxName)
		} else if constant(s) {
			m.number[s.Name] = draw.ShortValue(s.Tensor.At(make([]int, s.Tensor.Dim())...))
		}
	}
	if name := draw.Clip(names[id], draw.MaxName); name != "" && used[name] == 0 {
		m.result = name
	}
	return m
}

// of is what a saved tensor is called.
func (m *naming) of(p autograd.Part) string {
	switch {
	case strings.HasPrefix(p.Name, "result"):
		if p.Name == "result" {
			return m.result
		}
		return p.Name
	case m.saved[p.Name] != "":
		return m.saved[p.Name]
	case m.number[p.Name] != "":
		return m.number[p.Name]
	case p.Arg >= 0 && p.Arg < len(m.args):
		return m.args[p.Arg]
	}
	return p.Name
}

// constant reports whether a saved tensor is one number, however often it is repeated, that nobody has given a name:
// the 1 with which a backward pass began, and what is like it.
func constant(s autograd.Saved) bool {
	x := s.Tensor
	return x.Numel() > 0 && !x.RequiresGrad() && x.Storage().Nbytes() == x.ElementSize() && s.Version == s.Current &&
		x.Device() == tensor.CPU
}

// as is what the user calls a saved tensor, "" if there is no better name than that of the parameter.
func (m *naming) as(name string) string {
	if name == "result" && m.result != name {
		return m.result
	}
	return m.saved[name]
}

// saved lists what a node keeps, and what the write keeps that it stands for.
func saved(n *autograd.Node) []autograd.Saved {
	out := n.Saved()
	if inner := n.Inner(); inner != nil {
		out = append(out, inner.Saved()...)
	}
	return out
}

// formulas are the gradients that a node makes: ∂x = g · y. Arguments that get the same stand before one sign of
// equality.
func (w *Walk) formulas(id int, m *naming) []string {
	n := w.Nodes[id]
	of := dryRun(n, func(i int) string {
		if len(n.Results()) > 1 {
			return fmt.Sprintf("g%d", i)
		}
		return "g"
	}, m.of)
	var out, targets []string
	var times []int
	more := 0
	for i, name := range m.args {
		text, ok := of[i]
		if !ok {
			continue
		}
		same := -1
		for k := range out {
			if out[k] == text {
				same = k
			}
		}
		switch {
		case same >= 0:
			if !strings.Contains(targets[same]+",", "∂"+name+",") {
				targets[same] += ", ∂" + name
			} else {
				times[same]++ // a.Mul(a): both arguments are one tensor
			}
		case len(out) == maxGrads:
			more++
		default:
			out, targets = append(out, text), append(targets, "∂"+name)
			times = append(times, 1)
		}
	}
	for k := range out {
		out[k] = draw.Clip(targets[k], 40) + " = " + out[k]
		if times[k] > 1 {
			out[k] += fmt.Sprintf(", %d times", times[k])
		}
		if n.Inner() != nil {
			out[k] = "in the view " + out[k]
		}
	}
	if more > 0 {
		out = append(out, "… "+draw.Counted(more, "more gradient"))
	}
	return out
}

// held counts the bytes that the nodes keep, and those of them that variables and leaves keep as well.
func (w *Walk) held() (all, also int) {
	elsewhere := w.elsewhere()
	seen := map[*tensor.Storage]bool{}
	for _, n := range w.Nodes {
		for _, s := range saved(n) {
			if s.Tensor == nil || seen[s.Tensor.Storage()] {
				continue
			}
			st := s.Tensor.Storage()
			seen[st] = true
			all += st.Nbytes()
			if elsewhere[st] {
				also += st.Nbytes()
			}
		}
	}
	return all, also
}

// elsewhere is the memory that leaves and variables keep.
func (w *Walk) elsewhere() map[*tensor.Storage]bool {
	elsewhere := map[*tensor.Storage]bool{}
	for x := range w.live {
		elsewhere[x.Storage()] = true
	}
	for _, n := range w.Nodes {
		if leaf := n.Leaf(); leaf != nil {
			elsewhere[leaf.Storage()] = true
		}
	}
	return elsewhere
}
