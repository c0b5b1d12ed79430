package rt

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Note: values as they are shown
//
// fmt writes a value whole: a list of 64 million numbers takes seconds and
// gigabytes, and nothing stops it. What a cell shows of itself, which nobody asked
// fmt for, is therefore bounded. A value of a usual size is fmt's text, by fmt; of
// a larger one a printer writes the beginning, by fmt's rules, and how much there is.

// Limits bound a text.
type Limits struct {
	Items int // of each list and map
	Bytes int // of the whole text
	Scan  int // maps of more entries are not looked through for their first ones; 0 is any number

	// Look, if it is not nil, is called now and then, and may panic to end it.
	Look func()
}

// Usual are the limits of what stands alone: the value that a cell ends with.
var Usual = Limits{Items: 1000, Bytes: 1 << 20}

// Brief are the limits of what stands in a line, in a table of variables.
var Brief = Limits{Items: 100, Bytes: 4 << 10, Scan: 10_000}

// Text is a value as fmt.Sprint of a cell writes it, as far as the limits go.
// It panics, as that would, for a value that holds itself.
func (l Limits) Text(x any) string {
	if s, ok := x.(string); ok {
		return l.Cut(s)
	}
	v, t := reflect.ValueOf(x), (*Type)(nil)
	if b, ok := x.(Box); ok {
		v, t = reflect.ValueOf(b.V), b.T
	}
	w := weigher{limits: l, left: max(l.Bytes/8, 1000)}
	if w.small(v, 0) {
		return l.Cut(fmt.Sprint(Args([]any{x})...))
	}
	if t == nil {
		Finite(x)
	} else if v.IsValid() {
		Finite(v.Interface())
	}
	st := &bounded{limits: l}
	printer{f: st, verb: 'v', most: st}.value(v, t, 0, true)
	if st.full {
		st.text.WriteString(st.note)
	}
	return st.text.String()
}

// Cut is a text, or its beginning and how long it is.
func (l Limits) Cut(s string) string {
	if len(s) <= l.Bytes {
		return s
	}
	return strings.Clone(s[:boundary(s, l.Bytes)]) + sizeNote(len(s))
}

func boundary(s string, n int) int {
	for n > 0 && n < len(s) && !utf8.RuneStart(s[n]) {
		n--
	}
	return n
}

func sizeNote(n int) string { return " … " + Count(n) + " bytes in all" }

