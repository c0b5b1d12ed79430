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
	p := private{(*uint64)(field("id", "uint64")), (*chan struct{})(field("done", "chan struct {}")), field("roots", "[]*interp.node")}
	*p.done = make(chan struct{})
	*(*bool)(field("cancelChan", "bool")) = true
	return p
}

// forget drops the trees that yaegi keeps for a debugger: they would hold the
// text of every cell for ever.
func (p private) forget() { *(*[]unsafe.Pointer)(p.roots) = nil }
