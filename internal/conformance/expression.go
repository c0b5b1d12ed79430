package conformance

import (
	"fmt"
	"math"
	"strings"

	"gotorch/tensor"
)

// Note: expressions. The recording has texts of Python expressions over a tensor x: x.exp(), torch.cat([x, x]),
// x[0, 1:] * 2. They are parsed by Python's precedences and run through Invoke, so that any expression of operators,
// attributes, indices, numbers, lists and dtypes is evaluated.

// evaluate runs a Python expression over the given names.
func evaluate(text string, names map[string]any) (v any, err error) {
	p := &expression{tokens: tokensOf(text), names: names}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case expressionError:
			err = fmt.Errorf("%s: %s", text, string(r))
		default:
			panic(r)
		}
	}()
	v = p.binary(0)
	if p.peek() != "" {
		p.fail("%q is not understood", p.peek())
	}
	return v, nil
}

type expressionError string

type expression struct {
	tokens []string
	names  map[string]any
}

// module is torch or one of its modules, and bound a method of a tensor, before they are called.
type (
	module string
	bound  struct {
		self *tensor.Tensor
		name string
	}
)

func (p *expression) fail(format string, args ...any) {
	panic(expressionError(fmt.Sprintf(format, args...)))
}

func (p *expression) peek() string {
	if len(p.tokens) == 0 {
		return ""
	}
	return p.tokens[0]
}

