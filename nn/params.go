package nn

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"sync"

	"gotorch/tensor"
)

// Note: the walk. A model's tensors are found by reflection: fields of structs, elements of slices, arrays and maps,
// what pointers and interfaces hold. A *tensor.Tensor is a parameter, a Buffer is state that is not trained. A tensor
// that stands at two places is one parameter with two names. A module that names its tensors itself is a [Stater].

// Param is a tensor of a model with its name in PyTorch's state dict.
type Param struct {
	Name   string
	Tensor *tensor.Tensor
	Buffer bool // it belongs to the state and is not trained
}

// ParamList is a list of a model's tensors, in the order of its fields.
type ParamList []Param

// Stater is a module that names its tensors itself: it calls yield with each parameter, until yield returns false.
type Stater interface {
	State(yield func(name string, x *tensor.Tensor) bool)
}

// Params lists the parameters of a model: a struct or a pointer to one, a slice or a map of modules, or anything made
// of these. Each tensor is there once, under the first of its names. It panics with an *Error where a field that
// holds tensors is not exported, for it cannot be seen.
func Params(m any) ParamList {
	var out ParamList
	seen := map[*tensor.Tensor]bool{}
	walk(m, func(p Param) {
		if !p.Buffer && !seen[p.Tensor] {
			seen[p.Tensor] = true
			out = append(out, p)
		}
	})
	return out
}

// State lists all of a model's tensors, parameters and buffers, each under every name that it has: PyTorch's state
// dict. Of an optimizer, which lists its own state, it is that.
func State(m any) ParamList {
	if o, ok := m.(lister); ok {
		return o.State()
	}
	var out ParamList
	walk(m, func(p Param) { out = append(out, p) })
	return out
}

// Tensors are the tensors without their names.
func (l ParamList) Tensors() []*tensor.Tensor {
	out := make([]*tensor.Tensor, len(l))
	for i, p := range l {
		out[i] = p.Tensor
	}
	return out
}

// Names are the names in order.
func (l ParamList) Names() []string {
	out := make([]string, len(l))
	for i, p := range l {
		out[i] = p.Name
	}
	return out
}

// All ranges over names and tensors.
func (l ParamList) All() iter.Seq2[string, *tensor.Tensor] {
	return func(yield func(string, *tensor.Tensor) bool) {
		for _, p := range l {
			if !yield(p.Name, p.Tensor) {
				return
			}
		}
	}
}

// Get returns the tensor of that name; it panics with an *Error that lists the names if there is none.
func (l ParamList) Get(name string) *tensor.Tensor {
	for _, p := range l {
		if p.Name == name {
			return p.Tensor
		}
	}
	panic(tensor.Errorf("nn.Params", "there is no %s; there are %s", name, strings.Join(l.Names(), ", ")))
}

// Numel is the number of all elements.
func (l ParamList) Numel() int {
	n := 0
	for _, p := range l {
		n += p.Tensor.Numel()
	}
	return n
}

// ZeroGrad drops the gradients of all.
func (l ParamList) ZeroGrad() {
	for _, p := range l {
		p.Tensor.SetGrad(nil)
	}
}

// Freeze makes the parameters constants, which are neither differentiated nor trained; Unfreeze takes it back.
func (l ParamList) Freeze() { l.requireGrad(false) }

// Unfreeze makes the parameters trainable.
func (l ParamList) Unfreeze() { l.requireGrad(true) }

func (l ParamList) requireGrad(on bool) {
	for _, p := range l {
		if !p.Buffer && (p.Tensor.Dtype().IsFloatingPoint() || p.Tensor.Dtype().IsComplex()) {
			p.Tensor.RequiresGrad_(tensor.NewOption("requires_grad", on))
		}
	}
}

// String is a table of names, shapes and dtypes.
func (l ParamList) String() string {
	var b strings.Builder
	width := 0
	for _, p := range l {
		width = max(width, len(p.Name))
	}
	for _, p := range l {
		note := ""
		switch {
		case p.Buffer:
			note = "  buffer"
		case !p.Tensor.RequiresGrad():
			note = "  frozen"
		}
		fmt.Fprintf(&b, "%-*s  %v %s%s\n", width, p.Name, p.Tensor.Shape(), p.Tensor.Dtype(), note)
	}
	fmt.Fprintf(&b, "%s, %s", several(len(l), "tensor"), several(l.Numel(), "element"))
	return b.String()
}

