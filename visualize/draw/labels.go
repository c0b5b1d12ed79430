package draw

import (
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/display"
)

// LiveNames asks for the names of tensors; nil where nobody knows any.
func LiveNames() map[*tensor.Tensor]string {
	var live map[*tensor.Tensor]string
	known := display.CurrentHost().Names(false, func(x any, name string) {
		if live == nil {
			live = map[*tensor.Tensor]string{}
		}
		live[x.(*tensor.Tensor)] = Tidy(name)
	})
	if known && live == nil {
		live = map[*tensor.Tensor]string{}
	}
	if s := tensor.CurrentScope(); s != nil {
		if r, ok := s.Trace.(TensorNamer); ok {
			return r.TensorNames(live)
		}
	}
	return live
}

// TensorNamer is a recorder (tensor.Scope.Trace) that runs code with fake tensors, which have the names of those that
// they stand for.
type TensorNamer interface {
	// TensorNames returns the live names and those of the fake tensors.
	TensorNames(live map[*tensor.Tensor]string) map[*tensor.Tensor]string
}

// MaxName is how many columns of a name are shown.
const MaxName = 28

// Labels returns a label for each of the tensors that a function of this package was called with: what was typed, else
// the variable's name, else x, or x₁, x₂ and so on.
func Labels(callee string, live map[*tensor.Tensor]string, xs []*tensor.Tensor) []string {
	typed := TypedTexts(callee)
	out := make([]string, len(xs))
	for i, x := range xs {
		switch n := live[x]; {
		case len(typed) == len(xs) && !strings.HasSuffix(typed[i], "..."):
			out[i] = typed[i]
		case n != "":
			out[i] = n
		case len(xs) == 1:
			out[i] = "x"
		default:
			out[i] = "x" + Subscript(i+1)
		}
	}
	return out
}

// LabelOf is a label for the tensor that is the first argument of callee.
func LabelOf(callee string, x *tensor.Tensor) string {
	if typed := TypedTexts(callee); len(typed) > 0 && typed[0] != "" {
		return typed[0]
	}
	if n := LiveNames()[x]; n != "" {
		return n
	}
	return "x"
}

// Subscript writes a number in small digits.
func Subscript(n int) string {
	digits := []rune("₀₁₂₃₄₅₆₇₈₉")
	if n < 10 {
		return string(digits[n])
	}
	return Subscript(n/10) + string(digits[n%10])
}
