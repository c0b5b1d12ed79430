package std

import (
	"reflect"
	"testing"
)

// TestFindObject: the runtime's function is found in this build, and finds where objects begin.
func TestFindObject(t *testing.T) {
	if findObject() == nil {
		t.Fatal("the runtime has no function findObject")
	}
	type pair struct{ a, b *int }
	p := &pair{new(int), new(int)}
	list := make([]pair, 5)
	for _, c := range []struct {
		name string
		p    any
		want bool
	}{
		{"an object", p, true},
		{"its first field", &p.a, true},
		{"its second field", &p.b, false},
		{"an element", &list[3], false},
		{"a small number", new(int8), true},
		{"a number", new(int64), true},
	} {
		ok := func() (ok bool) {
			defer func() { recover() }()
			return begins("f", reflect.ValueOf(c.p))
		}()
		if ok != c.want {
			t.Errorf("%s: %v", c.name, ok)
		}
	}
	if begins("f", reflect.ValueOf(&boundary)) {
		t.Error("a variable of a package is on the heap")
	}
}
