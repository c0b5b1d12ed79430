package simd

import (
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
