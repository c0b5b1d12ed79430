package sizes

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// String writes an expression: 4*B*H, (H + 1)//2, min(T, 10). A double stroke divides and rounds down.
func (e Expr) String() string {
	if len(e.terms) == 0 {
		return "0"
	}
	var b strings.Builder
	terms := slices.Clone(e.terms) // what is added first, then what is taken away, and a number last
	slices.SortStableFunc(terms, func(s, t term) int {
		return cmp.Compare(s.place(), t.place())
	})
	if n := len(terms); n > 1 && terms[0].c < 0 && terms[n-1].c > 0 { // 10 - T
		terms = slices.Insert(terms[:n-1:n-1], 0, terms[n-1])
	}
	for i, t := range terms {
		c := t.c
		switch {
		case i > 0 && c < 0:
			b.WriteString(" - ")
			c = -c
		case i > 0:
			b.WriteString(" + ")
		case c < 0:
			b.WriteString("-")
			c = -c
		}
		if c != 1 || len(t.atoms) == 0 {
			b.WriteString(strconv.Itoa(c))
			if len(t.atoms) > 0 {
				b.WriteString("*")
			}
		}
		alone := len(t.atoms) == 1 && c == 1
		for k := 0; k < len(t.atoms); {
			n := k + 1
			for n < len(t.atoms) && t.atoms[n].key == t.atoms[k].key {
				n++
			}
			if k > 0 {
				b.WriteString("*")
			}
			text := t.atoms[k].String()
			if a := t.atoms[k]; (a.kind == quotient || a.kind == remainder) && !alone {
				text = "(" + text + ")"
			}
			b.WriteString(text)
			if n-k > 1 {
				b.WriteString(raised(n - k))
			}
			k = n
		}
	}
	return b.String()
}

// place is 0 for what is added, 1 for what is taken away, 2 for a number.
func (t term) place() int {
	switch {
	case len(t.atoms) == 0:
		return 2
	case t.c < 0:
		return 1
	}
	return 0
}

// raised is a power: ² of 2.
func raised(n int) string {
	out := ""
	for _, d := range strconv.Itoa(n) {
		out += string([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[d-'0'])
	}
	return out
}

// String writes a factor.
func (a *atom) String() string {
	switch a.kind {
	case letter:
		return a.name
	case quotient:
		return a.a.inner() + "//" + a.b.inner()
	case remainder:
		return a.a.inner() + " % " + a.b.inner()
	case least:
		return "min(" + a.a.String() + ", " + a.b.String() + ")"
	}
	return "max(" + a.a.String() + ", " + a.b.String() + ")"
}

// inner is e as a part of a quotient: in brackets, unless it is one name or number.
func (e Expr) inner() string {
	if n, ok := e.Constant(); ok && n >= 0 {
		return strconv.Itoa(n)
	}
	if len(e.terms) == 1 && e.terms[0].c == 1 && len(e.terms[0].atoms) == 1 {
		switch e.terms[0].atoms[0].kind {
		case quotient, remainder:
		default:
			return e.String()
		}
	}
	return "(" + e.String() + ")"
}
