package opdef

import (
	"go/token"
	"strings"
)

// GoName is the exported name of the operator in Go: every word of PyTorch's name begins with a capital, the overload
// follows as more words, nn.functional. is left out and the other modules are words of their own. A trailing
// underscore (written in place) stays.
//
//	index_select → IndexSelect, max.dim → MaxDim, linalg.norm → LinalgNorm, nn.functional.conv2d → Conv2d, copy_ → Copy_
func (s *Sig) GoName() string { return s.goName }

func (s *Sig) named() string {
	name := strings.TrimPrefix(s.Name, "nn.functional.")
	base, inPlace := strings.CutSuffix(name, "_")
	out := camel(base) + camel(s.Overload)
	if inPlace {
		out += "_"
	}
	return out
}

func camel(s string) string {
	var b strings.Builder
	for _, w := range strings.FieldsFunc(s, func(r rune) bool { return r == '_' || r == '.' }) {
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	return b.String()
}

// HasFunction reports whether there is a function of this name.
func (s *Sig) HasFunction() bool { return !s.Tags.Has(MethodOnly) }

// HasMethod reports whether there is a method of this name: PyTorch has one, and there is an argument to be the
// receiver.
func (s *Sig) HasMethod() bool { return !s.Tags.Has(FunctionOnly) && s.Self() >= 0 }

// Camel turns one of PyTorch's names into Go's case, word by word.
func Camel(s string) string { return camel(s) }

// GoParam is the name of a parameter in Go: start_dim is startDim, range is range_, LU_data is luData.
func GoParam(s string) string {
	if first, _, _ := strings.Cut(s, "_"); first == strings.ToUpper(first) {
		s = strings.ToLower(first) + s[len(first):]
	}
	c := camel(s)
	c = strings.ToLower(c[:1]) + c[1:]
	if token.IsKeyword(c) || c == "len" || c == "any" || c == "min" || c == "max" {
		c += "_"
	}
	return c
}

// IsPrivate reports whether the operator has no name in the Go API: others are made of it, and it is called by name
// alone.
func (s *Sig) IsPrivate() bool { return s.Tags.Has(FunctionOnly | MethodOnly) }

// OpName is a name that no other operator's Go name equals, for the generated variables: Index, PrivateIndex.
func (s *Sig) OpName() string {
	if strings.HasPrefix(s.Name[strings.LastIndexByte(s.Name, '.')+1:], "_") {
		return "Private" + s.GoName()
	}
	if s.Name == "nn.functional.unfold" { // the method Unfold is another operator, a view
		return "UnfoldFunction"
	}
	return s.GoName()
}
