package opdef

import (
	"fmt"
	"strings"
)

// reserved are namespaces of the library's own.
var reserved = map[string]bool{"aten": true, "torch": true, "tensor": true, "nn": true, "linalg": true, "fft": true,
	"special": true, "masked": true, "prim": true}

// ParseDefined reads a schema with a namespace, as programs define operators: my::clip(Tensor self) -> Tensor. The
// name is my.clip, and in cells my.Clip. See [Parse] for the rest of the grammar.
func ParseDefined(r Row) (*Sig, error) {
	ns, rest, ok := strings.Cut(r.Schema, "::")
	open := strings.IndexByte(r.Schema, '(')
	switch {
	case !ok || open >= 0 && len(ns) > open:
		return nil, fmt.Errorf("schema %q: the name needs a namespace, as in my::%s", r.Schema, strings.TrimSpace(r.Schema))
	case !isName(ns) || strings.ToLower(ns) != ns:
		return nil, fmt.Errorf("schema %q: %q is no namespace: small letters, digits and _", r.Schema, ns)
	case reserved[ns]:
		return nil, fmt.Errorf("schema %q: the namespace %s is the library's own", r.Schema, ns)
	}
	schema := r.Schema
	r.Schema = rest
	s, err := Parse(r)
	if err != nil {
		return nil, fmt.Errorf("schema %q: %s", schema, strings.TrimPrefix(err.Error(), fmt.Sprintf("schema %q: ", rest)))
	}
	if !isName(s.Name) || strings.ToLower(s.Name) != s.Name || s.Overload != "" && !isName(s.Overload) {
		return nil, fmt.Errorf("schema %q: %q is no name of an operator: small letters, digits and _", schema, s.FullName())
	}
	s.Schema, s.goName = schema, ns+"."+s.named()
	s.Name = ns + "." + s.Name
	return s, nil
}
