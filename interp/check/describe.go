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
	Path string // the package's import path
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
	if start == end { // not on a name: what is called around it, else the last one before
		if c := callAt(e, src, cursor, true); c != nil {
			if d, ok := c.describe(); ok {
				return d, true
			}
		}
	}
	for start == end && end > 0 {
		_, n := utf8.DecodeLastRuneInString(src[:end])
		end -= n
		start = nameStart(src, end)
	}
	name := src[start:end]
	if name == "" {
		return d, false
	}
	if s := definedAt(e, src, end); s != nil {
		return describeDefined(s), true
	}
	if start > 0 && src[start-1] == '.' {
		if o := infer(e, src, start-1); o != nil {
			if d, ok := o.describe(name); ok {
				return d, true
			}
		}
		if path, ok := torchPath(e, src[:start]); ok { // torch.cumsum is Cumsum, torch.linalg.norm LinalgNorm
			return describeBare(e, path, name)
		}
		return d, false
	}
	if rest := strings.TrimLeft(src[end:], " "); strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") &&
		openParen(src[:start]) >= 0 {
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
		return Description{Name: name, Kind: "package", Sig: "package " + name + " // import \"" + p.Path() + "\"",
			Doc: docOf(e, p.Path(), "")}, true
	}
	if d, ok := describeBare(e, "", name); ok {
		return d, true
	}
	if o := infer(e, src, end); o != nil && o.object != nil {
		return describeObject(e, o.object), true
	}
	if o := types.Universe.Lookup(name); o != nil {
		return Description{Name: name, Kind: kindOf(o), Sig: objectText(o)}, true
	}
	if c := callAt(e, src, start, true); c != nil {
		return c.describe()
	}
	return d, false
}

// describeBare describes a name that is written bare; one of PyTorch's is Go's in another case.
func describeBare(e *Env, path, name string) (Description, bool) {
	for _, p := range barePackages(e) {
		for _, n := range []string{path + name, camel(strings.TrimSuffix(path, "_")) + camel(name)} { // softmax is Softmax
			if o := p.Scope().Lookup(n); o != nil && o.Exported() && (n == name || len(name) > 1) {
				return describeObject(e, o), true
			}
		}
		// what is a method only
		if tn, ok := p.Scope().Lookup("Tensor").(*types.TypeName); ok && path == "" && len(name) > 1 {
			o := operand{env: e, typ: tn.Type()}
			for _, m := range o.objects() {
				if m.Name() == name || m.Name() == camel(name) {
					return describeObject(e, m), true
				}
			}
		}
	}
	return Description{}, false
}

// torchPath: what stands before a dot is torch or Tensor, or one of torch's modules, as in Python; path is the
// module's part in Go's names.
func torchPath(e *Env, before string) (path string, ok bool) {
	words := strings.Split(before[operandStart(strings.TrimSuffix(before, ".")):], ".")
	words = words[:len(words)-1]
	switch {
	case len(words) == 0 || e.Lookup(words[0]) != nil:
		return "", false
	case words[0] == "F" && len(words) == 1:
		return "", true
	case words[0] != "torch":
		return "", false
	}
	for _, w := range words[1:] {
		if w != "nn" && w != "functional" && w != "Tensor" {
			path += w + "_"
		}
	}
	return path, true
}

// describe describes what is called.
func (c *call) describe() (Description, bool) {
	switch {
	case c.builtin != "":
		return Description{Name: c.builtin, Kind: "func", Sig: objectText(types.Universe.Lookup(c.builtin))}, true
	case c.callee == nil:
		return Description{}, false
	case c.callee.fn != nil && c.env.Lookup(c.name) == nil:
		return describeObject(c.env, c.callee.fn), true
	}
	if def := c.env.Lookup(c.name); def != nil {
		return Description{Name: c.name, Kind: def.Kind.String(), Sig: objectText(def.Obj), Def: def}, true
	}
	return Description{Name: c.name, Kind: "func", Sig: typeText(c.callee.sig)}, true
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
	return facadeName(p)
}

// facadeName is a package's name; that of package visualize for one behind it.
func facadeName(p *types.Package) string {
	if strings.HasPrefix(p.Path(), "gotorch/visualize/") && p.Name() != "display" && p.Name() != "widgets" {
		return "visualize"
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
		d.Path = o.Pkg().Path()
		d.Doc = docOf(e, o.Pkg().Path(), key)
		if d.Kind != "method" && d.Kind != "field" && shortNames(o.Pkg()) != "" {
			d.Name = facadeName(o.Pkg()) + "." + o.Name()
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
