package quick

import "reflect"

// callCompiled makes a quick step for a call of a host function with simple parameters and result.
func (f *fn) callCompiled(n *node) {
	c0 := n.child[0]
	if n.action != aCall || n.anc.kind == goStmt || n.anc.kind == deferStmt || n.anc.action == aAssignX ||
		f.callMethod(n) {
		return
	}
	if !c0.rval.IsValid() || c0.rval.Kind() != reflect.Func || c0.rval.IsNil() {
		return
	}
	if len(n.child) == 1 && c0.kind == selectorExpr && c0.child[0].ident == f.q.Package &&
		c0.child[1].ident == "Enter" {
		enter := f.q.Enter
		n.gen = func(n *node) {
			next := following(n)
			n.exec = func(*frame) bltn {
				enter()
				return next
			}
		}
		return
	}
	if len(n.child) == 2 && c0.kind == selectorExpr && c0.child[0].ident == f.q.Package &&
		(c0.child[1].ident == "Tensor" || c0.child[1].ident == "Any") {
		f.toAny(n)
		return
	}
	if n.fnext != nil || !c0.rval.CanInterface() {
		return
	}
	switch g := c0.rval.Interface().(type) {
	case func(float64) float64:
		call1(f, n, g)
	case func(float64, float64) float64:
		call2(f, n, g)
	case func(int) int:
		call1(f, n, g)
	case func(int, int) int:
		call2(f, n, g)
	case func(int, int) bool:
		call2(f, n, g)
	case func(string) int:
		call1(f, n, g)
	case func(string) string:
		call1(f, n, g)
	case func(string, string) bool:
		call2(f, n, g)
	case func(string, string) int:
		call2(f, n, g)
	}
}

func call1[A, R basic](f *fn, n *node, g func(A) R) {
	if len(n.child) != 2 || !f.holds(n, kindOf[R]()) {
		return
	}
	a := pure[A](f, n.child[1])
	if a.ok() {
		f.absorb(n.child[1])
	} else if a = atHand[A](f, n.child[1]); !a.ok() {
		return
	}
	x, p := a.eval, slotPlace(n.level, n.findex)
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			r := g(x(f))
			*(*R)(p(f)) = r
			return next
		}
	}
}

func call2[A, B, R basic](f *fn, n *node, g func(A, B) R) {
	if len(n.child) != 3 || !f.holds(n, kindOf[R]()) {
		return
	}
	a, b := pure[A](f, n.child[1]), pure[B](f, n.child[2])
	if a.ok() && b.ok() {
		f.absorb(n.child[1])
		f.absorb(n.child[2])
	} else if a, b = atHand[A](f, n.child[1]), atHand[B](f, n.child[2]); !a.ok() || !b.ok() {
		return
	}
	x, y, p := a.eval, b.eval, slotPlace(n.level, n.findex)
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			r := g(x(f), y(f))
			*(*R)(p(f)) = r
			return next
		}
	}
}

// holds reports whether the value that a node stores in the frame is of a kind.
func (f *fn) holds(n *node, k reflect.Kind) bool {
	t := f.slotType(n)
	return n.sym == nil && t != nil && t.Kind() == k
}

// toAny makes quick steps for the engine's functions that convert their argument to any.
func (f *fn) toAny(n *node) {
	t, s := f.slotType(n), f.slotType(n.child[1])
	x := n.child[1]
	if n.sym != nil || t == nil || t.Kind() != reflect.Interface || t.NumMethod() > 0 || s == nil ||
		s.Kind() != reflect.Pointer || x.rval.IsValid() || x.kind == parenExpr {
		return
	}
	fromLevel, from := f.frameIndex(x)
	level, to := n.level, n.findex
	if from < 0 {
		return
	}
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			at(f, level).data[to].Set(at(f, fromLevel).data[from])
			return next
		}
	}
}
