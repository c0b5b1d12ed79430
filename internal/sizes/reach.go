package sizes

import (
	"slices"
)

// progress is how many steps a run made; one that came to its end made all.
func (s *sample) progress() int {
	if s.t.Failed() {
		return len(s.t.Steps) - 1
	}
	return 1 << 30
}

// best is the run that came farthest, the first of them.
func (x *Explorer) best() *sample {
	var best *sample
	for _, s := range x.samples {
		if best == nil || s.progress() > best.progress() {
			best = s
		}
	}
	return best
}

// reach looks for values with which the program comes to its end.
func (x *Explorer) reach() bool {
	for x.best().progress() < 1<<30 {
		if !x.beyond(x.best()) {
			return false
		}
	}
	return true
}

// beyond looks for values with which a run comes farther than s.
func (x *Explorer) beyond(s *sample) bool {
	x.others(s)
	if b := x.best(); b.progress() > s.progress() {
		return true
	}
	f := x.inferFrom(s)
	at := len(s.t.Steps) - 1
	known, totals, numbers := f.given(at)
	conds := Conditions(slices.Concat(known, x.letters), totals, numbers)
	kept := f.conditions()
	further := func(v []int) bool {
		t := x.try(v)
		return t != nil && t.progress() > s.progress()
	}
	var once [][]int
	for i, c := range conds {
		if i > 400 || x.ended {
			break
		}
		if c.Relation == Different {
			continue
		}
		for _, v := range x.meet(s.v, c, kept) {
			if further(v) {
				return true
			}
			if c.Relation == Equal {
				once = append(once, v)
			}
		}
	}
	for i := range x.letters {
		for n := range 64 {
			v := slices.Clone(s.v)
			v[i] = n + 1
			if further(v) || further(x.settle(v, 1<<i, kept)) {
				return true
			}
		}
	}
	for k, w := range once {
		if k > 40 || x.ended {
			break
		}
		for _, c := range conds {
			if c.Relation != Equal {
				continue
			}
			for _, v := range x.meet(w, c, kept) {
				if further(v) {
					return true
				}
			}
		}
	}
	return false
}

// others tries values that may come as far as s, so that expressions of what its last step was given can be found.
func (x *Explorer) others(s *sample) {
	kept := x.inferFrom(s).conditions()
	for round := range 24 {
		v := make([]int, len(s.v))
		for i := range v {
			switch v[i] = primes[x.rand.IntN(len(primes))]; round % 3 {
			case 1:
				v[i] = 4 * (2 + x.rand.IntN(30))
			case 2:
				v[i] = s.v[i]
			}
		}
		if round%3 == 2 {
			v[x.rand.IntN(len(v))] = 2 + x.rand.IntN(60)
		}
		x.try(x.settle(v, 0, kept))
	}
}

// meet changes a letter of v so that a condition holds, in each way; the conditions that were kept are kept.
func (x *Explorer) meet(v []int, c Cond, kept []Cond) (out [][]int) {
	mark := map[int]bool{}
	c.Letters(mark)
	if len(mark) > 1 && c.Relation == Equal {
		defer func() {
			if len(out) == 0 {
				out = x.meetTwo(v, c, mark)
			}
		}()
	}
	for i := range v {
		if !mark[i] {
			continue
		}
		found := 0
		for n := 2; n < 4200 && found < 2; n++ {
			if n > 130 && c.Relation != Equal {
				break
			}
			w := slices.Clone(v)
			w[i] = n
			if c.Holds(w) {
				found++
				out = append(out, w)
				if z := x.settle(w, 1<<i, kept); !slices.Equal(z, w) && c.Holds(z) {
					out = append(out, z)
				}
			}
		}
	}
	return out
}

// meetTwo changes two letters of v so that a condition holds: to the same value, or to two.
func (x *Explorer) meetTwo(v []int, c Cond, mark map[int]bool) (out [][]int) {
	for i := range v {
		for j := range i {
			if !mark[i] || !mark[j] {
				continue
			}
			w := slices.Clone(v)
			for n := 1; n < 300 && len(out) < 4; n++ {
				if w[i], w[j] = n, n; c.Holds(w) {
					out = append(out, slices.Clone(w))
				}
			}
			for _, w[i] = range []int{64, 32, 16, 48, 8, 24, 4, 12, 20, 2, 3, 5, 6, 7, 1} {
				for n := 1; n < 300 && len(out) < 8; n++ {
					if w[j] = n; c.Holds(w) {
						out = append(out, slices.Clone(w))
						break
					}
				}
			}
		}
	}
	return out
}

// settle changes letters of v, those in fixed aside, so that conditions hold, as far as that is simple.
func (x *Explorer) settle(v []int, fixed int, conds []Cond) []int {
	v = slices.Clone(v)
	set := func(e Expr, n int, ok bool) bool {
		i, letter := e.IsLetter()
		if !ok || !letter || fixed>>i&1 == 1 || n < 0 {
			return false
		}
		v[i] = n
		return true
	}
	for range 4 {
		changed := false
		for _, c := range conds {
			if c.Holds(v) {
				continue
			}
			a, fineA := c.A.Eval(v)
			b, fineB := c.B.Eval(v)
			switch c.Relation {
			case Equal, EqualOr1, EqualOrA1, EqualOrB1:
				changed = set(c.A, b, fineB) || set(c.B, a, fineA) || changed
			case AtLeast:
				changed = set(c.A, b+x.rand.IntN(8), fineB) || set(c.B, a-x.rand.IntN(2), fineA) || changed
			case AtMost:
				changed = set(c.A, b-x.rand.IntN(3), fineB) || set(c.B, a, fineA) || changed
			case Multiple:
				if fineA && fineB && b > 0 {
					changed = set(c.A, (a+b-1)/b*b, true) || changed
				}
			case OneOf:
				changed = set(c.A, c.Values[x.rand.IntN(len(c.Values))], true) || changed
			case Different, NoneOf:
				changed = set(c.A, a+1, fineA) || changed
			}
			if c.Holds(v) {
				continue
			}
			mark := map[int]bool{} // any letter of it, by trying
			c.Letters(mark)
			for i := range v {
				if !mark[i] || fixed>>i&1 == 1 {
					continue
				}
				was := v[i]
				for n := 1; n < 200; n++ {
					if v[i] = n; c.Holds(v) {
						break
					}
				}
				if c.Holds(v) {
					changed = true
					break
				}
				v[i] = was
			}
			if c.Relation == Equal && !c.Holds(v) {
				changed = x.settleTwo(v, fixed, c, mark) || changed
			}
		}
		if !changed {
			break
		}
	}
	return v
}

// settleTwo changes two letters of v, those in fixed aside, so that a condition holds.
func (x *Explorer) settleTwo(v []int, fixed int, c Cond, mark map[int]bool) bool {
	for range 24 {
		i, j := x.rand.IntN(len(v)), x.rand.IntN(len(v))
		if i == j || !mark[i] || !mark[j] || fixed>>i&1 == 1 || fixed>>j&1 == 1 {
			continue
		}
		a, b := v[i], v[j]
		v[i] = 1 + x.rand.IntN(64)
		for v[j] = 1; v[j] < 300; v[j]++ {
			if c.Holds(v) {
				return true
			}
		}
		v[i], v[j] = a, b
	}
	return false
}
