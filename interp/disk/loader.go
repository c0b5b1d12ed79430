// Package disk finds, reads and checks packages of Go on disk, for cells that import them.
//
//	loader.go   packages by their import paths, each checked once
//	find.go     from an import path to a folder: go.mod, vendor, module cache
//	versions.go which version of a module it is
//	files.go    the files of a folder that count here
//	changed.go  packages whose files have changed
//	doc.go      documentation of their names
//
// The packages are run as cells are, by the interpreter. So they are Go alone, without cgo, assembly and package
// unsafe, and what they import of the standard library is what cells can import.
package disk

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"gotorch/interp/check"
	"gotorch/interp/exportdata"
)

// Loader is an importer of packages of the host and on disk. It is safe for concurrent use.
type Loader struct {
	Host *exportdata.Importer
	Fset *token.FileSet

	// Name chooses the name of a file in the file set; nil keeps the name that messages show.
	Name func(shown string) string

	// Safe restricts packages to the folders of Read, or where that is empty to the working directory.
	Safe bool
	Read []string

	mu    sync.Mutex
	byDir map[string]*loaded
	defs  map[*types.Package]*check.Package
	roots map[string]*root
	names map[string]string // an import path of cells → the folder, until the working directory changes
	from  string            // the working directory of names
}

// loaded is a package that was read.
type loaded struct {
	*check.Package
	root  *root
	stamp stamp
}

// New makes a loader that has read nothing.
func New(host *exportdata.Importer, fset *token.FileSet) *Loader {
	return &Loader{Host: host, Fset: fset, byDir: map[string]*loaded{}, defs: map[*types.Package]*check.Package{},
		roots: map[string]*root{}, names: map[string]string{}}
}

// Import returns the package that a cell in the working directory means.
func (l *Loader) Import(path string) (*types.Package, error) {
	if path == "unsafe" || exportdata.Has(path) {
		return l.Host.Import(path)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	if dir != l.from {
		l.from = dir
		clear(l.names)
	}
	if p := l.byDir[l.names[path]]; p != nil {
		return p.Pkg, nil
	}
	p, err := (&reading{Loader: l}).load(path, importer{dir: dir})
	if err != nil {
		return nil, err
	}
	l.names[path] = p.Dir
	return p.Pkg, nil
}

// Def returns the definition of a package on disk that an object stands for, or nil.
func (l *Loader) Def(o types.Object) *check.Def {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p := l.defs[o.Pkg()]; p != nil {
		return p.Own(o)
	}
	return nil
}

// Package returns the package on disk that has these types, or nil.
func (l *Loader) Package(p *types.Package) *check.Package {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.defs[p]
}

// Forget has a package read again when it is imported next.
func (l *Loader) Forget(p *check.Package) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now := l.byDir[p.Dir]; now != nil && now.Package == p {
		delete(l.byDir, p.Dir)
	}
}

// importer is what an import stands in: a cell, or a package on disk.
type importer struct {
	dir  string // what ./x is relative to
	path string // of the package, "" for a cell
	root *root
}

// reading is one import, with all that it leads to.
type reading struct {
	*Loader
	stack []string                  // paths of the packages that are being read
	old   map[string]*check.Package // what folders held before they were read again
}

// load returns the package that an import path means.
func (r *reading) load(path string, by importer) (*loaded, error) {
	found, err := r.find(path, by)
	if err != nil {
		return nil, err
	}
	for i, open := range r.stack {
		if open == found.path {
			cycle := append(r.stack[i:], open)
			return nil, fmt.Errorf("the packages import each other: %s", strings.Join(cycle, " → "))
		}
	}
	if p := r.byDir[found.dir]; p != nil {
		return p, nil
	}
	if err := r.allowed(found); err != nil {
		return nil, err
	}
	r.stack = append(r.stack, found.path)
	defer func() { r.stack = r.stack[:len(r.stack)-1] }()
	p, err := r.read(found, arch())
	if errors.Is(err, errNotGo) { // many have a form in Go alone for machines without one in assembly
		if other, e := r.read(found, portable); e == nil {
			p, err = other, nil
		}
	}
	if err != nil {
		return nil, err
	}
	r.byDir[found.dir], r.defs[p.Pkg] = p, p.Package
	return p, nil
}

