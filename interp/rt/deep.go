package rt

import (
	"fmt"
	"go/token"
	"math"
	"reflect"
	"strings"
	"sync"

	"gotorch/internal/module"
	"gotorch/interp/task"
)

// Note: values that host code follows
//
// An encoder, a comparison or the hash of a key follows a value from itself to what it holds. Go's stack ends at a
// gigabyte, and its end cannot be caught: a value that holds itself, or is nested a million deep, would end the
// process. A value that holds another one twice, which holds a third twice, makes a text that doubles with each of
// them. And the maps in it must not be written meanwhile. So a value that is handed to such code is followed first,
// here, without recursion: each part once.

// How is what host code does with a value.
type How uint8

const (
	Encodes  How = iota // follows pointers and exported fields; a value that holds itself has no end
	Detects             // as Encodes, and ends where the value holds itself
	Compares            // follows pointers and all fields, and ends where the value holds itself
	Prints              // follows the first pointer and all fields
	Hashes              // follows all fields, and interfaces in them
	Fills               // as Detects, and writes the maps
)

// deepest is how deep the values may be nested that host code follows.
const deepest = 100_000

// Follow panics if the values must not be passed to host code: if they are nested too deep, contain themselves, or
// would become a string for which there is no memory. While goroutines run, the maps in them are not to be written
// before release is called.
func Follow(what string, how How, values ...reflect.Value) (release func()) {
	for _, v := range values {
		if _, ok := pointed(v); !ok && how == Prints {
			panic(Fault(what + ": the value is a pointer to itself"))
		}
	}
	_, release = weigh(what, how, values)
	return release
}

// weigh is Follow, and returns about how many bytes the text of the values has.
func weigh(what string, how How, values []reflect.Value) (bytes float64, release func()) {
	f := follower{what: what, how: how}
	if t := task.Current(); t != nil && t.Several() {
		f.task = t
	}
	done := false
	defer func() {
		if !done {
			f.release()
		}
	}()
	for _, v := range values {
		if how == Prints {
			v, _ = pointed(v) // fmt writes a circle of pointers as an address
		}
		f.follow(v)
	}
	if how != Compares && how != Hashes && f.bytes > 1<<20 {
		Fits(what, int(min(2*f.bytes, math.MaxInt/2))) // the text is made in a buffer and copied
	}
	done = true
	return f.bytes, f.release
}

// pointed is what a value refers to through pointers and interfaces; it is not there if these go round in a circle.
func pointed(v reflect.Value) (to reflect.Value, ok bool) {
	for range deepest {
		if !v.IsValid() || v.Kind() != reflect.Interface && v.Kind() != reflect.Pointer {
			return v, true
		}
		v = v.Elem()
	}
	return reflect.Value{}, false
}

// HoldsItself reports whether an encoder that follows a value would come back to a part of it, and the part's type.
func HoldsItself(x any) (name string, yes bool) {
	f := follower{how: Detects}
	f.follow(reflect.ValueOf(x))
	return f.circle, f.circle != ""
}

// walkable is about how many bytes the text of a value may have that is walked through by the way.
const walkable = 64 << 20

// Walkable reports whether what follows all ways through a value comes to an end soon.
func Walkable(x any) (yes bool) {
	defer func() {
		if recover() != nil {
			yes = false
		}
	}()
	bytes, release := weigh("", Detects, []reflect.Value{reflect.ValueOf(x)})
	release()
	return bytes < walkable
}

// Nested panics if a text may be nested too deep for host code that reads it by recursion.
func Nested(what, text string) {
	if n := strings.Count(text, "(") + strings.Count(text, "{{"); n > deepest {
		panic(Fault(fmt.Sprintf("%s: the text may be nested %s deep; the limit is %s", what, Count(n), Count(deepest))))
	}
}

// Key is a key of a map that has an interface in it. It panics as Go does where the key cannot be hashed; a cell's
// type has its name in the message, which the map's own code does not know.
func Key(x any) any {
	endless(x)
	if b, ok := x.(Box); ok && b.V != nil && !reflect.TypeOf(b.V).Comparable() {
		panic(Fault("runtime error: hash of unhashable type " + b.T.Name))
	}
	return x
}

// endless panics where a key of a map, or an operand of ==, cannot be followed to its end.
func endless(x any) {
	switch x.(type) {
	case nil, string, bool, int, int64, float64:
	default:
		Follow("comparing or hashing a value", Hashes, reflect.ValueOf(x))()
	}
}

// Finite panics if fmt cannot write a value as text. Pointers inside of it are written as addresses.
func Finite(x any) {
	switch x.(type) {
	case nil, string, bool, int, int64, float64:
		return
	}
	_, release := weigh("", Prints, []reflect.Value{reflect.ValueOf(x)})
	release()
}

