package check

import (
	"path"
	"strings"

	"gotorch/internal/module"
	"gotorch/interp/exportdata"
	"gotorch/tensor/opdef"
)

// chosen says which package a name means that several packages have.
var chosen = map[string]string{"rand": "math/rand", "template": "text/template", "inits": "gotorch/nn/init"}

// linked lists packages that are imported for their effect and that every
// program with cells has in it: a blank import of one does nothing more.
var linked = map[string]bool{module.Path: true, "gotorch/autograd": true, "gotorch/backends/cpu": true}

// Standard is the configuration of gotorch's sessions: the embedded packages,
// all of them used without an import, the bare names of package tensor and its
// operator table.
func Standard() Config {
	auto := map[string]string{}
	for _, p := range exportdata.Paths() {
		if name := path.Base(p); name != "v2" && name != "init" { // math/rand/v2, nn/init
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

// Keywords looks among the rows. That is quicker than to make a map of all of them at the first cell.
func (table) Keywords(name string, method bool) (o OpSig, ok bool) {
	s := rowOf(name, method)
	if s == nil {
		o, ok = unlisted[name]
		return o, ok && method
	}
	for i := range s.Params {
		switch p := &s.Params[i]; {
		case method && i == s.Self():
		case p.KwOnly:
			o.Keyword = append(o.Keyword, p.Name)
		case p.HasDef:
			o.Options = append(o.Options, p.Name)
		default:
			o.Required = append(o.Required, p.Name)
		}
	}
	return o, true
}

// unlisted has the parameters of methods of tensors that are no operators, in PyTorch's order.
var unlisted = map[string]OpSig{
	"Backward":      {Options: []string{"gradient", "retain_graph", "create_graph", "inputs"}},
	"IsContiguous":  {Keyword: []string{"memory_format"}},
	"RequiresGrad_": {Options: []string{"requires_grad"}},
}

// rowOf finds the operator that has a function or a method of this name, nil if none has.
func rowOf(name string, method bool) *opdef.Sig {
	plain, inPlace := strings.CutSuffix(name, "_")
	rows := opdef.Signatures()
	for i := range rows {
		s := &rows[i]
		if n := s.GoName(); n != name && !(inPlace && n == plain && s.Tags.Has(opdef.InPlace)) {
			continue
		}
		if !s.IsPrivate() && (method && s.HasMethod() || !method && s.HasFunction()) {
			return s
		}
	}
	return nil
}
