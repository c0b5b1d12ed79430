package syntax

import (
	"go/ast"
	"go/token"
)

// block is at the { of a block.
func (p *parser) block() *ast.BlockStmt {
	defer p.deeper()()
	lbrace, before := p.openBrace()
	b := &ast.BlockStmt{Lbrace: lbrace, List: p.stmtList()}
	b.Rbrace = p.closeBrace(before)
	return b
}

func (p *parser) stmtList() (list []ast.Stmt) {
	for !p.at(token.RBRACE) && !p.at(token.CASE) && !p.at(token.DEFAULT) && !p.at(token.EOF) {
		list = append(list, p.stmt())
	}
	return list
}

// startsSimple: the current token can begin a simple statement, which may be
// an expression.
func (p *parser) startsSimple() bool {
	switch p.kind {
	case token.IDENT, token.INT, token.FLOAT, token.IMAG, token.CHAR, token.STRING, token.FUNC, token.LPAREN,
		token.LBRACK, token.STRUCT, token.MAP, token.CHAN, token.INTERFACE,
		token.ADD, token.SUB, token.MUL, token.AND, token.XOR, token.ARROW, token.NOT, token.TILDE:
		return true
	}
	return false
}

// stmt reads a statement and its end.
func (p *parser) stmt() ast.Stmt {
	defer p.deeper()()
	at := p.pos
	if p.startsSimple() {
		s, _ := p.simpleStmt(labelOK)
		if _, labeled := s.(*ast.LabeledStmt); !labeled { // that one has read its end
			p.semi()
		}
		return s
	}
	var s ast.Stmt
	switch p.kind {
	case token.CONST, token.TYPE, token.VAR:
		s = &ast.DeclStmt{Decl: p.genDecl()}
	case token.GO:
		p.next()
		s = &ast.GoStmt{Go: at, Call: p.callAfter("go")}
	case token.DEFER:
		p.next()
		s = &ast.DeferStmt{Defer: at, Call: p.callAfter("defer")}
	case token.RETURN:
		p.next()
		r := &ast.ReturnStmt{Return: at}
		if !p.at(token.SEMICOLON) && !p.at(token.RBRACE) && !p.at(token.EOF) {
			r.Results = p.exprList()
		}
		s = r
	case token.BREAK, token.CONTINUE, token.GOTO, token.FALLTHROUGH:
		b := &ast.BranchStmt{TokPos: at, Tok: p.kind}
		p.next()
		if b.Tok != token.FALLTHROUGH && p.at(token.IDENT) {
			b.Label = p.ident()
		}
		s = b
	case token.LBRACE:
		s = p.block()
	case token.IF:
		s = p.ifStmt()
	case token.SWITCH:
		s = p.switchStmt()
	case token.SELECT:
		s = p.selectStmt()
	case token.FOR:
		s = p.forStmt()
	case token.SEMICOLON:
		e := &ast.EmptyStmt{Semicolon: at, Implicit: p.tok.text == "\n"}
		p.next()
		return e
	case token.RBRACE, token.EOF: // after a label
		return &ast.EmptyStmt{Semicolon: at, Implicit: true}
	default:
		p.failWant("a statement")
	}
	p.semi()
	return s
}

func (p *parser) callAfter(word string) *ast.CallExpr {
	x := p.expr()
	c, ok := x.(*ast.CallExpr)
	if !ok {
		what := ""
		if _, lit := x.(*ast.FuncLit); lit {
			what = " (the function literal lacks its (): func() { … }())"
		}
		p.fail(x.Pos(), "%s needs a function call%s", word, what)
	}
	return c
}

type stmtMode uint8

const (
	labelOK stmtMode = 1 << iota // name: may begin it
	rangeOK                      // := range may stand in it
	listOK                       // it may be several expressions
)

