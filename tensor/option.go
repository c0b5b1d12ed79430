package tensor

import (
	"slices"
	"sort"
	"strings"
	"unsafe"

	"gotorch/internal/hugepages"
	"gotorch/tensor/opdef"
)

// Option is a keyword argument: a function of package opt, or a Dtype, Device or Layout by itself.
//
//gotorch:internal
type Option interface {
	// apply puts the option into a call. Nothing outside this package can be an Option but through [NewOption].
	apply(c *Call)
	// keyword and value are what NewOption was given.
	keyword() (string, any)
}

type option struct {
	name  string
	value any
}

// NewOption makes the keyword argument called name. Package opt does so for every keyword of the table.
//
//gotorch:internal
func NewOption(name string, value any) Option {
	o := &option{name, value}
	hugepages.Advise(unsafe.Pointer(o), 1) // a call with a result to write to makes no tensor
	return o
}

// KeywordOf is the name of an option's keyword.
//
//gotorch:internal
func KeywordOf(o Option) string {
	name, _ := o.keyword()
	return name
}

func (o *option) keyword() (string, any) { return o.name, o.value }

func (o *option) apply(c *Call) {
	if o.name == "out" && c.Op.Tags.Has(opdef.Out) {
		c.setOut(o.value)
		return
	}
	c.setKeyword(o.name, o.value)
}

func (d Dtype) keyword() (string, any)        { return "dtype", d }
func (d Device) keyword() (string, any)       { return "device", d }
func (l Layout) keyword() (string, any)       { return "layout", l }
func (f MemoryFormat) keyword() (string, any) { return "memory_format", f }
func (d Dtype) apply(c *Call)                 { c.setKeyword("dtype", d) }
func (d Device) apply(c *Call)                { c.setKeyword("device", d) }
func (l Layout) apply(c *Call)                { c.setKeyword("layout", l) }
func (f MemoryFormat) apply(c *Call)          { c.setKeyword("memory_format", f) }

func (c *Call) options(opts []Option) {
	for _, o := range opts {
		if o != nil {
			o.apply(c)
		}
	}
}

func (c *Call) setKeyword(name string, v any) {
	i := c.Op.Param(name)
	if i < 0 { // N and n are one function of package opt
		i = slices.IndexFunc(c.Op.Params, func(p opdef.Param) bool { return strings.EqualFold(p.Name, name) })
	}
	if i < 0 {
		panic(Errorf(c.Name(), "%s takes no keyword %s; %s", goName(c.Op.Sig), name, takesText(c.Op)).OnArg(name))
	}
	if c.args[i].kind != unset {
		panic(Errorf(c.Name(), "argument %s is given twice", name).OnArg(name))
	}
	// opt.Dim() takes several ints; where one is wanted, one is given
	if l, ok := v.([]int); ok && len(l) == 1 && !c.Op.Params[i].IsList("int") {
		v = l[0]
	}
	c.set(i, v)
}

// setOut reads opt.Out: one tensor, or one for each result.
func (c *Call) setOut(v any) {
	switch v := v.(type) {
	case *Tensor:
		if v == nil {
			panic(Errorf(c.Name(), "opt.Out is a nil tensor"))
		}
		c.outBuf[0] = v
		c.out = c.outBuf[:]
	case []*Tensor:
		if len(v) == 1 {
			c.setOut(v[0])
			return
		}
		c.out = v
	default:
		panic(Errorf(c.Name(), "opt.Out must be a tensor or a list of tensors, not %s", describe(v)))
	}
	if len(c.out) != len(c.Op.Rets) {
		panic(Errorf(c.Name(), "opt.Out gives %d tensors for %d results", len(c.out), len(c.Op.Rets)))
	}
	c.Variant = OutVariant
}

// takesText lists the keywords that an operator takes: those with a default first.
func takesText(o *Op) string {
	var names []string
	for i := range o.Params {
		if p := &o.Params[i]; p.HasDef || p.KwOnly {
			names = append(names, p.Name)
		}
	}
	if o.Tags.Has(opdef.Out) {
		names = append(names, "out")
	}
	if len(names) == 0 {
		return "it takes none"
	}
	return "it takes " + strings.Join(names, ", ")
}

// asKeyword says how a tensor is given to the first keyword of o that takes one.
func asKeyword(o *Op) string {
	for i := range o.Params {
		if p := &o.Params[i]; p.HasDef && p.Is("Tensor") {
			return "; a tensor is given by name: opt." + opdef.Camel(p.Name) + "(y)"
		}
	}
	return ""
}

// goName is the Go name of an operator.
func goName(s *opdef.Sig) string { return s.GoName() }

// findOption looks for a keyword among options of a method that is no operator; unknown ones panic with an *Error.
func findOption(op string, known []string, opts []Option) map[string]any {
	out := map[string]any{}
	for _, o := range opts {
		if o == nil {
			continue
		}
		name, v := o.keyword()
		if x, isTensor := o.(*Tensor); isTensor { // y.Backward(v), as in PyTorch; To alone takes other tensors
			name = "gradient"
			if !slices.Contains(known, name) {
				sort.Strings(known)
				panic(Errorf(op, "got %s where a keyword argument belongs; it takes %s", describe(x), strings.Join(known, ", ")))
			}
		}
		ok := false
		for _, k := range known {
			ok = ok || k == name
		}
		if !ok {
			sort.Strings(known)
			panic(Errorf(op, "no keyword %s is taken; it takes %s", name, strings.Join(known, ", ")).OnArg(name))
		}
		if l, isList := v.([]int); isList && len(l) == 1 {
			v = l[0]
		}
		out[name] = v
	}
	return out
}

// Keywords reads the options of a function that is no operator: those of known, by name. Others panic with an *Error.
//
//gotorch:internal
func Keywords(op string, opts []Option, known ...string) map[string]any {
	return findOption(op, known, opts)
}

func boolOption(op, name string, def bool, opts []Option) bool {
	if v, ok := findOption(op, []string{name}, opts)[name]; ok {
		b, ok := v.(bool)
		if !ok {
			panic(Errorf(op, "argument %s must be a bool, not %s", name, describe(v)))
		}
		return b
	}
	return def
}

func formatOption(op string, opts []Option) MemoryFormat {
	if v, ok := findOption(op, []string{"memory_format"}, opts)["memory_format"]; ok {
		return v.(MemoryFormat)
	}
	return NoFormat
}

// Factory makes tensors with options given beforehand: tensor.With(tensor.Float64).Zeros(2, 3).
type Factory struct{ opts []Option }

// With returns a Factory: each of its methods is the factory of that name with opts.
func With(opts ...Option) *Factory { return &Factory{opts} }
