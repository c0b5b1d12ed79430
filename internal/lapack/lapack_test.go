package lapack

import (
	"fmt"
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// random makes an m by n matrix of rank at most r.
func random[T Field](rng *rand.Rand, m, n, r int) []T {
	a := make([]T, m*n)
	number := func() T {
		var x T
		switch x := any(&x).(type) {
		case *float64:
			*x = rng.NormFloat64()
		case *complex128:
			*x = complex(rng.NormFloat64(), rng.NormFloat64())
		}
		return x
	}
	if r >= min(m, n) {
		for i := range a {
			a[i] = number()
		}
		return a
	}
	x, y := random[T](rng, m, r, r), random[T](rng, r, n, r)
	Mul(a, NoTrans, NoTrans, m, n, r, x, y)
	return a
}

// hermitian makes a a aᴴ, or, where it shall be indefinite, a plus its adjoint.
func hermitian[T Field](rng *rand.Rand, n int, definite bool) []T {
	a := random[T](rng, n, n, n)
	b := make([]T, n*n)
	if definite {
		Mul(b, NoTrans, ConjTrans, n, n, n, a, a)
		return b
	}
	TransposeInto(b, a, n, n, true)
	for i := range b {
		b[i] += a[i]
	}
	return b
}

func clone[T any](a []T) []T { return append([]T(nil), a...) }

// near fails where a and b are apart by more than tol times the greatest element.
func near[T Number](t *testing.T, what string, a, b []T, tol float64) {
	t.Helper()
	most, off := 1.0, 0.0
	for i := range b {
		most = max(most, Abs(b[i]))
		if d := Abs(a[i] - b[i]); !(d <= off) {
			off = d
		}
	}
	if !(off <= tol*most) {
		t.Errorf("%s: off by %g (of %g)", what, off, most)
	}
}

func product[T Number](ta, tb Trans, m, n, k int, a, b []T) []T {
	c := make([]T, m*n)
	Mul(c, ta, tb, m, n, k, a, b)
	return c
}

func identity[T Number](n int) []T { a := make([]T, n*n); Identity(a, n, n); return a }

var sizes = [][2]int{{1, 1}, {2, 2}, {5, 5}, {7, 4}, {4, 7}, {1, 6}, {6, 1}, {40, 40}, {70, 45}, {45, 70}, {33, 33},
	{0, 0}, {0, 3}, {3, 0}}

func both(t *testing.T, f func(t *testing.T, rng *rand.Rand, m, n int), g func(t *testing.T, rng *rand.Rand, m,
	n int)) {
	for _, s := range sizes {
		rng := rand.New(rand.NewPCG(uint64(s[0]), uint64(s[1])))
		t.Run(fmt.Sprintf("real/%dx%d", s[0], s[1]), func(t *testing.T) { f(t, rng, s[0], s[1]) })
		t.Run(fmt.Sprintf("complex/%dx%d", s[0], s[1]), func(t *testing.T) { g(t, rng, s[0], s[1]) })
	}
}

func TestLU(t *testing.T) { both(t, testLU[float64], testLU[complex128]) }

func testLU[T Field](t *testing.T, rng *rand.Rand, m, n int) {
	for _, rank := range []int{m, min(m, n) - 1} {
		if rank < 0 {
			continue
		}
		a := random[T](rng, m, n, rank)
		lu, k := clone(a), min(m, n)
		pivots := make([]int, k)
		LU(lu, m, n, pivots)
		l, u := make([]T, m*k), make([]T, k*n)
		for i := range m {
			for j := range n {
				switch {
				case i > j:
					l[i*k+j] = lu[i*n+j]
					if Abs(lu[i*n+j]) > math.Sqrt2+1e-12 {
						t.Errorf("a factor of %v", lu[i*n+j])
					}
				default:
					u[i*n+j] = lu[i*n+j]
				}
			}
			if i < k {
				l[i*k+i] = 1
			}
		}
		b := product(NoTrans, NoTrans, m, n, k, l, u)
		PermuteRows(b, n, pivots, true)
		near(t, "P L U", b, a, 1e-13)
		if m != n || rank < n {
			continue
		}
		for _, tr := range []Trans{NoTrans, Transpose, ConjTrans} {
			want := random[T](rng, n, 3, 3)
			x := product(tr, NoTrans, n, 3, n, a, want)
			SolveLU(lu, n, pivots, tr, x, 3)
			near(t, "solution", x, want, 1e-9)
		}
	}
}

func TestLUZeroPivot(t *testing.T) {
	p := make([]int, 3)
	if z := LU([]float64{1, 2, 3, 2, 4, 6, 1, 1, 1}, 3, 3, p); z != 3 {
		t.Errorf("first zero pivot %d, want 3", z)
	}
	if z := LU([]complex128{0, 2i, 3, 0, 4, 6, 0, 1, 1}, 3, 3, p); z != 1 {
		t.Errorf("first zero pivot %d, want 1", z)
	}
}

func TestCholesky(t *testing.T) { both(t, testCholesky[float64], testCholesky[complex128]) }

func testCholesky[T Field](t *testing.T, rng *rand.Rand, m, n int) {
	if m != n {
		return
	}
	a := hermitian[T](rng, n, true)
	l, u := clone(a), clone(a)
	if Cholesky(l, n, false) != 0 || Cholesky(u, n, true) != 0 {
		t.Fatal("not positive definite")
	}
	near(t, "L Lᴴ", product(NoTrans, ConjTrans, n, n, n, l, l), a, 1e-13)
	near(t, "Uᴴ U", product(ConjTrans, NoTrans, n, n, n, u, u), a, 1e-13)
	if n < 5 {
		return
	}
	for _, upper := range []bool{false, true} {
		b := clone(a)
		b[3*n+3] = -1
		if minor := Cholesky(b, n, upper); minor != 4 {
			t.Errorf("upper %v: first minor that is not positive: %d, want 4", upper, minor)
		}
	}
}

func TestQR(t *testing.T) { both(t, testQR[float64], testQR[complex128]) }

func testQR[T Field](t *testing.T, rng *rand.Rand, m, n int) {
	k := min(m, n)
	a := random[T](rng, m, n, m)
	f, tau := clone(a), make([]T, k)
	QR(f, m, n, tau)
	r := make([]T, m*n)
	for i := range k {
		copy(r[i*n+i:i*n+n], f[i*n+i:i*n+n])
		if Abs(r[i*n+i]-FromReal[T](Real(r[i*n+i]))) > 0 {
			t.Errorf("R has %v on its diagonal", r[i*n+i])
		}
	}
	q := make([]T, m*m)
	for i := range m {
		for j := range k {
			q[i*m+j] = f[i*n+j]
		}
	}
	Q(q, m, m, k, tau)
	near(t, "Qᴴ Q", product(ConjTrans, NoTrans, m, m, m, q, q), identity[T](m), 1e-13)
	near(t, "Q R", product(NoTrans, NoTrans, m, n, m, q, r), a, 1e-13)
	for _, left := range []bool{true, false} {
		for _, tr := range []Trans{NoTrans, ConjTrans} {
			rows, cols := m, 3
			if !left {
				rows, cols = 3, m
			}
			c := random[T](rng, rows, cols, 5)
			var want []T
			if left {
				want = product(tr, NoTrans, rows, cols, m, q, c)
			} else {
				want = product(NoTrans, tr, rows, cols, m, c, q)
			}
			MulQ(left, tr, c, rows, cols, f, n, k, tau)
			near(t, fmt.Sprint("product with Q, left ", left, " ", tr), c, want, 1e-13)
		}
	}
}

func TestEigH(t *testing.T) { both(t, testEigH[float64], testEigH[complex128]) }

func testEigH[T Field](t *testing.T, rng *rand.Rand, m, n int) {
	if m != n {
		return
	}
	a := hermitian[T](rng, n, false)
	for _, upper := range []bool{false, true} {
		w, w2 := make([]float64, n), make([]float64, n)
		v := clone(a)
		for i := range n { // the other triangle is not read
			for j := range i {
				if upper {
					v[i*n+j] = FromReal[T](math.NaN())
				} else {
					v[j*n+i] = FromReal[T](math.NaN())
				}
			}
		}
		if !EigH(clone(v), n, upper, false, w2) || !EigH(v, n, upper, true, w) {
			t.Fatal("did not converge")
		}
		near(t, "eigenvalues alone", w2, w, 1e-12)
		near(t, "Vᴴ V", product(ConjTrans, NoTrans, n, n, n, v, v), identity[T](n), 1e-12)
		vw := clone(v)
		for i := range vw {
			vw[i] *= FromReal[T](w[i%n])
			if i%n > 0 && i < n && w[i] < w[i-1] {
				t.Error("not ascending")
			}
		}
		near(t, "V W Vᴴ", product(NoTrans, ConjTrans, n, n, n, vw, v), a, 1e-12)
	}
}

func TestSVD(t *testing.T) { both(t, testSVD[float64], testSVD[complex128]) }

func testSVD[T Field](t *testing.T, rng *rand.Rand, m, n int) {
	k := min(m, n)
	for _, rank := range []int{m, k / 2} {
		a := random[T](rng, m, n, rank)
		for _, full := range []bool{false, true} {
			cu, cv := k, k
			if full {
				cu, cv = m, n
			}
			u, vh, s, alone := make([]T, m*cu), make([]T, cv*n), make([]float64, k), make([]float64, k)
			if !SVD(clone(a), m, n, full, s, u, vh) || !SVD(clone(a), m, n, full, alone, nil, nil) {
				t.Fatal("did not converge")
			}
			near(t, "singular values alone", alone, s, 1e-12)
			near(t, "Uᴴ U", product(ConjTrans, NoTrans, cu, cu, m, u, u), identity[T](cu), 1e-12)
			near(t, "V Vᴴ", product(NoTrans, ConjTrans, cv, cv, n, vh, vh), identity[T](cv), 1e-12)
			us := make([]T, m*cv)
			for i := range m {
				for j := range k {
					us[i*cv+j] = u[i*cu+j] * FromReal[T](s[j])
				}
			}
			near(t, "U S Vᴴ", product(NoTrans, NoTrans, m, n, cv, us, vh), a, 1e-12)
			for i := 1; i < k; i++ {
				if s[i] > s[i-1] || s[i] < 0 {
					t.Error("not descending")
				}
			}
		}
	}
}

func TestEig(t *testing.T) { both(t, testEig[float64], testEig[complex128]) }

func testEig[T Field](t *testing.T, rng *rand.Rand, m, n int) {
	if m != n {
		return
	}
	matrices := map[string][]T{"random": random[T](rng, n, n, n), "low rank": random[T](rng, n, n, (n+1)/2),
		"zero": make([]T, n*n), "identity": identity[T](n)}
	jordan := identity[T](n)
	graded := random[T](rng, n, n, n)
	cycle := make([]T, n*n)
	for i := range n {
		if i+1 < n {
			jordan[i*n+i+1] = 1
		}
		cycle[i*n+(i+1)%n] = 1
		for j := range n {
			graded[i*n+j] *= FromReal[T](math.Pow(10, -float64(i-j)/4))
		}
	}
	matrices["one block of Jordan"], matrices["graded"], matrices["cycle"] = jordan, graded, cycle
	for name, a := range matrices {
		w, v, alone := make([]complex128, n), make([]complex128, n*n), make([]complex128, n)
		if !Eig(clone(a), n, w, v) || !Eig(clone(a), n, alone, nil) {
			t.Fatal(name, "did not converge")
		}
		ac := make([]complex128, n*n)
		for i := range a {
			ac[i] = complexOf(a[i])
		}
		vw := clone(v)
		for i := range vw {
			vw[i] *= w[i%n]
		}
		near(t, name+": A V", product(NoTrans, NoTrans, n, n, n, ac, v), vw, 1e-11)
		var trace, sum complex128
		for j := range n {
			trace += ac[j*n+j]
			sum += w[j]
			size, most, realMost := 0.0, 0.0, 0.0
			for i := range n {
				x := v[i*n+j]
				size = math.Hypot(size, cmplx.Abs(x))
				if most = max(most, cmplx.Abs(x)); math.Abs(imag(x)) < 1e-12 {
					realMost = max(realMost, math.Abs(real(x)))
				}
			}
			if math.Abs(size-1) > 1e-12 || realMost < most-1e-12 { // several may be the greatest
				t.Errorf("%s: vector %d has norm %v, and of absolute value %v no element is real", name, j, size, most)
			}
		}
		if cmplx.Abs(trace-sum) > 1e-11*(1+cmplx.Abs(trace))*float64(n+1) {
			t.Errorf("%s: the trace is %v, the sum of the eigenvalues %v", name, trace, sum)
		}
	}
}

func complexOf[T Field](x T) complex128 {
	switch x := any(x).(type) {
	case float64:
		return complex(x, 0)
	case complex128:
		return x
	}
	return 0
}

// TestEigLikeGonum: the complex iteration finds gonum's eigenvalues of a real matrix.
func TestEigLikeGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{2, 5, 12, 30} {
		a := random[float64](rng, n, n, n)
		ac := make([]complex128, n*n)
		for i := range a {
			ac[i] = complex(a[i], 0)
		}
		w := make([]complex128, n)
		if !Eig(ac, n, w, nil) {
			t.Fatal("did not converge")
		}
		var e mat.Eigen
		e.Factorize(mat.NewDense(n, n, a), mat.EigenNone)
		for _, want := range e.Values(nil) {
			best := math.Inf(1)
			for _, x := range w {
				best = min(best, cmplx.Abs(x-want))
			}
			if best > 1e-11 {
				t.Errorf("n = %d: %v is missing, by %g", n, want, best)
			}
		}
	}
}

