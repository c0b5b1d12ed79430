package syntax

import (
	"go/token"
	"strings"
)

type hint struct{ has, say string }

// scanHints replace messages of Go's scanner by what helps people who come
// from Python.
var scanHints = []hint{
	{"more than one character in rune literal", "Go's strings stand in double quotes"},
	{"illegal rune literal", "Go's strings stand in double quotes"},
	{"empty rune literal", "Go's strings stand in double quotes"},
	{"U+0023 '#'", "a comment begins with // in Go"},
	{"U+003F '?'", "Go has no ?:, write if and else"},
	{"raw string literal not terminated", "a raw string is not closed: ` is missing"},
	{"comment not terminated", "a comment is not closed: */ is missing"},
}

// wordHints explain words of Python where they cannot stand.
var wordHints = map[string]string{
	"and": "Go writes && for bools; & for tensors",
	"or":  "Go writes || for bools; | for tensors",
	"not": "Go writes ! for bools; ^ for tensors",
	"in":  "Go writes for _, x := range xs { … }",
	"is":  "Go writes ==",
}

// beginHints explain words of Python that begin a statement, by the word
// before the place of the error.
var beginHints = map[string]string{
	"def":    "Go writes func f(a, b *Tensor) *Tensor { … }",
	"class":  "Go writes type T struct { … } and methods on it",
	"lambda": "Go writes func(x *Tensor) *Tensor { return … }",
	"not":    "Go writes ! for bools; ^ for tensors",
	"while":  "Go writes for condition { … }",
	"elif":   "Go writes } else if condition {",
	"del":    "Go has no del",
	"print":  "Go writes fmt.Println(…)",
	"from":   "Go writes import \"path\"",
	"with":   "Go has no with; write a function around a func",
	"raise":  "Go writes panic(…), or returns an error",
	"assert": "Go writes if !condition { panic(…) }",
}

// hint adds to a message what its place suggests.
func (p *parser) hint(msg string) string {
	add := ""
	switch {
	case p.kind == token.ARROW:
		add = "Go reads <- as a channel's arrow: put a space, x < -1"
	case p.kind == token.COLON && strings.HasPrefix(msg, "expected '{'"):
		add = "Go's blocks stand in braces"
	case (p.kind == token.DEFINE || p.kind == token.COLON) && strings.HasPrefix(msg, "expected ')'"):
		add = "a keyword is written name=value"
	case p.kind == token.IDENT && p.tok.text == "in" && p.peek() == token.RANGE:
		add = "Go writes for i := range n { … }"
	case p.kind == token.IDENT && wordHints[p.tok.text] != "":
		add = wordHints[p.tok.text]
	case p.i > 0 && p.toks[p.i-1].kind == token.IDENT && beginHints[p.toks[p.i-1].text] != "":
		add = beginHints[p.toks[p.i-1].text]
	case p.kind == token.FOR && p.joined > 0:
		add = "Go has no comprehensions; write a loop"
	}
	if add == "" {
		return msg
	}
	return msg + " (" + add + ")"
}

// indentAfter is a tab for each bracket that is open at the end of src.
func indentAfter(src string) string {
	p := newParser(token.NewFileSet(), "", src)
	depth := 0
	for _, t := range p.toks {
		switch t.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			depth = max(depth-1, 0)
		}
	}
	if p.openAt {
		return ""
	}
	return strings.Repeat("\t", min(depth, 32))
}
