package simd

import (
	"math"
	"testing"
)

// near32 reports whether a kernel's result is as near to what the Go form gives as rounding once or twice more
// explains: scale is the size of the numbers on the way.
func near32(got, want float32, scale float64) bool {
	if same32(got, want) || got == want {
		return true
	}
	return math.Abs(float64(got)-float64(want)) <= 4e-7*scale+1e-44
}

// near64 is near32 for sums.
func near64(got, want, scale float64) bool {
	return same64(got, want) || got == want || math.Abs(got-want) <= 1e-6*scale+1e-44
}

// TestExp: exponentials are within the stated distance of the exact ones, over the whole range and at special values.
func TestExp(t *testing.T) {
	eachLevel(t, func(t *testing.T, l Level) {
		var x []float32
		for i := range 200000 {
			x = append(x, -104.5+float32(i)*209/200000)
		}
		x = append(x, specials32...)
		y := make([]float32, len(x))
		ExpSumFloat32(y, x, 0)
		for i, v := range x {
			want := math.Exp(float64(v))
			got := float64(y[i])
			switch {
			case v != v:
				if got == got {
					t.Fatalf("exp(NaN) = %v", got)
				}
			case want > math.MaxFloat32:
				if !math.IsInf(got, 1) {
					t.Fatalf("exp(%v) = %v", v, got)
				}
			default:
				_, e := math.Frexp(want)
				ulp := math.Ldexp(1, max(e-24, -149))
				if v > -103 && math.Abs(got-want) > 1.5*ulp || v < -105 && got != 0 {
					t.Fatalf("exp(%v) = %v, want %v: %.2f ULP", v, got, want, math.Abs(got-want)/ulp)
				}
			}
		}
	})
}

// TestMaps: the kernels of softmax and of normalizations are like their Go forms, for all lengths, between guard
// pages.
func TestMaps(t *testing.T) {
	const p, q, r, s = 0.7, -0.3, 0.25, 1.5
	eachLevel(t, func(t *testing.T, l Level) {
		for i, n := range lengths() {
			for kind := range 2 {
				a, b, c := guarded[float32](t, n, i%2 == 0), guarded[float32](t, n, i%2 == 1), guarded[float32](t, n, i%2 == 0)
				fill32(a, 2*kind, uint64(i))
				fill32(b, 2*kind, uint64(i+500))
				fill32(c, 2*kind, uint64(i+900))
				dst, want := guarded[float32](t, n, i%2 == 1), make([]float32, n)
				check := func(name string, f, g func(dst []float32) (s, t float64)) {
					t.Helper()
					clear(dst)
					clear(want)
					s1, t1 := f(dst)
					s2, t2 := g(want)
					total := 0.0
					for j := range dst {
						scale := 1 + math.Abs(float64(want[j])) + 3*(math.Abs(float64(a[j]))+1)*(math.Abs(float64(b[j]))+1)*
							(math.Abs(float64(c[j]))+1)
						if name[:3] == "exp" {
							scale = math.Abs(float64(want[j]))
						}
						if !near32(dst[j], want[j], scale) && scale == scale && !math.IsInf(scale, 0) && scale < 1e30 {
							t.Fatalf("%s(%v, %v, %v), element %d of %d: %v, want %v", name, a[j], b[j], c[j], j, n, dst[j], want[j])
						}
						if scale-scale == 0 {
							total += scale
						}
					}
					if kind == 0 && (!near64(s1, s2, total) || !near64(t1, t2, total)) {
						t.Fatalf("%s of %d: sums %v and %v, want %v and %v", name, n, s1, t1, s2, t2)
					}
				}
				none := func(f func(d []float32)) func(d []float32) (float64, float64) {
					return func(d []float32) (float64, float64) { f(d); return 0, 0 }
				}
				one := func(f func(d []float32) float64) func(d []float32) (float64, float64) {
					return func(d []float32) (float64, float64) { return f(d), 0 }
				}
				check("expSum", one(func(d []float32) float64 { return ExpSumFloat32(d, a, p) }),
					one(func(d []float32) float64 { return expSum(d, a, p) }))
				check("total", one(func(d []float32) float64 { return ExpTotalFloat32(a, p) }),
					one(func(d []float32) float64 { return expTotal(a, p) }))
				check("scale", none(func(d []float32) { ScaleFloat32(d, a, p) }), none(func(d []float32) { scaleBy(d, a, p) }))
				check("shift", none(func(d []float32) { ShiftFloat32(d, a, p, q) }),
					none(func(d []float32) { shiftBy(d, a, p, q) }))
				check("expRow", none(func(d []float32) { ExpRowFloat32(d, a, b) }), none(func(d []float32) { expRow(d, a, b) }))
				check("shiftRow", none(func(d []float32) { ShiftRowFloat32(d, a, b, c) }),
					none(func(d []float32) { shiftRow(d, a, b, c) }))
				check("softmaxGrad", none(func(d []float32) { SoftmaxGradFloat32(d, a, b, p) }),
					none(func(d []float32) { softmaxGrad(d, a, b, p) }))
				check("layerNorm", none(func(d []float32) { LayerNormFloat32(d, a, b, c, p, q) }),
					none(func(d []float32) { layerNorm(d, a, b, c, p, q) }))
				check("channelNorm", none(func(d []float32) { ChannelNormFloat32(d, a, p, q, r) }),
					none(func(d []float32) { channelNorm(d, a, p, q, r) }))
				check("layerGradSums", func(d []float32) (float64, float64) { return LayerGradSumsFloat32(a, b, c, p, q) },
					func(d []float32) (float64, float64) { return layerGradSums(a, b, c, p, q) })
				check("layerGrad", none(func(d []float32) {
					LayerGradFloat32(d, a, b, c, p, q, r, s)
				}), none(func(d []float32) { layerGrad(d, a, b, c, p, q, r, s) }))
				check("weightGrad", none(func(d []float32) { WeightGradFloat32(d, a, b, c, p, q) }),
					none(func(d []float32) { weightGrad(d, a, b, c, p, q) }))
				check("channelGradSums", func(d []float32) (float64, float64) { return ChannelGradSumsFloat32(a, b, p) },
					func(d []float32) (float64, float64) { return channelGradSums(a, b, p) })
				check("channelGrad", none(func(d []float32) {
					ChannelGradFloat32(d, a, b, p, q, r, s)
				}), none(func(d []float32) { channelGrad(d, a, b, p, q, r, s) }))
				for j := range b { // logarithms of probabilities
					b[j] = -float32(math.Abs(float64(b[j])))
				}
				check("logSoftmaxGrad", none(func(d []float32) { LogSoftmaxGradFloat32(d, a, b, p) }),
					none(func(d []float32) { logSoftmaxGrad(d, a, b, p) }))
			}
		}
	})
}