// allowed reports an error for a package outside of the folders that the restricted mode allows.
func (r *reading) allowed(f found) error {
	if !r.Safe {
		return nil
	}
	within := r.Read
	if len(within) == 0 {
		within = []string{"."}
	}
	real, err := filepath.EvalSymlinks(f.dir)
	if err != nil {
		return err
	}
	for _, dir := range within {
		dir, err := filepath.Abs(dir)
		if err == nil {
			dir, err = filepath.EvalSymlinks(dir)
		}
		if err == nil {
			if rel, err := filepath.Rel(dir, real); err == nil && filepath.IsLocal(rel) {
				return nil
			}
		}
	}
	return fmt.Errorf("package %s is in %s; in the restricted mode packages lie below %s", f.path, f.dir,
		strings.Join(within, " or "))
}

// read reads and checks a package.
func (r *reading) read(f found, goarch string) (*loaded, error) {
	set, err := r.files(f, goarch)
	if err != nil {
		return nil, err
	}
	imports := &imports{reading: r, by: importer{f.dir, f.path, f.root}, at: map[string]token.Pos{}}
	trees := make([]*ast.File, len(set.sources))
	for i, s := range set.sources {
		trees[i] = s.Tree
		for _, spec := range s.Tree.Imports {
			if path := unquoted(spec.Path.Value); imports.at[path] == 0 {
				imports.at[path] = spec.Pos()
			}
		}
	}
	if err := r.pure(f, set); err != nil {
		return nil, err
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{},
	}
	var problems []string
	cfg := &types.Config{Importer: imports, Sizes: types.SizesFor("gc", runtime.GOARCH)}
	cfg.Error = func(err error) {
		e := err.(types.Error)
		if !e.Soft && imports.failed == nil {
			problems = append(problems, r.where(e.Pos)+": "+e.Msg)
		}
	}
	pkg, _ := cfg.Check(f.path, r.Fset, trees, info)
	switch {
	case imports.failed != nil:
		return nil, imports.failed
	case len(problems) > shownProblems:
		problems = append(problems[:shownProblems], fmt.Sprintf("… and %d more", len(problems)-shownProblems))
		fallthrough
	case len(problems) > 0:
		return nil, fmt.Errorf("package %s does not check:\n%s", f.path, strings.Join(problems, "\n"))
	}
	p := check.NewPackage(r.Fset, set.sources, info, pkg, r.Loader, r.old[f.dir])
	p.Path, p.Dir = f.path, f.dir
	for _, dep := range imports.found {
		p.Imports = append(p.Imports, dep.Package)
	}
	return &loaded{p, f.root, set.stamp}, nil
}

// shownProblems is how many errors of a package are told at once.
const shownProblems = 5

// where is a place in a file as messages have it.
func (l *Loader) where(pos token.Pos) string {
	p := l.Fset.Position(pos)
	return fmt.Sprintf("%s:%d:%d", check.CellName(p.Filename), p.Line, p.Column)
}

// imports is the importer of one package.
type imports struct {
	*reading
	by     importer
	at     map[string]token.Pos
	found  []*loaded
	failed error
}

// Import is a types.Importer.
func (i *imports) Import(path string) (*types.Package, error) {
	if exportdata.Has(path) {
		return i.Host.Import(path)
	}
	p, err := i.load(path, i.by)
	if err != nil {
		if i.failed == nil {
			i.failed = fmt.Errorf("%s: %w", i.where(i.at[path]), err)
		}
		return nil, err
	}
	i.found = append(i.found, p)
	return p.Pkg, nil
}
