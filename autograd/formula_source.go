package autograd

import (
	"embed"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"reflect"
	"runtime"
	"sort"
	"strconv"
	"strings"
	"sync"

	"gotorch/tensor"
)

// The text of the formulas rides in the program, so that views can show what will be computed.
//
//go:embed formula*.go
var formulaFiles embed.FS

// FormulaSource is the Go text of an operator's derivative as it stands in this package, with the function that it
// names, and where: the file's name and the line. The text is "" for an operator without a formula, and for one of
// [tensor.Define], whose formula is where it was defined.
func FormulaSource(o *tensor.Op) (text, file string, line int) {
	f := formulaOf(o)
	if f.VJP == nil || o.IsDefined() {
		return "", "", 0
	}
	sources := parsedFormulas()
	row, known := sources.rows[o.Full]
	if !known { // registered by a loop over names: the function itself
		at, n := runtime.FuncForPC(reflect.ValueOf(f.VJP).Pointer()).FileLine(reflect.ValueOf(f.VJP).Pointer())
		if row, known = sources.at[lineOf{path.Base(at), n}]; !known {
			return "", path.Base(at), n
		}
	}
	text = row.text
	for _, name := range row.names {
		if fn, ok := sources.functions[name]; ok {
			text += "\n\n" + fn.text
		}
	}
	return text, row.file, row.line
}

type lineOf struct {
	file string
	line int
}

// excerpt is a piece of the package's text.
type excerpt struct {
	lineOf
	text  string
	names []string // of functions that are passed as values
}

type formulaSources struct {
	rows      map[string]excerpt // by the operator's name
	functions map[string]excerpt // by name
	at        map[lineOf]excerpt // functions by the line that they begin in
}

// parsedFormulas reads the files when they are first needed.
var parsedFormulas = sync.OnceValue(func() *formulaSources {
	s := &formulaSources{map[string]excerpt{}, map[string]excerpt{}, map[lineOf]excerpt{}}
	files, _ := formulaFiles.ReadDir(".")
	for _, f := range files {
		data, err := formulaFiles.ReadFile(f.Name())
		if err != nil {
			continue
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, f.Name(), data, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		cut := func(n ast.Node) excerpt {
			from, to := fset.Position(n.Pos()), fset.Position(n.End())
			return excerpt{lineOf{f.Name(), from.Line}, dedent(string(data[from.Offset:to.Offset])), nil}
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				s.functions[n.Name.Name], s.at[cut(n).lineOf] = cut(n), cut(n)
			case *ast.FuncLit:
				s.at[cut(n).lineOf] = cut(n)
			case *ast.CompositeLit:
				if m, ok := n.Type.(*ast.MapType); ok && named(m.Key, "string") && named(m.Value, "Formula") {
					for _, e := range n.Elts {
						s.row(e, cut)
					}
				}
			}
			return true
		})
	}
	return s
})

func named(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// row takes a row of a table of formulas.
func (s *formulaSources) row(e ast.Expr, cut func(ast.Node) excerpt) {
	kv, ok := e.(*ast.KeyValueExpr)
	if !ok {
		return
	}
	key, ok := kv.Key.(*ast.BasicLit)
	if !ok {
		return
	}
	name, err := strconv.Unquote(key.Value)
	if err != nil {
		return
	}
	x := cut(kv)
	seen := map[string]bool{}
	ast.Inspect(kv.Value, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen[id.Name] && (strings.HasSuffix(id.Name, "Grads") && id.Name != "Grads" ||
			strings.HasSuffix(id.Name, "Backward")) {
			seen[id.Name] = true
			x.names = append(x.names, id.Name)
		}
		return true
	})
	if v, ok := kv.Value.(*ast.CompositeLit); ok { // VJP: f
		for _, f := range v.Elts {
			if f, ok := f.(*ast.KeyValueExpr); ok {
				if id, ok := f.Value.(*ast.Ident); ok && named(f.Key, "VJP") && !seen[id.Name] {
					x.names = append(x.names, id.Name)
				}
			}
		}
	}
	sort.Strings(x.names)
	s.rows[name] = x
}

// dedent takes away the tabs that all lines but the first begin with.
func dedent(text string) string {
	lines := strings.Split(text, "\n")
	least := -1
	for _, l := range lines[1:] {
		if n := len(l) - len(strings.TrimLeft(l, "\t")); l != "" && (least < 0 || n < least) {
			least = n
		}
	}
	for i, l := range lines[1:] {
		if l != "" && least > 0 {
			lines[i+1] = l[least:]
		}
	}
	return strings.ReplaceAll(strings.Join(lines, "\n"), "\t", "    ")
}
