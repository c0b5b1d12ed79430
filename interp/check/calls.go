package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"sort"
	"strings"

	"gotorch/interp/syntax"
)

// callee is what is known of a call's function.
type callee struct {
	sig      *types.Signature
	fn       *types.Func // nil for a function value
	name     string
	variadic types.Type // the element of the variadic parameter, or nil
	options  bool       // that is tensor.Option
	factory  bool       // a method of tensor.Factory has the name
	op       OpSig
	isOp     bool
}

// call resolves lists, keywords and surplus positional arguments.
func (r *resolver) call(c *ast.CallExpr) ast.Expr {
	r.spreadOption(c)
	keys := r.forms.Keywords[c]
	if tv, ok := r.u.info.Types[c.Fun]; ok && (tv.IsType() || tv.IsBuiltin()) {
		r.notFunc(c, tv, keys)
		return nil
	}
	if len(keys) == 0 && !r.hasList(c) && r.option == nil {
		return nil
	}
	f := r.callee(c)
	if f == nil {
		return nil
	}
	if !r.lists(c, f) {
		return nil
	}
	if !r.surplus(c, f) || len(keys) == 0 {
		return nil
	}
	return r.keywords(c, f, keys)
}

func (r *resolver) hasList(c *ast.CallExpr) bool {
	for _, a := range c.Args {
		if _, ok := r.isList(a); ok {
			return true
		}
	}
	return false
}

// spreadOption: dim=dims spreads where dims turns out to be a slice.
func (r *resolver) spreadOption(c *ast.CallExpr) {
	if !r.spread[c] || len(c.Args) != 1 || c.Ellipsis.IsValid() {
		return
	}
	if t := r.typ(c.Args[0]); t != nil {
		if _, ok := t.Underlying().(*types.Slice); ok {
			c.Ellipsis = c.Args[0].End()
			r.changed++
		}
		delete(r.spread, c)
	}
}

func (r *resolver) callee(c *ast.CallExpr) *callee {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	f := &callee{name: "the function"}
	switch x := fun.(type) {
	case *ast.Ident:
		f.name = x.Name
		f.fn, _ = r.u.info.Uses[x].(*types.Func)
	case *ast.SelectorExpr:
		f.name = x.Sel.Name
		if f.fn = r.madeMethod(x); f.fn != nil {
			f.sig = f.fn.Signature()
		} else {
			f.fn, _ = r.u.info.Uses[x.Sel].(*types.Func)
		}
	}
	if t := r.u.info.Types[c.Fun].Type; f.sig == nil && t != nil {
		f.sig, _ = t.Underlying().(*types.Signature)
	}
	if f.sig == nil {
		return nil
	}
	if f.sig.Variadic() {
		last := f.sig.Params().At(f.sig.Params().Len() - 1).Type()
		if s, ok := last.Underlying().(*types.Slice); ok {
			f.variadic = s.Elem()
			f.options = r.option != nil && types.Identical(f.variadic, r.option)
		}
	}
	if f.fn != nil && f.fn.Pkg() != nil && f.fn.Pkg() == r.u.tensor {
		method := f.fn.Signature().Recv() != nil
		if ops := r.u.env.cfg.Operators; ops != nil {
			f.op, f.isOp = ops.Keywords(f.name, method)
		}
		f.factory = !method && !f.options && r.factoryMethod(f.name)
	}
	return f
}

func (r *resolver) factoryMethod(name string) bool {
	with, _ := r.u.tensor.Scope().Lookup("With").(*types.Func)
	if with == nil || with.Signature().Results().Len() != 1 {
		return false
	}
	m, _, _ := types.LookupFieldOrMethod(with.Signature().Results().At(0).Type(), true, r.u.tensor, name)
	return m != nil
}

// lists gives the lists among the arguments the types of their parameters.
func (r *resolver) lists(c *ast.CallExpr, f *callee) bool {
	np := f.sig.Params().Len()
	for i := 0; i < len(c.Args); i++ {
		li, ok := r.isList(c.Args[i])
		if !ok {
			continue
		}
		var q ast.Expr
		switch {
		case i < np-1 || i < np && !f.sig.Variadic():
			q = r.typedList(li, f.sig.Params().At(i).Type())
		case !f.sig.Variadic():
			return true // too many arguments: go/types says so
		case f.options:
			continue // surplus
		case c.Ellipsis.IsValid():
			q = r.typedList(li, f.sig.Params().At(np-1).Type())
		case i == np-1 && i == len(c.Args)-1 && spreads(f.variadic):
			c.Args = append(c.Args[:i:i], li.Elts...) // Zeros([2, 3]) is Zeros(2, 3)
			r.changed++
			return true
		default:
			q = r.typedList(li, f.variadic)
		}
		if q == nil {
			return false
		}
		c.Args[i] = q
		r.changed++
	}
	return true
}

