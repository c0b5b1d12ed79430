package quick

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// open returns an interpreter's type of nodes and what New asks for.
func open(t *testing.T, in *interp.Interpreter) (node reflect.Type, o Options, roots *[]unsafe.Pointer) {
	t.Helper()
	v := reflect.ValueOf(in).Elem()
	node = v.FieldByName("roots").Type().Elem().Elem()
	o = Options{
		Globals: (*[]reflect.Type)(v.FieldByName("universe").Elem().FieldByName("types").Addr().UnsafePointer()),
		Stop:    (*uint64)(v.FieldByName("id").Addr().UnsafePointer()),
		Leaving: func(Left) {}, Exiting: func() bool { return false },
	}
	return node, o, (*[]unsafe.Pointer)(v.FieldByName("roots").Addr().UnsafePointer())
}

// TestYaegi: the numbers of yaegi's kinds and actions are those that this package knows.
func TestYaegi(t *testing.T) {
	node, o, _ := open(t, interp.New(interp.Options{}))
	if _, err := New(node, o); err != nil {
		t.Fatal(err)
	}
	field := func(name string, i uint) string {
		f, _ := node.FieldByName(name)
		v := reflect.New(f.Type).Elem()
		v.SetUint(uint64(i))
		return fmt.Sprint(v.Interface())
	}
	for k, want := range kindNames {
		if got := field("kind", k); got != want {
			t.Errorf("kind %d is %s, not %s", k, got, want)
		}
	}
	for a, want := range map[uint]string{aAddr: "&", aAdd: "+", aAddAssign: "+=", aAndNotAssign: "&^=", aCall: "call",
		aDec: "--", aGreater: ">", aInc: "++", aLower: "<",
		aLowerEqual: "<=", aQuoAssign: "/=", aRemAssign: "%=", aShr: ">>", aStar: "*", aXorAssign: "^="} {
		if got := field("action", a); got != want {
			t.Errorf("action %d is %s, not %s", a, got, want)
		}
	}
}
