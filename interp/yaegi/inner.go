package yaegi

import (
	"fmt"
	"reflect"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// private are fields of yaegi's Interpreter that it does not export. go.mod
// names the version that they belong to, and openUp checks that they are there.
type private struct {
	id    *uint64        // raised to make all frames leave
	done  *chan struct{} // what blocked channel operations also receive from
	roots unsafe.Pointer // of a slice of every tree ever compiled, for a debugger

	scopes reflect.Value // the packages' scopes, by name
	layout *layout
	names  *names
	self   unsafe.Pointer // the Interpreter
	globals
}

func openUp(in *interp.Interpreter) private {
	v := reflect.ValueOf(in).Elem()
	field := func(name, typ string) unsafe.Pointer {
		f := v.FieldByName(name)
		if !f.IsValid() || f.Type().String() != typ {
			panic(fmt.Sprintf("interp/yaegi: yaegi's Interpreter has no field %s %s: this package knows v0.16.1", name, typ))
		}
		return f.Addr().UnsafePointer()
	}
	p := private{id: (*uint64)(field("id", "uint64")), done: (*chan struct{})(field("done", "chan struct {}")), roots: field("roots", "[]*interp.node")}
	p.layout = layoutOf(v.FieldByName("roots").Type().Elem().Elem())
	p.names, p.self = namesOf(p.layout.node, p.layout), unsafe.Pointer(in)
	p.globals = globalsOf(v)
	p.scopes = v.FieldByName("scopes")
	if p.scopes.Kind() != reflect.Map {
		panic("interp/yaegi: yaegi has no scopes: this package knows v0.16.1")
	}
	*p.done = make(chan struct{})
	*(*bool)(field("cancelChan", "bool")) = true
	return p
}

// each calls f with the trees that were compiled since the last time.
func (p private) each(f func(root unsafe.Pointer)) {
	for _, root := range *(*[]unsafe.Pointer)(p.roots) {
		f(root)
	}
}

// tree is one that a run compiled.
type tree struct {
	root unsafe.Pointer
	run  *run
}

// trees takes the trees that were compiled since the last time. yaegi keeps a list of them for a debugger.
func (p private) trees(r *run) (out []tree) {
	roots := (*[]unsafe.Pointer)(p.roots)
	for _, root := range *roots {
		out = append(out, tree{root, r})
	}
	*roots = nil
	return out
}

// forget drops what yaegi keeps of trees that have been executed: what [pruning.prune] and [layout.pruneScopes] cut. Those whose
// goroutines go on stay as they are until these have ended: one that panics looks at its tree.
func (e *Engine) forget(r *run) {
	trees := append(e.trees, e.inner.trees(r)...)
	e.trees = nil
	for _, t := range trees {
		if e.goroutines.of(t.run) {
			e.trees = append(e.trees, t)
		} else {
			(&pruning{e.inner.layout, e.owned.held}).prune(t.root, nil)
		}
	}
	cut := e.inner.layout.cutWhole
	if len(e.trees) > 0 {
		cut = e.inner.layout.cutScope
	}
	for it := e.inner.scopes.MapRange(); it.Next(); {
		e.inner.layout.pruneScopes(it.Value().UnsafePointer(), cut)
	}
}
