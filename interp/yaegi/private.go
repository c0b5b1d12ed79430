package yaegi

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strconv"
	"sync"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Note: yaegi's private structs
//
// This file has all that this package does by package unsafe: it reads and writes fields of structs that yaegi does
// not export. What it knows belongs to one version, which it checks when the first engine starts; that the fields are
// there and have the types expected is checked for each. Package quick, whose steps read frames and nodes wherever
// they run, has its own mirrors of the structs and its own check.

// version is the version of yaegi that this package knows.
const version = "v0.16.1"

// checkVersion panics if the program was built with another version of yaegi.
var checkVersion = sync.OnceFunc(func() {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return // a build without modules: the checks of fields are left
	}
	for _, d := range b.Deps {
		if d.Replace != nil {
			d = d.Replace
		}
		if d.Path == "github.com/traefik/yaegi" && d.Version != version {
			unknown("version is %s", d.Version)
		}
	}
})

// unknown panics because yaegi is not as this package knows it.
func unknown(format string, args ...any) {
	panic("interp/yaegi: yaegi's " + fmt.Sprintf(format, args...) + ": this package knows " + version)
}

// pointer points to one of yaegi's structs.
type pointer = unsafe.Pointer

// field is the field at an offset of what p points to, a T.
func field[T any](p pointer, offset uintptr) *T { return (*T)(unsafe.Add(p, offset)) }

// span is a field: where it is and how many words it takes.
type span struct {
	at    uintptr
	words int
}

const word = unsafe.Sizeof(uintptr(0))

// clear sets fields of what p points to to nil.
func clear(p pointer, spans []span) {
	for _, s := range spans {
		for i := range s.words {
			*field[pointer](p, s.at+uintptr(i)*word) = nil
		}
	}
}

// private are fields of yaegi's Interpreter that it does not export. go.mod
// names the version that they belong to, and openUp checks that they are there.
type private struct {
	id    *uint64        // bumped to make all frames return
	done  *chan struct{} // what blocked channel operations also receive from
	roots *[]pointer     // the trees that were compiled since the last time

	scopes reflect.Value // the packages' scopes, by name
	layout *layout
	names  *names
	self   pointer // the Interpreter
	globals
}

func openUp(in *interp.Interpreter) private {
	checkVersion()
	v := reflect.ValueOf(in).Elem()
	fieldOf := func(name, typ string) pointer {
		f := v.FieldByName(name)
		if !f.IsValid() || f.Type().String() != typ {
			unknown("Interpreter has no field %s %s", name, typ)
		}
		return f.Addr().UnsafePointer()
	}
	p := private{id: (*uint64)(fieldOf("id", "uint64")), done: (*chan struct{})(fieldOf("done", "chan struct {}")),
		roots: (*[]pointer)(fieldOf("roots", "[]*interp.node"))}
	p.layout = layoutOf(v.FieldByName("roots").Type().Elem().Elem())
	p.names, p.self = namesOf(p.layout.node, p.layout), pointer(in)
	p.globals = globalsOf(v)
	p.scopes = v.FieldByName("scopes")
	if p.scopes.Kind() != reflect.Map {
		unknown("Interpreter has no scopes")
	}
	*p.done = make(chan struct{})
	*(*bool)(fieldOf("cancelChan", "bool")) = true
	return p
}

// each calls f with the trees that were compiled since the last time.
func (p private) each(f func(root pointer)) {
	for _, root := range *p.roots {
		f(root)
	}
}

// trees takes the trees that were compiled since the last time. yaegi keeps a list of them for a debugger.
func (p private) trees(r *run) (out []tree) {
	for _, root := range *p.roots {
		out = append(out, tree{root, r})
	}
	*p.roots = nil
	return out
}

// globals are the interpreter's.
type globals struct {
	types *[]reflect.Type  // of all that were declared
	frame *[]reflect.Value // room for them
	made  int              // how many have their places
}

func globalsOf(interpreter reflect.Value) globals {
	in := func(name, field, typ string) pointer {
		f := interpreter.FieldByName(name).Elem().FieldByName(field)
		if !f.IsValid() || f.Type().String() != typ {
			unknown("%s has no field %s %s", name, field, typ)
		}
		return f.Addr().UnsafePointer()
	}
	return globals{types: (*[]reflect.Type)(in("universe", "types", "[]reflect.Type")),
		frame: (*[]reflect.Value)(in("frame", "data", "[]reflect.Value"))}
}

// layout says where yaegi's nodes and scopes keep what is cut.
type layout struct {
	kinds                    []retention // by kind
	child, anc, start, scope uintptr
	kind, val                uintptr
	cut                      []span // of a node: fields that nothing needs any more

	ident, meta, typ uintptr

	node  reflect.Type
	stubs map[uint]pointer

	inner, sym, def, pkg uintptr // of a scope
	cutScope, cutWhole   []span
	scopeType, symbols   reflect.Type // symbols is sym's, a map

	symIndex, symGlobal uintptr // of a symbol
	typIncomplete       uintptr // of a type
}