// Count is a number with commas between its thousands.
func Count(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// weigher finds out whether a value is small enough for fmt.
type weigher struct {
	limits Limits
	left   int // what may still be looked at
}

func (w *weigher) small(v reflect.Value, depth int) bool {
	if w.left--; w.left < 0 || depth > 1000 {
		return false
	}
	if !v.IsValid() {
		return true
	}
	if v.Kind() != reflect.Interface && v.CanInterface() && v.Type().NumMethod() > 0 {
		if b, ok := v.Interface().(Box); ok {
			return w.small(reflect.ValueOf(b.V), depth)
		}
		if ownText(v.Interface()) { // whatever it takes
			w.left -= 100
			return w.left >= 0
		}
	}
	switch v.Kind() {
	case reflect.String:
		w.left -= v.Len() / 8
		return w.left >= 0
	case reflect.Interface:
		return w.small(v.Elem(), depth+1)
	case reflect.Pointer:
		return depth > 0 || v.IsNil() || w.small(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			if !w.small(v.Field(i), depth+1) {
				return false
			}
		}
	case reflect.Slice, reflect.Array:
		if v.Len() > w.limits.Items {
			return false
		}
		switch v.Type().Elem().Kind() {
		case reflect.String, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map,
			reflect.Pointer:
		default:
			if v.Type().Elem().NumMethod() == 0 {
				w.left -= v.Len()
				return w.left >= 0
			}
		}
		for i := range v.Len() {
			if !w.small(v.Index(i), depth+1) {
				return false
			}
		}
	case reflect.Map:
		if v.Len() > w.limits.Items {
			return false
		}
		for it := v.MapRange(); it.Next(); {
			if !w.small(it.Key(), depth+1) || !w.small(it.Value(), depth+1) {
				return false
			}
		}
	}
	return true
}

// ownText reports whether fmt has a value's methods write it.
func ownText(x any) bool {
	switch x.(type) {
	case fmt.Formatter, fmt.Stringer, error:
		return true
	}
	return false
}

// bounded takes a text until it is full. It is a [fmt.State] without flags.
type bounded struct {
	limits Limits
	text   strings.Builder
	full   bool
	note   string // what is said at the end of a full text
	seen   int
}

func (b *bounded) Width() (int, bool)     { return 0, false }
func (b *bounded) Precision() (int, bool) { return 0, false }
func (b *bounded) Flag(int) bool          { return false }

func (b *bounded) Write(s []byte) (int, error) { return b.WriteString(string(s)) }

// WriteString takes what there is room for.
func (b *bounded) WriteString(s string) (int, error) {
	if b.full {
		return len(s), nil
	}
	room := b.limits.Bytes - b.text.Len()
	if len(s) <= room {
		b.text.WriteString(s)
		return len(s), nil
	}
	b.text.WriteString(s[:boundary(s, room)])
	b.full = true
	b.note = " … the text goes on"
	if len(s) > b.limits.Bytes/2 {
		b.note = sizeNote(len(s))
	}
	return len(s), nil
}

// checkStop lets the user interrupt, at every thousandth element.
func (b *bounded) checkStop() {
	if b.seen++; b.seen&1023 == 0 && b.limits.Look != nil {
		b.limits.Look()
	}
}

// fitsMore says whether the i-th of n elements is written; where not, how many there are is.
func (p printer) fitsMore(i, n int) bool {
	if p.most == nil {
		return true
	}
	p.most.checkStop()
	if p.most.full {
		return false
	}
	if i < p.most.limits.Items {
		return true
	}
	p.noteRest(i, n)
	return false
}

// noteRest says that of n elements there are more than the i that were written.
func (p printer) noteRest(i, n int) {
	if i == 0 {
		p.str(Count(n) + " entries")
		return
	}
	p.str(" … " + Count(n-i) + " more")
}

// keys are the keys of a map that are written, in fmt's order.
func (p printer) keys(m reflect.Value) []reflect.Value {
	if p.most == nil || m.Len() <= p.most.limits.Items {
		return sortedKeys(m)
	}
	if scan := p.most.limits.Scan; scan > 0 && m.Len() > scan {
		return nil
	}
	most := p.most.limits.Items
	var first []reflect.Value
	cut := func() {
		slices.SortStableFunc(first, compareValues)
		first = first[:min(len(first), most)]
	}
	ordered := false
	for it := m.MapRange(); it.Next(); {
		p.most.checkStop()
		k := it.Key()
		if ordered && compareValues(k, first[most-1]) >= 0 {
			continue
		}
		if first = append(first, k); len(first) == 2*most {
			cut()
			ordered = true
		}
	}
	cut()
	return first
}

// plain writes a value of a host type as fmt's %v does, bounded.
func (p printer) plain(v reflect.Value, depth int, methods bool) {
	if !v.IsValid() {
		p.str("<nil>")
		return
	}
	if depth > deepest/10 {
		p.str("…")
		return
	}
	if methods && v.Kind() != reflect.Interface && v.CanInterface() && v.Type().NumMethod() > 0 {
		x := v.Interface()
		if b, ok := Norm(x).(Box); ok {
			p.value(reflect.ValueOf(b.V), b.T, depth, true)
			return
		}
		if ownText(x) {
			fmt.Fprint(p.most, x)
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		p.str("{")
		for i := range v.NumField() {
			if i > 0 {
				p.sep()
			}
			p.plain(v.Field(i), depth+1, methods)
		}
		p.str("}")
	case reflect.Slice, reflect.Array:
		p.str("[")
		p.list(v, nil, depth, methods)
		p.str("]")
	case reflect.Map:
		p.str("map[")
		p.pairs(v, nil, nil, depth, methods)
		p.str("]")
	case reflect.Interface:
		p.plain(v.Elem(), depth+1, methods)
	case reflect.Pointer:
		if depth == 0 && !v.IsNil() {
			switch v.Elem().Kind() {
			case reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
				p.str("&")
				p.plain(v.Elem(), depth+1, methods)
				return
			}
		}
		p.pointer(v, v.Type().String())
	case reflect.String:
		p.str(v.String())
	default:
		fmt.Fprint(p.most, v)
	}
}
