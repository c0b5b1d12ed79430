package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Note: large arrays
//
// An array is a value: each assignment, argument, result, element of a list, send and conversion to an interface
// copies it, and the interpreter allocates each copy. So a statement that copies arrays of a megabyte or more asks for
// that much room first. What a statement copies is counted by the types of its operands; an array that is only
// indexed, sliced, measured or pointed to is not. A function whose variables are such arrays asks when it is entered.

// largeArray is the size from which on copies of a value are counted.
const largeArray = 1 << 20

// copies is how often the interpreter may hold a value that a statement copies: in the place that it is copied to, and
// on the way there.
const copies = 2

// arrays returns the question for the arrays that a statement or an expression copies, for what it does itself and not
// for the statements inside of it.
func (f *fn) arrays(n ast.Node) []ast.Stmt { return f.askArrays(f.arrayBytes(n)) }

func (f *fn) askArrays(bytes float64) []ast.Stmt {
	if bytes == 0 {
		return nil
	}
	return one(f.exprStmt(f.rtCall("Arrays", f.intLit(int(min(bytes, 1<<50))))))
}

// arrayBytes is the size of the large values that a node copies.
func (f *fn) arrayBytes(n ast.Node) (bytes float64) {
	count := func(e ast.Expr) {
		bytes += f.largeValue(e)
	}
	switch s := n.(type) {
	case *ast.AssignStmt:
		for _, x := range s.Rhs {
			count(x)
			bytes += f.arrayBytes(x)
		}
		for _, x := range s.Lhs {
			bytes += f.operandBytes(x)
		}
		return bytes
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok && d.Tok == token.VAR {
			for _, sp := range d.Specs {
				v := sp.(*ast.ValueSpec)
				for _, x := range v.Values {
					count(x)
					bytes += f.arrayBytes(x)
				}
				for _, name := range v.Names {
					if o := f.u.info.Defs[name]; o != nil && len(v.Values) == 0 {
						bytes += f.largeType(o.Type())
					}
				}
			}
		}
		return bytes
	case *ast.ReturnStmt:
		for _, x := range s.Results {
			count(x)
			bytes += f.arrayBytes(x)
		}
		return bytes
	case *ast.ExprStmt:
		return f.arrayBytes(s.X)
	case *ast.SendStmt:
		count(s.Value)
		return bytes + f.arrayBytes(s.Value) + f.arrayBytes(s.Chan)
	case *ast.GoStmt:
		return f.arrayBytes(s.Call)
	case *ast.DeferStmt:
		return f.arrayBytes(s.Call)
	case *ast.RangeStmt:
		count(s.X)
		if s.Value != nil {
			count(s.Value)
		}
		return bytes + f.operandBytes(s.X)
	case *ast.SwitchStmt:
		if s.Tag != nil {
			count(s.Tag)
			bytes += f.arrayBytes(s.Tag)
		}
		return bytes
	case *ast.IfStmt:
		return f.operandBytes(s.Cond)
	case ast.Expr:
		return f.operandBytes(s)
	}
	return 0
}

// operandBytes is what the operands of an expression copy, not its own value.
func (f *fn) operandBytes(e ast.Expr) (bytes float64) {
	each := func(list ...ast.Expr) {
		for _, x := range list {
			if x != nil {
				bytes += f.largeValue(x) + f.operandBytes(x)
			}
		}
	}
	switch x := e.(type) {
	case *ast.ParenExpr:
		return f.operandBytes(x.X)
	case *ast.CallExpr:
		fun := ast.Unparen(x.Fun)
		if f.u.info.Types[fun].IsBuiltin() {
			for _, a := range x.Args {
				if f.isLen(fun) {
					bytes += f.operandBytes(a)
				} else {
					each(a)
				}
			}
			return bytes
		}
		bytes += f.largeValue(x) // the result
		if s, ok := fun.(*ast.SelectorExpr); ok {
			if sel := f.u.info.Selections[s]; sel != nil && sel.Kind() == types.MethodVal {
				if r := sel.Obj().(*types.Func).Signature().Recv(); r != nil {
					bytes += f.largeType(r.Type())
				}
			}
		}
		bytes += f.operandBytes(fun)
		each(x.Args...)
	case *ast.CompositeLit:
		for _, el := range x.Elts {
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				el = kv.Value
			}
			each(el)
		}
	case *ast.BinaryExpr:
		each(x.X, x.Y)
	case *ast.IndexExpr:
		bytes = f.operandBytes(x.X) + f.operandBytes(x.Index)
	case *ast.SelectorExpr:
		bytes = f.operandBytes(x.X)
	case *ast.SliceExpr:
		bytes = f.operandBytes(x.X)
	case *ast.StarExpr:
		bytes = f.operandBytes(x.X)
	case *ast.UnaryExpr:
		bytes = f.operandBytes(x.X)
		if _, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			bytes += f.largeValue(x.X)
		}
	case *ast.TypeAssertExpr:
		each(x.X)
	case *ast.KeyValueExpr:
		each(x.Value)
	}
	return bytes
}

func (f *fn) isLen(fun ast.Expr) bool {
	id, ok := fun.(*ast.Ident)
	return ok && (id.Name == "len" || id.Name == "cap")
}

// largeValue is the size of an expression's value if it has a large array in it.
func (f *fn) largeValue(e ast.Expr) float64 {
	tv, ok := f.u.info.Types[e]
	if !ok {
		id, isName := e.(*ast.Ident)
		if !isName || f.object(id) == nil {
			return 0
		}
		return f.largeType(f.object(id).Type())
	}
	if tv.IsType() || tv.IsVoid() || tv.Type == nil {
		return 0
	}
	if t, ok := tv.Type.(*types.Tuple); ok {
		n := 0.0
		for v := range t.Variables() {
			n += f.largeType(v.Type())
		}
		return n
	}
	return f.largeType(tv.Type)
}

// largeType is the size of a type's values if these are large.
func (f *fn) largeType(t types.Type) float64 {
	switch f.in(f.u, t).Underlying().(type) {
	case *types.Array, *types.Struct:
		if n := f.sizeof(t); n >= largeArray {
			return copies * float64(n)
		}
	}
	return 0
}

// enterArrays asks, at the head of a function's body, for the parameters, results and variables that are large.
func (f *fn) enterArrays(b *ast.BlockStmt) []ast.Stmt {
	bytes := 0.0
	for _, list := range []*types.Tuple{f.sig.Params(), f.sig.Results()} {
		for v := range list.Variables() {
			bytes += f.largeType(v.Type())
		}
	}
	ast.Inspect(b, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.Ident:
			if v, ok := f.u.info.Defs[x].(*types.Var); ok {
				bytes += f.largeType(v.Type())
			}
		}
		return true
	})
	return f.askArrays(bytes / copies)
}