// follower follows values.
type follower struct {
	what  string
	how   How
	task  task.Task // nil where no other goroutine runs
	drops []func()

	circle string // the type of a part that holds itself, if there is one

	bytes float64 // of the text, about
	seen  int
	stack []part
	known map[spot]height // what was followed, for what is on the stack too
}

// part is a value whose parts are being followed.
type part struct {
	v       reflect.Value
	t       *Type // of a cell, or nil
	next    int
	entries *reflect.MapIter
	value   bool // the value of an entry is next

	at    spot
	outer float64 // f.bytes before it
	depth int     // how deep it goes, so far
}

// spot is what a pointer, a slice or a map refers to.
type spot struct {
	at uintptr
	n  int
	t  reflect.Type
}

type height struct {
	depth int
	bytes float64
}

// open is the height of what is on the stack.
const open = -1

func (f *follower) release() {
	for _, drop := range f.drops {
		drop()
	}
	f.drops = nil
}

func (f *follower) follow(v reflect.Value) {
	for f.enter(v, nil); len(f.stack) > 0; {
		p := &f.stack[len(f.stack)-1]
		v, t, more := p.step(f.how)
		if more {
			f.enter(v, t)
			continue
		}
		done := *p
		f.stack = f.stack[:len(f.stack)-1]
		if done.at.t != nil {
			f.known[done.at] = height{done.depth, f.bytes - done.outer}
		}
		f.deepen(done.depth)
	}
}

// deepen notes how deep what lies in the uppermost part goes.
func (f *follower) deepen(depth int) {
	if n := len(f.stack); n > 0 {
		f.stack[n-1].depth = max(f.stack[n-1].depth, depth+1)
	}
}

var reflectType = reflect.TypeFor[reflect.Value]()

// enter looks at a value, and puts it on the stack if it has parts.
func (f *follower) enter(v reflect.Value, t *Type) {
	for v.IsValid() && v.Kind() == reflect.Interface {
		v, t = v.Elem(), nil
	}
	if v.IsValid() && v.Type() == boxType && v.CanInterface() {
		b := v.Interface().(Box)
		v, t = reflect.ValueOf(b.V), b.T
		for v.IsValid() && v.Kind() == reflect.Interface {
			v, t = v.Elem(), nil
		}
	}
	for v.IsValid() && v.Type() == reflectType && v.CanInterface() { // what prints it prints what is in it
		v, t = v.Interface().(reflect.Value), nil
		for v.IsValid() && v.Kind() == reflect.Interface {
			v = v.Elem()
		}
	}
	if f.seen++; f.seen&(1<<16-1) == 0 {
		f.look()
	}
	if !v.IsValid() {
		f.bytes += 4
		return
	}
	switch k := v.Kind(); k {
	case reflect.String:
		f.bytes += float64(v.Len()) + 2
		return
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Array, reflect.Struct:
		if f.ends(v, k) {
			return
		}
	default:
		f.bytes += 8
		return
	}
	p := part{v: v, t: t, outer: f.bytes}
	if v.Kind() != reflect.Array && v.Kind() != reflect.Struct {
		p.at = spotOf(v)
		if h, again := f.known[p.at]; again {
			if h.depth == open && f.circle == "" {
				f.circle = p.name()
			}
			f.again(h)
			return
		}
		if f.known == nil {
			f.known = map[spot]height{}
		}
		f.known[p.at] = height{depth: open}
	}
	if v.Kind() == reflect.Map {
		f.uses(v)
		p.entries = v.MapRange()
	}
	f.bytes += 2
	if f.stack = append(f.stack, p); len(f.stack) > deepest {
		f.tooDeep()
	}
}

// ends reports whether a value has no parts that need to be looked at.
func (f *follower) ends(v reflect.Value, k reflect.Kind) bool {
	t := v.Type()
	if foreign(t) {
		f.bytes += 8
		return true
	}
	switch k {
	case reflect.Pointer:
		if f.how == Prints || f.how == Hashes || v.IsNil() {
			f.bytes += 16
			return true
		}
	case reflect.Slice, reflect.Map:
		if f.how == Hashes || v.IsNil() {
			f.bytes += 2
			return true
		}
		if plain(t) {
			if k == reflect.Map {
				f.uses(v)
			}
			f.bytes += 8 * float64(v.Len()) * max(1, float64(t.Elem().Size())/8)
			return true
		}
	default:
		if plain(t) {
			f.bytes += 2 + float64(t.Size())
			return true
		}
	}
	return false
}

// again reuses what is known of a value that was followed before.
func (f *follower) again(h height) {
	if h.depth == open {
		switch f.how {
		case Detects, Compares, Fills:
			return
		case Prints:
			panic(Fault(f.told("the value holds itself and cannot be written as text")))
		}
		f.tooDeep()
	}
	if f.bytes += h.bytes; f.bytes > 1<<30 {
		f.look()
	}
	if len(f.stack)+h.depth > deepest {
		f.tooDeep()
	}
	f.deepen(h.depth)
}

