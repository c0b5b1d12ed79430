package yaegi

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"unsafe"

	"gotorch/interp/core"
)

// Note: what a tree keeps
//
// yaegi compiles a tree of nodes into closures and keeps both: some 350 bytes
// for every word of a function for as long as the function lives. What runs
// needs little of that: the node of a function with its name and its body's
// first node; what stands in assignments and assertions, which closures look at;
// and where a first node stands, in which function, for the frames of a panic.
// So when a tree has been compiled and run, the ties from node to node are cut,
// and the collector takes every node that no closure holds.

// layout says where yaegi's nodes and scopes keep what is cut.
type layout struct {
	kinds                    []keep // by kind
	child, anc, start, scope uintptr
	kind, val                uintptr
	cut                      []span // of a node: fields that nothing needs any more

	ident, meta, typ uintptr

	node  reflect.Type
	stubs map[uint]unsafe.Pointer

	inner, sym, def, pkg uintptr // of a scope
	cutScope, cutWhole   []span
	scopeType, symbols   reflect.Type // symbols is sym's, a map

	symIndex, symGlobal uintptr // of a symbol
	typIncomplete       uintptr // of a type
}

// span is a field: where it is and how many words it takes.
type span struct {
	at    uintptr
	words int
}

// keep says what stays of a node.
type keep uint8

const (
	keepNothing  keep = iota
	keepChildren      // an assignment or assertion
	keepResult        // a call, of which an assignment may be the parent
	keepParent        // the type of a function
	keepFunction      // a declared function
	keepLiteral       // a closure
	keepName          // an identifier
	keepTree          // a declaration of types, whole where one of them is to be read again
)

var keeps = map[string]keep{
	"assignStmt": keepChildren, "assignXStmt": keepChildren, "defineStmt": keepChildren, "defineXStmt": keepChildren, "typeAssertExpr": keepChildren,
	"callExpr": keepResult, "funcType": keepParent, "funcDecl": keepFunction, "funcLit": keepLiteral, "typeDecl": keepTree,
	"identExpr": keepName,
}

// layoutOf learns where things are in yaegi's type of nodes and in what these refer to.
func layoutOf(node reflect.Type) *layout {
	l := &layout{node: node, stubs: map[uint]unsafe.Pointer{}}
	field := func(t reflect.Type, name, typ string) uintptr {
		f, ok := t.FieldByName(name)
		if !ok || f.Type.String() != typ {
			panic(fmt.Sprintf("interp/yaegi: yaegi's %s has no field %s %s: this package knows v0.16.1", t, name, typ))
		}
		return f.Offset
	}
	spans := func(t reflect.Type, names ...string) (out []span) {
		for _, name := range names {
			f, ok := t.FieldByName(name)
			if !ok || f.Type.Size()%unsafe.Sizeof(uintptr(0)) != 0 {
				panic(fmt.Sprintf("interp/yaegi: yaegi's %s has no field %s: this package knows v0.16.1", t, name))
			}
			out = append(out, span{f.Offset, int(f.Type.Size() / unsafe.Sizeof(uintptr(0)))})
		}
		return out
	}
	l.child, l.anc, l.start = field(node, "child", "[]*interp.node"), field(node, "anc", "*interp.node"), field(node, "start", "*interp.node")
	l.scope, l.kind, l.val = field(node, "scope", "*interp.scope"), field(node, "kind", "interp.nkind"), field(node, "val", "interface {}")
	l.ident, l.meta = field(node, "ident", "string"), field(node, "meta", "interface {}")
	l.typ = field(node, "typ", "*interp.itype")
	f, _ := node.FieldByName("typ")
	l.typIncomplete = field(f.Type.Elem(), "incomplete", "bool")
	l.cut = spans(node, "tnext", "fnext", "debug", "param", "sym", "meta", "scope")
	f, _ = node.FieldByName("scope")
	scope := f.Type.Elem()
	l.inner, l.sym = field(scope, "child", "[]*interp.scope"), field(scope, "sym", "map[string]*interp.symbol")
	l.def, l.pkg, l.scopeType = field(scope, "def", "*interp.node"), field(scope, "pkgID", "string"), scope
	l.cutScope = spans(scope, "anc", "child", "loop", "loopRestart", "types", "sym")
	l.cutWhole = append(spans(scope, "def"), l.cutScope...)
	f, _ = scope.FieldByName("sym")
	l.symbols = f.Type
	symbol := f.Type.Elem().Elem()
	l.symIndex, l.symGlobal = field(symbol, "index", "int"), field(symbol, "global", "bool")
	f, _ = node.FieldByName("kind")
	for i := range 256 {
		k := reflect.New(f.Type).Elem()
		k.SetUint(uint64(i))
		name := fmt.Sprint(k.Interface())
		if name == "nKind("+strconv.Itoa(i)+")" {
			break
		}
		l.kinds = append(l.kinds, keeps[name])
	}
	return l
}

func at(p unsafe.Pointer, field uintptr) *unsafe.Pointer {
	return (*unsafe.Pointer)(unsafe.Add(p, field))
}

func list(p unsafe.Pointer, field uintptr) *[]unsafe.Pointer {
	return (*[]unsafe.Pointer)(unsafe.Add(p, field))
}

