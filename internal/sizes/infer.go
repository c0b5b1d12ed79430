package sizes

import (
	"slices"
)

// infer finds expressions and conditions from all runs.
func (x *Explorer) infer() *Found { return x.inferFrom(x.main()) }

// main is the run that stands for all: of those that came to their end and made the calls that most of them made, one
// whose values are large and distinct; of runs that all failed, the one that came farthest.
func (x *Explorer) main() *sample {
	paths := map[uint64]int{}
	for _, s := range x.samples {
		if !s.t.Failed() {
			paths[s.t.path()]++
		}
	}
	best, most := x.best(), -1
	for _, s := range x.samples {
		if s.t.Failed() {
			continue
		}
		score := 0
		for i, n := range s.v {
			if n >= 8 {
				score += 1000
			}
			if !slices.Contains(s.v[:i], n) {
				score += 300
			}
		}
		if score += min(250, paths[s.t.path()]); score > most {
			best, most = s, score
		}
	}
	return best
}

// inferFrom follows the steps of a run, and compares those of the others.
func (x *Explorer) inferFrom(main *sample) *Found {
	f := &Found{Main: main.t, At: main.v, Varies: -1}
	alive := slices.Clone(x.samples)
	zeros := slices.Clone(x.zeros)   // of conditions that do the same, they tell which is better
	known := slices.Clone(x.letters) // all expressions so far
	lengths := lengthsOf(alive)
	for k := range main.t.Steps {
		step := &main.t.Steps[k]
		var alike, bad []*sample // alike: the same call
		loops := false           // a run that comes to its end makes other calls, and how many there are differs
		for _, s := range alive {
			if k < len(s.t.Steps) && s.t.Steps[k].Key == step.Key {
				alike = append(alike, s)
				continue
			}
			bad = append(bad, s)
			loops = loops || !s.t.Failed() && len(lengths) >= 6
		}
		in, odd := x.fitAll(main, alike, known, nil, func(s *sample) []int { return s.t.Steps[k].In }, len(step.In))
		f.In = append(f.In, in)
		bad, alike = append(bad, odd...), without(alike, odd)
		given, totals, numbers := f.given(k)
		if step.Error != "" { // the end of a run that failed
			f.Out = append(f.Out, nil)
			break
		}
		var good []*sample
		for _, s := range alike {
			if t := &s.t.Steps[k]; t.Error != "" || t.OutKey != step.OutKey {
				bad = append(bad, s)
				if !s.t.Failed() && len(lengths) >= 6 {
					loops, f.Many = true, true
				}
			} else {
				good = append(good, s)
			}
		}
		out, odd := x.fitAll(main, good, given, totals, func(s *sample) []int { return s.t.Steps[k].Out },
			len(step.Out))
		f.Out = append(f.Out, out)
		bad, good = append(bad, odd...), without(good, odd)
		zeros = slices.DeleteFunc(zeros, func(s *sample) bool {
			return k >= len(s.t.Steps) || !f.agrees(k, &s.t.Steps[k], s.v)
		})
		if loops { // a loop that goes as often as a size says
			f.varies(k, lengths, main)
			x.guard(f, k, good, zeros, slices.DeleteFunc(bad, func(s *sample) bool { return !s.t.Failed() }),
				append(given, f.before(k)...), totals, numbers)
			alive = slices.DeleteFunc(alive, func(s *sample) bool { return s.t.Failed() })
			break
		}
		x.guard(f, k, good, zeros, bad, append(given, f.before(k)...), totals, numbers)
		alive = good
		for _, size := range slices.Concat(in, out) {
			if _, constant := size.Expr.Constant(); size.Known && !constant && len(known) < 60 &&
				!slices.ContainsFunc(known, func(e Expr) bool { return e.Key() == size.Expr.Key() }) {
				known = append(known, size.Expr)
			}
		}
	}
	if main.t.Failed() {
		return f
	}
	var good, bad []*sample
	for _, s := range alive {
		if !s.t.Failed() && s.t.OutKey == main.t.OutKey && (f.Varies >= 0 || len(s.t.Steps) == len(main.t.Steps)) {
			good = append(good, s)
		} else {
			bad = append(bad, s)
		}
	}
	if f.Varies >= 0 && len(bad) > 0 { // how many results there are depends on sizes too
		f.NoResult = true
		return f
	}
	result, odd := x.fitAll(main, good, known, nil, func(s *sample) []int { return s.t.Out }, len(main.t.Out))
	f.Result = result
	x.guard(f, len(main.t.Steps), without(good, odd), nil, append(bad, odd...), known[:min(len(known), 12)], nil, nil)
	return f
}

