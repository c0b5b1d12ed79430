package tensor

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"gotorch/tensor/opdef"
)

// Note: operators of a user. [Define] adds an operator while the program runs: its schema is parsed as a row of the
// table is, and what else it has (shape function, kernels, formula, vmap rule, body) goes into the same [Op], so that
// the dispatcher, autograd, vmap, meta tensors and all views treat it as they treat the operators of the table. The
// set of defined operators is replaced as a whole, so that calls never see half of a definition; nodes and calls that
// hold an old definition keep it.

// Definition is what an operator has beside its schema. Every field may be left out; an operator needs kernels or a
// body.
type Definition struct {
	// Doc is a sentence that help shows.
	Doc string
	// Pointwise operators broadcast their tensors, promote their dtypes and have a plan ([Call.Plan]); their shape
	// follows. Kernels of others receive results of zeros.
	Pointwise bool
	// Shape checks the arguments and makes the results with [Call.New]. It serves all devices, and is all that the meta
	// device needs. Without it, and without Pointwise, kernels make their results themselves and [Call.Return] them.
	Shape Kernel
	// Kernels fill the results, by the key of the device. They call no operators.
	Kernels map[Key]Kernel
	// Body computes the operator by others and returns the results: it needs neither kernels nor a formula.
	Body Kernel
	// Formula is the derivative, an autograd.Formula.
	Formula any
	// Vmap does all examples of a vmap in one call. It takes the tensors of the call with the examples along dimension 0,
	// in the schema's order, and returns the results so. Other arguments are read from c. Without it pointwise
	// operators do all examples in one call, and others are called example by example.
	Vmap func(c *Call, xs []*Tensor) []*Tensor
}

var (
	defining sync.Mutex
	defined  atomic.Pointer[map[string]*Op] // by full name; replaced as a whole
)

// definedOps are the operators of [Define], by full name. Nobody writes to the map.
func definedOps() map[string]*Op {
	if m := defined.Load(); m != nil {
		return *m
	}
	return nil
}

// Define adds an operator with PyTorch's kind of schema, "my::clip(Tensor self, float lo=0) -> Tensor", and returns
// it. The part before :: is the namespace. The operator is called by [Op.Call], by [Invoke] as "my::clip" or
// "my.clip", and in cells as my.Clip(x, lo=0). A definition of the same name is replaced. A schema that cannot be
// read, a namespace of the library's own and a definition without kernels and body panic with an *Error.
//
//	double := tensor.Define("my::double(Tensor self) -> Tensor", tensor.Definition{
//		Pointwise: true,
//		Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: func(c *tensor.Call) {
//			tensor.Pointwise1(c, func(x float32) float32 { return 2 * x })
//		}},
//	})
//	y := double.Call(x)
func Define(schema string, d Definition) *Op {
	o := newDefined(schema, d)
	defining.Lock()
	m := maps.Clone(definedOps())
	if m == nil {
		m = map[string]*Op{}
	}
	m[o.Full] = o
	defined.Store(&m)
	defining.Unlock()
	registered("operator "+o.Full, o.Remove)
	return o
}

// registered tells the running session how to undo what was registered; what names it.
func registered(what string, undo func()) {
	if f := currentHooks().Registered; f != nil {
		f(what, undo)
	}
}

// newDefined makes the operator.
func newDefined(schema string, d Definition) *Op {
	const op = "define"
	tags := opdef.Fixed
	switch {
	case d.Body != nil && (len(d.Kernels) > 0 || d.Formula != nil || d.Shape != nil):
		panic(Errorf(op, "%s has a body, which needs no kernels, shape function or formula: those of the operators that it "+
			"calls are used", clipSchema(schema)))
	case d.Body != nil:
		tags = opdef.Composite
	case len(d.Kernels) == 0:
		panic(Errorf(op, "%s has neither kernels nor a body", clipSchema(schema)).
			WithHint("give Kernels: map[tensor.Key]tensor.Kernel{tensor.KeyCPU: f}, or Body: f"))
	case d.Pointwise && d.Shape != nil:
		panic(Errorf(op, "%s is pointwise, so that its shape follows, and has a shape function", clipSchema(schema)))
	case d.Pointwise:
		tags = opdef.Pointwise
	default:
		tags |= opdef.Zeroed
	}
	sig, err := opdef.ParseDefined(opdef.Row{Schema: schema, Tags: tags | opdef.FunctionOnly, Doc: d.Doc})
	if err != nil {
		panic(Errorf(op, "%v", err))
	}
	o := new(Op)
	o.init(sig)
	o.Site, o.defined = CurrentSite(), true
	for i := range o.Params {
		if p := &o.Params[i]; p.HasDef {
			if _, err := parseDefault(p); err != nil {
				panic(Errorf(op, "schema %q: the %v is no %s", sig.Schema, err, strings.TrimPrefix(wants(p), "a ")).OnArg(p.Name))
			}
		}
	}
	for i := range o.Rets {
		if r := &o.Rets[i]; !r.Is("Tensor") && !r.IsList("Tensor") || r.IsList("Tensor") && len(o.Rets) > 1 {
			panic(Errorf(op, "schema %q: an operator returns tensors, or one list of them", sig.Schema))
		}
	}
	o.define(d)
	return o
}

