package check

import "go/types"

// isInternal reports whether an object of package tensor is for backends, autograd and tools, not for users at a
// prompt: its declaration is marked //gotorch:internal. All of it can be called in a cell; completion offers it only
// where nothing else begins as what was typed.
func isInternal(o types.Object) bool {
	return o.Pkg() != nil && o.Pkg().Path() == TensorPath && o.Parent() == o.Pkg().Scope() && internalNames[o.Name()]
}
