package sizes

import (
	"math"
	"slices"
)

// Note: how an expression is found. What an operator does to sizes is one of few things: it keeps one, drops it, adds
// sizes, multiplies them, divides one and rounds, takes the lesser or larger of two. So expressions are looked for in
// that order, the simplest first, among what the operator was given; the first that holds for every sample is taken.
// An expression of a size through many operators comes from those of its parts. Samples decide: one that speaks
// against an expression rejects it.

// Samples are values of letters, one row for each sample.
type Samples [][]int

// Fitter looks for expressions of sizes in the same samples.
type Fitter struct {
	samples Samples
	known   []candidate // what sizes are likely made of, the likeliest first
	totals  []candidate // products of which sizes may be parts
	numbers []int       // divisors that are likely
	seen    map[string]bool
}

type candidate struct {
	e Expr
	v []int
}

// NewFitter looks in samples.
func NewFitter(samples Samples) *Fitter { return &Fitter{samples: samples, seen: map[string]bool{}} }

// Know adds what sizes are likely made of; what came first is tried first.
func (f *Fitter) Know(es ...Expr) {
	for _, e := range es {
		if n, ok := e.Constant(); ok {
			f.Number(n)
			continue
		}
		if c, ok := f.candidate(e); ok {
			f.known = append(f.known, c)
		}
	}
}

// Total adds a product that sizes may divide: the elements of an argument.
func (f *Fitter) Total(e Expr) {
	if c, ok := f.candidate(e); ok {
		f.totals = append(f.totals, c)
	}
}

// Number adds a number by which sizes may be divided.
func (f *Fitter) Number(n int) {
	if n > 1 && n <= 1<<16 && !slices.Contains(f.numbers, n) {
		f.numbers = append(f.numbers, n)
	}
}

func (f *Fitter) candidate(e Expr) (c candidate, ok bool) {
	if f.seen[e.Key()] {
		return c, false
	}
	f.seen[e.Key()] = true
	v := make([]int, len(f.samples))
	for i, s := range f.samples {
		if v[i], ok = e.Eval(s); !ok {
			return c, false
		}
	}
	return candidate{e, v}, true
}

// Fit finds an expression that has the values v, one for each sample; ok is false where it finds none.
func (f *Fitter) Fit(v []int) (e Expr, ok bool) { return f.fit(v, 2) }

// fit finds an expression with at most so many least and largest in each other.
func (f *Fitter) fit(v []int, deep int) (e Expr, ok bool) {
	if len(v) == 0 {
		return e, false
	}
	if constant(v) {
		return Const(v[0]), true
	}
	for _, c := range f.known {
		if slices.Equal(c.v, v) {
			return c.e, true
		}
	}
	for _, find := range []func([]int) (Expr, bool){f.line, f.sum, f.part, f.rounded, f.polynomial, f.roundedTwo} {
		if e, ok := find(v); ok && f.holds(e, v) {
			return e, true
		}
	}
	if deep > 0 {
		return f.bounded(v, deep)
	}
	return e, false
}

func constant(v []int) bool {
	for _, n := range v {
		if n != v[0] {
			return false
		}
	}
	return true
}

// holds reports whether e has the values v.
func (f *Fitter) holds(e Expr, v []int) bool {
	for i, s := range f.samples {
		if n, ok := e.Eval(s); !ok || n != v[i] {
			return false
		}
	}
	return true
}

// line is a·e + b.
func (f *Fitter) line(v []int) (Expr, bool) {
	for _, c := range f.known {
		at := slices.IndexFunc(c.v, func(n int) bool { return n != c.v[0] })
		if at < 0 {
			continue
		}
		dv, dc := v[at]-v[0], c.v[at]-c.v[0]
		if dv%dc != 0 || dv == 0 {
			continue
		}
		a := dv / dc
		if e := c.e.Times(a).Add(Const(v[0] - a*c.v[0])); f.holds(e, v) {
			return e, true
		}
	}
	return Expr{}, false
}

