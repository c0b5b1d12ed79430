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

// hooks are the package variables that hold a function which another package sets, and why each is one. Whatever a
// session does for the code that it runs is a method of display.Host instead.
var hooks = map[string]string{
	"tensor.siteHook":            "every node of a graph asks where the code stands; tensor imports nothing that knows",
	"tensor.storageWatch":        "memory views follow storages, inside the allocator; not set while none runs",
	"tensor.drawWatch":           "the view of generators follows what is drawn; not set in a program without a session",
	"visualize/display.attached": "finds the host of the running goroutine, whatever the session",
	"visualize/runs.clockHook":   "programs that compare pages set a clock that always counts the same",
	"internal/parallel.within":   "helpers of a kernel work in the modes of its caller",
	"internal/parallel.watch":    "flames time the parts of loops; not set while none runs",
}

// TestHooks: a function-valued package variable that an exported function sets is a hidden dependency. The list names
// all of them.
func TestHooks(t *testing.T) {
	found := map[string]bool{}
	vars := map[string]map[string]bool{} // by folder
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
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				if v := s.(*ast.ValueSpec); holdsFunction(v.Type) {
					if vars[dir] == nil {
						vars[dir] = map[string]bool{}
					}
					for _, n := range v.Names {
						vars[dir][n.Name] = true
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
					if vars[dir][name] {
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

// holdsFunction reports whether a type is func(…) or atomic.Pointer[func(…)].
func holdsFunction(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.FuncType:
		return true
	case *ast.IndexExpr:
		_, ok := t.Index.(*ast.FuncType)
		return ok
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
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"Store", "Swap", "CompareAndSwap"}, s.Sel.Name) {
				if id, ok := s.X.(*ast.Ident); ok {
					names = append(names, id.Name)
				}
			}
		}
		return true
	})
	return names
}
