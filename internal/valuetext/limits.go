package valuetext

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits bound a text. fmt writes a value whole: a list of 64 million numbers takes seconds and gigabytes, and nothing
// stops it.
type Limits struct {
	Items int // of each list and map
	Bytes int // of the whole text
	Scan  int // maps of more entries are not looked through for their first ones; 0 is any number

	// Look, if it is not nil, is called now and then, and may panic to end it.
	Look func()

	// Reading, if it is not nil, is called before a map is read, and release after; the map is left out where ok is
	// false.
	Reading func(m reflect.Value) (release func(), ok bool)
}

// Usual are the limits of what stands alone: the value that a cell ends with.
var Usual = Limits{Items: 1000, Bytes: 1 << 20}

// Brief are the limits of what stands in a line, in a table of variables.
var Brief = Limits{Items: 100, Bytes: 4 << 10, Scan: 10_000}

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

// Write takes what there is room for.
func (w *writer) Write(s []byte) (int, error) { return w.WriteString(string(s)) }

// WriteString takes what there is room for.
func (w *writer) WriteString(s string) (int, error) {
	if w.full {
		return len(s), nil
	}
	room := w.Bytes - w.text.Len()
	if len(s) <= room {
		return w.text.WriteString(s)
	}
	w.text.WriteString(s[:boundary(s, room)])
	w.full = true
	w.note = " … the text goes on"
	if len(s) > w.Bytes/2 {
		w.note = sizeNote(len(s))
	}
	return len(s), nil
}

// checkStop lets the user interrupt, at every thousandth value.
func (w *writer) checkStop() {
	if w.seen++; w.seen&1023 == 0 && w.Look != nil {
		w.Look()
	}
}

// fitsMore reports whether the i-th of n elements is written; where not, how many there are is.
func (w *writer) fitsMore(i, n int) bool {
	if w.full {
		return false
	}
	if i < w.Items {
		return true
	}
	w.noteRest(i, n)
	return false
}

// noteRest says that of n elements there are more than the i that were written.
func (w *writer) noteRest(i, n int) {
	if i == 0 {
		w.WriteString(Count(n) + " entries")
		return
	}
	w.WriteString(" … " + Count(n-i) + " more")
}

// keys are the keys of a map that are written.
func (w *writer) keys(m reflect.Value) []reflect.Value {
	return FirstKeys(m, w.Limits, w.checkStop)
}

// FirstKeys returns the first keys of a map in fmt's order, as many as the limits allow. It returns none where the map
// has more than limits.Scan entries. checkStop is called for each entry.
func FirstKeys(m reflect.Value, limits Limits, checkStop func()) []reflect.Value {
	if m.Len() <= limits.Items {
		return SortedKeys(m)
	}
	if limits.Scan > 0 && m.Len() > limits.Scan {
		return nil
	}
	most := limits.Items
	var first []reflect.Value
	cut := func() {
		slices.SortStableFunc(first, compareValues)
		first = first[:min(len(first), most)]
	}
	ordered := false
	for it := m.MapRange(); it.Next(); {
		checkStop()
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

// SortedKeys returns a map's keys in fmt's order, as far as they have one.
func SortedKeys(m reflect.Value) []reflect.Value {
	keys := m.MapKeys()
	slices.SortStableFunc(keys, compareValues)
	return keys
}

func compareValues(a, b reflect.Value) int {
	if a.Kind() != b.Kind() {
		return cmp.Compare(a.Kind(), b.Kind())
	}
	switch a.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return cmp.Compare(a.Int(), b.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return cmp.Compare(a.Uint(), b.Uint())
	case reflect.Float32, reflect.Float64:
		return cmp.Compare(a.Float(), b.Float())
	case reflect.String:
		return cmp.Compare(a.String(), b.String())
	case reflect.Bool:
		x, y := 0, 0
		if a.Bool() {
			x = 1
		}
		if b.Bool() {
			y = 1
		}
		return cmp.Compare(x, y)
	case reflect.Struct:
		for i := range a.NumField() {
			if c := compareValues(a.Field(i), b.Field(i)); c != 0 {
				return c
			}
		}
	case reflect.Array:
		for i := range a.Len() {
			if c := compareValues(a.Index(i), b.Index(i)); c != 0 {
				return c
			}
		}
	case reflect.Interface:
		if a.IsNil() || b.IsNil() {
			return 0
		}
		return compareValues(a.Elem(), b.Elem())
	}
	return 0
}
