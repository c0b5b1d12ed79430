package interp

import (
	"fmt"

	"gotorch/interp/check"
	"gotorch/interp/syntax"
)

// hostOnly has the functions, and their packages, with which a program ties gotorch to a session. A cell that called
// them would cut its own session off from its output, its names or its derivatives.
var hostOnly = map[string]string{
	"SetHooks":       "gotorch/tensor",
	"NewTemporaries": "gotorch/tensor",
	"Attach":         "gotorch/visualize/display",
}

// reserved checks that a cell uses no function that is for the program around it.
func reserved(c *check.Checked) (ds syntax.Diagnostics) {
	for id, o := range c.Info.Uses {
		if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && hostOnly[o.Name()] == o.Pkg().Path() {
			ds = append(ds, c.At(id.Pos(), id.End(),
				fmt.Sprintf("%s is for the program that runs cells: in a cell it would cut the session off", o.Name())))
		}
	}
	return ds.Sort()
}
