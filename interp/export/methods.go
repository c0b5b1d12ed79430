package export

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"gotorch/interp/check"
)

// Note: methods that are declared again
//
// A program has a method once. One that a later cell declares again calls a variable, tShow for the method Show of T,
// to which each of the later cells assigns a function of the receiver: what was there before sees the new one, as in a
// session.

// methodText is a method's type as a function of its receiver; empty for a method of a generic type, which has no such
// variable.
func (x *exporter) methodText(c *check.Checked, m *types.Func) string {
	sig := m.Signature()
	if sig.RecvTypeParams().Len() > 0 {
		return ""
	}
	vars := []*types.Var{sig.Recv()}
	for i := range sig.Params().Len() {
		vars = append(vars, sig.Params().At(i))
	}
	return x.typeText(c, types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), sig.Variadic()))
}

// methodAgain writes a method that is declared more than once.
func (w *writer) methodAgain(b, stmts *bytes.Buffer, f *ast.FuncDecl) bool {
	m, ok := w.c.Info.Defs[f.Name].(*types.Func)
	if !ok {
		return false
	}
	var recv *check.Def
	for _, d := range w.c.Methods {
		if d.Obj == m {
			recv = d.Recv
		}
	}
	if recv == nil || !w.x.again[w.x.typeName(recv)+"."+m.Name()] {
		return false
	}
	key := w.x.typeName(recv) + "." + m.Name()
	name := w.x.methodVars[key]
	first := name == ""
	if first {
		base := strings.ToLower(key[:1]) + strings.ReplaceAll(key[1:], ".", "")
		name = base
		for n := 2; w.x.taken[name] || w.x.words[name]; n++ {
			name = fmt.Sprintf("%s%d", base, n)
		}
		w.x.taken[name], w.x.methodVars[key] = true, name
		w.x.vars = append(w.x.vars, name+" "+w.x.methods[key])
		w.lateMethod(b, f)
		w.stub(b, f, name)
	}
	recvField := *f.Recv.List[0]
	if len(recvField.Names) == 0 && hasNames(f.Type.Params) {
		recvField.Names = []*ast.Ident{{NamePos: recvField.Type.Pos(), Name: "_"}}
	} else if len(recvField.Names) > 0 && !hasNames(f.Type.Params) {
		for _, p := range f.Type.Params.List {
			p.Names = []*ast.Ident{{NamePos: p.Type.Pos(), Name: "_"}}
		}
	}
	ft := *f.Type
	params := *f.Type.Params
	params.List = append([]*ast.Field{&recvField}, f.Type.Params.List...)
	ft.Params = &params
	var lit bytes.Buffer
	if first { // the program has its methods from the start
		w.note(&w.top, f.Body)
		w.node(&lit, &ast.FuncLit{Type: &ft, Body: f.Body})
		fmt.Fprintf(b, "func init() {\n%s = %s}\n\n", name, lit.String())
		return true
	}
	w.run = append(w.run, place{cell: w.p.Name, line: w.c.Fset.Position(f.Pos()).Line})
	w.note(&w.run, f.Body)
	w.node(&lit, &ast.FuncLit{Type: &ft, Body: f.Body})
	fmt.Fprintf(stmts, "%s = %s", name, lit.String())
	return true
}

// printing are the methods that change what is printed, or written, of values that say nothing of it.
var printing = map[string]bool{"String": true, "Error": true, "Format": true, "GoString": true, "MarshalJSON": true,
	"MarshalText": true}

// lateMethod says of a method of an earlier cell's type that what earlier cells print is printed with it.
func (w *writer) lateMethod(b *bytes.Buffer, f *ast.FuncDecl) {
	if !printing[f.Name.Name] || w.x.late[w.p.Name+" "+f.Name.Name] {
		return
	}
	for _, m := range w.c.Methods {
		if m.Obj == w.c.Info.Defs[f.Name] && !slices.Contains(w.c.Defs, m.Recv) {
			w.x.late[w.p.Name+" "+f.Name.Name] = true
			fmt.Fprintf(b, "// %s of %s declares it, but the program has it from its beginning, and so uses it in what "+
				"earlier cells print.\n", f.Name.Name, w.p.Name)
		}
	}
}

func hasNames(l *ast.FieldList) bool { return len(l.List) > 0 && len(l.List[0].Names) > 0 }

// stub writes the method itself, which calls what the variable holds.
func (w *writer) stub(b *bytes.Buffer, f *ast.FuncDecl, name string) {
	text := func(n ast.Node) string {
		var t bytes.Buffer
		w.node(&t, n)
		return strings.TrimSpace(t.String())
	}
	var params, args []string
	for _, p := range f.Type.Params.List {
		for range max(1, len(p.Names)) {
			n := fmt.Sprintf("p%d", len(params))
			params = append(params, n+" "+text(p.Type))
			if _, variadic := p.Type.(*ast.Ellipsis); variadic {
				n += "..."
			}
			args = append(args, n)
		}
	}
	ret, results := "", ""
	if f.Type.Results != nil && len(f.Type.Results.List) > 0 {
		ret = "return "
		var types []string
		for _, r := range f.Type.Results.List {
			for range max(1, len(r.Names)) {
				types = append(types, text(r.Type))
			}
		}
		results = " (" + strings.Join(types, ", ") + ")"
	}
	fmt.Fprintf(b, "func (recv %s) %s(%s)%s { %s%s(%s) }\n\n", text(f.Recv.List[0].Type), f.Name.Name,
		strings.Join(params, ", "), results, ret, name, strings.Join(append([]string{"recv"}, args...), ", "))
}