// several is 1 tensor, 2 tensors.
func several(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

var (
	tensorType = reflect.TypeFor[*tensor.Tensor]()
	bufferType = reflect.TypeFor[Buffer]()
	listType   = reflect.TypeFor[ParamList]()
	staterType = reflect.TypeFor[Stater]()
)

// lister is what has a state and is no model: an optimizer.
type lister interface{ State() ParamList }

// walk calls visit with every tensor of m.
func walk(m any, visit func(Param)) {
	if _, ok := m.(lister); ok {
		panic(tensor.Errorf("nn.Params", "%T is no model", m).WithHint("its method State lists what it keeps"))
	}
	w := walker{visit: visit}
	w.value(reflect.ValueOf(m), "")
}

type walker struct {
	visit func(Param)
	enter func(path string, v reflect.Value, t declared) // called for each struct, where it is not nil
	at    []uintptr                                      // the pointers on the way here
	next  declared                                       // the type of the value to come, where a cell declares it
	depth int
}

// deepest is how many values one in the other a model may have. Deeper ones have names that fill the memory.
const deepest = 3000

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func (w *walker) value(v reflect.Value, path string) {
	t := w.next
	w.next = nil
	if !v.IsValid() || !mayHold(v.Type()) {
		return
	}
	if w.depth++; w.depth > deepest {
		panic(tensor.Errorf("nn.Params", "the modules are nested more than %d deep", deepest/2))
	}
	defer func() { w.depth-- }()
	tensor.Interrupted("nn.Params") // a module that stands in many places has many names
	switch v.Type() {
	case tensorType:
		if x := v.Interface().(*tensor.Tensor); x != nil {
			w.visit(Param{Name: path, Tensor: x})
		}
		return
	case bufferType:
		if x := v.Interface().(Buffer); x.Tensor != nil {
			w.visit(Param{Name: path, Tensor: x.Tensor, Buffer: true})
		}
		return
	}
	if v.Type() == listType {
		for _, p := range v.Interface().(ParamList) {
			if p.Name = join(path, p.Name); p.Tensor != nil {
				w.visit(p)
			}
		}
		return
	}
	if s, ok := stater(v); ok {
		s.State(func(name string, x *tensor.Tensor) bool {
			if x != nil {
				w.visit(Param{Name: join(path, name), Tensor: x})
			}
			return true
		})
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() || slices.Contains(w.at, v.Pointer()) {
			return
		}
		w.at = append(w.at, v.Pointer())
		w.next = partOf(t, 0)
		w.value(v.Elem(), path)
		w.at = w.at[:len(w.at)-1]
	case reflect.Interface:
		x, t := unwrap(v.Interface())
		w.next = t
		w.value(reflect.ValueOf(x), path)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.next = partOf(t, 0)
			w.value(v.Index(i), join(path, fmt.Sprint(i)))
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			w.next = partOf(t, 0)
			w.value(v.MapIndex(k), join(path, fmt.Sprint(k)))
		}
	case reflect.Struct:
		if box, t, ok := boxed(v); ok {
			w.next = t
			w.value(reflect.ValueOf(box), path)
			return
		}
		if w.enter != nil {
			w.enter(path, v, t)
		}
		w.fields(v, path, t)
	}
}

func (w *walker) fields(v reflect.Value, path string, own declared) {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		w.next = partOf(own, i)
		if !f.IsExported() {
			if !f.Anonymous && holdsTensors(f.Type) {
				panic(tensor.Errorf("nn.Params", "field %s of %s holds tensors and is not exported, so they cannot be seen",
					f.Name, t).WithHint("write its name with a capital letter"))
			}
			continue
		}
		name := f.Tag.Get("nn")
		switch {
		case name == "-":
		case name != "":
			w.value(v.Field(i), join(path, name))
		default:
			w.value(v.Field(i), join(path, fieldName(f.Name)))
		}
	}
}

// stater is v, or a pointer to it, as a Stater.
func stater(v reflect.Value) (Stater, bool) {
	switch {
	case v.Type().Implements(staterType) && (v.Kind() != reflect.Pointer || !v.IsNil()) && v.Kind() != reflect.Interface:
		return v.Interface().(Stater), true
	case v.CanAddr() && v.Addr().Type().Implements(staterType):
		return v.Addr().Interface().(Stater), true
	}
	return nil, false
}

// declared is the type of a value where a cell declares it. Part is that of a field, or of the elements of others: it
// is a declared, or nil.
type declared interface {
	DeclaredName() string
	Part(i int) any
}

// partOf is a part of a type that a cell declares, nil where t is none.
func partOf(t declared, i int) declared {
	if t == nil {
		return nil
	}
	part, _ := t.Part(i).(declared)
	return part
}

// unwrap takes a value of a cell's type, and the type, out of what host code sees of it.
func unwrap(x any) (any, declared) {
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() == reflect.Struct {
		if box, t, ok := boxed(v); ok {
			return box, t
		}
	}
	return x, nil
}

// boxed is what the interpreter's value v stands for: the wrapper of an interface has it in its field IValue, a box
// gives it by its method Underlying, and its type by another.
func boxed(v reflect.Value) (x any, t declared, ok bool) {
	if !v.CanInterface() {
		return nil, nil, false
	}
	wrapper := v.NumField() > 0 && v.Type().Field(0).Name == "IValue" && v.Field(0).Kind() == reflect.Interface
	if x = v.Interface(); wrapper {
		x = v.Field(0).Interface()
	}
	b, ok := x.(interface{ Underlying() any })
	if !ok {
		return x, nil, wrapper
	}
	if d, ok := x.(interface{ DeclaredType() any }); ok {
		t, _ = d.DeclaredType().(declared)
	}
	return b.Underlying(), t, true
}

var holding sync.Map // reflect.Type → bool, what mayHold said

// mayHold reports whether a value of type t can have tensors in it.
func mayHold(t reflect.Type) bool { return holds(t, true) }

// holdsTensors reports whether a value of type t has tensors in it for certain, not only in an interface.
func holdsTensors(t reflect.Type) bool { return holds(t, false) }

type holdsKey struct {
	t          reflect.Type
	interfaces bool
}

func holds(t reflect.Type, interfaces bool) bool {
	key := holdsKey{t, interfaces}
	if known, ok := holding.Load(key); ok {
		return known.(bool)
	}
	yes := search(t, interfaces, map[reflect.Type]bool{})
	holding.Store(key, yes)
	return yes
}

func search(t reflect.Type, interfaces bool, seen map[reflect.Type]bool) bool {
	if t == tensorType || t == bufferType || t.Implements(staterType) {
		return t.Kind() != reflect.Interface || interfaces
	}
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return interfaces || t.Implements(reflect.TypeFor[Module]())
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return search(t.Elem(), interfaces, seen)
	case reflect.Struct:
		if t == tensorType.Elem() {
			return false
		}
		for i := range t.NumField() {
			if search(t.Field(i).Type, interfaces, seen) {
				return true
			}
		}
	}
	return false
}
