package json

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"gotorch/interp/rt"
	"gotorch/interp/std/encoding"
)

// Note: JSON of cells' types
//
// The interpreter's values have no methods that package encoding/json could find, and their embedded structs are
// plain fields. So what goes to it is a view: the same value, with its structs made again where something is
// embedded, and with every value that has MarshalJSON or MarshalText in a wrapper that has it too. Values without any
// of that go as they are.

type jsonMarshaler struct{ b rt.Box }

func (m jsonMarshaler) MarshalJSON() ([]byte, error) { return encoding.Bytes(m.b, "MarshalJSON") }

// Whole is what package encoding/json should see of a value that it is given. A value that holds itself is looked for
// here: package encoding/json, which has boxes encoded one by one, would not notice one with a box in the circle.
func Whole(x any) any {
	if name, yes := rt.HoldsItself(x); yes {
		return encoding.Failed{Err: fmt.Errorf("json: unsupported value: encountered a cycle via %s", name)}
	}
	return View(x)
}

// View is Whole for a value that does not hold itself.
func View(x any) any {
	b, ok := rt.Norm(x).(rt.Box)
	if !ok {
		return x
	}
	return view(reflect.ValueOf(b.V), b.T)
}

// special reports whether the JSON of a type is more than that of its structure, because of methods with these names
// or of embedded fields.
func special(t *rt.Type, sig string, names []string, seen map[*rt.Type]bool) bool {
	if t == nil || seen[t] {
		return false
	}
	if seen[t] = true; t.Compiled != nil {
		return t.Kind == reflect.Interface
	}
	for _, n := range names {
		if t.Has(n, sig) || t.Ptr.Has(n, sig) {
			return true
		}
	}
	for _, f := range t.Fields {
		if f.Embedded || f.Exported() && special(f.Type, sig, names, seen) {
			return true
		}
	}
	return special(t.Elem, sig, names, seen) || special(t.MapKey, sig, names, seen) || t.Kind == reflect.Interface
}

func view(v reflect.Value, t *rt.Type) any {
	if !v.IsValid() {
		return nil
	}
	if !special(t, encoding.EncodeBytes, []string{"MarshalJSON", "MarshalText"}, map[*rt.Type]bool{}) {
		return v.Interface()
	}
	if t.Kind == reflect.Interface {
		return View(rt.Interface(v))
	}
	isNil := v.Kind() == reflect.Pointer && v.IsNil()
	for _, name := range []string{"MarshalJSON", "MarshalText"} {
		b := rt.Box{T: t, V: rt.Interface(v)}
		if !t.Has(name, encoding.EncodeBytes) {
			if !v.CanAddr() || !t.Ptr.Has(name, encoding.EncodeBytes) {
				continue
			}
			b = rt.Box{T: t.Ptr, V: v.Addr().Interface()}
		}
		switch {
		case isNil:
			return nil
		case name == "MarshalJSON":
			return jsonMarshaler{b}
		}
		return encoding.TextMarshaler{B: b}
	}
	switch v.Kind() {
	case reflect.Pointer:
		if isNil {
			return nil
		}
		return view(v.Elem(), t.Elem)
	case reflect.Struct:
		return viewStruct(v, t)
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.IsNil() {
			return nil
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = view(v.Index(i), t.Elem)
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return nil
		}
		out := map[string]any{}
		for it := v.MapRange(); it.Next(); {
			k, err := mapKey(it.Key(), t.MapKey)
			if err != nil {
				return encoding.Failed{Err: err}
			}
			out[k] = view(it.Value(), t.Elem)
		}
		return out
	}
	return v.Interface()
}

func mapKey(k reflect.Value, t *rt.Type) (string, error) {
	if k.Kind() != reflect.String {
		if t.Has("MarshalText", encoding.EncodeBytes) {
			b, err := encoding.TextMarshaler{B: rt.Box{T: t, V: k.Interface()}}.MarshalText()
			return string(b), err
		}
		if m, ok := k.Interface().(interface{ MarshalText() ([]byte, error) }); ok {
			b, err := m.MarshalText()
			return string(b), err
		}
	}
	switch {
	case k.Kind() == reflect.String:
		return k.String(), nil
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	}
	return "", fmt.Errorf("json: unsupported type: map with keys of type %s", t.Name)
}

// viewStruct makes a struct again: embedded ones embedded, special fields as views.
func viewStruct(v reflect.Value, t *rt.Type) any {
	var fields []reflect.StructField
	var values []reflect.Value
	for i, f := range t.Fields {
		if !f.Exported() && !f.Embedded {
			continue
		}
		sf := reflect.StructField{Name: f.Name, Type: v.Field(i).Type(), Tag: reflect.StructTag(f.Tag)}
		x := v.Field(i)
		name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if f.Embedded && name == "" {
			for x.Kind() == reflect.Pointer && !x.IsNil() {
				x = x.Elem()
			}
			if ft := f.Type; x.Kind() == reflect.Struct {
				if ft.Kind == reflect.Pointer {
					ft = ft.Elem
				}
				if ft.Compiled == nil {
					x = reflect.ValueOf(viewStruct(x, ft))
				}
				if sf.Type, sf.Anonymous = x.Type(), x.Type().NumMethod() == 0; !f.Exported() {
					sf.Name = "E_" + sf.Name
				}
				fields, values = append(fields, sf), append(values, x)
				continue
			}
			if !f.Exported() || x.Kind() == reflect.Pointer {
				continue
			}
		}
		if !f.Exported() {
			continue
		}
		if special(f.Type, encoding.EncodeBytes, []string{"MarshalJSON", "MarshalText"}, map[*rt.Type]bool{}) {
			sf.Type = reflect.TypeFor[any]()
			if strings.Contains(opts, "omitempty") && encoding.Empty(x) || strings.Contains(opts, "omitzero") &&
				x.IsZero() {
				continue
			}
			if y := view(x, f.Type); y != nil {
				x = reflect.ValueOf(y)
			} else {
				x = reflect.Zero(sf.Type)
			}
		}
		fields, values = append(fields, sf), append(values, x)
	}
	out := reflect.New(reflect.StructOf(fields)).Elem()
	for i, x := range values {
		out.Field(i).Set(x)
	}
	return out.Interface()
}
