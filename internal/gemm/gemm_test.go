package gemm

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"

	"gotorch/internal/parallel"
)

// randomMatrix fills a matrix of r rows and c columns whose elements lie as layout says: 0 row-major, 1 column-major,
// 2 with holes.
func randomMatrix[T float32 | float64](rng *rand.Rand, r, c, layout int) Matrix[T] {
	m := Matrix[T]{RS: max(c, 1), CS: 1, Off: rng.IntN(3)}
	switch layout {
	case 1:
		m.RS, m.CS = 1, max(r, 1)
	case 2:
		m.RS, m.CS = 2*c+3, 2
	}
	m.P = make([]T, m.Off+r*m.RS+c*m.CS+1)
	for i := range m.P {
		m.P[i] = T(rng.NormFloat64())
	}
	return m
}

func rowMajor[T float32 | float64](m Matrix[T], r, c int) []float64 {
	out := make([]float64, 0, r*c)
	for i := range r {
		for j := range c {
			out = append(out, float64(m.P[m.Off+i*m.RS+j*m.CS]))
		}
	}
	return out
}

// The product is held against gonum's for sizes around those of tiles, tasks and blocks.
func testGemm[T float32 | float64](t *testing.T, eps float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 17, 31, 33, 63, 64, 65, 70, 131, 257}
	for trial := range 600 {
		m, n, k := sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]
		switch trial % 50 { // blocks of k, of columns, and rows that are long
		case 0:
			m, n, k = 211, 230, 401
		case 1:
			m, n, k = 9, 2100, 450
		case 2:
			m, n, k = 1+trial%10, 300, 1100
		case 3:
			m, n, k = 1, 1, 300000
		}
		a, b := randomMatrix[T](rng, m, k, trial%3), randomMatrix[T](rng, k, n, trial/3%3)
		c := randomMatrix[T](rng, m, n, 0)
		alpha, beta := T([]float64{1, 0.5, 0}[rng.IntN(3)]), T([]float64{0, 1, -2}[rng.IntN(3)])
		want := rowMajor(c, m, n)
		if m > 0 && n > 0 && k == 0 { // gonum wants memory even for nothing
			for i := range want {
				want[i] *= float64(beta)
			}
		} else if m > 0 && n > 0 {
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, float64(alpha), rowMajor(a, m, k), max(k, 1),
				rowMajor(b, k, n), max(n, 1), float64(beta), want, max(n, 1))
		}
		if trial%4 == 3 { // what is added is another matrix, a row, a column or a number
			d := randomMatrix[T](rng, m, n, trial/4%3)
			if trial/12%2 == 0 {
				d.RS = 0
			}
			if trial/24%2 == 0 {
				d.CS = 0
			}
			for i := range m {
				for j := range n {
					want[i*n+j] += float64(d.P[d.Off+i*d.RS+j*d.CS]) - float64(beta)*float64(c.P[c.Off+i*c.RS+j])
				}
			}
			g := Call[T]{Op: "test", M: m, N: n, K: k, Alpha: alpha, A: a, B: b, C: c, D: d, Serial: trial%8 == 3}
			g.Run()
		} else {
			Mul("test", m, n, k, alpha, a, b, beta, c)
		}
		for i, got := range rowMajor(c, m, n) {
			if d := math.Abs(got - want[i]); !(d <= eps*float64(k+2)*(1+math.Abs(want[i]))) {
				t.Fatalf("%d×%d×%d alpha %v beta %v: element %d is %v, want %v", m, n, k, alpha, beta, i, got, want[i])
			}
		}
	}
}

// TestGemmThreads: results are the same to the last bit however many goroutines there are.
func TestGemmThreads(t *testing.T) {
	defer parallel.SetThreads(0)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{100, 100, 100}, {300, 400, 500}, {1, 3000, 400}, {3000, 1, 400}, {5, 1000, 1000},
		{1000, 6, 1000}, {1, 1, 1 << 20}} {
		m, n, k := s[0], s[1], s[2]
		for layout := range 2 {
			a, b := randomMatrix[float32](rng, m, k, layout), randomMatrix[float32](rng, k, n, 1-layout)
			var want []float64
			for _, threads := range []int{1, 2, 3, 7} {
				parallel.SetThreads(threads)
				c := randomMatrix[float32](rng, m, n, 0)
				Mul("test", m, n, k, 1, a, b, 0, c)
				if got := rowMajor(c, m, n); want == nil {
					want = got
				} else if !slices.Equal(got, want) {
					t.Errorf("%d×%d×%d: %d goroutines give another result than one", m, n, k, threads)
				}
			}
		}
	}
}

