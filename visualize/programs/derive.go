package programs

import (
	"fmt"
	"go/format"
	"go/token"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// Note: derived programs. The gradient of a function is a captured program like any other, and a program whose steps
// are calls is Go when the calls are written as Go: as methods where there is one that takes just these arguments, and
// by name through tensor.Invoke otherwise. Tensors that the function captured become parameters.

// DerivedProgram is the gradient of a function as Go source, and the program that it was written from.
type DerivedProgram struct {
	Source  string // a Go file
	Program *CapturedProgram
}

// Derive gives the gradient of f, whose result is one number, as Go source: a function Gradient of f's inputs, and of
// the large or named tensors that f captured, to one gradient for each input. Other constants are written out. It is
// what autograd computes for inputs like xs, with the steps that nothing needs left out, and holds for the shapes,
// dtypes and branches of xs.
func Derive(f any, xs ...*tensor.Tensor) *DerivedProgram {
	grads := autograd.GradAll(f)
	p := Program(func(in ...*tensor.Tensor) []*tensor.Tensor { return grads(in...) }, xs...)
	if p.hidden != "" {
		panic(tensor.Errorf("derive", "the gradient uses a value that %s made beneath", p.hidden))
	}
	p = DeadCode(CommonSubexpressions(Functionalize(p)))
	p.Name = "gradient"
	if typed := draw.TypedTexts("Derive"); len(typed) > 0 {
		p.Name = "gradient of " + draw.OneLine(typed[0], 60)
	}
	text := p.goSource()
	source, err := format.Source([]byte(text))
	if err != nil {
		panic(tensor.Errorf("derive", "the program cannot be written as Go: %v", err))
	}
	return &DerivedProgram{string(source), p}
}

// goName is a variable as an identifier of Go.
func (p *CapturedProgram) goName(name string) string { return p.idents[name] }

// identifiers chooses an identifier of Go for each variable: m_Weight for m.Weight, h_2 for h₂, v3 for #3.
func (p *CapturedProgram) identifiers() {
	p.idents = map[string]string{}
	taken := map[string]bool{}
	for _, word := range strings.Fields("tensor opt call any nil _") {
		taken[word] = true
	}
	for _, name := range p.names {
		if _, known := p.idents[name]; known {
			continue
		}
		id := identifier(name)
		for taken[id] || token.IsKeyword(id) {
			id += "_"
		}
		taken[id] = true
		p.idents[name] = id
	}
}

func identifier(name string) string {
	var b strings.Builder
	last := 'a'
	for i, r := range name {
		switch {
		case r == '#':
			r = 'v'
		case r >= '₀' && r <= '₉':
			if last < '₀' || last > '₉' {
				b.WriteByte('_')
			}
			last = r
			b.WriteRune('0' + r - '₀')
			continue
		case r == '[' || r == '.':
			r = '_'
		case r == ']' || r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)):
			continue
		}
		last = r
		b.WriteRune(r)
	}
	if b.Len() == 0 || unicode.IsDigit(rune(b.String()[0])) {
		return "v" + b.String()
	}
	return b.String()
}

// goSource writes the program as a Go file.
func (p *CapturedProgram) goSource() string {
	p.identifiers()
	var b strings.Builder
	var params []string
	constants := ""
	given := slices.Clone(p.Inputs)
	for i, v := range p.Consts {
		if text := p.constant(i); text != "" {
			constants += "\t" + p.goName(v.Name) + " := " + text + "\n"
		} else {
			given = append(given, v)
		}
	}
	for _, v := range given {
		if name := p.goName(v.Name); !slices.Contains(params, name) {
			params = append(params, name)
		}
	}
	options, calls := false, false
	var body strings.Builder
	used := map[int]bool{}
	for _, id := range p.gives {
		used[id] = true
	}
	for _, s := range p.replay {
		for _, v := range s.kwargs {
			refs(v, func(r ref) { used[int(r)] = true })
		}
	}
	defined := map[string]bool{}
	for _, v := range slices.Concat(given, p.Consts) {
		defined[p.goName(v.Name)] = true
	}
	for i, s := range p.replay {
		var left []string
		fresh := false
		for _, id := range s.results {
			name := "_"
			if used[id] {
				name = p.goName(p.names[id])
				fresh = fresh || !defined[name]
				defined[name] = true
			}
			left = append(left, name)
		}
		right, opts := p.method(i)
		options = options || opts
		if right == "" {
			calls = true
			right = p.invoke(i)
			if len(left) == 1 {
				right += "[0]"
			} else {
				fmt.Fprintf(&body, "\tr%d := %s\n", i, right)
				var parts []string
				for k := range left {
					parts = append(parts, fmt.Sprintf("r%d[%d]", i, k))
				}
				right = strings.Join(parts, ", ")
			}
		}
		sign := "="
		if fresh {
			sign = ":="
		}
		fmt.Fprintf(&body, "\t%s %s %s\n", strings.Join(left, ", "), sign, right)
	}
	fmt.Fprintf(&b, "package derived\n\nimport (\n\t_ \"gotorch\"\n\t\"gotorch/tensor\"\n")
	if options {
		b.WriteString("\t\"gotorch/tensor/opt\"\n")
	}
	fmt.Fprintf(&b, ")\n\n// Gradient is the %s, for %s.\n", p.Name, p.head())
	fmt.Fprintf(&b, "func Gradient(%s *tensor.Tensor) []*tensor.Tensor {\n%s", strings.Join(params, ", "),
		constants+body.String())
	var out []string
	for _, id := range p.gives {
		out = append(out, p.goName(p.names[id]))
	}
	fmt.Fprintf(&b, "\treturn []*tensor.Tensor{%s}\n}\n", strings.Join(out, ", "))
	if calls {
		b.WriteString(`
// call calls an operator by its name.
func call(op string, args map[string]any) []*tensor.Tensor {
	results, err := tensor.Invoke(op, nil, args)
	if err != nil {
		panic(err)
	}
	var out []*tensor.Tensor
	for _, r := range results {
		y, _ := r.(*tensor.Tensor)
		out = append(out, y)
	}
	return out
}
`)
	}
	return b.String()
}

