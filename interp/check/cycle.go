package check

import (
	"go/ast"
	"strings"

	"gotorch/interp/syntax"
)

// cycle begins go/types' complaint of what instantiates itself with ever larger types.
const cycle = "instantiation cycle:"

// endless complains of generic declarations that instantiate themselves without end. go/types looks for them only
// where nothing else is wrong, and to it a value that is shown is wrong, and so is a variable that no statement of the
// cell uses: the declarations are checked without the statements.
func (u *unit) endless() syntax.Diagnostics {
	if !u.generic() {
		return nil
	}
	info, pkg, errs, block := u.info, u.pkg, u.errs, u.statements()
	list := block.List
	defer func() { u.info, u.pkg, u.errs, block.List = info, pkg, errs, list }()
	block.List = nil
	u.types()
	for i, e := range u.errs {
		if !strings.HasPrefix(e.Msg, cycle) {
			continue
		}
		var steps []string
		for _, step := range u.errs[i+1:] {
			steps = append(steps, strings.TrimSpace(plainText(step.Msg))) // T instantiated as *List[T]
		}
		return syntax.Diagnostics{
			u.cell.At(e.Pos, e.Pos, "this is made of itself with ever larger types: "+strings.Join(steps, ", "))}
	}
	return nil
}

// generic reports whether the cell declares something with type parameters.
func (u *unit) generic() (is bool) {
	for _, d := range u.cell.Decls {
		ast.Inspect(d, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				is = is || n.TypeParams != nil
			case *ast.FuncDecl:
				is = is || n.Type.TypeParams != nil || n.Recv != nil // which may have some of its type's
				return false
			}
			return !is
		})
	}
	return is
}