// TestGemmBlocks multiplies in blocks what is too small for them: several of terms and of columns, with fewer panels
// of rows than goroutines and with more.
func TestGemmBlocks(t *testing.T) {
	defer parallel.SetThreads(0)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range [][3]int{{9, 70, 3 * blockK / 8}, {100, 40, 5*blockK/8 + 3}, {60, 2*blockN + 5, 20},
		{30, blockN + 1, blockK/8 + 1}} {
		m, n, k := s[0], s[1], s[2]
		for layout := range 3 {
			a, b := randomMatrix[float64](rng, m, k, layout), randomMatrix[float64](rng, k, n, 2-layout)
			want := make([]float64, m*n)
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, 1, rowMajor(a, m, k), k, rowMajor(b, k, n), n, 0,
				want, n)
			var first []float64
			for _, threads := range []int{1, 2, 3, 7} {
				parallel.SetThreads(threads)
				c := randomMatrix[float64](rng, m, n, 0)
				g := Call[float64]{Op: "test", M: m, N: n, K: k, Alpha: 1, A: a, B: b, C: c}
				g.blocked()
				got := rowMajor(c, m, n)
				for i, v := range got {
					if !(math.Abs(v-want[i]) <= 1e-14*float64(k)) {
						t.Fatalf("%v, layout %d, %d threads: element %d is %v, want %v", s, layout, threads, i, v, want[i])
					}
				}
				if first == nil {
					first = got
				} else if !slices.Equal(first, got) {
					t.Errorf("%v, layout %d: %d goroutines give another result than one", s, layout, threads)
				}
			}
		}
	}
}

func TestGemmFloat64(t *testing.T) { testGemm[float64](t, 1e-14) }
func TestGemmFloat32(t *testing.T) { testGemm[float32](t, 1e-6) }

// TestGemmComplex holds products of complex matrices against those of their parts.
func TestGemmComplex(t *testing.T) {
	defer parallel.SetThreads(0)
	rng := rand.New(rand.NewPCG(1, 2))
	for trial, s := range [][3]int{{1, 1, 9}, {3, 7, 5}, {1, 40, 33}, {40, 1, 33}, {8, 8, 8}, {33, 65, 31}, {5, 300, 600},
		{300, 5, 600}, {130, 70, 70}, {540, 530, 530}} {
		m, n, k := s[0], s[1], s[2]
		for layout := range 3 {
			ar, ai := randomMatrix[float64](rng, m, k, layout), randomMatrix[float64](rng, m, k, layout)
			br, bi := randomMatrix[float64](rng, k, n, 2-layout), randomMatrix[float64](rng, k, n, 2-layout)
			ai.Off, bi.Off = ar.Off, br.Off
			join := func(re, im Matrix[float64]) Matrix[complex128] {
				p := make([]complex128, min(len(re.P), len(im.P)))
				for i := range p {
					p[i] = complex(re.P[i], im.P[i])
				}
				return View(p, re.Off, re.RS, re.CS)
			}
			re, im := randomMatrix[float64](rng, m, n, 0), randomMatrix[float64](rng, m, n, 0)
			Mul("test", m, n, k, 1, ar, br, 0, re)
			Mul("test", m, n, k, -1, ai, bi, 1, re)
			Mul("test", m, n, k, 1, ar, bi, 0, im)
			Mul("test", m, n, k, 1, ai, br, 1, im)
			a, b := join(ar, ai), join(br, bi)
			var first []complex128
			for _, threads := range []int{1, 3} {
				parallel.SetThreads(threads)
				alpha := complex(0.5, float64(trial%2))
				d := View([]complex128{1 + 2i}, 0, 0, 0)
				c := View(make([]complex128, m*n), 0, n, 1)
				Call[complex128]{Op: "test", M: m, N: n, K: k, Alpha: alpha, A: a, B: b, C: c, D: d}.Run()
				for i, got := range c.P {
					want := alpha*complex(re.P[re.Off+i/n*re.RS+i%n], im.P[im.Off+i/n*im.RS+i%n]) + 1 + 2i
					if off := got - want; !(math.Hypot(real(off), imag(off)) <= 1e-12*float64(k)) {
						t.Fatalf("%v, layout %d, %d threads: element %d is %v, want %v", s, layout, threads, i, got, want)
					}
				}
				if first == nil {
					first = c.P
				} else if !slices.Equal(first, c.P) {
					t.Errorf("%v, layout %d: 3 goroutines give another result than one", s, layout)
				}
			}
		}
	}
}

func BenchmarkGemm(b *testing.B) {
	for _, n := range []int{32, 128, 512} {
		b.Run(map[int]string{32: "32", 128: "128", 512: "512"}[n], func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			x, y, z := randomMatrix[float32](rng, n, n, 0), randomMatrix[float32](rng, n, n, 0),
				randomMatrix[float32](rng, n, n, 0)
			for b.Loop() {
				Mul("bench", n, n, n, 1, x, y, 0, z)
			}
			b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
