// Package sizes finds rules among numbers: what a size is in terms of others, as an expression over letters, and which
// conditions on the letters tell apart the cases where something holds from those where it does not.
//
//   - expr.go, text.go: [Expr], whole polynomials over letters, quotients rounded down, remainders, least and largest.
//   - fit.go, solve.go: [Fit], from samples to an expression.
//   - cond.go, separate.go: [Cond], and [Separate], from samples to conditions.
//   - explore.go, reach.go, infer.go, trace.go: [Explorer], which chooses the samples: it runs a program.
//
// What is found is true of every sample that it was found from, and of no other by itself: see [Fit].
package sizes

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Expr is a size: a sum of products, of letters and of quotients and others that are no polynomials. The zero Expr is
// 0.
type Expr struct{ terms []term }

// term is a coefficient times a product of atoms, which stand in the order of their keys.
type term struct {
	c     int
	atoms []*atom
}

type kind byte

const (
	letter    kind = iota
	quotient       // a divided by b, rounded down
	remainder      // of a divided by b
	least          // of a and b
	largest        // of a and b
)

// atom is a factor.
type atom struct {
	kind  kind
	name  string // of a letter
	index int    // of a letter: its place among the values
	a, b  Expr
	key   string
}

// Const is a number.
func Const(n int) Expr {
	if n == 0 {
		return Expr{}
	}
	return Expr{[]term{{c: n}}}
}

// Letter is a letter, whose value stands at an index of those that Eval is given.
func Letter(name string, index int) Expr {
	return of(&atom{kind: letter, name: name, index: index, key: string(rune('!'+index)) + name})
}

func of(a *atom) Expr { return Expr{[]term{{1, []*atom{a}}}} }

func (t term) key() string {
	var keys []string
	for _, a := range t.atoms {
		keys = append(keys, a.key)
	}
	return strings.Join(keys, "*")
}

// sum puts like terms together, and the terms in order: those of more factors first.
func sum(terms []term) Expr {
	terms = slices.Clone(terms)
	slices.SortStableFunc(terms, func(s, t term) int {
		return cmp.Or(-cmp.Compare(len(s.atoms), len(t.atoms)), strings.Compare(s.key(), t.key()))
	})
	var out []term
	for _, t := range terms {
		if n := len(out); n > 0 && out[n-1].key() == t.key() {
			out[n-1].c += t.c
			continue
		}
		out = append(out, t)
	}
	return Expr{slices.DeleteFunc(out, func(t term) bool { return t.c == 0 })}
}

// Add is e + f.
func (e Expr) Add(f Expr) Expr { return sum(slices.Concat(e.terms, f.terms)) }

// Sub is e - f.
func (e Expr) Sub(f Expr) Expr { return e.Add(f.Times(-1)) }

// Times is n · e.
func (e Expr) Times(n int) Expr { return e.Mul(Const(n)) }

// Mul is e · f.
func (e Expr) Mul(f Expr) Expr {
	var all []term
	for _, s := range e.terms {
		for _, t := range f.terms {
			atoms := slices.Concat(s.atoms, t.atoms)
			slices.SortStableFunc(atoms, func(a, b *atom) int { return strings.Compare(a.key, b.key) })
			all = append(all, term{s.c * t.c, atoms})
		}
	}
	return sum(all)
}

// Constant returns the number that e is, if it is one.
func (e Expr) Constant() (n int, ok bool) {
	switch {
	case len(e.terms) == 0:
		return 0, true
	case len(e.terms) == 1 && len(e.terms[0].atoms) == 0:
		return e.terms[0].c, true
	}
	return 0, false
}

// Key is equal for equal expressions.
func (e Expr) Key() string { return e.String() }

// letterOf returns the letter that e is, if it is one alone.
func (e Expr) letterOf() (a *atom, ok bool) {
	if len(e.terms) != 1 || e.terms[0].c != 1 || len(e.terms[0].atoms) != 1 || e.terms[0].atoms[0].kind != letter {
		return nil, false
	}
	return e.terms[0].atoms[0], true
}

// IsLetter returns the index of the letter that e is, if it is one alone.
func (e Expr) IsLetter() (index int, ok bool) {
	a, ok := e.letterOf()
	if !ok {
		return 0, false
	}
	return a.index, true
}

// Letters marks the letters of e by index.
func (e Expr) Letters(mark map[int]bool) {
	for _, t := range e.terms {
		for _, a := range t.atoms {
			if a.kind == letter {
				mark[a.index] = true
				continue
			}
			a.a.Letters(mark)
			a.b.Letters(mark)
		}
	}
}