// spreads: a sole list is spread over variadic ints.
func spreads(t types.Type) bool { return !isTypeParam(t) && isInteger(t) }

// surplus turns positional arguments beyond the required ones into the
// schema's options in its order. It reports whether the call may go on.
func (r *resolver) surplus(c *ast.CallExpr, f *callee) bool {
	need := f.sig.Params().Len() - 1
	if !f.options || !f.isOp || len(c.Args) <= need || c.Ellipsis.IsValid() {
		return true
	}
	var args []ast.Expr
	next, made := 0, false
	for _, a := range c.Args[need:] {
		_, list := r.isList(a)
		t := r.typ(a)
		if !list && t == nil {
			return false // not yet
		}
		if !list && types.AssignableTo(t, r.option) && !isNil(t) {
			args = append(args, a)
			continue
		}
		if next >= len(f.op.Options) {
			r.problem(a.Pos(), a, "%s takes %s by position%s", f.name, countOf(len(f.op.Required)+len(f.op.Options), "argument"), r.alongDim(f)+more(f.op.Keyword))
			return false
		}
		k := syntax.Keyword{Name: &ast.Ident{NamePos: a.Pos(), Name: f.op.Options[next]}, Eq: a.Pos(), Value: a}
		for _, given := range r.forms.Keywords[c] {
			if given.Name.Name == k.Name.Name {
				r.problem(given.Name.Pos(), given.Name, "%s is given twice: %s stands in its place already", given.Name.Name, r.text(a))
				return false
			}
		}
		next++
		o := r.optionArg(f, k)
		if o == nil {
			return false
		}
		if o != omitted {
			args = append(args, o)
		}
		made = true
	}
	if made {
		c.Args = append(c.Args[:need:need], args...)
		r.changed++
	}
	return true
}

func countOf(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(int64(n)) + " " + what + "s"
}

func more(keys []string) string {
	if len(keys) == 0 {
		return ""
	}
	return "; by name also " + strings.Join(keys, ", ")
}

// keywords puts keyword arguments into the call: each is the parameter of that
// name, else an option.
func (r *resolver) keywords(c *ast.CallExpr, f *callee, keys []syntax.Keyword) ast.Expr {
	np := f.sig.Params().Len()
	type placed struct {
		i int
		k syntax.Keyword
	}
	var places []placed
	var options []ast.Expr
	for _, k := range keys {
		if i := r.param(f, k.Name.Name); i >= 0 {
			if i < len(c.Args) {
				r.problem(k.Name.Pos(), k.Name, "%s is given twice: %s stands in its place already", k.Name.Name, r.text(c.Args[i]))
				return nil
			}
			places = append(places, placed{i, k})
			continue
		}
		if !f.options && !f.factory {
			r.problem(k.Name.Pos(), k.Name, "%s takes no keyword %s%s", f.name, k.Name.Name, r.takes(f))
			return nil
		}
		o := r.optionArg(f, k)
		if o == nil {
			return nil
		}
		if o != omitted {
			options = append(options, o)
		}
	}
	sort.SliceStable(places, func(i, j int) bool { return places[i].i < places[j].i })
	args, dots := c.Args, c.Ellipsis
	required := np
	if f.options {
		required--
	}
	for _, p := range places {
		if p.i != len(args) {
			r.problem(p.k.Name.Pos(), p.k.Name, "%s needs %s as well", f.name, snake(f.sig.Params().At(len(args)).Name()))
			return nil
		}
		v := p.k.Value
		last := f.sig.Variadic() && p.i == np-1
		li, isList := r.isList(v)
		switch {
		case isList && last:
			args = append(args[:len(args):len(args)], li.Elts...)
			continue
		case isList:
			if v = r.typedList(li, f.sig.Params().At(p.i).Type()); v == nil {
				return nil
			}
		case last:
			t := r.typ(v)
			if t == nil {
				t = r.simpleType(v)
			}
			if t != nil {
				if _, ok := t.Underlying().(*types.Slice); ok {
					dots = v.End()
				}
			}
		}
		args = append(args[:len(args):len(args)], v)
	}
	if len(options) > 0 && !f.factory && dots.IsValid() {
		r.problem(dots, c, "options cannot follow a slice that is spread: give its elements")
		return nil
	}
	from := r.spanOf(c)
	delete(r.forms.Keywords, c)
	c.Args, c.Ellipsis = args, dots
	r.changed++
	switch {
	case len(options) == 0:
		return nil
	case f.factory:
		at := c.Fun.Pos()
		with := &ast.CallExpr{Fun: r.exported("With", at), Lparen: at, Args: options, Rparen: at}
		fun := &ast.SelectorExpr{X: with, Sel: r.ident(f.name, at)}
		return r.made(&ast.CallExpr{Fun: fun, Lparen: c.Lparen, Args: c.Args, Ellipsis: c.Ellipsis, Rparen: c.Rparen}, from, r.tensor)
	}
	c.Args = append(c.Args, options...)
	return nil
}

