package syntax

import (
	"go/ast"
	"go/token"
)

// typ reads a type.
func (p *parser) typ() ast.Expr {
	t := p.tryType()
	if t == nil {
		p.failWant("a type")
	}
	return t
}

// tryType reads a type if one begins here, else returns nil.
func (p *parser) tryType() ast.Expr {
	defer p.deeper()()
	if p.types++; p.types > maxTypes {
		p.fail(p.pos, "this type nests too deep")
	}
	defer func() { p.types-- }()
	at := p.pos
	switch p.kind {
	case token.IDENT:
		return p.typeName(nil)
	case token.LBRACK:
		return p.arrayType()
	case token.STRUCT:
		return p.structType()
	case token.INTERFACE:
		return p.interfaceType()
	case token.FUNC:
		return p.funcType()
	case token.MUL:
		p.next()
		return &ast.StarExpr{Star: at, X: p.typ()}
	case token.MAP:
		p.next()
		_, before := p.open1(token.LBRACK)
		key := p.typ()
		p.close(token.RBRACK, before)
		return &ast.MapType{Map: at, Key: key, Value: p.typ()}
	case token.CHAN:
		p.next()
		t := &ast.ChanType{Begin: at, Dir: ast.SEND | ast.RECV}
		if p.at(token.ARROW) {
			t.Arrow, t.Dir = p.pos, ast.SEND
			p.next()
		}
		t.Value = p.typ()
		return t
	case token.ARROW:
		p.next()
		if !p.at(token.CHAN) {
			p.failWant("'chan'")
		}
		p.next()
		return &ast.ChanType{Begin: at, Arrow: at, Dir: ast.RECV, Value: p.typ()}
	case token.LPAREN:
		lparen, before := p.open()
		t := p.typ()
		return &ast.ParenExpr{Lparen: lparen, X: t, Rparen: p.close(token.RPAREN, before)}
	}
	return nil
}

// open1 is open, at a bracket that must be there.
func (p *parser) open1(kind token.Token) (token.Pos, bool) {
	if p.kind != kind {
		p.failWant("'" + kind.String() + "'")
	}
	return p.open()
}

// typeName reads T, pkg.T and either with type arguments; id is the name if it
// was read already.
func (p *parser) typeName(id *ast.Ident) ast.Expr {
	if id == nil {
		id = p.ident()
	}
	var t ast.Expr = id
	if p.at(token.PERIOD) {
		p.next()
		t = &ast.SelectorExpr{X: id, Sel: p.ident()}
	}
	if p.at(token.LBRACK) {
		t = p.typeArgs(t)
	}
	return t
}

// typeArgs is at the [ of type arguments.
func (p *parser) typeArgs(t ast.Expr) ast.Expr {
	lbrack, before := p.open()
	var args []ast.Expr
	for {
		args = append(args, p.typ())
		if !p.got(token.COMMA) || p.at(token.RBRACK) {
			break
		}
	}
	return instance(t, lbrack, args, p.close(token.RBRACK, before))
}

func instance(t ast.Expr, lbrack token.Pos, args []ast.Expr, rbrack token.Pos) ast.Expr {
	if len(args) == 1 {
		return &ast.IndexExpr{X: t, Lbrack: lbrack, Index: args[0], Rbrack: rbrack}
	}
	return &ast.IndexListExpr{X: t, Lbrack: lbrack, Indices: args, Rbrack: rbrack}
}

// arrayType is at the [ of an array or slice type.
func (p *parser) arrayType() ast.Expr {
	lbrack, before := p.open1(token.LBRACK)
	t := &ast.ArrayType{Lbrack: lbrack}
	switch p.kind {
	case token.RBRACK:
	case token.ELLIPSIS:
		t.Len = &ast.Ellipsis{Ellipsis: p.pos}
		p.next()
	default:
		t.Len = p.expr()
	}
	p.close(token.RBRACK, before)
	t.Elt = p.typ()
	return t
}

// arrayOrInstance is at a [ after a name where a declaration x [n]E and a type
// T[A, B] may both stand. For the former, inst is nil.
func (p *parser) arrayOrInstance(name *ast.Ident) (array, inst ast.Expr) {
	lbrack, before := p.open()
	if p.at(token.RBRACK) { // x []E
		p.close(token.RBRACK, before)
		return &ast.ArrayType{Lbrack: lbrack, Elt: p.typ()}, nil
	}
	var args []ast.Expr
	if p.at(token.ELLIPSIS) { // x [...]E, for go/types to reject
		args = []ast.Expr{&ast.Ellipsis{Ellipsis: p.pos}}
		p.next()
	} else {
		for {
			args = append(args, p.typeOrExpr())
			if !p.got(token.COMMA) || p.at(token.RBRACK) {
				break
			}
		}
	}
	rbrack := p.close(token.RBRACK, before)
	if len(args) == 1 {
		if elt := p.tryType(); elt != nil {
			return &ast.ArrayType{Lbrack: lbrack, Len: args[0], Elt: elt}, nil
		}
	}
	return nil, instance(name, lbrack, args, rbrack)
}

func (p *parser) structType() ast.Expr {
	at := p.want(token.STRUCT)
	lbrace, before := p.openBrace()
	fields := &ast.FieldList{Opening: lbrace}
	for !p.at(token.RBRACE) && !p.at(token.EOF) {
		fields.List = append(fields.List, p.field())
		p.semi()
	}
	fields.Closing = p.closeBrace(before)
	return &ast.StructType{Struct: at, Fields: fields}
}