func clear(p unsafe.Pointer, spans []span) {
	for _, s := range spans {
		for i := range s.words {
			*at(p, s.at+uintptr(i)*unsafe.Sizeof(uintptr(0))) = nil
		}
	}
}

func (l *layout) keep(n unsafe.Pointer) keep {
	if k := *(*uint)(unsafe.Add(n, l.kind)); k < uint(len(l.kinds)) {
		return l.kinds[k]
	}
	return keepTree
}

// pruning cuts the ties of trees.
type pruning struct {
	*layout
	held func(name string) *core.Global
}

// function is one whose body is looked at.
type function struct {
	first unsafe.Pointer // its first node, which whoever calls it holds while it runs
	place unsafe.Pointer // a scope that says which function it is the first node of
	where unsafe.Pointer // a node with that scope and nothing else, if a closure is in the function
	uses  []*core.Global
}

// prune cuts the ties of a tree that is inside of a function, or of none.
func (l *pruning) prune(n unsafe.Pointer, in *function) {
	k := l.keep(n)
	if k == keepTree && l.incomplete(n) {
		*at(n, l.anc) = nil
		return
	}
	children := list(n, l.child)
	inner, body := in, l.body(n, k)
	if body != nil {
		inner = &function{first: *at(body, l.start)}
		if inner.first != nil && *at(inner.first, l.scope) != nil {
			inner.place = l.place(*at(inner.first, l.scope), n)
		}
	}
	for _, c := range *children {
		l.prune(c, inner)
	}
	clear(n, l.cut)
	switch k {
	case keepFunction, keepLiteral:
		if *at(n, l.anc) = nil; in != nil {
			*at(n, l.anc) = l.within(in)
		}
		if body == nil {
			break
		}
		for i := range 3 { // but for its name
			(*children)[i] = (*children)[1]
		}
		if *at(body, l.start) = inner.first; inner.first == nil {
			break
		}
		*at(inner.first, l.scope) = inner.place
		if len(inner.uses) > 0 {
			*(*any)(unsafe.Add(inner.first, l.meta)) = inner.uses
		}
		return
	case keepName:
		if name := *(*string)(unsafe.Add(n, l.ident)); in != nil && name != "" {
			if g := l.held(name); g != nil && !slices.Contains(in.uses, g) {
				in.uses = append(in.uses, g)
			}
		}
		*at(n, l.anc) = nil
	case keepParent: // what is left of it is its kind: later trees ask whether a type is a declared function's
		*children = nil
		if a := *at(n, l.anc); a != nil {
			*at(n, l.anc) = l.stub(*(*uint)(unsafe.Add(a, l.kind)))
		}
	case keepChildren:
		*at(n, l.anc) = nil
	case keepResult:
		*children = nil
		if a := *at(n, l.anc); a != nil && l.keep(a) != keepChildren {
			*at(n, l.anc) = nil
		}
	default:
		*children = nil
		*at(n, l.anc) = nil
	}
	*at(n, l.start) = nil
}

// place is a scope that says which function it is in, for the frames of a panic, and nothing else.
func (l *layout) place(s, fn unsafe.Pointer) unsafe.Pointer {
	p := reflect.New(l.scopeType).UnsafePointer()
	*(*string)(unsafe.Add(p, l.pkg)) = *(*string)(unsafe.Add(s, l.pkg))
	*at(p, l.def) = fn
	return p
}

// within is a node that says which function a closure is in. The function's own first node would not do: it may be the closure, and yaegi would
// go round in circles.
func (l *layout) within(f *function) unsafe.Pointer {
	if f.where == nil && f.place != nil {
		f.where = reflect.New(l.node).UnsafePointer()
		*at(f.where, l.scope) = f.place
	}
	return f.where
}

// stub is a node of a kind and nothing else.
func (l *layout) stub(kind uint) unsafe.Pointer {
	if l.stubs[kind] == nil {
		n := reflect.New(l.node).UnsafePointer()
		*(*uint)(unsafe.Add(n, l.kind)) = kind
		l.stubs[kind] = n
	}
	return l.stubs[kind]
}

// incomplete says whether a tree declares a type that yaegi will read again.
func (l *layout) incomplete(n unsafe.Pointer) bool {
	if t := *at(n, l.typ); t != nil && *(*bool)(unsafe.Add(t, l.typIncomplete)) {
		return true
	}
	return slices.ContainsFunc(*list(n, l.child), l.incomplete)
}

// body is the block of a function, or nil.
func (l *layout) body(n unsafe.Pointer, k keep) unsafe.Pointer {
	if c := *list(n, l.child); (k == keepFunction || k == keepLiteral) && len(c) == 4 {
		return c[3]
	}
	return nil
}

// pruneScopes empties the scopes inside a package's; cut is cutScope where a tree that is not pruned may still ask a scope for its function.
func (l *layout) pruneScopes(s unsafe.Pointer, cut []span) {
	inner := *list(s, l.inner)
	*list(s, l.inner) = nil
	for _, c := range inner {
		l.pruneScopes(c, cut)
		clear(c, cut)
	}
}
