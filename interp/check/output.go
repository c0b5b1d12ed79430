package check

import (
	"bytes"
	"go/ast"
	"go/format"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/ast/astutil"

	"gotorch/internal/lazyre"
)

// qualify replaces bare names of package tensor, and names of dot imports, by
// selectors on hidden package names.
func (u *unit) qualify(c *Checked) {
	fix := func(cur *astutil.Cursor) bool {
		id, ok := cur.Node().(*ast.Ident)
		if !ok || cur.Name() == "Sel" {
			return true
		}
		o := u.info.Uses[id]
		if o == nil || o.Pkg() == nil || o.Pkg() == u.pkg || o.Parent() != o.Pkg().Scope() {
			return true
		}
		hidden := u.hide(o.Pkg())
		x := &ast.Ident{NamePos: id.NamePos, Name: hidden}
		sel := &ast.SelectorExpr{X: x, Sel: id}
		if pn, ok := u.info.Scopes[u.file].Lookup(hidden).(*types.PkgName); ok {
			u.info.Uses[x] = pn
		}
		if tv, ok := u.info.Types[id]; ok {
			u.info.Types[sel] = tv
		}
		cur.Replace(sel)
		return false
	}
	for i, d := range c.Decls {
		c.Decls[i] = astutil.Apply(d, fix, nil).(ast.Decl)
	}
	for i, s := range c.Stmts {
		c.Stmts[i] = astutil.Apply(s, fix, nil).(ast.Stmt)
	}
	for i, x := range c.Show {
		es := astutil.Apply(&ast.ExprStmt{X: x}, fix, nil).(*ast.ExprStmt)
		c.Show[i] = es.X
	}
}

// Each goes through all trees of a cell, as ast.Inspect does.
func (c *Checked) Each(f func(ast.Node) bool) {
	for _, d := range c.Decls {
		ast.Inspect(d, f)
	}
	for _, s := range c.Stmts {
		ast.Inspect(s, f)
	}
	for _, x := range c.Show {
		ast.Inspect(x, f)
	}
}

// used finds the packages that the trees refer to.
func (u *unit) used(c *Checked) {
	seen := map[string]bool{}
	c.Each(func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pn, ok := u.info.Uses[id].(*types.PkgName); ok && !seen[pn.Imported().Path()] {
				p := pn.Imported()
				seen[p.Path()] = true
				c.Used = append(c.Used, Import{plainName(id.Name), p.Path(), p})
			}
		}
		return true
	})
	sort.Slice(c.Used, func(i, j int) bool { return c.Used[i].Path < c.Used[j].Path })
}

var tempName = lazyre.New(`\bt·(\d+)`)

// Go is the plain Go of the cell, formatted, with the names that a program
// would use: what %go shows.
func (c *Checked) Go() string {
	var b bytes.Buffer
	fset := c.Fset
	write := func(n any) {
		if err := format.Node(&b, fset, n); err == nil {
			b.WriteByte('\n')
		}
	}
	for _, d := range c.Decls {
		write(d)
	}
	for _, s := range c.Stmts {
		if blk, ok := s.(*ast.BlockStmt); ok && len(blk.List) > 0 {
			s = &ast.BlockStmt{Lbrace: blk.Lbrace, List: blk.List, Rbrace: token.NoPos}
		}
		write(s)
	}
	for _, x := range c.Show {
		write(x)
	}
	text := tempName.ReplaceAllString(b.String(), "t$1")
	return strings.ReplaceAll(hiddenMark.ReplaceAllString(text, "$1"), "·", "")
}

// typeIn is a type in the words of a cell.
func typeIn(c *Checked, t types.Type) string {
	return plainText(types.TypeString(t, func(p *types.Package) string {
		if p == c.Pkg || p.Path() == TensorPath {
			return ""
		}
		return p.Name()
	}))
}

// Prints reports whether an expression is a call whose results nobody wants to see: of fmt's printing functions.
func Prints(info *types.Info, e ast.Expr) bool {
	c, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := info.Uses[s.Sel]
	return o != nil && o.Pkg() != nil && o.Pkg().Path() == "fmt" &&
		(strings.HasPrefix(o.Name(), "Print") || strings.HasPrefix(o.Name(), "Fprint"))
}
