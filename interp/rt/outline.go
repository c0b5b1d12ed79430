package rt

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// outlineWidth is how wide an outline may be in one line, and outlineMost how many elements of a list it has.
const outlineWidth, outlineMost = 80, 8

// Outline writes a struct of a cell's type, or a pointer to one, with the names of its fields, and what brief has a word for by that. It is false
// where nothing is, and for types with a text of their own: fmt's way is the one then.
func (b Box) Outline(brief func(v any) (string, bool)) (text string, ok bool) {
	t := b.T
	if t.Kind == reflect.Pointer && t.Elem != nil {
		t = t.Elem
	}
	if t.Kind != reflect.Struct || b.V == nil {
		return "", false
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	o := outliner{brief: brief}
	text = o.text(reflect.ValueOf(b.V), b.T, 0)
	return text, o.found && !o.own
}

type outliner struct {
	brief func(v any) (string, bool)
	found bool      // brief had a word
	own   bool      // the value itself has a text of its own
	in    []uintptr // the pointers that it is inside of
}

func (o *outliner) text(v reflect.Value, t *Type, depth int) string {
	if !v.IsValid() {
		return "<nil>"
	}
	x := v.Interface()
	if s, ok := o.brief(x); ok {
		o.found = true
		return s
	}
	if t != nil {
		for _, name := range []string{"Error", "String", "Format"} {
			if _, has := t.method(name); has {
				o.own = o.own || depth == 0
				return Usual.Text(Box{t, x})
			}
		}
	}
	kind := v.Kind()
	if t != nil {
		kind = t.Kind
	}
	part := func(get func(t *Type) *Type) *Type {
		if t == nil {
			return nil
		}
		return get(t)
	}
	switch kind {
	case reflect.Struct:
		if t == nil || len(t.Fields) != v.NumField() {
			break
		}
		var parts []string
		for i, f := range t.Fields {
			parts = append(parts, f.Name+": "+o.text(v.Field(i), f.Type, depth+1))
		}
		return strings.TrimPrefix(t.Name, "main.") + joined("{", parts, "}")
	case reflect.Pointer:
		if v.IsNil() {
			return "<nil>"
		}
		if len(o.in) > 8 || slices.Contains(o.in, v.Pointer()) {
			return "&…"
		}
		o.in = append(o.in, v.Pointer())
		defer func() { o.in = o.in[:len(o.in)-1] }()
		if e := part(func(t *Type) *Type { return t.Elem }); e != nil && e.Kind == reflect.Struct && e.Compiled == nil {
			return "&" + o.text(v.Elem(), e, depth+1)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			break
		}
		var parts []string
		for i := range min(v.Len(), outlineMost) {
			parts = append(parts, o.text(v.Index(i), part(func(t *Type) *Type { return t.Elem }), depth+1))
		}
		if n := v.Len() - outlineMost; n > 0 {
			parts = append(parts, fmt.Sprintf("… %d more", n))
		}
		return joined("[", parts, "]")
	case reflect.Map:
		var parts []string
		for _, k := range (printer{most: &bounded{limits: Limits{Items: outlineMost + 1}}}).keys(v) {
			if len(parts) == outlineMost {
				parts = append(parts, fmt.Sprintf("… %d more", v.Len()-outlineMost))
				break
			}
			parts = append(parts, o.text(k, part(func(t *Type) *Type { return t.MapKey }), depth+1)+": "+
				o.text(v.MapIndex(k), part(func(t *Type) *Type { return t.Elem }), depth+1))
		}
		return joined("map[", parts, "]")
	case reflect.Interface:
		if b, ok := Norm(x).(Box); ok {
			return o.text(reflect.ValueOf(b.V), b.T, depth+1)
		}
		return Usual.Text(x)
	case reflect.Func:
		if !v.IsNil() {
			return "func"
		}
		return "<nil>"
	}
	if t != nil {
		return Usual.Text(Box{t, x})
	}
	return Usual.Text(x)
}

// joined writes parts in one line, or each in one of its own where that would be too long.
func joined(open string, parts []string, end string) string {
	line := open + strings.Join(parts, ", ") + end
	if len([]rune(line)) <= outlineWidth && !strings.Contains(line, "\n") {
		return line
	}
	for i, p := range parts {
		parts[i] = strings.ReplaceAll(p, "\n", "\n    ")
	}
	return open + "\n    " + strings.Join(parts, "\n    ") + "\n" + end
}
