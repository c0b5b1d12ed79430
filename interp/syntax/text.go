package syntax

import (
	"go/scanner"
	"go/token"
	"iter"
	"strings"
)

// Brackets goes through the brackets of a text that need not be a whole cell,
// those inside of strings and comments left out: byte offset and bracket.
func Brackets(fset *token.FileSet, text string) iter.Seq2[int, byte] {
	return func(yield func(int, byte) bool) {
		p := newParser(fset, "", text)
		for _, t := range p.toks {
			switch t.kind {
			case token.LPAREN, token.LBRACK, token.LBRACE, token.RPAREN, token.RBRACK, token.RBRACE:
				if !yield(int(t.pos)-p.file.Base(), t.kind.String()[0]) {
					return
				}
			}
		}
	}
}

// EndsInText reports whether a text ends inside of a string, a rune or a
// comment.
func EndsInText(text string) bool {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	open := false
	s.Init(file, []byte(text), func(_ token.Position, msg string) {
		open = open || strings.Contains(msg, "not terminated")
	}, scanner.ScanComments)
	end := 0
	last := token.ILLEGAL
	for {
		pos, kind, lit := s.Scan()
		if kind == token.EOF {
			break
		}
		if kind == token.SEMICOLON && lit == "\n" {
			continue
		}
		end, last = int(pos)-file.Base()+len(lit), kind
		if kind != token.STRING && kind != token.CHAR && kind != token.COMMENT {
			open = false
		}
	}
	return open || last == token.COMMENT && end >= len(text) && !strings.HasSuffix(text, "*/")
}
