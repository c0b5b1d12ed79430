package sizes

import (
	"math/rand/v2"
	"slices"
)

// Note: which values are tried. A program is run for values of its letters that are large and have nothing in common,
// so that a size that comes out tells where it came from; where such values do not pass a call, those that may pass it
// are worked out from what it was given. Then come small values and large ones, one letter at a time and all
// together, values that are equal, values that just keep a condition that was found and values that just break it,
// and at last values that nothing was found from. One that differs from what was found starts the search again, with
// it.

// Explorer runs a program for different values of letters.
type Explorer struct {
	Names []string
	Run   func(values []int) *Trace
	Start [][]int     // values that are tried first
	Stop  func() bool // time is up
	Limit int         // how many runs at most

	rand    *rand.Rand
	seen    map[string]*sample
	samples []*sample // those of sizes from 1 on
	zeros   []*sample
	letters []Expr
	ended   bool
}

// Explore finds out what a program does to sizes.
func (x *Explorer) Explore() *Found {
	x.rand, x.seen = rand.New(rand.NewPCG(3, 14)), map[string]*sample{}
	for i, n := range x.Names {
		x.letters = append(x.letters, Letter(n, i))
	}
	x.begin()
	if !x.reach() {
		f := x.infer()
		f.Fails = true
		return x.count(f)
	}
	x.around(x.infer())
	x.tryZeros(x.infer())
	f := x.infer()
	f.Unsettled = true
	for range 8 {
		fresh, wrong := x.verify(f)
		if wrong == 0 && (!x.ended || fresh >= 10) {
			f.Fresh, f.Unsettled = fresh, false
			break
		}
		f = x.infer()
		f.Unsettled = true
	}
	x.judgeZeros(f)
	again := x.Run(f.At)
	f.Unsteady = !again.same(f.Main)
	return x.count(f)
}

// try runs the program, once for the same values; nil where nothing more is to be run, or for values below zero.
func (x *Explorer) try(v []int) *sample {
	if s := x.seen[keyOf(v)]; s != nil {
		return s
	}
	if len(x.seen) >= x.Limit || len(x.samples) > 0 && x.Stop() {
		x.ended = true
		return nil
	}
	if slices.ContainsFunc(v, func(n int) bool { return n < 0 || n > 1<<20 }) {
		return nil
	}
	s := &sample{slices.Clone(v), x.Run(v)}
	x.seen[keyOf(v)] = s
	if slices.Contains(v, 0) {
		x.zeros = append(x.zeros, s)
	} else {
		x.samples = append(x.samples, s)
	}
	return s
}

// tryZeros tries values near those that passed, with a 0 among them.
func (x *Explorer) tryZeros(f *Found) {
	for _, base := range x.bases(f) {
		for i := range base {
			v := slices.Clone(base)
			v[i] = 0
			x.try(v)
			x.try(x.settle(v, 1<<i, f.conditions()))
		}
	}
	x.try(make([]int, len(x.Names)))
}

// judgeZeros looks whether the rules, which were found for sizes from 1 on, hold where a size is 0.
func (x *Explorer) judgeZeros(f *Found) {
	f.Zeros = len(x.zeros)
	for _, s := range x.zeros {
		if f.Within(s.v) != f.conforms(s) {
			f.ZeroOdd, f.ZeroAt = append(f.ZeroOdd, s.t), append(f.ZeroAt, s.v)
		}
	}
}

// primes have nothing in common with each other, nor with sizes that people choose.
var primes = []int{23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97, 101, 103, 107, 109, 113, 127}

// begin tries what is given, primes, multiples of 16, powers of two, and one value for all.
func (x *Explorer) begin() {
	for _, v := range x.Start {
		x.try(v)
	}
	n := len(x.Names)
	v := make([]int, n)
	for range 6 {
		for i, k := range x.rand.Perm(len(primes))[:min(n, len(primes))] {
			v[i] = primes[k]
		}
		x.try(v)
	}
	for range 4 {
		for i := range v {
			v[i] = 16 * (2 + x.rand.IntN(9))
		}
		x.try(v)
	}
	for _, k := range []int{32, 64, 8, 224, 1} {
		for i := range v {
			v[i] = k
		}
		x.try(v)
	}
	for i := range v {
		v[i] = 32 << (i % 3)
	}
	x.try(v)
}

