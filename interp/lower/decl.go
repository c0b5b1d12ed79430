package lower

import (
	"go/ast"
	"go/token"
	"go/types"

	"gotorch/interp/check"
	"gotorch/interp/core"
)

// declare gives the cell's definitions their names and lowers its functions.
//
// Note: redefinition
//
// A name that is defined again is another global; code that was compiled before goes on using the old one. A function
// is called through a variable, which a redefinition of the same signature takes over, so that its callers see the new
// one; with another signature they could not call it and keep the old. A variable whose type stays and that nothing
// else can refer to keeps its place.
func (k *cell) declare(u *unit, c *check.Checked) {
	for _, d := range c.Defs {
		s := k.symbol(d)
		switch d.Kind {
		case check.Var:
			k.declareSlot(u, s)
		case check.Type:
			if s.methods == nil {
				s.methods = map[string]*methodSym{}
			}
		}
	}
	type body struct {
		decl *ast.FuncDecl
		sym  *Symbol
		name string
		sig  *types.Signature
	}
	var bodies []body
	for _, m := range c.Methods {
		s := k.symbol(m.Recv)
		if s.methods == nil {
			s.methods = map[string]*methodSym{}
		}
		sig := m.Obj.Type().(*types.Signature)
		if sig.RecvTypeParams().Len() > 0 {
			s.methods[m.Obj.Name()] = &methodSym{decl: m.Decl, unit: u}
			continue
		}
		key := k.key(u, sig.Recv().Type()) + k.key(u, sig)
		name, _ := k.number(m.Recv.Name + "." + m.Obj.Name())
		ms := &methodSym{sig: key, impl: name}
		if old := s.methods[m.Obj.Name()]; old != nil && old.sig == key {
			ms.ref, ms.global = old.ref, old.global
		} else {
			ms.ref = name + core.FuncVar
			ms.global = k.eng.Own(ms.ref)
			k.vars = append(k.vars, k.varDecl(ms.ref, k.sigType(u, withReceiver(sig))))
		}
		old, had := s.methods[m.Obj.Name()]
		s.methods[m.Obj.Name()] = ms
		k.prog.undo = append(k.prog.undo, func() {
			if delete(s.methods, m.Obj.Name()); had {
				s.methods[m.Obj.Name()] = old
			}
		})
		k.inits = append(k.inits, k.assign(k.id(ms.ref), token.ASSIGN, k.id(name)))
		bodies = append(bodies, body{m.Decl, nil, name, sig})
	}
	for _, d := range c.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Recv != nil || fd.Name.Name == "_" {
			continue
		}
		o, _ := c.Info.Defs[fd.Name].(*types.Func)
		if o == nil {
			continue
		}
		sig := o.Type().(*types.Signature)
		def := c.Def(o)
		if def == nil { // init
			name, _ := k.number(fd.Name.Name)
			bodies = append(bodies, body{fd, nil, name, sig})
			if fd.Name.Name == "init" {
				k.starts = append(k.starts, k.exprStmt(k.call(k.id(name))))
			}
			continue
		}
		s := k.symbol(def)
		if sig.TypeParams().Len() > 0 {
			s.unit, s.decl = u, fd
			continue
		}
		s.sig = k.key(u, sig)
		s.ref = s.Name + core.FuncVar
		if def.Prev != nil && def.Prev.Kind == check.Func {
			if old := k.symbol(def.Prev); old.sig == s.sig {
				s.ref, s.global = old.ref, old.global
			}
		}
		if s.ref == s.Name+core.FuncVar {
			s.global = k.eng.Own(s.ref)
			k.vars = append(k.vars, k.varDecl(s.ref, k.sigType(u, sig)))
		}
		// before any method of the cell can be called
		k.inits = append([]ast.Stmt{k.assign(k.id(s.ref), token.ASSIGN, k.id(s.Name))}, k.inits...)
		bodies = append(bodies, body{fd, s, s.Name, sig})
	}
	for _, b := range bodies {
		k.prog.Local = append(k.prog.Local, b.name)
		k.funcBody(u, b.decl, b.sym, b.name, b.sig)
	}
}

// declareSlot gives a variable its slot.
func (k *cell) declareSlot(u *unit, s *Symbol) {
	s.typeKey = k.key(u, s.Def.Type())
	if p := s.Def.Prev; p != nil && p.Kind == check.Var {
		if old := k.symbol(p); !old.pointed && old.typeKey == s.typeKey && old.Slot != nil {
			s.Name, s.Slot, s.Captured, s.global = old.Name, old.Slot, old.Captured, old.global
			return
		}
	}
	s.global = k.eng.Own(s.Name)
	k.vars = append(k.vars, k.varDecl(s.Name, k.typ(u, s.Def.Type())))
	k.prog.Slots = append(k.prog.Slots, s)
	declare := "Var"
	if isTensor(types.Unalias(k.in(u, s.Def.Type()))) {
		declare = "TensorVar"
	}
	k.inits = append(k.inits, k.exprStmt(k.rtCall(declare, k.intLit(s.ID),
		&ast.UnaryExpr{OpPos: k.pos, Op: token.AND, X: k.id(s.Name)})))
}

// withReceiver is a method's signature as a function's.
func withReceiver(sig *types.Signature) *types.Signature {
	r := sig.Recv()
	vars := []*types.Var{types.NewParam(r.Pos(), r.Pkg(), r.Name(), r.Type())}
	for i := range sig.Params().Len() {
		vars = append(vars, sig.Params().At(i))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), sig.Variadic())
}

// funcBody queues the body of a function or method to be lowered under a name.
func (k *cell) funcBody(u *unit, fd *ast.FuncDecl, self *Symbol, name string, sig *types.Signature) {
	text := fd.Name.Name
	if fd.Recv != nil {
		text = types.ExprString(fd.Recv.List[0].Type) + "." + text
		if _, ok := fd.Recv.List[0].Type.(*ast.StarExpr); ok {
			text = "(" + types.ExprString(fd.Recv.List[0].Type) + ")." + fd.Name.Name
		}
	}
	if u.pkg.Path() != "main" {
		text = u.pkg.Name() + "." + text
	}
	k.prog.Funcs[name] = Place{text, fd.Pos()}
	k.queue = append(k.queue, func() {
		f := k.newFn(u, k.in(u, sig).(*types.Signature))
		f.self, f.depth = self, 1
		var recv []*ast.Field
		if fd.Recv != nil {
			r := f.temp()
			if names := fd.Recv.List[0].Names; len(names) > 0 && names[0].Name != "_" {
				r = f.local(u.info.Defs[names[0]])
			}
			recv = []*ast.Field{f.field(r, f.typ(u, sig.Recv().Type()))}
		}
		ft, body := f.function(fd.Type, fd.Body)
		ft.Params.List = append(recv, ft.Params.List...)
		id := k.id(name)
		id.NamePos = fd.Name.Pos()
		k.funcs = append(k.funcs, &ast.FuncDecl{Name: id, Type: ft, Body: body})
	})
}
