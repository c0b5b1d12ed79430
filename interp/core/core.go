// Package core defines what passes from package lower to an engine: core Go, the small language that cells are lowered to.
//
// Core Go is Go with functions and closures, structs without methods, slices, maps, channels, and no interface type but any
// and those of host packages. A program of it is one file: imports, types, variables, functions and an init function that is the
// cell. It has no methods of its own, no generics, no type assertions or switches, and none of the statements select, go
// and defer; in their place it calls functions of the package that it imports as [RuntimeName], which the engine provides.
// Every name that a program declares is new to the session.
//
//	core.go    the names that lowering and engine agree upon
//	race_*.go  whether the race detector watches the variables that they share
package core

import (
	"fmt"
	"go/ast"
	"go/token"
)

// RuntimePath is the path under which programs import the engine's functions, and RuntimeName the name that they give the package.
const (
	RuntimePath = "rt"
	RuntimeName = "rt·"
)

// Variables that every program may use; the engine declares them. Under the race detector programs call functions of the runtime
// instead of using them.
const (
	LineVar    = "line·"    // int: the position of the statement that runs, as package lower encodes it
	TurnVar    = "turn·"    // bool: many goroutines run, so loops have to call Turn
	LargeVar   = "large·"   // bool: much memory is in use, so statements that may double it have to ask first
	SeveralVar = "several·" // bool: goroutines of cells run concurrently with the cell, so uses of maps have to be announced
)

// FuncVar ends the names of the variables through which programs call declared functions, so that they can be defined again.
const FuncVar = "·v"

// Hidden begins the names of files whose functions the user did not write: their frames are not shown.
const Hidden = "·"

// Global is a name of the engine that may be forgotten: a variable or a type that one program declares and later ones may mention.
// Whoever may still write such programs holds the Global; the functions that use it hold it too, as long as they can be called.
// When nobody does any more, the engine forgets the name and its value.
type Global struct{ Name string }

// Import returns an import declaration.
func Import(name, path string, p token.Pos) *ast.GenDecl {
	return &ast.GenDecl{TokPos: p, Tok: token.IMPORT, Specs: []ast.Spec{&ast.ImportSpec{
		Name: &ast.Ident{NamePos: p, Name: name},
		Path: &ast.BasicLit{ValuePos: p, Kind: token.STRING, Value: fmt.Sprintf("%q", path)},
	}}}
}
