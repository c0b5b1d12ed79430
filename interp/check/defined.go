package check

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"gotorch/interp/syntax"
	"gotorch/tensor/opdef"
)

// Note: operators that a user defined. tensor.Define("my::clip(…) -> Tensor", …) makes my.Clip an operator: no package
// has it, so that the resolver turns my.Clip(x, lo=0) into tensor.Operator("my::clip").Call(x, tensor.NewOption("lo",
// 0)). The schema says which keywords there are and how many results. It is known from a running program, or from a
// Define with a literal schema that stands earlier in the session, or in the same cell.

// definedSigs are the schemas of a namespace, by Go name: my.Clip.
func (e *Env) definedSigs(ns string) (list []*opdef.Sig) {
	add := func(s *opdef.Sig) {
		if strings.HasPrefix(s.GoName(), ns+".") &&
			!slices.ContainsFunc(list, func(o *opdef.Sig) bool { return o.GoName() == s.GoName() }) {
			list = append(list, s)
		}
	}
	if e.cfg.Defined != nil {
		for _, s := range e.cfg.Defined() {
			add(s)
		}
	}
	for _, s := range e.declared {
		add(s)
	}
	slices.SortFunc(list, func(a, b *opdef.Sig) int { return strings.Compare(a.GoName(), b.GoName()) })
	return list
}

// definedSpaces are the namespaces of all operators that a user defined, sorted.
func (e *Env) definedSpaces() (list []string) {
	add := func(s *opdef.Sig) {
		if ns, _, _ := strings.Cut(s.GoName(), "."); !slices.Contains(list, ns) {
			list = append(list, ns)
		}
	}
	if e.cfg.Defined != nil {
		for _, s := range e.cfg.Defined() {
			add(s)
		}
	}
	for _, s := range e.declared {
		add(s)
	}
	slices.Sort(list)
	return list
}

// definedNamed is the schema of an operator in a namespace by Go's name or PyTorch's, nil if there is none.
func (e *Env) definedNamed(ns, name string) *opdef.Sig {
	for _, s := range e.definedSigs(ns) {
		if s.GoName() == ns+"."+name || s.FullName() == ns+"."+name {
			return s
		}
	}
	return nil
}

// declaredIn finds the operators that a cell defines with a literal schema. What is wrong with one is said when it
// runs.
func declaredIn(decls []ast.Decl, body ast.Node) (list []*opdef.Sig) {
	look := func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || len(c.Args) == 0 {
			return true
		}
		switch f := c.Fun.(type) {
		case *ast.Ident:
			ok = f.Name == "Define"
		case *ast.SelectorExpr:
			ok = f.Sel.Name == "Define"
		}
		lit, isText := c.Args[0].(*ast.BasicLit)
		if !ok || !isText || lit.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(lit.Value); err == nil {
			if s, err := opdef.ParseDefined(opdef.Row{Schema: text}); err == nil {
				list = append(list, s)
			}
		}
		return true
	}
	for _, d := range decls {
		ast.Inspect(d, look)
	}
	if body != nil {
		ast.Inspect(body, look)
	}
	return list
}

// definedIn finds the operator that a call's function means: my.Clip.
func (r *resolver) definedIn(fun ast.Expr) (sel *ast.SelectorExpr, sig *opdef.Sig, ns string) {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return nil, nil, ""
	}
	id, ok := sel.X.(*ast.Ident)
	if !ok {
		return nil, nil, ""
	}
	pkg, isPackage := r.u.info.Uses[id].(*types.PkgName)
	if r.u.info.Uses[id] != nil && !isPackage || !isPackage && r.simpleType(id) != nil {
		return nil, nil, ""
	}
	if isPackage && (r.u.env.cfg.Auto[id.Name] != pkg.Imported().Path() ||
		pkg.Imported().Scope().Lookup(sel.Sel.Name) != nil) {
		return nil, nil, "" // imported by the user, or the package has the name
	}
	for _, s := range r.declared {
		if n := id.Name + "." + sel.Sel.Name; s.GoName() == n || s.FullName() == n {
			return sel, s, id.Name
		}
	}
	if s := r.u.env.definedNamed(id.Name, sel.Sel.Name); s != nil {
		return sel, s, id.Name
	}
	if isPackage || len(r.u.env.definedSigs(id.Name)) == 0 {
		return nil, nil, ""
	}
	return sel, nil, id.Name
}