// constant writes a small tensor that no variable names, "" for others: they become parameters.
func (p *CapturedProgram) constant(i int) string {
	x := p.consts[i].held
	if x == nil {
		return ""
	}
	var shape []string
	for _, s := range x.Shape() {
		shape = append(shape, strconv.Itoa(s))
	}
	size := strings.Join(shape, ", ")
	zero := false
	aside(func() { zero = !x.Ne(0).Any().ItemBool() })
	switch {
	case zero:
		return "tensor.With(" + p.literal(x.Dtype()) + ").Zeros(" + size + ")"
	case x.Dtype() == tensor.Float16 || x.Dtype() == tensor.Bfloat16 || x.Numel() > 256:
		return ""
	}
	text := fmt.Sprintf("%#v", tensor.DataOf(x))
	if strings.Contains(text, "NaN") || strings.Contains(text, "Inf") {
		return ""
	}
	if size != "" {
		size = ", " + size
	}
	return "tensor.FromSlice(" + text + size + ")"
}

// method writes step i as the call of a method, "" where there is none that takes just these arguments.
func (p *CapturedProgram) method(i int) (text string, options bool) {
	s := p.replay[i]
	o := tensor.Lookup(s.op)
	if o == nil || strings.ContainsAny(s.op, "._") || o.Tags.Has(opdef.FunctionOnly) || len(s.results) != 1 {
		return "", false
	}
	name := opdef.Camel(s.op)
	m, ok := reflect.TypeFor[*tensor.Tensor]().MethodByName(name)
	one := reflect.TypeFor[*tensor.Tensor]()
	if !ok || m.Type.NumOut() != 1 || m.Type.Out(0) != one || o.Params[0].Name != "self" {
		return "", false
	}
	var args []string
	at := 1 // the receiver
	for k := 1; k < len(o.Params); k++ {
		q := &o.Params[k]
		v, given := s.kwargs[q.Name]
		switch {
		case !given:
			continue
		case q.HasDef || q.KwOnly:
			if q.Name != "dim" && q.Name != "keepdim" || v == nil {
				return "", false
			}
			options = true
			args = append(args, "opt."+opdef.Camel(q.Name)+"("+p.spread(v)+")")
			continue
		case at >= m.Type.NumIn():
			return "", false
		}
		in := m.Type.In(at)
		switch {
		case m.Type.IsVariadic() && at == m.Type.NumIn()-1:
			if in.Elem().Kind() != reflect.Int {
				return "", false
			}
			args = append(args, p.spread(v))
		case in.Kind() == reflect.Int || in.Kind() == reflect.Interface || in == reflect.TypeFor[*tensor.Tensor]() ||
			in.Kind() == reflect.Bool || in == reflect.TypeFor[[]int]():
			args = append(args, p.literal(v))
		default:
			return "", false
		}
		at++
	}
	self, ok := s.kwargs["self"].(ref)
	if !ok {
		return "", false
	}
	return p.goName(p.names[self]) + "." + name + "(" + strings.Join(args, ", ") + ")", options
}

// invoke writes step i as a call by name.
func (p *CapturedProgram) invoke(i int) string {
	s := p.replay[i]
	var args []string
	for name, v := range s.kwargs {
		args = append(args, strconv.Quote(name)+": "+p.literal(v))
	}
	slices.Sort(args)
	return "call(" + strconv.Quote(s.op) + ", map[string]any{" + strings.Join(args, ", ") + "})"
}

// spread writes ints as arguments.
func (p *CapturedProgram) spread(v any) string {
	list, ok := v.([]int)
	if !ok {
		return p.literal(v)
	}
	var out []string
	for _, n := range list {
		out = append(out, strconv.Itoa(n))
	}
	return strings.Join(out, ", ")
}

// literal writes an argument as Go.
func (p *CapturedProgram) literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case ref:
		return p.goName(p.names[v])
	case []ref:
		var out []string
		for _, r := range v {
			out = append(out, p.goName(p.names[r]))
		}
		return "[]*tensor.Tensor{" + strings.Join(out, ", ") + "}"
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, p.literal(e))
		}
		return "[]any{" + strings.Join(out, ", ") + "}"
	case string:
		return strconv.Quote(v)
	case float64:
		if text := strconv.FormatFloat(v, 'g', -1, 64); strings.ContainsAny(text,
			".en") && !strings.ContainsAny(text, "IN") {
			return text
		} else if !strings.ContainsAny(text, "IN") {
			return text + ".0"
		}
		panic(tensor.Errorf("derive", "the number %v cannot be written as Go yet", v))
	case []int:
		return fmt.Sprintf("%#v", v)
	case tensor.Dtype:
		return "tensor." + opdef.Camel(v.String())
	case tensor.Device:
		return "tensor.CPU"
	case int, int64, bool:
		return fmt.Sprint(v)
	}
	if m, ok := v.(tensor.MemoryFormat); ok {
		return "tensor." + opdef.Camel(m.String())
	}
	panic(tensor.Errorf("derive", "an argument of type %T cannot be written as Go yet", v))
}

// String is the source.
func (d *DerivedProgram) String() string { return d.Source }
