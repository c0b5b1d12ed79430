package cpu

import (
	"math"
	"math/rand/v2"
	"testing"

	"gotorch/tensor"
)

// randomPool is a pooling of a few planes, with windows of all sorts.
func randomPool(rng *rand.Rand) *poolPlan {
	p := &poolPlan{op: "test", planes: 1 + rng.IntN(3), includePad: rng.IntN(2) == 0, adaptive: rng.IntN(4) == 0}
	for d := range 3 {
		k, s, dil := 1+rng.IntN(3), 1+rng.IntN(3), 1
		if d == 2 {
			k = 1 + rng.IntN(5)
		}
		pad := rng.IntN(k/2 + 1)
		p.in[d] = max(k, 1+rng.IntN([]int{3, 9, 40}[d]))
		p.kernel[d], p.stride[d], p.padding[d], p.dilation[d] = k, s, pad, dil
		p.out[d] = (p.in[d]+2*pad-k)/s + 1
		if p.adaptive {
			p.out[d] = 1 + rng.IntN(p.in[d]+2)
		}
	}
	return p
}

// TestMaxPoolFloat32 compares the search of float32 with the plain one of float64, over windows with equal elements,
// zeros of both signs, infinities and NaNs.
func TestMaxPoolFloat32(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	values := []float32{0, float32(math.Copysign(0, -1)), 1, -1, 2, -2, float32(math.Inf(1)), float32(math.Inf(-1)),
		1e-45, -1e-45, math.MaxFloat32}
	for trial := range 500 {
		p := randomPool(rng)
		if !p.adaptive {
			for d := range p.dilation {
				if more := p.in[d] + 2*p.padding[d] - p.kernel[d]; p.kernel[d] > 1 && more >= p.kernel[d]-1 {
					p.dilation[d] = 2
					p.out[d] = (p.in[d]+2*p.padding[d]-2*(p.kernel[d]-1)-1)/p.stride[d] + 1
				}
			}
		}
		p.place()
		x := tensor.Empty(p.planes * volume(p.in))
		xs := tensor.Elems[float32](x)
		for i := range xs {
			xs[i] = values[rng.IntN(len(values))]
			if trial%4 == 0 && rng.IntN(20) == 0 {
				xs[i] = float32(math.NaN())
			}
		}
		n := p.planes * volume(p.out)
		run := func(x *tensor.Tensor) (y, at *tensor.Tensor) {
			y, at = tensor.With(x.Dtype()).Empty(n), tensor.With(tensor.Int64).Empty(n)
			maxima[x.Dtype()](p, x, y, at)
			return y, at
		}
		y, at := run(x)
		wide := x.To(tensor.Float64)
		want, wantAt := run(wide)
		alone, wideAlone := tensor.EmptyLike(y), tensor.EmptyLike(want)
		maxPlanes[float32](p, x, alone, nil)
		maxPlanes[float64](p, wide, wideAlone, nil)
		for i, v := range tensor.Elems[float32](y) {
			w, u := tensor.Elems[float64](want)[i], tensor.Elems[float64](wideAlone)[i]
			if a := tensor.Elems[float32](alone)[i]; math.Float32bits(a) != math.Float32bits(v) ||
				math.Float64bits(u) != math.Float64bits(w) {
				t.Fatalf("trial %d: without indices %v and %v in window %d, with them %v and %v; %+v", trial, a, u, i, v, w, p)
			}
		}
		got, plain := tensor.Elems[float32](y), tensor.Elems[float64](want)
		for i := range got {
			if float64(got[i]) != plain[i] && (got[i] == got[i] || plain[i] == plain[i]) ||
				math.Signbit(float64(got[i])) != math.Signbit(plain[i]) && got[i] == got[i] {
				t.Fatalf("trial %d: %v in window %d, want %v; %+v", trial, got[i], i, plain[i], p)
			}
			if a, b := tensor.Elems[int64](at)[i], tensor.Elems[int64](wantAt)[i]; a != b {
				t.Fatalf("trial %d: element %d in window %d, want %d; %+v", trial, a, i, b, p)
			}
		}
	}
}

// TestAveragePool compares averages with sums over windows, and their gradients with the transposed map. Sums of
// integers are exact.
func TestAveragePool(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for trial := range 300 {
		p := randomPool(rng)
		if trial%2 == 0 {
			p.divisor = 1
		}
		p.place()
		plane, outs := volume(p.in), volume(p.out)
		x, g := tensor.With(tensor.Int64).Empty(p.planes*plane), tensor.With(tensor.Int64).Empty(p.planes*outs)
		y, gx := tensor.EmptyLike(g), tensor.EmptyLike(x)
		for _, v := range []*tensor.Tensor{x, g} {
			for i := range tensor.Elems[int64](v) {
				tensor.Elems[int64](v)[i] = rng.Int64N(2001) - 1000
			}
		}
		xs, ys, gs := tensor.Elems[int64](x), tensor.Elems[int64](y), tensor.Elems[int64](g)
		averages[tensor.Int64](p, x, y)
		shares[tensor.Int64](p, g, gx)
		y32 := tensor.Empty(p.planes * outs)
		averages[tensor.Float32](p, x.To(tensor.Float32), y32)
		wantGX := make([]int64, len(xs))
		for i := range ys {
			at, o := i/outs, i%outs
			ss := [3]poolWindow{p.spans[0][o/p.out[2]/p.out[1]], p.spans[1][o/p.out[2]%p.out[1]], p.spans[2][o%p.out[2]]}
			sum, n, all := int64(0), int64(0), int64(ss[0].size*ss[1].size*ss[2].size)
			each := func(f func(v int)) {
				for a := ss[0].from; a < ss[0].to; a++ {
					for b := ss[1].from; b < ss[1].to; b++ {
						for c := ss[2].from; c < ss[2].to; c++ {
							f(at*plane + (a*p.in[1]+b)*p.in[2] + c)
						}
					}
				}
			}
			each(func(v int) { sum, n = sum+xs[v], n+1 })
			switch {
			case p.divisor != 0:
				n = int64(p.divisor)
			case p.includePad:
				n = all
			}
			n = max(n, 1)
			if ys[i] != sum/n {
				t.Fatalf("trial %d: average %d is %d, want %d; %+v", trial, i, ys[i], sum/n, p)
			}
			if got, want := float64(tensor.Elems[float32](y32)[i]), float64(sum)/float64(n); math.Abs(got-want) > 1e-3 {
				t.Fatalf("trial %d: float32 average %d is %v, want %v", trial, i, got, want)
			}
			each(func(v int) { wantGX[v] += gs[i] / n })
		}
		for i, want := range wantGX {
			if got := tensor.Elems[int64](gx)[i]; got != want {
				t.Fatalf("trial %d: gradient %d is %d, want %d; %+v", trial, i, got, want, p)
			}
		}
	}
}
