package cpu

import (
	"bytes"
	"sync"
	"unsafe"

	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Divisions that round, and their remainders.

func init() {
	for _, d := range realDtypes {
		for _, name := range []string{"fmod", "remainder", "floor_divide"} {
			f := kernelOf(name, d)
			division(name, name, d, &pointwise{}, func(*tensor.Call) loop { return f })
		}
		trunc, floor := kernelOf("div_trunc", d), kernelOf("floor_divide", d)
		w, kernel, exact := new(pointwise), "div_trunc", loop(nil) // integers are converted where they are divided exactly
		if d.IsFloatingPoint() {
			kernel, exact = "div", kernelOf("div", d)
			w.values, w.plain = valueLoops("value_div", "div_value", d), func(c *tensor.Call) bool { return c.IsNone(2) }
		}
		byMode := func(exact, trunc, floor loop) func(c *tensor.Call) loop {
			return func(c *tensor.Call) loop {
				switch c.Str(2) {
				case "trunc":
					return trunc
				case "floor":
					return floor
				}
				return exact
			}
		}
		division("div", kernel, d, w, byMode(exact, trunc, floor))
		if d == tensor.Float32 {
			defineHalves("div", w, func(h tensor.Dtype) func(c *tensor.Call) loop {
				exact, whole := kernelOf("div", h), throughFloat32(kernelOf("trunc", d), h, 1)
				trunc := func(n int, dst, a, b, _, _ *byte) { // PyTorch rounds the quotient to the half type first
					exact(n, dst, a, b, nil, nil)
					whole(n, dst, dst, nil, nil, nil)
				}
				return byMode(exact, trunc, throughFloat32(floor, h, 2))
			})
		}
	}
}

// division defines an operator as w, by a kernel for elements of d. A divisor of zero is an error among integers.
func division(name, kernel string, d tensor.Dtype, w *pointwise, choose func(c *tensor.Call) loop) {
	w.out, w.in = d, [maxInputs]tensor.Dtype{d, d}
	w.cost, w.isa = 3, simd.LevelOf(kernel+" "+d.String())
	w.make = func(c *tensor.Call) loop {
		f, op := choose(c), c.Name()
		if d.IsFloatingPoint() {
			return f
		}
		return func(n int, dst, a, b, _, _ *byte) {
			if hasZero(n, b, d) {
				panic(tensor.Errorf(op, "ZeroDivisionError: an integer was divided by zero"))
			}
			f(n, dst, a, b, nil, nil)
		}
	}
	define(name, withHalves(d), w)
}

var divisors = sync.Pool{New: func() any { return new([4096]byte) }}

// hasZero reports whether one of n integers of d is zero.
func hasZero(n int, p *byte, d tensor.Dtype) bool {
	if d.Size() == 1 {
		return bytes.IndexByte(unsafe.Slice(p, n), 0) >= 0
	}
	truth, buf := simd.Get("cast bool "+d.String()), divisors.Get().(*[4096]byte)
	defer divisors.Put(buf)
	for i := 0; i < n; i += len(buf) {
		k := min(len(buf), n-i)
		truth(k, &buf[0], moved(p, i*d.Size()), nil, nil, nil)
		if bytes.IndexByte(buf[:k], 0) >= 0 {
			return true
		}
	}
	return false
}