// simpleType is the type of a name that go/types has not looked at, because
// keywords were taken out of the call.
func (r *resolver) simpleType(e ast.Expr) types.Type {
	id, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	scope := r.u.pkg.Scope().Innermost(id.Pos())
	if scope == nil {
		return nil
	}
	if _, o := scope.LookupParent(id.Name, id.Pos()); o != nil {
		return o.Type()
	}
	return nil
}

// param is the index of the parameter that a keyword names, or -1.
func (r *resolver) param(f *callee, key string) int {
	n := f.sig.Params().Len()
	for i := range n {
		if i == n-1 && f.options {
			break
		}
		name := f.sig.Params().At(i).Name()
		if name == key || name != "" && camel(strings.TrimSuffix(name, "_")) == camel(strings.TrimSuffix(key, "_")) {
			return i
		}
	}
	return -1
}

// takes lists what may be given by name.
func (r *resolver) takes(f *callee) string {
	var have []string
	if d := r.alongDim(f); d != "" {
		return d
	}
	if f.isOp {
		have = append(append(have, f.op.Options...), f.op.Keyword...)
	}
	if len(have) == 0 {
		for v := range f.sig.Params().Variables() {
			if v.Name() != "" && v.Name() != "_" && !(f.options && v == f.sig.Params().At(f.sig.Params().Len()-1)) {
				have = append(have, snake(v.Name()))
			}
		}
	}
	if len(have) == 0 {
		return ""
	}
	return "; it takes " + strings.Join(have, ", ")
}

// alongDim points to MaxDim where Max was given a dimension.
func (r *resolver) alongDim(f *callee) string {
	if f.fn == nil || f.fn.Signature().Recv() == nil || r.tensor == nil || len(f.op.Options) > 0 {
		return ""
	}
	if o, _, _ := types.LookupFieldOrMethod(r.tensor, true, r.u.pkg, f.name+"Dim"); o == nil {
		return ""
	}
	return "; along a dimension it is " + f.name + "Dim"
}

// omitted stands for an option that is given as None.
var omitted ast.Expr = &ast.BadExpr{}

// optionArg makes the option of a keyword: dim=1 is opt.Dim(1), and a value
// that is an option itself stays, dtype=Int32. nil when it is none (said).
func (r *resolver) optionArg(f *callee, k syntax.Keyword) ast.Expr {
	key, at := k.Name.Name, k.Name.Pos()
	if f.isOp && !slices.Contains(f.op.Options, key) && !slices.Contains(f.op.Keyword, key) && key != "out" {
		r.problem(at, k.Name, "%s takes no keyword %s%s", f.name, key, r.takes(f))
		return nil
	}
	var ctor *types.Func
	if r.opts != nil {
		ctor, _ = r.opts.Scope().Lookup(camel(key)).(*types.Func)
	}
	if ctor == nil || ctor.Signature().Params().Len() != 1 {
		r.problem(at, k.Name, "%s takes no keyword %s%s", f.name, key, r.takes(f))
		return nil
	}
	if id, ok := k.Value.(*ast.Ident); ok && (id.Name == "nil" || id.Name == "None") {
		return omitted
	}
	param := ctor.Signature().Params().At(0).Type()
	if !ctor.Signature().Variadic() && types.AssignableTo(param, r.option) {
		if _, list := r.isList(k.Value); !list {
			return r.checkedOption(k, param)
		}
	}
	c := &ast.CallExpr{Fun: &ast.SelectorExpr{X: r.ident(r.u.hide(r.opts), at), Sel: r.ident(ctor.Name(), at)}, Lparen: k.Eq, Args: []ast.Expr{k.Value}, Rparen: k.Value.End() - 1}
	r.origin[c] = span{at, k.Value.End()}
	li, isList := r.isList(k.Value)
	switch {
	case isList && ctor.Signature().Variadic():
		c.Args = li.Elts
	case isList:
		var v ast.Expr
		if i, ok := param.Underlying().(*types.Interface); ok && i.Empty() {
			if v = r.freeList(li, true); v == nil && r.unknown(li) {
				// its elements have no types yet: a later round gives it one
				return c
			}
		} else {
			v = r.typedList(li, param)
		}
		if v == nil {
			return nil
		}
		c.Args[0] = v
	case ctor.Signature().Variadic():
		r.spread[c] = true // once the type of the value is known
	}
	return c
}

