package sizes

import (
	"cmp"
	"math"
	"slices"
)

// Conditions lists conditions on what an operator was given that may decide whether it takes it, the likeliest first:
// known are its sizes, totals their products, numbers those that may count.
func Conditions(known, totals []Expr, numbers []int) (out []Cond) {
	var letters, rest []Expr
	for _, e := range known {
		if _, ok := e.letterOf(); ok {
			letters = append(letters, e)
		} else if _, constant := e.Constant(); !constant {
			rest = append(rest, e)
		}
	}
	sized := slices.Concat(letters, rest)
	pairs := func(r Relation) {
		for i, a := range sized {
			for _, n := range numbers {
				if n > 1 || r == Equal && n >= 0 {
					out = append(out, Cond{A: a, B: Const(n), Relation: r})
				}
			}
			for j, b := range sized {
				if j > i {
					out = append(out, Cond{A: a, B: b, Relation: r})
				}
			}
		}
	}
	pairs(Equal)
	for i, a := range letters {
		for j, b := range letters {
			for _, n := range numbers {
				if i != j && n <= 64 {
					out = append(out, Cond{A: a, B: b.Add(Const(n)), Relation: Equal})
				}
			}
		}
	}
	for i, a := range totals {
		for _, n := range numbers {
			out = append(out, Cond{A: a, B: Const(n), Relation: Equal})
		}
		for j, b := range totals {
			if j > i {
				out = append(out, Cond{A: a, B: b, Relation: Equal})
			}
		}
	}
	pairs(EqualOr1)
	pairs(EqualOrB1)
	pairs(EqualOrA1)
	divisors := slices.Clone(numbers)
	for n := 2; n <= 16; n++ {
		if !slices.Contains(divisors, n) {
			divisors = append(divisors, n)
		}
	}
	for _, a := range slices.Concat(sized, totals) {
		for _, n := range divisors {
			if n > 1 {
				out = append(out, Cond{A: a, B: Const(n), Relation: Multiple})
			}
		}
	}
	for _, a := range slices.Concat(sized, totals) {
		for _, b := range sized {
			if a.Key() != b.Key() {
				out = append(out, Cond{A: a, B: b, Relation: Multiple})
			}
		}
	}
	for i, a := range sized {
		for j, b := range sized {
			if i != j {
				out = append(out, Cond{A: a, B: b, Relation: AtLeast})
			}
		}
	}
	for i, a := range sized {
		out = append(out, Cond{A: a, B: Const(0), Relation: Different}, Cond{A: a, B: Const(1), Relation: Different})
		for j, b := range sized {
			if j > i {
				out = append(out, Cond{A: a, B: b, Relation: Different})
			}
		}
	}
	return out
}

// Separate finds conditions that hold for all good samples, and of which every bad one fails one. They are taken from
// those that are likely, and from bounds and lists of values of sized that the samples themselves show. Of conditions
// that do the same, those that hold for the samples of also come first. left are the bad samples that fail none.
func Separate(good, bad, also Samples, likely []Cond, sized []Expr) (found []Cond, left Samples) {
	all := slices.Clone(likely)
	for _, e := range sized {
		all = append(all, bounds(e, good, bad)...)
	}
	for i, a := range sized {
		for j, b := range sized {
			if i != j && i < 8 && j < 8 && a.linear() && b.linear() {
				all = append(all, slopes(a, b, good, bad)...)
			}
		}
	}
	all = slices.DeleteFunc(all, func(c Cond) bool {
		return slices.ContainsFunc(good, func(s []int) bool { return !c.Holds(s) })
	})
	costs := make([]int, len(all))
	for i, c := range all {
		costs[i] = c.cost()
		if slices.ContainsFunc(also, func(s []int) bool { return !c.Holds(s) }) {
			costs[i] += 20
		}
	}
	left = bad
	for len(left) > 0 {
		best, most, cost := -1, 0, 0
		for i, c := range all {
			n := 0
			for _, s := range left {
				if !c.Holds(s) {
					n++
				}
			}
			if n > most || n == most && n > 0 && costs[i] < cost {
				best, most, cost = i, n, costs[i]
			}
		}
		if best < 0 {
			break
		}
		found = append(found, all[best])
		left = slices.DeleteFunc(slices.Clone(left), func(s []int) bool { return !all[best].Holds(s) })
	}
	for i := 0; i < len(found); { // what a later one made needless
		rest := slices.Delete(slices.Clone(found), i, i+1)
		needless := !slices.ContainsFunc(bad, func(s []int) bool {
			return !found[i].Holds(s) && !slices.ContainsFunc(rest, func(c Cond) bool { return !c.Holds(s) })
		})
		if needless {
			found = rest
		} else {
			i++
		}
	}
	slices.SortStableFunc(found, func(a, b Cond) int { return cmp.Compare(a.first(), b.first()) })
	return found, left
}

