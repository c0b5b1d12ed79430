package simd

import (
	"slices"
	"testing"
	"unsafe"
)

// TestGatherRows reads rows of every length in any order, some counted from the end.
func TestGatherRows(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for row := 1; row < 300; row += 1 + row/70 {
			for _, n := range []int{1, 7, 8, 9, 30} {
				const size = 11
				step := row + row%3
				src := guarded[byte](t, (size-1)*step+row, row%2 == 0)
				dst := guarded[byte](t, n*row, row%4 < 2)
				for i := range src {
					src[i] = byte(i*7 + i/251)
				}
				index := guarded[int64](t, n, false)
				for i := range index {
					index[i] = int64(i*5%size) + 5
				}
				base, wrap := -5*step, 0
				if n%2 == 0 {
					base, wrap = 0, size
					for i := range index {
						index[i] -= int64(5 + i/2%2*size)
					}
				}
				GatherRows(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), base, index, row, step, wrap)
				for i, v := range dst {
					if want := src[i/row*5%size*step+i%row]; v != want {
						t.Fatalf("%d rows of %d: byte %d is %d, want %d", n, row, i, v, want)
					}
				}
			}
		}
	})
}

// TestScatterRows puts rows of every length in any order, some counted from the end and some twice, and leaves what
// lies between them alone.
func TestScatterRows(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for row := 1; row < 300; row += 1 + row/70 {
			for _, n := range []int{1, 7, 8, 9, 30} {
				checkScatter(t, n, row, func(b byte) byte { return b }, func(_, b byte) byte { return b }, ScatterRows)
			}
		}
	})
}

// TestAddRows is TestScatterRows for sums.
func TestAddRows(t *testing.T) {
	small := func(b byte) float32 { return float32(int8(b)) }
	sum := func(a, b float32) float32 { return a + b }
	eachLevel(t, func(t *testing.T, l Level) {
		for row := 1; row < 80; row++ {
			for _, n := range []int{1, 7, 8, 9, 30} {
				checkScatter(t, n, row, small, sum, AddRows[float32])
				checkScatter(t, n, row, func(b byte) float64 { return float64(small(b)) },
					func(a, b float64) float64 { return a + b }, AddRows[float64])
			}
		}
	})
}

// checkScatter compares put with f of what is there and the source, element by element.
func checkScatter[T byte | float32 | float64](t *testing.T, n, row int, make func(b byte) T, f func(a, b T) T,
	put func(dst, src unsafe.Pointer, base int, index []int64, row, from, step, wrap int)) {
	t.Helper()
	const rows = 11
	bytes := int(unsafe.Sizeof(*new(T)))
	step, from := row+row%3, row+row%2
	src, dst := guarded[T](t, (n-1)*from+row, row%2 == 0), guarded[T](t, (rows-1)*step+row, row%4 < 2)
	for i := range src {
		src[i] = make(byte(i*7 + i/251))
	}
	for i := range dst {
		dst[i] = make(byte(i * 3))
	}
	want := slices.Clone(dst)
	index := guarded[int64](t, n, false)
	base, wrap := -5*step, 0
	if n%2 == 0 {
		base, wrap = 0, rows
	}
	for i := range index {
		at := i * 5 % rows
		for j := range row {
			want[at*step+j] = f(want[at*step+j], src[i*from+j])
		}
		index[i] = int64(at) + 5
		if wrap > 0 {
			index[i] -= int64(5 + i/2%2*rows)
		}
	}
	put(unsafe.Pointer(&dst[0]), unsafe.Pointer(&src[0]), base*bytes, index, row*bytes, from*bytes, step*bytes, wrap)
	if !slices.Equal(dst, want) {
		t.Fatalf("%d rows of %d: %v, want %v", n, row, dst, want)
	}
}

// TestCopyRuns copies rows of every length and leaves what lies between them alone.
func TestCopyRuns(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for row := 1; row < 300; row += 1 + row/70 {
			for _, rows := range []int{0, 1, 2, 5} {
				dstStep, srcStep := row+row%5, row+row%3
				src := guarded[byte](t, max(rows-1, 0)*srcStep+row, row%2 == 0)
				dst := guarded[byte](t, max(rows-1, 0)*dstStep+row, row%4 < 2)
				for i := range src {
					src[i] = byte(i*7+i/251) | 1
				}
				CopyRuns(unsafe.Pointer(&dst[0]), dstStep, unsafe.Pointer(&src[0]), srcStep, row, rows)
				for i, v := range dst {
					want := byte(0)
					if i%dstStep < row && i/dstStep < rows {
						want = src[i/dstStep*srcStep+i%dstStep]
					}
					if v != want {
						t.Fatalf("%d rows of %d: byte %d is %d, want %d", rows, row, i, v, want)
					}
				}
			}
		}
	})
}

func BenchmarkGatherRows(b *testing.B) {
	const rows, row = 50000, 256
	src, dst := make([]byte, 2*rows*row), make([]byte, rows*row)
	index := make([]int64, rows)
	for i := range src {
		src[i] = byte(i)
	}
	state := uint64(1)
	for i := range index {
		state = state*6364136223846793005 + 1442695040888963407
		index[i] = int64(state >> 33 % (2 * rows))
	}
	for b.Loop() {
		for i := 0; i < rows; i += 500 {
			GatherRows(unsafe.Pointer(&dst[i*row]), unsafe.Pointer(&src[0]), 0, index[i:i+500], row, row, 0)
		}
	}
}
