package nn

import (
	"reflect"
	"runtime"
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
)

// Note: a summary. Modules are plain structs whose methods nobody can listen to; what can be seen are the operators
// that a forward pass calls, and the tensors that they take. A call belongs to the module whose parameter it takes.
// One that takes none belongs to the module whose method called it, as the stack tells, if that is one of those around
// the calls before and after it; where the stack does not know, as in cells, to the module that these have in common.

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
	autograd.NoGrad(func() { Eval(func() { tensor.WithRecorder(r, func() { y = m.Forward(x) }) }) })
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
	params map[string][]Param
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
	stack []string // the functions that it was made in, the innermost first, where it takes no parameter
}

func newSummaryRun(m Module) *summaryRun {
	r := &summaryRun{owners: map[*tensor.Tensor]string{}, kinds: map[string]string{},
		types: map[string]reflect.Type{}, params: map[string][]Param{}, used: map[*tensor.Tensor]bool{}}
	w := walker{visit: func(p Param) {
		if _, known := r.owners[p.Tensor]; known {
			return
		}
		owner, _ := cutLast(p.Name)
		r.owners[p.Tensor] = owner
		if !p.Buffer {
			r.params[owner] = append(r.params[owner], p)
		}
	}, enter: func(path string, v reflect.Value) {
		r.kinds[path], r.types[path] = typeName(v), v.Type()
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
		l.stack = callers()
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

// maxStack is how many functions of a stack are looked at.
const maxStack = 128

// callers are the methods on the stack, the innermost first.
func callers() (out []string) {
	pcs := make([]uintptr, maxStack)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "nn.Summary") {
			return out
		}
		out = append(out, f.Function)
		if !more {
			return out
		}
	}
}

// methodOf reports whether a function is a method of a type, or stands in one.
func methodOf(f string, t reflect.Type) bool {
	if t == nil || t.Name() == "" {
		return false
	}
	return strings.HasPrefix(f, t.PkgPath()+".(*"+t.Name()+").") || strings.HasPrefix(f, t.PkgPath()+"."+t.Name()+".")
}

// attribute gives calls without parameters to a module: the one whose method called it, else the one that the calls
// around them have in common. A module whose parameter is taken once more has been called again, so that what lies
// between is not its own.
func (r *summaryRun) attribute() {
	var before *summaryCall
	for i := range r.calls {
		c := &r.calls[i]
		if c.owned {
			before = c
			continue
		}
		k := i + 1
		for k < len(r.calls) && !r.calls[k].owned {
			k++
		}
		var after *summaryCall
		if k < len(r.calls) {
			after = &r.calls[k]
		}
		if name, ok := r.caller(c, before, after); ok {
			c.owner = name
			continue
		}
		if before == nil || after == nil {
			continue
		}
		if c.owner = common(before.owner, after.owner); before.param == after.param {
			c.owner, _ = cutLast(c.owner)
		}
	}
}

// caller is the module whose method made a call: of those around the calls before and after it.
func (r *summaryRun) caller(c, before, after *summaryCall) (name string, ok bool) {
	var around []string // the innermost first
	for _, o := range []*summaryCall{before, after} {
		if o != nil {
			p := prefixes(o.owner)
			slices.Reverse(p)
			around = append(around, p...)
		}
	}
	around = append(around, "")
	for _, f := range c.stack {
		for _, name := range around {
			if methodOf(f, r.types[name]) {
				return name, true
			}
		}
	}
	return "", false
}

// common is the module that two modules are parts of; of two calls of one module it is that module.
func common(a, b string) string {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	return strings.Join(x[:n], ".")
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
			n := 0
			for _, x := range rows[i:] {
				if x.Name != group && !strings.HasPrefix(x.Name, group+".") {
					break
				}
				g.Params, g.Frozen, g.Flops, g.Output = g.Params+x.Params, g.Frozen+x.Frozen, g.Flops+x.Flops, x.Output
				n++
			}
			if n > 1 || row.Kind == "" {
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
func typeName(v reflect.Value) string {
	if v.CanAddr() && v.CanInterface() {
		if m, ok := v.Addr().Interface().(named); ok {
			return m.moduleName()
		}
	}
	return v.Type().Name()
}

// kindOf is the name of a model's type, "model" where it has none.
func kindOf(m any) string {
	if m, ok := unwrap(m).(named); ok {
		return m.moduleName()
	}
	t := reflect.TypeOf(unwrap(m))
	for t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == nil || t.Name() == "" {
		return "model"
	}
	return t.Name()
}
