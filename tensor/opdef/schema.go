package opdef

import (
	"fmt"
	"strings"
	"unicode"
)

// Type is one alternative of a parameter's or result's type.
type Type struct {
	Base  string // Tensor, Scalar, int, float, bool, str, ScalarType, Device, Layout, MemoryFormat, Generator or Index
	List  bool   // Tensor[], int[], …
	Gaps  bool   // int?[2]: elements may be left out
	N     int    // of int[2]: a single int may stand for the list
	Alias string // of Tensor(a): the letter
	Write bool   // of Tensor(a!): the argument is written to
}

// Param is a parameter, or a result.
type Param struct {
	Name     string
	Types    []Type // more than one for a union such as Tensor|Scalar
	Optional bool   // Tensor?: None may be given
	HasDef   bool
	Default  string // as the schema spells it: 1, None, True, 0.5, "mean", []
	KwOnly   bool   // after the *
}

// Is reports whether one of the alternatives is base (not as a list).
func (p *Param) Is(base string) bool {
	for _, t := range p.Types {
		if t.Base == base && !t.List {
			return true
		}
	}
	return false
}

// IsList reports whether one of the alternatives is a list of base.
func (p *Param) IsList(base string) bool {
	for _, t := range p.Types {
		if t.Base == base && t.List {
			return true
		}
	}
	return false
}

// Sig is a parsed row.
type Sig struct {
	Name     string // PyTorch's name with its module: add, nn.functional.conv2d, linalg.norm
	Overload string // what follows the dot: dim in max.dim
	Params   []Param
	Rets     []Param
	Tags     Tag
	Doc      string
	Example  string // a call in a cell, "" where one follows from the parameters
	Schema   string
	goName   string // see GoName
}

// FullName is the name with the overload: max.dim.
func (s *Sig) FullName() string {
	if s.Overload == "" {
		return s.Name
	}
	return s.Name + "." + s.Overload
}

// Self is the index of the argument that is a method's receiver (self, else input), or -1.
func (s *Sig) Self() int {
	for _, name := range []string{"self", "input"} {
		for i := range s.Params {
			if s.Params[i].Name == name && s.Params[i].Is("Tensor") {
				return i
			}
		}
	}
	return -1
}

// Param returns the index of the parameter called name, or -1.
func (s *Sig) Param(name string) int {
	for i := range s.Params {
		if s.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// The modules whose names stand before an operator's own name; any further dot begins the overload.
var modules = []string{"nn.functional.", "linalg.", "fft.", "special.", "masked.", "sparse."}

// Parse reads a row. The grammar is that of PyTorch's native_functions with one extension, unions:
//
//	name[.overload](type name[=default], …, *, …) -> type | (type name, …)
//	type = Tensor | Tensor(a) | Tensor(a!) | Tensor? | Tensor[] | int[2] | int?[2] | Tensor|Scalar | …
func Parse(r Row) (*Sig, error) {
	bad := func(format string, args ...any) (*Sig, error) {
		return nil, fmt.Errorf("schema %q: %s", r.Schema, fmt.Sprintf(format, args...))
	}
	open, arrow := strings.IndexByte(r.Schema, '('), strings.LastIndex(r.Schema, ") -> ")
	if open <= 0 || arrow < open {
		return bad("want name(…) -> type")
	}
	s := &Sig{Tags: r.Tags, Schema: r.Schema}
	s.Doc, s.Example, _ = strings.Cut(r.Doc, "\n")
	module, name := "", r.Schema[:open]
	for _, m := range modules {
		if rest, ok := strings.CutPrefix(name, m); ok {
			module, name = m, rest
			break
		}
	}
	name, s.Overload, _ = strings.Cut(name, ".")
	s.Name = module + name
	params, err := splitList(r.Schema[open+1 : arrow])
	if err != nil {
		return bad("%v", err)
	}
	kwOnly := false
	for _, text := range params {
		if text == "*" {
			kwOnly = true
			continue
		}
		p, err := parseParam(text, true)
		if err != nil {
			return bad("%v", err)
		}
		if s.Param(p.Name) >= 0 {
			return bad("parameter %s twice", p.Name)
		}
		p.KwOnly = kwOnly
		s.Params = append(s.Params, p)
	}
	ret := strings.TrimSpace(r.Schema[arrow+len(") -> "):])
	if strings.HasPrefix(ret, "(") && strings.HasSuffix(ret, ")") {
		ret = ret[1 : len(ret)-1]
	}
	rets, err := splitList(ret)
	if err != nil {
		return bad("%v", err)
	}
	if len(rets) == 0 {
		return bad("no result")
	}
	for _, text := range rets {
		p, err := parseParam(text, false)
		if err != nil {
			return bad("%v", err)
		}
		s.Rets = append(s.Rets, p)
	}
	s.goName = s.named()
	return s, nil
}

// splitList cuts at the commas that stand outside brackets and quotes.
func splitList(s string) (parts []string, err error) {
	depth, from, quoted := 0, 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '(' || c == '[':
			depth++
		case c == ')' || c == ']':
			if depth--; depth < 0 {
				return nil, fmt.Errorf("unbalanced %q", c)
			}
		case c == ',' && depth == 0:
			parts = append(parts, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	if depth != 0 || quoted {
		return nil, fmt.Errorf("unbalanced brackets or quotes in %q", s)
	}
	if last := strings.TrimSpace(s[from:]); last != "" {
		parts = append(parts, last)
	}
	return parts, nil
}

var bases = map[string]bool{"Tensor": true, "Scalar": true, "int": true, "float": true, "bool": true, "str": true,
	"ScalarType": true,
	"Device":     true, "Layout": true, "MemoryFormat": true, "Generator": true, "Index": true}

func parseParam(text string, named bool) (p Param, err error) {
	typ, rest, ok := strings.Cut(text, " ")
	switch {
	case ok:
		p.Name, p.Default, p.HasDef = strings.Cut(rest, "=")
	case named:
		return p, fmt.Errorf("parameter %q has no name", text)
	}
	if named && !isName(p.Name) {
		return p, fmt.Errorf("%q is no parameter name", p.Name)
	}
	typ, p.Optional = strings.CutSuffix(typ, "?")
	for _, alt := range strings.Split(typ, "|") {
		var t Type
		if i := strings.IndexByte(alt, '['); i >= 0 {
			t.List = true
			if n, err := fmt.Sscanf(alt[i:], "[%d]", &t.N); n == 0 && alt[i:] != "[]" {
				return p, fmt.Errorf("malformed list %q: %v", alt, err)
			}
			alt, t.Gaps = strings.CutSuffix(alt[:i], "?")
		}
		if i := strings.IndexByte(alt, '('); i >= 0 {
			t.Alias = strings.Trim(alt[i:], "()!")
			t.Write = strings.HasSuffix(alt, "!)")
			alt = alt[:i]
		}
		if !bases[alt] {
			return p, fmt.Errorf("unknown type %q", alt)
		}
		t.Base = alt
		p.Types = append(p.Types, t)
	}
	return p, nil
}

func isName(s string) bool {
	for i, c := range s {
		if c != '_' && !unicode.IsLower(c) && !unicode.IsUpper(c) && (i == 0 || !unicode.IsDigit(c)) {
			return false
		}
	}
	return s != ""
}
