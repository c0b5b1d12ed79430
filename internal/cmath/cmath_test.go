package cmath

import (
	"math"
	"math/big"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

var functions = map[string][2]func(complex128) complex128{
	"Exp": {Exp, cmplx.Exp}, "Log": {Log, cmplx.Log}, "Sqrt": {Sqrt, cmplx.Sqrt},
	"Sin": {Sin, cmplx.Sin}, "Cos": {Cos, cmplx.Cos}, "Tan": {Tan, cmplx.Tan},
	"Sinh": {Sinh, cmplx.Sinh}, "Cosh": {Cosh, cmplx.Cosh}, "Tanh": {Tanh, cmplx.Tanh},
	"Asin": {Asin, cmplx.Asin}, "Acos": {Acos, cmplx.Acos}, "Atan": {Atan, cmplx.Atan},
	"Asinh": {Asinh, cmplx.Asinh}, "Acosh": {Acosh, cmplx.Acosh}, "Atanh": {Atanh, cmplx.Atanh},
	"Log1p": {Log1p, func(z complex128) complex128 { return cmplx.Log(1 + z) }},
}

// TestOrdinaryNumbers compares with math/cmplx where that is exact enough.
func TestOrdinaryNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, f := range functions {
		for range 20000 {
			z := complex(6*r.Float64()-3, 6*r.Float64()-3)
			if got, want := f[0](z), f[1](z); cmplx.Abs(got-want) > 2e-14*(1+real(want*cmplx.Conj(want))) {
				t.Fatalf("%s(%v) = %v, want %v", name, z, got, want)
			}
		}
	}
}

// TestInverses goes there and back over all magnitudes.
func TestInverses(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, p := range map[string][2]func(complex128) complex128{
		"Sinh": {Asinh, Sinh}, "Sin": {Asin, Sin}, "Cosh": {Acosh, Cosh}, "Tanh": {Atanh, Tanh}, "Tan": {Atan, Tan},
		"Exp": {Log, Exp}, "square": {Sqrt, func(z complex128) complex128 { return z * z }},
	} {
		for range 20000 {
			size := func() float64 { return math.Ldexp(1-2*r.Float64(), r.IntN(80)-60) }
			z := complex(size(), size())
			if name == "Tanh" || name == "Tan" || name == "Cosh" { // near 1, i and 0 digits of the inverse are lost
				z = complex(size()/0x1p22, size()/0x1p22)
				if name == "Cosh" {
					z += 3
				}
			}
			if back := p[1](p[0](z)); cmplx.Abs(back-z) > 1e-13*cmplx.Abs(z) {
				t.Fatalf("%s of the inverse of %v is %v", name, z, back)
			}
		}
	}
}

// TestLogNearOne holds logarithms near the unit circle, and Log1p near 0, against 200 bits.
func TestLogNearOne(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(2000).SetFloat64(x) }
	square := func(x *big.Float) *big.Float { return new(big.Float).SetPrec(2000).Mul(x, x) }
	for range 5000 {
		sin, cos := math.Sincos(7 * r.Float64())
		d := math.Ldexp(r.Float64(), -r.IntN(60))
		x, y := cos+d, sin
		excess, _ := new(big.Float).Sub(new(big.Float).Add(square(wide(x)), square(wide(y))), wide(1)).Float64()
		want := math.Log1p(excess) / 2
		if got := real(Log(complex(x, y))); math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Fatalf("log |%v%+vi| = %v, want %v", x, y, got, want)
		}
		x, y = x-1, y/2
		shifted := new(big.Float).SetPrec(2000).Add(wide(x), wide(1))
		excess, _ = new(big.Float).Sub(new(big.Float).Add(square(shifted), square(wide(y))), wide(1)).Float64()
		want = math.Log1p(excess) / 2
		if got := real(Log1p(complex(x, y))); math.Abs(x) < 0.5 && math.Abs(got-want) > 1e-14*math.Abs(want) {
			t.Fatalf("log1p %v%+vi = %v, want %v", x, y, got, want)
		}
	}
}

