package line

import (
	"go/scanner"
	"go/token"
)

// highlight returns a style for each byte of a cell: of Go's keywords, strings,
// numbers and comments.
func highlight(src string) []string {
	styles := make([]string, len(src))
	fset := token.NewFileSet()
	file := fset.AddFile("", -1, len(src))
	var s scanner.Scanner
	s.Init(file, []byte(src), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return styles
		}
		style := styleNone
		switch {
		case tok.IsKeyword():
			style = styleKeyword
		case tok == token.STRING || tok == token.CHAR:
			style = styleString
		case tok == token.INT || tok == token.FLOAT || tok == token.IMAG:
			style = styleNumber
		case tok == token.COMMENT:
			style = styleComment
		}
		if style == styleNone {
			continue
		}
		at := file.Offset(pos)
		for i := at; i < min(at+len(lit), len(src)); i++ {
			styles[i] = style
		}
	}
}
