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
	child uintptr        // where a tree's node keeps its children

	scopes reflect.Value // the packages' scopes, by name
	inner  uintptr       // where a scope keeps the scopes inside of it
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
	node := v.FieldByName("roots").Type().Elem().Elem()
	child, ok := node.FieldByName("child")
	if !ok || child.Type.String() != "[]*interp.node" {
		panic("interp/engine: yaegi's node has no children: this package knows v0.16.1")
	}
	p.child = child.Offset
	p.scopes = v.FieldByName("scopes")
	if p.scopes.Kind() != reflect.Map {
		panic("interp/engine: yaegi has no scopes: this package knows v0.16.1")
	}
	inner, ok := p.scopes.Type().Elem().Elem().FieldByName("child")
	if !ok || inner.Type.String() != "[]*interp.scope" {
		panic("interp/engine: yaegi's scope has no children: this package knows v0.16.1")
	}
	p.inner = inner.Offset
	*p.done = make(chan struct{})
	*(*bool)(field("cancelChan", "bool")) = true
	return p
}

// forget drops what yaegi keeps of a tree that has been executed: the lists of
// trees and of functions' scopes, which are for a debugger, and the ties between
// the declarations of one tree, by which a single function of a cell would hold
// all of the cell.
func (p private) forget() {
	roots := (*[]unsafe.Pointer)(p.roots)
	for _, r := range *roots {
		*(*[]unsafe.Pointer)(unsafe.Add(r, p.child)) = nil
	}
	*roots = nil
	for it := p.scopes.MapRange(); it.Next(); {
		*(*[]unsafe.Pointer)(unsafe.Add(it.Value().UnsafePointer(), p.inner)) = nil
	}
}
