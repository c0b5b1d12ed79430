package nn

import (
	"reflect"
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
)

// Note: a summary. Modules are plain structs whose methods nobody can listen to; what can be seen are the operators
// that a forward pass calls, and the tensors that they take. A call belongs to the module whose parameter it takes.
// One that takes none belongs to the module whose method called it. Which one that is a session knows of methods that
// a cell declares; of compiled ones the stack tells the type, and it is one of those around the calls before and after
// it; where nobody knows, it is the module that these have in common.

// ModelSummary is what a model consists of, and what a forward pass computes. It is a view: a cell that ends with it
// shows it.
type ModelSummary struct {
	Name    string         `json:"name"` // the model's type
	Input   []int          `json:"input"`
	Output  []int          `json:"output"`
	Rows    []SummaryRow   `json:"rows"`
	Params  int            `json:"params"` // elements of the parameters, each tensor once
	Trained int            `json:"trained"`
	Bytes   int            `json:"bytes"` // of parameters and buffers
	Flops   float64        `json:"flops"`
	More    int            `json:"more,omitempty"` // rows that are left out
	Unused  []SummaryParam `json:"unused,omitempty"`
}

// SummaryRow is a module, or a few operators without parameters.
type SummaryRow struct {
	Name   string   `json:"name"`           // the module's, as in the state dict; "" for operators of the model itself
	Kind   string   `json:"kind,omitempty"` // its type
	Ops    []string `json:"ops,omitempty"`  // the operators that it calls
	Depth  int      `json:"depth"`
	Output []int    `json:"output"`
	Params int      `json:"params"`
	Frozen int      `json:"frozen,omitempty"`
	Flops  float64  `json:"flops"`
	Again  bool     `json:"again,omitempty"` // the module has been called before
	Group  bool     `json:"group,omitempty"` // it stands for the rows below it
}

// SummaryParam is a parameter that the forward pass did not use.
type SummaryParam struct {
	Name  string `json:"name"`
	Shape []int  `json:"shape"`
}

const maxSummaryRows = 200

// Summary runs m.Forward(x) once, in evaluation and without a graph, and lists the modules in the order of their
// calls: type, shape of the result, number of parameters and of floating point operations. What a forward pass costs
// is counted from the sizes of its operators, a multiplication and an addition being two operations.
func Summary(m Module, x *tensor.Tensor) *ModelSummary {
	const op = "nn.Summary"
	if m == nil || x == nil {
		panic(tensor.Errorf(op, "it takes a model and an input, got %T and %v", m, x))
	}
	r := newSummaryRun(m)
	var y *tensor.Tensor
	autograd.NoGrad(func() { Eval(func() { r.run(func() { y = m.Forward(x) }) }) })
	s := &ModelSummary{Name: kindOf(m), Input: x.Shape(), Rows: r.rows()}
	if y != nil {
		s.Output = y.Shape()
	}
	if n := len(s.Rows); n > maxSummaryRows {
		s.Rows, s.More = s.Rows[:maxSummaryRows], n-maxSummaryRows
	}
	seen := map[*tensor.Tensor]bool{}
	for _, p := range State(m) {
		if seen[p.Tensor] {
			continue
		}
		seen[p.Tensor] = true
		s.Bytes += p.Tensor.Numel() * p.Tensor.Dtype().Size()
		if p.Buffer {
			continue
		}
		s.Params += p.Tensor.Numel()
		if p.Tensor.RequiresGrad() {
			s.Trained += p.Tensor.Numel()
		}
		if !r.used[p.Tensor] {
			s.Unused = append(s.Unused, SummaryParam{p.Name, p.Tensor.Shape()})
		}
	}
	s.Flops = r.total
	return s
}

// summaryRun records the operators of a forward pass.
type summaryRun struct {
	owners map[*tensor.Tensor]string // the modules of parameters and buffers
	kinds  map[string]string         // the types of modules by their names
	types  map[string]reflect.Type   // likewise, as Go has them
	places map[place]string          // the modules that pointers point to
	params map[string][]Param
	inside func() []reflect.Value // see [tensor.WatchReceivers]
	calls  []summaryCall
	used   map[*tensor.Tensor]bool
	depth  int
	parts  int
	flops  float64
	total  float64
}

type summaryCall struct {
	op    string
	owner string
	owned bool
	param *tensor.Tensor // the first tensor of the module that it takes
	view  bool
	shape []int
	flops float64
	stack []string        // the functions that it was made in, the innermost first, where it takes no parameter
	cells []reflect.Value // likewise the receivers of methods of cells
	below int             // the functions on the stack that stand within those
}

// place is where a module is in memory: the first field of a struct is where the struct is, and is of another type.
type place struct {
	at uintptr
	of reflect.Type
}

// run records what f calls.
func (r *summaryRun) run(f func()) {
	tensor.WatchReceivers(func(inside func() []reflect.Value) {
		r.inside = inside
		tensor.WithRecorder(r, f)
	})
}

func newSummaryRun(m Module) *summaryRun {
	r := &summaryRun{owners: map[*tensor.Tensor]string{}, kinds: map[string]string{},
		types: map[string]reflect.Type{}, places: map[place]string{}, params: map[string][]Param{},
		used: map[*tensor.Tensor]bool{}}
	w := walker{visit: func(p Param) {
		if _, known := r.owners[p.Tensor]; known {
			return
		}
		owner, _ := cutLast(p.Name)
		r.owners[p.Tensor] = owner
		if !p.Buffer {
			r.params[owner] = append(r.params[owner], p)
		}
	}, enter: func(path string, v reflect.Value, t declared) {
		r.kinds[path], r.types[path] = typeName(v, t), v.Type()
		if !v.CanAddr() {
			return
		}
		at := place{v.Addr().Pointer(), v.Type()}
		if _, known := r.places[at]; !known {
			r.places[at] = path
		}
	}}
	w.value(reflect.ValueOf(m), "")
	return r
}

