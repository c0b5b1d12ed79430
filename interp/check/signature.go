package check

import (
	"go/types"
	"slices"
	"strings"
)

// Signature is a call as it is being typed.
type Signature struct {
	Name    string
	Params  []string // "dim=[]int", "other Operand"
	Current int      // which of them is being typed, -1 for none
	Result  string
}

// Text writes a signature with marks about the parameter that is being typed.
func (s Signature) Text(before, after string) string {
	ps := slices.Clone(s.Params)
	if s.Current >= 0 && s.Current < len(ps) {
		ps[s.Current] = before + ps[s.Current] + after
	}
	return strings.TrimRight(s.Name+"("+strings.Join(ps, ", ")+") "+s.Result, " ")
}

// builtins are Go's own functions, as parameters and result.
var builtins = map[string]Signature{
	"append": {Params: []string{"slice []T", "elems ...T"}, Result: "[]T"}, "cap": {Params: []string{"v"}, Result: "int"},
	"clear": {Params: []string{"mapOrSlice"}}, "close": {Params: []string{"c chan<- T"}},
	"complex": {Params: []string{"re", "im"}, Result: "complex128"},
	"copy":    {Params: []string{"dst", "src []T"}, Result: "int"}, "delete": {Params: []string{"m map[K]V", "key K"}},
	"imag": {Params: []string{"c"}, Result: "float64"},
	"len":  {Params: []string{"v"}, Result: "int"}, "make": {Params: []string{"T", "size ...int"}, Result: "T"},
	"max": {Params: []string{"x", "y ...T"}, Result: "T"},
	"min": {Params: []string{"x", "y ...T"}, Result: "T"}, "new": {Params: []string{"T"}, Result: "*T"},
	"panic": {Params: []string{"v any"}},
	"print": {Params: []string{"args ...any"}}, "println": {Params: []string{"args ...any"}},
	"real": {Params: []string{"c"}, Result: "float64"}, "recover": {Result: "any"},
}

// SignatureAt returns the call whose arguments are being typed at the cursor, the innermost one.
func SignatureAt(e *Env, src string, cursor int) (s Signature, ok bool) {
	defer func() { // of go/types
		if r := recover(); r != nil {

			s, ok = Signature{}, false
		}
	}()
	c := callAt(e, src, clamp(src, cursor), true)
	if c == nil {
		return s, false
	}
	last := 0 // the parameter that takes what follows
	ps := c.params()
	if c.builtin != "" {
		s, ok = builtins[c.builtin]
		if !ok {
			return s, false
		}
		last = len(s.Params)
		if n := last - 1; n >= 0 && strings.Contains(s.Params[n], "...") {
			last = n
		}
	} else {
		last = len(ps)
		for i, p := range ps {
			text := typeText(p.typ)
			switch {
			case p.keyword:
				s.Params = append(s.Params, strings.TrimRight(p.key+"="+text, "="))
				continue
			case p.variadic:
				if sl, ok := p.typ.(*types.Slice); ok {
					text = "..." + typeText(sl.Elem())
				}
				last = i
			}
			s.Params = append(s.Params, strings.TrimSpace(c.callee.sig.Params().At(i).Name()+" "+text))
		}
		if r := c.callee.sig.Results(); r.Len() == 1 && r.At(0).Name() == "" {
			s.Result = typeText(r.At(0).Type())
		} else if r.Len() > 0 {
			s.Result = typeText(r)
		}
	}
	s.Name = c.name
	if s.Name == "" {
		s.Name = "func"
	}
	s.Current = min(len(c.args)-1, last)
	if key := c.current().key; key != "" {
		s.Current = slices.IndexFunc(ps, func(p param) bool { return p.key == key })
	}
	if s.Current >= len(s.Params) {
		s.Current = -1
	}
	return s, true
}
