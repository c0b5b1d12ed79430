// Package symbols holds what compiled packages offer to cells: their functions,
// variables and types as reflect values, one generated file a package. A
// package's table is built when a cell first imports it.
//
// Constants are not here: the lowering writes their values.
package symbols

import (
	"reflect"
)

//go:generate go run gotorch/internal/gen/symbols

// Package is what a compiled package offers.
type Package struct {
	Path, Name string

	// Symbols builds the table: a function or variable under its name, a type
	// as a nil pointer to it, and for an interface type T, under _T, a nil
	// pointer to a struct that implements it by its function fields: IValue,
	// and W<Method> for each method.
	Symbols func() map[string]reflect.Value
}

var packages = map[string]Package{}

func register(path, name string, f func() map[string]reflect.Value) {
	packages[path] = Package{path, name, f}
}

// Lookup returns the package with that import path.
func Lookup(path string) (Package, bool) {
	p, ok := packages[path]
	if more := extensions[path]; more != nil && ok {
		base := p.Symbols
		p.Symbols = func() map[string]reflect.Value {
			t := base()
			for name, v := range more() {
				t[name] = v
			}
			return t
		}
	}
	return p, ok
}
