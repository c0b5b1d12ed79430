package runs

import (
	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/fold"
)

// Note: whose call it is. An outermost call belongs to the module whose parameter it takes, or a view of one; see
// package fold. A call of a backward pass belongs where the call stood whose derivative it is part of.

// places says of the outermost calls where they stand: in which function of a cell, and in which module.
func (w *writer) places(calls []*TracedCall) {
	params := fold.Places(w.taken())
	owner := make([][]string, len(calls))
	module := func(x *tensor.Tensor) []string {
		if x == nil {
			return nil
		}
		if p, ok := params[x]; ok {
			return p.Module
		}
		return params[x.Base()].Module
	}
	var roots []int
	for i, c := range calls {
		e := w.events.at(i)
		if e.parent >= 0 {
			continue
		}
		roots = append(roots, i)
		c.Func = draw.Tidy(fold.FuncAt(e.site.Cell, e.site.Line))
		if e.origin != nil {
			owner[i] = w.origin(c, e, owner, module)
			continue
		}
		for _, a := range e.args {
			if a.kind == tensorArg && owner[i] == nil {
				owner[i] = module(a.tensor.Value())
			}
		}
	}
	for lo := 0; lo < len(roots); { // what is computed forwards and what backwards has nothing in common
		hi := lo
		var paths [][]string
		for backward := w.events.at(roots[lo]).modes & backwardMode; hi < len(roots) &&
			w.events.at(roots[hi]).modes&backwardMode == backward; hi++ {
			paths = append(paths, owner[roots[hi]])
		}
		for k, p := range fold.Between(paths) {
			c := calls[roots[lo+k]]
			c.Modules = draw.TidyLists([][]string{p})[0]
			owner[roots[lo+k]] = p
		}
		lo = hi
	}
	for _, i := range roots { // between settles what a forward call belongs to after its derivative was seen
		if o := w.events.at(i).origin; o != nil {
			if k, ok := w.made[o.seq]; ok && owner[k] != nil {
				calls[i].Modules = calls[k].Modules
			}
		}
	}
}

// origin is the module of a call of a backward pass; the call is told the line of the forward pass.
func (w *writer) origin(c *TracedCall, e *event, owner [][]string, module func(*tensor.Tensor) []string) []string {
	site := e.origin.site
	k, known := w.made[e.origin.seq]
	if known {
		site = w.events.at(k).site
	}
	if !site.IsZero() {
		c.Of = draw.SiteText(site)
		c.Func = draw.Tidy(fold.FuncAt(site.Cell, site.Line))
	}
	if known && owner[k] != nil {
		return owner[k]
	}
	return module(e.origin.leaf.Value())
}

// taken tells which tensors the outermost calls take, or lead to.
func (w *writer) taken() func(x *tensor.Tensor) bool {
	seen := map[*tensor.Tensor]bool{}
	see := func(x *tensor.Tensor) {
		if x != nil {
			seen[x] = true
			if b := x.Base(); b != nil {
				seen[b] = true
			}
		}
	}
	for i := range w.events.n {
		e := w.events.at(i)
		if e.parent >= 0 {
			continue
		}
		for _, a := range e.args {
			if a.kind == tensorArg {
				see(a.tensor.Value())
			}
		}
		if e.origin != nil {
			see(e.origin.leaf.Value())
		}
	}
	return func(x *tensor.Tensor) bool { return seen[x] }
}
