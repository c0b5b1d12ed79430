package grad

import (
	"math"
	"strings"

	"gotorch/tensor"
)

// How each operator stands in a formula.

// notation is how an operator stands in a formula: between its two operands, or around its one.
type notation struct {
	before, between, after string
	binds                  int // of the whole
	left, right            int // what its operands have to bind at least
}

var infix = func(sign string, binds int) notation { return notation{"", sign, "", binds, binds, binds + 1} }

// notations of operators that people do not write as calls.
var notations = map[string]notation{
	"add": infix(" + ", bindsSum), "sub": infix(" - ", bindsSum), "mul": infix(" · ", bindsProduct),
	"div": infix(" / ", bindsProduct),
	"mm":  infix(" @ ", bindsProduct), "bmm": infix(" @ ", bindsProduct), "mv": infix(" @ ", bindsProduct),
	"matmul": infix(" @ ", bindsProduct),
	"dot":    infix(" @ ", bindsProduct), "outer": infix(" ⊗ ", bindsProduct),
	"pow": {"", "^", "", bindsPower, bindsAll, bindsAll},
	"eq":  infix(" = ", bindsCompare), "ne": infix(" ≠ ", bindsCompare), "lt": infix(" < ", bindsCompare),
	"le": infix(" ≤ ", bindsCompare),
	"gt": infix(" > ", bindsCompare), "ge": infix(" ≥ ", bindsCompare),
	"logical_and": infix(" ∧ ", bindsNot), "logical_or": infix(" ∨ ", bindsNot),
	"neg": {"-", "", "", bindsSign, bindsSign, 0}, "reciprocal": {"1 / ", "", "", bindsProduct, bindsSign, 0},
	"square": {"", "", "²", bindsPower, bindsAll, 0}, "sqrt": {"√", "", "", bindsPower, bindsAll, 0},
	"abs": {"|", "", "|", bindsAll, 0, 0},
	"t":   {"", "", "ᵀ", bindsAll, bindsAll, 0}, "conj": {"", "", "*", bindsAll, bindsAll, 0},
	"exp": {"e^", "", "", bindsPower, bindsAll, 0},
}

// sameNumbers are operators that change how numbers lie, or how dimensions are written, and no number.
var sameNumbers = map[string]bool{"clone": true, "contiguous": true, "detach": true, "alias": true, "_to_copy": true,
	"unsqueeze": true, "squeeze": true, "view": true, "reshape": true}

// assigns are operators that write their second argument into the first as it is.
var assigns = map[string]bool{"copy_": true}

// spell writes a call.
func spell(op *tensor.Op, args []spelled) term {
	name, overload, _ := strings.Cut(op.Name, ".")
	if strings.HasPrefix(op.Name, "nn.functional.") || strings.HasPrefix(op.Name, "special.") ||
		strings.HasPrefix(op.Name, "linalg.") {
		name = op.Name[strings.LastIndex(op.Name, ".")+1:]
	} else if overload != "" {
		name = op.Name
	}
	plain := strings.TrimSuffix(name, "_")
	if transposes(plain, args) {
		return term{args[0].in(bindsAll) + "ᵀ", bindsAll}
	}
	switch {
	case sameNumbers[plain] && len(args) > 0 && args[0].text != "":
		return args[0].term
	case plain == "mul" && len(args) == 2 && args[0].text == args[1].text:
		return term{args[0].in(bindsAll) + "²", bindsPower}
	case plain == "pow" && len(args) == 2 && args[1].number == 1:
		return args[0].term
	case plain == "pow" && len(args) == 2 && args[1].number == 2:
		return term{args[0].in(bindsAll) + "²", bindsPower}
	// -a + 1 is 1 - a
	case plain == "add" && len(args) == 2 && !math.IsNaN(args[1].number) && strings.HasPrefix(args[0].text, "-") &&
		args[0].binds == bindsSign:
		return term{args[1].text + " - " + args[0].text[1:], bindsSum}
	case plain == "div" && len(args) == 2 && args[1].number == 1:
		return args[0].term
	case (plain == "add" || plain == "sub") && len(args) == 3 && args[2].name == "alpha": // a + α·b
		args[1].term = term{args[2].in(bindsProduct) + " · " + args[1].in(bindsSign), bindsProduct}
		args = args[:2]
	}
	n, ok := notations[plain]
	if ok && n.between != "" && len(args) == 2 {
		if sign, number := strings.CutPrefix(args[1].text, "-"); number && plain == "add" { // a + -1 is a - 1
			return term{args[0].in(n.left) + " - " + sign, bindsSum}
		}
		return term{args[0].in(n.left) + n.between + args[1].in(n.right), n.binds}
	}
	if ok && n.between == "" && len(args) == 1 {
		return term{n.before + args[0].in(n.left) + n.after, n.binds}
	}
	var parts []string
	for i, a := range args {
		if a.name == "keepdim" || a.name == "dim" && a.text == "[]" {
			continue
		}
		if i > 0 && !a.tensor && i > 1 && math.IsNaN(a.number) && a.ints == nil {
			parts = append(parts, a.name+"="+a.text)
			continue
		}
		parts = append(parts, a.text)
	}
	return term{plain + "(" + strings.Join(parts, ", ") + ")", bindsAll}
}

// transposes reports whether a call swaps the last two dimensions.
func transposes(name string, args []spelled) bool {
	if (name == "mT" || name == "mH" || name == "adjoint") && len(args) == 1 {
		return true
	}
	if name != "transpose" || len(args) != 3 {
		return false
	}
	n := len(args[0].shape)
	a, b := int(args[1].number), int(args[2].number)
	if a < 0 {
		a += n
	}
	if b < 0 {
		b += n
	}
	return n >= 2 && min(a, b) == n-2 && max(a, b) == n-1
}
