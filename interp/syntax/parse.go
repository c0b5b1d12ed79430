package syntax

import (
	"go/ast"
	"go/token"
)

func newParser(fset *token.FileSet, name, src string) *parser {
	p := &parser{file: fset.AddFile(name, -1, len(src)), src: []byte(src)}
	p.scan()
	p.settle()
	return p
}

// parse reads a cell. Open says that what is wrong is that the text ends.
func parse(fset *token.FileSet, name, src string) (c *Cell, ds Diagnostics, open bool) {
	p := newParser(fset, name, src)
	c = &Cell{Name: name, Src: src, Fset: fset, File: p.file}
	var err *located
	func() {
		defer func() {
			if r := recover(); r != nil {
				s, ok := r.(stop)
				if !ok {
					panic(r)
				}
				err = &s.located
			}
		}()
		p.cell(c)
	}()
	c.Forms = p.forms
	for _, e := range p.errs[:min(len(p.errs), most)] {
		ds = append(ds, c.At(e.pos, e.end, e.msg))
	}
	open = p.openAt && len(p.errs) == 1
	if err != nil {
		// What the scanner cannot read makes the parser fail too: it is said once.
		if len(p.errs) == 0 || err.pos < p.errs[0].pos {
			ds = Diagnostics{c.At(err.pos, err.end, err.msg)}
			open = p.at(token.EOF) && err.pos >= p.pos
		}
	}
	return c, ds.Sort(), open
}

// cell reads the items of a cell: declarations and statements in any order.
func (p *parser) cell(c *Cell) {
	var list []ast.Expr // the expressions of the statement just read, if it is nothing else
	flush := func() {
		if len(list) > 1 {
			p.fail(list[0].Pos(), "only the last line of a cell can be several expressions")
		}
		for _, x := range list {
			c.Stmts = append(c.Stmts, &ast.ExprStmt{X: x})
		}
		list = nil
	}
	for {
		for p.at(token.SEMICOLON) {
			c.Quiet = c.Quiet || list != nil && p.tok.text == ";"
			p.next()
		}
		if p.at(token.EOF) {
			break
		}
		flush()
		c.Quiet = false
		switch {
		case p.at(token.IMPORT):
			c.Imports = append(c.Imports, p.genDecl())
			p.semi()
		case p.at(token.CONST), p.at(token.TYPE):
			c.Decls = append(c.Decls, p.genDecl())
			p.semi()
		case p.at(token.FUNC) && p.atFuncDecl():
			c.Decls = append(c.Decls, p.funcDecl())
			p.semi()
		case p.at(token.PACKAGE):
			p.fail(p.pos, "a cell has no package clause")
		case p.at(token.RBRACE):
			p.failWant("a statement")
		case p.startsSimple():
			s, xs := p.simpleStmt(labelOK | listOK)
			if xs != nil {
				if l, ok := s.(*ast.LabeledStmt); ok { // that stands before them
					c.Stmts = append(c.Stmts, l)
				}
				list = xs
				if p.at(token.SEMICOLON) {
					c.Quiet = p.tok.text == ";"
				}
				p.semi()
				continue
			}
			c.Stmts = append(c.Stmts, s)
			if _, labeled := s.(*ast.LabeledStmt); !labeled {
				p.semi()
			}
		default:
			c.Stmts = append(c.Stmts, p.stmt())
		}
	}
	c.Show = list
}

// atFuncDecl tells func Name( and func (r T) Name( from a function literal, func (x T) List[int] { … } too.
func (p *parser) atFuncDecl() bool {
	if p.peek() == token.IDENT {
		return true
	}
	if p.peek() != token.LPAREN {
		return false
	}
	name := p.behind(p.i+1, token.LPAREN, token.RPAREN)
	if p.kindAt(name) != token.IDENT {
		return false
	}
	next := name + 1
	if p.kindAt(next) == token.LBRACK { // type parameters, which methods have not; or the type of a result
		next = p.behind(next, token.LBRACK, token.RBRACK)
	}
	return p.kindAt(next) == token.LPAREN
}

// behind is the index of the token behind the bracket that closes the one at i.
func (p *parser) behind(i int, left, right token.Token) int {
	depth := 0
	for ; i < len(p.toks); i++ {
		switch p.toks[i].kind {
		case left:
			depth++
		case right:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

// kindAt is the kind of the i-th token, EOF behind the last.
func (p *parser) kindAt(i int) token.Token {
	if i < len(p.toks) {
		return p.toks[i].kind
	}
	return token.EOF
}

// semi is at the end of an item or a statement.
func (p *parser) semi() {
	switch p.kind {
	case token.SEMICOLON:
		p.next()
	case token.RPAREN, token.RBRACE, token.EOF:
		// Go needs none before a closing bracket
	default:
		p.failWant("the end of the line or ';'")
	}
}
