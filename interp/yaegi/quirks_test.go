package yaegi

import (
	"context"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"testing"
	"time"

	"gotorch/interp/core"
	"gotorch/interp/rt"
)

// run runs a test's program; skip names a quirk that is not rewritten.
func (q Test) run(t *testing.T, skip string) string {
	t.Helper()
	e := New(Options{Runtime: rt.New()})
	defer e.Close()
	e.skip = skip
	var got any
	e.Extend("Result", func(x any) { got = x })
	text := "package main\n\n" + q.Program + "\n"
	f, err := parser.ParseFile(e.FileSet(), "test", text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("main", e.FileSet(), []*ast.File{f},
		info); err != nil {
		t.Fatal(err)
	}
	p := &core.Program{File: f}
	ast.Inspect(f, func(n ast.Node) bool { // as package lower does
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if n.Op == token.SHL || n.Op == token.SHR {
				for _, x := range []ast.Expr{n.X, n.Y} {
					if (info.Types[x].Value != nil) == (x == n.X) {
						p.Note(x, info.Types[x].Type)
					}
				}
			}
		case *ast.RangeStmt:
			switch u := info.Types[n.X].Type.Underlying().(type) {
			case *types.Basic, *types.Pointer:
				p.Note(n.X, u)
			}
		case *ast.BlockStmt: // i := 0; for ; i < 3; i++ {}
			for i, s := range n.List {
				if loop, ok := s.(*ast.ForStmt); ok && i > 0 {
					if a, ok := n.List[i-1].(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
						p.NoteLoop(loop, []string{a.Lhs[0].(*ast.Ident).Name})
					}
				}
			}
		}
		return true
	})
	id := func(name string) *ast.Ident { return &ast.Ident{NamePos: f.Package, Name: name} }
	call := func(fun ast.Expr, args ...ast.Expr) *ast.CallExpr { return &ast.CallExpr{Fun: fun, Args: args} }
	result := call(&ast.SelectorExpr{X: id(core.RuntimeName), Sel: id("Result")}, call(id("f")))
	f.Decls = append([]ast.Decl{core.Import(core.RuntimeName, core.RuntimePath, f.Package)}, f.Decls...)
	f.Decls = append(f.Decls, &ast.FuncDecl{Name: id("init"),
		Type: &ast.FuncType{Func: f.Package, Params: &ast.FieldList{}},
		Body: &ast.BlockStmt{List: []ast.Stmt{&ast.ExprStmt{X: result}}}})
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	if err := e.Run(ctx, p); err != nil {
		return err.Error()
	}
	return fmt.Sprint(got)
}

// TestQuirks: each rewrite cures its quirk, and yaegi still has it.
func TestQuirks(t *testing.T) {
	var names []string
	for _, q := range Quirks {
		t.Run(q.Name, func(t *testing.T) {
			if slices.Contains(names, q.Name) {
				t.Error("there are two of that name")
			}
			names = append(names, q.Name)
			if q.Why == "" || (q.Rewrite == nil) == (q.Where == "") {
				t.Error("a quirk has a reason, and either a rewrite or a place where it is cured")
			}
			if q.Test.Program == "" {
				return
			}
			want := fmt.Sprint(q.Test.Want)
			if got := q.Test.run(t, ""); got != want {
				t.Errorf("with the rewrite: %s, want %s", got, want)
			}
			if got := q.Test.run(t, q.Name); got == want {
				t.Errorf("without the rewrite it is %s too: yaegi has lost this quirk, or the program does not show it", got)
			}
		})
	}
}