// lengthsOf are the amounts of calls and results of runs that came to their end, each with a run.
func lengthsOf(runs []*sample) map[int]*sample {
	lengths := map[int]*sample{}
	for _, s := range runs {
		if n := s.t.amount(); !s.t.Failed() && lengths[n] == nil {
			lengths[n] = s
		}
	}
	return lengths
}

// varies notes that the number of steps depends on letters from step k on.
func (f *Found) varies(k int, lengths map[int]*sample, main *sample) {
	f.Varies = k
	f.Lengths = append(f.Lengths, Seen{main.v, len(main.t.Steps)})
	var all []int
	for n := range lengths {
		all = append(all, n)
	}
	slices.Sort(all)
	for _, n := range all[:min(len(all), 3)] {
		if s := lengths[n]; s != main {
			f.Lengths = append(f.Lengths, Seen{s.v, len(s.t.Steps)})
		}
	}
}

func without(all, some []*sample) []*sample {
	if len(some) == 0 {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(s *sample) bool { return slices.Contains(some, s) })
}

// values are the values of samples.
func values(all []*sample) Samples {
	out := make(Samples, len(all))
	for i, s := range all {
		out[i] = s.v
	}
	return out
}

// fitAll finds an expression for each of n numbers of runs. Where none holds for all runs, one that holds for those
// whose values are like the main run's is taken, and the others are odd.
func (x *Explorer) fitAll(main *sample, runs []*sample, known, totals []Expr, numbers func(*sample) []int,
	n int) (out []Size, odd []*sample) {
	for d := range n {
		size, other := x.fitOne(main, runs, known, totals, func(s *sample) int { return numbers(s)[d] })
		out = append(out, size)
		if len(other) > 0 {
			odd, runs = append(odd, other...), without(runs, other)
		}
		if size.Known {
			known = append(slices.Clip(known), size.Expr)
		}
	}
	return out, odd
}

func (x *Explorer) fitOne(main *sample, runs []*sample, known, totals []Expr, number func(*sample) int) (size Size,
	odd []*sample) {
	find := func(runs []*sample) (Expr, bool) {
		v := make([]int, len(runs))
		for i, s := range runs {
			v[i] = number(s)
		}
		if len(v) > 0 && constant(v) {
			return Const(v[0]), true
		}
		f := NewFitter(values(runs))
		f.Know(known...)
		f.Know(x.letters...)
		for _, t := range totals {
			f.Total(t)
		}
		return f.Fit(v)
	}
	all, fits := find(runs)
	if fits && !all.chooses() {
		return Size{Expr: all, Known: true}, nil
	}
	var like []*sample
	for _, s := range runs {
		if isLike(s.v, main.v) {
			like = append(like, s)
		}
	}
	if e, ok := find(like); ok && len(like) >= 5 && len(like) < len(runs) && !(fits && e.chooses()) {
		for _, s := range runs {
			if n, ok := e.Eval(s.v); !ok || n != number(s) {
				odd = append(odd, s)
			}
		}
		return Size{Expr: e, Known: true}, odd
	}
	if fits {
		return Size{Expr: all, Known: true}, nil
	}
	for _, s := range runs[:min(len(runs), 3)] {
		size.Seen = append(size.Seen, Seen{s.v, number(s)})
	}
	return size, nil
}

// isLike reports whether v has large values, and distinct ones, where main has.
func isLike(v, main []int) bool {
	for i := range v {
		if v[i] < 8 && v[i] != main[i] {
			return false
		}
		for j := range i {
			if (v[i] == v[j]) != (main[i] == main[j]) {
				return false
			}
		}
	}
	return true
}

// given are the sizes that a step was given, the products of those of each argument, and its numbers.
func (f *Found) given(k int) (known, totals []Expr, numbers []int) {
	if k >= len(f.In) {
		return nil, nil, nil
	}
	for _, s := range f.In[k] {
		if !s.Known {
			continue
		}
		if n, ok := s.Expr.Constant(); ok {
			if n = abs(n); n > 0 && !slices.Contains(numbers, n) && len(numbers) < 12 {
				numbers = append(numbers, n)
			}
		}
		if len(known) < 24 {
			known = append(known, s.Expr)
		}
	}
	if n := len(numbers); n <= 8 {
		for i, a := range numbers[:n] {
			for _, b := range numbers[i:n] { // also squares
				if p := a * b; p <= 4096 && !slices.Contains(numbers, p) {
					numbers = append(numbers, p)
				}
			}
		}
	}
	for _, r := range f.Main.Steps[k].Tensors {
		total, ok := Const(1), r[1] > r[0]
		for _, s := range f.In[k][r[0]:r[1]] {
			ok = ok && s.Known
			total = total.Mul(s.Expr)
		}
		if _, constant := total.Constant(); ok && !constant && len(total.terms) <= 4 {
			totals = append(totals, total)
		}
	}
	return known, totals, numbers
}

