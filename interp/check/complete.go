package check

import (
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
// PyTorch's names are. What is not for people is kept where nothing else is.
func filter(list []Candidate, prefix string) []Candidate {
	out := []Candidate{}
	for _, deep := range []bool{false, true} {
		for _, same := range []func(s string) bool{
			func(s string) bool { return strings.HasPrefix(s, prefix) },
			func(s string) bool {
				return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix) || strings.HasPrefix(s, camel(prefix))
			},
		} {
			for _, c := range list {
				if same(c.Text) && deep == (c.obj != nil && isPlumbing(c.obj)) {
					c.sign()
					out = append(out, c)
				}
			}
			if len(out) > 0 {
				return out
			}
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
