package cpu

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPoolGreatest compares the search without branches with a plain one, over windows with equal elements, zeros of both signs and NaNs.
func TestPoolGreatest(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -2, float32(math.Inf(1)), float32(math.Inf(-1)), 1e-45, -1e-45, math.MaxFloat32}
	for trial := range 2000 {
		p := &poolPlan{inH: 7, inW: 9, kernel: [2]int{1 + rng.IntN(3), 1 + rng.IntN(3)}, stride: [2]int{1 + rng.IntN(2), 1}, dilation: [2]int{1 + rng.IntN(2), 1 + rng.IntN(2)}}
		p.padding = [2]int{p.kernel[0] / 2, p.kernel[1] / 2}
		src := make([]float32, p.inH*p.inW)
		for i := range src {
			src[i] = values[rng.IntN(len(values))]
			if trial%4 == 0 && rng.IntN(20) == 0 {
				src[i] = float32(math.NaN())
			}
		}
		i, j := rng.IntN(3), rng.IntN(5)
		h0, h1 := p.window(0, i, p.inH)
		w0, w1 := p.window(1, j, p.inW)
		want, hasNaN := -1, false
		for kh := range p.kernel[0] {
			for kw := range p.kernel[1] {
				h, w := i*p.stride[0]-p.padding[0]+kh*p.dilation[0], j*p.stride[1]-p.padding[1]+kw*p.dilation[1]
				if h < 0 || h >= p.inH || w < 0 || w >= p.inW {
					continue
				}
				at := h*p.inW + w
				hasNaN = hasNaN || src[at] != src[at]
				if want < 0 || src[at] > src[want] {
					want = at
				}
			}
		}
		if hasNaN {
			want = -1
		}
		if got := p.greatest(src, h0, h1, w0, w1); got != want {
			t.Fatalf("trial %d: element %d, want %d", trial, got, want)
		}
	}
}
