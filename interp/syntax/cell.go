// Package syntax reads cells: Go, and the tensor syntax on top of it.
//
// A cell is a piece of a Go file without a package clause, in which statements
// may stand beside declarations. A text that go/parser accepts is Go and gives
// the tree that go/parser gives. What a cell may write beyond Go is carried by
// nodes that Go's grammar never yields, so that the tree stays plain go/ast:
//
//	[a, b]         CompositeLit without a type                     List
//	x[1:3, :]      IndexExpr whose Index is a CompositeLit          Subscript
//	1:3, ::2       CompositeLit of start, stop, step                Range
//	...            CompositeLit                                     Dots
//	f(dim=1)       taken out of the call's arguments                Forms.Keywords
//	a @ b          BinaryExpr with operator At
//	x @= y         AssignStmt with token AtAssign
//
// The carriers are known by pointer, in [Forms]; nothing that a user can type
// makes one by accident.
package syntax

import (
	"go/ast"
	"go/token"
)

// At and AtAssign are the tokens of the matrix product, beyond Go's own. At
// has the precedence of token.MUL.
const (
	At       token.Token = 1000 + iota // @
	AtAssign                           // @=
)

// OpString is the text of an operator, At and AtAssign included.
func OpString(op token.Token) string {
	switch op {
	case At:
		return "@"
	case AtAssign:
		return "@="
	}
	return op.String()
}

// Kind says what a typeless CompositeLit stands for.
type Kind uint8

const (
	NotForm   Kind = iota
	List           // [a, b]: Elts are the elements
	Subscript      // the inside of x[…] that only tensors take: Elts are its parts
	Range          // start:stop:step inside a Subscript: three Elts, Missing where left out
	Dots           // ... inside a Subscript: no Elts
)

// Keyword is a keyword argument of a call: dim=1.
type Keyword struct {
	Name  *ast.Ident // a Go keyword may stand here too, such as range
	Eq    token.Pos
	Value ast.Expr
}

// Forms holds what a plain Go tree cannot.
type Forms struct {
	Kinds    map[*ast.CompositeLit]Kind
	Keywords map[*ast.CallExpr][]Keyword
}

// Empty reports whether there is no list, no subscript and no keyword. (@ is in
// the operators of the tree.)
func (f *Forms) Empty() bool { return len(f.Kinds) == 0 && len(f.Keywords) == 0 }

var missing = ast.NewObj(ast.Bad, "left out")

// NewMissing makes the carrier of a part of a range that was left out. It reads
// as nil, so that a type checker can look at it.
func NewMissing(at token.Pos) *ast.Ident {
	return &ast.Ident{NamePos: at, Name: "nil", Obj: missing}
}

// Missing reports whether e is the carrier of a part that was left out.
func Missing(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Obj == missing
}

// Cell is a cell as it was read.
type Cell struct {
	Name string // "In[3]", the file name of its positions
	Src  string
	Fset *token.FileSet
	File *token.File // the cell's in Fset

	Imports []*ast.GenDecl // import declarations, wherever they stand
	Decls   []ast.Decl     // func, method, type and const declarations, in order
	Stmts   []ast.Stmt     // statements, var declarations among them, without the final expressions
	Show    []ast.Expr     // the expressions that the cell ends with; more than one for a, b
	Quiet   bool           // a semicolon after Show: nothing is to be shown

	Forms
}

// Parse reads a cell. The file of its positions is added to fset under name.
// The error, if there is one, is of type [Diagnostics]; the cell is returned
// in any case, with what could be read.
func Parse(fset *token.FileSet, name, src string) (*Cell, error) {
	c, ds, _ := parse(fset, name, src)
	if len(ds) > 0 {
		return c, ds
	}
	return c, nil
}

// Verdict reports whether a text is a whole cell.
type Verdict uint8

const (
	Complete Verdict = iota
	Incomplete
	Invalid
)

func (v Verdict) String() string { return [...]string{"complete", "incomplete", "invalid"}[v] }

// Completeness reports whether src is a whole cell: incomplete means that more lines could make it one, that is, that
// its first error stands at its end or that a raw string or a comment is open. The indent is what the next line should
// begin with, after what is wrong too: go func() { … } wants its call.
//
// Of a very long text only the brackets are looked at, and whether it ends
// inside of something: what else may be wrong is said when it is run.
func Completeness(src string) (v Verdict, indent string) {
	if len(src) > veryLong {
		return roughly(src)
	}
	_, ds, open := parse(token.NewFileSet(), "", src)
	switch {
	case len(ds) == 0:
		return Complete, ""
	case open:
		return Incomplete, indentAfter(src)
	}
	return Invalid, indentAfter(src)
}