func TestLDL(t *testing.T) { both(t, testLDL[float64], testLDL[complex128]) }

func testLDL[T Field](t *testing.T, rng *rand.Rand, m, n int) {
	if m != n {
		return
	}
	for _, herm := range []bool{false, true} {
		a := hermitian[T](rng, n, false)
		if !herm {
			b := random[T](rng, n, n, n)
			TransposeInto(a, b, n, n, false)
			for i := range a {
				a[i] += b[i]
			}
		}
		f, pivots := clone(a), make([]int, n)
		if z := LDL(f, n, herm, pivots); z != 0 {
			t.Fatalf("block %d is zero", z)
		}
		want := random[T](rng, n, 3, 3)
		x := product(NoTrans, NoTrans, n, 3, n, a, want)
		SolveLDL(f, n, herm, pivots, x, 3)
		near(t, fmt.Sprint("solution, hermitian ", herm), x, want, 1e-9)
	}
}

func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, scale := range []float64{1e-3, 1, 30} {
		a := random[float64](rng, 6, 6, 6)
		ac := make([]complex128, 36)
		for i := range a {
			a[i] *= scale
			ac[i] = complex(a[i], 0)
		}
		var want mat.Dense
		want.Exp(mat.NewDense(6, 6, clone(a)))
		Exp(a, 6)
		Exp(ac, 6)
		near(t, "exp", a, want.RawMatrix().Data, 1e-11)
		for i := range ac {
			if cmplx.Abs(ac[i]-complex(a[i], 0)) > 1e-11*(1+math.Abs(a[i]))*math.Exp(scale) {
				t.Errorf("complex %v, real %v", ac[i], a[i])
			}
		}
	}
	turn := []complex128{0, 1i * math.Pi, 1i * math.Pi, 0}
	Exp(turn, 2)
	near(t, "exp of an angle", turn, []complex128{-1, 0, 0, -1}, 1e-14)
}

