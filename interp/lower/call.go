package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"gotorch/interp/std/packages"
)

func (f *fn) callExpr(e *ast.CallExpr) ast.Expr {
	fun := ast.Unparen(e.Fun)
	tv := f.u.info.Types[fun]
	switch {
	case tv.IsType():
		return f.conversion(e, f.typeOf(fun))
	case tv.IsBuiltin():
		return f.builtin(e, builtinName(fun))
	}
	sig, ok := f.typeOf(fun).Underlying().(*types.Signature)
	if !ok {
		refuse(e, "the interpreter cannot call a %s", f.typeOf(fun))
	}
	if in := f.instanceSig(fun); in != nil {
		sig = in
	}
	bare := f.bare(fun)
	if len(e.Args) == 1 {
		if tuple, ok := f.typeOf(e.Args[0]).(*types.Tuple); ok {
			return f.callSpread(e, sig, tuple, bare)
		}
	}
	var args []ast.Expr
	lifts := f.lifts(fun)
	for i, a := range e.Args {
		if lifts {
			if x, ok := f.lifted(a, isInterface(paramType(sig, i, false))); ok {
				args = append(args, x)
				continue
			}
		}
		args = append(args, f.arg(a, paramType(sig, i, e.Ellipsis.IsValid()), bare))
	}
	return f.callWith(e, fun, sig, args)
}

// instanceSig is the signature of a generic function's instance.
func (f *fn) instanceSig(fun ast.Expr) *types.Signature {
	switch x := fun.(type) {
	case *ast.Ident:
		if in, ok := f.u.info.Instances[x]; ok {
			return f.in(f.u, in.Type).(*types.Signature)
		}
	case *ast.SelectorExpr:
		return f.instanceSig(x.Sel)
	case *ast.IndexExpr:
		return f.instanceSig(ast.Unparen(x.X))
	case *ast.IndexListExpr:
		return f.instanceSig(ast.Unparen(x.X))
	}
	return nil
}

func (f *fn) callWith(e *ast.CallExpr, fun ast.Expr, sig *types.Signature, args []ast.Expr) ast.Expr {
	var c *ast.CallExpr
	if se, ok := fun.(*ast.SelectorExpr); ok {
		if sel := f.u.info.Selections[se]; sel != nil && sel.Kind() == types.MethodVal {
			c = f.selected(se, args)
		}
	}
	if c == nil {
		if lit, ok := fun.(*ast.FuncLit); ok {
			c = &ast.CallExpr{Fun: f.closure(lit), Args: args}
		} else {
			c = &ast.CallExpr{Fun: f.expr(fun), Args: args}
		}
	}
	c.Lparen, c.Rparen = e.Lparen, e.Rparen
	if e.Ellipsis.IsValid() {
		c.Ellipsis = e.Ellipsis
	} else if n := sig.Params().Len(); sig.Variadic() && len(args) == n-1 && !f.compiledFunc(fun) {
		// no argument is a nil slice: the interpreter would make an empty one
		c.Args = append(c.Args, f.call(f.paren(f.typ(f.u, f.in(f.u, sig.Params().At(n-1).Type()))), f.id("nil")))
		c.Ellipsis = e.Rparen
	} else if sig.Variadic() && f.isField(fun) { // the interpreter has no variadic functions in fields
		list := &ast.CompositeLit{Type: f.typ(f.u, f.in(f.u, sig.Params().At(n-1).Type())), Lbrace: e.Lparen,
			Elts: slices.Clone(c.Args[n-1:]), Rbrace: e.Rparen}
		c.Args, c.Ellipsis = append(c.Args[:n-1:n-1], list), e.Rparen
	}
	return c
}

// isField reports whether an expression is a field of a struct.
func (f *fn) isField(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	sel := f.u.info.Selections[s]
	return sel != nil && sel.Kind() == types.FieldVal
}

