package yaegi

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"weak"

	"gotorch/interp/core"
)

// owned are the Globals that are held.
type owned struct {
	mu   sync.Mutex
	all  map[string]weak.Pointer[core.Global]
	dead []string
}

// Own makes the Global of a name that the next tree to run declares.
func (e *Engine) Own(name string) *core.Global {
	g := &core.Global{Name: name}
	o := &e.owned
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.all == nil {
		o.all = map[string]weak.Pointer[core.Global]{}
	}
	o.all[name] = weak.Make(g)
	// an engine held by this would be held forever: it leads to g
	runtime.AddCleanup(g, died, death{weak.Make(e), name})
	return g
}

// death is the end of a Global of an engine.
type death struct {
	of   weak.Pointer[Engine]
	name string
}

func died(d death) {
	if e := d.of.Value(); e != nil {
		e.owned.died(d.name)
	}
}

func (o *owned) died(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.dead = append(o.dead, name)
}

// held is the Global of a name, or nil.
func (o *owned) held(name string) *core.Global {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all[name].Value()
}

// sweep forgets the names that no Global refers to any more.
func (e *Engine) sweep() {
	o := &e.owned
	o.mu.Lock()
	dead := o.dead
	o.dead = nil
	for _, name := range dead {
		delete(o.all, name)
	}
	o.mu.Unlock()
	for _, name := range dead {
		e.quick.Forget(e.inner.drop(name))
	}
}

// Drop forgets names that no later tree will mention, before the next run; closures over the functions that they name
// go on working.
func (e *Engine) Drop(names ...string) {
	for _, name := range names {
		e.owned.died(name)
	}
}

// dropImports forgets the imports of a tree, which only its own file can mention.
func (e *Engine) dropImports(f *ast.File) {
	file := filepath.Base(e.in.FileSet().Position(f.Package).Filename)
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT {
			continue
		}
		for _, s := range g.Specs {
			if is := s.(*ast.ImportSpec); is.Name != nil {
				e.inner.drop(filepath.Join(is.Name.Name, file))
			} else if path, err := strconv.Unquote(is.Path.Value); err == nil {
				e.inner.drop(filepath.Join(filepath.Base(path), file))
			}
		}
	}
}
