package operators

import (
	"fmt"
	"slices"

	"gotorch/visualize/draw"
)

// Caption follows the call through its two choices.
func (v *DispatchBranches) Caption() string {
	text := "Of the keys " + v.Keys + " none answered " + v.Op
	if k := v.at(); k != nil {
		text = fmt.Sprintf("By its key the call of %s goes to %s", v.Op, k.Key)
		switch b := v.taken(); {
		case b != nil && b.Why != "":
			text += fmt.Sprintf(", whose kernel has no branch for %s", b.Dtype)
		case b != nil && b.Kernel != "":
			text += fmt.Sprintf(", by its dtype to the branch %s: %s", b.Dtype, b.Kernel)
		case len(v.Inner) > 0:
			var calls []string
			for _, in := range v.Inner {
				if !slices.Contains(calls, in.Call) {
					calls = append(calls, in.Call)
				}
			}
			if len(calls) > 3 {
				calls = append(calls[:2], "others")
			}
			text += ", to a body that calls " + draw.And(calls, 3)
		}
	}
	return text + fmt.Sprintf("; of %d combinations of device, layout and dtype %d work.", v.Cube.Cells,
		v.Cube.Works)
}

// Caption names the ends of the chain.
func (v *OperatorChain) Caption() string {
	var used, idle []string
	for _, l := range v.Links {
		list := &used
		if l.Idle {
			list = &idle
		}
		if !slices.Contains(*list, l.Name) {
			*list = append(*list, l.Name)
		}
	}
	text := fmt.Sprintf("The call of %s goes through %s: %s", v.Op, draw.InWords(len(used), "link"), draw.And(used, 9))
	if len(idle) > 0 {
		text += "; it has no use for the " + draw.And(idle, 4)
	}
	return text + "."
}