// TestEigLarge: matrices whose eigenvalues are found by multishift steps, also defective ones, with clusters, and with
// zero rows. A V is V times the eigenvalues, and V has unit columns.
func TestEigLarge(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{48, 75, 130, 200, 301} {
		for kind := range 7 {
			a := random[float64](rng, n, n, n)
			switch kind {
			case 1: // eigenvalues in clusters
				for i := range n {
					for j := range n {
						a[i*n+j] *= 1e-6
					}
					a[i*n+i] += float64(i % 5)
				}
			case 2: // permuted to triangular form
				for i := range n {
					for j := range i {
						a[i*n+j] = 0
					}
				}
			case 3: // Hessenberg already, with small elements
				for i := range n {
					for j := range max(0, i-1) {
						a[i*n+j] = 0
					}
					if i > 0 && i%7 == 0 {
						a[i*n+i-1] = 1e-18
					}
				}
			case 4: // badly scaled
				for i := range a {
					a[i] *= math.Exp2(float64(i/n-i%n) / 4)
				}
			case 5: // skew: all eigenvalues are imaginary
				for i := range n {
					for j := range i {
						a[j*n+i] = -a[i*n+j]
					}
					a[i*n+i] = 0
				}
			case 6: // a cycle: the roots of one
				clear(a)
				for i := range n {
					a[i*n+(i+1)%n] = 1
				}
			}
			x, w, v, only := clone(a), make([]complex128, n), make([]complex128, n*n), make([]complex128, n)
			if !Eig(x, n, w, v) {
				t.Errorf("%d rows, kind %d: no convergence", n, kind)
				continue
			}
			if !Eig(clone(a), n, only, nil) {
				t.Errorf("%d rows, kind %d: no convergence without vectors", n, kind)
			}
			norm, off := 0.0, 0.0
			for _, e := range a {
				norm += e * e
			}
			norm = math.Sqrt(norm)
			for j := range n {
				size := 0.0
				for i := range n {
					var s complex128
					for k := range n {
						s += complex(a[i*n+k], 0) * v[k*n+j]
					}
					off = max(off, cmplx.Abs(s-w[j]*v[i*n+j]))
					size += real(v[i*n+j])*real(v[i*n+j]) + imag(v[i*n+j])*imag(v[i*n+j])
				}
				if !(math.Abs(size-1) < 1e-12) {
					t.Errorf("%d rows, kind %d: vector %d has a square of %v", n, kind, j, size)
				}
			}
			if !(off <= 1e-13*norm) {
				t.Errorf("%d rows, kind %d: A V is off by %g of %g", n, kind, off, norm)
			}
			sum, trace := complex(0, 0), 0.0
			for i := range n {
				sum += only[i]
				trace += a[i*n+i]
			}
			if d := cmplx.Abs(sum - complex(trace, 0)); !(d <= 1e-12*(1+norm)) {
				t.Errorf("%d rows, kind %d: the eigenvalues add up to %v, not %v", n, kind, sum, trace)
			}
		}
	}
}
