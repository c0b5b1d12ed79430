package draw

import (
	"fmt"
	"strings"

	"gotorch/tensor"
)

// ShortValue writes an element in few characters.
func ShortValue(v any) string {
	switch v := v.(type) {
	case float64:
		return fmt.Sprintf("%.3g", v)
	case complex128:
		return fmt.Sprintf("%.2g%+.2gi", real(v), imag(v))
	}
	return fmt.Sprint(v)
}

func Join(xs []int, sep string) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = fmt.Sprint(x)
	}
	if len(parts) == 0 {
		return "∎"
	}
	return strings.Join(parts, sep)
}

func Abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Balanced reports whether an expression ends in a bracket that its beginning opens it up to, as x[1:, ::2] and f(a,
// -b) do: no operator stands outside of brackets.
func Balanced(expr string) bool {
	depth := 0
	for _, r := range expr {
		switch r {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '+', '-', '*', '/', '@', '<', '>', '=', '&', '|':
			if depth == 0 {
				return false
			}
		}
	}
	return true
}

func DtypeShape(x *tensor.Tensor) string { return fmt.Sprintf("%s%v", x.Dtype(), x.Shape()) }

// IndexText writes the list of an index, tensors by shape and dtype.
func IndexText(list []any) string {
	out := "["
	for i, v := range list {
		if i > 0 {
			out += ", "
		}
		if x, ok := v.(*tensor.Tensor); ok && x != nil {
			out += DtypeShape(x)
		} else {
			out += fmt.Sprint(v)
		}
		if len(out) > 60 {
			return Clip(out, 58) + "]"
		}
	}
	return out + "]"
}
