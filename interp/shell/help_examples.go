package shell

import (
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// examples are calls of operators whose row has none, and for which the rule of Example makes none that runs.
var examples = map[string]string{}

// Example is a call of an operator that can be typed: of the method, or of the function.
func Example(o *tensor.Op, method bool) string {
	if o.Example != "" {
		return o.Example
	}
	if text, ok := examples[o.Full]; ok {
		return text
	}
	method = (method || !o.HasFunction()) && o.HasMethod()
	var args []string
	receiver := ""
	for i := range o.Params {
		p := &o.Params[i]
		if p.HasDef || p.KwOnly {
			break
		}
		text := exampleArg(o, i)
		if text == "" {
			return ""
		}
		if method && i == o.Self() {
			receiver = text
			continue
		}
		args = append(args, text)
	}
	if o.Tags.Class() == opdef.Reduction && o.Param("dim") >= 0 && o.Params[o.Param("dim")].HasDef {
		args = append(args, "dim=0")
	}
	call := o.GoName() + "(" + strings.Join(args, ", ") + ")"
	if receiver != "" {
		return receiver + "." + call
	}
	return call
}

// exampleArg is an argument for a parameter, "" where the rule knows none.
func exampleArg(o *tensor.Op, i int) string {
	p := &o.Params[i]
	first := i == 0 || i == o.Self()
	switch {
	case p.Is("Tensor") && first:
		return "New([[1, 2, 4], [3, 0.5, 2]])"
	case p.Is("Scalar"):
		return "2"
	case p.Is("Tensor"):
		return "New([[2, 1, 1], [0.5, 3, 1]])"
	case p.IsList("Tensor"):
		return "[New([1, 2, 3]), New([4, 5, 6])]"
	case p.Name == "size" || p.Name == "shape":
		return "[3, 2]"
	case p.Is("int") && strings.HasPrefix(p.Name, "dim") || p.IsList("int") && strings.HasPrefix(p.Name, "dim"):
		if p.IsList("int") && p.Types[0].N == 0 {
			return "[0, 1]"
		}
		return "0"
	case p.Is("int"):
		return "2"
	case p.Is("float"):
		return "0.5"
	case p.Is("bool"):
		return "true"
	}
	return ""
}
