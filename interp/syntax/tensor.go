package syntax

import (
	"go/ast"
	"go/token"
)

// This file reads what Go does not have: lists, subscripts with ranges, and
// keyword arguments.

// startsType reports whether a token can begin a type. After [n] such a token makes Go's array type; after any other,
// the brackets were a list.
func startsType(k token.Token) bool {
	switch k {
	case token.IDENT, token.LBRACK, token.MUL, token.LPAREN, token.FUNC, token.STRUCT, token.MAP, token.CHAN,
		token.INTERFACE, token.ARROW:
		return true
	}
	return false
}

// listOrArrayType is at a [ where an operand stands.
func (p *parser) listOrArrayType() ast.Expr {
	defer p.deeper()()
	lbrack, before := p.open()
	if p.at(token.ELLIPSIS) { // [...]T
		dots := &ast.Ellipsis{Ellipsis: p.pos}
		p.next()
		p.close(token.RBRACK, before)
		return &ast.ArrayType{Lbrack: lbrack, Len: dots, Elt: p.typ()}
	}
	var elts []ast.Expr
	comma := false
	for !p.at(token.RBRACK) {
		elts = append(elts, p.expr())
		if !p.at(token.COMMA) {
			break
		}
		comma = true
		p.next()
	}
	if p.at(token.COLON) {
		p.fail(p.pos, "a range start:stop stands in an index, x[start:stop], not in a list")
	}
	rbrack := p.close(token.RBRACK, before)
	if comma || !startsType(p.kind) {
		return p.mark(&ast.CompositeLit{Lbrace: lbrack, Elts: elts, Rbrace: rbrack}, List)
	}
	t := &ast.ArrayType{Lbrack: lbrack}
	if len(elts) == 1 {
		t.Len = elts[0]
	}
	if p.at(token.LBRACK) && t.Len != nil {
		if at := p.pos; !p.try(func() { t.Elt = p.typ() }) {
			p.fail(at, "[n][m] begins an array type in Go; to index a list give it a name first")
		}
		return t
	}
	t.Elt = p.typ()
	return t
}

// index is at the [ after an operand: an index, a slice, type arguments, or a
// tensor's subscript.
func (p *parser) index(x ast.Expr) ast.Expr {
	defer p.deeper()()
	lbrack, before := p.open()
	if p.at(token.RBRACK) {
		p.failWant("an index")
	}
	var parts []part
	trailing := false
	for {
		parts = append(parts, p.indexPart())
		trailing = p.got(token.COMMA)
		if !trailing || p.at(token.RBRACK) {
			break
		}
	}
	rbrack := p.close(token.RBRACK, before)
	plain := true
	for _, e := range parts {
		plain = plain && e.colons == 0 && !e.dots
	}
	switch {
	case plain && len(parts) == 1:
		return &ast.IndexExpr{X: x, Lbrack: lbrack, Index: parts[0].lo, Rbrack: rbrack}
	case plain:
		l := &ast.IndexListExpr{X: x, Lbrack: lbrack, Rbrack: rbrack}
		for _, e := range parts {
			l.Indices = append(l.Indices, e.lo)
		}
		return l
	case len(parts) == 1 && !trailing && parts[0].isGoSlice():
		e := parts[0]
		return &ast.SliceExpr{X: x, Lbrack: lbrack, Low: e.lo, High: e.hi, Max: e.step, Slice3: e.colons == 2,
			Rbrack: rbrack}
	}
	sub := &ast.CompositeLit{Lbrace: lbrack, Rbrace: rbrack}
	for _, e := range parts {
		sub.Elts = append(sub.Elts, p.carrier(e))
	}
	return &ast.IndexExpr{X: x, Lbrack: lbrack, Index: p.mark(sub, Subscript), Rbrack: rbrack}
}

// part is one part of an index: an expression (lo alone), a range, or dots.
type part struct {
	pos, end     token.Pos // of ranges and dots
	lo, hi, step ast.Expr
	colons       int
	dots         bool
}

// isGoSlice: Go has x[a:b] with either left out, and x[a:b:c] with b and c.
func (e part) isGoSlice() bool {
	return e.colons == 1 || e.colons == 2 && e.hi != nil && e.step != nil
}