// definedCall resolves the call of an operator that a user defined; done is false where the call is another.
func (r *resolver) definedCall(c *ast.CallExpr) (e ast.Expr, done bool) {
	if r.option == nil {
		return nil, false
	}
	sel, sig, ns := r.definedIn(c.Fun)
	if sel == nil {
		return nil, false
	}
	if sig == nil {
		var have []string
		for _, s := range r.u.env.definedSigs(ns) {
			have = append(have, s.GoName())
		}
		r.problem(sel.Sel.Pos(), sel.Sel, "no operator %s.%s is defined; there is %s", ns, sel.Sel.Name,
			strings.Join(have, ", "))
		return nil, true
	}
	from, at := r.spanOf(c), c.Pos()
	args, ok := r.definedArgs(c, sig)
	if !ok {
		return nil, true
	}
	full := strings.Replace(sig.FullName(), ".", "::", 1)
	name := &ast.BasicLit{ValuePos: at, Kind: token.STRING, Value: strconv.Quote(full)}
	op := &ast.CallExpr{Fun: r.exported("Operator", at), Lparen: at, Args: []ast.Expr{name}, Rparen: at}
	method, t := "Call", types.Type(r.tensor)
	switch n := len(sig.Rets); {
	case n > 3 || sig.Rets[0].IsList("Tensor"):
		method, t = "CallAll", types.NewSlice(r.tensor)
	case n > 1:
		method += strconv.Itoa(n)
		vars := make([]*types.Var, n)
		for i := range vars {
			vars[i] = types.NewVar(token.NoPos, nil, "", r.tensor)
		}
		t = types.NewTuple(vars...)
	}
	delete(r.forms.Keywords, c)
	fun := &ast.SelectorExpr{X: op, Sel: r.ident(method, at)}
	call := &ast.CallExpr{Fun: fun, Lparen: c.Lparen, Args: args, Ellipsis: c.Ellipsis, Rparen: c.Rparen}
	return r.made(call, from, t), true
}

// definedArgs are the arguments of such a call: lists get types, and keywords become options.
func (r *resolver) definedArgs(c *ast.CallExpr, sig *opdef.Sig) (args []ast.Expr, ok bool) {
	value := func(e ast.Expr) ast.Expr {
		if li, isList := r.isList(e); isList {
			return r.freeList(li, true)
		}
		return e
	}
	for _, a := range c.Args {
		v := value(a)
		if v == nil {
			return nil, false
		}
		args = append(args, v)
	}
	for _, k := range r.forms.Keywords[c] {
		if sig != nil && sig.Param(k.Name.Name) < 0 {
			var takes []string
			for i := range sig.Params {
				takes = append(takes, sig.Params[i].Name)
			}
			r.problem(k.Name.Pos(), k.Name, "%s takes no keyword %s; it takes %s", sig.GoName(),
				k.Name.Name, strings.Join(takes, ", "))
			return nil, false
		}
		v := value(k.Value)
		if v == nil {
			return nil, false
		}
		if id, isName := v.(*ast.Ident); isName && id.Name == "None" {
			continue
		}
		args = append(args, r.namedOption(k, v))
	}
	return args, true
}

// namedOption makes tensor.NewOption("lo", v).
func (r *resolver) namedOption(k syntax.Keyword, v ast.Expr) ast.Expr {
	at := k.Name.Pos()
	name := &ast.BasicLit{ValuePos: at, Kind: token.STRING, Value: strconv.Quote(k.Name.Name)}
	o := &ast.CallExpr{Fun: r.exported("NewOption", at), Lparen: k.Eq, Args: []ast.Expr{name, v}, Rparen: v.End() - 1}
	r.origin[o] = span{at, k.Value.End()}
	return o
}

