package check

import (
	"path"
	"sync"

	"gotorch/interp/exportdata"
	"gotorch/tensor/opdef"
)

// chosen says which package a name means that several packages have.
var chosen = map[string]string{"rand": "math/rand", "template": "text/template"}

// linked lists packages that are imported for their effect and that every
// program with cells has in it: a blank import of one does nothing more.
var linked = map[string]bool{"gotorch": true, "gotorch/autograd": true, "gotorch/backends/cpu": true}

// Standard is the configuration of gotorch's sessions: the embedded packages,
// all of them used without an import, the bare names of package tensor and its
// operator table.
func Standard() Config {
	auto := map[string]string{}
	for _, p := range exportdata.Paths() {
		if name := path.Base(p); name != "v2" { // math/rand/v2
			auto[name] = p
		}
	}
	for name, p := range chosen {
		auto[name] = p
	}
	return Config{Importer: exportdata.NewImporter(), Auto: auto, Bare: TensorPath, Operators: Table}
}

// Table is the operator table.
var Table Operators = table{}

type table struct{}

type opKey struct {
	name   string
	method bool
}

var opSigs = sync.OnceValue(func() map[opKey]OpSig {
	sigs := map[opKey]OpSig{}
	rows := opdef.Signatures()
	for i := range rows {
		s := &rows[i]
		if s.IsPrivate() {
			continue
		}
		names := []string{s.GoName()}
		if s.Tags.Has(opdef.InPlace) {
			names = append(names, s.GoName()+"_")
		}
		for _, method := range []bool{false, true} {
			if method && !s.HasMethod() || !method && !s.HasFunction() {
				continue
			}
			var o OpSig
			for i, p := range s.Params {
				switch {
				case method && i == s.Self():
				case p.KwOnly:
					o.Keyword = append(o.Keyword, p.Name)
				case p.HasDef:
					o.Options = append(o.Options, p.Name)
				default:
					o.Required = append(o.Required, p.Name)
				}
			}
			for _, n := range names {
				sigs[opKey{n, method}] = o
			}
		}
	}
	return sigs
})

func (table) Keywords(name string, method bool) (OpSig, bool) {
	s, ok := opSigs()[opKey{name, method}]
	return s, ok
}
