package rt

import (
	"reflect"
	"strconv"
	"strings"
)

// ReflectKey is the key of a host type: equal to the key that the lowering
// gives to the same type. The forms are Go's, with paths in full and no spaces
// or names that do not matter.
func ReflectKey(t reflect.Type) string {
	var b strings.Builder
	reflectKey(&b, t)
	return b.String()
}

func reflectKey(b *strings.Builder, t reflect.Type) {
	if t.Name() != "" {
		if p := t.PkgPath(); p != "" {
			b.WriteString(p + ".")
		}
		b.WriteString(t.Name())
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		b.WriteByte('*')
		reflectKey(b, t.Elem())
	case reflect.Slice:
		b.WriteString("[]")
		reflectKey(b, t.Elem())
	case reflect.Array:
		b.WriteString("[" + strconv.Itoa(t.Len()) + "]")
		reflectKey(b, t.Elem())
	case reflect.Map:
		b.WriteString("map[")
		reflectKey(b, t.Key())
		b.WriteByte(']')
		reflectKey(b, t.Elem())
	case reflect.Chan:
		b.WriteString(t.ChanDir().String() + " ")
		reflectKey(b, t.Elem())
	case reflect.Func:
		b.WriteString("func(")
		for i := range t.NumIn() {
			if i > 0 {
				b.WriteByte(',')
			}
			if t.IsVariadic() && i == t.NumIn()-1 {
				b.WriteString("...")
				reflectKey(b, t.In(i).Elem())
				continue
			}
			reflectKey(b, t.In(i))
		}
		b.WriteByte(')')
		if t.NumOut() > 0 {
			b.WriteByte('(')
			for i := range t.NumOut() {
				if i > 0 {
					b.WriteByte(',')
				}
				reflectKey(b, t.Out(i))
			}
			b.WriteByte(')')
		}
	case reflect.Interface:
		b.WriteString("interface{")
		for i := range t.NumMethod() {
			m := t.Method(i)
			b.WriteString(m.Name)
			b.WriteString(strings.TrimPrefix(ReflectKey(m.Type), "func"))
			b.WriteByte(';')
		}
		b.WriteByte('}')
	default:
		b.WriteString(strings.ReplaceAll(t.String(), " ", ""))
	}
}
