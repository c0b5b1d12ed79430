// Package rt is what lowered cells call: interface values that remember which of the cells' types they hold, type
// assertions and switches over them, equality, methods through interfaces, and text.
//
//	rt.go                       types, boxes, assertions, methods
//	type_key.go                 the key of a host type
//	adapt.go                    boxes as host code sees them: errors, interfaces
//	encoding.go                 what encoders ask of boxes and types
//	builtins.go same.go         builtin functions and comparisons
//	memory.go                   questions before much memory is asked for
//	errors.go                   panics
//	format.go nested.go limits.go outline.go cycle.go
//	                            text: by fmt's rules, within limits, as an outline
//
// Note: why interfaces are ours
//
// The interpreter gives types that cells declare no identity: err.(E) is false
// and any(E{}).(E2) is true when the layouts match, and a declared type with
// methods inside an interface cannot be seen by host code. So the lowering
// leaves the interpreter only the structure of types, no methods and no
// interfaces but any. A value of a declared type, or of a type made of such
// types, goes into an interface as a [Box], which names its type; a method is a
// plain function that this package knows by type and name.
package rt

import (
	"encoding/xml"
	"fmt"
	"reflect"
	"sync"
)

// Kind is the shape of a Type: reflect's kinds.
type Kind = reflect.Kind

// Type describes a type that a cell can assert to or put into an interface.
type Type struct {
	ID   int
	Key  string // identical types have equal keys
	Name string // as %T shows it: main.E
	Kind Kind

	Named    bool
	Elem     *Type   // of pointers, slices, arrays, maps and channels
	MapKey   *Type   // of maps
	Ptr      *Type   // the pointer to this type, if it has more methods that text and JSON are made with
	Fields   []Field // of structs
	Wanted   []Want  // of interfaces that cells declare: the methods, sorted by name
	Compiled reflect.Type

	runtime *Runtime
	mu      sync.RWMutex
	methods map[string]method
}

// Field is a field of a struct, under the name that the cell gave it.
type Field struct {
	Name     string
	Type     *Type
	Tag      string
	Embedded bool
}

// Want is a method of an interface: its name and the key of its signature.
type Want struct{ Name, Sig string }

type method struct {
	sig string
	fn  reflect.Value // func(receiver, arguments…) results…
}

// Wrapper is a value by which a host package sees a box, or an error that a box was converted to.
type Wrapper interface{ Unbox() any }

// Codec encodes boxes that host encoders meet inside other values.
type Codec interface {
	JSON(b Box) ([]byte, error)
	XML(b Box, e *xml.Encoder, start xml.StartElement) error
}

// Box is a value of a type that cells declared, in an interface.
type Box struct {
	T *Type
	V any
}

// Runtime holds a session's types.
type Runtime struct {
	mu    sync.RWMutex
	types []*Type
	byKey map[string]*Type

	Codec Codec // set before the first value is encoded

	// Bound, if it is not nil, is what cells call in place of a method m of a compiled value.
	Bound func(x reflect.Value, name string, m reflect.Value) reflect.Value

	Receivers Receivers // of the methods of cells that run
}

// New makes the runtime of a session.
func New() *Runtime { return &Runtime{byKey: map[string]*Type{}} }

// Intern returns the type with that key. If it is not known yet, a new one is
// made and known is false: the caller fills it in.
func (r *Runtime) Intern(key string) (t *Type, known bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if t := r.byKey[key]; t != nil {
		return t, true
	}
	t = &Type{ID: len(r.types), Key: key, runtime: r}
	r.types, r.byKey[key] = append(r.types, t), t
	return t, false
}

// Type returns the type with that number.
func (r *Runtime) Type(id int) *Type {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.types[id]
}

// SetMethod makes fn the method of a type; fn takes the receiver first.
func (r *Runtime) SetMethod(id int, name, sig string, fn any) {
	t := r.Type(id)
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.methods == nil {
		t.methods = map[string]method{}
	}
	t.methods[name] = method{sig, reflect.ValueOf(fn)}
}

func (t *Type) method(name string) (method, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	m, ok := t.methods[name]
	return m, ok
}

// Box puts a value of a declared type into an interface.
func (r *Runtime) Box(id int, v any) any { return Box{r.Type(id), v} }

// Norm returns what an interface value holds: a Box in place of the value
// that host code got for it.
func Norm(x any) any {
	switch v := x.(type) {
	case nil, Box, int, string, float64, bool:
		return x
	case boxError:
		return v.b
	case boxErrors:
		return v.b
	case Wrapper:
		return Norm(v.Unbox())
	}
	if v := reflect.ValueOf(x); v.Kind() == reflect.Pointer && isWrapper(v.Type().Elem()) && !v.IsNil() {
		return v.Elem().Field(0).Interface()
	}
	return x
}

// Raw is what host code that looks at values by reflection should see.
func Raw(x any) any {
	if b, ok := Norm(x).(Box); ok {
		return b.V
	}
	return x
}

// Equal is == of two interface values. It panics as Go does where the values
// cannot be compared.
func Equal(a, b any) bool {
	a, b = Norm(a), Norm(b)
	endless(a)
	if x, ok := a.(Box); ok {
		if y, ok := b.(Box); ok && x.T == y.T {
			return x.equal(y)
		}
	}
	return a == b
}

