package lapack

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gotorch/internal/parallel"
)

// hard are matrices on which iterations and blocks may fail, by name.
func hard(m, n int) map[string][]float64 {
	rng := rand.New(rand.NewPCG(uint64(m), uint64(n)))
	scaled := func(f func(i, j int) float64) []float64 {
		a := random[float64](rng, m, n, max(m, n))
		for i := range a {
			a[i] *= f(i/n, i%n)
		}
		return a
	}
	return map[string][]float64{
		"random":   scaled(func(i, j int) float64 { return 1 }),
		"graded":   scaled(func(i, j int) float64 { return math.Pow(10, -float64(i+j)/8) }),
		"upwards":  scaled(func(i, j int) float64 { return math.Pow(10, float64(i+j)/8) }),
		"rank 1":   random[float64](rng, m, n, 1),
		"rank 5":   random[float64](rng, m, n, 5),
		"zero":     make([]float64, m*n),
		"ones":     slices.Repeat([]float64{1}, m*n),
		"tiny":     scaled(func(i, j int) float64 { return 1e-300 }),
		"huge":     scaled(func(i, j int) float64 { return 1e300 }),
		"diagonal": scaled(func(i, j int) float64 { return map[bool]float64{true: 1}[i == j] }),
		"clusters": apart(random[float64](rng, m, n, max(m, n)), n, 1e-10, func(i, j int) float64 {
			return map[bool]float64{true: float64(i % 5)}[i == j]
		}),
		"differences": apart(random[float64](rng, m, n, max(m, n)), n, 0, func(i, j int) float64 {
			return map[int]float64{0: 2, 1: -1, -1: -1}[i-j]
		}),
		"Wilkinson": apart(random[float64](rng, m, n, max(m, n)), n, 0, func(i, j int) float64 {
			return map[int]float64{0: math.Abs(float64(i%21 - 10)), 1: 1, -1: 1}[i-j]
		}),
		"blocks": scaled(func(i, j int) float64 { return map[bool]float64{true: 1}[i/7 == j/7] }),
	}
}

// apart is small times a, plus f.
func apart(a []float64, n int, small float64, f func(i, j int) float64) []float64 {
	for i := range a {
		a[i] = small*a[i] + f(i/n, i%n)
	}
	return a
}

// normalized is a divided by its greatest absolute value.
func normalized(a []float64) ([]float64, float64) {
	most := 0.0
	for _, x := range a {
		most = max(most, math.Abs(x))
	}
	if most == 0 {
		most = 1
	}
	b := clone(a)
	for i := range b {
		b[i] /= most
	}
	return b, most
}

// TestHardSingularValues rebuilds matrices of all shapes and kinds.
func TestHardSingularValues(t *testing.T) {
	for _, shape := range [][2]int{{17, 17}, {16, 16}, {70, 64}, {64, 70}, {130, 40}, {40, 130}, {150, 140},
		{120, 150}} {
		m, n := shape[0], shape[1]
		k := min(m, n)
		for kind, a := range hard(m, n) {
			for _, full := range []bool{false, true} {
				what := fmt.Sprintf("%dx%d %s, full %v: ", m, n, kind, full)
				cols, rows := k, k
				if full {
					cols, rows = m, n
				}
				s, u, vh := make([]float64, k), make([]float64, m*cols), make([]float64, rows*n)
				if !SVD(clone(a), m, n, full, s, u, vh) {
					t.Errorf("%sdid not converge", what)
					continue
				}
				b, most := normalized(a)
				us := make([]float64, m*k)
				for i := range m {
					for j := range k {
						us[i*k+j] = u[i*cols+j] * (s[j] / most)
						if s[j] < 0 || j > 0 && s[j] > s[j-1] {
							t.Fatalf("%snot descending: %v", what, s)
						}
					}
				}
				near(t, what+"U S Vᴴ", product(NoTrans, NoTrans, m, n, k, us, vh[:k*n]), b, 1e-12)
				near(t, what+"Uᴴ U", product(Transpose, NoTrans, cols, cols, m, u, u), identity[float64](cols), 1e-12)
				near(t, what+"V Vᴴ", product(NoTrans, Transpose, rows, rows, n, vh, vh), identity[float64](rows), 1e-12)
				alone := make([]float64, k)
				SVD(clone(a), m, n, false, alone, nil, nil)
				x, _ := normalized(append(clone(s), alone...))
				near(t, what+"values alone", x[k:], x[:k], 1e-12)
			}
		}
	}
}

