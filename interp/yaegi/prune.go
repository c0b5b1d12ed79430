package yaegi

import (
	"reflect"
	"slices"

	"gotorch/interp/core"
)

// Note: what a tree keeps
//
// yaegi compiles a tree of nodes into closures and keeps both: some 350 bytes for every word of a function for as long
// as the function lives. What runs needs little of that: the node of a function with its name and its body's first
// node; what stands in assignments and assertions, which closures look at; and where a first node stands, in which
// function, for the frames of a panic. So when a tree has been compiled and run, the ties from node to node are cut,
// and the collector takes every node that no closure holds.

// retention says what stays of a node.
type retention uint8

const (
	keepNothing  retention = iota
	keepChildren           // an assignment or assertion
	keepResult             // a call, of which an assignment may be the parent
	keepParent             // the type of a function
	keepFunction           // a declared function
	keepLiteral            // a closure
	keepName               // an identifier
	keepTree               // a declaration of types, whole where one of them is to be read again
)

var retentions = map[string]retention{
	"assignStmt": keepChildren, "assignXStmt": keepChildren, "defineStmt": keepChildren, "defineXStmt": keepChildren,
	"typeAssertExpr": keepChildren,
	"callExpr":       keepResult, "funcType": keepParent, "funcDecl": keepFunction, "funcLit": keepLiteral,
	"typeDecl":  keepTree,
	"identExpr": keepName,
}

func (l *layout) retention(n pointer) retention {
	if k := *field[uint](n, l.kind); k < uint(len(l.kinds)) {
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
	first pointer // its first node, which its caller keeps while it runs
	place pointer // a scope that says which function it is the first node of
	where pointer // a node with that scope and nothing else, if a closure is in the function
	uses  []*core.Global
}

// prune cuts the ties of a tree that is inside of a function, or of none.
func (l *pruning) prune(n pointer, in *function) {
	k := l.retention(n)
	if k == keepTree && l.incomplete(n) {
		*field[pointer](n, l.anc) = nil
		return
	}
	children := field[[]pointer](n, l.child)
	inner, body := in, l.body(n, k)
	if body != nil {
		inner = &function{first: *field[pointer](body, l.start)}
		if inner.first != nil && *field[pointer](inner.first, l.scope) != nil {
			inner.place = l.place(*field[pointer](inner.first, l.scope), n)
		}
	}
	for _, c := range *children {
		l.prune(c, inner)
	}
	clear(n, l.cut)
	switch k {
	case keepFunction, keepLiteral:
		if *field[pointer](n, l.anc) = nil; in != nil {
			*field[pointer](n, l.anc) = l.placeIn(in)
		}
		if body == nil {
			break
		}
		for i := range 3 { // but for its name
			(*children)[i] = (*children)[1]
		}
		if *field[pointer](body, l.start) = inner.first; inner.first == nil {
			break
		}
		*field[pointer](inner.first, l.scope) = inner.place
		if len(inner.uses) > 0 {
			*field[any](inner.first, l.meta) = inner.uses
		}
		return
	case keepName:
		if name := *field[string](n, l.ident); in != nil && name != "" {
			if g := l.held(name); g != nil && !slices.Contains(in.uses, g) {
				in.uses = append(in.uses, g)
			}
		}
		*field[pointer](n, l.anc) = nil
	case keepParent: // what is left of it is its kind: later trees ask whether a type is a declared function's
		*children = nil
		if a := *field[pointer](n, l.anc); a != nil {
			*field[pointer](n, l.anc) = l.stub(*field[uint](a, l.kind))
		}
	case keepChildren:
		*field[pointer](n, l.anc) = nil
	case keepResult:
		*children = nil
		if a := *field[pointer](n, l.anc); a != nil && l.retention(a) != keepChildren {
			*field[pointer](n, l.anc) = nil
		}
	default:
		*children = nil
		*field[pointer](n, l.anc) = nil
	}
	*field[pointer](n, l.start) = nil
}

// place is a scope that says which function it is in, for the frames of a panic, and nothing else.
func (l *layout) place(s, fn pointer) pointer {
	p := reflect.New(l.scopeType).UnsafePointer()
	*field[string](p, l.pkg) = *field[string](s, l.pkg)
	*field[pointer](p, l.def) = fn
	return p
}

// placeIn is a node that says which function a closure is in. The function's own first node would not do: it may be
// the closure, and yaegi would go round in circles.
func (l *layout) placeIn(f *function) pointer {
	if f.where == nil && f.place != nil {
		f.where = reflect.New(l.node).UnsafePointer()
		*field[pointer](f.where, l.scope) = f.place
	}
	return f.where
}

// stub is a node of a kind and nothing else.
func (l *layout) stub(kind uint) pointer {
	if l.stubs[kind] == nil {
		n := reflect.New(l.node).UnsafePointer()
		*field[uint](n, l.kind) = kind
		l.stubs[kind] = n
	}
	return l.stubs[kind]
}

// incomplete reports whether a tree declares a type that yaegi will read again.
func (l *layout) incomplete(n pointer) bool {
	if t := *field[pointer](n, l.typ); t != nil && *field[bool](t, l.typIncomplete) {
		return true
	}
	return slices.ContainsFunc(*field[[]pointer](n, l.child), l.incomplete)
}

// body is the block of a function, or nil.
func (l *layout) body(n pointer, k retention) pointer {
	if c := *field[[]pointer](n, l.child); (k == keepFunction || k == keepLiteral) && len(c) == 4 {
		return c[3]
	}
	return nil
}

// pruneScopes empties the scopes inside a package's; cut is cutScope where a tree that is not pruned may still ask a
// scope for its function.
func (l *layout) pruneScopes(s pointer, cut []span) {
	inner := *field[[]pointer](s, l.inner)
	*field[[]pointer](s, l.inner) = nil
	for _, c := range inner {
		l.pruneScopes(c, cut)
		clear(c, cut)
	}
}

// tree is one that a run compiled.
type tree struct {
	root pointer
	run  *run
}

// forget drops what yaegi keeps of trees that have been executed: what [pruning.prune] and [layout.pruneScopes] cut.
// Those whose goroutines go on stay as they are until these have ended: one that panics looks at its tree.
func (e *Engine) forget(r *run) {
	trees := append(e.trees, e.inner.trees(r)...)
	e.trees = nil
	for _, t := range trees {
		if e.goroutines.of(t.run) {
			e.trees = append(e.trees, t)
		} else {
			(&pruning{e.inner.layout, e.owned.held}).prune(t.root, nil)
		}
	}
	cut := e.inner.layout.cutWhole
	if len(e.trees) > 0 {
		cut = e.inner.layout.cutScope
	}
	for it := e.inner.scopes.MapRange(); it.Next(); {
		e.inner.layout.pruneScopes(it.Value().UnsafePointer(), cut)
	}
}
