package quick

import "reflect"

// Note: who asks which functions run
//
// Somebody may ask for the receivers of the methods that run. While nobody does, a call costs one look at Watched.

// runSeen is run while somebody asks which functions run.
func (q *Quick) runSeen(p *plan, a *active) {
	var first reflect.Value
	if p.takes && p.results < len(a.data) {
		first = reflect.ValueOf(a.data[p.results].Interface()) // the frame is used again
	}
	defer q.Entered(first)()
	q.steps(p, a)
}

// seen has yaegi's own step of a call of a function of type t tell its first argument too.
func (f *fn) seen(n *node, t reflect.Type) {
	if f.firstSeen(n, t) {
		n.gen = func(n *node) {
			yCall(n)
			n.exec = f.q.seen(n, n.exec)
		}
	}
}

// firstSeen reports whether a call has a first argument that may be a receiver.
func (f *fn) firstSeen(n *node, t reflect.Type) bool {
	return f.q.Watched != nil && t != nil && t.NumIn() > 0 && len(n.child) == t.NumIn()+1 && !t.IsVariadic() &&
		(t.In(0).Kind() == reflect.Pointer || t.In(0).Kind() == reflect.Struct)
}

// seen is the step of a call that tells its first argument while somebody asks.
func (q *Quick) seen(n *node, call bltn) bltn {
	first := genValue(n.child[1])
	return func(f *frame) bltn {
		if q.Watched.Load() == 0 {
			return call(f)
		}
		defer q.Entered(reflect.ValueOf(first(f).Interface()))()
		return call(f)
	}
}
