package check

import (
	"go/ast"
	"go/token"
	"go/types"
)

// Note: names of devices. PyTorch takes a device or its name: device="async:0", x.to("meta"). So do cells: a string
// that stands where a Device is wanted becomes tensor.NamedDevice of it, which panics where there is no such device.

// namedDevices turns the strings among the arguments that stand for devices into these.
func (r *resolver) namedDevices(c *ast.CallExpr, f *callee) {
	np := f.sig.Params().Len()
	for i, a := range c.Args {
		var want types.Type
		switch {
		case f.variadic != nil && i >= np-1 && !c.Ellipsis.IsValid():
			want = f.variadic
		case i < np:
			want = f.sig.Params().At(i).Type()
		}
		if want == nil || !r.isDevice(want) && !r.devices[a] {
			continue
		}
		if d := r.namedDevice(a, r.typ(a)); d != nil {
			delete(r.devices, a)
			c.Args[i] = d
		}
	}
}

// namedDevice is the device of a string of type t, nil for another value.
func (r *resolver) namedDevice(e ast.Expr, t types.Type) ast.Expr {
	lit, isLit := e.(*ast.BasicLit)
	if t == nil && isLit && lit.Kind == token.STRING {
		t = types.Typ[types.UntypedString]
	}
	if t == nil {
		return nil
	}
	b, ok := t.Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsString == 0 {
		return nil
	}
	from, at := r.spanOf(e), e.Pos()
	if t != types.Typ[types.UntypedString] && t != types.Typ[types.String] { // type Place string
		e = &ast.CallExpr{Fun: r.ident("string", at), Lparen: at, Args: []ast.Expr{e}, Rparen: e.End()}
	}
	call := &ast.CallExpr{Fun: r.exported("NamedDevice", at), Lparen: at, Args: []ast.Expr{e}, Rparen: e.End()}
	return r.made(call, from, r.u.tensor.Scope().Lookup("Device").Type())
}

func (r *resolver) isDevice(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Pkg() == r.u.tensor && r.u.tensor != nil && n.Obj().Name() == "Device"
}
