package syntax

import (
	"go/token"
	"strings"
)

type hint struct{ has, say string }

// scanHints replace messages of Go's scanner by what helps users who come from Python.
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

// indentAfter is how far the line after src is indented, as gofmt does it: a tab for each line that opened a bracket
// which is not closed, two on one line once. Of a src that ends with a bracket which begins its line it is where that
// one stands: with the line that it closes.
func indentAfter(src string) string {
	p := newParser(token.NewFileSet(), "", src)
	if p.openAt {
		return ""
	}
	var open []int // the lines of the brackets
	line, at := 1, 0
	before := 0   // where the last token closes what the line before opened and begins its own line
	first := true // on its line
	for _, t := range p.toks {
		if t.kind == token.EOF || t.kind == token.SEMICOLON && t.text == "\n" {
			continue
		}
		off := min(max(p.file.Offset(t.pos), at), len(src))
		if n := strings.Count(src[at:off], "\n"); n > 0 {
			line, first = line+n, true
		}
		at, before = off, line+1
		switch t.kind {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			open = append(open, line)
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if last := len(open) - 1; last >= 0 {
				if first {
					before = open[last]
				}
				open = open[:last]
			}
		}
		first = false
	}
	depth := 0
	for i, l := range open {
		if l < before && (i == 0 || l != open[i-1]) {
			depth++
		}
	}
	return strings.Repeat("\t", min(depth, 32))
}
