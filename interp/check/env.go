package check

import (
	"go/types"

	"gotorch/interp/syntax"
)

// Paths of the packages that the tensor syntax is resolved to.
const (
	TensorPath = "gotorch/tensor"
	OptPath    = "gotorch/tensor/opt"
)

// Config says what cells may use.
type Config struct {
	// Importer gives packages by path. It must give the same *types.Package
	// every time. [exportdata.Importer] is the usual one.
	Importer types.Importer

	// Auto are the packages that a cell uses without importing them, by the
	// name they go by: "fmt" → "fmt", "rand" → "math/rand", "opt" → OptPath.
	Auto map[string]string

	// Bare is the path of the package whose names are written bare, TensorPath;
	// empty for plain Go.
	Bare string

	// Operators says which keywords an operator takes. It may be nil: then
	// every option is taken.
	Operators Operators
}

// Operators is what Check must know of the operator table.
type Operators interface {
	// Keywords gives what the method or function with that Go name takes:
	// required arguments (the receiver left out) and options in the schema's
	// order. ok is false for names that are no operators.
	Keywords(goName string, method bool) (sig OpSig, ok bool)
}

// OpSig is the part of an operator's schema that matters to a call.
type OpSig struct {
	Required []string // arguments without a default, in order
	Options  []string // arguments with one that may also be given by position, in order
	Keyword  []string // arguments that stand after the * and are given by name only
}

// Env is what holds from cell to cell. It is not safe for concurrent use.
type Env struct {
	cfg     Config
	live    map[string]*Def
	imports map[string]Import // by name, as cells have imported them
	dots    []Import          // dot imports
}

// NewEnv makes the environment of a new session.
func NewEnv(cfg Config) *Env {
	return &Env{cfg: cfg, live: map[string]*Def{}, imports: map[string]Import{}}
}

// Lookup gives what is live under a name, or nil.
func (e *Env) Lookup(name string) *Def { return e.live[name] }

// Names gives the live definitions sorted by name.
func (e *Env) Names() []*Def { return nil }

// Commit makes what a cell defines and imports live. Definitions for which
// keep returns false are left out (those that a failing cell never came to);
// keep may be nil.
func (e *Env) Commit(c *Checked, keep func(*Def) bool) {}

// Forget takes a name away.
func (e *Env) Forget(name string) { delete(e.live, name) }

type stub struct{}

type resolver struct{}

func (e *Env) check(cell *syntax.Cell) (*Checked, syntax.Diagnostics) {
	return nil, syntax.Diagnostics{cell.At(0, 0, "cells cannot be checked yet")}
}

// Go is the plain Go of the cell, formatted, with the names that a program
// would use: what %go shows.
func (c *Checked) Go() string { return "" }
