package check

import (
	"fmt"
	"go/types"
	"slices"
	"sort"
	"strings"
	"sync"

	"gotorch/tensor/opdef"
)

// Paths of the packages that the tensor syntax is resolved to.
const (
	TensorPath = "gotorch/tensor"
	OptPath    = "gotorch/tensor/opt"
)

// Config says what cells may use.
type Config struct {
	// Importer returns packages by path, the same *types.Package every time; an
	// exportdata.Importer is the usual one. If it is a [Documenter] too,
	// Describe returns documentation.
	Importer types.Importer

	// Auto are the packages that a cell uses without importing them, by the
	// name they go by: "fmt" → "fmt", "rand" → "math/rand", "opt" → OptPath.
	Auto map[string]string

	// Bare is the path of the package whose names are written bare, TensorPath;
	// empty for plain Go.
	Bare string

	// Defined lists the schemas of operators that a user defined; it may be nil.
	Defined func() []*opdef.Sig

	// Operators says which keywords an operator takes. It may be nil: then
	// every option is taken.
	Operators Operators
}

// Documenter returns the documentation of an exported name of a package:
// "Println", "Tensor.Sum", "" for the package itself.
type Documenter interface {
	Doc(path, name string) string
}

// Operators is what Check must know of the operator table.
type Operators interface {
	// Keywords returns what the method or function with that Go name takes.
	// ok is false for names that are no operators.
	Keywords(goName string, method bool) (sig OpSig, ok bool)
}

// OpSig is the part of an operator's schema that matters to a call, in
// PyTorch's names. A method's receiver is left out.
type OpSig struct {
	Required []string // arguments without a default, in order
	Options  []string // arguments with one that may also be given by position, in order
	Keyword  []string // keyword-only arguments, those after the *
}

// Env is what holds from cell to cell. It is not safe for concurrent use.
type Env struct {
	cfg      Config
	live     map[string]*Def
	imports  map[string]Import // by name, as cells have imported them
	dots     []Import          // dot imports, the last first
	alias    *aliases
	declared []*opdef.Sig // operators that cells have defined, in their order
	hidden   int          // how many hidden names were given

	exports sync.Map // *types.Package → []Candidate, for completion
}

// Defs is an Importer that reads packages from disk, and knows their definitions.
type Defs interface {
	Def(o types.Object) *Def
}

func (e *Env) packageDef(o types.Object) *Def {
	if p, ok := e.cfg.Importer.(Defs); ok {
		return p.Def(o)
	}
	return nil
}

// NewEnv makes the environment of a new session.
func NewEnv(cfg Config) *Env {
	return &Env{cfg: cfg, live: map[string]*Def{}, imports: map[string]Import{}, alias: newAliases()}
}

// IsTensor reports whether t is package tensor's Tensor; of a *Tensor, ask for what it points to.
func IsTensor(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == "Tensor" && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == TensorPath
}

// Lookup returns the live definition of a name, or nil.
func (e *Env) Lookup(name string) *Def { return e.live[name] }

// Names returns the live definitions sorted by name.
func (e *Env) Names() []*Def {
	ds := make([]*Def, 0, len(e.live))
	for _, d := range e.live {
		ds = append(ds, d)
	}
	sort.Slice(ds, func(i, j int) bool { return ds[i].Name < ds[j].Name })
	return ds
}

// Imports returns what cells have imported, sorted by name; dot imports under
// the name ".".
func (e *Env) Imports() []Import {
	is := slices.Clone(e.dots)
	for _, i := range e.imports {
		is = append(is, i)
	}
	sort.Slice(is, func(i, j int) bool { return is[i].Name+" "+is[i].Path < is[j].Name+" "+is[j].Path })
	return is
}

// Commit makes what a cell defines, declares and imports live. Definitions for
// which keep returns false are left out (those that a failing cell never came
// to); keep may be nil. A Checked is committed to the Env that it was checked
// with, and to nothing newer: other cells must not have been committed since.
func (e *Env) Commit(c *Checked, keep func(*Def) bool) {
	for _, i := range c.NewImports {
		switch i.Name {
		case "_":
		case ".":
			e.dots = slices.DeleteFunc(e.dots, func(d Import) bool { return d.Path == i.Path })
			e.dots = slices.Insert(e.dots, 0, i)
		default:
			e.Forget(i.Name)
			e.imports[i.Name] = i
		}
	}
	for _, s := range c.declared {
		e.declared = slices.DeleteFunc(e.declared, func(o *opdef.Sig) bool { return o.GoName() == s.GoName() })
		e.declared = append(e.declared, s)
	}
	kept := map[*Def]bool{}
	for _, d := range c.Defs {
		if keep == nil || keep(d) {
			kept[d] = true
		}
	}
	// The templates of definitions name each other, so all are made before any
	// old name gives way.
	for _, d := range c.Defs {
		if old := e.live[d.Name]; kept[d] && old != nil {
			old.rename(old.stub.hidden)
		}
	}
	for _, d := range c.Defs {
		e.hidden++
		d.stub.hidden = fmt.Sprintf("%s·%d", d.Name, e.hidden)
		d.stub.name = d.Name
		if !kept[d] { // another definition may still mention it
			d.stub.name = d.stub.hidden
		}
	}
	s := stubber{c: c, env: e}
	for _, d := range c.Defs {
		s.def(d)
		if kept[d] {
			delete(e.imports, d.Name)
			e.live[d.Name] = d
		}
	}
	for _, m := range c.Methods {
		s.method(m)
	}
}

// Forget takes a name away, as if it had never been defined. What is defined
// by it goes on working.
func (e *Env) Forget(name string) {
	if d := e.live[name]; d != nil {
		d.rename(d.stub.hidden)
		delete(e.live, name)
	}
}

// ForgetDefined takes away the operators that cells have defined.
func (e *Env) ForgetDefined() { e.declared = nil }

// plainName takes the mark off a hidden name: T·3 is a T.
func plainName(name string) string {
	head, _, _ := strings.Cut(name, "·")
	return head
}
