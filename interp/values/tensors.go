package values

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf8"

	"gotorch/interp/rt"
	"gotorch/tensor"
)

// Near finds the tensors that a value holds, in lists, maps, structs and interfaces, behind pointers, with what a cell
// would write for each: ws[0], m["a"], model.Weight. Of several names of a tensor the best is taken, see [Better].
// What closures, channels and goroutines hold cannot be seen. It looks at what is quickly found, for pictures and
// messages.
func Near(v reflect.Value, name string) map[*tensor.Tensor]string {
	return find(finder{deep: 6, many: 1024}, v, name)
}

// Far is Near without regard to time, for lists of all tensors.
func Far(v reflect.Value, name string) map[*tensor.Tensor]string {
	return find(finder{deep: 12, many: 200_000}, v, name)
}

// Better puts the name of a tensor into names where it is better than the one that is there: of fewer indices, as a
// model's are beside those of an optimizer's lists, or shorter, or first in the alphabet.
func Better(names map[*tensor.Tensor]string, x *tensor.Tensor, name string) {
	old, ok := names[x]
	if !ok || cmp.Or(cmp.Compare(strings.Count(name, "["), strings.Count(old, "[")),
		cmp.Compare(len(name), len(old)), cmp.Compare(name, old)) < 0 {
		names[x] = name
	}
}

func find(f finder, v reflect.Value, name string) map[*tensor.Tensor]string {
	f.names, f.seen = map[*tensor.Tensor]string{}, map[seenAt]bool{}
	f.visit(v, name, 0)
	return f.names
}

// finder is a search.
type finder struct {
	deep, many int // how far it looks and how many values
	names      map[*tensor.Tensor]string
	seen       map[seenAt]bool // pointers and maps
}

func (f *finder) visit(v reflect.Value, name string, depth int) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if !v.IsValid() {
		return
	}
	if v.Type() == tensorType { // unexported fields too
		if f.many--; !v.IsNil() {
			Better(f.names, (*tensor.Tensor)(v.UnsafePointer()), name)
		}
		return
	}
	if v.Type() == boxType && v.CanInterface() {
		f.visit(reflect.ValueOf(v.Interface().(rt.Box).V), name, depth)
		return
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() || f.again(v) {
			return
		}
		v = v.Elem()
	}
	if f.many--; depth >= f.deep || f.many < 0 || !MayHold(v.Type(), 0) {
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		f.visit(v, name, depth+1)
	case reflect.Slice, reflect.Array:
		for i := 0; i < v.Len() && f.many > 0; i++ {
			f.visit(v.Index(i), fmt.Sprintf("%s[%d]", name, i), depth+1)
		}
	case reflect.Map:
		if v.IsNil() || f.again(v) {
			return
		}
		done, ok := rt.Reading(v)
		if !ok { // one that a goroutine of a cell goes on writing
			return
		}
		defer done()
		for it := v.MapRange(); f.many > 0 && it.Next(); {
			f.visit(it.Value(), name+"["+keyText(it.Key())+"]", depth+1)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f.visit(v.Field(i), name+"."+cellField(v.Type(), i), depth+1)
		}
	}
}

// again reports whether a pointer or a map was met before.
func (f *finder) again(v reflect.Value) bool {
	k := seenAt{v.Pointer(), v.Type()}
	was := f.seen[k]
	f.seen[k] = true
	return was
}

var boxType = reflect.TypeFor[rt.Box]()

// keyText is a map's key as a cell writes it, the beginning of one that is long: what a key points to may be deep,
// hold itself, or have methods that do not return.
func keyText(k reflect.Value) string {
	for k.Kind() == reflect.Interface {
		k = k.Elem()
	}
	switch {
	case k.Kind() == reflect.String:
		return Clip(fmt.Sprintf("%q", rt.Brief.Cut(k.String())))
	case k.CanInterface():
		return Clip(Text(k, rt.Brief))
	}
	return "…"
}

// cellField is the name of a field as the cell wrote it: the interpreter's structs have no name, and X before what is
// not exported.
func cellField(t reflect.Type, i int) string {
	name := t.Field(i).Name
	if rest, ok := strings.CutPrefix(name, "X"); ok && t.Name() == "" {
		if r, _ := utf8.DecodeRuneInString(rest); r == '_' || unicode.IsLower(r) {
			return rest
		}
	}
	return name
}
