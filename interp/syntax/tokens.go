package syntax

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"strings"
)

// maxDepth bounds how deep brackets, operators and statements may nest, so
// that no text exhausts the stack.
const maxDepth = 4000

// maxTypes bounds how deep types may nest: what compares and names them takes
// the square of that.
const maxTypes = 1000

// tok is a token of the cell. A semicolon that Go inserts has the text "\n".
type tok struct {
	kind token.Token
	pos  token.Pos
	text string
}

// parser is a recursive-descent parser over the tokens of one cell. It stops
// at the first thing that is wrong, by a panic with stop. All of its state but
// the tokens and the forms is in state, so that it can look ahead by parsing.
type parser struct {
	file *token.File
	src  []byte
	toks []tok // ends with EOF
	state
	forms  Forms
	errs   []located // of the scanner; they stand before those of the parser at the same place
	openAt bool      // a raw string or a comment does not end
	depth  int
	types  int // how many types it is inside of
}

type state struct {
	i         int // the current token
	tok           // the same, copied
	joined    int // > 0: newlines end nothing, as inside Python's brackets
	noLiteral bool
}

type located struct {
	pos, end token.Pos
	msg      string
}

// stop is the panic that ends a parse.
type stop struct{ located }

// scan reads all tokens. The pairs @ and @= are its own; a semicolon that Go
// inserts after them is dropped, since they cannot end anything.
func (p *parser) scan() {
	var s scanner.Scanner
	s.Init(p.file, p.src, func(at token.Position, msg string) { p.scanError(at, msg) }, 0)
	p.toks = make([]tok, 0, len(p.src)/3+4)
	for {
		pos, kind, text := s.Scan()
		t := tok{kind, pos, text}
		last := len(p.toks) - 1
		switch {
		case kind == token.ILLEGAL && text == "@":
			t.kind = At
		case last >= 0 && p.toks[last].kind == At && kind == token.ASSIGN && pos == p.toks[last].pos+1:
			p.toks[last].kind, p.toks[last].text = AtAssign, "@="
			continue
		case last >= 0 && p.toks[last].kind >= At && kind == token.SEMICOLON && text == "\n":
			continue
		}
		p.toks = append(p.toks, t)
		if kind == token.EOF {
			return
		}
	}
}

func (p *parser) scanError(at token.Position, msg string) {
	if at.Offset < len(p.src) && p.src[at.Offset] == '@' {
		return
	}
	if strings.Contains(msg, "not terminated") &&
		(strings.HasPrefix(msg, "raw string") || strings.HasPrefix(msg, "comment")) {
		p.openAt = true
	}
	for _, h := range scanHints {
		if strings.Contains(msg, h.has) {
			msg = h.say
			break
		}
	}
	pos := p.file.Pos(min(at.Offset, len(p.src)))
	p.errs = append(p.errs, located{pos, pos, msg})
}

// next goes to the next token; where brackets are open it skips the
// semicolons that Go inserts.
func (p *parser) next() {
	if p.i < len(p.toks)-1 {
		p.i++
	}
	p.settle()
}

func (p *parser) settle() {
	for p.joined > 0 && p.toks[p.i].kind == token.SEMICOLON && p.toks[p.i].text == "\n" && p.i < len(p.toks)-1 {
		p.i++
	}
	p.tok = p.toks[p.i]
}

// peek is the kind of the token after the current one.
func (p *parser) peek() token.Token {
	return p.toks[min(p.i+1, len(p.toks)-1)].kind
}

func (p *parser) at(kind token.Token) bool { return p.kind == kind }

// got goes past a token of that kind, if it is the current one.
func (p *parser) got(kind token.Token) bool {
	if p.kind != kind {
		return false
	}
	p.next()
	return true
}

func (p *parser) want(kind token.Token) token.Pos {
	pos := p.pos
	if p.kind != kind {
		p.failWant("'" + kind.String() + "'")
	}
	p.next()
	return pos
}

// open is at a ( or [ inside which newlines end nothing and composite literals may stand. It returns what close must
// restore.
func (p *parser) open() (pos token.Pos, before bool) {
	pos, before = p.pos, p.noLiteral
	p.noLiteral = false
	p.joined++
	p.next()
	return
}

func (p *parser) close(kind token.Token, before bool) token.Pos {
	if p.kind != kind {
		p.failWant("'" + kind.String() + "'")
	}
	p.joined--
	p.noLiteral = before
	pos := p.pos
	p.next()
	return pos
}

// openBrace is at a { : inside, newlines count again. It returns the state that closeBrace must restore.
func (p *parser) openBrace() (pos token.Pos, before state) {
	if p.kind != token.LBRACE {
		p.failWant("'{'")
	}
	pos, before = p.pos, p.state
	p.joined, p.noLiteral = 0, false
	p.next()
	return
}

func (p *parser) closeBrace(before state) token.Pos {
	if p.kind != token.RBRACE {
		p.failWant("'}'")
	}
	p.joined, p.noLiteral = before.joined, before.noLiteral
	pos := p.pos
	p.next()
	return pos
}

// endOf is where a token ends; the scanner takes carriage returns out of the
// text of raw strings.
func (p *parser) endOf(t tok) token.Pos {
	if t.kind == token.STRING && t.text[0] == '`' {
		off := p.file.Offset(t.pos) + 1
		if n := bytes.IndexByte(p.src[off:], '`'); n >= 0 {
			return p.file.Pos(off + n + 1)
		}
		return p.file.Pos(len(p.src))
	}
	return t.pos + token.Pos(len(t.text))
}

func (p *parser) text(from, to token.Pos) string {
	return string(p.src[p.file.Offset(from):p.file.Offset(to)])
}

// fail ends the parse.
func (p *parser) fail(at token.Pos, f string, args ...any) {
	msg := f
	if len(args) > 0 {
		msg = fmt.Sprintf(f, args...)
	}
	panic(stop{located{at, at, msg}})
}

func (p *parser) failWant(what string) {
	p.fail(p.pos, "%s", p.hint("expected "+what+", found "+p.found()))
}

// found is the current token in words.
func (p *parser) found() string {
	switch {
	case p.kind == token.EOF, p.kind == token.SEMICOLON && p.tok.text == "\n" && p.peek() == token.EOF:
		return "the end of the cell"
	case p.kind == token.SEMICOLON && p.tok.text == "\n":
		return "the end of the line"
	case p.kind.IsLiteral(), p.kind == token.ILLEGAL:
		return p.tok.text
	case p.kind.IsKeyword():
		return p.kind.String()
	}
	return "'" + OpString(p.kind) + "'"
}

// try parses with f and reports whether that went well; if not, the parser is
// back where it was.
func (p *parser) try(f func()) (ok bool) {
	before, depth, types := p.state, p.depth, p.types
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(stop); !is {
				panic(r)
			}
			p.state, p.depth, p.types, ok = before, depth, types, false
		}
	}()
	f()
	return true
}

// deeper counts nesting; the caller defers the function that it returns.
func (p *parser) deeper() func() {
	if p.depth++; p.depth > maxDepth {
		p.fail(p.pos, "this nests too deep")
	}
	return func() { p.depth-- }
}

func (p *parser) mark(c *ast.CompositeLit, k Kind) *ast.CompositeLit {
	if p.forms.Kinds == nil {
		p.forms.Kinds = map[*ast.CompositeLit]Kind{}
	}
	p.forms.Kinds[c] = k
	return c
}
