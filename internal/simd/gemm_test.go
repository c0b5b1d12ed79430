package simd

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestGemmTile compares every micro-kernel with plain sums: all numbers of rows, vectors and columns, steps of either
// sign, what is added and the factor. The operands end at guard pages.
func TestGemmTile(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		testTiles(t, GemmFloat32, 1e-5)
		testTiles(t, GemmFloat64, 1e-13)
		testTiles(t, GemmComplex64, 1e-5)
		testTiles(t, GemmComplex128, 1e-13)
	})
	t.Run("complex", func(t *testing.T) { testTiles(t, GemmGo[complex128](), 1e-13) })
	t.Run("int", func(t *testing.T) { testTiles(t, GemmGo[int32](), 0) })
}

func testTiles[T GemmNumber](t *testing.T, g *GemmKernels[T], eps float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	var z T
	size := int(unsafe.Sizeof(z))
	for _, vecs := range []int{1, 2, 4} {
		for rows := 1; rows <= g.MaxRows[vecs]; rows++ {
			for trial := range 12 {
				width := vecs * g.Lanes
				cols := 1 + rng.IntN(width)
				if trial%3 == 0 {
					cols = width
				}
				k, reach := 1+rng.IntN(9), cols
				if g.Whole {
					reach = width
				}
				indirect := trial%2 == 1
				a := guardedMatrix[T](t, rng, rows, k, trial%4 == 0)
				b := guardedMatrix[T](t, rng, k, reach, false)
				c := guardedMatrix[T](t, rng, rows, cols, false)
				d := guardedMatrix[T](t, rng, rows, cols, false)
				alpha := randomElem[T](rng)
				tile := GemmTile{A: a.at(0, 0), RowA: a.row * size, ColA: a.col * size, B: b.at(0, 0), RowB: b.row * size,
					C: c.at(0, 0), RowC: c.row * size, K: k, Cols: cols}
				if trial%4 == 1 { // the last row first
					tile.C, tile.RowC = c.at(rows-1, 0), -tile.RowC
					tile.A, tile.RowA = a.at(rows-1, 0), -tile.RowA
				}
				factor, added := T(1), func(i, j int) T { return 0 }
				if trial%3 == 1 {
					factor, tile.Alpha = alpha, unsafe.Pointer(&alpha)
				}
				old := append([]T(nil), c.p...)
				switch trial % 5 {
				case 1:
					tile.D, tile.RowD = tile.C, tile.RowC
					added = func(i, j int) T { return old[i*c.row+j] }
				case 2:
					tile.D = d.at(0, 0)
					added = func(i, j int) T { return d.p[j] }
				case 3:
					tile.D, tile.RowD, tile.Each = d.at(0, 0), d.row*size, 1
					added = func(i, j int) T { return d.p[i*d.row] }
					if tile.RowC < 0 {
						tile.D, tile.RowD = d.at(rows-1, 0), -tile.RowD
					}
				}
				if indirect {
					offA, offB := guarded[int32](t, k, false), guarded[int32](t, k, false)
					for q := range k {
						offA[q], offB[q] = int32(q*tile.ColA), int32(q*tile.RowB)
					}
					tile.OffA, tile.OffB, tile.ColA, tile.RowB = &offA[0], &offB[0], 0, 0
					g.Indirect(rows, vecs, &tile)
				} else {
					if trial%4 == 2 {
						tile.Ahead = unsafe.Pointer(&b.p[len(b.p)-1]) // and on behind the guard page
					}
					g.Tile(rows, vecs, &tile)
				}
				for i := range rows {
					for j := range cols {
						var want T
						for q := range k {
							want += a.p[i*a.row+q*a.col] * b.p[q*b.row+j]
						}
						want = want*factor + added(i, j)
						if got := c.p[i*c.row+j]; !closeTo(got, want, eps) {
							t.Fatalf("%d rows, %d vectors, %d columns, trial %d: (%d, %d) is %v, want %v", rows, vecs, cols, trial,
								i, j, got, want)
						}
					}
				}
			}
		}
	}
}

// guardedElems has a matrix whose last element lies before a guard page.
type guardedElems[T any] struct {
	p        []T
	row, col int
}

func (m guardedElems[T]) at(i, j int) unsafe.Pointer { return unsafe.Pointer(&m.p[i*m.row+j*m.col]) }

func guardedMatrix[T GemmNumber](t *testing.T, rng *rand.Rand, rows, cols int, columns bool) guardedElems[T] {
	m := guardedElems[T]{row: cols + rng.IntN(3), col: 1}
	n := (rows-1)*m.row + cols
	if columns {
		m.row, m.col = 1, rows+rng.IntN(3)
		n = (cols-1)*m.col + rows
	}
	m.p = guarded[T](t, n, false)
	for i := range m.p {
		m.p[i] = randomElem[T](rng)
	}
	return m
}

func randomElem[T GemmNumber](rng *rand.Rand) T {
	var z T
	switch p := any(&z).(type) {
	case *float32:
		*p = float32(rng.NormFloat64())
	case *float64:
		*p = rng.NormFloat64()
	case *complex64:
		*p = complex(float32(rng.NormFloat64()), float32(rng.NormFloat64()))
	case *complex128:
		*p = complex(rng.NormFloat64(), rng.NormFloat64())
	case *int32:
		*p = rng.Int32()
	}
	return z
}

