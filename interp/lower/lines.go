package lower

import (
	"go/ast"
	"go/token"

	"gotorch/interp/core"
)

// Note: lines across calls. Every statement that may panic, call or loop notes its line. A function that returns puts
// back the line that it was called from, so that what the caller's statement does next, y := f(x) @ z, is at the
// caller's line and not at the function's last one.

// remember notes, at the head of a function's body, the line that the function was called from.
func (f *fn) remember(b *ast.BlockStmt) []ast.Stmt {
	if f.u.cell == 0 || !notesLines(b) {
		return nil
	}
	f.entry = f.temp()
	if core.Race {
		return []ast.Stmt{f.define(f.entry, f.rtCall("Now"))}
	}
	return []ast.Stmt{f.define(f.entry, f.id(core.LineVar))}
}

// restore puts that line back; a function that notes no lines has nothing to do.
func (f *fn) restore() []ast.Stmt {
	if f.entry == "" {
		return nil
	}
	if core.Race {
		return []ast.Stmt{f.exprStmt(f.rtCall("Line", f.id(f.entry)))}
	}
	return []ast.Stmt{f.assign(f.id(core.LineVar), token.ASSIGN, f.id(f.entry))}
}

// notesLines reports whether some statement of b, not of the closures in it, notes its line.
func notesLines(b *ast.BlockStmt) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncLit); ok || found {
			return false
		}
		if s, ok := n.(ast.Stmt); ok && s != ast.Stmt(b) && noted(s) {
			found = true
		}
		return !found
	})
	return found
}

// returning returns the statements that return values: their operands are computed before the line is put back.
func (f *fn) returning(s *ast.ReturnStmt, values []ast.Expr) []ast.Stmt {
	back := f.restore()
	order := f.order(s.Results)
	if order == nil && (back == nil || !anyRisky(s.Results)) {
		return append(back, &ast.ReturnStmt{Return: s.Return, Results: values})
	}
	res := f.sig.Results()
	exprs, names := f.temps(len(values))
	var out []ast.Stmt
	for n := range values {
		i := n
		if order != nil {
			i = order[n]
		}
		d := f.varDecl(names[i], f.typ(f.u, res.At(i).Type()))
		d.Specs[0].(*ast.ValueSpec).Values = []ast.Expr{values[i]}
		out = append(out, &ast.DeclStmt{Decl: d})
	}
	out = append(out, back...)
	return append(out, &ast.ReturnStmt{Return: s.Return, Results: exprs})
}

func anyRisky(es []ast.Expr) bool {
	for _, e := range es {
		if risky(e) {
			return true
		}
	}
	return false
}
