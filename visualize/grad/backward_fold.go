package grad

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/fold"
)

// Note: the backward pass of a model. Its steps are folded before it runs, as the graph is: nodes run in the order of
// their making, the latest first. Only the steps that the outline shows are recorded with their values, of layers that
// are alike those of one, and the last of all.

// stepsLast is how many steps at the end are recorded in any case.
const stepsLast = 2

// backwardPlan is a pass as it will run.
type backwardPlan struct {
	order  []int // nodes
	groups []fold.Group
	shown  map[int]bool // nodes whose steps are recorded
	number map[int]int  // of each node that ran, its step
	frees  map[int]int  // bytes that it let go of
	nanos  map[int]int64
}

// plan folds the steps of a pass.
func (w *Walk) plan() *backwardPlan {
	p := &backwardPlan{shown: map[int]bool{}, number: map[int]int{}, frees: map[int]int{},
		nanos: map[int]int64{}}
	units, _ := w.units()
	o := w.outliner(units, maps.Clone(w.Labels))
	at := map[int]int{}
	for i, u := range o.units {
		for _, m := range u.members {
			at[m] = i
		}
	}
	for id, n := range w.Nodes {
		if n.Leaf() == nil {
			p.order = append(p.order, id)
		}
	}
	slices.SortFunc(p.order, func(a, b int) int { return int(w.Nodes[b].Seq()) - int(w.Nodes[a].Seq()) })
	var calls []fold.Call
	for _, id := range p.order {
		i := at[id]
		c := w.foldable(id, id, o.view(i) || o.units[i].node != id)
		if o.owner != nil {
			c.Path = o.owner[i]
		}
		calls = append(calls, c)
	}
	p.groups = fold.Tree(calls)
	var show func(groups []fold.Group)
	show = func(groups []fold.Group) {
		for _, g := range groups {
			if g.One() || len(g.Inner) == 0 && !g.Same {
				p.shown[p.order[g.Lo]] = true
			}
			show(g.Inner)
		}
	}
	show(p.groups)
	for _, id := range p.order[max(0, len(p.order)-stepsLast):] { // where sums of gradients are complete
		p.shown[id] = true
	}
	return p
}

// planned are groups of steps in words, after the pass.
func (r *backwardRecorder) planned(groups []fold.Group) (out []GraphStep) {
	for _, g := range groups {
		first := r.plan.order[g.Lo]
		s := GraphStep{Title: g.Title, Calls: g.Hi - g.Lo, All: g.Hi - g.Lo, Times: g.Times, Same: g.Same, Closed: g.Closed}
		for _, id := range r.plan.order[g.Lo:g.Hi] {
			s.Bytes += r.plan.frees[id]
			s.Nanos += r.plan.nanos[id]
		}
		if g.Times > 0 {
			s.Calls = g.Period
		}
		if g.One() {
			v := describeNode(r.w.Nodes[first], "", r.w.live)
			s.Title, s.Label, s.Shape, s.Number = v.Name, r.names[first], v.Shape, r.plan.number[first]
			s.Site = v.Site
		}
		if g.Closed {
			one := r.w.Nodes[r.plan.order[g.Only]]
			shape, _, _ := strings.Cut(describeNode(one, "", r.w.live).Shape, ", ")
			s.Title += "  " + operator(one.Name()) + "  " + shape
		}
		if s.Steps = r.planned(g.Inner); len(s.Steps) == 0 && !g.Same { // one step, times its number
			s.Number = r.plan.number[first]
		}
		out = append(out, s)
	}
	return out
}

// stepHead is a line of the outline of a pass, with the step's place where there are several.
func stepHead(s *GraphStep) string {
	if s.Number > 0 && s.Times == 0 {
		return fmt.Sprintf("step %d  %s → ∂%s  %s", s.Number, operator(s.Title), s.Label, s.Shape)
	}
	t := s.Title
	if s.Times > 1 {
		t += fmt.Sprintf(" × %d", s.Times)
	}
	if s.Calls > 1 || s.Times == 0 && !s.Closed {
		t += "  " + draw.Counted(s.Calls, "step")
	}
	if s.Times > 1 && s.Calls > 1 {
		t += fmt.Sprintf(" each, %d in all", s.All)
	}
	if s.Same {
		t += ", the same as above"
	}
	return t
}

// outlined are the steps as an outline draws them; page writes what a step has beneath it on a page.
func (b *BackwardRun) outlined(steps []GraphStep, page func(step int) string) []fold.Step {
	at := map[int]int{}
	for i := range b.Pass {
		at[b.Pass[i].Number] = i
	}
	var put func(steps []GraphStep) []fold.Step
	put = func(steps []GraphStep) []fold.Step {
		out := make([]fold.Step, len(steps))
		for i := range steps {
			s := &steps[i]
			out[i] = fold.Step{Head: stepHead(s), Group: len(s.Steps) > 0 || s.Number == 0 || s.Times > 0, Closed: s.Closed,
				Details: strings.TrimSpace(s.Title + "  " + s.Shape + "\n" + s.Site), Steps: put(s.Steps)}
			if s.Bytes > 0 {
				out[i].Right = "frees " + bytesize.Text(s.Bytes) + "  "
			}
			out[i].Site, out[i].Right = s.Site, out[i].Right+draw.Nanos(s.Nanos)
			if k, ok := at[s.Number]; ok && s.Number > 0 {
				out[i].Details = strings.Join(b.events(k, false), "\n")
				if page != nil {
					out[i].Page = page(k)
				}
			}
		}
		return out
	}
	return put(steps)
}

// outlineText is the pass of a model as a text.
func (b *BackwardRun) outlineText(color bool) string {
	s := draw.Dim(color, b.summary()) + "\n" + fold.Text(b.outlined(b.Outline, nil), mostSteps, true, color)
	return s + draw.Dim(color, fmt.Sprintf("at the prompt %%backward goes through %s, one of each that repeat",
		draw.Counted(len(b.Pass)-1, "step")))
}

// mostSteps is how many lines the text of a model's pass has.
const mostSteps = 60

// outlinePicture draws the pass of a model.
func (b *BackwardRun) outlinePicture() *draw.Canvas {
	c := &draw.Canvas{Wide: fold.Wide}
	fold.Picture(c, c.Lines(8, 16, b.summary(), draw.Faint)-7, b.outlined(b.Outline, nil))
	return c
}

// outlineHTML is the pass of a model for a page: a step unfolds to what happens in it.
func (b *BackwardRun) outlineHTML() string {
	room := frameBudget
	page := fold.Page(b.outlined(b.Outline, func(step int) string {
		var w strings.Builder
		for _, e := range b.events(step, true) {
			w.WriteString("<div>" + colored(e) + "</div>")
		}
		if room -= w.Len(); room < 0 {
			return ""
		}
		return `<div style="border-left:1px solid;margin:0 0 4px 5px;padding-left:10px;overflow-wrap:anywhere">` +
			w.String() + "</div>"
	}), draw.MaxHTML/2)
	head := draw.KeepUnits(draw.Escape(b.summary()))
	return draw.WithText(`<div style="opacity:0.75">`+head+`</div>`+page, b.Text(false))
}
