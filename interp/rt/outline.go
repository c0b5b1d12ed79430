package rt

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gotorch/internal/valuetext"
)

// outlineWidth is how wide an outline may be in one line; outlineMost is how many elements of a list in it are
// written, outlineAll how many of the list that it is of; outlineDeep is how deep lists in lists are followed.
const outlineWidth, outlineMost, outlineAll, outlineDeep = 80, 8, 100, 12

// Outline writes a struct of a cell's type, or a pointer to one, with the names of its fields, and short forms for the
// values that brief knows. It returns false where brief knows none, and for types with their own text: these are
// written as fmt does.
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

// OutlineList writes a list or a map, of a cell's type or another, in which there is what whole or brief has a word
// for: whole for elements, brief for fields of structs. It is false where there is no such thing, as [Box.Outline]
// is.
func OutlineList(x any, whole, brief func(v any) (string, bool)) (text string, ok bool) {
	var t *Type
	if b, boxed := x.(Box); boxed {
		x, t = b.V, b.T
	}
	v := reflect.ValueOf(x)
	switch v.Kind() {
	case reflect.Slice, reflect.Array, reflect.Map:
	default:
		return "", false
	}
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	o := outliner{brief: brief, whole: whole}
	text = o.text(v, t, 0)
	return text, o.found && !o.own
}

// bare is a type's name without the package of cells.
func bare(name string) string { return strings.TrimPrefix(name, "main.") }

type outliner struct {
	brief func(v any) (string, bool)
	whole func(v any) (string, bool) // of what is in no struct, if it is not nil
	found bool                       // brief had a word
	own   bool                       // the value itself has a text of its own
	in    []uintptr                  // the pointers that it is inside of
}

func (o *outliner) text(v reflect.Value, t *Type, depth int) string {
	if !v.IsValid() {
		return "<nil>"
	}
	x := v.Interface()
	word := o.brief
	if o.whole != nil {
		word = o.whole
	}
	if s, ok := word(x); ok {
		o.found = true
		return s
	}
	if t != nil {
		for _, name := range []string{"Error", "String", "Format"} {
			if _, has := t.method(name); has {
				o.own = o.own || depth == 0
				return ValueText(Box{t, x}, Usual, nil)
			}
		}
	}
	if depth > outlineDeep {
		return "…"
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
		defer func(was func(any) (string, bool)) { o.whole = was }(o.whole)
		o.whole = nil
		for i, f := range t.Fields {
			parts = append(parts, f.Name+": "+o.text(v.Field(i), f.Type, depth+1))
		}
		return bare(t.Name) + joined("{", parts, "}")
	case reflect.Pointer:
		if v.IsNil() {
			return "<nil>"
		}
		if len(o.in) > 8 || slices.Contains(o.in, v.Pointer()) {
			return "&…"
		}
		o.in = append(o.in, v.Pointer())
		defer func() { o.in = o.in[:len(o.in)-1] }()
		if e := part(func(t *Type) *Type { return t.Elem }); e != nil && e.Kind == reflect.Struct &&
			e.Compiled == nil {
			return "&" + o.text(v.Elem(), e, depth+1)
		}
	case reflect.Slice, reflect.Array:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			break
		}
		var parts []string
		most := o.most(depth)
		for i := range min(v.Len(), most) {
			parts = append(parts, o.text(v.Index(i), part(func(t *Type) *Type { return t.Elem }), depth+1))
		}
		if n := v.Len() - most; n > 0 {
			parts = append(parts, fmt.Sprintf("… %d more", n))
		}
		return joined("[", parts, "]")
	case reflect.Map:
		var parts []string
		most := o.most(depth)
		release, ok := Reading(v)
		if !ok {
			return "map[… being written]"
		}
		defer release()
		for _, k := range valuetext.FirstKeys(v, Limits{Items: most + 1}, func() {}) {
			if len(parts) == most {
				parts = append(parts, fmt.Sprintf("… %d more", v.Len()-most))
				break
			}
			key := o.text(k, part(func(t *Type) *Type { return t.MapKey }), depth+1) + ": "
			parts = append(parts, key+hang(o.text(v.MapIndex(k), part(func(t *Type) *Type { return t.Elem }),
				depth+1), len([]rune(key))))
		}
		return joined("map[", parts, "]")
	case reflect.Interface:
		if b, ok := Norm(x).(Box); ok {
			return o.text(reflect.ValueOf(b.V), b.T, depth+1)
		}
		if in := v.Elem(); o.whole != nil && (in.Kind() == reflect.Slice || in.Kind() == reflect.Map) {
			return o.text(in, nil, depth+1)
		}
		return ValueText(x, Usual, nil)
	case reflect.Func:
		if !v.IsNil() {
			return "func"
		}
		return "<nil>"
	}
	if t != nil {
		return ValueText(Box{t, x}, Usual, nil)
	}
	return ValueText(x, Usual, nil)
}

// most is how many elements of a list are written.
func (o *outliner) most(depth int) int {
	if depth == 0 && o.whole != nil {
		return outlineAll
	}
	return outlineMost
}

// hang indents the lines of a tensor below its first, which begins after n characters. Lines of an outline stand by
// themselves.
func hang(text string, n int) string {
	if strings.HasSuffix(text, "\n]") || strings.HasSuffix(text, "\n}") {
		return text
	}
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", n))
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
