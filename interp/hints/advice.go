package hints

import (
	"go/ast"
	"go/token"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/check"
	"gotorch/interp/result"
	"gotorch/interp/syntax"
	"gotorch/interp/values"
	"gotorch/tensor"
)

// Note: advice. Some lines of Python are valid Go with another meaning: x // 2 is x and
// a comment, print(i, x) runs its words together, the Grad of a tensor that is no leaf is nil. Such a cell does what
// Go says, and a note beneath it tells, once a session.

// advice looks at a cell that ran, as it was typed, and what it shows; "" when there is nothing to say.
var advice = []func(env *check.Env, src string, vals []result.Value) string{divided, runTogether,
	gradOfPlain, gradOfResult}

// runsTogether is the place of runTogether.
const runsTogether = 1

// Advice makes each note once a session.
type Advice struct{ given [4]bool }

// Notes are the notes about a cell, "" if there are none.
func (a *Advice) Notes(env *check.Env, src string, vals []result.Value) (notes string) {
	for i, f := range advice {
		if a.given[i] {
			continue
		}
		if say := f(env, src, vals); say != "" {
			a.given[i] = true
			if i == runsTogether { // what it printed has not ended its line
				notes += "\n"
			}
			notes += "note: " + say + "\n"
		}
	}
	return notes
}

var division = lazyre.New("^[^\"'`/]*?([\\w.\\])}]+)\\s*//\\s*(\\d+(?:\\.\\d+)?|\\pL[\\pL\\pN_]*)\\s*$")

// divided: a last line ends with what is a division in Python.
func divided(env *check.Env, src string, _ []result.Value) string {
	if !strings.Contains(src, "//") {
		return ""
	}
	src = strings.TrimRight(src, " \t\n")
	m := division.FindStringSubmatch(src[strings.LastIndexByte(src, '\n')+1:])
	if m == nil {
		return ""
	}
	if c := m[2][0]; c < '0' || c > '9' { // a comment of one word, unless the word is a value
		if d := env.Lookup(m[2]); d == nil || d.Kind != check.Var {
			return ""
		}
	}
	x := m[1]
	if strings.ContainsAny(x, ")]}") || x[0] >= '0' && x[0] <= '9' { // the end of more, a number
		x = "x"
	}
	return "// begins a comment; tensors divide and round down with " + x + ".FloorDivide(" + m[2] +
		"), ints of Go with " + x + " / " + m[2]
}

// runTogether: Go's own print puts nothing between its arguments and no end of the line.
func runTogether(env *check.Env, src string, _ []result.Value) (say string) {
	if !strings.Contains(src, "print(") {
		return ""
	}
	own := env.Lookup("print") != nil
	cell, _ := syntax.Parse(token.NewFileSet(), "cell", src)
	if own || cell == nil {
		return ""
	}
	var look func(n ast.Node, loop bool)
	look = func(n ast.Node, loop bool) {
		ast.Inspect(n, func(m ast.Node) bool {
			switch m := m.(type) {
			case *ast.ForStmt:
				if !loop {
					look(m.Body, true)
				}
				return loop
			case *ast.RangeStmt:
				if !loop {
					look(m.Body, true)
				}
				return loop
			case *ast.CallExpr:
				if f, ok := m.Fun.(*ast.Ident); ok && f.Name == "print" && (loop || len(m.Args) > 1) && !endsLine(m.Args) {
					say = "Go's print puts no spaces and no line ends; fmt.Println(…) does"
				}
			}
			return say == ""
		})
	}
	for _, d := range cell.Decls {
		look(d, false)
	}
	for _, st := range cell.Stmts {
		look(st, false)
	}
	return say
}

// endsLine: the last argument is a text that ends a line.
func endsLine(args []ast.Expr) bool {
	if len(args) == 0 {
		return true
	}
	l, ok := args[len(args)-1].(*ast.BasicLit)
	return ok && strings.HasSuffix(strings.TrimRight(l.Value, "\"`"), `\n`)
}

var gradOf = lazyre.New(`(?:^|[\s;])([\pL_][\pL\pN_]*)\.Grad\(\)\s*$`)

// noGrad returns the variable whose gradient the cell ends with, if it has none.
func noGrad(env *check.Env, src string, vals []result.Value) (name string, x *tensor.Tensor) {
	if len(vals) == 0 || !strings.Contains(src, ".Grad()") {
		return "", nil
	}
	m := gradOf.FindStringSubmatch(src)
	if g, ok := vals[len(vals)-1].V.(*tensor.Tensor); m == nil || ok && g != nil {
		return "", nil
	}
	if d := env.Lookup(m[1]); d != nil && d.Kind == check.Var {
		x, _ = values.Tensor(values.Of(d))
	}
	return m[1], x
}

// gradOfPlain: the gradient was asked for of a tensor that requires none.
func gradOfPlain(env *check.Env, src string, vals []result.Value) string {
	if name, x := noGrad(env, src, vals); x != nil && !x.RequiresGrad() {
		return name + " does not require grad: " + name + ".RequiresGrad_() before what is computed with it"
	}
	return ""
}

// gradOfResult: the gradient was asked for of a tensor that another was made into, w = w - w.Grad() * lr.
func gradOfResult(env *check.Env, src string, vals []result.Value) string {
	if name, x := noGrad(env, src, vals); x != nil && x.RequiresGrad() && !x.IsLeaf() {
		return name + " is a result and no leaf: it keeps a gradient only after " + name +
			".RetainGrad(). A step of training writes into the leaf: autograd.NoGrad(func() { " +
			name + " -= " + name + ".Grad() * 0.1 })"
	}
	return ""
}
