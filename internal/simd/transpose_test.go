package simd

import (
	"testing"
	"unsafe"
)

func TestTranspose(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for rows := 1; rows < 19; rows++ {
			for _, cols := range []int{1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 33, 64} {
				testTranspose[uint32](t, rows, cols, Transpose32)
				testTranspose[uint64](t, rows, cols, Transpose64)
				testTranspose[uint8](t, rows, cols, Transpose8)
				testTranspose[uint16](t, rows, cols, Transpose16)
				testTranspose[complex128](t, rows, cols, Transpose128)
			}
		}
	})
}

func testTranspose[T uint8 | uint16 | uint32 | uint64 | complex128](t *testing.T, rows, cols int,
	f func(dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep, rows, cols int)) {
	t.Helper()
	dstStep, srcStep := cols+3, rows+5
	dst, src := guarded[T](t, (rows-1)*dstStep+cols, false), guarded[T](t, (cols-1)*srcStep+rows, rows%2 == 0)
	for i := range src {
		src[i] = element[T](i%250 + 1)
	}
	f(unsafe.Pointer(unsafe.SliceData(dst)), dstStep, unsafe.Pointer(unsafe.SliceData(src)), srcStep, rows, cols)
	for i := range dst {
		r, c := i/dstStep, i%dstStep
		want := element[T](0)
		if c < cols {
			want = src[c*srcStep+r]
		}
		if dst[i] != want {
			t.Fatalf("%d×%d: dst[%d][%d] is %v, want %v", rows, cols, r, c, dst[i], want)
		}
	}
}

func TestEven(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for _, n := range lengths() {
			testEven[uint32](t, n, Even32)
			testEven[uint64](t, n, Even64)
		}
		for n := 1; n < 70; n++ {
			for _, rows := range []int{1, 2, 5} {
				testEvenRows[uint32](t, n, rows, EvenRows32)
				testEvenRows[uint64](t, n, rows, EvenRows64)
			}
		}
	})
}

// testEvenRows leaves gaps between rows alone and reads nothing behind the last element.
func testEvenRows[T uint32 | uint64](t *testing.T, n, rows int,
	f func(n, rows int, dst unsafe.Pointer, dstStep int, src unsafe.Pointer, srcStep int)) {
	t.Helper()
	size := int(unsafe.Sizeof(T(0)))
	dstStep, srcStep := n+rows%3, 2*n+n%4
	dst := guarded[T](t, (rows-1)*dstStep+n, n%2 == 0)
	src := guarded[T](t, (rows-1)*srcStep+2*n-1, n%2 == 1)
	for i := range src {
		src[i] = T(i + 1)
	}
	f(n, rows, unsafe.Pointer(unsafe.SliceData(dst)), dstStep*size, unsafe.Pointer(unsafe.SliceData(src)), srcStep*size)
	for i, v := range dst {
		want := T(0)
		if c := i % dstStep; c < n {
			want = T(i/dstStep*srcStep + 2*c + 1)
		}
		if v != want {
			t.Fatalf("%d rows of %d: element %d is %d, want %d", rows, n, i, v, want)
		}
	}
}

func testEven[T uint32 | uint64](t *testing.T, n int, f func(n int, dst, src unsafe.Pointer)) {
	t.Helper()
	dst, src := guarded[T](t, n, n%2 == 0), guarded[T](t, max(0, 2*n-1), n%2 == 1)
	for i := range src {
		src[i] = T(i)
	}
	f(n, unsafe.Pointer(unsafe.SliceData(dst)), unsafe.Pointer(unsafe.SliceData(src)))
	for i, v := range dst {
		if v != T(2*i) {
			t.Fatalf("%d: element %d is %d", n, i, v)
		}
	}
}

// element is i as T.
func element[T uint8 | uint16 | uint32 | uint64 | complex128](i int) (v T) {
	switch p := any(&v).(type) {
	case *uint8:
		*p = uint8(i)
	case *uint16:
		*p = uint16(i)
	case *uint32:
		*p = uint32(i)
	case *uint64:
		*p = uint64(i)
	case *complex128:
		*p = complex(float64(i), float64(-i))
	}
	return v
}