// simpleStmt reads a simple statement, its end left. If it is an expression,
// the expressions are given too (several only with listOK; then s is nil).
func (p *parser) simpleStmt(mode stmtMode) (s ast.Stmt, xs []ast.Expr) {
	if mode&rangeOK != 0 && p.at(token.RANGE) {
		return p.rangeClause(nil, 0, token.ILLEGAL), nil
	}
	x := p.exprList()
	at, op := p.pos, p.kind
	switch op {
	case token.DEFINE, token.ASSIGN, token.ADD_ASSIGN, token.SUB_ASSIGN, token.MUL_ASSIGN, token.QUO_ASSIGN,
		token.REM_ASSIGN,
		token.AND_ASSIGN, token.OR_ASSIGN, token.XOR_ASSIGN, token.SHL_ASSIGN, token.SHR_ASSIGN,
		token.AND_NOT_ASSIGN, AtAssign:
		p.next()
		if mode&rangeOK != 0 && p.at(token.RANGE) && (op == token.DEFINE || op == token.ASSIGN) {
			return p.rangeClause(x, at, op), nil
		}
		return &ast.AssignStmt{Lhs: x, TokPos: at, Tok: op, Rhs: p.exprList()}, nil
	}
	if len(x) > 1 {
		if mode&listOK == 0 || !p.at(token.SEMICOLON) && !p.at(token.EOF) {
			if mode&listOK == 0 && (p.at(token.SEMICOLON) || p.at(token.RBRACE)) {
				p.fail(x[0].Pos(), "only the last line of a cell can be several expressions")
			}
			p.failWant("':=' or '='")
		}
		return nil, x
	}
	switch op {
	case token.COLON:
		if label, ok := x[0].(*ast.Ident); ok && mode&labelOK != 0 {
			p.next()
			if mode&listOK == 0 || !p.startsSimple() {
				return &ast.LabeledStmt{Label: label, Colon: at, Stmt: p.stmt()}, nil
			}
			defer p.deeper()()
			s, xs := p.simpleStmt(mode)
			switch _, more := s.(*ast.LabeledStmt); {
			case len(xs) > 1: // the cell ends with them
				if s == nil {
					s = &ast.EmptyStmt{Semicolon: xs[0].Pos(), Implicit: true}
				}
				return &ast.LabeledStmt{Label: label, Colon: at, Stmt: s}, xs
			case more && xs != nil:
				return &ast.LabeledStmt{Label: label, Colon: at, Stmt: s}, xs
			case !more:
				p.semi()
			}
			labeled := &ast.LabeledStmt{Label: label, Colon: at, Stmt: s}
			if x, ok := labeled.Stmt.(*ast.ExprStmt); ok && p.at(token.EOF) { // the cell ends with its value
				if _, call := x.X.(*ast.CallExpr); !call {
					labeled.Stmt = &ast.EmptyStmt{Semicolon: x.Pos(), Implicit: true}
					return labeled, []ast.Expr{x.X}
				}
			}
			return labeled, nil
		}
	case token.ARROW:
		p.next()
		return &ast.SendStmt{Chan: x[0], Arrow: at, Value: p.expr()}, nil
	case token.INC, token.DEC:
		p.next()
		return &ast.IncDecStmt{X: x[0], TokPos: at, Tok: op}, nil
	}
	return &ast.ExprStmt{X: x[0]}, x
}

// rangeClause is at the word range; the statement it makes has no body yet.
func (p *parser) rangeClause(lhs []ast.Expr, at token.Pos, op token.Token) ast.Stmt {
	r := &ast.RangeStmt{TokPos: at, Tok: op, Range: p.want(token.RANGE)}
	if len(lhs) > 2 {
		p.fail(lhs[2].Pos(), "range gives at most two values")
	}
	if len(lhs) > 0 {
		r.Key = lhs[0]
	}
	if len(lhs) > 1 {
		r.Value = lhs[1]
	}
	r.X = p.expr()
	return r
}

// head reads what stands between if, for or switch and its block, where the {
// after a name begins the block.
func (p *parser) head(f func()) {
	before := p.noLiteral
	p.noLiteral = true
	f()
	p.noLiteral = before
}

// headSemi is at a semicolon between if, for or switch and its block. Go takes
// the end of a line for it, but hardly anybody means that before a brace.
func (p *parser) headSemi() {
	if p.tok.text == "\n" && p.peek() == token.LBRACE {
		p.failWant("'{' on this line")
	}
	p.next()
}

func (p *parser) ifStmt() ast.Stmt {
	defer p.deeper()()
	s := &ast.IfStmt{If: p.want(token.IF)}
	p.head(func() {
		if p.at(token.LBRACE) {
			p.fail(p.pos, "the condition of the if is missing")
		}
		var first ast.Stmt
		if !p.at(token.SEMICOLON) {
			first, _ = p.simpleStmt(0)
		}
		if p.at(token.SEMICOLON) {
			p.headSemi()
			s.Init = first
			if p.at(token.LBRACE) {
				p.fail(p.pos, "the condition of the if is missing")
			}
			first, _ = p.simpleStmt(0)
		}
		s.Cond = p.condition(first, "if")
	})
	s.Body = p.block()
	if p.got(token.ELSE) {
		switch p.kind {
		case token.IF:
			s.Else = p.ifStmt()
		case token.LBRACE:
			s.Else = p.block()
		default:
			p.failWant("'{' or 'if' after else")
		}
	}
	return s
}

