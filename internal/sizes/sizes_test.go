package sizes

import (
	"math/rand/v2"
	"testing"
)

var (
	b = Letter("B", 0)
	h = Letter("H", 1)
	w = Letter("W", 2)
)

// TestText: how expressions are written.
func TestText(t *testing.T) {
	for want, e := range map[string]Expr{
		"0":               {},
		"4*B*H":           b.Mul(h).Times(4),
		"B*H² + B - 3":    b.Mul(h).Mul(h).Add(b).Add(Const(-3)),
		"10 - H":          Const(10).Sub(h),
		"B - H":           b.Sub(h),
		"H//2 + 1":        Div(h.Add(Const(2)), Const(2)),
		"(H - 3)//2":      Div(h.Add(Const(-3)), Const(2)),
		"(H + 1)//4":      Div(Div(h.Add(Const(1)), Const(2)), Const(2)),
		"(H + 4)//6":      Div(Div(h, Const(2)).Add(Const(2)), Const(3)),
		"H":               Div(b.Mul(h), b),
		"(B*H)//(W + 1)":  Div(b.Mul(h), w.Add(Const(1))),
		"B*(H//2)":        b.Mul(Div(h, Const(2))),
		"min(B, 10)":      Min(Const(10), b),
		"max(B - 3, 0)":   Max(b.Add(Const(-3)), Const(0)),
		"B + H % 8":       b.Add(Mod(h, 8)),
		"2*B + (B*H)//3":  Div(b.Mul(h).Add(b.Times(6)), Const(3)),
		"B*((H + 1)//2)²": Div(h.Add(Const(1)), Const(2)).Mul(Div(h.Add(Const(1)), Const(2))).Mul(b),
	} {
		if got := e.String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestRules: what the constructors make simpler has the same values, for every size, and division rounds down.
func TestRules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		c, d, n, m := 1+r.IntN(9), 1+r.IntN(9), r.IntN(30)-15, r.IntN(30)-15
		plain := of(newAtom(quotient, of(newAtom(quotient, h.Add(Const(n)), Const(c))).Add(Const(m)), Const(d)))
		one := Div(Div(h.Add(Const(n)), Const(c)).Add(Const(m)), Const(d))
		for size := range 60 {
			got, ok := one.Eval([]int{0, size})
			want, _ := plain.Eval([]int{0, size})
			if !ok || got != want {
				t.Fatalf("%s at %d is %d, want %d", one, size, got, want)
			}
		}
	}
	if n, _ := Div(h.Add(Const(-3)), Const(2)).Eval([]int{0, 0}); n != -2 {
		t.Errorf("-3 // 2 is %d", n)
	}
	if _, ok := Div(b, h).Eval([]int{3, 0}); ok {
		t.Error("a division by zero has a value")
	}
	big := b.Mul(b).Mul(b).Mul(b)
	if _, ok := big.Eval([]int{1 << 30}); ok {
		t.Error("a product that is too large has a value")
	}
}

// TestFit: an expression is found from samples, and holds for others.
func TestFit(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	sample := func() []int { return []int{1 + r.IntN(90), 1 + r.IntN(90), 1 + r.IntN(90)} }
	for name, f := range map[string]func(v []int) int{
		"number":     func(v []int) int { return 7 },
		"letter":     func(v []int) int { return v[1] },
		"line":       func(v []int) int { return 3*v[2] - 4 },
		"sum":        func(v []int) int { return v[0] + 2*v[1] - v[2] + 1 },
		"product":    func(v []int) int { return v[0] * v[1] * v[2] },
		"triangle":   func(v []int) int { return v[0] * (v[0] + 1) / 2 },
		"square":     func(v []int) int { return v[1]*v[1]*v[0] - v[2] },
		"windows":    func(v []int) int { return (v[1]+2*3-7)/2 + 1 },
		"rounded up": func(v []int) int { return (v[1] + 4) / 5 },
		"scaled":     func(v []int) int { return v[1] * 3 / 2 },
		"remainder":  func(v []int) int { return v[2] % 6 },
		"at most":    func(v []int) int { return min(v[0], 12) },
		"at least":   func(v []int) int { return max(v[0]-5, 0) },
		"between":    func(v []int) int { return min(max(v[0]-5, 0), 20) },
		"lesser":     func(v []int) int { return min(v[0], v[2]) },
		"two":        func(v []int) int { return floorDiv(v[0]-2*v[1]+5, 3) },
	} {
		var samples Samples
		var v []int
		for range 120 {
			s := sample()
			samples, v = append(samples, s), append(v, f(s))
		}
		fit := NewFitter(samples)
		fit.Know(b, h, w)
		e, ok := fit.Fit(v)
		if !ok {
			t.Errorf("%s: nothing was found", name)
			continue
		}
		for range 500 {
			s := sample()
			if got, ok := e.Eval(s); !ok || got != f(s) {
				t.Errorf("%s: %s at %v is %d, want %d", name, e, s, got, f(s))
				break
			}
		}
	}
	hash := func(n int) int { return n * 7919 % 101 }
	var samples Samples
	var v []int
	for n := range 100 {
		samples, v = append(samples, []int{n + 1}), append(v, hash(n+1))
	}
	fit := NewFitter(samples)
	fit.Know(b)
	if e, ok := fit.Fit(v); ok {
		t.Errorf("of noise %s is made", e)
	}
}

