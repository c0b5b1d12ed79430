package engine

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
	globals
}

func openUp(in *interp.Interpreter) private {
	v := reflect.ValueOf(in).Elem()
	field := func(name, typ string) unsafe.Pointer {
		f := v.FieldByName(name)
		if !f.IsValid() || f.Type().String() != typ {
			panic(fmt.Sprintf("interp/engine: yaegi's Interpreter has no field %s %s: this package knows v0.16.1", name, typ))
		}
		return f.Addr().UnsafePointer()
	}
	p := private{id: (*uint64)(field("id", "uint64")), done: (*chan struct{})(field("done", "chan struct {}")), roots: field("roots", "[]*interp.node")}
	p.layout = layoutOf(v.FieldByName("roots").Type().Elem().Elem())
	p.globals = globalsOf(v)
	p.scopes = v.FieldByName("scopes")
	if p.scopes.Kind() != reflect.Map {
		panic("interp/engine: yaegi has no scopes: this package knows v0.16.1")
	}
	*p.done = make(chan struct{})
	*(*bool)(field("cancelChan", "bool")) = true
	return p
}

// forget drops what yaegi keeps of trees that have been executed: the lists of
// trees and of functions' scopes, which are for a debugger, and what [pruning.prune]
// and [layout.pruneScopes] cut.
func (p private) forget(held func(name string) *Global) {
	roots := (*[]unsafe.Pointer)(p.roots)
	for _, r := range *roots {
		(&pruning{p.layout, held}).prune(r, nil)
	}
	*roots = nil
	for it := p.scopes.MapRange(); it.Next(); {
		p.layout.pruneScopes(it.Value().UnsafePointer())
	}
}
