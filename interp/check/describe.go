package check

import (
	"go/types"
	"strings"
	"unicode/utf8"
)

// Description is the answer to Describe.
type Description struct {
	Name string // "Tensor.Sum", "fmt.Println", "x"
	Kind string // as a Candidate's Type
	Sig  string // "func (x *Tensor) Sum(opts ...Option) *Tensor"
	Doc  string // the documentation, if there is one
	Def  *Def   // of what a cell defined, else nil
}

// Describe says what the name at the cursor is, or the last name before it.
func Describe(e *Env, src string, cursor int) (d Description, ok bool) {
	defer func() { // of go/types
		if r := recover(); r != nil {

			d, ok = Description{}, false
		}
	}()
	cursor = clamp(src, cursor)
	end := cursor
	for end < len(src) && isNameByte(src, end) {
		_, n := utf8.DecodeRuneInString(src[end:])
		end += n
	}
	start := nameStart(src, end)
	for start == end && end > 0 { // not on a name: the last one before
		_, n := utf8.DecodeLastRuneInString(src[:end])
		end -= n
		start = nameStart(src, end)
	}
	name := src[start:end]
	if name == "" {
		return d, false
	}
	if start > 0 && src[start-1] == '.' {
		if o := infer(e, src, start-1); o != nil {
			return o.describe(name)
		}
		return d, false
	}
	if rest := strings.TrimLeft(src[end:], " "); strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && openParen(src[:start]) >= 0 {
		if p, err := e.cfg.Importer.Import(OptPath); err == nil { // a keyword
			if o := p.Scope().Lookup(camel(name)); o != nil {
				return describeObject(e, o), true
			}
		}
	}
	if def := e.Lookup(name); def != nil {
		return Description{Name: name, Kind: def.Kind.String(), Sig: objectText(def.Obj), Def: def}, true
	}
	if p := packageNamed(e, name); p != nil {
		return Description{Name: name, Kind: "package", Sig: "package " + name + " // import \"" + p.Path() + "\"", Doc: docOf(e, p.Path(), "")}, true
	}
	for _, p := range barePackages(e) {
		for _, n := range []string{name, camel(name)} { // softmax is Softmax
			if o := p.Scope().Lookup(n); o != nil && o.Exported() && (n == name || len(name) > 1) {
				return describeObject(e, o), true
			}
		}
	}
	if o := infer(e, src, end); o != nil && o.object != nil {
		return describeObject(e, o.object), true
	}
	if o := types.Universe.Lookup(name); o != nil {
		return Description{Name: name, Kind: kindOf(o), Sig: objectText(o)}, true
	}
	return d, false
}

func (o *operand) describe(name string) (Description, bool) {
	if pn, ok := o.object.(*types.PkgName); ok {
		if m := pn.Imported().Scope().Lookup(name); m != nil && m.Exported() {
			return describeObject(o.env, m), true
		}
		return Description{}, false
	}
	for _, m := range o.objects() {
		if m.Name() == name || m.Name() == camel(name) {
			return describeObject(o.env, m), true
		}
	}
	return Description{}, false
}

// shortNames leaves out the packages that a cell need not write.
func shortNames(p *types.Package) string {
	if p.Path() == TensorPath || p.Path() == "main" {
		return ""
	}
	return p.Name()
}

func typeText(t types.Type) string {
	if t == nil {
		return ""
	}
	return plainText(types.TypeString(t, shortNames))
}

func objectText(o types.Object) string { return plainText(types.ObjectString(o, shortNames)) }

func docOf(e *Env, path, name string) string {
	if d, ok := e.cfg.Importer.(Documenter); ok {
		return d.Doc(path, name)
	}
	return ""
}

func describeObject(e *Env, o types.Object) Description {
	d := Description{Name: o.Name(), Kind: kindOf(o), Sig: objectText(o)}
	key := o.Name()
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		if recv := recvName(f.Signature().Recv().Type()); recv != nil {
			key = recv.Name() + "." + key
			d.Name = key
		}
		d.Sig = methodText(f)
	}
	if o.Pkg() != nil {
		d.Doc = docOf(e, o.Pkg().Path(), key)
		if d.Kind != "method" && d.Kind != "field" && shortNames(o.Pkg()) != "" {
			d.Name = o.Pkg().Name() + "." + o.Name()
		}
	}
	return d
}

// methodText writes a method as its declaration begins.
func methodText(f *types.Func) string {
	recv := f.Signature().Recv()
	name := ""
	if recv.Name() != "" {
		name = recv.Name() + " "
	}
	return "func (" + name + typeText(recv.Type()) + ") " + f.Name() + strings.TrimPrefix(typeText(f.Signature()), "func")
}
