package interp

import (
	"path"
	"strings"
	"sync"

	"gotorch/interp/check"
	"gotorch/interp/exportdata"
	"gotorch/tensor/opdef"
)

// chosen says which package a name means that several packages have.
var chosen = map[string]string{"rand": "math/rand", "template": "text/template"}

// autoImports are the packages that a cell may use without importing them, by
// name.
func autoImports() map[string]string {
	m := map[string]string{}
	for _, p := range exportdata.Paths() {
		name := path.Base(p)
		if name == "v2" { // math/rand/v2
			continue
		}
		m[name] = p
	}
	for n, p := range chosen {
		m[n] = p
	}
	return m
}

// operators answers for the operator table.
type operators struct{}

var _ check.Operators = operators{}

// signatures are the operators by their Go names.
var signatures = sync.OnceValue(func() map[string]*opdef.Sig {
	m := map[string]*opdef.Sig{}
	for _, r := range opdef.Table() {
		sig, err := opdef.Parse(r)
		if err != nil || sig.IsPrivate() {
			continue
		}
		m[sig.GoName()] = sig
	}
	return m
})

// Keywords gives what an operator takes.
func (operators) Keywords(name string, method bool) (check.OpSig, bool) {
	sig := signatures()[name]
	if sig == nil {
		base, inPlace := strings.CutSuffix(name, "_")
		if sig = signatures()[base]; sig == nil || !inPlace {
			return check.OpSig{}, false
		}
	}
	if method && !sig.HasMethod() || !method && !sig.HasFunction() {
		return check.OpSig{}, false
	}
	var out check.OpSig
	for i, p := range sig.Params {
		switch {
		case method && i == sig.Self():
		case p.KwOnly:
			out.Keyword = append(out.Keyword, p.Name)
		case p.HasDef:
			out.Options = append(out.Options, p.Name)
		default:
			out.Required = append(out.Required, p.Name)
		}
	}
	return out, true
}