// TestHardEigenvalues rebuilds symmetric matrices of all kinds.
func TestHardEigenvalues(t *testing.T) {
	for _, n := range []int{16, 17, 33, 65, 130, 257} {
		for kind, a := range hard(n, n) {
			for i := range n {
				for j := range i {
					a[i*n+j] = a[j*n+i]
				}
			}
			for _, upper := range []bool{false, true} {
				what := fmt.Sprintf("%d %s, upper %v: ", n, kind, upper)
				v, w := clone(a), make([]float64, n)
				if !EigH(v, n, upper, true, w) {
					t.Errorf("%sdid not converge", what)
					continue
				}
				b, most := normalized(a)
				vw := clone(v)
				for i := range vw {
					vw[i] *= w[i%n] / most
				}
				if !slices.IsSorted(w) {
					t.Errorf("%snot ascending", what)
				}
				near(t, what+"V W Vᴴ", product(NoTrans, Transpose, n, n, n, vw, v), b, 1e-12)
				near(t, what+"Vᴴ V", product(Transpose, NoTrans, n, n, n, v, v), identity[float64](n), 1e-12)
			}
		}
	}
}

// TestNotANumber: iterations end, and say that they failed or give NaN.
func TestNotANumber(t *testing.T) {
	const n = 40
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		a := random[float64](rand.New(rand.NewPCG(1, 2)), n, n, n)
		a[5*n+3], a[3*n+5] = bad, bad
		w, u, v := make([]float64, n), make([]float64, n*n), make([]float64, n*n)
		if EigH(clone(a), n, false, true, w) && Finite(w) {
			t.Errorf("with %v: eigenvalues %v", bad, w)
		}
		if SVD(clone(a), n, n, false, w, u, v) && Finite(w) {
			t.Errorf("with %v: singular values %v", bad, w)
		}
		tau := make([]float64, n)
		QR(a, n, n, tau)
		if Finite(a) {
			t.Errorf("with %v: QR is finite", bad)
		}
	}
}

// TestBlocksFloat32 rebuilds matrices of several strips in float32.
func TestBlocksFloat32(t *testing.T) {
	for _, s := range [][2]int{{8, 8}, {12, 5}, {17, 40}, {100, 100}, {200, 90}, {90, 200}} {
		m, n := s[0], s[1]
		k := min(m, n)
		for kind, wide := range hard(m, n) {
			if kind == "tiny" || kind == "huge" { // no numbers of float32
				continue
			}
			b, _ := normalized(wide)
			a := make([]float32, m*n)
			for i, x := range b {
				a[i] = float32(x)
			}
			what := fmt.Sprintf("%dx%d %s: ", m, n, kind)
			lu, p := clone(a), make([]int, k)
			LU(lu, m, n, p)
			l, u := make([]float32, m*k), make([]float32, k*n)
			for i := range m {
				for j := range n {
					if x := lu[i*n+j]; i > j {
						l[i*k+j] = x
					} else {
						u[i*n+j] = x
					}
				}
				if i < k {
					l[i*k+i] = 1
				}
			}
			x := product(NoTrans, NoTrans, m, n, k, l, u)
			PermuteRows(x, n, p, true)
			near(t, what+"P L U", x, a, 1e-5)
		}
	}
}

// TestBlocksThreads: results are the same to the last bit for any number of threads.
func TestBlocksThreads(t *testing.T) {
	defer parallel.SetThreads(0)
	const n = 200
	a := random[float64](rand.New(rand.NewPCG(1, 2)), n, n, n)
	s := product(NoTrans, Transpose, n, n, n, a, a)
	var want []float64
	for _, threads := range []int{1, 2, 3, 7} {
		parallel.SetThreads(threads)
		lu, f, l, e, u, v := clone(a), clone(a), clone(s), clone(s), clone(a), clone(a)
		tau, w, sv := make([]float64, n), make([]float64, n), make([]float64, n)
		LU(lu, n, n, make([]int, n))
		QR(f, n, n, tau)
		Cholesky(l, n, false)
		EigH(e, n, false, true, w)
		SVD(clone(a), n, n, false, sv, u, v)
		got := slices.Concat(lu, f, l, e, w, u, sv, v)
		if want == nil {
			want = got
		} else if !slices.Equal(got, want) {
			t.Errorf("%d threads give another result than one", threads)
		}
	}
}