// layoutOf learns where things are in yaegi's type of nodes and in what these refer to.
func layoutOf(node reflect.Type) *layout {
	l := &layout{node: node, stubs: map[uint]pointer{}}
	offset := func(t reflect.Type, name, typ string) uintptr {
		f, ok := t.FieldByName(name)
		if !ok || f.Type.String() != typ {
			unknown("%s has no field %s %s", t, name, typ)
		}
		return f.Offset
	}
	spans := func(t reflect.Type, names ...string) (out []span) {
		for _, name := range names {
			f, ok := t.FieldByName(name)
			if !ok || f.Type.Size()%word != 0 {
				unknown("%s has no field %s", t, name)
			}
			out = append(out, span{f.Offset, int(f.Type.Size() / word)})
		}
		return out
	}
	l.child, l.anc, l.start = offset(node, "child", "[]*interp.node"), offset(node, "anc", "*interp.node"),
		offset(node, "start", "*interp.node")
	l.scope, l.kind, l.val = offset(node, "scope", "*interp.scope"), offset(node, "kind", "interp.nkind"),
		offset(node, "val", "interface {}")
	l.ident, l.meta = offset(node, "ident", "string"), offset(node, "meta", "interface {}")
	l.typ = offset(node, "typ", "*interp.itype")
	f, _ := node.FieldByName("typ")
	l.typIncomplete = offset(f.Type.Elem(), "incomplete", "bool")
	l.cut = spans(node, "tnext", "fnext", "debug", "param", "sym", "meta", "scope")
	f, _ = node.FieldByName("scope")
	scope := f.Type.Elem()
	l.inner, l.sym = offset(scope, "child", "[]*interp.scope"), offset(scope, "sym", "map[string]*interp.symbol")
	l.def, l.pkg, l.scopeType = offset(scope, "def", "*interp.node"), offset(scope, "pkgID", "string"), scope
	l.cutScope = spans(scope, "anc", "child", "loop", "loopRestart", "types", "sym")
	l.cutWhole = append(spans(scope, "def"), l.cutScope...)
	f, _ = scope.FieldByName("sym")
	l.symbols = f.Type
	symbol := f.Type.Elem().Elem()
	l.symIndex, l.symGlobal = offset(symbol, "index", "int"), offset(symbol, "global", "bool")
	f, _ = node.FieldByName("kind")
	for i := range 256 {
		k := reflect.New(f.Type).Elem()
		k.SetUint(uint64(i))
		name := fmt.Sprint(k.Interface())
		if name == "nKind("+strconv.Itoa(i)+")" {
			break
		}
		l.kinds = append(l.kinds, retentions[name])
	}
	return l
}

// names says where in yaegi's types the fields are that the notes are made from.
type names struct {
	kind, level, findex, pos, sym, child uintptr
	symKind                              uintptr
	variable                             uint
	ident                                uint
	around                               map[uint]bool // kinds of expressions in which names are noted
	interp                               uintptr
	data, anc                            uintptr // of a frame
	symGlobal                            uintptr
}

// namesOf learns them; nil means that they are not as expected.
func namesOf(node reflect.Type, l *layout) *names {
	n := &names{kind: l.kind, child: l.child, symGlobal: l.symGlobal, around: map[uint]bool{}}
	ok := true
	offset := func(t reflect.Type, name, typ string) uintptr {
		f, found := t.FieldByName(name)
		ok = ok && found && f.Type.String() == typ
		return f.Offset
	}
	n.level, n.findex = offset(node, "level", "int"), offset(node, "findex", "int")
	n.pos, n.sym = offset(node, "pos", "token.Pos"), offset(node, "sym", "*interp.symbol")
	n.interp = offset(node, "interp", "*interp.Interpreter")
	offset(node, "exec", "interp.bltn")
	if !ok {
		return nil
	}
	f, _ := node.FieldByName("exec")
	frame := f.Type.In(0).Elem()
	n.data, n.anc = offset(frame, "data", "[]reflect.Value"), offset(frame, "anc", "*interp.frame")
	f, _ = node.FieldByName("sym")
	symbol := f.Type.Elem()
	n.symKind = offset(symbol, "kind", "interp.sKind")
	if !ok {
		return nil
	}
	f, _ = symbol.FieldByName("kind")
	n.variable = named(f.Type, "varSym")
	f, _ = node.FieldByName("kind")
	n.ident = named(f.Type, "identExpr")
	for _, name := range []string{"indexExpr", "sliceExpr", "selectorExpr", "starExpr"} {
		n.around[named(f.Type, name)] = true
	}
	return n
}

