package rt

import "reflect"

// Encoding are the names of the methods that packages json, xml and gob look for, on pointers too.
var Encoding = []string{"MarshalJSON", "UnmarshalJSON", "MarshalText", "UnmarshalText", "MarshalXML", "UnmarshalXML", "MarshalXMLAttr", "UnmarshalXMLAttr",
	"GobEncode", "GobDecode", "MarshalBinary", "UnmarshalBinary"}

// hasAny reports whether a type, or the pointer to it, has one of the methods, given by name with their signatures.
func (t *Type) hasAny(methods map[string]string) bool {
	for name, sig := range methods {
		if t.has(name, sig) || t.Ptr.has(name, sig) {
			return true
		}
	}
	return false
}

// within reports whether something is true of a type or of what it is made of, as far as cells declare that.
func (t *Type) within(is func(*Type) bool) bool { return t.search(is, map[*Type]bool{}) }

func (t *Type) search(is func(*Type) bool, seen map[*Type]bool) bool {
	if t == nil || seen[t] || t.Compiled != nil {
		return false
	}
	if seen[t] = true; is(t) {
		return true
	}
	for _, f := range t.Fields {
		if f.Type.search(is, seen) {
			return true
		}
	}
	return t.Elem.search(is, seen) || t.MapKey.search(is, seen)
}

// bound gives the box on which a method can be called, of v or of its address.
func bound(v reflect.Value, t *Type, name, sig string) (Box, bool) {
	switch {
	case t.has(name, sig):
		return Box{t, iface(v)}, true
	case v.CanAddr() && t.Ptr.has(name, sig):
		return Box{t.Ptr, v.Addr().Interface()}, true
	}
	return Box{}, false
}

// failure is the error that is the last of a method's results.
func failure(out []reflect.Value) error {
	err, _ := out[len(out)-1].Interface().(error)
	return err
}

// addressable is v, or a copy of it that has an address.
func addressable(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v
	}
	c := reflect.New(v.Type()).Elem()
	c.Set(v)
	return c
}
