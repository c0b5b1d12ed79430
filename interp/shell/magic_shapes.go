package shell

import (
	"context"
	"fmt"
	"go/token"
	"go/types"
	"reflect"
	"regexp"
	"strings"

	"gotorch/interp/check"
	"gotorch/tensor"
	"gotorch/visualize"
	"gotorch/visualize/shapes"
)

// tensorType is what go/types calls a tensor.
var tensorType = "*" + reflect.TypeFor[tensor.Tensor]().PkgPath() + ".Tensor"

// withShapes finds what follows the last with: names, each with its shape in letters.
var withShapes = regexp.MustCompile(`(?s)^(.*\S)\s+with(\s+\w+\s*=.*|\s*)$`)

// aboutShapes is what %help shapes says besides.
const aboutShapes = "\nWith letters for sizes, as in %shapes net(x) with x=[B, 3, H, W], t=int64[B, T],\n" +
	"n=N, it shows them as expressions, and what has to hold for them: it runs for some\n" +
	"hundred different sizes, and says for which."

// shapesMagic shows the shapes that go through an expression; of names that are given letters, as expressions.
func (s *Shell) shapesMagic(ctx context.Context, arg string, caption bool) ([]Value, *Error) {
	arg = strings.TrimRight(arg, " \t\r\n")
	m := withShapes.FindStringSubmatch(arg)
	if m == nil {
		if strings.TrimSpace(arg) == "" {
			return nil, usage("%%shapes F(X, …), or %%shapes F(X, …) with X=[B, 3, H, W]")
		}
		return s.Record(ctx, arg, captioned(shapesAround, caption), true)
	}
	with := strings.TrimSpace(m[2])
	inputs, err := s.symbolicInputs(with)
	if err != nil {
		return nil, err
	}
	named, _ := s.Tensors()
	if err := shapes.CheckSymbolic(with, named); err != nil {
		return nil, usage("%v", err)
	}
	lead := m[1][:len(m[1])-len(strings.TrimLeft(m[1], " \t\r\n"))] // lines keep their numbers
	expr := m[1][len(lead):]
	text := lead + inputs + "visualize.SymbolicResult(" + expr + ")"
	if _, err := s.Check(text); err != nil { // statements, or what gives nothing
		text = lead + inputs + expr
		if _, err := s.Check(lead + expr); err != nil {
			_, werr := s.Check(text)
			if werr != nil && strings.Contains(inputs, ":=") { // names that only these inputs have
				err = werr
			}
			if werr != nil {
				return nil, err
			}
		}
	}
	var vals []Value
	s.Capture(func() { // what it prints it would print some hundred times
		vals, err = s.Record(ctx, text, captioned(func(run func()) (visualize.View, any) {
			return visualize.RecordSymbolic(with, run), nil
		}, caption), true)
	})
	return vals, err
}

// symbolicInputs are statements that give the names in a list of shapes what the run wants: x=[B, 3], n=N.
func (s *Shell) symbolicInputs(with string) (string, *Error) {
	var b strings.Builder
	depth := 0
	parts := strings.FieldsFunc(with, func(r rune) bool {
		switch r {
		case '[', '(':
			depth++
		case ']', ')':
			depth--
		}
		return r == ',' && depth == 0
	})
	if len(parts) == 0 {
		return "", usage("%%shapes F(X, …) with X=[B, 3, H, W]")
	}
	env, done := s.Env()
	defer done()
	for _, p := range parts {
		name, shape, _ := strings.Cut(p, "=")
		if name = strings.TrimSpace(name); !token.IsIdentifier(name) || name == "_" {
			return "", usage("%%shapes F(X, …) with X=[B, 3, H, W]: %q is no name", name)
		}
		call, want := "SymbolicInput", tensorType
		if !strings.Contains(shape, "[") {
			call, want = "SymbolicSize", "int"
		}
		assign := ":="
		if d := env.Lookup(name); d != nil && d.Kind == check.Var && types.TypeString(d.Type(), nil) == want {
			assign = "=" // functions that read the variable see it
		}
		fmt.Fprintf(&b, "%s %s visualize.%s(%q); ", name, assign, call, name)
	}
	return b.String(), nil
}

// completeShapes completes what %shapes takes besides Go: the word with after a call, and a dtype after a name.
func completeShapes(line, typed string) (out []check.Candidate) {
	before := strings.TrimSuffix(line, typed)
	switch {
	case typed != "" && strings.HasPrefix("with", typed) && strings.HasSuffix(strings.TrimRight(before, " \t"), ")"):
		return []check.Candidate{{Text: "with", Type: "keyword", Sig: "X=[B, 3, H, W], …"}}
	case strings.Contains(line, " with ") && strings.HasSuffix(before, "="):
		for _, d := range tensor.Dtypes() {
			if strings.HasPrefix(d.String(), typed) {
				out = append(out, check.Candidate{Text: d.String() + "[", Type: "dtype"})
			}
		}
	}
	return out
}
