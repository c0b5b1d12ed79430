package simd

import "testing"

// equal is equality under which NaN equals NaN; zeros of different sign are equal too.
func equal[T float32 | float64](a, b T) bool { return a == b || a != a && b != b }

// TestExtremes: greatest and least elements and their places are those of the Go forms.
func TestExtremes(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range lengths() {
			for kind := range 3 {
				x, v := guarded[float32](t, n, i%2 == 0), guarded[float64](t, n, i%2 == 1)
				fill32(x, kind, uint64(i))
				fill64(v, kind, uint64(i))
				if n > 0 {
					testExtreme(t, x, MaxFloat32, maxOf, IndexFloat32)
					testExtreme(t, x, MinFloat32, minOf, IndexFloat32)
					testExtreme(t, v, MaxFloat64, maxOf, IndexFloat64)
					testExtreme(t, v, MinFloat64, minOf, IndexFloat64)
				}
				if i := IndexFloat32(x, 12345.5); i != -1 {
					t.Fatalf("index of what is not there: %d", i)
				}
			}
		}
	})
}

func testExtreme[T float32 | float64](t *testing.T, x []T, kernel, want func([]T) T, find func([]T, T) int) {
	t.Helper()
	m := want(x)
	if got := kernel(x); !equal(got, m) {
		t.Fatalf("extreme of %d: %v, want %v", len(x), got, m)
	}
	if got, want := find(x, m), index(x, m); got != want {
		t.Fatalf("index of %v in %d: %d, want %d", m, len(x), got, want)
	}
	// one NaN anywhere wins
	at := len(x) * 2 / 3
	was := x[at]
	x[at] = T(nanOf())
	if got := kernel(x); got == got {
		t.Fatalf("extreme of %d with NaN at %d: %v", len(x), at, got)
	}
	x[at] = was
}

func nanOf() float64 { return specials64[4] }

// TestExtremeRows: extremes of rows and the numbers of the rows are those of the Go forms.
func TestExtremeRows(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 100} {
			for rows := range 11 {
				for kind := range 3 {
					stride := n + i%3
					x := guarded[float32](t, max(0, (rows-1)*stride+n), i%2 == 0)
					v := guarded[float64](t, len(x), i%2 == 1)
					fill32(x, kind, uint64(i))
					fill64(v, kind, uint64(i))
					testRows(t, x, stride, rows, n, MaxRowsFloat32, maxRows)
					testRows(t, x, stride, rows, n, MinRowsFloat32, minRows)
					testRows(t, v, stride, rows, n, MaxRowsFloat64, maxRows)
					testRows(t, v, stride, rows, n, MinRowsFloat64, minRows)
					testArgRows(t, x, stride, rows, n, ArgMaxRowsFloat32, argRows[float32, int32](true))
					testArgRows(t, x, stride, rows, n, ArgMinRowsFloat32, argRows[float32, int32](false))
					testArgRows(t, v, stride, rows, n, ArgMaxRowsFloat64, argRows[float64, int64](true))
					testArgRows(t, v, stride, rows, n, ArgMinRowsFloat64, argRows[float64, int64](false))
				}
			}
		}
	})
}

func testRows[T float32 | float64](t *testing.T, x []T, stride, rows, n int, kernel,
	want func(acc, x []T, stride, rows, n int)) {
	t.Helper()
	got, expected := make([]T, RowLen(n)), make([]T, RowLen(n))
	kernel(got, x, stride, rows, n)
	want(expected, x, stride, rows, n)
	for j := range n {
		if !equal(got[j], expected[j]) {
			t.Fatalf("%d rows of %d, column %d: %v, want %v", rows, n, j, got[j], expected[j])
		}
	}
}

func testArgRows[T float32 | float64, I int32 | int64](t *testing.T, x []T, stride, rows, n int, kernel,
	want func(acc []T, where []I, x []T, stride, rows, n, at int)) {
	t.Helper()
	got, expected := make([]T, RowLen(n)), make([]T, RowLen(n))
	at, places := make([]I, RowLen(n)), make([]I, RowLen(n))
	kernel(got, at, x, stride, rows, n, 5)
	want(expected, places, x, stride, rows, n, 5)
	for j := range n {
		if !equal(got[j], expected[j]) || at[j] != places[j] {
			t.Fatalf("%d rows of %d, column %d: %v at %d, want %v at %d", rows, n, j, got[j], at[j], expected[j], places[j])
		}
	}
}
