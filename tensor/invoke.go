package tensor

import (
	"sort"
	"strings"

	"gotorch/tensor/opdef"
)

// Invoke calls any operator by PyTorch's name ("add", "add_", "max", "nn.functional.conv2d", "max.dim") with PyTorch's
// arguments, by position or by keyword as Python does, out= included. Among the rows of one name the first takes the
// call that the arguments fit. The results are tensors (and a bool where PyTorch gives one); a list of tensors is
// several results. A wrong call is an error, not a panic.
func Invoke(name string, args []any, kwargs map[string]any) (results []any, err error) {
	err = Try(func() { results = invoke(name, args, kwargs) })
	return results, err
}

func invoke(name string, args []any, kwargs map[string]any) []any {
	name, args, kwargs, pick := pythonic(name, args, kwargs)
	list, variant := candidates(name)
	if len(list) == 0 {
		panic(Errorf(name, "there is no such operator"))
	}
	var problem *Error
	for _, o := range list {
		c := begin(o)
		c.Variant = variant
		if e := c.bind(args, kwargs); e != nil {
			if problem == nil || len(list) == 1 {
				problem = e
			}
			end(c)
			continue
		}
		if pick == nil {
			return c.runAny()
		}
		return pick(c.runAny())
	}
	panic(problem)
}

// candidates lists the rows that a name may mean, and the form in which it calls them.
func candidates(name string) ([]*Op, Variant) {
	find := func(n string) []*Op {
		for _, full := range []string{n, "nn.functional." + n} {
			if l := byName()[full]; len(l) > 0 {
				return l
			}
			if o := Lookup(full); o != nil {
				return []*Op{o}
			}
		}
		return nil
	}
	if l := find(name); l != nil {
		return l, Functional
	}
	base, ok := strings.CutSuffix(name, "_")
	if !ok {
		return nil, Functional
	}
	var l []*Op
	for _, o := range find(base) {
		if o.Tags.Has(opdef.InPlace) {
			l = append(l, o)
		}
	}
	return l, InPlace
}

// The keywords that PyTorch takes in place of others.
var keywordAliases = map[string][]string{
	"input": {"self"}, "self": {"input"}, "axis": {"dim"}, "keepdims": {"keepdim"}, "x": {"self", "input"},
	"x1": {"self"}, "x2": {"other"},
	"size": {"shape"}, "shape": {"size"}, "sizes": {"size"},
}

// bind puts the arguments into their slots; it gives what is wrong.
func (c *Call) bind(args []any, kwargs map[string]any) (problem *Error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			problem = e
		}
	}()
	params := c.Op.Params
	i := 0
	for ; i < len(args); i++ {
		if i >= len(params) || params[i].KwOnly {
			return Errorf(c.Name(), "takes %s, got %d", plural(i, "positional argument"), len(args))
		}
		if rest := args[i:]; len(rest) > 1 && c.takesRest(i, rest) { // view(2, 3): the list may be spread
			c.set(i, append([]any{}, rest...))
			break
		}
		c.set(i, args[i])
	}
	names := make([]string, 0, len(kwargs))
	for k := range kwargs {
		names = append(names, k)
	}
	sort.Strings(names)
	for _, k := range names {
		if k == "out" && c.Op.Tags.Has(opdef.Out) && c.Op.Param("out") < 0 {
			c.setOutAny(kwargs[k])
			continue
		}
		name := k
		if c.Op.Param(k) < 0 {
			for _, alias := range keywordAliases[k] {
				if c.Op.Param(alias) >= 0 {
					name = alias
				}
			}
		}
		c.setKeyword(name, kwargs[k])
	}
	for i := range params {
		if c.args[i].kind == unset && !params[i].HasDef {
			return Errorf(c.Name(), "argument %s is missing", params[i].Name).OnArg(params[i].Name)
		}
	}
	if c.Variant == InPlace && c.Self() == nil {
		return Errorf(c.Name(), "the in-place form needs a tensor to write to")
	}
	return nil
}

// takesRest reports whether all of rest is one spread list for parameter i.
func (c *Call) takesRest(i int, rest []any) bool {
	p := &c.Op.Params[i]
	switch {
	case p.IsList("int") && len(p.Types) == 1:
		for _, v := range rest {
			if s, ok := ScalarOf(v); !ok || !s.IsInt() {
				return false
			}
		}
		// Two positional ints may also be two parameters: roll(shifts, dims), transpose; only unsized lists spread
		return p.Types[0].N == 0 &&
			(i+1 >= len(c.Op.Params) || !c.Op.Params[i+1].Is("int") && !c.Op.Params[i+1].IsList("int") ||
				c.Op.Params[i+1].KwOnly)
	case p.IsList("Scalar") && len(p.Types) == 1:
		for _, v := range rest {
			if _, ok := ScalarOf(v); !ok {
				return false
			}
		}
		return true
	// meshgrid(a, b, indexing=…)
	case p.IsList("Tensor") && (c.Op.Tags.Has(opdef.Variadic) || i+1 < len(c.Op.Params) && c.Op.Params[i+1].KwOnly):
		for _, v := range rest {
			if _, ok := v.(*Tensor); !ok {
				return false
			}
		}
		return true
	}
	return false
}

func (c *Call) setOutAny(v any) {
	if l, ok := v.([]any); ok {
		ts := make([]*Tensor, len(l))
		for i := range l {
			ts[i], _ = l[i].(*Tensor)
		}
		v = ts
	}
	if v != nil {
		c.setOut(v)
	}
}

// runAny runs the call and returns its results.
func (c *Call) runAny() []any {
	c.dispatch()
	out := make([]any, 0, len(c.ret))
	for _, r := range c.ret {
		if c.Op.Rets[0].Is("bool") {
			out = append(out, r.ItemBool())
		} else {
			out = append(out, r)
		}
	}
	end(c)
	return out
}

// runBool runs a call whose result is one bool.
func (c *Call) runBool() bool {
	c.dispatch()
	b := c.ret[0].ItemBool()
	end(c)
	return b
}