// equal compares two values of one type; a panic calls the type by its name.
func (b Box) equal(c Box) bool {
	defer func() {
		if r := recover(); r != nil {
			if b.V != nil && fmt.Sprint(r) == "runtime error: comparing uncomparable type "+reflect.TypeOf(b.V).String() {
				r = Fault("runtime error: comparing uncomparable type " + b.T.Name)
			}
			panic(r)
		}
	}()
	return b.V == c.V
}

// As is x.(T) with its ok.
func (r *Runtime) As(x any, id int) (any, bool) { return r.as(Norm(x), r.Type(id)) }

// Must is x.(T); static names x's type for the message.
func (r *Runtime) Must(x any, id int, static string) any {
	x, t := Norm(x), r.Type(id)
	v, ok := r.as(x, t)
	if ok {
		return v
	}
	if t.Kind == reflect.Interface {
		if x == nil {
			panic(AssertionError(fmt.Sprintf("interface conversion: interface is nil, not %s", t.Name)))
		}
		panic(AssertionError(fmt.Sprintf("interface conversion: %s is not %s: missing method %s", TypeName(x), t.Name,
			r.missing(x, t))))
	}
	text := fmt.Sprintf("interface conversion: %s is %s, not %s", static, TypeName(x), t.Name)
	if TypeName(x) == t.Name {
		text += " (types from different scopes)"
	}
	panic(AssertionError(text))
}

// Switch returns the first of the types that x has, by its place, or -1. The
// number -1 stands for nil.
func (r *Runtime) Switch(x any, ids ...int) int {
	x = Norm(x)
	for i, id := range ids {
		if id < 0 {
			if x == nil {
				return i
			}
			continue
		}
		if _, ok := r.as(x, r.Type(id)); ok {
			return i
		}
	}
	return -1
}

func (r *Runtime) as(x any, t *Type) (any, bool) {
	switch {
	case x == nil:
		return nil, false
	case t.Kind == reflect.Interface:
		if r.missing(x, t) != "" {
			return nil, false
		}
		if b, ok := x.(Box); ok && t.Compiled != nil && t.Compiled.NumMethod() > 0 {
			return Adapt(b, t.Compiled), true
		}
		return x, true
	}
	if b, ok := x.(Box); ok {
		return b.V, b.T == t
	}
	return x, reflect.TypeOf(x) == t.Compiled
}

// missing names a method of the interface t that x lacks, or is empty.
func (r *Runtime) missing(x any, t *Type) string {
	b, boxed := x.(Box)
	if t.Compiled != nil && !boxed {
		if reflect.TypeOf(x).Implements(t.Compiled) {
			return ""
		}
	}
	for _, w := range t.Wanted {
		if boxed {
			if m, ok := b.T.method(w.Name); !ok || m.sig != w.Sig {
				return w.Name
			}
			continue
		}
		m := reflect.ValueOf(x).MethodByName(w.Name)
		if !m.IsValid() || ReflectKey(m.Type()) != w.Sig {
			return w.Name
		}
	}
	return ""
}

// Method returns x's method, bound, as a func.
func (r *Runtime) Method(x any, name string) any {
	x = Norm(x)
	if x == nil {
		panic(NilError{})
	}
	if b, ok := x.(Box); ok {
		return b.Bind(name).Interface()
	}
	m := reflect.ValueOf(x).MethodByName(name)
	if !m.IsValid() {
		panic(AssertionError(fmt.Sprintf("%T has no method %s", x, name)))
	}
	if r.Bound != nil {
		m = r.Bound(reflect.ValueOf(x), name, m)
	}
	return m.Interface()
}

// Bind returns a method of the box as a func of its arguments.
func (b Box) Bind(name string) reflect.Value {
	m, ok := b.T.method(name)
	if !ok {
		panic(AssertionError(b.T.Name + " has no method " + name))
	}
	ft := m.fn.Type()
	in := make([]reflect.Type, ft.NumIn()-1)
	for i := range in {
		in[i] = ft.In(i + 1)
	}
	out := make([]reflect.Type, ft.NumOut())
	for i := range out {
		out[i] = ft.Out(i)
	}
	recv := b.receiver(ft.In(0))
	sig := reflect.FuncOf(in, out, ft.IsVariadic())
	return reflect.MakeFunc(sig, func(args []reflect.Value) (results []reflect.Value) {
		defer called(b.T.Name+"."+name, out, &results)()
		if b.T.runtime != nil && b.T.runtime.Receivers.On().Load() != 0 {
			defer b.T.runtime.Receivers.Enter(recv)()
		}
		all := append([]reflect.Value{recv}, args...)
		if ft.IsVariadic() {
			return m.fn.CallSlice(all)
		}
		return m.fn.Call(all)
	})
}

func (b Box) receiver(t reflect.Type) reflect.Value {
	if b.V == nil {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(b.V)
}

// TypeName is what %T shows of an interface value.
func TypeName(x any) string {
	if x == nil {
		return "nil"
	}
	if b, ok := Norm(x).(Box); ok {
		return b.T.Name
	}
	return reflect.TypeOf(x).String()
}
