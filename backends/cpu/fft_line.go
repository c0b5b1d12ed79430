package cpu

import (
	"gotorch/internal/gemm"
	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Lines by themselves: few long ones, and those whose length has a large prime factor.

// oneByOne reports whether lines, as transforms of n complex numbers each, are faster one by one than in strips.
func oneByOne[R float](l lanes, n int) bool {
	if largestPrime(n) >= largePrime {
		return true
	}
	v := simd.FourierOf[R]().Lanes
	inStrips := fftCost(n) * float64((l.count+v-1)/v*v)
	if l.step == 1 && 4*v*n*size[R]() > farCache {
		inStrips *= 2
	}
	return splitFor[R](n).cost*float64(l.count) < inStrips
}

const farCache = 1 << 19 // bytes that are not much slower than the nearest ones

// eachLine calls f for all lines, with the transform of n complex numbers. Many lines are shared by the threads; of
// few, each is.
func eachLine[R float](c *tensor.Call, count, n int, f func(p fftLine[R], i int, serial bool)) {
	op, cost := c.Name(), 24*float64(n)
	tensor.MustFit(op, 16*float64(size[R]())*float64(n))
	if cost > uninterrupted {
		one := f
		f = func(p fftLine[R], i int, serial bool) { tensor.Leave(c, func() { one(p, i, serial) }) }
	}
	p := prepared(c, cost, func() fftLine[R] { return lineFor[R](n) })
	some := func(lo, hi int, serial bool) {
		for i := lo; i < hi; i++ {
			tensor.Interrupted(op)
			f(p, i, serial)
		}
	}
	if count < 4 {
		some(0, count, false)
		return
	}
	parallel.For(count, parallel.Grain(cost), func(lo, hi int) { some(lo, hi, true) })
}

// prepared is what create makes: tables, which take about as long as a transform.
func prepared[T any](c *tensor.Call, cost float64, create func() T) (made T) {
	if cost < uninterrupted {
		return create()
	}
	tensor.Leave(c, func() { made = create() })
	return made
}

// line is line i, of parts·n numbers: where it lies, or gathered to tmp.
func (x *fftSide[R]) line(i, parts int, tmp *[]R) []R {
	if x.step == 1 {
		return x.data[parts*x.n*i:][:parts*x.n]
	}
	at, to := x.start(i), gemm.Room(tmp, parts*x.n)
	for j := range x.n {
		copy(to[parts*j:][:parts], x.data[parts*(at+j*x.step):])
	}
	return to
}

// place is where line i is to be written, and put what then brings it there.
func (x *fftSide[R]) place(i, parts int, tmp *[]R) (to []R, put func()) {
	if x.step == 1 {
		return x.data[parts*x.n*i:][:parts*x.n], func() {}
	}
	to = gemm.Room(tmp, parts*x.n)
	return to, func() {
		at := x.start(i)
		for j := range x.n {
			copy(x.data[parts*(at+j*x.step):][:parts], to[parts*j:])
		}
	}
}

func complexByLine[R float](c *tensor.Call, to, from *fftSide[R], inverse bool, scale float64) {
	eachLine(c, to.count, to.n, func(p fftLine[R], i int, serial bool) {
		var tmp []R
		dst, put := to.place(i, 2, &tmp)
		p.transform(dst, from.line(i, 2, &tmp), inverse, scale, serial)
		put()
	})
}

// realByLine transforms real lines of n to the first half of complex ones, or to all of these.
func realByLine[R float](c *tensor.Call, to, from *fftSide[R], scale float64) {
	n := from.n
	h, even := realLength(n)
	eachLine(c, to.count, h, func(p fftLine[R], i int, serial bool) {
		var in, out, wide []R
		src := from.line(i, 1, &in)
		dst, put := to.place(i, 2, &out)
		if even {
			p.transform(dst[:n], src, false, 1, serial)
			simd.FourierOf[R]().FoldLine(dst[:n+2], foldRoots[R](h, false), 0.5*R(scale), false)
		} else {
			whole := gemm.Room(&wide, 2*n)
			for j, v := range src {
				whole[2*j] = v
			}
			p.transform(whole, whole, false, scale, serial)
			copy(dst[:n+1], whole)
		}
		for j := n/2 + 1; j < to.n; j++ { // the conjugates, where they are asked for
			dst[2*j], dst[2*j+1] = dst[2*(n-j)], -dst[2*(n-j)+1]
		}
		put()
	})
}

// toRealByLine is the inverse of realByLine: imaginary parts that the transform of real numbers has not, of the first
// one and of the one in the middle, are not read.
func toRealByLine[R float](c *tensor.Call, to, from *fftSide[R], scale float64) {
	n := to.n
	h, even := realLength(n)
	eachLine(c, to.count, h, func(p fftLine[R], i int, serial bool) {
		var in, out, wide []R
		src := from.line(i, 2, &in)
		dst, put := to.place(i, 1, &out)
		if even {
			z := gemm.Room(&wide, n+2)
			copy(z, src)
			simd.FourierOf[R]().FoldLine(z, foldRoots[R](h, true), 1, true)
			p.transform(dst, z[:n], true, scale, serial)
		} else {
			z := gemm.Room(&wide, 2*n)
			copy(z, src[:n+1])
			z[1] = 0
			for j := 1; j <= n/2; j++ {
				z[2*(n-j)], z[2*(n-j)+1] = z[2*j], -z[2*j+1]
			}
			p.transform(z, z, true, scale, serial)
			for j := range dst {
				dst[j] = z[2*j]
			}
		}
		put()
	})
}

// foldRoots are the factors for simd.Fourier's Fold of h complex numbers.
func foldRoots[R float](h int, reverse bool) []R {
	kind := "fold"
	if reverse {
		kind = "unfold"
	}
	return fftTable(kind, h, func() ([]R, int) {
		var w []R
		for k := 1; k <= h/2; k++ {
			r := rootOfOne(k, 2*h)
			if reverse {
				r = complex(-real(r), imag(r))
			}
			w = append(w, R(real(r)), R(imag(r)))
		}
		return w, h
	})
}
