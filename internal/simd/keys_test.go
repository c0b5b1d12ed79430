package simd

import (
	"cmp"
	"slices"
	"testing"
)

func TestKeys(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		testKeys(t, &KeysFloat32, keysFloat32, specials32)
		testKeys(t, &KeysFloat64, keysFloat64, specials64)
	})
}

func testKeys[F float32 | float64, K uint32 | uint64](t *testing.T, kernel *func([]K, []F),
	portable func([]K, []F), values []F) {
	t.Helper()
	for i, n := range lengths() {
		a, dst, want := guarded[F](t, n, i%2 == 1), guarded[K](t, n, i%2 == 1), make([]K, n)
		for j := range a {
			a[j] = values[(i+j)%len(values)]
		}
		(*kernel)(dst, a)
		portable(want, a)
		if !slices.Equal(dst, want) {
			t.Fatalf("keys of %d elements differ: %v, want %v", n, dst, want)
		}
		for j := range min(n, 60) {
			for k := range j {
				order := cmp.Compare(a[j], a[k]) // which has NaN below all
				if a[j] != a[j] || a[k] != a[k] {
					order = -order
				}
				if cmp.Compare(dst[j], dst[k]) != order {
					t.Fatalf("keys of %v and %v are %x and %x", a[j], a[k], dst[j], dst[k])
				}
			}
		}
	}
}
