package syntax

import (
	"go/ast"
	"go/token"
)

func (p *parser) ident() *ast.Ident {
	if p.kind != token.IDENT {
		p.failWant("a name")
	}
	id := &ast.Ident{NamePos: p.pos, Name: p.tok.text}
	p.next()
	return id
}

func (p *parser) identList() []*ast.Ident {
	list := []*ast.Ident{p.ident()}
	for p.got(token.COMMA) {
		list = append(list, p.ident())
	}
	return list
}

func (p *parser) exprList() []ast.Expr {
	list := []ast.Expr{p.expr()}
	for p.got(token.COMMA) {
		list = append(list, p.expr())
	}
	return list
}

// typeOrExpr: where both may stand, as arguments do. Operands include types.
func (p *parser) typeOrExpr() ast.Expr { return p.expr() }

func (p *parser) expr() ast.Expr { return p.binary(p.unary(), 1) }

func precedence(k token.Token) int {
	if k == At {
		return token.MUL.Precedence()
	}
	return k.Precedence()
}

// binary continues x with operators of at least that precedence.
func (p *parser) binary(x ast.Expr, least int) ast.Expr {
	for grown := 0; ; grown++ {
		op := p.kind
		prec := precedence(op)
		if prec < least {
			p.depth -= grown
			return x
		}
		if p.depth++; p.depth > maxDepth { // the tree grows as deep to the left
			p.fail(p.pos, "this nests too deep")
		}
		at := p.pos
		p.next()
		y := p.binary(p.unary(), prec+1)
		x = &ast.BinaryExpr{X: x, OpPos: at, Op: op, Y: y}
	}
}

func (p *parser) unary() ast.Expr {
	defer p.deeper()()
	at, op := p.pos, p.kind
	switch op {
	case token.ADD, token.SUB, token.NOT, token.XOR, token.AND, token.TILDE:
		p.next()
		return &ast.UnaryExpr{OpPos: at, Op: op, X: p.unary()}
	case token.MUL:
		p.next()
		return &ast.StarExpr{Star: at, X: p.unary()}
	case token.ARROW:
		p.next()
		x := p.unary()
		if t, ok := x.(*ast.ChanType); ok {
			return p.receiveOnly(at, t)
		}
		return &ast.UnaryExpr{OpPos: at, Op: op, X: x}
	}
	return p.primary(p.operand())
}

// receiveOnly puts an arrow that was read before a channel type into it. An
// arrow belongs to the leftmost chan possible: <- (chan<- T) is <-chan (<-T).
func (p *parser) receiveOnly(arrow token.Pos, t *ast.ChanType) ast.Expr {
	switch t.Dir {
	case ast.SEND | ast.RECV:
	case ast.SEND:
		v, ok := t.Value.(*ast.ChanType)
		if !ok {
			p.fail(t.Arrow, "expected a channel type")
		}
		t.Value = p.receiveOnly(t.Arrow, v)
	default:
		p.fail(t.Pos(), "expected a channel type that is not receive-only")
	}
	t.Begin, t.Arrow, t.Dir = arrow, arrow, ast.RECV
	return t
}

func (p *parser) operand() ast.Expr {
	switch p.kind {
	case token.IDENT:
		return p.ident()
	case token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING:
		return p.literal()
	case token.LPAREN:
		lparen, before := p.open()
		x := p.typeOrExpr()
		if p.at(token.COMMA) {
			p.noTuple(lparen)
		}
		return &ast.ParenExpr{Lparen: lparen, X: x, Rparen: p.close(token.RPAREN, before)}
	case token.FUNC:
		return p.funcTypeOrLit()
	case token.LBRACK:
		return p.listOrArrayType()
	case token.STRUCT, token.MAP, token.CHAN, token.INTERFACE:
		return p.typ()
	}
	p.failWant("an operand")
	return nil
}

func (p *parser) literal() *ast.BasicLit {
	b := &ast.BasicLit{ValuePos: p.pos, Kind: p.kind, Value: p.tok.text, ValueEnd: p.endOf(p.tok)}
	p.next()
	return b
}

func (p *parser) funcTypeOrLit() ast.Expr {
	defer p.deeper()()
	t := p.funcType()
	if !p.at(token.LBRACE) {
		return t
	}
	return &ast.FuncLit{Type: t, Body: p.block()}
}

// primary continues an operand with selectors, indices, calls and the braces
// of a composite literal.
func (p *parser) primary(x ast.Expr) ast.Expr {
	for grown := 0; ; grown++ {
		if p.depth++; p.depth > maxDepth {
			p.fail(p.pos, "this nests too deep")
		}
		switch p.kind {
		case token.PERIOD:
			p.next()
			x = p.selectorOrAssert(x)
		case token.LBRACK:
			x = p.index(x)
		case token.LPAREN:
			x = p.call(x)
		case token.LBRACE:
			if !p.literalType(x) {
				p.depth -= grown + 1
				return x
			}
			x = p.composite(x)
		default:
			p.depth -= grown + 1
			return x
		}
	}
}

func (p *parser) selectorOrAssert(x ast.Expr) ast.Expr {
	switch p.kind {
	case token.IDENT:
		return &ast.SelectorExpr{X: x, Sel: p.ident()}
	case token.LPAREN:
		lparen, before := p.open()
		a := &ast.TypeAssertExpr{X: x, Lparen: lparen}
		if !p.got(token.TYPE) {
			a.Type = p.typ()
		}
		a.Rparen = p.close(token.RPAREN, before)
		return a
	}
	p.failWant("a name or '(' after the dot")
	return nil
}

// literalType reports whether a { after x begins a composite literal. In the head of an if, for or switch it does not
// where x is a mere name.
func (p *parser) literalType(x ast.Expr) bool {
	switch x.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.IndexExpr, *ast.IndexListExpr:
		return !p.noLiteral
	case *ast.ArrayType, *ast.StructType, *ast.MapType:
		return true
	}
	return false
}

// composite is at the { of a composite literal; typ is nil for an inner one.
func (p *parser) composite(typ ast.Expr) ast.Expr {
	defer p.deeper()()
	lbrace, before := p.openBrace()
	c := &ast.CompositeLit{Type: typ, Lbrace: lbrace}
	for !p.at(token.RBRACE) && !p.at(token.EOF) {
		x := p.element()
		if p.at(token.COLON) {
			kv := &ast.KeyValueExpr{Key: x, Colon: p.pos}
			p.next()
			kv.Value = p.element()
			x = kv
		}
		c.Elts = append(c.Elts, x)
		if !p.got(token.COMMA) {
			break
		}
	}
	if p.at(token.SEMICOLON) && p.tok.text == "\n" {
		p.fail(p.pos, "expected a comma at the end of the line, before the next element or '}'")
	}
	c.Rbrace = p.closeBrace(before)
	return c
}

func (p *parser) element() ast.Expr {
	if p.at(token.LBRACE) {
		return p.composite(nil)
	}
	return p.expr()
}
