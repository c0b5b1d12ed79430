package check

import (
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"gotorch/interp/syntax"
)

// call is a call whose arguments are being typed.
type call struct {
	env     *Env
	callee  *callee
	name    string // as typed, what it is called on left out
	args    []argText
	builtin string
}

// argText is an argument, perhaps typed in part.
type argText struct {
	key  string // of a keyword argument
	text string // of the value
}

// openBrackets are the offsets of the brackets that are open at the end of text, the innermost last.
func openBrackets(text string) (open []int) {
	for off, t := range syntax.Brackets(token.NewFileSet(), text) {
		switch t {
		case '(', '[', '{':
			open = append(open, off)
		default:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	return open
}

// openParen is the offset of the ( that is innermost open at the end of text,
// or -1.
func openParen(text string) int {
	open := openBrackets(text)
	if len(open) == 0 || text[open[len(open)-1]] != '(' {
		return -1
	}
	return open[len(open)-1]
}

// callAt is the call whose arguments are being typed at offset at: the one whose bracket is the innermost, or with
// around the innermost of all that stand around. nil where there is none.
func callAt(e *Env, src string, at int, around bool) *call {
	open := openBrackets(src[:at])
	for i := len(open) - 1; i >= 0; i-- {
		if src[open[i]] == '(' {
			if c := calleeBefore(e, src, open[i]); c != nil {
				c.args = splitArgs(src[open[i]+1 : at])
				return c
			}
		}
		if src[open[i]] == '{' || !around {
			return nil
		}
	}
	return nil
}

// calleeBefore is what is called by the bracket at offset paren.
func calleeBefore(e *Env, src string, paren int) *call {
	end := len(strings.TrimRight(src[:paren], " \t"))
	if end == 0 || !isNameByte(src, end-1) && !strings.ContainsRune(")]}", rune(src[end-1])) {
		return nil
	}
	name := src[nameStart(src, end):end]
	if token.IsKeyword(name) || strings.HasSuffix(strings.TrimRight(src[:end-len(name)], " \t"), "func") {
		return nil
	}
	if s := definedAt(e, src, end); s != nil {
		if f := definedCallee(e, s); f != nil {
			return &call{env: e, callee: f, name: s.GoName()}
		}
	}
	o := infer(e, src, end)
	if o == nil {
		return nil
	}
	c := &call{env: e, callee: o.call, name: name}
	if b, ok := o.object.(*types.Builtin); ok {
		c.builtin = b.Name()
		return c
	}
	if o.isType || o.call == nil {
		return nil
	}
	return c
}

// splitArgs splits the text of arguments at its commas. There is always one, which is being typed.
func splitArgs(text string) []argText {
	args := []argText{{}}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, 0)
	depth, begin, n, word := 0, 0, 0, ""
	for {
		pos, kind, lit := s.Scan()
		at := int(pos) - file.Base()
		last := &args[len(args)-1]
		switch kind {
		case token.EOF:
			last.text = strings.TrimSpace(text[begin:])
			return args
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth--
		case token.COMMA:
			if depth == 0 {
				last.text = strings.TrimSpace(text[begin:at])
				args = append(args, argText{})
				begin, n = at+1, 0
				continue
			}
		case token.ASSIGN:
			if depth == 0 && n == 1 && word != "" {
				last.key, begin = word, at+1
			}
		case token.SEMICOLON:
			continue
		}
		if n++; n == 1 {
			if word = ""; kind == token.IDENT || kind.IsKeyword() {
				word = lit
			}
		}
	}
}

// current is the argument that is being typed.
func (c *call) current() argText { return c.args[len(c.args)-1] }

// typeOf is the type that an option's keyword wants, or nil.
func (c *call) typeOf(key string) types.Type {
	if t := c.callee.keyTypes[key]; t != nil {
		return t
	}
	p, err := c.env.cfg.Importer.Import(OptPath)
	if err != nil {
		return nil
	}
	if ctor, ok := p.Scope().Lookup(camel(key)).(*types.Func); ok && ctor.Signature().Params().Len() == 1 {
		return ctor.Signature().Params().At(0).Type()
	}
	return nil
}

// param is a parameter as a call may name it.
type param struct {
	key      string // PyTorch's name
	typ      types.Type
	keyword  bool // it is given by name
	variadic bool
}

// params are what a call takes: the parameters, then the options in PyTorch's order.
func (c *call) params() (list []param) {
	if c.callee == nil {
		return nil
	}
	f := c.callee
	n := f.sig.Params().Len()
	for i := range n {
		p := f.sig.Params().At(i)
		variadic := f.sig.Variadic() && i == n-1
		if variadic && f.options {
			break
		}
		list = append(list, param{snake(p.Name()), p.Type(), false, variadic})
	}
	for _, key := range append(append([]string{}, f.op.Options...), f.op.Keyword...) {
		if !slices.ContainsFunc(list, func(p param) bool { return p.key == key }) {
			list = append(list, param{key, c.typeOf(key), true, false})
		}
	}
	if f.captions() != nil {
		list = append(list, param{"caption", types.Typ[types.Bool], true, false})
	}
	return list
}

// keywords returns the keyword arguments that can stand where an argument begins: those that have not been given.
func (c *call) keywords() (list []Candidate) {
	if c == nil || c.callee == nil || c.current().key != "" || c.current().text != "" {
		return nil
	}
	given := map[string]bool{}
	before := 0
	for _, a := range c.args[:len(c.args)-1] {
		if a.key == "" {
			before++
		} else {
			given[a.key] = true
		}
	}
	var options, others []Candidate
	for i, p := range c.params() {
		if p.key == "" || p.key == "_" || given[p.key] || i < before && !p.variadic || p.variadic && !c.callee.isOp {
			continue
		}
		k := Candidate{Text: p.key + "=", Type: "argument", Sig: typeText(p.typ)}
		if p.keyword {
			options = append(options, k)
		} else {
			others = append(others, k)
		}
	}
	return append(options, others...)
}

// words are the strings that some keywords take.
var words = map[string][]string{
	"reduction": {"mean", "sum", "none"}, "rounding_mode": {"trunc", "floor"}, "approximate": {"none", "tanh"},
	"side":         {"left", "right"},
	"padding_mode": {"zeros", "border", "reflection"}, "indexing": {"ij", "xy"}, "ord": {"fro", "nuc"},
	"UPLO":          {"L", "U"},
	"interpolation": {"linear", "lower", "higher", "midpoint", "nearest"},
	"reduce":        {"sum", "prod", "mean", "amax", "amin"},
}

// values returns what can follow the keyword that is being typed: dtypes behind dtype=, and what cells have defined of
// that type.
func (c *call) values() (list []Candidate) {
	if c == nil || c.callee == nil || c.current().key == "" || c.current().text != "" {
		return nil
	}
	key := c.current().key
	want := c.typeOf(key)
	for _, p := range c.params() {
		if p.key == key && p.typ != nil {
			want = p.typ
		}
	}
	for _, w := range words[key] {
		list = append(list, Candidate{Text: `"` + w + `"`, Type: "const", Sig: "string"})
	}
	if want == nil {
		return list
	}
	if types.Identical(want, types.Typ[types.Bool]) {
		list = append(list, candidate(types.Universe.Lookup("true")), candidate(types.Universe.Lookup("false")))
	}
	if n, ok := want.(*types.Named); ok && !types.IsInterface(n) {
		for _, m := range bareNames(c.env) {
			switch m.obj.(type) {
			case *types.Const, *types.Var:
				if types.Identical(m.obj.Type(), want) {
					list = append(list, m)
				}
			}
		}
	}
	for _, d := range c.env.Names() {
		if (d.Kind == Var || d.Kind == Const) && types.AssignableTo(d.Obj.Type(), want) && !strings.HasPrefix(d.Name, "_") {
			list = append(list, Candidate{Text: d.Name, Type: d.Kind.String(), obj: d.Obj, Def: d})
		}
	}
	return list
}

// fieldsAt returns the fields that can be named inside of a literal of a struct.
func fieldsAt(e *Env, src string, at int) (list []Candidate) {
	open := openBrackets(src[:at])
	if len(open) == 0 || src[open[len(open)-1]] != '{' {
		return nil
	}
	begin := open[len(open)-1]
	if before := strings.TrimSpace(src[begin:at]); !strings.HasSuffix(before, "{") && !strings.HasSuffix(before, ",") {
		return nil
	}
	t := literalType(e, src, open)
	if t == nil {
		return nil
	}
	st, ok := deref(t).Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	given := map[string]bool{}
	elements := splitArgs(src[begin+1 : at])
	for _, a := range elements[:len(elements)-1] {
		name, _, named := strings.Cut(a.text, ":")
		if !named {
			return nil
		}
		given[strings.TrimSpace(name)] = true
	}
	for f := range st.Fields() {
		if !given[f.Name()] && (f.Exported() || f.Pkg() == nil || f.Pkg().Path() == "main") {
			list = append(list, Candidate{Text: f.Name() + ":", Type: "field", Sig: typeText(f.Type())})
		}
	}
	return list
}

func deref(t types.Type) types.Type {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}

// literalType is the type of the literal whose { is the last of open; nil where that is none.
func literalType(e *Env, src string, open []int) types.Type {
	before := strings.TrimRight(src[:open[len(open)-1]], " \t\n")
	if before == "" {
		return nil
	}
	switch before[len(before)-1] {
	case '{', ',', ':': // its type is that of the elements
		if len(open) < 2 || src[open[len(open)-2]] != '{' {
			return nil
		}
		outer := literalType(e, src, open[:len(open)-1])
		if outer == nil {
			return nil
		}
		if el, ok := deref(outer).Underlying().(interface{ Elem() types.Type }); ok {
			return el.Elem()
		}
		return nil
	}
	if name := before[nameStart(before, len(before)):]; token.IsKeyword(name) {
		return nil
	}
	if o := infer(e, before, len(before)); o != nil && o.isType {
		return o.typ
	}
	return nil
}
