package cpu

import (
	"math"
	"testing"

	"gotorch/tensor"
)

// near reports whether a is b but for a relative error.
func near(a, b, tol float64) bool {
	return a == b || math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= tol*math.Abs(b)
}

// The Wronskian of the modified Bessel functions, I0 K1 + I1 K0 = 1/x, ties all four together.
func TestModifiedBesselWronskian(t *testing.T) {
	for e := -6.0; e < 7; e += 0.01 {
		x := math.Pow(10, e)
		if got := x * (besselI(0, x)*besselK(1, x) + besselI(1, x)*besselK(0, x)); !near(got, 1, 1e-13) {
			t.Errorf("x = %g: %v, want 1", x, got)
		}
	}
}

// Values of Abramowitz and Stegun's tables, and of closed forms.
func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, v := range []struct {
		name      string
		got, want float64
	}{
		{"I0(1)", besselI0(1), 1.2660658777520083}, {"I1(1)", besselI(1, 1) * math.E, 0.5651591039924851},
		{"K0(1)", besselK(0, 1) / math.E, 0.42102443824070833}, {"K1(1)", besselK(1, 1) / math.E, 0.6019072301972346},
		{"K0(0)", besselK(0, 0), inf}, {"K1(-1)", besselK(1, -1), nan}, {"I0e(Inf)", besselI(0, inf), 0},
		{"Ai(0)", airyAi(0), 0.3550280538878172}, {"Ai(1)", airyAi(1), 0.1352924163128814}, {"Ai(-5)", airyAi(-5),
			0.3507610090241142},
		{"Ai(200)", airyAi(200), 0}, {"Ai(-Inf)", airyAi(-inf), nan},
		{"erfcx(0)", erfcx(0), 1}, {"erfcx(10)", erfcx(10), 0.05614099274382259}, {"erfcx(-30)", erfcx(-30), inf},
		{"log_ndtr(-40)", logNdtr(-40), -804.6084420137538}, {"log_ndtr(0)", logNdtr(0), -math.Ln2},
		{"ndtri(0)", ndtri(0), -inf}, {"ndtri(1.5)", ndtri(1.5), nan}, {"ndtri(0.975)", ndtri(0.975), 1.959963984540054},
		{"zeta(2, 1)", hurwitz(2, 1), math.Pi * math.Pi / 6}, {"zeta(1, 3)", hurwitz(1, 3), inf}, {"zeta(2, -3)",
			hurwitz(2, -3), inf},
		{"zeta(2.5, -0.5)", hurwitz(2.5, -0.5), nan}, {"zeta(0.5, 1)", hurwitz(0.5, 1), nan},
		{"igamma(1, 2)", igamma(1, 2), 1 - math.Exp(-2)}, {"igammac(1, 2)", igammac(1, 2), math.Exp(-2)},
		{"igamma(0, 2)", igamma(0, 2), 1}, {"igamma(-1, 2)", igamma(-1, 2), nan}, {"igammac(2, Inf)", igammac(2, inf), 0},
		{"j0(Inf)", sphericalJ0(inf), 0}, {"j0(1e-5)", sphericalJ0(1e-5), 1 - 1e-10/6},
	} {
		if !near(v.got, v.want, 1e-13) {
			t.Errorf("%s is %v, want %v", v.name, v.got, v.want)
		}
	}
}