// packageFunc is the function or method of a package that a call names; nil for those of cells, and for values.
func (f *fn) packageFunc(fun ast.Expr) *types.Func {
	var o types.Object
	switch x := fun.(type) {
	case *ast.Ident:
		o = f.object(x)
	case *ast.SelectorExpr:
		o = f.object(x.Sel)
	case *ast.IndexExpr:
		return f.packageFunc(ast.Unparen(x.X))
	case *ast.IndexListExpr:
		return f.packageFunc(ast.Unparen(x.X))
	}
	fo, ok := o.(*types.Func)
	if !ok || fo.Pkg() == nil || fo.Pkg() == f.u.pkg || f.u.def(fo) != nil {
		return nil
	}
	return fo
}

// compiledFunc reports whether a call is one of a host package's function or of a method of its types.
func (f *fn) compiledFunc(fun ast.Expr) bool {
	fo := f.packageFunc(fun)
	if fo == nil {
		return false
	}
	if _, ok := f.sourceOf(fo); ok {
		return false
	}
	n, ok := f.methodRecv(fo).(*types.Named)
	if !ok {
		return true
	}
	_, _, declared := f.declared(f.u, n)
	return !declared
}

// bare reports whether what is called is a host function that gets values
// without their boxes.
func (f *fn) bare(fun ast.Expr) bool {
	fo := f.packageFunc(fun)
	if fo == nil || packages.Boxed(fo.Pkg().Path()) {
		return false
	}
	if s, ok := fo.Type().(*types.Signature); ok && s.Recv() != nil {
		if n, ok := f.methodRecv(fo).(*types.Named); ok {
			if _, _, declared := f.declared(f.u, n); declared {
				return false
			}
		}
		if _, ok := f.methodRecv(fo).(*types.Interface); ok {
			return false
		}
	}
	_, source := f.sourceOf(fo)
	return !source
}

// paramType is the type that the i-th argument is converted to.
func paramType(sig *types.Signature, i int, spread bool) types.Type {
	n := sig.Params().Len()
	if sig.Variadic() && i >= n-1 {
		t := sig.Params().At(n - 1).Type()
		if spread {
			return t
		}
		if s, ok := t.Underlying().(*types.Slice); ok {
			return s.Elem()
		}
		return t
	}
	return sig.Params().At(i).Type()
}

func (f *fn) arg(a ast.Expr, want types.Type, bare bool) ast.Expr {
	return f.argOf(f.expr(a), f.typeOf(a), want, bare)
}

func (f *fn) argOf(x ast.Expr, from, want types.Type, bare bool) ast.Expr {
	if bare && isInterface(f.in(f.u, want)) && !f.compiledInterface(f.u, f.in(f.u, want)) {
		switch {
		case isNil(from):
			return x
		case isInterface(from):
			return f.rtCall("Raw", x)
		case f.nominal(f.u, from):
			return f.rtCall("Any", x)
		}
	}
	return f.convert(x, from, want)
}

// callSpread is f(g()) where g has several results.
func (f *fn) callSpread(e *ast.CallExpr, sig *types.Signature, tuple *types.Tuple, bare bool) ast.Expr {
	g := f.inner(sig)
	lhs, temps := g.temps(tuple.Len())
	def := &ast.AssignStmt{Lhs: lhs, TokPos: e.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{g.expr(e.Args[0])}}
	var args []ast.Expr
	for i, t := range temps {
		args = append(args, g.argOf(f.id(t), tuple.At(i).Type(), paramType(sig, i, false), bare))
	}
	c := g.callWith(e, ast.Unparen(e.Fun), sig, args)
	if sig.Results().Len() == 0 {
		return f.call(f.funcLit(f.funcType(nil, nil), def, f.exprStmt(c)))
	}
	return f.call(f.funcLit(f.funcType(nil, f.results(sig)), def, f.ret(c)))
}

