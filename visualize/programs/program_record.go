package programs

import (
	"fmt"
	"slices"
	"strings"
	"weak"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// programRecorder is what a scope's Trace field holds while a program is captured. It holds the tensors until the
// end, so that none is taken for another.
type programRecorder struct {
	p     *CapturedProgram
	vars  map[*tensor.Tensor]int
	names []string // by variable
	of    []*tensor.Tensor
	taken map[string]bool
	times map[string]int // by name: how often it was assigned
	live  map[*tensor.Tensor]string
	layer []string // calls on tensors of transforms that run
	last  []*tensor.Tensor
	free  bool // variables that are read become inputs
	next  int  // of numbers
	named namedRun
	// unnamed: what is made now is not what statements assign.
	unnamed bool
	given   []*tensor.Tensor
	// memories numbers the storages.
	memories map[*tensor.Storage]int
	// beneath counts the calls on plain tensors that run: what they read is their own affair.
	beneath int
	dynamic bool                      // a shape that depends on values was made
	kept    int                       // hidden calls
	inner   map[*tensor.Tensor]string // what was made beneath a call, and the call
}

// recorded reports whether autograd records the call.
func recorded(c *tensor.Call) (yes bool) {
	if !autograd.IsGradEnabled() {
		return false
	}
	c.EachTensor(func(_ int, t *tensor.Tensor) { yes = yes || t.RequiresGrad() })
	return yes
}

// hiddenStep is a call that another made beneath: autograd saves a copy of what a write in place overwrites.
type hiddenStep struct {
	x      *tensor.Tensor
	step   ProgramStep
	replay replayStep
}

// hiddenSince lists the calls since step number steps that made one tensor of variables alone that are there, those
// before names, and that could have been made beforehand.
func (r *programRecorder) hiddenSince(steps, names int) (list []hiddenStep) {
	for i := steps; i < len(r.p.Steps); i++ {
		s, again := &r.p.Steps[i], r.p.replay[i]
		if s.Writes {
			return list
		}
		if effects(s) || len(again.results) != 1 || again.results[0] < names {
			continue
		}
		known := true
		for _, v := range again.kwargs {
			refs(v, func(x ref) { known = known && int(x) < names })
		}
		if known {
			list = append(list, hiddenStep{r.of[again.results[0]], *s, again})
		}
	}
	return list
}

// keepHidden makes steps of hidden calls, but of what the outer call gives. Those that nothing reads are taken out in
// the end.
func (r *programRecorder) keepHidden(list []hiddenStep, results []*tensor.Tensor) {
	for _, h := range list {
		if slices.Contains(results, h.x) {
			continue
		}
		delete(r.inner, h.x)
		r.kept++
		id := r.define(h.x, fmt.Sprintf("kept%d", r.kept))
		h.replay.results = []int{id}
		h.step.Results = []ProgramVar{{r.names[id], draw.DtypeShape(h.x)}}
		h.step.hidden = true
		r.p.Steps, r.p.replay = append(r.p.Steps, h.step), append(r.p.replay, h.replay)
	}
}

func newProgramRecorder() *programRecorder {
	return &programRecorder{p: &CapturedProgram{replay: []replayStep{}}, vars: map[*tensor.Tensor]int{},
		taken: map[string]bool{}, times: map[string]int{}, live: draw.LiveNames(),
		inner: map[*tensor.Tensor]string{}}
}

// aside runs f unrecorded.
func aside(f func()) {
	tensor.Under(0, tensor.Set(tensor.KeyTrace, tensor.KeyAutograd), f)
}

func (r *programRecorder) input(x *tensor.Tensor, name string) {
	if id, ok := r.vars[x]; ok { // given twice
		r.p.inputs = append(r.p.inputs, id)
	} else {
		r.p.inputs = append(r.p.inputs, r.define(x, name))
	}
	r.p.Inputs = append(r.p.Inputs, ProgramVar{r.names[r.vars[x]], draw.DtypeShape(x)})
	r.p.forms = append(r.p.forms, formOf(x, r.given))
	r.given = append(r.given, x)
}

// variable is that of x, a new one if x comes from elsewhere.
func (r *programRecorder) variable(x *tensor.Tensor) ref {
	if id, ok := r.vars[x]; ok {
		return ref(id)
	}
	if r.free && r.live[x] != "" {
		r.input(x, r.live[x])
		return ref(r.vars[x])
	}
	if op := r.inner[x]; op != "" {
		r.p.hidden = op
	}
	id := r.define(x, r.live[x])
	r.p.Consts = append(r.p.Consts, ProgramVar{r.names[id], draw.DtypeShape(x)})
	c := heldTensor{id: id, weak: weak.Make(x)}
	if x.Numel() <= maxHeld && !x.Device().Virtual() && r.live[x] == "" {
		aside(func() { c.held = x.Clone() })
	}
	r.p.consts = append(r.p.consts, c)
	return ref(id)
}

// Watch notes a call on plain tensors as a step, and lets one on tensors of a transform go on.
func (r *programRecorder) Watch(c *tensor.Call) {
	if len(r.p.Steps) >= maxProgramSteps {
		r.p.More++
		c.Next()
		return
	}
	at := draw.CurrentSite()
	if r.beneath == 0 {
		r.settle(at)
	}
	layered := ""
	c.EachTensor(func(_ int, t *tensor.Tensor) {
		if t.Layer() != nil && layered == "" {
			layered = c.Name() + " " + layerType(t)
		}
	})
	if layered == "" && c.Op.IsComposite() && recorded(c) {
		layered = c.Name() // what its parts save for backward are values of the program
	}
	if layered != "" {
		r.layer = append(r.layer, layered)
		defer func() { r.layer = r.layer[:len(r.layer)-1] }()
		c.Next()
		return
	}
	step := ProgramStep{Op: c.Op.Full, For: append([]string(nil), r.layer...), Writes: c.IsWrite()}
	if c.Variant == tensor.InPlace {
		step.Op += "_"
	}
	if !at.IsZero() {
		step.Site = at.String()
	}
	again := replayStep{op: step.Op, kwargs: map[string]any{}}
	for i := range c.NumArgs() {
		if c.Given(i) {
			v, text := r.argument(c.Arg(i), &step)
			again.kwargs[c.Op.Params[i].Name] = v
			if i > 0 && c.Op.Params[i].HasDef || c.Op.Params[i].KwOnly {
				text = c.Op.Params[i].Name + "=" + text
			}
			step.Args = append(step.Args, text)
		} else if p := &c.Op.Params[i]; p.Optional && !p.HasDef {
			again.kwargs[p.Name] = nil
		}
	}
	if c.Variant == tensor.OutVariant {
		var out []any
		for _, t := range c.Written() {
			v, text := r.argument(t, &step)
			out = append(out, v)
			step.Args = append(step.Args, "out="+text)
		}
		again.kwargs["out"] = any(out)
		if len(out) == 1 {
			again.kwargs["out"] = out[0]
		}
	}
	steps := len(r.p.Steps)
	consts, inputs, names, next := len(r.p.Consts), len(r.p.Inputs), len(r.names), r.next
	r.p.strided = r.p.strided || strings.HasPrefix(c.Op.Name, "as_strided")
	for _, w := range c.Written() {
		for _, x := range r.given {
			r.p.writesInputs = r.p.writesInputs || tensor.SharesStorage(w, x)
		}
	}
	outer := r.dynamic
	r.dynamic = c.Op.Class() == opdef.Dynamic
	r.beneath++
	c.Next()
	r.beneath--
	step.Sized = r.dynamic
	r.dynamic = outer || r.dynamic
	for _, y := range c.Results() {
		if y.Layer() != nil { // random numbers inside of vmap: the transform made other calls of it
			return
		}
	}
	if again.flops = c.Flops(); again.flops == 0 { // a body: that of its parts
		again.costly = c.Op.Class() == opdef.Fixed || c.Op.Class() == opdef.Dynamic
		for _, part := range r.p.replay[steps:] {
			again.flops += part.flops
			again.costly = again.costly || part.costly
		}
	}
	// What the call did beneath is not part of the program.
	hidden := r.hiddenSince(steps, names)
	for id := names; id < len(r.names); id++ {
		r.inner[r.of[id]] = c.Name()
		delete(r.vars, r.of[id])
		delete(r.taken, r.names[id])
	}
	r.names, r.of, r.next = r.names[:names], r.of[:names], min(r.next, next)
	r.p.Steps, r.p.replay = r.p.Steps[:steps], r.p.replay[:steps]
	r.p.Consts, r.p.consts = r.p.Consts[:consts], r.p.consts[:consts]
	r.p.Inputs, r.p.inputs = r.p.Inputs[:inputs], r.p.inputs[:inputs]
	r.p.forms, r.given = r.p.forms[:inputs], r.given[:inputs]
	r.keepHidden(hidden, c.Results())
	r.last = append([]*tensor.Tensor(nil), c.Results()...)
	for _, y := range c.Results() {
		id, known := r.vars[y]
		if !known {
			id = r.define(y, "")
		}
		again.results = append(again.results, id)
		step.Results = append(step.Results, ProgramVar{r.names[id], draw.DtypeShape(y)})
	}
	r.p.Steps, r.p.replay = append(r.p.Steps, step), append(r.p.replay, again)
	r.named = namedRun{at: at, step: len(r.p.Steps), made: made(names, again.results)}
	if c.Op.Rets[0].Is("bool") { // a Go value
		r.WatchRead(c.Op.Name, c.Ret(0), nil)
	}
}

// argument returns an argument as it is kept and as it is written.
func (r *programRecorder) argument(v any, step *ProgramStep) (kept any, text string) {
	use := func(x *tensor.Tensor) ref {
		id := r.variable(x)
		step.Uses = append(step.Uses, r.names[id])
		return id
	}
	switch v := v.(type) {
	case nil:
		return nil, "none"
	case *tensor.Tensor:
		id := use(v)
		return id, r.names[id]
	case []*tensor.Tensor:
		var ids []ref
		var names []string
		for _, x := range v {
			id := use(x)
			ids, names = append(ids, id), append(names, r.names[id])
		}
		return ids, "[" + draw.Clip(strings.Join(names, " "), 40) + "]"
	case []any:
		var list []any
		var texts []string
		for _, e := range v {
			if x, ok := e.(*tensor.Tensor); ok && x != nil {
				id := use(x)
				list, texts = append(list, id), append(texts, r.names[id])
			} else {
				list, texts = append(list, e), append(texts, fmt.Sprint(e))
			}
		}
		return list, "[" + draw.Clip(strings.Join(texts, " "), 40) + "]"
	}
	return v, draw.Clip(fmt.Sprint(v), 40)
}

// finish names the outputs and marks what they do not need.
func (r *programRecorder) finish(ys []*tensor.Tensor) *CapturedProgram {
	p := r.p
	r.settle(tensor.Site{})
	for _, y := range ys {
		if y == nil || y.Layer() != nil {
			continue
		}
		id := r.variable(y)
		p.gives, p.Outputs = append(p.gives, int(id)), append(p.Outputs, r.names[id])
	}
	p.names = r.names
	p.markDead()
	p.dropHidden()
	r.inner = nil
	r.vars, r.of, r.live, r.last, r.given, r.memories = nil, nil, nil, nil, nil, nil
	return p
}

// markDead marks the steps whose results nothing needs.
func (p *CapturedProgram) markDead() {
	need := map[string]bool{}
	for _, g := range p.Reads {
		need[p.names[g.id]] = true
	}
	for _, name := range p.Outputs {
		need[name] = true
	}
	for i := len(p.Steps) - 1; i >= 0; i-- {
		s := &p.Steps[i]
		alive := s.Writes || s.Sized
		for _, v := range s.Results {
			alive = alive || need[v.Name]
		}
		if s.Dead = !alive; alive {
			for _, u := range s.Uses {
				need[u] = true
			}
		}
	}
}
