package quick

import (
	"fmt"
	"reflect"
	_ "unsafe" // go:linkname
)

// Package reflect, with which yaegi reads elements and slices, does not say which index was out of range, as Go does.
// The steps here check first.

//go:linkname yGenValue github.com/traefik/yaegi/interp.genValue
func yGenValue(*node) func(*frame) reflect.Value

//go:linkname yGenValueArray github.com/traefik/yaegi/interp.genValueArray
func yGenValueArray(*node) func(*frame) reflect.Value

//go:linkname yInt github.com/traefik/yaegi/interp.vInt
func yInt(reflect.Value) int64

// outside is what an index that is out of range panics with: the text of package reflect, which the engine knows, and
// what Go says behind it.
func outside(text string, i, length int, k reflect.Kind) string {
	switch {
	case i >= 0:
		return fmt.Sprintf("%s [%d] with length %d", text, i, length)
	case unsigned(k):
		return fmt.Sprintf("%s [%d] with length %d", text, uint(i), length)
	}
	return fmt.Sprintf("%s [%d]", text, i)
}

func unsigned(k reflect.Kind) bool { return k >= reflect.Uint && k <= reflect.Uintptr }

// rangeTexts are the messages for an index out of range, by the kind of the indexed value.
var rangeTexts = map[reflect.Kind]string{reflect.Slice: outOfRange, reflect.Array: outOfRangeArray,
	reflect.String: outOfRangeString}

// bounded replaces yaegi's steps for elements and slices by steps that check the bounds.
func (f *fn) bounded(n *node) {
	switch {
	case is(n, yIndexArray) && len(n.child) == 2:
		n.gen = boundedIndex
	case n.kind == sliceExpr && usual(n):
		n.gen = boundedSlice
		if n.action == aSlice0 {
			n.gen = boundedSlice0
		}
	}
}

// isBounded reports whether a node's step is one of those.
func isBounded(n *node) bool {
	return is(n, boundedIndex) || is(n, boundedSlice) || is(n, boundedSlice0)
}

// boundedIndex makes the step of x[i].
func boundedIndex(n *node) {
	list, index := yGenValueArray(n.child[0]), indexValue(n.child[1])
	dest, level := n.findex, n.level
	element := func(f *frame) reflect.Value {
		i, k := index(f)
		l := list(f)
		if !l.IsValid() {
			panic(nilPointer)
		}
		if n := l.Len(); uint(i) >= uint(n) {
			panic(outside(rangeTexts[l.Kind()], i, n, k))
		}
		e := l.Index(i)
		at(f, level).data[dest] = e
		return e
	}
	next := following(n)
	if n.fnext == nil {
		n.exec = func(f *frame) bltn {
			element(f)
			return next
		}
		return
	}
	no := stepOf(n.fnext)
	n.exec = func(f *frame) bltn {
		if element(f).Bool() {
			return next
		}
		return no
	}
}

// indexValue evaluates an index and says of which kind it is.
func indexValue(n *node) func(*frame) (int, reflect.Kind) {
	if v := n.rval; v.IsValid() && !v.CanSet() {
		i, k := int(yInt(v)), v.Kind()
		return func(*frame) (int, reflect.Kind) { return i, k }
	}
	value := yGenValue(n)
	return func(f *frame) (int, reflect.Kind) {
		v := value(f)
		return int(yInt(v)), v.Kind()
	}
}

// boundedSlice makes the step of x[low:], x[low:high] and x[low:high:max].
func boundedSlice(n *node) { sliced(n, n.child[1:]) }

// boundedSlice0 makes the step of those without low.
func boundedSlice0(n *node) { sliced(n, append([]*node{nil}, n.child[1:]...)) }

func sliced(n *node, limits []*node) {
	list := yGenValueArray(n.child[0])
	var limit [3]func(*frame) (int, reflect.Kind)
	for i, l := range limits {
		if l != nil {
			limit[i] = indexValue(l)
		}
	}
	dest, level, next := n.findex, n.level, following(n)
	n.exec = func(f *frame) bltn {
		l := list(f)
		if !l.IsValid() {
			panic(nilPointer)
		}
		var at3 [3]int
		var kinds [3]reflect.Kind
		for i, value := range limit {
			if value != nil {
				at3[i], kinds[i] = value(f)
			}
		}
		if limit[1] == nil {
			at3[1] = l.Len()
		}
		checkSlice(l, at3, kinds, limit[1] != nil, limit[2] != nil)
		var s reflect.Value
		if limit[2] != nil {
			s = l.Slice3(at3[0], at3[1], at3[2])
		} else {
			s = l.Slice(at3[0], at3[1])
		}
		at(f, level).data[dest] = s
		return next
	}
}

// checkSlice panics where the limits of a slice expression are wrong, in Go's order and words.
func checkSlice(l reflect.Value, at [3]int, kinds [3]reflect.Kind, high, full bool) {
	room, of := l.Len(), "length"
	if l.Kind() == reflect.Slice {
		if high || full {
			room = l.Cap()
		}
		of = "capacity"
	}
	text := func(i int) string {
		if unsigned(kinds[i]) {
			return fmt.Sprint(uint(at[i]))
		}
		return fmt.Sprint(at[i])
	}
	fail := func(negative bool, before, number, after, more string) {
		if negative {
			more = ""
		}
		panic(outOfBounds + " [" + before + number + after + "]" + more)
	}
	negative := func(i int) bool { return at[i] < 0 && !unsigned(kinds[i]) }
	if full {
		if uint(at[2]) > uint(room) {
			fail(negative(2), "::", text(2), "", fmt.Sprintf(" with %s %d", of, room))
		}
		if uint(at[1]) > uint(at[2]) {
			limits := fmt.Sprintf(":%d", at[2])
			if negative(1) {
				limits = ":"
			}
			fail(negative(1), ":", text(1), limits, "")
		}
	} else if high && uint(at[1]) > uint(room) {
		fail(negative(1), ":", text(1), "", fmt.Sprintf(" with %s %d", of, room))
	}
	if uint(at[0]) > uint(at[1]) {
		limits := fmt.Sprintf(":%d", at[1])
		if negative(0) {
			limits = ":"
		}
		if full {
			limits += ":"
			if negative(0) {
				limits = "::"
			}
		}
		fail(negative(0), "", text(0), limits, "")
	}
}