// cutLast cuts the last part off a name with points.
func cutLast(name string) (head, tail string) {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[:i], name[i+1:]
	}
	return "", name
}

// Watch sees a call; those that it makes itself are parts of it.
func (r *summaryRun) Watch(c *tensor.Call) {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > 1 {
		before := r.parts
		r.see(c)
		c.Next()
		if r.parts++; r.parts == before+1 {
			r.flops += c.Flops()
		}
		return
	}
	r.parts, r.flops = 0, 0
	l := summaryCall{op: strings.TrimPrefix(c.Name(), "nn.functional."), view: c.IsView(), param: r.see(c)}
	if l.owner, l.owned = r.owners[l.param], l.param != nil; !l.owned {
		l.stack, l.below = callers()
		l.cells = r.inside()
	}
	c.Next()
	if l.flops = r.flops; r.parts == 0 {
		l.flops = c.Flops()
	}
	if y := c.Results(); len(y) > 0 && y[0] != nil {
		l.shape = y[0].Shape()
	}
	r.total += l.flops
	r.calls = append(r.calls, l)
}

// see finds the first of the model's tensors that a call takes; nil where it takes none.
func (r *summaryRun) see(c *tensor.Call) (first *tensor.Tensor) {
	c.EachTensor(func(_ int, x *tensor.Tensor) {
		if _, ok := r.owners[x]; !ok {
			return
		}
		r.used[x] = true
		if first == nil {
			first = x
		}
	})
	return first
}

// rows makes a row of each run of calls of one module, and one for each module that has several.
func (r *summaryRun) rows() []SummaryRow {
	r.attribute()
	var out []SummaryRow
	called := map[string]bool{}
	for i := 0; i < len(r.calls); {
		c := &r.calls[i]
		row := SummaryRow{Name: c.owner, Depth: depthOf(c.owner)}
		own, taken := false, map[*tensor.Tensor]bool{}
		for ; i < len(r.calls) && r.calls[i].owner == c.owner; i++ {
			d := &r.calls[i]
			if taken[d.param] {
				break // the next call of the module
			}
			if d.owned {
				taken[d.param] = true
			}
			row.Output, row.Flops, own = d.shape, row.Flops+d.flops, own || d.owned
			if !d.view && !slices.Contains(row.Ops, d.op) {
				row.Ops = append(row.Ops, d.op)
			}
		}
		switch {
		case own:
			row.Kind, row.Again = r.kinds[c.owner], called[c.owner]
			if called[c.owner] = true; !row.Again {
				row.count(r.params[c.owner])
			}
		case len(row.Ops) == 0: // views alone
			if n := len(out); n > 0 {
				out[n-1].Output = row.Output
				continue
			}
			row.Ops = []string{c.op}
			row.Depth++
		default:
			row.Depth++
		}
		out = append(out, row)
	}
	return r.grouped(out)
}

func (s *SummaryRow) count(params []Param) {
	for _, p := range params {
		s.Params += p.Tensor.Numel()
		if !p.Tensor.RequiresGrad() {
			s.Frozen += p.Tensor.Numel()
		}
	}
}

func depthOf(name string) int {
	if name == "" {
		return 0
	}
	return strings.Count(name, ".") + 1
}

// grouped puts a row before the rows of a module that has several.
func (r *summaryRun) grouped(rows []SummaryRow) []SummaryRow {
	var out []SummaryRow
	var open string // the module that the last row belongs to
	for i := range rows {
		row := rows[i]
		parent := row.Name
		if row.Kind != "" {
			parent, _ = cutLast(row.Name)
		}
		for _, group := range prefixes(parent) {
			if open == group || strings.HasPrefix(open, group+".") {
				continue
			}
			g := SummaryRow{Name: group, Kind: r.kinds[group], Depth: depthOf(group), Group: true}
			for _, x := range rows[i:] {
				if x.Name != group && !strings.HasPrefix(x.Name, group+".") {
					break
				}
				g.Params, g.Frozen, g.Flops, g.Output = g.Params+x.Params, g.Frozen+x.Frozen, g.Flops+x.Flops, x.Output
			}
			if n := len(out); row.Kind == "" || n == 0 || out[n-1].Name != group { // its own row is above
				out = append(out, g)
			}
		}
		open = parent
		out = append(out, row)
	}
	return out
}

// prefixes are the modules that a module is a part of, from the outside, and itself.
func prefixes(name string) []string {
	var out []string
	for i, c := range name {
		if c == '.' {
			out = append(out, name[:i])
		}
	}
	if name != "" {
		out = append(out, name)
	}
	return out
}

// typeName is the name of a struct's type, or PyTorch's name of the module.
func typeName(v reflect.Value, t declared) string {
	if t != nil && t.DeclaredName() != "" {
		return t.DeclaredName()
	}
	if v.CanAddr() && v.CanInterface() {
		if m, ok := v.Addr().Interface().(named); ok {
			return m.moduleName()
		}
	}
	return v.Type().Name()
}

// kindOf is the name of a model's type, "model" where it has none.
func kindOf(m any) string {
	x, own := unwrap(m)
	if m, ok := x.(named); ok {
		return m.moduleName()
	}
	if own != nil && own.Part(0) != nil && own.DeclaredName() == "" { // a pointer
		own = partOf(own, 0)
	}
	if own != nil && own.DeclaredName() != "" {
		return own.DeclaredName()
	}
	t := reflect.TypeOf(x)
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Name() == "" {
		return "model"
	}
	return t.Name()
}