// TestDiv divides numbers of all magnitudes, against exact arithmetic.
func TestDiv(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(4200).SetFloat64(x) }
	op := func() *big.Float { return new(big.Float).SetPrec(4200) }
	for range 3000 {
		part := func() float64 { return math.Ldexp(1-2*r.Float64(), r.IntN(2040)-1020) }
		k := r.IntN(1000) - 500
		a := scale(complex(1-2*r.Float64(), 1-2*r.Float64()), k)
		b := complex(part(), part())
		if cmplx.Abs(b) < 0x1p-500 || cmplx.Abs(b) > 0x1p500 {
			a = scale(a, -k)
		}
		c, d := wide(real(b)), wide(imag(b))
		s := op().Add(op().Mul(c, c), op().Mul(d, d))
		part1 := op().Add(op().Mul(wide(real(a)), c), op().Mul(wide(imag(a)), d))
		part2 := op().Sub(op().Mul(wide(imag(a)), c), op().Mul(wide(real(a)), d))
		re, _ := op().Quo(part1, s).Float64()
		im, _ := op().Quo(part2, s).Float64()
		got, want := Div(a, b), complex(re, im)
		if cmplx.IsInf(want) || cmplx.Abs(want) < 0x1p-1020 {
			continue
		}
		if math.Hypot(real(got)-re, imag(got)-im) > 1e-15*cmplx.Abs(want) {
			t.Fatalf("%v / %v = %v, want %v", a, b, got, want)
		}
	}
	for _, c := range []struct{ a, b complex128 }{{1, 0}, {0, 0}, {1i, complex(math.Inf(1), 0)}, {1, complex(0, nan)}} {
		if got := Div(c.a, c.b); real(got) == real(got) || imag(got) == imag(got) {
			t.Errorf("%v / %v = %v, want NaN in both parts", c.a, c.b, got)
		}
	}
}

func TestPow(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for range 20000 {
		a := complex(6*r.Float64()-3, 6*r.Float64()-3)
		b := complex(20*r.Float64()-10, 2*r.Float64()-1)
		if got, want := Pow(a, b), cmplx.Pow(a, b); cmplx.Abs(got-want) > 3e-14*cmplx.Abs(want) {
			t.Fatalf("%v to the power of %v is %v, want %v", a, b, got, want)
		}
	}
}

// TestExtremes has results that math/cmplx and the textbook's formulas lose.
func TestExtremes(t *testing.T) {
	for _, c := range []struct {
		what      string
		got, want complex128
	}{
		{"tanh 1000", Tanh(1000), 1},
		{"tanh 400+i", Tanh(complex(-400, 1)), complex(-1, 4*math.Sin(1)*math.Cos(1)*math.Exp(-800))},
		{"exp(710+πi/2)", Exp(complex(709.9, math.Pi/2-1e-5)),
			complex(math.Exp(709)*(math.Exp(0.9)*math.Sin(1e-5)), math.Inf(1))},
		{"log of a subnormal", Log(0x1p-1060), -1060 * math.Ln2},
		{"log of a large number", Log(complex(math.MaxFloat64, 0)), complex(1024*math.Ln2, 0)},
		{"asin 1e-200i", Asin(complex(1e-200, 1e-200)), complex(1e-200, 1e-200)},
		{"asinh 1e300", Asinh(complex(1e300, 0)), complex(300*math.Ln10+math.Ln2, 0)},
		{"acos 1e300", Acos(complex(0, 1e300)), complex(math.Pi/2, -(300*math.Ln10 + math.Ln2))},
		{"atanh 1e200", Atanh(complex(1e200, 1e200)), complex(0.5e-200, math.Pi/2)},
		{"angle", complex(Angle(complex(-1e300, -1e-310)), 0), -math.Pi},
	} {
		for i := range 2 {
			g, w := [2]float64{real(c.got), imag(c.got)}[i], [2]float64{real(c.want), imag(c.want)}[i]
			if g != w && math.Abs(g-w) > 1e-10*math.Abs(w) {
				t.Errorf("%s is %v, want %v", c.what, c.got, c.want)
			}
		}
	}
}
