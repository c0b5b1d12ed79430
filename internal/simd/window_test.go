package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

func TestWindows(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		testWindows(t, &WindowFloat32, 1e-4)
		testWindows(t, &WindowFloat64, 1e-12)
	})
}

func testWindows[T float32 | float64](t *testing.T, kernels **WindowKernels[T], tolerance float64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 8))
	ks := *kernels
	size := int(unsafe.Sizeof(T(0)))
	same := func(kind string, got, want []T) {
		t.Helper()
		for i := range got {
			if math.Abs(float64(got[i]-want[i])) > tolerance*(1+math.Abs(float64(want[i]))) ||
				(got[i] != got[i]) != (want[i] != want[i]) {
				t.Fatalf("%s: element %d is %v, want %v", kind, i, got[i], want[i])
			}
		}
	}
	for cols := 1; cols <= 130; cols++ {
		taps, rows, gap := 1+rng.IntN(9), 1+rng.IntN(4), rng.IntN(3)
		off := make([]int32, taps)
		reach := 0
		for i := range off {
			o := rng.IntN(40)
			off[i], reach = int32(o*size), max(reach, o)
		}
		width := cols + reach + gap
		slack := 0
		if ks.Lanes > 0 {
			slack = ks.Lanes
		}
		fill := func(x []T) []T {
			for i := range x {
				x[i] = T(rng.Float64()*2 - 1)
			}
			return x
		}
		if cols <= ks.Most {
			x := fill(guarded[T](t, (rows-1)*width+reach+cols+slack, false))
			w, bias := fill(make([]T, taps)), T(0.5)
			y := fill(guarded[T](t, rows*cols, cols%2 == 0))
			for add := range 3 {
				want := slices.Clone(y)
				tile := RowTile{X: unsafe.Pointer(&x[0]), RowX: width * size, Y: unsafe.Pointer(&y[0]), RowY: cols * size,
					W:   unsafe.Pointer(&w[0]),
					Off: &off[0], Index: unsafe.Pointer(&bias), Taps: taps, Rows: rows, Cols: cols, Add: add}
				ks.FilterRows(&tile)
				tile.Y = unsafe.Pointer(&want[0])
				filterRowsGo[T](&tile)
				same("filter", y, want)
			}
		}
		x, y := fill(guarded[T](t, (rows-1)*width+reach+cols, false)), fill(guarded[T](t, rows*cols, false))
		x[len(x)-1] = T(math.Inf(1))
		taps = min(taps, ks.Taps)
		got, want := make([]T, taps), make([]T, taps)
		tile := RowTile{X: unsafe.Pointer(&x[0]), RowX: width * size, Y: unsafe.Pointer(&y[0]), RowY: cols * size,
			W:   unsafe.Pointer(&got[0]),
			Off: &off[0], Taps: taps, Rows: rows, Cols: cols}
		ks.DotRows(&tile)
		tile.W = unsafe.Pointer(&want[0])
		dotRowsGo[T](&tile)
		same("dots", got, want)
	}
}

func TestMaxRows(t *testing.T) {
	values := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 1e-45, float32(math.Inf(-1)), float32(math.Inf(1)), 2, 3,
		-5, float32(math.NaN())}
	eachLevel(t, func(t *testing.T, l Level) {
		rng := rand.New(rand.NewPCG(9, 10))
		for stride, kernel := range []func(t *RowTile){1: MaxRows1, 2: MaxRows2} {
			if stride == 0 {
				continue
			}
			for cols := 1; cols <= 130; cols++ {
				taps := 1 + rng.IntN(9)
				off, index := make([]int32, taps), make([]int32, taps)
				reach := 0
				for i := range off {
					o := rng.IntN(30)
					off[i], index[i], reach = int32(4*o), int32(o), max(reach, o)
				}
				x := guarded[float32](t, (cols-1)*stride+1+reach, false)
				some := values[:len(values)-cols%2] // every second time without NaN
				for i := range x {
					x[i] = some[rng.IntN(len(some))]
				}
				y, found := guarded[float32](t, cols, cols%3 == 0), guarded[int64](t, cols, cols%5 == 0)
				tile := RowTile{X: unsafe.Pointer(&x[0]), Y: unsafe.Pointer(&y[0]), Off: &off[0],
					Index: unsafe.Pointer(&index[0]), Taps: taps,
					Cols: cols, Found: &found[0], Position: 1000}
				kernel(&tile)
				wantY, want := make([]float32, cols), make([]int64, cols)
				tile.Y, tile.Found = unsafe.Pointer(&wantY[0]), &want[0]
				maxRowsGo(stride)(&tile)
				if !slices.Equal(found, want) {
					t.Fatalf("stride %d, %d columns: indices %v, want %v", stride, cols, found, want)
				}
				for i := range y {
					if math.Float32bits(y[i]) != math.Float32bits(wantY[i]) {
						t.Fatalf("stride %d, %d columns: maximum %d is %v, want %v", stride, cols, i, y[i], wantY[i])
					}
				}
				clear(y)
				tile.Y, tile.Found = unsafe.Pointer(&y[0]), nil
				kernel(&tile)
				for i := range y {
					if math.Float32bits(y[i]) != math.Float32bits(wantY[i]) {
						t.Fatalf("stride %d, %d columns: maximum %d alone is %v, want %v", stride, cols, i, y[i], wantY[i])
					}
				}
			}
		}
	})
}

// TestCopyRunsOfWords copies rows of words between guard pages.
func TestCopyRunsOfWords(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for cols := 1; cols <= 130; cols++ {
			const rows = 3
			src, dst := guarded[int32](t, rows*(cols+2)-2, false), guarded[int32](t, rows*(cols+1)-1, false)
			for i := range src {
				src[i] = int32(i + 1)
			}
			CopyRuns(unsafe.Pointer(&dst[0]), 4*(cols+1), unsafe.Pointer(&src[0]), 4*(cols+2), 4*cols, rows)
			for i, v := range dst {
				want := int32(i/(cols+1)*(cols+2) + i%(cols+1) + 1)
				if i%(cols+1) == cols {
					want = 0
				}
				if v != want {
					t.Fatalf("%d columns: element %d is %d, want %d", cols, i, v, want)
				}
			}
		}
	})
}

func TestInterleave(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for n := range 131 {
			a, b, dst := guarded[int32](t, n, false), guarded[int32](t, n, true), guarded[int32](t, 2*n, false)
			for i := range a {
				a[i], b[i] = int32(i), int32(1000+i)
			}
			Interleave(dst, a, b)
			for i, v := range dst {
				if want := int32(i/2 + i%2*1000); v != want {
					t.Fatalf("%d pairs: element %d is %d, want %d", n, i, v, want)
				}
			}
			const rows, to = 3, 5 // and elements between rows of dst
			x, y := guarded[int32](t, rows*n+4, false), guarded[int32](t, rows*n+4, false)
			z := guarded[int32](t, rows*(2*n+to)-to, false)
			for i := range x {
				x[i], y[i] = int32(i+1), int32(1000+i)
			}
			InterleaveRows(z, 2*n+to, x, y, n+2, n, rows)
			for i, v := range z {
				r, j := i/(2*n+to), i%(2*n+to)
				want := x[min(r*(n+2)+j/2, len(x)-1)]
				if j%2 == 1 {
					want = y[min(r*(n+2)+j/2, len(y)-1)]
				}
				if j >= 2*n {
					want = 0
				}
				if v != want {
					t.Fatalf("%d rows of %d pairs: element %d is %d, want %d", rows, n, i, v, want)
				}
			}
		}
	})
}
