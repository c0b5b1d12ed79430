package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// randomMatrix fills a matrix of r rows and c columns whose elements lie as layout says: 0 row-major, 1 column-major, 2 with holes.
func randomMatrix[T float](rng *rand.Rand, r, c, layout int) matrix[T] {
	m := matrix[T]{rs: max(c, 1), cs: 1, off: rng.IntN(3)}
	switch layout {
	case 1:
		m.rs, m.cs = 1, max(r, 1)
	case 2:
		m.rs, m.cs = 2*c+3, 2
	}
	m.p = make([]T, m.off+r*m.rs+c*m.cs+1)
	for i := range m.p {
		m.p[i] = T(rng.NormFloat64())
	}
	return m
}

func rowMajor[T float](m matrix[T], r, c int) []float64 {
	out := make([]float64, 0, r*c)
	for i := range r {
		for j := range c {
			out = append(out, float64(m.p[m.off+i*m.rs+j*m.cs]))
		}
	}
	return out
}

// The product is held against gonum's for sizes around those of tiles, tasks and blocks.
func testGemm[T float](t *testing.T, eps float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	sizes := []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 31, 63, 64, 65, 70, 257}
	for trial := range 300 {
		m, n, k := sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))], sizes[rng.IntN(len(sizes))]
		a, b := randomMatrix[T](rng, m, k, trial%3), randomMatrix[T](rng, k, n, trial/3%3)
		c := randomMatrix[T](rng, m, n, 0)
		alpha, beta := T([]float64{1, 0.5, 0}[rng.IntN(3)]), T([]float64{0, 1, -2}[rng.IntN(3)])
		want := rowMajor(c, m, n)
		if m > 0 && n > 0 && k == 0 { // gonum wants memory even for nothing
			for i := range want {
				want[i] *= float64(beta)
			}
		} else if m > 0 && n > 0 {
			gonum.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, m, n, k, float64(alpha), rowMajor(a, m, k), max(k, 1), rowMajor(b, k, n), max(n, 1), float64(beta), want, max(n, 1))
		}
		gemm("test", m, n, k, alpha, a, b, beta, c)
		for i, got := range rowMajor(c, m, n) {
			if d := math.Abs(got - want[i]); !(d <= eps*float64(k+2)*(1+math.Abs(want[i]))) {
				t.Fatalf("%d×%d×%d alpha %v beta %v: element %d is %v, want %v", m, n, k, alpha, beta, i, got, want[i])
			}
		}
	}
}

func TestGemmFloat64(t *testing.T) { testGemm[float64](t, 1e-14) }
func TestGemmFloat32(t *testing.T) { testGemm[float32](t, 1e-6) }

func BenchmarkGemm(b *testing.B) {
	for _, n := range []int{32, 128, 512} {
		b.Run(map[int]string{32: "32", 128: "128", 512: "512"}[n], func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			x, y, z := randomMatrix[float32](rng, n, n, 0), randomMatrix[float32](rng, n, n, 0), randomMatrix[float32](rng, n, n, 0)
			for b.Loop() {
				gemm("bench", n, n, n, 1, x, y, 0, z)
			}
			b.ReportMetric(2*float64(n*n*n)*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
		})
	}
}
