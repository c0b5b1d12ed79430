package cpu

import (
	"math"
	"math/cmplx"
	"runtime"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Kernels of factories. The memory of empty and zeros comes zeroed (tag Zeroed), so that they have nothing to do.

func init() {
	nothing := func(*tensor.Call) {}
	ones := func(c *tensor.Call) { fillTensor(c.Name(), c.Ret(0), tensor.IntScalar(1)) }
	full := func(slot int) tensor.Kernel {
		return func(c *tensor.Call) {
			s, _ := c.Scalar(slot)
			fillTensor(c.Name(), c.Ret(0), s)
		}
	}
	kernels(map[string]tensor.Kernel{
		"empty": nothing, "empty_strided": nothing, "zeros": nothing, "empty_like": nothing, "zeros_like": nothing,
		"new_empty": nothing, "new_empty_strided": nothing, "new_zeros": nothing,
		"ones": ones, "ones_like": ones, "new_ones": ones,
		"full": full(1), "full_like": full(1), "new_full": full(2),
		"arange": arange, "range": arange,
		"linspace": linspace, "logspace": logspace,
		"eye":          eye,
		"tril_indices": func(c *tensor.Call) { triangleIndices(c, false) },
		"triu_indices": func(c *tensor.Call) { triangleIndices(c, true) },
	})
}

// fromFloats fills dst, a new tensor, with f(i), rounded to its dtype.
func fromFloats(op string, dst *tensor.Tensor, f func(i int) float64) {
	convert, size := convertTable[tensor.Float64][dst.Dtype()], dst.ElementSize()
	parallel.For(dst.Numel(), grainSize, func(lo, hi int) {
		var buf [512]float64
		for at := lo; at < hi; at += len(buf) {
			tensor.Interrupted(op)
			n := min(len(buf), hi-at)
			for i := range n {
				buf[i] = f(at + i)
			}
			convert(unsafe.Add(dst.Ptr(), at*size), 1, unsafe.Pointer(&buf), 1, n)
		}
	})
	runtime.KeepAlive(dst)
}

func arange(c *tensor.Call) {
	start, _, step := c.ArangeLimits()
	dst := c.Ret(0)
	if dst.Dtype() == tensor.Int64 {
		wholeSteps(c.Name(), dst, start.Int(), step.Int())
		return
	}
	a, by := start.Float(), step.Float()
	switch dst.Dtype() {
	case tensor.Float32:
		steps(c.Name(), dst, tensor.Elems[float32](dst), a, by)
		return
	case tensor.Float64:
		steps(c.Name(), dst, tensor.Elems[float64](dst), a, by)
		return
	}
	if dst.Dtype().IsIntegral() { // start and step are rounded before they are added up
		a, by = math.Trunc(a), math.Trunc(by)
	}
	fromFloats(c.Name(), dst, func(i int) float64 { return a + float64(i)*by })
}

// rounding returns a function that rounds to dt, as PyTorch does after every step of a computation in dt.
func rounding(dt tensor.Dtype) func(float64) float64 {
	switch dt {
	case tensor.Float16:
		return func(f float64) float64 { return float64(tensor.ToHalf(float32(f)).Float32()) }
	case tensor.Bfloat16:
		return func(f float64) float64 { return float64(tensor.ToBF16(float32(f)).Float32()) }
	case tensor.Float32, tensor.Complex64:
		return func(f float64) float64 { return float64(float32(f)) }
	case tensor.Float64, tensor.Complex128:
		return func(f float64) float64 { return f }
	}
	return func(f float64) float64 { return f } // integers are divided in float64
}

// spaced returns the function of n evenly spaced numbers in dst's dtype. The two halves are counted from the two ends,
// so that both are exact.
func spaced(c *tensor.Call) func(i int) float64 {
	a, _ := c.Scalar(0)
	b, _ := c.Scalar(1)
	dt, n := c.Ret(0).Dtype(), c.Ret(0).Numel()
	round := rounding(dt)
	start, end := round(a.Float()), round(b.Float())
	if dt.IsIntegral() {
		start, end = float64(a.Int()), float64(b.Int())
	}
	step := round(round(end-start) / float64(max(n-1, 1)))
	return func(i int) float64 {
		if i < n/2 || n == 1 {
			return round(start + round(step*float64(i)))
		}
		return round(end - round(step*float64(n-1-i)))
	}
}

func linspace(c *tensor.Call) {
	switch dst := c.Ret(0); dst.Dtype() {
	case tensor.Complex64, tensor.Complex128:
		complexSpace(c, func(z complex128) complex128 { return z })
	case tensor.Float32:
		spaceOut(c, tensor.Elems[float32](dst))
	case tensor.Float64:
		spaceOut(c, tensor.Elems[float64](dst))
	default:
		if dst.Dtype().IsIntegral() {
			fromFloats(c.Name(), dst, spacedIntegers(c))
			return
		}
		fromFloats(c.Name(), dst, spaced(c))
	}
}

// spacedIntegers is linspace of integers with the roundings of PyTorch's AVX2 loop: a register begins at a number that
// is truncated to an integer, and steps from there. What does not fill two registers is computed by itself.
func spacedIntegers(c *tensor.Call) func(i int) float64 {
	a, _ := c.Scalar(0)
	b, _ := c.Scalar(1)
	n, lanes := c.Ret(0).Numel(), 32/c.Ret(0).Dtype().Size()
	start, end := float64(a.Int()), float64(b.Int())
	step := (end - start) / float64(max(n-1, 1))
	at := func(i int) float64 {
		if i < n/2 || n == 1 {
			return math.Trunc(math.FMA(step, float64(i), start))
		}
		return math.Trunc(math.FMA(-step, float64(n-1-i), end))
	}
	return func(i int) float64 {
		if i >= n/(2*lanes)*(2*lanes) {
			return at(i)
		}
		lane := i % lanes
		return math.Trunc(at(i-lane) + float64(step*float64(lane)))
	}
}

func logspace(c *tensor.Call) {
	base := c.Float(3)
	if c.Ret(0).Dtype().IsComplex() {
		complexSpace(c, func(z complex128) complex128 { return cmplx.Pow(complex(base, 0), z) })
		return
	}
	at := spaced(c)
	fromFloats(c.Name(), c.Ret(0), func(i int) float64 { return math.Pow(base, at(i)) })
}

func complexSpace(c *tensor.Call, f func(complex128) complex128) {
	a, _ := c.Scalar(0)
	b, _ := c.Scalar(1)
	dst := c.Ret(0)
	n := dst.Numel()
	start, end := a.Complex(), b.Complex()
	step := (end - start) / complex(float64(max(n-1, 1)), 0)
	convert := convertTable[tensor.Complex128][dst.Dtype()]
	for i := range n {
		z := start + step*complex(float64(i), 0)
		if i >= n/2 && n > 1 {
			z = end - step*complex(float64(n-1-i), 0)
		}
		z = f(z)
		convert(unsafe.Add(dst.Ptr(), i*dst.ElementSize()), 1, unsafe.Pointer(&z), 1, 1)
	}
	runtime.KeepAlive(dst)
}

func eye(c *tensor.Call) {
	dst := c.Ret(0)
	n, m := dst.Sizes()[0], dst.Sizes()[1]
	if k := min(n, m); k > 0 {
		one := int64(1)
		convertTable[tensor.Int64][dst.Dtype()](dst.Ptr(), m+1, unsafe.Pointer(&one), 0, k)
	}
	runtime.KeepAlive(dst)
}

func triangleIndices(c *tensor.Call, upper bool) {
	rows, cols := c.Int(0), c.Int(1)
	offset := min(max(c.Int(2), -rows), cols)
	dst := c.Ret(0)
	n := dst.Sizes()[1]
	buf := make([]int64, 2*n)
	i := 0
	for r := range rows {
		if r%(1<<16) == 0 {
			tensor.Interrupted(c.Name())
		}
		lo, hi := tensor.TriangleRow(r, cols, offset, upper)
		for col := lo; col < hi; col++ {
			buf[i], buf[n+i] = int64(r), int64(col)
			i++
		}
	}
	if n > 0 {
		convertTable[tensor.Int64][dst.Dtype()](dst.Ptr(), 1, unsafe.Pointer(unsafe.SliceData(buf)), 1, 2*n)
	}
	runtime.KeepAlive(dst)
}