// Functions and their inverses or other forms, over a range.
func TestSpecialIdentities(t *testing.T) {
	for x := -8.0; x < 8; x += 0.0625 {
		if x > -5.5 && x < 5.5 {
			if p := ndtr(x); x < 2 && !near(ndtri(p), x, 1e-11) && math.Abs(x) > 1e-9 {
				t.Errorf("ndtri(ndtr(%g)) = %v", x, ndtri(p))
			}
			if got, want := erfcx(x), math.Exp(x*x)*math.Erfc(x); !near(got, want, 1e-13) {
				t.Errorf("erfcx(%g) = %v, want %v", x, got, want)
			}
		}
		want := math.Log(ndtr(x))
		if x > 0 {
			want = math.Log1p(-ndtr(-x))
		}
		if got := logNdtr(x); !near(got, want, 1e-12) {
			t.Errorf("log_ndtr(%g) = %v, want %v", x, got, want)
		}
	}
	for a := 0.25; a < 30; a *= 1.7 {
		for x := 0.1; x < 60; x *= 1.3 {
			if s := igamma(a, x) + igammac(a, x); !near(s, 1, 1e-12) {
				t.Errorf("igamma(%g, %g) + igammac = %v", a, x, s)
			}
		}
	}
}

// Orthogonal polynomials against their first forms and, for Chebyshev's, their angles.
func TestPolynomials(t *testing.T) {
	f := families[float64]()
	at := func(name string, n, x float64) float64 { return f[name].value(x, n) }
	for x := -3.0; x <= 3; x += 0.125 {
		y := 2*x - 1
		for name, want := range map[string]float64{
			"chebyshev_polynomial_t": 4*x*x*x - 3*x, "chebyshev_polynomial_u": 8*x*x*x - 4*x,
			"chebyshev_polynomial_v": 8*x*x*x - 4*x*x - 4*x + 1, "chebyshev_polynomial_w": 8*x*x*x + 4*x*x - 4*x - 1,
			"shifted_chebyshev_polynomial_t": 4*y*y*y - 3*y, "shifted_chebyshev_polynomial_u": 8*y*y*y - 4*y,
			"shifted_chebyshev_polynomial_v": 8*y*y*y - 4*y*y - 4*y + 1,
			"shifted_chebyshev_polynomial_w": 8*y*y*y + 4*y*y - 4*y - 1,
			"hermite_polynomial_h":           8*x*x*x - 12*x, "hermite_polynomial_he": x*x*x - 3*x,
			"laguerre_polynomial_l": (-x*x*x + 9*x*x - 18*x + 6) / 6, "legendre_polynomial_p": (5*x*x*x - 3*x) / 2,
		} {
			if got := at(name, 3, x); math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
				t.Errorf("%s of degree 3 at %g is %v, want %v", name, x, got, want)
			}
			if at(name, -1, x) != 0 || at(name, 0, x) != 1 {
				t.Errorf("%s at %g: degree -1 is not 0, or degree 0 not 1", name, x)
			}
		}
	}
	for x := -0.96; x < 1; x += 0.16 {
		a := math.Acos(x)
		for _, n := range []float64{1, 4, 7, 12, 30} {
			for name, want := range map[string]float64{
				"chebyshev_polynomial_t": math.Cos(n * a), "chebyshev_polynomial_u": math.Sin((n+1)*a) / math.Sin(a),
				"chebyshev_polynomial_v": math.Cos((n+0.5)*a) / math.Cos(a/2),
				"chebyshev_polynomial_w": math.Sin((n+0.5)*a) / math.Sin(a/2),
			} {
				if got := at(name, n, x); math.Abs(got-want) > 1e-12*max(1, math.Abs(want)) {
					t.Errorf("%s of degree %g at %g is %v, want %v", name, n, x, got, want)
				}
			}
		}
	}
}

// I0 and I1 have no value at the infinities, in every dtype and any length of loop.
func TestBesselAtInfinity(t *testing.T) {
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64, tensor.Bfloat16} {
		x := tensor.With(dt).Full([]int{37}, math.Inf(1))
		x.Narrow(0, 5, 9).Neg_()
		for _, y := range []*tensor.Tensor{x.I0(), tensor.SpecialI1(x), tensor.SpecialModifiedBesselI0(x.Float())} {
			if !y.Isnan().All().ItemBool() {
				t.Errorf("%s: %v, want NaN", dt, y)
			}
		}
	}
}
