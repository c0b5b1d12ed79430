package syntax

import (
	"go/scanner"
	"go/token"
	"strings"
)

// veryLong is the length from which a cell's completeness is found without parsing it.
const veryLong = 200_000

// Outline goes through the tokens of a text that need not be a whole cell, and
// keeps none of them.
type Outline struct {
	scan scanner.Scanner
	base int
	open []int // where the brackets that are open stand
	bad  bool  // a bracket was closed that is not open
	text bool  // a raw string or a comment does not end

	last, before int // where the last token ends, and where it begins
	kind         token.Token
}

// NewOutline begins at the beginning of a text.
func NewOutline(text string) *Outline {
	o := &Outline{kind: token.SEMICOLON}
	file := token.NewFileSet().AddFile("", -1, len(text))
	o.base = file.Base()
	o.scan.Init(file, []byte(text), func(_ token.Position, msg string) {
		o.text = o.text || strings.Contains(msg, "not terminated") && (strings.HasPrefix(msg, "raw string") ||
			strings.HasPrefix(msg, "comment"))
	}, scanner.ScanComments)
	return o
}

// next reads a token; it is false at the end.
func (o *Outline) next() bool {
	pos, kind, lit := o.scan.Scan()
	if kind == token.EOF {
		return false
	}
	at := int(pos) - o.base
	if kind == token.COMMENT {
		o.before, o.last = at, at+len(lit)
		return true
	}
	if o.before, o.last = at, at+len(lit); lit == "" {
		o.last = at + len(kind.String())
	}
	if kind == token.SEMICOLON && lit == "\n" {
		o.last = at
		if o.kind == token.ILLEGAL { // @, which ends nothing
			return true
		}
	}
	o.kind = kind
	switch kind {
	case token.LPAREN, token.LBRACK, token.LBRACE:
		o.open = append(o.open, at)
	case token.RPAREN, token.RBRACK, token.RBRACE:
		if len(o.open) == 0 {
			o.bad = true
		} else {
			o.open = o.open[:len(o.open)-1]
		}
	}
	return true
}

// Inside reports whether an offset, which is not before that of the last call,
// lies inside of brackets, of a string or of a comment.
func (o *Outline) Inside(at int) bool {
	for o.last <= at {
		open := len(o.open) > 0
		if !o.next() {
			return open || o.text
		}
		if o.before >= at {
			return open
		}
	}
	return o.before < at || len(o.open) > 0
}

// roughly is Completeness by brackets alone.
func roughly(src string) (Verdict, string) {
	o := NewOutline(src)
	for o.next() {
	}
	switch {
	case o.text:
		return Incomplete, ""
	case o.bad:
		return Invalid, ""
	case len(o.open) > 0:
		return Incomplete, strings.Repeat("\t", min(o.lines(src), 32))
	case o.kind != token.SEMICOLON && o.kind != token.COLON: // an operator, a comma; a label is whole
		return Incomplete, ""
	}
	return Complete, ""
}

// lines is on how many lines the open brackets stand.
func (o *Outline) lines(src string) (n int) {
	for i, at := range o.open {
		if i == 0 || strings.Contains(src[o.open[i-1]:at], "\n") {
			n++
		}
	}
	return n
}