func (p *parser) condition(s ast.Stmt, word string) ast.Expr {
	if e, ok := s.(*ast.ExprStmt); ok {
		return e.X
	}
	if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
		p.fail(a.TokPos, "the condition of the %s is an assignment: == compares", word)
	}
	at := p.pos
	if s != nil {
		at = s.Pos()
	}
	p.fail(at, "the %s needs a condition here, not another statement", word)
	return nil
}

func (p *parser) switchStmt() ast.Stmt {
	at := p.want(token.SWITCH)
	var init, tag ast.Stmt
	p.head(func() {
		if p.at(token.LBRACE) {
			return
		}
		if !p.at(token.SEMICOLON) {
			tag, _ = p.simpleStmt(0)
		}
		if p.at(token.SEMICOLON) {
			p.next() // the end of a line too: the grammar takes it
			init, tag = tag, nil
			if !p.at(token.LBRACE) {
				tag, _ = p.simpleStmt(0)
			}
		}
	})
	types := isTypeSwitch(tag)
	lbrace, before := p.openBrace()
	body := &ast.BlockStmt{Lbrace: lbrace}
	for p.at(token.CASE) || p.at(token.DEFAULT) {
		body.List = append(body.List, p.caseClause())
	}
	body.Rbrace = p.closeBrace(before)
	if types {
		return &ast.TypeSwitchStmt{Switch: at, Init: init, Assign: tag, Body: body}
	}
	s := &ast.SwitchStmt{Switch: at, Init: init, Body: body}
	if tag != nil {
		s.Tag = p.condition(tag, "switch")
	}
	return s
}

// isTypeSwitch: x.(type) or v := x.(type).
func isTypeSwitch(s ast.Stmt) bool {
	var x ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		x = s.X
	case *ast.AssignStmt:
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 && s.Tok == token.DEFINE {
			if _, ok := s.Lhs[0].(*ast.Ident); ok {
				x = s.Rhs[0]
			}
		}
	}
	a, ok := x.(*ast.TypeAssertExpr)
	return ok && a.Type == nil
}

func (p *parser) caseClause() ast.Stmt {
	c := &ast.CaseClause{Case: p.pos}
	if !p.got(token.DEFAULT) {
		p.next()
		c.List = p.exprList()
	}
	c.Colon = p.want(token.COLON)
	c.Body = p.stmtList()
	return c
}

func (p *parser) selectStmt() ast.Stmt {
	s := &ast.SelectStmt{Select: p.want(token.SELECT)}
	lbrace, before := p.openBrace()
	s.Body = &ast.BlockStmt{Lbrace: lbrace}
	for p.at(token.CASE) || p.at(token.DEFAULT) {
		c := &ast.CommClause{Case: p.pos}
		if !p.got(token.DEFAULT) {
			p.next()
			c.Comm, _ = p.simpleStmt(0)
		}
		c.Colon = p.want(token.COLON)
		c.Body = p.stmtList()
		s.Body.List = append(s.Body.List, c)
	}
	s.Body.Rbrace = p.closeBrace(before)
	return s
}

func (p *parser) forStmt() ast.Stmt {
	at := p.want(token.FOR)
	var init, cond, post ast.Stmt
	p.head(func() {
		if p.at(token.LBRACE) {
			return
		}
		if !p.at(token.SEMICOLON) {
			cond, _ = p.simpleStmt(rangeOK)
			if _, isRange := cond.(*ast.RangeStmt); isRange {
				return
			}
		}
		if !p.at(token.SEMICOLON) {
			return
		}
		p.headSemi()
		init, cond = cond, nil
		if !p.at(token.SEMICOLON) {
			if p.at(token.LBRACE) {
				p.fail(p.pos, "expected the condition of the for: for init; condition; post { … }")
			}
			cond, _ = p.simpleStmt(0)
		}
		if !p.at(token.SEMICOLON) {
			p.failWant("';'")
		}
		p.next()
		if !p.at(token.LBRACE) {
			post, _ = p.simpleStmt(0)
		}
	})
	if r, ok := cond.(*ast.RangeStmt); ok {
		r.For = at
		r.Body = p.block()
		return r
	}
	s := &ast.ForStmt{For: at, Init: init, Post: post}
	if cond != nil {
		s.Cond = p.condition(cond, "for")
	}
	s.Body = p.block()
	return s
}
