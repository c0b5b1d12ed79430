package nn

import (
	"strings"
	"unicode"
)

// snake turns a Go field's name into PyTorch's: InProjWeight is in_proj_weight, FC1 is fc1, Norm1 is norm1.
func snake(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, c := range runes {
		if unicode.IsUpper(c) && i > 0 && runes[i-1] != '_' {
			lowerBefore := !unicode.IsUpper(runes[i-1])
			lowerAfter := i+1 < len(runes) && unicode.IsLower(runes[i+1])
			if lowerBefore || lowerAfter {
				b.WriteByte('_')
			}
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// fieldName is the name under which a field's tensors stand. A field that the interpreter of cells made has an X
// before a name that is not exported.
func fieldName(name string) string {
	if len(name) > 1 && name[0] == 'X' && (unicode.IsLower(rune(name[1])) || name[1] == '_') {
		name = name[1:]
	}
	return snake(name)
}