// sum is Σ aᵢ·eᵢ + b.
func (f *Fitter) sum(v []int) (Expr, bool) {
	return f.combine(v, f.first(10), func(c candidate) ([]int, Expr) { return c.v, c.e }, 6)
}

// first are the first n of what is known.
func (f *Fitter) first(n int) []candidate { return f.known[:min(n, len(f.known))] }

// combine looks for a sum of columns with at most so many of them; there must be more samples than columns.
func (f *Fitter) combine(v []int, from []candidate, column func(candidate) ([]int, Expr), most int) (Expr, bool) {
	columns, exprs := [][]int{ones(len(v))}, []Expr{Const(1)}
	for _, c := range from {
		x, e := column(c)
		columns, exprs = append(columns, x), append(exprs, e)
	}
	if len(v) < len(columns)+2 {
		return Expr{}, false
	}
	c, ok := solve(columns, v)
	if !ok {
		return Expr{}, false
	}
	var e Expr
	used := 0
	for i, n := range c {
		if n != 0 {
			used++
			e = e.Add(exprs[i].Times(n))
		}
	}
	return e, used <= most
}

func ones(n int) []int { return slices.Repeat([]int{1}, n) }

// part is a total divided by what else is known: what View(-1, 4) leaves, or one of the factors.
func (f *Fitter) part(v []int) (Expr, bool) {
	for _, t := range f.totals {
		if slices.Equal(t.v, v) {
			return t.e, true
		}
		if e, ok := f.divided(t, v); ok {
			return e, true
		}
	}
	return Expr{}, false
}

// divided is t divided exactly by a number, or by something known.
func (f *Fitter) divided(t candidate, v []int) (Expr, bool) {
	by := func(at func(i int) int, e Expr) (Expr, bool) {
		some := false
		for i := range v {
			if v[i]*at(i) != t.v[i] {
				return Expr{}, false
			}
			some = some || v[i] != 0
		}
		if !some {
			return Expr{}, false
		}
		q := Div(t.e, e)
		return q, f.holds(q, v)
	}
	for i := range v {
		if v[i] == 0 || t.v[i]%v[i] != 0 {
			continue
		}
		if n := t.v[i] / v[i]; n > 1 {
			if e, ok := by(func(int) int { return n }, Const(n)); ok {
				return e, true
			}
		}
		break
	}
	for _, c := range f.first(12) {
		if e, ok := by(func(i int) int { return c.v[i] }, c.e); ok {
			return e, true
		}
	}
	return Expr{}, false
}

// rounded is (a·e + b) // c, or e % c.
func (f *Fitter) rounded(v []int) (Expr, bool) {
	divisors := slices.Clone(f.numbers)
	for n := 2; n <= 16; n++ {
		if !slices.Contains(divisors, n) {
			divisors = append(divisors, n)
		}
	}
	for _, t := range slices.Concat(f.first(12), f.totals) {
		for a := 1; a <= 20; a++ {
			for _, c := range divisors {
				if gcd(a, c) != 1 {
					continue
				}
				if b, ok := offset(v, func(i int) int { return a * t.v[i] }, c); ok {
					return Div(t.e.Times(a).Add(Const(b)), Const(c)), true
				}
			}
		}
		for _, c := range divisors {
			if e := Mod(t.e, c); f.holds(e, v) {
				return e, true
			}
		}
	}
	return Expr{}, false
}

// offset finds b so that v is (x + b) // c.
func offset(v []int, x func(i int) int, c int) (b int, ok bool) {
	lo, hi := math.MinInt, math.MaxInt
	for i := range v {
		at := v[i]*c - x(i)
		if lo, hi = max(lo, at), min(hi, at+c-1); lo > hi {
			return 0, false
		}
	}
	for _, usual := range []int{0, c - 1} { // rounded down, rounded up
		if lo <= usual && usual <= hi {
			return usual, true
		}
	}
	return lo, true
}