// checkedOption gives a value that is an option by itself, of the type that
// its keyword wants.
func (r *resolver) checkedOption(k syntax.Keyword, want types.Type) ast.Expr {
	if id, ok := k.Value.(*ast.Ident); ok { // dtype=float32
		o := types.Universe.Lookup(id.Name)
		if d := r.u.tensor.Scope().Lookup(camel(id.Name)); o != nil && d != nil && types.AssignableTo(d.Type(), want) {
			r.problem(id.Pos(), id, "%s is a type of Go's; the %s is %s", id.Name, k.Name.Name, d.Name())
			return nil
		}
	}
	t := r.typ(k.Value)
	if t == nil {
		t = r.simpleType(k.Value)
	}
	if t != nil && !types.AssignableTo(t, want) {
		r.problem(k.Value.Pos(), k.Value, "%s wants %s; %s is %s", k.Name.Name, article(r.typeName(want)), r.text(k.Value), article(strings.TrimPrefix(r.typeName(t), "untyped ")))
		return nil
	}
	if b, ok := k.Value.(*ast.BasicLit); ok {
		r.problem(k.Value.Pos(), k.Value, "%s wants %s; %s is %s", k.Name.Name, article(r.typeName(want)), b.Value, map[token.Token]string{
			token.INT: "an int", token.FLOAT: "a float", token.STRING: "a string", token.CHAR: "a rune", token.IMAG: "a complex number"}[b.Kind])
		return nil
	}
	return k.Value
}

// unknown: an element of the list has no type yet.
func (r *resolver) unknown(c *ast.CompositeLit) bool {
	for _, e := range c.Elts {
		if in, ok := r.isList(e); ok && r.unknown(in) || !ok && r.typ(e) == nil {
			return true
		}
	}
	return false
}

// notFunc is a conversion or a call of what is built in: they take lists where
// that makes sense, and no keywords.
func (r *resolver) notFunc(c *ast.CallExpr, tv types.TypeAndValue, keys []syntax.Keyword) {
	for _, k := range keys {
		what := "is a type: write " + r.text(c.Fun) + "{" + k.Name.Name + ": …}"
		if tv.IsBuiltin() {
			what = "is built into Go and takes no keywords"
		}
		r.problem(k.Name.Pos(), k.Name, "%s %s", r.text(c.Fun), what)
	}
	name := ""
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		name = id.Name
	}
	for i, a := range c.Args {
		li, ok := r.isList(a)
		if !ok {
			continue
		}
		var q ast.Expr
		switch {
		case tv.IsType() && i == 0:
			q = r.typedList(li, tv.Type)
		case name == "append" && i > 0 && r.typ(c.Args[0]) != nil:
			t := r.typ(c.Args[0])
			if s, ok := t.Underlying().(*types.Slice); ok && !c.Ellipsis.IsValid() {
				t = s.Elem()
			}
			q = r.typedList(li, t)
		case name == "len" || name == "panic" || name == "print" || name == "println":
			q = r.freeList(li, true)
		}
		if q != nil {
			c.Args[i] = q
			r.changed++
		}
	}
}

// camel turns one of PyTorch's names into Go's case, word by word; an
// underscore at the end stays.
func camel(s string) string {
	base, inPlace := strings.CutSuffix(s, "_")
	var b strings.Builder
	for _, w := range strings.Split(base, "_") {
		if w != "" {
			b.WriteString(strings.ToUpper(w[:1]) + w[1:])
		}
	}
	if inPlace {
		b.WriteByte('_')
	}
	return b.String()
}

// snake is PyTorch's way of writing a Go parameter.
func snake(s string) string {
	var b strings.Builder
	for i, c := range strings.TrimSuffix(s, "_") {
		if c >= 'A' && c <= 'Z' {
			if i > 0 {
				b.WriteByte('_')
			}
			c += 'a' - 'A'
		}
		b.WriteRune(c)
	}
	return b.String()
}