// define sets what the definition has.
func (o *Op) define(d Definition) {
	switch {
	case d.Pointwise:
		if len(o.Rets) != 1 || o.writes {
			panic(Errorf("define", "%s: a pointwise operator has one new result", o.Full))
		}
		o.derivePointwise()
	case d.Shape != nil:
		o.shape = func(c *Call) {
			d.Shape(c)
			c.checkReturned("the shape function")
		}
	}
	if d.Body != nil {
		o.composite = func(c *Call) {
			c.nested(d.Body)
			c.checkReturned("the body")
		}
	}
	for k, f := range d.Kernels {
		if !k.IsDevice() || k == KeyMeta {
			panic(Errorf("define", "%s: %s is not the key of a device with kernels", o.Full, k).
				WithHint("shapes on Meta are those of the shape function"))
		}
		if f == nil {
			panic(Errorf("define", "%s: the kernel for %s is nil", o.Full, k))
		}
		o.table[k] = func(c *Call) {
			c.nested(f)
			c.checkReturned("the kernel")
		}
		o.present |= 1 << k
	}
	if d.Body != nil && d.Vmap != nil {
		o.table[KeyBatched] = fallbacks[KeyBatched] // in place of the body
	}
	if d.Formula != nil || d.Vmap != nil {
		autograd("define").Define(o, d.Formula, d.Vmap)
	}
}

// maxNested is how many bodies and kernels of defined operators may be nested: one that calls itself without an end is
// stopped long before the stack is full, while it can still be left quickly.
const maxNested = 500

// nested runs a body or a kernel of a defined operator.
func (c *Call) nested(f func(c *Call)) {
	if s := CurrentScope(); s != nil && s.defined >= maxNested {
		panic(Errorf(c.Op.Name, "it calls itself: %d calls of defined operators are nested", s.defined))
	}
	InScope(func(s *Scope) { s.defined++ }, func() { f(c) })
}

// checkReturned panics unless the call has the results that the schema names.
func (c *Call) checkReturned(who string) {
	if c.Op.writes && len(c.ret) == 0 {
		c.Return(c.Written()...)
	}
	if !c.ReturnsList() && len(c.ret) != len(c.Op.Rets) {
		panic(Errorf(c.Name(), "%s made %s; the schema has %d", who, plural(len(c.ret), "result"), len(c.Op.Rets)).
			WithHint("results are made by c.New(shape, dtype), or given by c.Return"))
	}
	for i, r := range c.ret {
		if r == nil {
			panic(Errorf(c.Name(), "%s returned a nil tensor as result %d", who, i))
		}
	}
}

func clipSchema(s string) string {
	name, _, _ := strings.Cut(s, "(")
	return name
}

// Remove takes the operator away. Calls and nodes that have it go on. Operators of the table stay.
func (o *Op) Remove() {
	defining.Lock()
	defer defining.Unlock()
	if definedOps()[o.Full] != o {
		return
	}
	m := maps.Clone(definedOps())
	delete(m, o.Full)
	defined.Store(&m)
}

// String is the schema.
func (o *Op) String() string { return o.Schema }

// IsDefined reports whether the operator was added by [Define].
func (o *Op) IsDefined() bool { return o.defined }

// Defined lists the operators that were added by [Define], sorted by name.
func Defined() []*Op {
	m := definedOps()
	out := make([]*Op, 0, len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[name])
	}
	return out
}

// Operator finds an operator by PyTorch's name, that of the table ("add", "max.dim") or of [Define] ("my::clip",
// "my.clip"). A name that is none's panics with an *Error.
func Operator(name string) *Op {
	if o := Lookup(name); o != nil {
		return o
	}
	name = shortened(name).(string)
	for _, space := range []string{"nn.functional.", "linalg.", "special.", "fft.", "sparse."} {
		if Lookup(space+name) != nil {
			panic(Errorf(name, "there is no such operator").WithHint("there is " + space + name))
		}
	}
	panic(Errorf(name, "there is no such operator").
		WithHint(`tensor.Define("` + name + `(Tensor self) -> Tensor", …) adds one`))
}

// Call calls an operator of one result: arguments by position, then options. It is how operators of [Define] are
// called in Go. Wrong arguments, and an operator of several results, panic with an *Error.
func (o *Op) Call(args ...any) *Tensor { return o.results(1, args)[0] }

// Call2 is [Op.Call] for two results.
func (o *Op) Call2(args ...any) (a, b *Tensor) {
	r := o.results(2, args)
	return r[0], r[1]
}

// Call3 is [Op.Call] for three results.
func (o *Op) Call3(args ...any) (a, b, c *Tensor) {
	r := o.results(3, args)
	return r[0], r[1], r[2]
}

// CallAll is [Op.Call] for any number of results, and for a list of them.
func (o *Op) CallAll(args ...any) []*Tensor { return o.results(-1, args) }

func (o *Op) results(n int, args []any) []*Tensor {
	c := begin(o)
	kwargs := map[string]any{}
	var plain []any
	for _, a := range args {
		if opt, ok := a.(Option); ok && !isTensorOption(a) && !o.takesAt(len(plain), a) {
			name, v := opt.keyword()
			if _, twice := kwargs[name]; twice {
				panic(Errorf(c.Name(), "argument %s is given twice", name).OnArg(name))
			}
			kwargs[name] = v
			continue
		}
		if len(kwargs) > 0 {
			panic(Errorf(c.Name(), "%s follows an option: arguments by position come first", describe(a)))
		}
		plain = append(plain, a)
	}
	if e := c.bind(plain, kwargs); e != nil {
		panic(e)
	}
	r := c.runList()
	if n >= 0 && len(r) != n {
		panic(Errorf(o.Name, "the operator gives %s", plural(len(r), "result")).WithHint("CallAll takes any number"))
	}
	return r
}

func isTensorOption(a any) bool {
	_, ok := a.(*Tensor)
	return ok
}

// takesAt reports whether the parameter at a position takes a, which could be an option as well: a dtype.
func (o *Op) takesAt(i int, a any) bool {
	if i >= len(o.Params) || o.Params[i].KwOnly {
		return false
	}
	if _, named := a.(*option); named {
		return false
	}
	_, ok := convert(&o.Params[i], a)
	return ok
}