// named is the constant of a type that is written so.
func named(t reflect.Type, name string) uint {
	for i := range 256 {
		v := reflect.New(t).Elem()
		v.SetUint(uint64(i))
		if fmt.Sprint(v.Interface()) == name {
			return uint(i)
		}
	}
	return 1 << 16
}

// setFieldType changes the type of a struct's field, by yaegi's own function. Whoever calls it knows that the size and
// the kind stay.
//
//go:linkname setFieldType github.com/traefik/yaegi/internal/unsafe2.SetFieldType
func setFieldType(s reflect.Type, i int, t reflect.Type)

// setParts puts parts into a type without a name that was made by package reflect: the elements of a list, array,
// pointer or channel, the key and elements of a map, the parameters and results of a function. Their sizes and where
// they have pointers stay.
func setParts(t reflect.Type, parts []reflect.Type) {
	word := func(t reflect.Type) pointer { return (*[2]pointer)(pointer(&t))[1] }
	places := []uintptr{elemAt}
	switch t.Kind() {
	case reflect.Map:
		places = []uintptr{elemAt, elemAt + unsafe.Sizeof(uintptr(0))}
	case reflect.Func:
		places = nil
		for i := range parts { // behind the two counts
			places = append(places, elemAt+uintptr(1+i)*unsafe.Sizeof(uintptr(0)))
		}
	case reflect.Array:
		*field[pointer](word(t), elemAt+unsafe.Sizeof(uintptr(0))) = word(reflect.SliceOf(parts[0]))
	}
	for i, at := range places {
		*field[pointer](word(t), at) = word(parts[i])
	}
	if got := partsOf(t); !slices.Equal(got, parts) {
		unknown("types of package reflect have other parts than were put in: %v", t.Kind())
	}
}

// elemAt is where the type of the elements lies in package reflect's types: behind what all kinds have.
var elemAt = reflect.TypeFor[abiType]().Size()

// abiType is the beginning of all of package reflect's types.
type abiType struct {
	_, _       uintptr                     // the size, and that of the part with pointers
	_          uint32                      // a hash
	_, _, _, _ uint8                       // flags, alignments, the kind
	_          func(pointer, pointer) bool // whether two values are equal
	_          *byte                       // where pointers lie
	_, _       int32                       // the name, and the type of pointers to it
}

// partsOf are the types that setParts puts in.
func partsOf(t reflect.Type) (out []reflect.Type) {
	switch t.Kind() {
	case reflect.Map:
		return []reflect.Type{t.Key(), t.Elem()}
	case reflect.Func:
		for i := range t.NumIn() {
			out = append(out, t.In(i))
		}
		for i := range t.NumOut() {
			out = append(out, t.Out(i))
		}
		return out
	}
	return []reflect.Type{t.Elem()}
}

// symbols are the names of the package that all trees belong to.
func (p private) symbols() (names reflect.Value, ok bool) {
	scope := p.scopes.MapIndex(reflect.ValueOf("main"))
	if !scope.IsValid() {
		return names, false
	}
	return reflect.NewAt(p.layout.symbols, unsafe.Add(scope.UnsafePointer(), p.layout.sym)).Elem(), true
}

// drop forgets a name of the package that all trees belong to, and its value if it is a variable, whose index it
// returns; else -1.
func (p private) drop(name string) int {
	names, ok := p.symbols()
	if !ok {
		return -1
	}
	key := reflect.ValueOf(name)
	sym := names.MapIndex(key)
	if !sym.IsValid() {
		return -1
	}
	names.SetMapIndex(key, reflect.Value{})
	s := sym.UnsafePointer()
	if !*field[bool](s, p.layout.symGlobal) {
		return -1
	}
	data := *p.globals.frame
	if i := *field[int](s, p.layout.symIndex); i >= 0 && i < len(data) {
		data[i] = reflect.Value{}
		return i
	}
	return -1
}

// address reads a pointer of a traceback.
func address(text []byte) (pointer, bool) {
	n, err := strconv.ParseUint(string(text), 0, 64)
	p := uintptr(n)
	return *(*pointer)(pointer(&p)), err == nil && n != 0
}

// Stable returns a copy of a variable that was not changed while it was copied; ok is false where it changes all the
// time.
func Stable(x reflect.Value) (c reflect.Value, ok bool) {
	a, b := reflect.New(x.Type()).Elem(), reflect.New(x.Type()).Elem()
	raw := func(v reflect.Value) string {
		return unsafe.String((*byte)(v.Addr().UnsafePointer()), v.Type().Size())
	}
	for range 10 {
		a.Set(x)
		b.Set(x)
		if raw(a) == raw(b) {
			return a, true
		}
	}
	return x, false
}