func (f *follower) told(text string) string {
	if f.what == "" {
		return text
	}
	return f.what + ": " + text
}

func (f *follower) tooDeep() {
	if f.how == Prints {
		panic(Fault(f.told("the value is nested too deep to be written as text")))
	}
	panic(Fault(f.told(fmt.Sprintf("the value is nested more than %s deep, or it contains itself", Count(deepest)))))
}

// look ends a long walk if the cell was stopped or the text is too long already.
func (f *follower) look() {
	if task.Stopped() {
		panic(Fault(f.told("stopped")))
	}
	if f.how != Compares && f.how != Hashes && f.bytes > 1<<20 {
		Fits(f.what, int(min(f.bytes, math.MaxInt/2)))
	}
}

// uses announces that a map is about to be read.
func (f *follower) uses(m reflect.Value) {
	if f.task != nil {
		f.drops = append(f.drops, f.task.Uses(m.Pointer(), f.how == Fills))
	}
}

// CopyMap copies a map that other goroutines may write.
func CopyMap(t task.Task, m reflect.Value) reflect.Value {
	defer t.Uses(m.Pointer(), false)()
	c := reflect.MakeMapWithSize(m.Type(), m.Len())
	for it := m.MapRange(); it.Next(); {
		c.SetMapIndex(it.Key(), it.Value())
	}
	return c
}

func spotOf(v reflect.Value) spot {
	s := spot{v.Pointer(), 0, v.Type()}
	if v.Kind() != reflect.Pointer {
		s.n = v.Len()
	}
	return s
}

// step returns the next part of a value.
func (p *part) step(how How) (v reflect.Value, t *Type, more bool) {
	switch p.v.Kind() {
	case reflect.Pointer:
		if p.next++; p.next == 1 {
			return p.v.Elem(), p.elem(), true
		}
	case reflect.Slice, reflect.Array:
		if p.next < p.v.Len() {
			p.next++
			return p.v.Index(p.next - 1), p.elem(), true
		}
	case reflect.Map:
		if p.value {
			p.value = false
			return p.entries.Value(), p.elem(), true
		}
		if p.entries.Next() {
			p.value = true
			if p.t != nil {
				t = p.t.MapKey
			}
			return p.entries.Key(), t, true
		}
	case reflect.Struct:
		for p.next < p.v.NumField() {
			i := p.next
			p.next++
			field := p.v.Type().Field(i)
			tag, exported, t := string(field.Tag), field.IsExported() || field.Anonymous, (*Type)(nil)
			if p.t != nil && i < len(p.t.Fields) {
				of := p.t.Fields[i]
				tag, t, exported = of.Tag, of.Type, token.IsExported(of.Name) || of.Embedded
			}
			if how != Encodes && how != Detects && how != Fills || exported && !strings.Contains(tag, `:"-"`) {
				return p.v.Field(i), t, true
			}
		}
	}
	return v, nil, false
}

// name is the type's name.
func (p *part) name() string {
	if p.t != nil {
		return p.t.Name
	}
	return strings.ReplaceAll(p.v.Type().String(), "rt.Box", "any")
}

func (p *part) elem() *Type {
	if p.t == nil {
		return nil
	}
	return p.t.Elem
}

var boxType = reflect.TypeFor[Box]()

// foreign reports whether a type has its own text and comparison: tensors, their graphs and views.
func foreign(t reflect.Type) bool {
	p := t.PkgPath()
	if t.Kind() == reflect.Pointer {
		p = t.Elem().PkgPath()
	}
	return p != "" && module.Has(p) && !strings.HasPrefix(p, module.Path+"/interp/")
}

var plainTypes sync.Map // reflect.Type → bool

// plain reports whether values of a type hold numbers alone.
func plain(t reflect.Type) bool {
	if p, ok := plainTypes.Load(t); ok {
		return p.(bool)
	}
	p := onlyNumbers(t, map[reflect.Type]bool{})
	plainTypes.Store(t, p)
	return p
}

func onlyNumbers(t reflect.Type, above map[reflect.Type]bool) bool {
	if above[t] {
		return false
	}
	above[t] = true
	defer delete(above, t)
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return t.Elem().Kind() != reflect.Slice && onlyNumbers(t.Elem(), above)
	case reflect.Map:
		return number(t.Key().Kind()) && number(t.Elem().Kind())
	case reflect.Struct:
		for i := range t.NumField() {
			of := t.Field(i).Type
			if k := of.Kind(); k == reflect.Map || k == reflect.Slice || !onlyNumbers(of, above) {
				return false
			}
		}
		return true
	}
	return number(t.Kind())
}

func number(k reflect.Kind) bool {
	return k <= reflect.Complex128 || k == reflect.Func || k == reflect.Chan || k == reflect.UnsafePointer
}
