package sizes

import (
	"fmt"
	"slices"
	"strings"
)

// Relation is what a condition asks of two sizes.
type Relation byte

const (
	Equal     Relation = iota // A = B
	EqualOr1                  // A = B, or one of them is 1: they broadcast
	EqualOrB1                 // A = B, or B is 1: B is broadcast
	EqualOrA1                 // A = B, or A is 1
	Multiple                  // A % B = 0
	AtLeast                   // A ≥ B
	AtMost                    // A ≤ B
	Different                 // A ≠ B
	OneOf                     // A is one of Values
	NoneOf                    // A is none of Values
)

// Cond is a condition on letters.
type Cond struct {
	A, B     Expr
	Relation Relation
	Values   []int
}

// Holds reports whether the condition holds for values of the letters.
func (c Cond) Holds(values []int) bool {
	a, ok := c.A.Eval(values)
	if !ok {
		return false
	}
	if c.Relation == OneOf || c.Relation == NoneOf {
		return slices.Contains(c.Values, a) == (c.Relation == OneOf)
	}
	b, ok := c.B.Eval(values)
	if !ok {
		return false
	}
	switch c.Relation {
	case Equal:
		return a == b
	case EqualOr1:
		return a == b || a == 1 || b == 1
	case EqualOrB1:
		return a == b || b == 1
	case EqualOrA1:
		return a == b || a == 1
	case Multiple:
		return b != 0 && a%b == 0
	case AtLeast:
		return a >= b
	case AtMost:
		return a <= b
	}
	return a != b
}

// String is K = 4.
func (c Cond) String() string {
	switch c.Relation {
	case EqualOr1:
		if _, ok := c.B.Constant(); ok {
			return fmt.Sprintf("%s = %s or 1", c.A, c.B)
		}
		return fmt.Sprintf("%s = %s, or one is 1", c.A, c.B)
	case EqualOrB1:
		return fmt.Sprintf("%s = %s or %s = 1", c.A, c.B, c.B)
	case EqualOrA1:
		return fmt.Sprintf("%s = %s or %s = 1", c.A, c.B, c.A)
	case Multiple:
		return c.A.inner() + " % " + c.B.inner() + " = 0"
	case OneOf:
		return fmt.Sprintf("%s = %s", c.A, list(c.Values, "or"))
	case NoneOf:
		return fmt.Sprintf("%s ≠ %s", c.A, list(c.Values, "and"))
	}
	sign := [...]string{Equal: "=", AtLeast: "≥", AtMost: "≤", Different: "≠"}[c.Relation]
	return fmt.Sprintf("%s %s %s", c.A, sign, c.B)
}

// list is 1, 2 or 4.
func list(values []int, word string) string {
	var texts []string
	for _, n := range values {
		texts = append(texts, fmt.Sprint(n))
	}
	if n := len(texts); n > 1 {
		return strings.Join(texts[:n-1], ", ") + " " + word + " " + texts[n-1]
	}
	return texts[0]
}

// cost is higher for what says less plainly why something holds: of conditions that fit alike the one of least cost is
// taken.
func (c Cond) cost() int {
	mark := map[int]bool{}
	c.Letters(mark)
	cost := len([]rune(c.String())) + 4*len(mark)
	switch c.Relation {
	case OneOf, NoneOf:
		cost += 40
	case Different:
		cost += 2
	case Equal, AtLeast:
	case AtMost:
		cost++
	default:
		cost += 3
	}
	return cost
}

// first is the least index of a letter.
func (c Cond) first() int {
	mark := map[int]bool{}
	c.Letters(mark)
	least := 1 << 30
	for i := range mark {
		least = min(least, i)
	}
	return least
}

// Only lists the values of its one letter for which a condition holds, where it has one letter and they are few.
func (c Cond) Only() string {
	mark := map[int]bool{}
	c.Letters(mark)
	if len(mark) != 1 || c.Relation != Equal {
		return ""
	}
	if _, alone := c.A.IsLetter(); alone {
		return ""
	}
	for i := range mark {
		v, ok := make([]int, i+1), []int(nil)
		for n := range 5000 {
			if v[i] = n; c.Holds(v) {
				ok = append(ok, n)
			}
		}
		if e := c.letter(i); e != nil && len(ok) > 0 && len(ok) <= 6 {
			return fmt.Sprintf("%s = %s", e.name, list(ok, "or"))
		}
	}
	return ""
}

// letter is the letter with an index.
func (c Cond) letter(index int) (found *atom) {
	var look func(e Expr)
	look = func(e Expr) {
		for _, t := range e.terms {
			for _, a := range t.atoms {
				if a.kind == letter && a.index == index {
					found = a
				}
				if a.kind != letter {
					look(a.a)
					look(a.b)
				}
			}
		}
	}
	look(c.A)
	look(c.B)
	return found
}

// Letters marks the letters of the condition by index.
func (c Cond) Letters(mark map[int]bool) {
	c.A.Letters(mark)
	c.B.Letters(mark)
}