// before are the sizes that the two steps before k gave: what Go code between looked at.
func (f *Found) before(k int) (all []Expr) {
	for i := k - 1; i >= 0 && i >= k-2; i-- {
		for _, s := range f.Out[i] {
			if s.Known && len(all) < 8 {
				all = append(all, s.Expr)
			}
		}
	}
	return all
}

// guard finds the conditions that tell the good runs from the bad.
func (x *Explorer) guard(f *Found, k int, good, zeros, bad []*sample, known, totals []Expr, numbers []int) {
	if len(bad) == 0 || len(good) == 0 {
		return
	}
	g := Guard{Step: k}
	near := -1 // how many letters are as in the main run
	for _, s := range bad {
		fails := s.t.Failed() && len(s.t.Steps) == k+1
		g.Other = g.Other || !s.t.Failed()
		same := 0
		for i := range s.v {
			if s.v[i] == f.At[i] {
				same++
			}
		}
		if fails && g.Error == "" || same > near && fails == (g.Error != "") {
			near, g.When = same, s.v
			if fails {
				g.Error = s.t.Steps[k].Error
			}
		}
	}
	unique := slices.Concat(x.letters, known)
	seen := map[string]bool{}
	unique = slices.DeleteFunc(unique, func(e Expr) bool {
		was := seen[e.Key()]
		seen[e.Key()] = true
		return was
	})
	likely := Conditions(unique, totals, numbers)
	g.Conds, g.Left = Separate(values(good), values(bad), values(zeros), likely, slices.Concat(unique, totals))
	if len(g.Left) > 0 { // no rule: what is left are conditions that say much by themselves
		g.Conds = slices.DeleteFunc(g.Conds, func(c Cond) bool {
			out := 0
			for _, s := range bad {
				if !c.Holds(s.v) {
					out++
				}
			}
			return c.cost() > 40 || 4*out < len(bad)
		})
		g.Left = slices.DeleteFunc(values(bad), func(v []int) bool {
			return slices.ContainsFunc(g.Conds, func(c Cond) bool { return !c.Holds(v) })
		})
	}
	f.Guards = append(f.Guards, g)
}

// Exact reports whether the rules tell apart all that was tried, and the last that was tried spoke for them.
func (f *Found) Exact() bool {
	return !f.Unsettled && !f.Unsteady && !f.Fails && !f.NoResult &&
		!slices.ContainsFunc(f.Guards, func(g Guard) bool { return len(g.Left) > 0 })
}

// conditions are those of all guards.
func (f *Found) conditions() (all []Cond) {
	for _, g := range f.Guards {
		all = append(all, g.Conds...)
	}
	return all
}

// Within reports whether all conditions hold.
func (f *Found) Within(v []int) bool {
	return !slices.ContainsFunc(f.conditions(), func(c Cond) bool { return !c.Holds(v) })
}

// excepted reports whether v is among what no rule was found for.
func (f *Found) excepted(v []int) bool {
	return slices.ContainsFunc(f.Guards, func(g Guard) bool {
		return slices.ContainsFunc(g.Left, func(w []int) bool { return slices.Equal(v, w) })
	})
}

// conforms reports whether a run is what the expressions say.
func (f *Found) conforms(s *sample) bool {
	if s.t.Failed() || s.t.OutKey != f.Main.OutKey && !f.NoResult ||
		f.Varies < 0 && len(s.t.Steps) != len(f.Main.Steps) {
		return false
	}
	for k := range f.Main.Steps {
		if k == f.Varies {
			break
		}
		if k >= len(s.t.Steps) {
			return false
		}
		if !f.agrees(k, &s.t.Steps[k], s.v) {
			return false
		}
	}
	return f.NoResult || agree(f.Result, s.t.Out, s.v)
}

// agrees reports whether a step of a run is what the expressions of step k say.
func (f *Found) agrees(k int, t *Step, v []int) bool {
	m := &f.Main.Steps[k]
	return t.Key == m.Key && t.OutKey == m.OutKey && t.Error == "" && agree(f.In[k], t.In, v) &&
		agree(f.Out[k], t.Out, v)
}

// agree reports whether numbers are what expressions say.
func agree(sizes []Size, numbers, v []int) bool {
	if len(sizes) != len(numbers) {
		return false
	}
	for i, z := range sizes {
		if z.Known {
			if n, ok := z.Expr.Eval(v); !ok || n != numbers[i] {
				return false
			}
		}
	}
	return true
}