// operatorCall gives op.Call(x, lo=0) its keywords; done is false where f is no method of an operator.
func (r *resolver) operatorCall(c *ast.CallExpr, f *callee) (done bool) {
	if f.fn == nil || f.fn.Pkg() != r.u.tensor || f.fn.Signature().Recv() == nil || !strings.HasPrefix(f.name, "Call") {
		return false
	}
	if recv := recvName(f.fn.Signature().Recv().Type()); recv == nil || recv.Name() != "Op" {
		return false
	}
	args, ok := r.definedArgs(c, nil)
	if !ok {
		return true
	}
	delete(r.forms.Keywords, c)
	c.Args = args
	r.changed++
	return true
}

// definedCallee is what completion knows of an operator that a user defined.
func definedCallee(e *Env, s *opdef.Sig) *callee {
	f := &callee{name: s.GoName(), isOp: true, options: true, keyTypes: map[string]types.Type{}}
	t, option := tensorTypes(e)
	if t == nil {
		return nil
	}
	var params []*types.Var
	for i := range s.Params {
		p := &s.Params[i]
		pt := paramType(p, t)
		switch {
		case p.KwOnly:
			f.op.Keyword = append(f.op.Keyword, p.Name)
		case p.HasDef:
			f.op.Options = append(f.op.Options, p.Name)
		default:
			f.op.Required = append(f.op.Required, p.Name)
			params = append(params, types.NewVar(token.NoPos, nil, p.Name, pt))
			continue
		}
		f.keyTypes[p.Name] = pt
	}
	params = append(params, types.NewVar(token.NoPos, nil, "opts", types.NewSlice(option)))
	var results []*types.Var
	for i := range s.Rets {
		rt := types.Type(t)
		if s.Rets[i].IsList("Tensor") {
			rt = types.NewSlice(t)
		}
		name := ""
		if len(s.Rets) > 1 {
			name = s.Rets[i].Name
		}
		results = append(results, types.NewVar(token.NoPos, nil, name, rt))
	}
	f.sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), types.NewTuple(results...), true)
	f.variadic = option
	return f
}

// tensorTypes are *tensor.Tensor and tensor.Option, nil for plain Go.
func tensorTypes(e *Env) (t, option types.Type) {
	p, err := e.cfg.Importer.Import(TensorPath)
	if err != nil {
		return nil, nil
	}
	return types.NewPointer(p.Scope().Lookup("Tensor").Type()), p.Scope().Lookup("Option").Type()
}

// paramType is the Go type of a parameter, any where it has several.
func paramType(p *opdef.Param, tensor types.Type) types.Type {
	if len(p.Types) != 1 {
		return types.Universe.Lookup("any").Type()
	}
	var t types.Type
	switch p.Types[0].Base {
	case "Tensor":
		t = tensor
	case "int":
		t = types.Typ[types.Int]
	case "float", "Scalar":
		t = types.Typ[types.Float64]
	case "bool":
		t = types.Typ[types.Bool]
	case "str":
		t = types.Typ[types.String]
	default:
		t = types.Universe.Lookup("any").Type()
	}
	if p.Types[0].List {
		t = types.NewSlice(t)
	}
	return t
}

// completeDefined lists what stands behind my., which ends at end; ok is false where that is no namespace.
func completeDefined(e *Env, src string, end int) (list []Candidate, ok bool) {
	start := nameStart(src, end)
	ns := src[start:end]
	if e.Lookup(ns) != nil || start > 0 && src[start-1] == '.' {
		return nil, false
	}
	for _, s := range e.definedSigs(ns) {
		list = append(list, Candidate{Text: strings.TrimPrefix(s.GoName(), ns+"."), Type: "func", Sig: s.Schema})
	}
	return list, len(list) > 0
}

// definedAt is the operator whose name, my.Clip, ends at end.
func definedAt(e *Env, src string, end int) *opdef.Sig {
	dot := nameStart(src, end)
	if dot == 0 || src[dot-1] != '.' {
		return nil
	}
	start := nameStart(src, dot-1)
	if ns := src[start : dot-1]; ns != "" && e.Lookup(ns) == nil {
		return e.definedNamed(ns, src[dot:end])
	}
	return nil
}

// describeDefined describes an operator that a user defined.
func describeDefined(s *opdef.Sig) Description {
	return Description{Name: s.GoName(), Kind: "func", Sig: s.Schema, Doc: s.Doc, Path: TensorPath}
}