// field reads one line of a struct.
func (p *parser) field() *ast.Field {
	f := &ast.Field{}
	switch p.kind {
	case token.MUL:
		star := p.pos
		p.next()
		f.Type = &ast.StarExpr{Star: star, X: p.typeName(nil)}
	case token.IDENT:
		name := p.ident()
		switch p.kind {
		case token.PERIOD, token.STRING, token.SEMICOLON, token.RBRACE:
			f.Type = p.typeName(name)
		case token.LBRACK:
			array, inst := p.arrayOrInstance(name)
			if array != nil {
				f.Names, f.Type = []*ast.Ident{name}, array
			} else {
				f.Type = inst
			}
		default:
			f.Names = []*ast.Ident{name}
			for p.got(token.COMMA) {
				f.Names = append(f.Names, p.ident())
			}
			f.Type = p.typ()
		}
	case token.LPAREN:
		p.fail(p.pos, "an embedded type stands without parentheses")
	default:
		p.failWant("a field or '}'")
	}
	if p.at(token.STRING) {
		f.Tag = p.literal()
	}
	return f
}

func (p *parser) interfaceType() ast.Expr {
	at := p.want(token.INTERFACE)
	lbrace, before := p.openBrace()
	list := &ast.FieldList{Opening: lbrace}
	for !p.at(token.RBRACE) && !p.at(token.EOF) {
		if p.at(token.IDENT) && p.peek() == token.LPAREN {
			name := p.ident()
			t := &ast.FuncType{Params: p.params()}
			t.Results = p.results()
			list.List = append(list.List, &ast.Field{Names: []*ast.Ident{name}, Type: t})
		} else {
			list.List = append(list.List, &ast.Field{Type: p.union()})
		}
		p.semi()
	}
	list.Closing = p.closeBrace(before)
	return &ast.InterfaceType{Interface: at, Methods: list}
}

// union reads an element of a constraint: ~A | B.
func (p *parser) union() ast.Expr {
	x := p.unionTerm()
	for p.at(token.OR) {
		at := p.pos
		p.next()
		x = &ast.BinaryExpr{X: x, OpPos: at, Op: token.OR, Y: p.unionTerm()}
	}
	return x
}

func (p *parser) unionTerm() ast.Expr {
	if p.at(token.TILDE) {
		at := p.pos
		p.next()
		return &ast.UnaryExpr{OpPos: at, Op: token.TILDE, X: p.typ()}
	}
	return p.typ()
}

func (p *parser) funcType() *ast.FuncType {
	at := p.want(token.FUNC)
	t := &ast.FuncType{Func: at, Params: p.params()}
	t.Results = p.results()
	return t
}

func (p *parser) results() *ast.FieldList {
	if p.at(token.LPAREN) {
		return p.params()
	}
	if t := p.tryType(); t != nil {
		return &ast.FieldList{List: []*ast.Field{{Type: t}}}
	}
	return nil
}

// entry is what stands between two commas of a parameter list: a name, a type,
// or both.
type entry struct {
	name *ast.Ident
	typ  ast.Expr
}

// params is at the ( of parameters or results.
func (p *parser) params() *ast.FieldList {
	list := &ast.FieldList{Opening: p.want(token.LPAREN)}
	var es []entry
	for !p.at(token.RPAREN) && !p.at(token.EOF) {
		es = append(es, p.param())
		if !p.got(token.COMMA) {
			break
		}
	}
	list.List = p.group(es, "parameter")
	list.Closing = p.want(token.RPAREN)
	return list
}

// param reads one entry. A name alone is returned as a type; group decides.
func (p *parser) param() (e entry) {
	defer p.deeper()()
	if !p.at(token.IDENT) {
		e.typ = p.paramType()
		return e
	}
	name := p.ident()
	switch p.kind {
	case token.PERIOD:
		e.typ = p.typeName(name)
	case token.LBRACK:
		array, inst := p.arrayOrInstance(name)
		if array != nil {
			return entry{name, array}
		}
		e.typ = inst
	case token.COMMA, token.RPAREN, token.EOF, token.SEMICOLON:
		e.typ = name
	default:
		return entry{name, p.paramType()}
	}
	return e
}

func (p *parser) paramType() ast.Expr {
	if p.at(token.ELLIPSIS) {
		at := p.pos
		p.next()
		return &ast.Ellipsis{Ellipsis: at, Elt: p.typ()}
	}
	return p.typ()
}

// group makes fields of entries. If one entry has both name and type, all must
// have names: lone ones take the type of the next that has one.
func (p *parser) group(es []entry, what string) []*ast.Field {
	named := false
	for _, e := range es {
		named = named || e.name != nil
	}
	if !named {
		var fs []*ast.Field
		for _, e := range es {
			fs = append(fs, &ast.Field{Type: e.typ})
		}
		return fs
	}
	var fs []*ast.Field
	var names []*ast.Ident
	for _, e := range es {
		if e.name == nil {
			id, ok := e.typ.(*ast.Ident)
			if !ok {
				p.fail(e.typ.Pos(), "a %s has a name here and the others too, or none has", what)
			}
			names = append(names, id)
			continue
		}
		fs = append(fs, &ast.Field{Names: append(names, e.name), Type: e.typ})
		names = nil
	}
	if names != nil {
		p.fail(names[0].Pos(), "the %s %s has no type", what, names[0].Name)
	}
	return fs
}