// roundedTwo is (e + a·f + b) // c: how many windows of one size fit into another.
func (f *Fitter) roundedTwo(v []int) (Expr, bool) {
	divisors := append([]int{2, 3, 4, 5, 6, 8}, f.numbers[:min(len(f.numbers), 6)]...)
	for i, s := range f.first(8) {
		for j, t := range f.first(8) {
			if i == j {
				continue
			}
			for _, a := range []int{-1, -2, -3, -4, 1, 2, 3} {
				for _, c := range divisors {
					b, ok := offset(v, func(i int) int { return s.v[i] + a*t.v[i] }, c)
					if ok {
						return Div(s.e.Add(t.e.Times(a)).Add(Const(b)), Const(c)), true
					}
				}
			}
		}
	}
	return Expr{}, false
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// polynomial is a sum of products of up to four of what is known, or half of one.
func (f *Fitter) polynomial(v []int) (Expr, bool) {
	base := f.first(5)
	var products []candidate
	var build func(from int, c candidate, left int)
	build = func(from int, c candidate, left int) {
		if len(c.v) > 0 {
			products = append(products, c)
		}
		if left == 0 {
			return
		}
		for i := from; i < len(base); i++ {
			next := base[i]
			if len(c.v) > 0 {
				next = candidate{c.e.Mul(base[i].e), make([]int, len(v))}
				for k := range v {
					next.v[k] = c.v[k] * base[i].v[k]
				}
			}
			build(i, next, left-1)
		}
	}
	degree := 4
	if len(base) > 4 {
		degree = 3
	}
	build(0, candidate{}, degree)
	slices.SortStableFunc(products, func(a, b candidate) int {
		return len(a.e.terms[0].atoms) - len(b.e.terms[0].atoms)
	})
	for _, p := range products {
		for _, n := range p.v {
			if int64(n) > 1<<40 || int64(n) < -1<<40 {
				return Expr{}, false
			}
		}
	}
	get := func(c candidate) ([]int, Expr) { return c.v, c.e }
	for n := 1; n <= 2; n++ {
		many := make([]int, len(v))
		for i := range v {
			many[i] = n * v[i]
		}
		if e, ok := f.combine(many, products, get, 8); ok {
			return Div(e, Const(n)), true
		}
	}
	return Expr{}, false
}

// bounded is the lesser or larger of two: x[:10] has min(T, 10) rows, x[3:] max(T - 3, 0).
func (f *Fitter) bounded(v []int, deep int) (Expr, bool) {
	bounds := []candidate{{Const(slices.Min(v)), slices.Repeat([]int{slices.Min(v)}, len(v))},
		{Const(slices.Max(v)), slices.Repeat([]int{slices.Max(v)}, len(v))}}
	for _, b := range slices.Concat(f.first(8), bounds) {
		below, above := true, true
		var others []int
		for i := range v {
			below, above = below && v[i] <= b.v[i], above && v[i] >= b.v[i]
			if v[i] != b.v[i] {
				others = append(others, i)
			}
		}
		if !below && !above || len(others) < 3 || len(v)-len(others) < 2 {
			continue
		}
		g := &Fitter{numbers: f.numbers, seen: map[string]bool{}}
		w := make([]int, len(others))
		for k, i := range others {
			g.samples, w[k] = append(g.samples, f.samples[i]), v[i]
		}
		for _, c := range f.known {
			g.Know(c.e)
		}
		e, ok := g.fit(w, deep-1)
		if !ok {
			continue
		}
		if f.holds(e, v) { // the bound is that of the samples alone
			return e, true
		}
		if below {
			e = Min(e, b.e)
		} else {
			e = Max(e, b.e)
		}
		if f.holds(e, v) {
			return e, true
		}
	}
	return Expr{}, false
}
