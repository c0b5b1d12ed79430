package simd

import "testing"

func TestArith(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		testBinary(t, "add", &AddFloat32, add[float32], specials32, same32)
		testBinary(t, "add", &AddFloat64, add[float64], specials64, same64)
		testBinary(t, "sub", &SubFloat32, sub[float32], specials32, same32)
		testBinary(t, "sub", &SubFloat64, sub[float64], specials64, same64)
		testBinary(t, "mul", &MulFloat32, mul[float32], specials32, same32)
		testBinary(t, "mul", &MulFloat64, mul[float64], specials64, same64)
	})
}

// testBinary compares a kernel with its Go form: every pair of special values, every tail length against guard pages, and
// the result in the place of an input.
func testBinary[T any](t *testing.T, name string, kernel *func(dst, a, b []T), want func(dst, a, b []T), values []T, same func(a, b T) bool) {
	t.Helper()
	for i, n := range lengths() {
		front := i%2 == 1
		a, b, dst := guarded[T](t, n, front), guarded[T](t, n, front), guarded[T](t, n, front)
		for j := range a {
			a[j] = values[(j+i)%len(values)]
			b[j] = values[(j/len(values)+j*7+i)%len(values)]
		}
		expected := make([]T, n)
		want(expected, a, b)
		compare := func(got []T) {
			t.Helper()
			for j := range got {
				if !same(got[j], expected[j]) {
					t.Fatalf("%s of %v and %v (element %d of %d) is %v, want %v", name, a[j], b[j], j, n, got[j], expected[j])
				}
			}
		}
		(*kernel)(dst, a, b)
		compare(dst)
		inPlace := append([]T(nil), a...)
		(*kernel)(inPlace, inPlace, b)
		compare(inPlace)
	}
}