// around tries values near those that passed.
func (x *Explorer) around(f *Found) {
	kept := f.conditions()
	both := func(v []int, fixed int) {
		x.try(v)
		x.try(x.settle(v, fixed, kept))
	}
	bases := x.bases(f)
	for b, base := range bases {
		var values []int
		for n := range 17 {
			values = append(values, n+1)
		}
		values = append(values, 19, 20, 21, 24, 25, 27, 28, 30, 32, 33, 40, 48, 64, 99, 128, 200)
		if b > 0 {
			values = []int{1, 2, 3, 4, 5, 6, 7, 8, 12, 15, 16}
		}
		for _, n := range values {
			for i := range base {
				v := slices.Clone(base)
				v[i] = n
				both(v, 1<<i)
			}
		}
		for i := range base {
			for j := range i {
				v := slices.Clone(base)
				v[i] = v[j]
				both(v, 1<<i|1<<j)
				v[j]++
				both(v, 0)
			}
		}
	}
	x.random(40, 6, kept)
	x.random(40, 24, kept)
	x.random(20, 200, kept)
}

// random tries n values below most, as they are and so that conditions hold.
func (x *Explorer) random(n, most int, kept []Cond) {
	for range n {
		v := make([]int, len(x.Names))
		for i := range v {
			v[i] = 1 + x.rand.IntN(most)
		}
		if x.try(v); len(kept) > 0 {
			x.try(x.settle(v, 0, kept))
		}
	}
}

// bases are up to three runs that came to their end, the main one first.
func (x *Explorer) bases(f *Found) (out [][]int) {
	out = append(out, f.At)
	for _, s := range x.samples {
		if len(out) == 3 {
			break
		}
		far := true
		for _, b := range out {
			same := 0
			for i := range b {
				if b[i] == s.v[i] {
					same++
				}
			}
			far = far && 2*same <= len(b)
		}
		if !s.t.Failed() && far {
			out = append(out, s.v)
		}
	}
	return out
}

// verify tries values that nothing was found from: some that fulfil all conditions, and some that just break one. It
// returns how many there were, and how many differ from what was found.
func (x *Explorer) verify(f *Found) (fresh, wrong int) {
	kept := f.conditions()
	test := func(v []int) {
		if x.seen[keyOf(v)] != nil {
			return
		}
		s := x.try(v)
		if s == nil || slices.Contains(v, 0) {
			return
		}
		fresh++
		if f.Within(s.v) != f.conforms(s) && !f.excepted(s.v) {
			wrong++
		}
	}
	for round := range 48 {
		most := []int{4, 12, 40, 150}[round%4]
		v := make([]int, len(x.Names))
		for i := range v {
			v[i] = 1 + x.rand.IntN(most)
			if round%8 >= 4 {
				v[i] += most / 2
			}
		}
		if round%3 == 0 {
			test(v)
		}
		v = x.settle(v, 0, kept)
		test(v)
		if len(kept) > 0 {
			c := kept[x.rand.IntN(len(kept))]
			mark := map[int]bool{}
			c.Letters(mark)
			w := slices.Clone(v)
			for i := range w {
				if mark[i] {
					w[i] = max(1, w[i]+x.rand.IntN(5)-2)
				}
			}
			test(w)
		}
	}
	return fresh, wrong
}

// count adds up what was tried.
func (x *Explorer) count(f *Found) *Found {
	f.Runs, f.Ended = len(x.samples), x.ended
	f.Most = make([]int, len(x.Names))
	f.Agree, f.Beyond = 0, 0
	for _, s := range x.samples {
		for i, n := range s.v {
			f.Most[i] = max(f.Most[i], n)
		}
		if f.Within(s.v) && !f.excepted(s.v) {
			f.Agree++
		} else {
			f.Beyond++
		}
	}
	return f
}