func never() bool { return false }

// TestExplore explores a program that is only a rule on numbers. It must find the expressions of its results, and the
// conditions must hold for the sizes below 60 that the rule takes and for no other of these.
func TestExplore(t *testing.T) {
	step := func(in, out []int, fails bool) Step {
		s := Step{Key: "op", In: in, Tensors: [][2]int{{0, min(2, len(in))}}, OutKey: "t", Out: out}
		if fails {
			s.Error, s.Out, s.OutKey = "no", nil, ""
		}
		return s
	}
	for _, c := range []struct {
		name, want string
		fails      func(b, h int) bool
		out        func(b, h int) int
	}{
		{"free", "", func(b, h int) bool { return false }, func(b, h int) int { return b * h }},
		{"number", "H = 12", func(b, h int) bool { return h != 12 }, func(b, h int) int { return b }},
		{"equal", "B = H", func(b, h int) bool { return b != h }, func(b, h int) int { return b }},
		{"least", "H ≥ 7", func(b, h int) bool { return h < 7 }, func(b, h int) int { return (h - 7) / 3 }},
		{"most", "B ≤ 40", func(b, h int) bool { return b > 40 }, func(b, h int) int { return b }},
		{"multiple", "(B*H) % 6 = 0", func(b, h int) bool { return b*h%6 != 0 },
			func(b, h int) int { return b * h / 6 }},
		{"not one", "B ≠ 1", func(b, h int) bool { return b == 1 }, func(b, h int) int { return h }},
		{"order", "B ≥ 2*H + 1", func(b, h int) bool { return b < 2*h+1 }, func(b, h int) int { return b - 2*h }},
	} {
		x := &Explorer{Names: []string{"B", "H"}, Limit: 900, Stop: never, Run: func(v []int) *Trace {
			out := 0
			fails := c.fails(v[0], v[1])
			if !fails {
				out = c.out(v[0], v[1])
			}
			tr := &Trace{Steps: []Step{step([]int{v[0], v[1], 12, 6}, []int{out}, fails)}}
			if !fails {
				tr.OutKey, tr.Out = "t", []int{out}
			}
			return tr
		}}
		f := x.Explore()
		got := ""
		for _, cond := range f.conditions() {
			if got != "" {
				got += " and "
			}
			got += cond.String()
		}
		if got != c.want || !f.Exact() {
			t.Errorf("%s: %q, want %q (exact: %v)", c.name, got, c.want, f.Exact())
		}
		for b := 1; b < 60; b++ {
			for h := 1; h < 60; h++ {
				if f.Within([]int{b, h}) == c.fails(b, h) {
					t.Fatalf("%s: B = %d, H = %d", c.name, b, h)
				}
				if n, ok := f.Result[0].Expr.Eval([]int{b, h}); !c.fails(b, h) && (!ok || n != c.out(b, h)) {
					t.Fatalf("%s: B = %d, H = %d gives %d, want %d", c.name, b, h, n, c.out(b, h))
				}
			}
		}
	}
	x := &Explorer{Names: []string{"B"}, Limit: 300, Stop: func() bool { return false }, Run: func(v []int) *Trace {
		return &Trace{Steps: []Step{step(v, nil, true)}}
	}}
	if f := x.Explore(); !f.Fails || f.Exact() {
		t.Error("a program that always fails does not")
	}
}