// chooses reports whether e has the lesser or larger of two that are no numbers: what broadcasts looks so.
func (e Expr) chooses() bool {
	for _, t := range e.terms {
		for _, a := range t.atoms {
			if a.kind != least && a.kind != largest {
				continue
			}
			_, one := a.a.Constant()
			if _, other := a.b.Constant(); !one && !other || a.a.chooses() || a.b.chooses() {
				return true
			}
		}
	}
	return false
}

// limit is how large a product may be before Eval gives up.
const limit = math.MaxInt / 8

// Eval is the value of e where the letters have these values; ok is false where it divides by zero or is too large.
func (e Expr) Eval(values []int) (n int, ok bool) {
	for _, t := range e.terms {
		p := t.c
		for _, a := range t.atoms {
			v, ok := a.eval(values)
			if !ok || v != 0 && abs(p) > limit/abs(v) {
				return 0, false
			}
			p *= v
		}
		n += p
	}
	return n, true
}

func (a *atom) eval(values []int) (int, bool) {
	if a.kind == letter {
		return values[a.index], true
	}
	x, ok := a.a.Eval(values)
	y, fine := a.b.Eval(values)
	if !ok || !fine {
		return 0, false
	}
	switch a.kind {
	case least:
		return min(x, y), true
	case largest:
		return max(x, y), true
	}
	if y == 0 {
		return 0, false
	}
	q := floorDiv(x, y)
	if a.kind == quotient {
		return q, true
	}
	return x - q*y, true
}

func abs(n int) int { return max(n, -n) }

func floorDiv(x, y int) int {
	q := x / y
	if x%y != 0 && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// Div is e divided by f, rounded down. What divides exactly is no quotient any more, and quotients of quotients by
// numbers are one.
func Div(e, f Expr) Expr {
	if c, ok := f.Constant(); ok && c > 0 {
		return divNumber(e, c)
	}
	if len(f.terms) == 1 && f.terms[0].c > 0 {
		if q, ok := divExactly(e, f.terms[0]); ok {
			return q
		}
	}
	return of(newAtom(quotient, e, f))
}

// divExactly divides all terms by a product, if it is in each.
func divExactly(e Expr, by term) (Expr, bool) {
	var out []term
	for _, t := range e.terms {
		if t.c%by.c != 0 {
			return Expr{}, false
		}
		left := slices.Clone(t.atoms)
		for _, a := range by.atoms {
			i := slices.IndexFunc(left, func(b *atom) bool { return a.key == b.key })
			if i < 0 {
				return Expr{}, false
			}
			left = slices.Delete(left, i, i+1)
		}
		out = append(out, term{t.c / by.c, left})
	}
	return sum(out), true
}

// divNumber is e // c: multiples of c go in front, the rest stays.
func divNumber(e Expr, c int) Expr {
	if c == 1 {
		return e
	}
	var whole, rest []term
	for _, t := range e.terms {
		switch {
		case t.c%c == 0:
			whole = append(whole, term{t.c / c, t.atoms})
		case len(t.atoms) == 0:
			q := max(0, t.c) / c // what is taken away stays: (T - 3)//2
			whole, rest = append(whole, term{c: q}), append(rest, term{c: t.c - q*c})
		default:
			rest = append(rest, t)
		}
	}
	front, r := sum(whole), sum(rest)
	if n, ok := r.Constant(); ok {
		return front.Add(Const(floorDiv(n, c)))
	}
	// (p // d + b) // c is (p + b·d) // (c·d).
	inner, b := r, 0
	if n := len(r.terms); n == 2 && len(r.terms[1].atoms) == 0 {
		inner, b = Expr{r.terms[:1]}, r.terms[1].c
	}
	if len(inner.terms) == 1 && inner.terms[0].c == 1 && len(inner.terms[0].atoms) == 1 {
		if a := inner.terms[0].atoms[0]; a.kind == quotient {
			if d, ok := a.b.Constant(); ok && d > 0 {
				return front.Add(divNumber(a.a.Add(Const(b*d)), c*d))
			}
		}
	}
	return front.Add(of(newAtom(quotient, r, Const(c))))
}

// Mod is the remainder of e divided by c, a number above zero.
func Mod(e Expr, c int) Expr { return of(newAtom(remainder, e, Const(c))) }

// Min is the lesser of two, Max the larger.
func Min(e, f Expr) Expr { return of(newAtom(least, e, f)) }
func Max(e, f Expr) Expr { return of(newAtom(largest, e, f)) }

func newAtom(k kind, e, f Expr) *atom {
	if k == least || k == largest { // numbers last
		_, number := e.Constant()
		if _, other := f.Constant(); number || !other && e.String() > f.String() {
			e, f = f, e
		}
	}
	a := &atom{kind: k, a: e, b: f}
	a.key = a.String()
	return a
}