func (p *parser) indexPart() (e part) {
	e.pos = p.pos
	if p.at(token.ELLIPSIS) {
		e.dots, e.end = true, p.pos+3
		p.next()
		return e
	}
	if !p.at(token.COLON) {
		e.lo = p.typeOrExpr()
	}
	for p.at(token.COLON) {
		if e.colons++; e.colons > 2 {
			p.fail(p.pos, "a range has at most three parts: start:stop:step")
		}
		e.end = p.pos + 1
		p.next()
		if p.at(token.COLON) || p.at(token.COMMA) || p.at(token.RBRACK) {
			continue
		}
		x := p.expr()
		e.end = x.End()
		if e.colons == 1 {
			e.hi = x
		} else {
			e.step = x
		}
	}
	return e
}

// carrier is the node for a part of a Subscript.
func (p *parser) carrier(e part) ast.Expr {
	switch {
	case e.dots:
		return p.mark(&ast.CompositeLit{Lbrace: e.pos, Rbrace: e.end - 1}, Dots)
	case e.colons == 0:
		return e.lo
	}
	c := &ast.CompositeLit{Lbrace: e.pos, Rbrace: e.end - 1}
	for _, x := range []ast.Expr{e.lo, e.hi, e.step} {
		if x == nil {
			x = NewMissing(e.pos)
		}
		c.Elts = append(c.Elts, x)
	}
	return p.mark(c, Range)
}

// call is at the ( after an operand.
func (p *parser) call(fun ast.Expr) ast.Expr {
	defer p.deeper()()
	lparen, before := p.open()
	c := &ast.CallExpr{Fun: fun, Lparen: lparen}
	var keys []Keyword
	for !p.at(token.RPAREN) && !p.at(token.EOF) {
		if p.atKeyword() {
			keys = append(keys, p.keyword(keys))
		} else {
			if len(keys) > 0 {
				p.fail(p.pos, "a positional argument stands before the keywords (here after %s=)", keys[len(keys)-1].Name.Name)
			}
			c.Args = append(c.Args, p.typeOrExpr())
			if p.at(token.ELLIPSIS) {
				c.Ellipsis = p.pos
				p.next()
			}
		}
		if !p.got(token.COMMA) {
			break
		}
		if c.Ellipsis.IsValid() && !p.at(token.RPAREN) && !p.atKeyword() {
			p.fail(p.pos, "nothing can follow the argument with ... but keywords")
		}
	}
	c.Rparen = p.close(token.RPAREN, before)
	if keys != nil {
		if p.forms.Keywords == nil {
			p.forms.Keywords = map[*ast.CallExpr][]Keyword{}
		}
		p.forms.Keywords[c] = keys
	}
	return c
}

// atKeyword: a name and = where an argument begins. Go has no = there.
func (p *parser) atKeyword() bool {
	return (p.at(token.IDENT) || p.kind.IsKeyword()) && p.peek() == token.ASSIGN
}

func (p *parser) keyword(have []Keyword) Keyword {
	name := p.tok.text
	if p.kind.IsKeyword() {
		name = p.kind.String()
	}
	for _, h := range have {
		if h.Name.Name == name {
			p.fail(p.pos, "keyword %s is given twice", name)
		}
	}
	k := Keyword{Name: &ast.Ident{NamePos: p.pos, Name: name}}
	p.next()
	k.Eq = p.want(token.ASSIGN)
	k.Value = p.expr()
	return k
}

// noTuple is at the comma inside parentheses that stand as an operand.
func (p *parser) noTuple(lparen token.Pos) {
	at := p.pos
	inner := ""
	ok := p.try(func() {
		for p.got(token.COMMA) {
			if !p.at(token.RPAREN) {
				p.expr()
			}
		}
		if !p.at(token.RPAREN) {
			p.failWant("')'")
		}
		inner = p.text(lparen+1, p.pos)
	})
	if !ok {
		if p.toks[len(p.toks)-1].pos == p.pos {
			p.failWant("')'")
		}
		p.fail(at, "Go has no tuples: write a list, [a, b]")
	}
	p.fail(at, "Go has no tuples: write [%s]", inner)
}
