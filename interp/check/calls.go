package check

import (
	"go/ast"
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
	variadic types.Type            // the element of the variadic parameter, or nil
	options  bool                  // that is tensor.Option
	keyTypes map[string]types.Type // of keywords, where package opt has no function for them
	factory  bool                  // a method of tensor.Factory has the name
	op       OpSig
	isOp     bool
}

// call resolves lists, keywords and surplus positional arguments.
func (r *resolver) call(c *ast.CallExpr) ast.Expr {
	r.spreadOption(c)
	r.ofFunction(c)
	if e, done := r.definedCall(c); done {
		return e
	}
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
	if r.operatorCall(c, f) {
		return nil
	}
	r.namedDevices(c, f)
	if e := r.captioned(c, f, keys); e != nil {
		return e
	}
	if r.overload(c, f, keys) || !r.lists(c, f) {
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
		case i == np-1 && i == len(c.Args)-1 && (spreads(f.variadic) || r.isTensor(f.variadic) && r.tensors(li)):
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

// tensors: all elements of the list are, as far as is known.
func (r *resolver) tensors(li *ast.CompositeLit) bool {
	for _, e := range li.Elts {
		if t := r.typ(e); t != nil && !r.isTensor(t) {
			return false
		}
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
		if !list && types.AssignableTo(t, r.option) && !isNil(t) && !(r.isTensor(t) && r.takesTensor(f, next)) {
			args = append(args, a)
			continue
		}
		if next >= len(f.op.Options) {
			r.problem(a.Pos(), a, "%s takes %s by position%s", f.name,
				countOf(len(f.op.Required)+len(f.op.Options), "argument"), r.alongDim(f)+more(f.op.Keyword))
			return false
		}
		k := syntax.Keyword{Name: &ast.Ident{NamePos: a.Pos(), Name: f.op.Options[next]}, Eq: a.Pos(), Value: a}
		for _, given := range r.forms.Keywords[c] {
			if given.Name.Name == k.Name.Name {
				r.problem(given.Name.Pos(), given.Name, "%s is given twice: %s stands in its place already",
					given.Name.Name, r.text(a))
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

// takesTensor: the next of the schema's options may be a tensor, or there is none left for it.
func (r *resolver) takesTensor(f *callee, next int) bool {
	if next < len(f.op.Options) {
		return r.tensorOption(f.op.Options[next])
	}
	return next > 0
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
		k = r.inTorchWords(f, k)
		if i := r.param(f, k.Name.Name); i >= 0 {
			if i < len(c.Args) {
				r.problem(k.Name.Pos(), k.Name, "%s is given twice: %s stands in its place already", k.Name.Name,
					r.text(c.Args[i]))
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
		return r.made(&ast.CallExpr{Fun: fun, Lparen: c.Lparen, Args: c.Args, Ellipsis: c.Ellipsis, Rparen: c.Rparen},
			from, r.tensor)
	}
	c.Args = append(c.Args, options...)
	return nil
}

// numpyWords are NumPy's names of parameters, which PyTorch's operators take too.
var numpyWords = map[string]string{"axis": "dim", "keepdims": "keepdim", "x2": "other"}

// inTorchWords gives a keyword of an operator PyTorch's name, where it has NumPy's and the operator no such parameter.
func (r *resolver) inTorchWords(f *callee, k syntax.Keyword) syntax.Keyword {
	takes := func(name string) bool {
		return r.param(f, name) >= 0 || slices.Contains(f.op.Options, name) || slices.Contains(f.op.Keyword, name)
	}
	if name := numpyWords[k.Name.Name]; f.isOp && name != "" && takes(name) && !takes(k.Name.Name) {
		k.Name = &ast.Ident{NamePos: k.Name.Pos(), Name: name}
	}
	return k
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
