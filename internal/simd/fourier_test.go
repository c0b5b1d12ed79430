package simd

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every kernel has the bits of its Go form, lane by lane, with special values among the lanes, at guard pages.
func TestFourierKernels(t *testing.T) {
	t.Run("float32", func(t *testing.T) { testFourier(t, specials32, same32) })
	t.Run("float64", func(t *testing.T) { testFourier(t, specials64, same64) })
}

func testFourier[T float](t *testing.T, specials []T, same func(a, b T) bool) {
	eachLevel(t, func(t *testing.T, l Level) {
		f := FourierOf[T]()
		want := portableFourier[T](f.Lanes)
		r := rand.New(rand.NewPCG(1, 2))
		fill := func(x []T) []T {
			for i := range x {
				if x[i] = T(r.NormFloat64()); r.IntN(40) == 0 {
					x[i] = specials[r.IntN(len(specials))]
				}
			}
			return x
		}
		front := false
		// compare runs a kernel of both forms on room of n elements, filled alike, which lies at a guard page
		compare := func(name string, n int, run func(f *Fourier[T], x []T)) {
			t.Helper()
			front = !front
			x := fill(guarded[T](t, n, front))
			y := append([]T(nil), x...)
			run(f, x)
			run(want, y)
			for i := range x {
				if !same(x[i], y[i]) {
					t.Fatalf("%s: element %d is %v, %v in Go", name, i, x[i], y[i])
				}
			}
		}
		group := 2 * f.Lanes
		for _, radix := range []int{2, 3, 4, 5, 7, 11, 13, 61} {
			for _, shape := range [][2]int{{1, 1}, {1, 2}, {2, 1}, {3, 5}, {4, 4}} {
				m, s := shape[0], shape[1]
				n := group * radix * m * s
				src := fill(guarded[T](t, n, !front))
				w, roots := fill(guarded[T](t, 2*(radix-1)*m, front)), fill(guarded[T](t, 2*(radix/2)*(radix/2), front))
				for _, inverse := range []bool{false, true} {
					compare("step", n, func(f *Fourier[T], x []T) { f.Step(x, src, w, roots, radix, m, s, inverse) })
				}
			}
		}
		for rows := 1; rows < 10; rows++ {
			for groups := 1; groups < 4; groups++ {
				w := fill(guarded[T](t, 2*rows, front))
				all := fill(guarded[T](t, group*rows*groups, front))
				compare("times", group*rows*groups, func(f *Fourier[T], x []T) { f.Times(x, all, rows%2 == 0) })
				for _, reverse := range []bool{false, true} {
					compare("fold", group*(rows+1)*groups, func(f *Fourier[T], x []T) {
						f.Fold(x, w, 0.25, rows, groups, reverse)
					})
				}
				n, step := group*groups, group*groups+3
				src := fill(guarded[T](t, (rows-1)*step+n, front))
				compare("split", (rows-1)*(n+1)+n, func(f *Fourier[T], x []T) { f.Split(x, n+1, src, step, rows, groups) })
				compare("join", (rows-1)*(n+1)+n, func(f *Fourier[T], x []T) { f.Join(x, n+1, src, step, rows, groups) })
			}
		}
	})
}

// Steps of one radix each are the transform by its definition.
func TestFourierStep(t *testing.T) {
	eachLevel(t, func(t *testing.T, _ Level) {
		f := FourierOf[float64]()
		for _, radix := range []int{2, 3, 4, 5, 7, 13} {
			half := radix / 2
			var roots []float64
			for k := 1; k <= half; k++ {
				for j := 1; j <= half; j++ {
					sin, cos := math.Sincos(2 * math.Pi * float64(j*k) / float64(radix))
					roots = append(roots, cos, sin)
				}
			}
			w := make([]float64, 2*radix)
			for i := 0; i < len(w); i += 2 {
				w[i] = 1
			}
			for _, inverse := range []bool{false, true} {
				src, dst := make([]float64, 2*f.Lanes*radix), make([]float64, 2*f.Lanes*radix)
				for i := range src {
					src[i] = math.Sin(float64(i * i))
				}
				at := func(x []float64, i, lane int) complex128 {
					return complex(x[(2*i)*f.Lanes+lane], x[(2*i+1)*f.Lanes+lane])
				}
				f.Step(dst, src, w, roots, radix, 1, 1, inverse)
				for lane := range f.Lanes {
					for k := range radix {
						var want complex128
						for j := range radix {
							angle := -2 * math.Pi * float64(j*k) / float64(radix)
							if inverse {
								angle = -angle
							}
							want += at(src, j, lane) * cmplx.Rect(1, angle)
						}
						if cmplx.Abs(at(dst, k, lane)-want) > 1e-13 {
							t.Fatalf("radix %d, inverse %v: element %d of lane %d is %v, want %v", radix, inverse, k, lane,
								at(dst, k, lane), want)
						}
					}
				}
			}
		}
	})
}

// TestFourierFoldLine: lines that vectors fold are those that single numbers fold, to the last bit, in memory of their
// own.
func TestFourierFoldLine(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		testFoldLine(t, portableFourier[float32](8))
		testFoldLine(t, portableFourier[float64](4))
	})
}

func testFoldLine[T float32 | float64](t *testing.T, portable *Fourier[T]) {
	special := []float64{0, math.Copysign(0, -1), math.Inf(1), 1e-310, -1}
	for h := 1; h <= 130; h++ {
		for _, reverse := range []bool{false, true} {
			x, w := guarded[T](t, 2*h+2, h%2 == 0), guarded[T](t, 2*(h/2), false)
			for i := range x {
				x[i] = T(math.Sin(float64(i*i + h)))
				if h%5 == 0 && i%7 == 0 {
					x[i] = T(special[i/7%len(special)])
				}
			}
			for i := range w {
				w[i] = T(math.Cos(float64(3*i + h)))
			}
			want := slices.Clone(x)
			portable.FoldLine(want, w, 0.5, reverse)
			FourierOf[T]().FoldLine(x, w, 0.5, reverse)
			for i, v := range x {
				if v != want[i] && (v == v || want[i] == want[i]) {
					t.Fatalf("%d numbers, reverse %v: element %d is %v, want %v", h, reverse, i, v, want[i])
				}
			}
		}
	}
}
