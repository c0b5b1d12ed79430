package programs

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// place is where the elements of a variable lie: in which memory, and how.
type place struct {
	memory        int
	shape, stride []int
	offset        int
	dtype         tensor.Dtype
}

// place notes where variable id lies.
func (r *programRecorder) place(id int, x *tensor.Tensor) {
	if r.p.places == nil {
		r.p.places, r.memories = map[int]place{}, map[*tensor.Storage]int{}
	}
	st := x.Storage()
	if _, known := r.memories[st]; !known {
		r.memories[st] = len(r.memories)
	}
	r.p.places[id] = place{r.memories[st], x.Shape(), x.Stride(), x.StorageOffset(), x.Dtype()}
}

// functional is the state of [Functionalize].
type functional struct {
	*rewriter
	places map[int]place
	root   map[int]ref // by memory: the first variable that lies in it
	whole  map[int]ref // by memory that was written to: its elements in one dimension
	fresh  map[ref]int // the number of writes that what stands for a variable has seen
	count  map[int]int // writes by memory
	after  bool        // the steps that are made belong to the backward pass
}

// Functionalize replaces writes in place, and into the destinations of opt.Out, by operators that make new tensors. A
// write through a view becomes a new tensor for the whole memory, with the elements of the view replaced; other views
// are taken anew from it. What was written into inputs is copied into them at the end. It panics with an *Error where
// the elements that are written to do not lie in memory without gaps, or are seen in two dtypes.
func Functionalize(p *CapturedProgram) *CapturedProgram {
	f := &functional{rewrite(p), maps.Clone(p.places), map[int]ref{}, map[int]ref{}, map[ref]int{}, map[int]int{}, false}
	f.to.places = f.places
	for _, id := range p.inputs {
		f.first(ref(id))
	}
	for _, c := range p.consts {
		f.first(ref(c.id))
	}
	for i, r := range p.replay {
		f.after = r.after
		f.guardsAt(i)
		for _, v := range r.kwargs {
			refs(v, f.refresh)
		}
		if !p.Steps[i].Writes {
			f.keep(i)
			for _, id := range r.results {
				f.first(ref(id))
				f.fresh[ref(id)] = f.count[f.places[id].memory]
			}
			continue
		}
		f.write(i)
	}
	for _, id := range p.gives {
		f.refresh(ref(id))
	}
	f.guardsAt(len(p.replay))
	seen := map[int]bool{}
	for _, id := range p.inputs {
		if f.count[f.places[id].memory] > 0 && !seen[id] {
			seen[id] = true
			f.refresh(ref(id))
			if now := f.now(ref(id)); now != ref(id) {
				f.step("copy_", map[string]any{"self": ref(id), "src": now}, []int{id}, "", true)
			}
		}
	}
	return f.finish()
}

// guardsAt has the guarded variables made anew before they are compared.
func (f *functional) guardsAt(i int) {
	for _, g := range f.from.Reads {
		if g.step == i {
			f.refresh(ref(g.id))
		}
	}
	if i < len(f.from.replay) {
		f.guardsBefore(i)
	}
}

func (f *functional) first(r ref) {
	m := f.places[int(r)].memory
	if _, known := f.root[m]; !known {
		f.root[m] = r
	}
}

// step adds a step.
func (f *functional) step(op string, kwargs map[string]any, results []int, site string, writes bool) {
	s := ProgramStep{Op: op, Site: site, Writes: writes}
	for _, id := range results {
		p := f.places[id]
		s.Results = append(s.Results, ProgramVar{f.names[id], typeText(p)})
	}
	f.to.Steps = append(f.to.Steps, s)
	f.to.replay = append(f.to.replay, replayStep{op: op, kwargs: kwargs, results: results, after: f.after})
	f.describe(len(f.to.Steps) - 1)
}

// variable makes a new variable that lies as p does.
func (f *functional) variable(p place) ref {
	f.names = append(f.names, f.number())
	id := len(f.names) - 1
	f.places[id] = p
	return ref(id)
}

// number is the next name of what has none.
func (f *functional) number() string {
	for n := len(f.names) + 1; ; n++ {
		if name := "#" + strconv.Itoa(n); !slices.Contains(f.names, name) {
			return name
		}
	}
}

// flat is the memory of r in one dimension.
func (f *functional) flat(r ref, site string) ref {
	p := f.places[int(r)]
	if x, ok := f.whole[p.memory]; ok {
		return x
	}
	root := f.root[p.memory]
	b := f.places[int(root)]
	n := elements(b.shape)
	order, dense := memoryOrder(b)
	if !dense || p.dtype != b.dtype {
		panic(tensor.Errorf("functionalize", "%s is written to, in memory that %s sees as %s with stride %v: its "+
			"elements must lie without gaps and be seen in one dtype", f.names[r], f.names[root], typeText(b), b.stride))
	}
	from := f.now(root)
	if !slices.IsSorted(order) { // a transpose: the elements in the order of memory
		q := place{p.memory, make([]int, len(order)), make([]int, len(order)), b.offset, b.dtype}
		for i, d := range order {
			q.shape[i], q.stride[i] = b.shape[d], b.stride[d]
		}
		turned := f.variable(q)
		f.step("permute", map[string]any{"self": from, "dims": order}, []int{int(turned)}, site, false)
		from = turned
	}
	x := f.variable(place{p.memory, []int{n}, []int{1}, 0, b.dtype})
	f.step("reshape", map[string]any{"self": from, "shape": []int{n}}, []int{int(x)}, site, false)
	f.whole[p.memory] = x
	return x
}

