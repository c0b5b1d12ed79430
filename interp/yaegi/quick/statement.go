package quick

import "reflect"

// noteLine is an assignment of a constant to the variable of lines: it is part of the step that follows.
func (f *fn) noteLine(n, dest, src *node) bool {
	if dest.kind != identExpr || dest.ident != f.q.LineVar || dest.sym == nil || !dest.sym.global ||
		f.q.Line == nil || n.kind != assignStmt || !src.rval.IsValid() {
		return false
	}
	line, ok := constantOf[int](src.rval)
	if !ok {
		return false
	}
	at := f.q.Line
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			*at = line
			return next(f)
		}
	}
	return true
}

// reset is var x T: a new variable of its type's zero value, or the same one emptied where nobody has it.
func (f *fn) reset(n *node) {
	if !is(n, yReset) || !f.plain || len(n.child) != 2 {
		return
	}
	i := n.child[0].findex
	t := typeAt(f.def.types, i)
	if t == nil || !indirect(t) {
		return
	}
	n.gen = func(n *node) {
		next := following(n)
		n.exec = func(f *frame) bltn {
			if v := f.data[i]; v.CanSet() {
				v.SetZero()
			} else { // a step of yaegi's put a value there that cannot be set
				f.data[i] = reflect.New(t).Elem()
			}
			return next
		}
	}
}

// returns makes quick steps for returns of numbers, strings and bools.
func (f *fn) returns(n *node) {
	if !is(n, yReturn) {
		return
	}
	switch len(n.child) {
	case 0:
		n.gen = func(n *node) { n.exec = done }
	case 1:
		if give := f.result(n.child[0], 0); give != nil {
			n.gen = func(n *node) {
				n.exec = func(f *frame) bltn {
					give(f)
					return nil
				}
			}
		}
	}
}

// result returns what puts a value where a function's result is, nil if that is not known here, or the value's own
// step has put it there.
func (f *fn) result(n *node, i int) func(*frame) {
	t := typeAt(f.def.types, i)
	if t == nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Bool:
		return resultAs[bool](f, n, i)
	case reflect.String:
		return resultAs[string](f, n, i)
	case reflect.Int:
		return resultAs[int](f, n, i)
	case reflect.Int32:
		return resultAs[int32](f, n, i)
	case reflect.Int64:
		return resultAs[int64](f, n, i)
	case reflect.Uint8:
		return resultAs[uint8](f, n, i)
	case reflect.Uint64:
		return resultAs[uint64](f, n, i)
	case reflect.Float32:
		return resultAs[float32](f, n, i)
	case reflect.Float64:
		return resultAs[float64](f, n, i)
	}
	return nil
}

func resultAs[T basic](f *fn, n *node, i int) func(*frame) {
	v := pure[T](f, n)
	if !v.ok() {
		return nil
	}
	f.absorb(n)
	x := v.eval
	return func(f *frame) { *(*T)(slot(f, i)) = x(f) }
}
