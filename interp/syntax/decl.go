package syntax

import (
	"go/ast"
	"go/token"
)

// genDecl reads an import, const, type or var declaration up to its end, the
// semicolon left.
func (p *parser) genDecl() *ast.GenDecl {
	d := &ast.GenDecl{TokPos: p.pos, Tok: p.kind}
	p.next()
	if !p.at(token.LPAREN) {
		d.Specs = []ast.Spec{p.spec(d.Tok)}
		return d
	}
	d.Lparen = p.want(token.LPAREN)
	for !p.at(token.RPAREN) && !p.at(token.EOF) {
		d.Specs = append(d.Specs, p.spec(d.Tok))
		p.semi()
	}
	d.Rparen = p.want(token.RPAREN)
	return d
}

func (p *parser) spec(kind token.Token) ast.Spec {
	switch kind {
	case token.IMPORT:
		return p.importSpec()
	case token.TYPE:
		return p.typeSpec()
	}
	return p.valueSpec(kind)
}

func (p *parser) importSpec() ast.Spec {
	s := &ast.ImportSpec{}
	switch p.kind {
	case token.IDENT:
		s.Name = p.ident()
	case token.PERIOD:
		s.Name = &ast.Ident{NamePos: p.pos, Name: "."}
		p.next()
	}
	if !p.at(token.STRING) {
		p.failWant("the path of a package, in quotes")
	}
	s.Path = p.literal()
	return s
}

func (p *parser) valueSpec(kind token.Token) ast.Spec {
	s := &ast.ValueSpec{Names: p.identList()}
	if !p.at(token.ASSIGN) && !p.at(token.SEMICOLON) && !p.at(token.RPAREN) && !p.at(token.EOF) {
		s.Type = p.typ()
	}
	if p.got(token.ASSIGN) {
		s.Values = p.exprList()
	}
	if s.Values == nil && s.Type == nil && kind == token.VAR {
		p.failWant("'='")
	}
	return s
}

func (p *parser) typeSpec() ast.Spec {
	s := &ast.TypeSpec{Name: p.ident()}
	if p.at(token.LBRACK) {
		before := p.state
		lbrack, lit := p.open()
		if p.at(token.IDENT) {
			if n := p.arrayLength(); n != nil {
				p.close(token.RBRACK, lit)
				s.Type = &ast.ArrayType{Lbrack: lbrack, Len: n, Elt: p.typ()}
				return s
			}
			p.state = before
			s.TypeParams = p.typeParams()
		} else {
			p.state = before
		}
	}
	if p.at(token.ASSIGN) {
		s.Assign = p.pos
		p.next()
	}
	s.Type = p.typ()
	return s
}

// arrayLength reads, after type T [ and at a name, an array's length up to its ]. It returns nil where type parameters
// stand instead: where no expression and ] follow, or one that reads as a type parameter with a constraint that can be
// only a type (P *[]int, or P *C | ~D). Then the parser is left anywhere.
func (p *parser) arrayLength() ast.Expr {
	var x ast.Expr
	if !p.try(func() { x = p.expr() }) || !p.at(token.RBRACK) || p.namedConstraint(x) {
		return nil
	}
	return x
}

// namedConstraint: x has the form P *C or P (C), perhaps continued by | D, and
// a part of it is certainly a type.
func (p *parser) namedConstraint(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		switch x.Op {
		case token.MUL:
			_, name := x.X.(*ast.Ident)
			return name && surelyType(x.Y)
		case token.OR:
			return p.namedConstraint(x.X) || startsNamed(x.X) && surelyType(x.Y)
		}
	case *ast.CallExpr:
		_, name := x.Fun.(*ast.Ident)
		return name && len(x.Args) == 1 && !x.Ellipsis.IsValid() && surelyType(x.Args[0])
	}
	return false
}

// startsNamed: x has the form P *C or P (C), continued or not.
func startsNamed(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.BinaryExpr:
		_, name := x.X.(*ast.Ident)
		return x.Op == token.MUL && name || x.Op == token.OR && startsNamed(x.X)
	case *ast.CallExpr:
		_, name := x.Fun.(*ast.Ident)
		return name && len(x.Args) == 1
	}
	return false
}

// surelyType: x is or holds what can only be a type.
func surelyType(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ArrayType, *ast.StructType, *ast.FuncType, *ast.InterfaceType, *ast.MapType, *ast.ChanType:
		return true
	case *ast.BinaryExpr:
		return surelyType(x.X) || surelyType(x.Y)
	case *ast.UnaryExpr:
		return x.Op == token.TILDE
	case *ast.ParenExpr:
		return surelyType(x.X)
	}
	return false
}

// typeParams is at the [ of type parameters.
func (p *parser) typeParams() *ast.FieldList {
	lbrack, before := p.open1(token.LBRACK)
	list := &ast.FieldList{Opening: lbrack}
	var es []entry
	for {
		e := entry{name: p.ident()}
		if p.at(token.COMMA) || p.at(token.RBRACK) {
			e.typ, e.name = e.name, nil // the type follows
		} else {
			e.typ = p.union()
		}
		es = append(es, e)
		if !p.got(token.COMMA) || p.at(token.RBRACK) {
			break
		}
	}
	list.List = p.group(es, "type parameter")
	for _, f := range list.List {
		if f.Names == nil {
			p.fail(f.Type.Pos(), "a type parameter needs a constraint, such as any")
		}
	}
	list.Closing = p.close(token.RBRACK, before)
	return list
}

// funcDecl reads a function or a method, the semicolon left.
func (p *parser) funcDecl() *ast.FuncDecl {
	d := &ast.FuncDecl{Type: &ast.FuncType{Func: p.want(token.FUNC)}}
	if p.at(token.LPAREN) {
		d.Recv = p.params()
	}
	d.Name = p.ident()
	if p.at(token.LBRACK) {
		if d.Recv != nil {
			p.fail(p.pos, "a method has no type parameters of its own")
		}
		d.Type.TypeParams = p.typeParams()
	}
	d.Type.Params = p.params()
	d.Type.Results = p.results()
	if p.at(token.LBRACE) {
		d.Body = p.block()
	}
	return d
}
