package check

import (
	"go/ast"
	"go/doc"
	"go/token"
	"go/types"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"gotorch/interp/syntax"
)

// Candidate is one way to go on at the cursor.
type Candidate struct {
	Text string // what replaces the text from Start to End of the Completion
	Type string // "func", "method", "var", "const", "type", "field", "package", "keyword" or "argument"
	Sig  string // its type or signature, in the words of a cell

	obj types.Object // gives the Sig, once it is wanted
}

// Completion is the answer to Complete.
type Completion struct {
	Start, End int // the bytes of src that a candidate replaces
	Candidates []Candidate
}

// Complete gives what can stand at the cursor (a byte offset into src):
// members of what stands before a dot, keyword arguments inside a call, else
// names of this cell and of earlier ones, of packages, of package tensor, and of
// Go. A PyTorch name in its own case completes to Go's.
func Complete(e *Env, src string, cursor int) (c Completion) {
	cursor = clamp(src, cursor)
	start := nameStart(src, cursor)
	c.Start, c.End = start, cursor
	defer func() { // of go/types
		if r := recover(); r != nil {

			c.Candidates = nil
		}
	}()
	prefix := src[start:cursor]
	if inText(src[:start]) {
		return c
	}
	if start > 0 && src[start-1] == '.' && !strings.HasSuffix(src[:start], "...") {
		if o := infer(e, src, start-1); o != nil {
			c.Candidates = filter(o.members(), prefix)
		}
		return c
	}
	list := keywordsAt(e, src, start)
	list = append(list, namesAt(e, src, start)...)
	c.Candidates = filter(list, prefix)
	return c
}

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

// operand is what stands before a place in the text.
type operand struct {
	env    *Env
	object types.Object // where it is a name: of a package, a type, …
	typ    types.Type   // of a value, or the type itself
	isType bool
	in     *types.Package // whose unexported names can be seen
	call   *callee
}

// infer types the operand that ends at offset end of src. What follows is cut
// off and what is open is closed; what is wrong elsewhere does not matter.
func infer(e *Env, src string, end int) *operand {
	for _, tail := range []string{"", " {}", ":\n}", "; _ {}"} {
		text := src[:end] + tail + closers(src[:end], strings.HasPrefix(tail, ":"))
		cell, err := syntax.Parse(token.NewFileSet(), "ask", text)
		if err != nil {
			continue
		}
		u := newUnit(e, cell)
		if o := u.inferAt(u.at + token.Pos(end)); o != nil {
			return o
		}
	}
	return nil
}

func (u *unit) inferAt(end token.Pos) (o *operand) {
	u.survey()
	u.problems = nil
	restore := u.giveWay()
	defer restore()
	u.assemble()
	if u.env.cfg.Bare != "" {
		u.tensor, _ = u.Import(u.env.cfg.Bare)
	}
	u.res = newResolver(u)
	u.rounds(false)
	r := u.res
	var best ast.Expr
	consider := func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.Ident, *ast.SelectorExpr, *ast.CallExpr, *ast.IndexExpr, *ast.IndexListExpr, *ast.SliceExpr, *ast.ParenExpr,
			*ast.CompositeLit, *ast.BasicLit, *ast.TypeAssertExpr, *ast.FuncLit:
			s, ok := r.origin[x]
			if !ok {
				s = r.spans[x] // not of the nodes that stand around a cell
			}
			if s.hi == end && (best == nil || s.lo <= r.spanOf(best).lo) && (best == nil || s.lo < r.spanOf(best).lo || r.known[x.(ast.Expr)] != nil) {
				best = x.(ast.Expr)
			}
		}
		return true
	}
	for _, d := range u.file.Decls[u.firstDecl():] {
		ast.Inspect(d, consider)
	}
	if best == nil {
		return nil
	}
	o = &operand{env: u.env, in: u.pkg}
	switch x := best.(type) {
	case *ast.Ident:
		o.object = u.info.ObjectOf(x)
	case *ast.SelectorExpr:
		o.object = u.info.ObjectOf(x.Sel)
	}
	o.call = r.callee(&ast.CallExpr{Fun: best})
	if t := r.known[best]; t != nil {
		o.typ = t
		return o
	}
	if tv, ok := u.info.Types[best]; ok && tv.Type != nil && tv.Type != types.Typ[types.Invalid] {
		o.typ, o.isType = tv.Type, tv.IsType()
	} else if o.object != nil {
		o.typ = o.object.Type()
	} else if t := r.typ(best); t != nil {
		o.typ = t
	}
	if o.typ == nil && o.object == nil {
		return nil
	}
	return o
}

