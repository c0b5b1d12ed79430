// Package core defines what passes from package lower to an engine: core Go, the small language that cells are
// lowered to.
//
// Core Go is Go with functions and closures, structs without methods, slices, maps, channels, and no interface type
// but any and those of host packages. A program of it is one file: imports, types, variables, functions and an init
// function that is the cell. It has no methods of its own, no generics, no type assertions or switches, and none of
// the statements select, go and defer; in their place it calls functions of the package that it imports as
// [RuntimeName], which the engine provides. A range over a number is over a conversion to the type that is counted
// in. Every name that a program declares is new to the session, and every variable has a name of its own.
//
//	core.go    the names that lowering and engine agree upon
//	race_*.go  whether the race detector watches the variables that they share
package core

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
)

// Program is a program of core Go. An engine may change it to run it.
type Program struct {
	File *ast.File

	// Types are the types of those expressions of which an engine may have to know them: operands of shifts that are
	// no constants, constants that are shifted by such, channels and pointers that are compared, and what is ranged
	// over if it is a number, a string or a pointer.
	Types map[ast.Expr]types.Type

	// LoopVars are the variables of a for statement, declared in front of it, of which each iteration has its own.
	LoopVars map[*ast.ForStmt][]string

	// Layouts are the types of the declared structs that lead to themselves.
	Layouts []Layout

	// Selves are the declared types of other kinds that lead to themselves.
	Selves []Self

	Goes bool // the program starts goroutines
}

// Layout is the type of a declared struct, with other types of the same size and kind in place of the fields' own,
// which the engine is to put in.
type Layout struct {
	Name   string
	Type   reflect.Type
	Fields []reflect.Type
}

// Self is a declared type that contains itself without a struct between, which programs use under its name in the
// runtime's package. The engine is to put in the parts: of a map the key and the elements, of a function the
// parameters and the results, of other kinds the elements.
type Self struct {
	Name  string
	Type  reflect.Type
	Parts []reflect.Type
}

// Note notes the type of an expression.
func (p *Program) Note(e ast.Expr, t types.Type) {
	if p.Types == nil {
		p.Types = map[ast.Expr]types.Type{}
	}
	p.Types[e] = t
}

// NoteLoop notes the variables of a for statement.
func (p *Program) NoteLoop(s *ast.ForStmt, vars []string) {
	if p.LoopVars == nil {
		p.LoopVars = map[*ast.ForStmt][]string{}
	}
	p.LoopVars[s] = vars
}

// RuntimePath is the path under which programs import the engine's functions, and RuntimeName the name that they give
// the package.
const (
	RuntimePath = "rt"
	RuntimeName = "rt·"
)

// Variables that every program may use; the engine declares them. Under the race detector programs call functions of
// the runtime instead of using them.
const (
	LineVar  = "line·"  // int: the position of the statement that runs, as package lower encodes it
	TurnVar  = "turn·"  // bool: many goroutines run, so loops have to call Turn
	LargeVar = "large·" // bool: much memory is in use, so statements that may double it have to ask first
	// bool: goroutines of cells run concurrently with the cell, so uses of maps have to be announced
	SeveralVar = "several·"
)

// FuncVar ends the names of the variables through which programs call declared functions, so that they can be defined
// again.
const FuncVar = "·v"

// PointerVar ends the names by which programs have pointers to a host package's variables of basic types: the
// interpreter takes such a variable's name for a constant.
const PointerVar = "·p"

// Hidden begins the names of files whose functions the user did not write: their frames are not shown.
const Hidden = "·"

// Global is a name of the engine that may be forgotten: a variable or a type that one program declares and later ones
// may mention. Whoever may still write such programs holds the Global; the functions that use it hold it too, as long
// as they can be called. When nobody does any more, the engine forgets the name and its value.
type Global struct{ Name string }

// Import returns an import declaration.
func Import(name, path string, p token.Pos) *ast.GenDecl {
	return &ast.GenDecl{TokPos: p, Tok: token.IMPORT, Specs: []ast.Spec{&ast.ImportSpec{
		Name: &ast.Ident{NamePos: p, Name: name},
		Path: &ast.BasicLit{ValuePos: p, Kind: token.STRING, Value: fmt.Sprintf("%q", path)},
	}}}
}
