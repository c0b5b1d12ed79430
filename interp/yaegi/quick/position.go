package quick

import "go/token"

// Note: the position of a call. A statement notes its line, but a @ b @ c has two calls in one statement. The step of
// a call of host code therefore notes the call's position before the call: when host code panics, the last position
// is that of the call that failed. Code that another call of the statement runs in between does not matter, since each
// call notes its own position.

// noteCall has yaegi's step of a host call note the call's position.
func (f *fn) noteCall(n *node) {
	if !is(n, yCallBin) || f.q.Call == nil || n.anc.kind == goStmt || n.anc.kind == deferStmt {
		return
	}
	last, pos := f.q.Call, callPos(n)
	n.gen = func(n *node) {
		yCallBin(n)
		call := n.exec
		n.exec = func(f *frame) bltn {
			*last = pos
			return call(f)
		}
	}
}

// callPos is the position of the name of the function or method that a call names.
func callPos(n *node) token.Pos {
	if c := n.child[0]; c.kind == selectorExpr && len(c.child) == 2 {
		return c.child[1].pos
	}
	return n.child[0].pos
}
