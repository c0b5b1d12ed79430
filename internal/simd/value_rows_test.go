package simd

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// TestValueRows compares rows of every length with the Go form of the kernel, between guard pages, with steps of all
// sorts, and in place.
func TestValueRows(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		for _, op := range []string{"scale", "add_value", "sub_value", "value_sub", "div_value", "value_div"} {
			t.Run(op, func(t *testing.T) {
				testValueRows(t, op+" float32", specials32, same32)
				testValueRows(t, op+" float64", specials64, same64)
			})
		}
	})
}

func testValueRows[T float](t *testing.T, name string, specials []T, same func(a, b T) bool) {
	t.Helper()
	f, _ := ValueRowsOf(name)
	portable := eachRow(kernels[name].portable)
	rng := rand.New(rand.NewPCG(3, 4))
	fill := func(x []T) {
		for i := range x {
			if x[i] = specials[rng.IntN(len(specials))]; rng.IntN(2) == 0 {
				x[i] = T(rng.NormFloat64() * math.Ldexp(1, rng.IntN(20)-10))
			}
		}
	}
	size := int(unsafe.Sizeof(T(0)))
	for i, n := range lengths() {
		if n == 0 || n > 300 {
			continue
		}
		rows, front := 1+i%5, i%2 == 0
		dstStep, srcStep, valueStep := n+i%3, (n+i%4)*(i/3%2), i/2%3
		dst := guarded[T](t, (rows-1)*dstStep+n, front)
		src := guarded[T](t, (rows-1)*srcStep+n, front)
		value := guarded[T](t, (rows-1)*valueStep+1, front)
		fill(dst)
		fill(src)
		fill(value)
		want := slices.Clone(dst)
		check := func(kind string) {
			t.Helper()
			for j := range want {
				if !same(dst[j], want[j]) {
					t.Fatalf("%s %s: %d rows of %d: element %d is %v, want %v", name, kind, rows, n, j, dst[j], want[j])
				}
			}
		}
		run := func(f ValueRows, dst, src []T, srcStep int) {
			f(rows, n, First(dst), dstStep*size, First(src), srcStep*size, First(value), valueStep*size)
		}
		run(portable, want, src, srcStep)
		run(f, dst, src, srcStep)
		check("of other memory")
		run(portable, want, want, dstStep)
		run(f, dst, dst, dstStep)
		check("in place")
	}
}
