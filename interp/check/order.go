package check

import (
	"go/ast"
	"go/token"
)

// Note: the order of variables
//
// Statements of a cell run one after the other. A cell that is only declarations may be a piece of a Go file, where
// variables are initialized in the order in which they need each other: then that is the order here too, if it
// differs. A name that also stands for something of an earlier cell means the one of this cell, as it does the second
// time that the cell runs.

// orderVars puts the var declarations of such a cell into Go's order.
func (u *unit) orderVars() {
	if len(u.cell.Show) > 0 {
		return
	}
	var specs []*ast.ValueSpec
	for _, s := range u.cell.Stmts {
		d, ok := s.(*ast.DeclStmt)
		if !ok {
			return
		}
		for _, spec := range d.Decl.(*ast.GenDecl).Specs {
			v, ok := spec.(*ast.ValueSpec)
			if !ok {
				return
			}
			if len(v.Names) != len(v.Values) {
				specs = append(specs, v)
				continue
			}
			for i, n := range v.Names {
				specs = append(specs, &ast.ValueSpec{Names: []*ast.Ident{n}, Type: v.Type, Values: v.Values[i : i+1 : i+1]})
			}
		}
	}
	order, ok := initOrder(specs, u.cell.Decls, u.names)
	if !ok {
		return
	}
	u.cell.Stmts = nil
	for _, i := range order {
		v := specs[i]
		u.cell.Stmts = append(u.cell.Stmts,
			&ast.DeclStmt{Decl: &ast.GenDecl{TokPos: v.Pos(), Tok: token.VAR, Specs: []ast.Spec{v}}})
	}
}

// initOrder returns the order in which Go would initialize; ok is false where it
// is the order of the text, or there is none. Names gives the identifiers in a
// piece of the tree.
func initOrder(specs []*ast.ValueSpec, decls []ast.Decl, names func(ast.Node) map[string]bool) (order []int, ok bool) {
	at := map[string]int{}
	for i, v := range specs {
		for _, n := range v.Names {
			if n.Name != "_" {
				at[n.Name] = i
			}
		}
	}
	funcs := map[string][]map[string]bool{} // what a function or a method of that name mentions
	for _, d := range decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			funcs[f.Name.Name] = append(funcs[f.Name.Name], names(f.Body))
		}
	}
	needs := make([]map[int]bool, len(specs))
	for i, v := range specs {
		needs[i] = map[int]bool{}
		seen := map[string]bool{}
		var follow func(map[string]bool)
		follow = func(ns map[string]bool) {
			for n := range ns {
				if seen[n] {
					continue
				}
				seen[n] = true
				if j, ok := at[n]; ok && j != i {
					needs[i][j] = true
				}
				for _, more := range funcs[n] {
					follow(more)
				}
			}
		}
		for _, x := range v.Values {
			follow(names(x))
		}
	}
	done := make([]bool, len(specs))
	for len(order) < len(specs) {
		next := -1
		for i := range specs {
			ready := !done[i]
			for j := range needs[i] {
				ready = ready && done[j]
			}
			if ready {
				next = i
				break
			}
		}
		if next < 0 {
			return nil, false // a cycle
		}
		done[next] = true
		ok = ok || next != len(order)
		order = append(order, next)
	}
	return order, ok
}

// names returns the identifiers in a piece of the tree, keywords' values too.
func (u *unit) names(n ast.Node) map[string]bool {
	m := map[string]bool{}
	u.collect(n, m)
	return m
}