// spread defines variables for the results of a call; the names stand for them in what is lowered next.
func (f *fn) spread(e ast.Expr, tuple *types.Tuple) (def ast.Stmt, ids []ast.Expr) {
	lhs := make([]ast.Expr, tuple.Len())
	for i := range lhs {
		id := &ast.Ident{NamePos: e.Pos(), Name: f.temp()}
		v := types.NewVar(e.Pos(), f.u.pkg, id.Name, tuple.At(i).Type())
		f.u.info.Uses[id], f.names[v] = v, id.Name
		lhs[i], ids = f.id(id.Name), append(ids, id)
	}
	return &ast.AssignStmt{Lhs: lhs, TokPos: e.Pos(), Tok: token.DEFINE, Rhs: []ast.Expr{f.expr(e)}}, ids
}

// callOf is a call with other arguments.
func (f *fn) callOf(e *ast.CallExpr, args []ast.Expr) *ast.CallExpr {
	c := &ast.CallExpr{Fun: e.Fun, Lparen: e.Lparen, Args: args, Rparen: e.Rparen}
	f.u.info.Types[c] = f.u.info.Types[e]
	return c
}

// builtinSpread is a builtin's call where its arguments are the results of one call: append(g()).
func (f *fn) builtinSpread(e *ast.CallExpr, name string, tuple *types.Tuple) ast.Expr {
	var results []*ast.Field
	if f.u.info.Types[e].IsValue() {
		results = []*ast.Field{f.field("", f.typ(f.u, f.typeOf(e)))}
	}
	g := f.inner(types.NewSignatureType(nil, nil, nil, nil, nil, false))
	def, ids := g.spread(e.Args[0], tuple)
	x := g.builtin(g.callOf(e, ids), name)
	if results == nil {
		return f.call(f.funcLit(f.funcType(nil, nil), def, f.exprStmt(x)))
	}
	return f.call(f.funcLit(f.funcType(nil, results), def, f.ret(x)))
}

func (f *fn) temps(n int) (exprs []ast.Expr, names []string) {
	for range n {
		t := f.temp()
		exprs, names = append(exprs, f.id(t)), append(names, t)
	}
	return exprs, names
}

// results writes a signature's results, without names.
func (f *fn) results(sig *types.Signature) []*ast.Field {
	var out []*ast.Field
	for i := range sig.Results().Len() {
		out = append(out, f.field("", f.typ(f.u, sig.Results().At(i).Type())))
	}
	return out
}

// params writes a signature's parameters with new names, and the arguments
// that pass them on.
func (f *fn) params(sig *types.Signature) (params []*ast.Field, args []ast.Expr) {
	for i := range sig.Params().Len() {
		n := f.temp()
		t := sig.Params().At(i).Type()
		var typ ast.Expr
		if sig.Variadic() && i == sig.Params().Len()-1 {
			typ = &ast.Ellipsis{Ellipsis: f.pos, Elt: f.typ(f.u, f.in(f.u, t).Underlying().(*types.Slice).Elem())}
		} else {
			typ = f.typ(f.u, t)
		}
		params, args = append(params, f.field(n, typ)), append(args, f.id(n))
	}
	return params, args
}

// conversion is T(x).
func (f *fn) conversion(e *ast.CallExpr, t types.Type) ast.Expr {
	from := f.typeOf(e.Args[0])
	switch {
	case isNil(from):
		return f.zero(t)
	case isInterface(t):
		if !isInterface(from) && !f.nominal(f.u, from) && !f.compiledInterface(f.u, t) { // any((*int)(nil)) is not nil
			return f.rtCall("Any", f.to(e.Args[0], t))
		}
		return f.to(e.Args[0], t)
	}
	if v := f.u.info.Types[e.Args[0]].Value; v != nil { // T(3), where T is a type parameter
		if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 {
			return f.literal(v, t)
		}
	}
	x := f.expr(e.Args[0])
	if size := f.copied(t, from); size > 0 && f.calls(e.Args[0]) {
		if b, ok := from.Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			x = f.rtCall("CopiedText", f.call(f.id("string"), x), f.intLit(size))
		}
	}
	switch t.Underlying().(type) {
	case *types.Signature, *types.Map, *types.Chan:
		if f.key(f.u, t.Underlying()) == f.key(f.u, from.Underlying()) && f.sameForm(t, from) {
			return f.paren(x)
		}
	}
	if f.sameForm(t, from) {
		return f.paren(x)
	}
	return f.call(f.paren(f.typ(f.u, t)), x)
}

