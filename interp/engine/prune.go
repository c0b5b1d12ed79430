package engine

import (
	"fmt"
	"reflect"
	"strconv"
	"unsafe"
)

// Note: what a tree keeps
//
// yaegi compiles a tree of nodes into closures and keeps both: some 350 bytes
// for every word of a function for as long as the function lives. What runs
// needs little of that: the node of a function with its name and its body's
// first node; what stands in assignments and assertions, which closures look at;
// and where a first node stands, in which function, for the frames of a panic.
// So when a tree has been compiled and run, the ties from node to node are cut,
// and the collector takes every node that no closure holds. Declarations of
// types and variables stay whole: later trees are checked against them.

// layout says where yaegi's nodes and scopes keep what is cut.
type layout struct {
	kinds                    []keep // by kind
	child, anc, start, scope uintptr
	kind, val                uintptr
	cut                      []span // of a node: fields that nothing needs any more

	inner, sym uintptr // of a scope
	cutScope   []span
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
	keepAll           // a declaration of types or variables
)

var keeps = map[string]keep{
	"assignStmt": keepChildren, "assignXStmt": keepChildren, "defineStmt": keepChildren, "defineXStmt": keepChildren, "typeAssertExpr": keepChildren,
	"callExpr": keepResult, "funcType": keepParent, "funcDecl": keepFunction, "funcLit": keepLiteral, "typeDecl": keepAll, "varDecl": keepAll,
}

// layoutOf learns where things are in yaegi's type of nodes.
func layoutOf(node reflect.Type) *layout {
	l := &layout{}
	field := func(t reflect.Type, name, typ string) uintptr {
		f, ok := t.FieldByName(name)
		if !ok || f.Type.String() != typ {
			panic(fmt.Sprintf("interp/engine: yaegi's %s has no field %s %s: this package knows v0.16.1", t, name, typ))
		}
		return f.Offset
	}
	spans := func(t reflect.Type, names ...string) (out []span) {
		for _, name := range names {
			f, ok := t.FieldByName(name)
			if !ok || f.Type.Size()%unsafe.Sizeof(uintptr(0)) != 0 {
				panic(fmt.Sprintf("interp/engine: yaegi's %s has no field %s: this package knows v0.16.1", t, name))
			}
			out = append(out, span{f.Offset, int(f.Type.Size() / unsafe.Sizeof(uintptr(0)))})
		}
		return out
	}
	l.child, l.anc, l.start = field(node, "child", "[]*interp.node"), field(node, "anc", "*interp.node"), field(node, "start", "*interp.node")
	l.scope, l.kind, l.val = field(node, "scope", "*interp.scope"), field(node, "kind", "interp.nkind"), field(node, "val", "interface {}")
	l.cut = spans(node, "tnext", "fnext", "debug", "param", "sym", "meta")
	f, _ := node.FieldByName("scope")
	scope := f.Type.Elem()
	l.inner, l.sym = field(scope, "child", "[]*interp.scope"), field(scope, "sym", "map[string]*interp.symbol")
	l.cutScope = spans(scope, "anc", "child", "loop", "loopRestart", "types", "sym")
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
	return keepAll
}

// prune cuts the ties of a tree. where is the first node of the function that n is in, or nil.
func (l *layout) prune(n, where unsafe.Pointer) {
	k := l.keep(n)
	if k == keepAll {
		*at(n, l.anc) = nil
		return
	}
	children := list(n, l.child)
	inner := where
	if body := l.body(n, k); body != nil {
		inner = *at(body, l.start)
	}
	for _, c := range *children {
		l.prune(c, inner)
	}
	clear(n, l.cut)
	switch k {
	case keepFunction, keepLiteral:
		if body := l.body(n, k); body != nil {
			for i := range 3 { // but for its name
				(*children)[i] = (*children)[1]
			}
			*at(body, l.start) = inner
		}
		*at(n, l.anc) = where
	case keepParent:
		*children = nil
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
	if k != keepFunction && k != keepLiteral {
		*at(n, l.start) = nil
	}
}

// body is the block of a function, or nil.
func (l *layout) body(n unsafe.Pointer, k keep) unsafe.Pointer {
	if c := *list(n, l.child); (k == keepFunction || k == keepLiteral) && len(c) == 4 {
		return c[3]
	}
	return nil
}

// pruneScopes empties the scopes inside a package's.
func (l *layout) pruneScopes(s unsafe.Pointer) {
	inner := *list(s, l.inner)
	*list(s, l.inner) = nil
	for _, c := range inner {
		l.pruneScopes(c)
		clear(c, l.cutScope)
	}
}