func (p *expression) next() string {
	t := p.peek()
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (p *expression) accept(t string) bool {
	if p.peek() == t {
		p.next()
		return true
	}
	return false
}

func (p *expression) expect(t string) {
	if !p.accept(t) {
		p.fail("expected %s, found %q", t, p.peek())
	}
}

// The binary operators by precedence, the weakest first, with the operators of PyTorch that they call.
var pythonBinary = []map[string]string{
	{"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"},
	{"|": "bitwise_or"},
	{"^": "bitwise_xor"},
	{"&": "bitwise_and"},
	{"<<": "bitwise_left_shift", ">>": "bitwise_right_shift"},
	{"+": "add", "-": "sub"},
	{"*": "mul", "/": "div", "//": "floor_divide", "%": "remainder", "@": "matmul"},
}

func (p *expression) binary(level int) any {
	if level == len(pythonBinary) {
		return p.unary()
	}
	v := p.binary(level + 1)
	for {
		op, ok := pythonBinary[level][p.peek()]
		if !ok {
			return v
		}
		sign := p.next()
		v = p.apply(op, sign, v, p.binary(level+1))
	}
}

func (p *expression) unary() any {
	for sign, op := range map[string]string{"-": "neg", "+": "positive", "~": "bitwise_not"} {
		if !p.accept(sign) {
			continue
		}
		v := p.unary()
		if x, ok := v.(*tensor.Tensor); ok {
			return p.invoke(op, []any{x}, nil)
		}
		if sign == "-" {
			return p.number("-", 0, v)
		}
		return v
	}
	v := p.postfix()
	if p.accept("**") {
		return p.apply("pow", "**", v, p.unary())
	}
	return v
}

// apply is a binary operator; with a number on the left it is Python's reflected method.
func (p *expression) apply(op, sign string, a, b any) any {
	_, left := a.(*tensor.Tensor)
	_, right := b.(*tensor.Tensor)
	switch reflected := map[string]string{"sub": "__rsub__", "div": "__rdiv__"}[op]; {
	case !left && !right:
		return p.number(sign, a, b)
	case !left && reflected != "":
		return p.results(call(reflected, []any{b, a}, nil))
	case !left && (op == "add" || op == "mul"):
		a, b = b, a
	}
	return p.invoke(op, []any{a, b}, nil)
}

// number computes with Python numbers.
func (p *expression) number(sign string, a, b any) any {
	x, ok1 := tensor.ScalarOf(a)
	y, ok2 := tensor.ScalarOf(b)
	if !ok1 || !ok2 || x.IsComplex() || y.IsComplex() {
		p.fail("%v %s %v is not understood", a, sign, b)
	}
	whole := x.IsInt() && y.IsInt()
	var v float64
	switch u, w := x.Float(), y.Float(); sign {
	case "+":
		v = u + w
	case "-":
		v = u - w
	case "*":
		v = u * w
	case "/":
		return u / w
	case "//":
		v = math.Floor(u / w)
	case "%":
		v = u - w*math.Floor(u/w)
	case "**":
		v, whole = math.Pow(u, w), whole && w >= 0
	default:
		p.fail("%v %s %v is not understood", a, sign, b)
	}
	if whole {
		return int(v)
	}
	return v
}

func (p *expression) postfix() any {
	v := p.atom()
	for {
		switch {
		case p.accept("."):
			v = p.attribute(v, p.next())
		case p.accept("("):
			args, kwargs := p.arguments()
			v = p.call(v, args, kwargs)
		case p.accept("["):
			x, ok := v.(*tensor.Tensor)
			list, many := p.list("]")
			switch {
			case ok && (many || len(list) != 1):
				v = p.invoke("index", []any{x, list}, nil)
			case ok:
				v = p.invoke("index", []any{x, pythonOneIndex(list[0])}, nil)
			default:
				v = p.element(v, list)
			}
		default:
			return v
		}
	}
}

// pythonOneIndex is what stands alone between brackets: a list of numbers is one index.
func pythonOneIndex(v any) any {
	if l, ok := v.([]any); ok {
		return pythonIndex(l)
	}
	return []any{v}
}

// element is an item of a tuple or of a shape.
func (p *expression) element(v any, index []any) any {
	list, ok := v.([]any)
	i, ok2 := index[0].(int)
	if !ok || !ok2 || len(index) != 1 {
		p.fail("this index is not understood")
	}
	if i < 0 {
		i += len(list)
	}
	if i < 0 || i >= len(list) {
		p.fail("index %d of %d", i, len(list))
	}
	return list[i]
}

// attribute is what stands after a dot.
func (p *expression) attribute(v any, name string) any {
	switch v := v.(type) {
	case module:
		if dt, ok := tensor.ParseDtype(name); ok && v == "" {
			return dt
		}
		switch name {
		case "pi":
			return math.Pi
		case "inf":
			return math.Inf(1)
		case "nan":
			return math.NaN()
		case "strided":
			return tensor.Strided
		}
		return module(strings.TrimPrefix(string(v)+"."+name, "."))
	case *tensor.Tensor:
		switch name {
		case "T":
			x, err := method(v, "T", nil)
			return p.results([]any{x}, err)
		case "mT", "H", "mH", "real", "imag":
			return p.invoke(name, []any{v}, nil)
		case "data":
			return v.Detach()
		case "dtype":
			return v.Dtype()
		case "device":
			return v.Device()
		case "ndim":
			return v.Dim()
		case "shape":
			return listOf(v.Shape())
		}
		return bound{v, name}
	}
	if name == "values" || name == "indices" { // of a named tuple
		if list, ok := v.([]any); ok && len(list) == 2 {
			return list[map[string]int{"values": 0, "indices": 1}[name]]
		}
	}
	p.fail("no attribute %s", name)
	return nil
}

func listOf(ns []int) []any {
	out := make([]any, len(ns))
	for i, n := range ns {
		out[i] = n
	}
	return out
}

func (p *expression) call(f any, args []any, kwargs map[string]any) any {
	switch f := f.(type) {
	case module:
		if f == "tensor" || f == "Size" {
			return p.tensor(args, kwargs)
		}
		return p.invoke(string(f), args, kwargs)
	case bound:
		switch f.name {
		case "size":
			if len(args) == 0 {
				return listOf(f.self.Shape())
			}
			return f.self.Size(args[0].(int))
		case "dim":
			return f.self.Dim()
		case "numel":
			return f.self.Numel()
		case "item":
			return f.self.At()
		case "requires_grad_":
			return f.self.RequiresGrad_()
		}
		return p.invoke(f.name, append([]any{f.self}, args...), kwargs)
	}
	p.fail("this is no function")
	return nil
}

// tensor is torch.tensor(list).
func (p *expression) tensor(args []any, kwargs map[string]any) any {
	if len(args) != 1 {
		p.fail("torch.tensor takes one argument")
	}
	opts := []tensor.Option{}
	if dt, ok := kwargs["dtype"].(tensor.Dtype); ok {
		opts = append(opts, dt)
	}
	return tensor.New(args[0], opts...)
}

func (p *expression) invoke(op string, args []any, kwargs map[string]any) any {
	return p.results(tensor.Invoke(op, args, kwargs))
}

// results is a single result, or the list of several.
func (p *expression) results(out []any, err error) any {
	switch {
	case err != nil:
		panic(expressionError(err.Error()))
	case len(out) == 1:
		return out[0]
	}
	return out
}