// bounds are the conditions on e alone that samples show: at least the least good value, where the one beneath is
// bad; at most likewise; or one of few values, where the others up to twice the largest are bad.
func bounds(e Expr, good, bad Samples) (out []Cond) {
	is, not := map[int]bool{}, map[int]bool{}
	lo, hi := math.MaxInt, math.MinInt
	for _, s := range good {
		if n, ok := e.Eval(s); ok {
			is[n] = true
			lo, hi = min(lo, n), max(hi, n)
		}
	}
	over := 0 // bad values above all good ones
	for _, s := range bad {
		if n, ok := e.Eval(s); ok {
			not[n] = true
			if n > hi {
				over++
			}
		}
	}
	if len(is) == 0 {
		return nil
	}
	if not[lo-1] {
		out = append(out, Cond{A: e, B: Const(lo), Relation: AtLeast})
	}
	near, beyond := 0, 0
	for n := 1; n <= 6; n++ {
		if is[hi+1-n] {
			near++
		}
		if not[hi+n] && !is[hi+n] {
			beyond++
		}
	}
	if not[hi+1] && over > 2 && beyond > 2 && near > 2 {
		out = append(out, Cond{A: e, B: Const(hi), Relation: AtMost})
	}
	if _, alone := e.letterOf(); alone {
		var only, above []int // values that are bad, whatever the others are; those above the least good one
		for n := range not {
			if !is[n] && n <= 64 {
				only = append(only, n)
				if n > lo {
					above = append(above, n)
				}
			}
		}
		for _, values := range [][]int{only, above} {
			if len(values) > 0 && len(values) <= 8 {
				slices.Sort(values)
				out = append(out, Cond{A: e, Relation: NoneOf, Values: values})
			}
		}
	}
	if len(is) <= 4 && not[hi+1] && over > 3 {
		var values []int
		for n := range is {
			values = append(values, n)
		}
		slices.Sort(values)
		out = append(out, Cond{A: e, Relation: OneOf, Values: values})
	}
	return out
}

// linear reports whether e has letters or the like, and no products of them.
func (e Expr) linear() bool {
	if _, constant := e.Constant(); constant {
		return false
	}
	return !slices.ContainsFunc(e.terms, func(t term) bool { return len(t.atoms) > 1 })
}

// slopes are the conditions a ≥ q·b + c and a = b + c that samples show.
func slopes(a, b Expr, good, bad Samples) (out []Cond) {
	for _, q := range []int{1, 2, 3, 4} {
		rest := a.Sub(b.Times(q))
		least, most := math.MaxInt, math.MinInt
		for _, s := range good {
			n, ok := rest.Eval(s)
			if !ok {
				return out
			}
			least, most = min(least, n), max(most, n)
		}
		if least > most {
			return out
		}
		just := 0 // bad ones just beneath
		for _, s := range bad {
			if n, ok := rest.Eval(s); ok && n == least-1 {
				just++
			}
		}
		to := b.Times(q).Add(Const(least))
		switch {
		case least == most && len(good) > 3:
			out = append(out, Cond{A: a, B: to, Relation: Equal})
		case just > 0:
			out = append(out, Cond{A: a, B: to, Relation: AtLeast})
		}
	}
	return out
}
