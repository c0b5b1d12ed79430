package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotorch/tensor/opdef"
)

// What general code knows of an operator stands in the operator's rows: a tag, or a field of its formula. Names of
// operators may stand in the files that are tables by operator.
var operatorTables = []string{
	"autograd/formula*.go",
	"visualize/grad/notations.go", // how formulas are written
	"visualize/grad/units.go",     // the nodes that a matmul is recorded as
}

// sameWords are words that name an operator and, in these files, something else.
var sameWords = map[string]string{
	"visualize/grad/graph_svg.go":           "view", // a kind of node
	"visualize/memory/aliases_draw.go":      "cpu",  // the device
	"visualize/memory/strides_text.go":      "cpu",
	"visualize/memory/bits.go":              "real", // the part of a number
	"visualize/memory/bits_format.go":       "sign",
	"visualize/memory/bits_text.go":         "sign",
	"visualize/memory/card_draw.go":         "min max mean std zeros", // statistics
	"visualize/plot/plot.go":                "scatter",                // the kind of a plot
	"visualize/plot/plot_draw.go":           "scatter histogram",
	"visualize/plot/plot_text.go":           "scatter histogram",
	"visualize/operators/support_sample.go": "mean",              // a value of reduction
	"visualize/operators/support_draw.go":   "float int complex", // kinds of dtypes
	"visualize/operators/table.go":          "view",              // how an operator answers at a key
	"visualize/operators/branches.go":       "view",
	"visualize/operators/chain.go":          "view", // a part of an operator's source
	"visualize/operators/table_draw.go":     "view",
	"visualize/operators/list.go":           "view",   // a shape class
	"visualize/runs/rng.go":                 "normal", // a field of a generator's state
}

// TestOperatorNames: general code does not ask for an operator by its name.
func TestOperatorNames(t *testing.T) {
	names := map[string]bool{"CopySlices": true} // a node of no operator
	for _, s := range opdef.Signatures() {
		names[s.Name], names[s.FullName()] = true, true
		if s.Tags.Has(opdef.InPlace) {
			names[s.Name+"_"] = true
		}
	}
	handWritten(t, func(name string, text []byte) {
		name = filepath.ToSlash(strings.TrimPrefix(filepath.ToSlash(name), root+"/"))
		general := name == "tensor/dispatch.go" || strings.HasPrefix(name, "autograd/") ||
			strings.HasPrefix(name, "visualize/")
		if !general || strings.HasSuffix(name, "_test.go") {
			return
		}
		if strings.HasPrefix(name, "visualize/widgets/") {
			return // knows no tensors
		}
		for _, pattern := range operatorTables {
			if ok, _ := filepath.Match(pattern, name); ok {
				return
			}
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		check := func(list ...ast.Expr) {
			for _, e := range list {
				lit, ok := e.(*ast.BasicLit)
				if !ok || lit.Kind != token.STRING {
					continue
				}
				if s, _ := strconv.Unquote(lit.Value); names[s] && !slices.Contains(strings.Fields(sameWords[name]), s) {
					t.Errorf("%s asks for %s by name: make it a tag of the row, or a field of the formula",
						fset.Position(lit.Pos()), lit.Value)
				}
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					check(n.X, n.Y)
				}
			case *ast.CaseClause:
				check(n.List...)
			case *ast.KeyValueExpr:
				check(n.Key)
			case *ast.CompositeLit:
				check(n.Elts...)
			case *ast.IndexExpr:
				check(n.Index)
			case *ast.CallExpr:
				if s, ok := n.Fun.(*ast.SelectorExpr); ok &&
					(s.Sel.Name == "Lookup" || s.Sel.Name == "Invoke" || s.Sel.Name == "Register") {
					check(n.Args...)
				}
			}
			return true
		})
	})
}
