package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"

	"gotorch/interp/allow"
	"gotorch/interp/check"
	"gotorch/interp/syntax"
)

// Note: the restricted mode. Cells reach host code by names that the check has resolved, whatever they are called and
// however they are passed on; so a cell is rejected if it mentions a name which is not on the list of package allow.
// That list has functions, variables, types, methods and fields, of packages that cells import and of those whose
// types they meet; what is on neither of its sides is rejected. Methods can be reached without their name in two ways:
// by an interface, so interfaces of cells may not have the rejected ones, and by reflection, whose functions that find
// methods are rejected. Packages net, syscall, plugin and unsafe are not offered to cells in any mode. Files may be
// read; memory has a budget.

// safe checks a cell that is to be run in the restricted mode.
func (s *Session) safe(c *check.Checked) (ds syntax.Diagnostics) {
	if !s.opts.Safe {
		return nil
	}
	allowed := allow.Checker{Importer: s.imp}
	refuse := func(n ast.Node, o types.Object, why string) {
		if why != "" && !strings.HasSuffix(o.Name(), "·") { // what the check itself wrote, for types of earlier cells
			msg := fmt.Sprintf("%s is refused in the restricted mode: %s", o.Name(), why)
			ds = append(ds, c.At(n.Pos(), n.End(), msg))
		}
	}
	for id, o := range c.Info.Uses {
		if o.Pkg() != c.Pkg && !s.fromDisk(o) {
			refuse(id, o, allowed.Why(o))
		}
	}
	for x, sel := range c.Info.Selections { // promoted methods and fields
		if o := sel.Obj(); o.Pkg() != c.Pkg && c.Info.Uses[x.Sel] == nil && !s.fromDisk(o) {
			refuse(x, o, allowed.Why(o))
		}
	}
	for id, o := range c.Info.Defs {
		if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil && types.IsInterface(f.Signature().Recv().Type()) {
			refuse(id, f, allowed.WhyMethod(f))
		}
	}
	return ds.Sort()
}

// fromDisk reports whether an object belongs to a package on disk, which is checked as cells are before it runs.
func (s *Session) fromDisk(o types.Object) bool {
	if pn, ok := o.(*types.PkgName); ok {
		return s.disk.Package(pn.Imported()) != nil
	}
	return o.Pkg() != nil && s.disk.Package(o.Pkg()) != nil
}

// restricted is the error of a command that the restricted mode rejects, nil in other modes.
func (s *Session) restricted(what string) *Error {
	if !s.opts.Safe {
		return nil
	}
	return &Error{Name: "Refused", Value: what + " is refused in the restricted mode"}
}
