package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// hooks are the package variables that hold functions which another package sets, and why each is one. Whatever a
// session does for the code that it runs is a method of display.Host instead. There are at most three.
var hooks = map[string]string{
	"tensor.hooks": "derivatives, places in the code, and watchers inside of the allocator and of kernels: tensor " +
		"imports nothing that knows of them, and asks too often to look a session up",
	"visualize/display.attached": "finds the host of the running goroutine, whatever the session",
	"internal/parallel.around":   "helpers of a kernel work in the modes of its caller, which package tensor knows",
}

// TestHooks: a package variable that an exported function sets, and that is a function or a struct of functions, is a
// hidden dependency. The list names all of them.
func TestHooks(t *testing.T) {
	if len(hooks) > 3 {
		t.Errorf("%d hooks, at most 3 are allowed", len(hooks))
	}
	found := map[string]bool{}
	vars, structs := map[string]map[string]ast.Expr{}, map[string]map[string]bool{} // by folder
	files := map[string][]*ast.File{}
	handWritten(t, func(name string, text []byte) {
		dir := filepath.ToSlash(filepath.Dir(strings.TrimPrefix(filepath.ToSlash(name), root+"/")))
		if strings.HasSuffix(name, "_test.go") || strings.HasPrefix(dir, "internal/gen") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files[dir] = append(files[dir], f)
		if vars[dir] == nil {
			vars[dir], structs[dir] = map[string]ast.Expr{}, map[string]bool{}
		}
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range g.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						vars[dir][n.Name] = s.Type
					}
				case *ast.TypeSpec:
					if st, ok := s.Type.(*ast.StructType); ok && len(st.Fields.List) > 0 {
						structs[dir][s.Name.Name] = slices.ContainsFunc(st.Fields.List,
							func(f *ast.Field) bool { return holdsFunction(f.Type, nil) })
					}
				}
			}
		}
	})
	for dir, list := range files {
		for _, f := range list {
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Body == nil || fn.Recv != nil || !fn.Name.IsExported() {
					continue
				}
				for _, name := range assigned(fn.Body) {
					if holdsFunction(vars[dir][name], structs[dir]) {
						found[dir+"."+name] = true
					}
				}
			}
		}
	}
	for name := range found {
		if hooks[name] == "" {
			t.Errorf("%s is set from another package: make it a method of display.Host, or give a reason in this test", name)
		}
	}
	for name := range hooks {
		if !found[name] {
			t.Errorf("%s is no longer there", name)
		}
	}
}

// holdsFunction reports whether a type is func(…), one of structs, or a pointer or atomic.Pointer to such.
func holdsFunction(t ast.Expr, structs map[string]bool) bool {
	switch t := t.(type) {
	case *ast.FuncType:
		return true
	case *ast.Ident:
		return structs[t.Name]
	case *ast.StarExpr:
		return holdsFunction(t.X, structs)
	case *ast.IndexExpr: // not a map or a slice: tables are filled by registration
		return holdsFunction(t.Index, structs)
	}
	return false
}

// assigned lists the variables that a body assigns to or stores into.
func assigned(body *ast.BlockStmt) (names []string) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if id, ok := l.(*ast.Ident); ok && n.Tok == token.ASSIGN {
					names = append(names, id.Name)
				}
			}
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok &&
				slices.Contains([]string{"Store", "Swap", "CompareAndSwap"}, s.Sel.Name) {
				if id, ok := s.X.(*ast.Ident); ok {
					names = append(names, id.Name)
				}
			}
		}
		return true
	})
	return names
}