// closers closes the brackets that are open at the end of a text; the
// outermost brace of a case has been closed already where inCase is set.
func closers(text string, inCase bool) string {
	var open []byte
	fset := token.NewFileSet()
	for _, t := range syntax.Brackets(fset, text) {
		switch t {
		case '(', '[', '{':
			open = append(open, t)
		default:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	if inCase && len(open) > 0 && open[len(open)-1] == '{' {
		open = open[:len(open)-1]
	}
	var b strings.Builder
	for i := len(open) - 1; i >= 0; i-- {
		b.WriteByte(map[byte]byte{'(': ')', '[': ']', '{': '}'}[open[i]])
	}
	return b.String()
}

// members are the candidates behind the dot.
func (o *operand) members() (list []Candidate) {
	if pn, ok := o.object.(*types.PkgName); ok {
		scope := pn.Imported().Scope()
		for _, n := range scope.Names() {
			if m := scope.Lookup(n); m.Exported() {
				list = append(list, candidate(m))
			}
		}
		return list
	}
	for _, m := range o.objects() {
		list = append(list, candidate(m))
	}
	return list
}

// objects are the fields and methods of a value that can be addressed, or the
// methods of a type, those of embedded fields included. (types.NewMethodSet
// takes half a millisecond for a tensor.)
func (o *operand) objects() (list []types.Object) {
	seen := map[string]bool{}
	add := func(m types.Object, level map[string]bool) {
		if (m.Exported() || m.Pkg() == o.in) && !seen[m.Name()] {
			level[m.Name()] = true
			list = append(list, m)
		}
	}
	here := []types.Type{o.typ}
	for depth := 0; len(here) > 0 && depth < 8; depth++ {
		var next []types.Type
		level := map[string]bool{}
		for _, t := range here {
			if t == nil {
				continue
			}
			t = types.Unalias(t)
			if p, ok := t.(*types.Pointer); ok {
				t = types.Unalias(p.Elem())
			}
			if n, ok := t.(*types.Named); ok {
				for m := range n.Methods() {
					add(m, level)
				}
			}
			switch u := t.Underlying().(type) {
			case *types.Interface:
				for m := range u.Methods() {
					add(m, level)
				}
			case *types.Struct:
				for f := range u.Fields() {
					if !o.isType {
						add(f, level)
					}
					if f.Embedded() {
						next = append(next, f.Type())
					}
				}
			}
		}
		for n := range level {
			seen[n] = true
		}
		here = next
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name() < list[j].Name() })
	return list
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

func candidate(o types.Object) Candidate {
	return Candidate{Text: o.Name(), Type: kindOf(o), obj: o}
}

// sign writes the Sig.
func (c *Candidate) sign() {
	switch o := c.obj.(type) {
	case nil:
	case *types.TypeName:
		if c.Sig = typeText(o.Type().Underlying()); len(c.Sig) > 60 {
			c.Sig, _, _ = strings.Cut(c.Sig, "{")
		}
	default:
		c.Sig = strings.TrimPrefix(typeText(o.Type()), "untyped ")
	}
	c.obj = nil
}

func kindOf(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		if o.Signature().Recv() != nil {
			return "method"
		}
		return "func"
	case *types.Builtin:
		return "func"
	case *types.TypeName:
		return "type"
	case *types.Const, *types.Nil:
		return "const"
	case *types.PkgName:
		return "package"
	case *types.Var:
		if o.IsField() {
			return "field"
		}
	}
	return "var"
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

// Synopsis is the first sentence of a documentation.
func Synopsis(text string) string { return new(doc.Package).Synopsis(text) }

// packageNamed is the package that a name stands for in a cell, or nil.
func packageNamed(e *Env, name string) *types.Package {
	if i, ok := e.imports[name]; ok {
		return i.Pkg
	}
	if path, ok := e.cfg.Auto[name]; ok && e.cfg.Importer != nil {
		if p, err := e.cfg.Importer.Import(path); err == nil {
			return p
		}
	}
	return nil
}

// barePackages are those whose names are written bare.
func barePackages(e *Env) (ps []*types.Package) {
	for _, d := range e.dots {
		ps = append(ps, d.Pkg)
	}
	if e.cfg.Bare != "" && e.cfg.Importer != nil {
		if p, err := e.cfg.Importer.Import(e.cfg.Bare); err == nil {
			ps = append(ps, p)
		}
	}
	return ps
}

// keywordsAt gives the keyword arguments that can stand at offset at.
func keywordsAt(e *Env, src string, at int) (list []Candidate) {
	paren := openParen(src[:at])
	if paren < 0 {
		return nil
	}
	if before := strings.TrimRight(src[paren:at], " \t\r\n"); !strings.HasSuffix(before, "(") && !strings.HasSuffix(before, ",") {
		return nil
	}
	o := infer(e, src, len(strings.TrimRight(src[:paren], " \t")))
	if o == nil || o.call == nil {
		return nil
	}
	f := o.call
	add := func(name, sig string) { list = append(list, Candidate{Text: name + "=", Type: "argument", Sig: sig}) }
	optional := append(append([]string{}, f.op.Options...), f.op.Keyword...)
	for _, n := range optional {
		sig := ""
		if p, err := e.cfg.Importer.Import(OptPath); err == nil {
			if ctor, ok := p.Scope().Lookup(camel(n)).(*types.Func); ok && ctor.Signature().Params().Len() == 1 {
				sig = typeText(ctor.Signature().Params().At(0).Type())
			}
		}
		add(n, sig)
	}
	for i := range f.sig.Params().Len() {
		p := f.sig.Params().At(i)
		if n := snake(p.Name()); n != "" && n != "_" && !(f.options && i == f.sig.Params().Len()-1) {
			add(n, typeText(p.Type()))
		}
	}
	return list
}

// openParen is the offset of the ( that is innermost open at the end of text,
// or -1.
func openParen(text string) int {
	var open []int
	for off, t := range syntax.Brackets(token.NewFileSet(), text) {
		switch t {
		case '(', '[', '{':
			open = append(open, off)
		default:
			if len(open) > 0 {
				open = open[:len(open)-1]
			}
		}
	}
	if len(open) == 0 || text[open[len(open)-1]] != '(' {
		return -1
	}
	return open[len(open)-1]
}

// namesAt gives the names that can stand at offset at.
func namesAt(e *Env, src string, at int) (list []Candidate) {
	seen := map[string]bool{}
	add := func(c Candidate) {
		if !seen[c.Text] && c.Text != "_" {
			seen[c.Text] = true
			list = append(list, c)
		}
	}
	for _, c := range namesBefore(e, src[:at]) {
		add(c)
	}
	for _, d := range e.Names() {
		add(Candidate{Text: d.Name, Type: d.Kind.String(), obj: d.Obj})
	}
	var pkgs []string
	for n := range e.cfg.Auto {
		pkgs = append(pkgs, n)
	}
	for n := range e.imports {
		pkgs = append(pkgs, n)
	}
	sort.Strings(pkgs)
	for _, n := range pkgs {
		add(Candidate{Text: n, Type: "package"})
	}
	for _, p := range barePackages(e) {
		for _, n := range p.Scope().Names() {
			if o := p.Scope().Lookup(n); o.Exported() {
				add(candidate(o))
			}
		}
	}
	for _, n := range types.Universe.Names() {
		add(Candidate{Text: n, Type: kindOf(types.Universe.Lookup(n))})
	}
	for k := token.BREAK; k <= token.VAR; k++ {
		if k.IsKeyword() {
			add(Candidate{Text: k.String(), Type: "keyword"})
		}
	}
	return list
}

// namesBefore gives what the cell itself declares before its end.
func namesBefore(e *Env, text string) (list []Candidate) {
	at := len(strings.TrimRight(text, " \t\r\n"))
	for _, tail := range []string{" 0", "", " 0 {}", " {}", ":\n}"} {
		cell, err := syntax.Parse(token.NewFileSet(), "ask", text[:at]+tail+closers(text[:at], strings.HasPrefix(tail, ":")))
		if err != nil {
			continue
		}
		u := newUnit(e, cell)
		u.survey()
		restore := u.giveWay()
		defer restore()
		u.assemble()
		if e.cfg.Bare != "" {
			u.tensor, _ = u.Import(e.cfg.Bare)
		}
		u.res = newResolver(u)
		u.rounds(false)
		var os []types.Object
		for id, o := range u.info.Defs {
			if o == nil || id.Name == cellFunc || strings.Contains(id.Name, "·") || o.Pos() < u.at {
				continue
			}
			if v, ok := o.(*types.Var); ok && v.IsField() {
				continue
			}
			if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
				continue
			}
			if p := o.Parent(); p != nil && (p == u.pkg.Scope() || p.Contains(u.at+token.Pos(at)) || p == u.topScope()) {
				os = append(os, o)
			}
		}
		sort.Slice(os, func(i, j int) bool { return os[i].Pos() > os[j].Pos() }) // the nearest first
		for _, o := range os {
			list = append(list, candidate(o))
		}
		return list
	}
	return nil
}

// filter keeps what begins with the prefix: as typed, else in another case, as
// PyTorch's names are.
func filter(list []Candidate, prefix string) []Candidate {
	out := []Candidate{}
	for _, same := range []func(s string) bool{
		func(s string) bool { return strings.HasPrefix(s, prefix) },
		func(s string) bool {
			return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) || strings.HasPrefix(s, camel(prefix))
		},
	} {
		for _, c := range list {
			if same(c.Text) {
				c.sign()
				out = append(out, c)
			}
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

func clamp(src string, cursor int) int {
	cursor = min(max(cursor, 0), len(src))
	for cursor > 0 && cursor < len(src) && !utf8.RuneStart(src[cursor]) {
		cursor--
	}
	return cursor
}

func isNameByte(src string, at int) bool {
	r, _ := utf8.DecodeRuneInString(src[at:])
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// nameStart is where the name that ends at end begins.
func nameStart(src string, end int) int {
	start := end
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(src[:start])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= n
	}
	if start < end && src[start] >= '0' && src[start] <= '9' {
		return end // a number
	}
	return start
}

// inText: the text ends inside of a string or a comment.
func inText(text string) bool { return syntax.EndsInText(text) }