func closeTo[T GemmNumber](a, b T, eps float64) bool {
	switch d := any(a - b).(type) {
	case float32:
		return math.Abs(float64(d)) <= eps*10
	case float64:
		return math.Abs(d) <= eps*10
	case complex64:
		return math.Hypot(float64(real(d)), float64(imag(d))) <= eps*20
	case complex128:
		return math.Hypot(real(d), imag(d)) <= eps*10
	}
	return a == b
}

// TestGemmDots: sums of products for all lengths of tails, and multiples of rows added to a row.
func TestGemmDots(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		testDots(t, GemmFloat32, 1e-4)
		testDots(t, GemmFloat64, 1e-12)
		testDots(t, GemmComplex64, 1e-4)
		testDots(t, GemmComplex128, 1e-12)
	})
}

func testDots[T GemmNumber](t *testing.T, g *GemmKernels[T], eps float64) {
	rng := rand.New(rand.NewPCG(1, 2))
	var z T
	size := int(unsafe.Sizeof(z))
	for n := 1; n < 131; n++ {
		rows, cols := 1+rng.IntN(g.MaxDots[0]), 1+rng.IntN(g.MaxDots[1])
		a, b := guardedMatrix[T](t, rng, rows, n, false), guardedMatrix[T](t, rng, cols, n, false)
		c := guarded[T](t, rows*cols, false)
		g.Dots(rows, cols, &GemmTile{A: a.at(0, 0), RowA: a.row * size, B: b.at(0, 0), RowB: b.row * size,
			C: unsafe.Pointer(&c[0]), K: n})
		for i := range rows {
			for j := range cols {
				var want T
				for k := range n {
					want += a.p[i*a.row+k] * b.p[j*b.row+k]
				}
				if got := c[i*cols+j]; !closeTo(got, want, eps) {
					t.Fatalf("%d elements, %d×%d: dot product (%d, %d) is %v, want %v", n, rows, cols, i, j, got, want)
				}
			}
		}
		testDotGroups(t, rng, g, n, eps)
		testAddRows(t, rng, g, n, eps)
	}
}

// testDotGroups multiplies several groups of four rows of n elements by one.
func testDotGroups[T GemmNumber](t *testing.T, rng *rand.Rand, g *GemmKernels[T], n int, eps float64) {
	var z T
	size, groups := int(unsafe.Sizeof(z)), rng.IntN(5)
	rows := 4 * max(1, groups)
	a, b, c := guardedMatrix[T](t, rng, rows, n, false), guardedMatrix[T](t, rng, 1, n, false), guarded[T](t, rows, false)
	g.Dots(4, 1, &GemmTile{A: a.at(0, 0), RowA: a.row * size, B: b.at(0, 0), RowB: b.row * size,
		C: unsafe.Pointer(&c[0]), K: n, Cols: groups})
	for i, got := range c {
		var want T
		for k := range n {
			want += a.p[i*a.row+k] * b.p[k]
		}
		if !closeTo(got, want, eps) {
			t.Fatalf("%d elements, %d groups: dot product %d is %v, want %v", n, groups, i, got, want)
		}
	}
}

// testAddRows adds multiples of rows of n elements.
func testAddRows[T GemmNumber](t *testing.T, rng *rand.Rand, g *GemmKernels[T], n int, eps float64) {
	for _, rows := range []int{1, 4} {
		w, x, y := guardedMatrix[T](t, rng, rows, n, false), guardedMatrix[T](t, rng, 1, rows, false),
			guardedMatrix[T](t, rng, 1, n, false)
		want := append([]T(nil), y.p[:n]...)
		for i := range want {
			for q := range rows {
				want[i] += x.p[q] * w.p[q*w.row+i]
			}
		}
		g.AddRows(y.p[:n], w.p, w.row, x.p[:rows])
		for i, v := range want {
			if !closeTo(y.p[i], v, eps) {
				t.Fatalf("%d rows added to %d elements: element %d is %v, want %v", rows, n, i, y.p[i], v)
			}
		}
	}
}

// TestGemmIntegers: sums of multiples of rows.
func TestGemmIntegers(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		rng := rand.New(rand.NewPCG(1, 2))
		for n := 1; n < 131; n++ {
			testAddRows(t, rng, GemmInt32, n, 0)
			testAddRows(t, rng, GemmInt64, n, 0)
		}
	})
}

// TestGemmTranspose: all sizes around those of blocks.
func TestGemmTranspose(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		testPanelTranspose(t, GemmFloat32)
		testPanelTranspose(t, GemmFloat64)
	})
}

func testPanelTranspose[T GemmNumber](t *testing.T, g *GemmKernels[T]) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{1, 3, 4, 8, 15, 16, 17, 32, 35} {
		for _, cols := range []int{1, 4, 7, 8, 16, 31, 33, 64} {
			src, dst := guardedMatrix[T](t, rng, rows, cols, false), guardedMatrix[T](t, rng, cols, rows, false)
			g.Transpose(dst.p, dst.row, src.p, src.row, rows, cols)
			copied := guarded[T](t, rows*cols, false)
			g.Panel(copied, cols, src.p, src.row, rows, cols)
			for i := range rows {
				for j := range cols {
					if copied[i*cols+j] != src.p[i*src.row+j] {
						t.Fatalf("%d×%d: element (%d, %d) of the copy", rows, cols, i, j)
					}
					if dst.p[j*dst.row+i] != src.p[i*src.row+j] {
						t.Fatalf("%d×%d: element (%d, %d)", rows, cols, i, j)
					}
				}
			}
		}
	}
}