// refresh makes what stands for r anew where its memory has been written to since.
func (f *functional) refresh(r ref) {
	p := f.places[int(r)]
	if f.fresh[r] == f.count[p.memory] {
		return
	}
	b := f.places[int(f.root[p.memory])]
	x := f.variable(p)
	f.step("as_strided", map[string]any{"self": f.whole[p.memory], "size": p.shape, "stride": p.stride,
		"storage_offset": p.offset - b.offset}, []int{int(x)}, "", false)
	f.as[r] = x
	f.fresh[r] = f.count[p.memory]
}

// write replaces a step that writes.
func (f *functional) write(i int) {
	s, r := f.from.Steps[i], f.from.replay[i]
	kwargs := map[string]any{}
	for k, v := range r.kwargs {
		if k != "out" {
			kwargs[k] = f.renamed(v)
		}
	}
	var targets []ref
	refs(r.kwargs["out"], func(x ref) { targets = append(targets, x) })
	op := r.op
	if len(targets) == 0 {
		self := selfName(op)
		target, _ := r.kwargs[self].(ref)
		targets = []ref{target}
		if base, inPlace := strings.CutSuffix(op, "_"); inPlace && tensor.Lookup(base) != nil {
			op = base
		} else { // it has no other form: it writes into a copy
			c := f.variable(f.places[int(target)])
			f.step("clone", map[string]any{"self": f.now(target)}, []int{int(c)}, s.Site, false)
			kwargs[self] = c
			f.step(op, kwargs, []int{int(c)}, s.Site, true)
			f.put(target, c, s.Site)
			return
		}
	}
	var made []int
	for range targets {
		p := f.places[int(targets[len(made)])]
		dtype := p.dtype
		if f.mayConvert(op, kwargs, dtype) {
			dtype = tensor.NoDtype // it is known when the step runs
		}
		made = append(made, int(f.variable(place{-1 - len(f.names), p.shape, p.stride, 0, dtype})))
	}
	f.step(op, kwargs, made, s.Site, false)
	for k, t := range targets {
		x := ref(made[k])
		p := f.places[int(t)]
		if f.mayConvert(op, kwargs, p.dtype) {
			c := f.variable(p)
			f.step("_to_copy", map[string]any{"self": x, "dtype": p.dtype}, []int{int(c)}, s.Site, false)
			x = c
		}
		f.put(t, x, s.Site)
	}
}

// put makes x the elements of t from here on.
func (f *functional) put(t, x ref, site string) {
	p := f.places[int(t)]
	b := f.places[int(f.root[p.memory])]
	flat := f.flat(t, site)
	y := f.variable(f.places[int(flat)])
	f.step("as_strided_scatter", map[string]any{"self": flat, "src": x, "size": p.shape, "stride": p.stride,
		"storage_offset": p.offset - b.offset}, []int{int(y)}, site, false)
	f.whole[p.memory] = y
	f.count[p.memory]++
	f.as[t] = x
	f.fresh[t] = f.count[p.memory]
}

// mayConvert reports whether the operator may give another dtype than that of what it is written to.
func (f *functional) mayConvert(op string, kwargs map[string]any, to tensor.Dtype) (yes bool) {
	for _, v := range kwargs {
		refs(v, func(r ref) { yes = yes || f.places[int(r)].dtype != to })
	}
	return yes || operatorOf(op).Tags.Has(opdef.BoolResult)
}

// selfName is the parameter that an in-place operator writes to.
func selfName(op string) string {
	o := operatorOf(op)
	return o.Params[max(o.Self(), 0)].Name
}

func elements(shape []int) int {
	n := 1
	for _, s := range shape {
		n *= s
	}
	return n
}

// memoryOrder lists the dimensions by falling stride, those of size 1 first, and reports whether the elements then lie
// row by row, without gaps.
func memoryOrder(p place) (order []int, dense bool) {
	for d := range p.shape {
		order = append(order, d)
	}
	step := func(d int) int {
		if p.shape[d] == 1 {
			return math.MaxInt
		}
		return p.stride[d]
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(step(b), step(a)) })
	n := 1
	for _, d := range slices.Backward(order) {
		if p.shape[d] != 1 && p.stride[d] != n {
			return order, false
		}
		n *= p.shape[d]
	}
	return order, true
}

// typeText is the dtype and shape of a variable, "" where they are known when the program runs.
func typeText(p place) string {
	if p.dtype == tensor.NoDtype {
		return ""
	}
	return fmt.Sprintf("%s%v", p.dtype, p.shape)
}
