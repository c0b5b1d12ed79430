// Package module has the path under which this module is built. It is read from the program's own packages, so that
// renaming the module (see internal/rename) changes it too.
package module

import (
	"reflect"
	"strings"
)

type here struct{}

// Path is the module's path.
var Path = strings.TrimSuffix(reflect.TypeFor[here]().PkgPath(), "/internal/module")

// Has reports whether a package is one of this module's.
func Has(path string) bool { return path == Path || strings.HasPrefix(path, Path+"/") }
