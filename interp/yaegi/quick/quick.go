// Package quick makes yaegi's programs quick.
//
// yaegi executes a tree of nodes: each has a step, a closure that works on a frame of reflect.Values and gives the
// next step. Every operator is a step of its own, every operand a call that gives a reflect.Value, every call of a
// function an object for each of its variables. Between the compilation of a tree and the making of its steps there is
// a moment in which the nodes, with all their types, can get other generators of steps, and this package sets them:
// for arithmetic, comparisons, assignments, loops and calls over numbers, strings, booleans, lists and maps of them.
// An expression without calls becomes one Go closure that works on the variables' memory; a call takes its frame from
// those that were used before.
//
// All other nodes keep yaegi's own steps. Both kinds of steps use the same frames, look at the same number before each
// step (which is how a run is stopped), evaluate in the same order and panic with the same values.
package quick

import (
	"go/token"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// Options are what programs ask of the engine that runs them.
type Options struct {
	Package string          // the name under which programs import the engine's functions
	LineVar string          // the variable in which a program notes its line
	Line    *int            // its place
	Call    *token.Pos      // the position of the host call that was made last, nil where it is not noted
	FuncVar string          // how the names of variables end that hold declared functions
	Enter   func()          // what the engine's function Enter does
	Globals *[]reflect.Type // of all global variables
	Stop    *uint64         // what frames compare their own number with
	Leaving func(f Left)    // a panic leaves a function
	Exiting func() bool     // it is runtime.Goexit, and no panic, that leaves functions
	Shared  *atomic.Bool    // several goroutines run, which may use one map
	Using   func(m reflect.Value, write bool) (release func())
	Watched *atomic.Uintptr                          // not 0 while somebody asks which functions run; nil for never
	Entered func(first reflect.Value) (leave func()) // one with that first argument begins
}

// Left is a function that a panic passes through.
type Left struct {
	Name  string // as yaegi says it: main.f
	Pos   int    // of its first step
	Frame unsafe.Pointer
}

// Quick replaces steps in the trees of one interpreter by quick ones.
type Quick struct {
	Options
	bound map[int]*binding // functions that global variables hold, by index
	plans map[*node]*plan  // of the tree that is looked at
}

// New makes a Quick for an interpreter whose nodes have a type. The error says that it is another yaegi than this
// package knows.
func New(node reflect.Type, o Options) (*Quick, error) {
	if err := check(node); err != nil {
		return nil, err
	}
	return &Quick{Options: o, bound: map[int]*binding{}}, nil
}

// Forget lets go of what a global variable held.
func (q *Quick) Forget(global int) { delete(q.bound, global) }

// Tree replaces steps of a tree that has been compiled, but not executed, by quick ones.
func (q *Quick) Tree(root unsafe.Pointer) {
	q.plans = map[*node]*plan{}
	q.functions((*node)(root), nil)
	for def, p := range q.plans {
		p.still = p.plain && isStill(def.child[3])
	}
	q.plans = nil
}

// functions finds the functions below a node, which is in another or in none.
func (q *Quick) functions(n *node, in *fn) {
	if (n.kind == funcDecl || n.kind == funcLit) && len(n.child) == 4 && n.types != nil {
		f := &fn{q: q, def: n, outer: in, absorbed: map[*node]bool{}}
		f.plain = f.isPlain(n.child[3])
		if n.kind == funcLit { // its steps have been made
			forgetSteps(n.child[3])
		}
		f.stmt(n.child[3])
		if n.kind == funcLit {
			getExec(n.child[3].start)
		}
		return
	}
	for _, c := range n.child {
		q.functions(c, in)
	}
}

func forgetSteps(n *node) {
	n.exec = nil
	for _, c := range n.child {
		forgetSteps(c)
	}
}

// fn is a function whose nodes are looked at.
type fn struct {
	q        *Quick
	def      *node
	outer    *fn
	plain    bool           // nothing keeps its variables or its frame
	absorbed map[*node]bool // nodes that a step above them evaluates
}

// isPlain reports whether nothing below a node keeps the function's frame or the address of one of its variables.
func (f *fn) isPlain(n *node) bool {
	switch n.kind {
	case funcLit, addressExpr, goStmt, deferStmt:
		return false
	case sliceExpr:
		if t := f.slotType(n.child[0]); t == nil || t.Kind() == reflect.Array {
			return false
		}
	case identExpr: // a function that is no call's
		if n.sym != nil && n.sym.kind == funcSym && (n.anc.kind != callExpr || n.anc.child[0] != n) {
			return false
		}
	case callExpr:
		// a method may keep the address of its variable
		if c := n.child[0]; c.kind == selectorExpr && !c.rval.IsValid() {
			if t := f.slotType(c.child[0]); t == nil || t.Kind() != reflect.Pointer {
				return false
			}
		}
	}
	for _, c := range n.child {
		if !f.isPlain(c) {
			return false
		}
	}
	return true
}

// slotType is the type of what is in the frame for a node, or nil.
func (f *fn) slotType(n *node) reflect.Type {
	i := n.findex
	if n.sym != nil {
		i = n.sym.index
		if n.sym.global {
			return typeAt(*f.q.Globals, i)
		}
	}
	switch {
	case n.level == globalFrame:
		return typeAt(*f.q.Globals, i)
	case n.level < 0:
		return nil
	}
	g := f
	for range n.level {
		if g = g.outer; g == nil {
			return nil
		}
	}
	return typeAt(g.def.types, i)
}

func typeAt(l []reflect.Type, i int) reflect.Type {
	if i < 0 || i >= len(l) {
		return nil
	}
	return l[i]
}

// stmt makes quick steps for n and the nodes below it, where that is possible.
func (f *fn) stmt(n *node) {
	if f.absorbed[n] {
		return
	}
	switch n.kind {
	case funcLit:
		f.q.functions(n, f)
		f.closure(n)
		return
	case assignStmt, defineStmt:
		f.assign(n)
	case incDecStmt:
		f.incDec(n)
	case returnStmt:
		f.returns(n)
	case callExpr:
		f.call(n)
	case rangeStmt:
		f.ranges(n)
	case identExpr, binaryExpr, unaryExpr, landExpr, lorExpr, parenExpr, indexExpr, selectorExpr, starExpr:
		f.expression(n)
	}
	f.bounded(n)
	f.sharedMaps(n)
	f.nop(n)
	for _, c := range n.child {
		f.stmt(c)
	}
}

// nop leaves out a step that does nothing. Steps in which loops close stay: a loop of nothing would have none.
func (f *fn) nop(n *node) {
	if !is(n, yNop) {
		return
	}
	switch n.kind {
	case blockStmt:
		// the others have a last step
		if k := n.anc.kind; k >= forStmt0 && k < forStmt7-3 || k == forRangeStmt || k == rangeStmt {
			return
		}
	case ifStmt0, ifStmt0 + 1, ifStmt0 + 2, ifStmt3, assignStmt, defineStmt, exprStmt, declStmt, parenExpr:
	default:
		return
	}
	n.gen = skip
}

// done ends a function.
func done(*frame) bltn { return nil }

// skip makes a node's step that of the next.
func skip(n *node) { n.exec = following(n) }

// following is the step behind a node's.
func following(n *node) bltn { return stepOf(n.tnext) }

// stepOf is a node's step, never nil: yaegi takes nil for one that has not been made.
func stepOf(n *node) bltn {
	if next := getExec(n); next != nil {
		return next
	}
	return done
}

// absorb has the step above evaluate a node and all below it.
func (f *fn) absorb(n *node) {
	f.absorbed[n] = true
	if n.kind != identExpr && n.kind != basicLit || n.gen != nil && is(n, yBranch) {
		n.gen = skip
	}
	for _, c := range n.child {
		f.absorb(c)
	}
}

// slot is the place of a variable in a frame.
func slot(f *frame, i int) unsafe.Pointer { return (*value)(unsafe.Pointer(&f.data[i])).ptr }

// onlyBranches reports whether nothing uses a node's value but the branch behind it.
func onlyBranches(n *node) bool {
	k := n.anc.kind
	return n.fnext != nil && (k >= ifStmt0 && k <= ifStmt3 || k >= forStmt0 && k <= forStmt7)
}
