package check

import (
	"go/scanner"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"gotorch/internal/lazyre"
	"gotorch/interp/syntax"
)

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

// bareNames are the names of those packages.
func bareNames(e *Env) (list []Candidate) {
	for _, p := range barePackages(e) {
		list = append(list, e.exported(p)...)
	}
	return list
}

// exported are the names that a package exports. Sorting them takes longer than all else.
func (e *Env) exported(p *types.Package) (list []Candidate) {
	if known, ok := e.exports.Load(p); ok {
		return known.([]Candidate)
	}
	for _, n := range p.Scope().Names() {
		if o := p.Scope().Lookup(n); o.Exported() {
			list = append(list, candidate(o))
		}
	}
	e.exports.Store(p, list)
	return list
}

// namesAt returns the names that can stand at offset at.
func namesAt(e *Env, src string, at int) (list []Candidate) {
	seen := map[string]bool{}
	add := func(cs ...Candidate) {
		for _, c := range cs {
			if !seen[c.Text] && c.Text != "_" {
				seen[c.Text] = true
				list = append(list, c)
			}
		}
	}
	add(namesBefore(e, src[:at])...)
	for _, d := range e.Names() {
		add(Candidate{Text: d.Name, Type: d.Kind.String(), obj: d.Obj, Def: d})
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
	for _, n := range e.definedSpaces() {
		add(Candidate{Text: n, Type: "package"})
	}
	add(bareNames(e)...)
	for _, n := range types.Universe.Names() {
		add(Candidate{Text: n, Type: kindOf(types.Universe.Lookup(n))})
	}
	open := openBrackets(src[:at])
	inside := len(open) > 0 && src[open[len(open)-1]] != '{' // of arguments, of an index: no statement begins there
	for k := token.BREAK; k <= token.VAR; k++ {
		if k.IsKeyword() && (!inside || beginsType[k]) {
			add(Candidate{Text: k.String(), Type: "keyword"})
		}
	}
	return list
}

// beginsType are the keywords that may stand where a value or a type does.
var beginsType = map[token.Token]bool{token.FUNC: true, token.MAP: true, token.CHAN: true, token.STRUCT: true,
	token.INTERFACE: true}

// declaring: a text may declare names.
var declaring = lazyre.New(`:=|\b(?:func|var|const|type|import)\b`)

// namesBefore returns what the cell itself declares before its end.
func namesBefore(e *Env, text string) (list []Candidate) {
	at := len(strings.TrimRight(text, " \t\r\n"))
	if !declaring.MatchString(text) {
		return nil
	}
	readings(text[:at], []ending{{" 0", ""}, {"", ""}, {" 0 {}", ""}, {" {}", ""}, {":\n}", ""}, {" 0", "()"}},
		func(cell *syntax.Cell) bool {
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
				switch o := o.(type) {
				case *types.Label, *types.PkgName:
					continue
				case *types.Var:
					if o.IsField() {
						continue
					}
				case *types.Func:
					if o.Signature().Recv() != nil {
						continue
					}
				}
				if p := o.Parent(); p != nil && (p == u.pkg.Scope() || p.Contains(u.at+token.Pos(at)) || p == u.topScope()) {
					os = append(os, o)
				}
			}
			sort.Slice(os, func(i, j int) bool { return os[i].Pos() > os[j].Pos() }) // the nearest first
			for _, o := range os {
				list = append(list, candidate(o))
			}
			return true
		})
	return list
}

var labelLine = lazyre.New(`(?m)^[ \t]*([\pL_][\pL\pN_]*):(?:[ \t]*(?:$|for\b|switch\b|select\b|//))`)

// labelsAt returns the labels that a break, continue or goto before offset at can name.
func labelsAt(src string, at int) (list []Candidate, ok bool) {
	before := strings.TrimRight(src[:at], " \t")
	if len(before) == at {
		return nil, false
	}
	word := token.Lookup(before[nameStart(before, len(before)):])
	if word != token.BREAK && word != token.CONTINUE && word != token.GOTO {
		return nil, false
	}
	for _, m := range labelLine.FindAllStringSubmatch(src, -1) {
		if m[1] != "default" {
			list = append(list, Candidate{Text: m[1], Type: "label"})
		}
	}
	return list, true
}

// StringAt finds the string in which the cursor stands: where what is in it begins, and its quote.
func StringAt(src string, cursor int) (start int, quote byte, ok bool) {
	text := src[:clamp(src, cursor)]
	if !inText(text) {
		return 0, 0, false
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, []byte(text), func(token.Position, string) {}, scanner.ScanComments)
	for {
		pos, kind, _ := s.Scan()
		switch kind {
		case token.EOF:
			return start, quote, ok
		case token.STRING, token.CHAR:
			at := int(pos) - file.Base()
			start, quote, ok = at+1, text[at], true
		case token.SEMICOLON:
		default:
			ok = false
		}
	}
}

// isImport: what stands before a string says that it is the path of a package.
func isImport(before string) bool {
	line := strings.TrimSpace(before[strings.LastIndexAny(before, "\n;(")+1:])
	if strings.HasPrefix(line, "import") {
		return true
	}
	paren := openParen(before)
	return paren >= 0 && strings.HasSuffix(strings.TrimSpace(before[:paren]), "import") &&
		!strings.ContainsAny(line, "()[]{}=:\"")
}