// sameForm: the interpreter sees no difference between the types.
func (f *fn) sameForm(a, b types.Type) bool {
	form := func(t types.Type) string {
		for {
			n, ok := t.(*types.Named)
			if !ok {
				return f.key(f.u, t)
			}
			if _, _, declared := f.declared(f.u, n); !declared {
				return f.key(f.u, t)
			}
			if _, isStruct := n.Underlying().(*types.Struct); isStruct || f.isSelf(f.u, n) {
				return f.key(f.u, t)
			}
			t = n.Underlying()
		}
	}
	return form(a) == form(b)
}

// arrayLen is the length of an array, or of one that a pointer is to.
func arrayLen(t types.Type) (n int, ok bool) {
	u := t.Underlying()
	if p, isPointer := u.(*types.Pointer); isPointer {
		u = p.Elem().Underlying()
	}
	if a, isArray := u.(*types.Array); isArray {
		return int(a.Len()), true
	}
	return 0, false
}

func builtinName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.X.(*ast.Ident).Name + "." + e.Sel.Name
	}
	return ""
}

func (f *fn) builtin(e *ast.CallExpr, name string) ast.Expr {
	if fun, ok := ast.Unparen(e.Fun).(*ast.Ident); ok {
		if b, ok := f.object(fun).(*types.Builtin); ok {
			name = b.Name()
		}
	}
	plain := func(args ...ast.Expr) *ast.CallExpr {
		return &ast.CallExpr{Fun: at(f.id(name), e), Lparen: e.Lparen, Args: args, Ellipsis: e.Ellipsis,
			Rparen: e.Rparen}
	}
	if len(e.Args) == 1 {
		if tuple, ok := f.typeOf(e.Args[0]).(*types.Tuple); ok {
			return f.builtinSpread(e, name, tuple)
		}
	}
	switch name {
	case "len", "cap":
		if n, ok := arrayLen(f.typeOf(e.Args[0])); ok { // known, whatever the pointer is
			t := f.typ(f.u, f.typeOf(e.Args[0]))
			return f.call(f.funcLit(f.funcType([]*ast.Field{f.field(f.temp(), t)},
				[]*ast.Field{f.field("", f.id("int"))}), f.ret(f.intLit(n))), f.expr(e.Args[0]))
		}
		return plain(f.expr(e.Args[0]))
	case "close", "real", "imag":
		return plain(f.expr(e.Args[0]))
	case "complex":
		x := plain(f.expr(e.Args[0]), f.expr(e.Args[1]))
		if b, ok := f.typeOf(e).Underlying().(*types.Basic); ok && b.Kind() == types.Complex64 { // else it is complex128
			return f.call(f.typ(f.u, f.typeOf(e)), x)
		}
		return x
	case "copy":
		return plain(f.expr(e.Args[0]), f.expr(e.Args[1]))
	case "delete":
		return plain(f.expr(e.Args[0]), f.keyOf(e.Args[1], f.typeOf(e.Args[0]).Underlying().(*types.Map).Key()))
	case "append":
		s, ok := f.typeOf(e.Args[0]).Underlying().(*types.Slice)
		if !ok {
			refuse(e, "append needs a slice")
		}
		args := []ast.Expr{f.expr(e.Args[0])}
		if isNil(f.typeOf(e.Args[0])) {
			args[0] = f.zero(f.typeOf(e))
		}
		for _, a := range e.Args[1:] {
			if e.Ellipsis.IsValid() {
				args = append(args, f.expr(a))
			} else {
				args = append(args, f.to(a, s.Elem()))
			}
		}
		// of a list of lists it would append the elements, and it writes each value before it reads the next
		if !e.Ellipsis.IsValid() && (len(args) == 2 && f.isSelf(f.u, s.Elem()) || len(args) > 2 && readsMemory(e.Args[2:])) {
			list := &ast.CompositeLit{Type: f.typ(f.u, types.NewSlice(s.Elem())), Lbrace: e.Lparen, Elts: args[1:],
				Rbrace: e.Rparen}
			c := plain(args[0], list)
			c.Ellipsis = e.Rparen
			return c
		}
		return plain(args...)
	case "new":
		if f.u.info.Types[e.Args[0]].IsType() {
			return plain(f.typ(f.u, f.typeOf(e.Args[0])))
		}
		t := f.typeOf(e).(*types.Pointer).Elem() // new(value)
		p := f.temp()
		return f.call(f.funcLit(f.funcType([]*ast.Field{f.field(p, f.typ(f.u, t))},
			[]*ast.Field{f.field("", f.typ(f.u, types.NewPointer(t)))}),
			f.ret(&ast.UnaryExpr{OpPos: f.pos, Op: token.AND, X: f.id(p)})), f.to(e.Args[0], t))
	case "make":
		t := f.typeOf(e.Args[0])
		args := []ast.Expr{f.typ(f.u, t)}
		size := 1
		switch t := t.Underlying().(type) {
		case *types.Slice:
			size = max(1, f.sizeof(t.Elem()))
		case *types.Chan:
			size = max(1, f.sizeof(t.Elem()))
		case *types.Map:
			size = 2 * max(1, f.sizeof(t.Key())+f.sizeof(t.Elem()))
		}
		for _, a := range e.Args[1:] {
			x := f.expr(a)
			if b, ok := f.typeOf(a).Underlying().(*types.Basic); !ok || b.Kind() != types.Int {
				x = f.call(f.id("int"), x)
			}
			args = append(args, f.rtCall("Len", x, f.intLit(size)))
		}
		if isChan(t) && f.isSelf(f.u, t) {
			args[0] = f.typ(f.u, t.Underlying())
			return f.call(f.typ(f.u, t), plain(args...))
		}
		return plain(args...)
	case "min", "max":
		t := f.typeOf(e)
		out := f.to(e.Args[0], t)
		for _, a := range e.Args[1:] {
			out = f.call(f.id(f.minmax(name, t)), out, f.to(a, t))
		}
		return out
	case "clear":
		return f.rtCall("Clear", f.expr(e.Args[0]))
	case "panic":
		x := f.anyOf(e.Args[0])
		if isInterface(f.typeOf(e.Args[0])) || isNil(f.typeOf(e.Args[0])) {
			x = f.rtCall("Thrown", x)
		}
		return plain(x)
	case "recover":
		return f.recoverCall()
	case "print", "println":
		var args []ast.Expr
		for _, a := range e.Args {
			args = append(args, f.anyOf(a))
		}
		return f.rtCall(map[string]string{"print": "Print", "println": "Println"}[name], args...)
	}
	refuse(e, "%s is not available in cells", name)
	return nil
}

// readsMemory reports whether expressions read elements, fields, or what pointers point to.
func readsMemory(list []ast.Expr) (found bool) {
	for _, e := range list {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.IndexExpr, *ast.SelectorExpr, *ast.StarExpr:
				found = true
			}
			return !found
		})
	}
	return found
}

// sizeof is how many bytes a value takes, where that is simple.
func (f *fn) sizeof(t types.Type) int {
	defer func() { recover() }() // types that the sizes do not know
	return int(types.SizesFor("gc", "amd64").Sizeof(f.in(f.u, t)))
}
