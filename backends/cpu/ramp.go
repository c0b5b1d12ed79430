package cpu

import (
	"runtime"
	"sync"
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// Note: evenly spaced numbers. arange and linspace multiply an index by the step and add where they start, by vectors:
// every step is rounded as in a loop over single elements, so the results have the same bits.

// rampBlock is the number of elements of a block, whose operands fit into the nearest cache.
const rampBlock = 512

// ramp has room for the operands of a block.
type ramp struct {
	index, jump, step, product [rampBlock]float64
	from                       [rampBlock]float64 // float32 numbers where they are added up as such
}

var ramps = sync.Pool{New: func() any { return new(ramp) }}

var (
	addDoubles   = simd.Get("add float64")
	addFloats    = simd.Get("add float32")
	addInts      = simd.Get("add int64")
	mulDoubles   = simd.Get("mul float64")
	castDoubles  = simd.Get("cast float32 float64")
	fillOf64Bits = simd.Get("fill int64")
	fillOf32Bits = simd.Get("fill int32")
)

// rampOf writes from + step·(first + k·by) to dst[k], for k from 0. The product is rounded to T, and then the sum,
// unless wide is set: then both are computed in float64, and the sum is rounded to T.
func rampOf[T float](dst []T, from, step float64, first, by int, wide bool) {
	r := ramps.Get().(*ramp)
	defer ramps.Put(r)
	most := min(len(dst), rampBlock)
	for k := range most {
		r.index[k] = float64(first + k*by)
	}
	jump := float64(rampBlock * by)
	fill := func(x *[rampBlock]float64, v *float64) {
		fillOf64Bits(most, bytePtr(unsafe.Pointer(x)), nil, nil, nil, bytePtr(unsafe.Pointer(v)))
	}
	fill(&r.jump, &jump)
	fill(&r.step, &step)
	index, work, start := bytePtr(unsafe.Pointer(&r.index)), bytePtr(unsafe.Pointer(&r.product)),
		bytePtr(unsafe.Pointer(&r.from))
	single := unsafe.Sizeof(*new(T)) == 4
	if single && !wide {
		v := float32(from)
		fillOf32Bits(most, start, nil, nil, nil, bytePtr(unsafe.Pointer(&v)))
	} else {
		fill(&r.from, &from)
	}
	for {
		n := min(len(dst), rampBlock)
		out := bytePtr(unsafe.Pointer(unsafe.SliceData(dst)))
		mulDoubles(n, work, index, bytePtr(unsafe.Pointer(&r.step)), nil, nil)
		switch {
		case !single:
			addDoubles(n, out, work, start, nil, nil)
		case wide:
			addDoubles(n, work, work, start, nil, nil)
			castDoubles(n, out, work, nil, nil, nil)
		default:
			castDoubles(n, out, work, nil, nil, nil)
			addFloats(n, out, out, start, nil, nil)
		}
		if dst = dst[n:]; len(dst) == 0 {
			return
		}
		addDoubles(rampBlock, index, index, bytePtr(unsafe.Pointer(&r.jump)), nil, nil)
	}
}

// steps writes a + i·by.
func steps[T float](op string, dst *tensor.Tensor, s []T, a, by float64) {
	parallel.For(len(s), grainSize, func(lo, hi int) {
		tensor.Interrupted(op)
		rampOf(s[lo:hi], a, by, lo, 1, true)
	})
	runtime.KeepAlive(dst)
}

// wholeSteps writes a + i·by, which wraps around. Behind the first block each is the one before it, moved on.
func wholeSteps(op string, dst *tensor.Tensor, a, by int64) {
	s := tensor.Elems[int64](dst)
	parallel.For(len(s), grainSize/2, func(lo, hi int) {
		tensor.Interrupted(op)
		part, v := s[lo:hi], a+int64(lo)*by
		first := part[:min(len(part), rampBlock)]
		for i := range first {
			first[i] = v
			v += by
		}
		if len(part) <= rampBlock {
			return
		}
		r := ramps.Get().(*ramp)
		jump, step := bytePtr(unsafe.Pointer(&r.jump)), rampBlock*by
		fillOf64Bits(rampBlock, jump, nil, nil, nil, bytePtr(unsafe.Pointer(&step)))
		for part = part[rampBlock:]; len(part) > 0; {
			n := min(len(part), rampBlock)
			p := unsafe.Pointer(unsafe.SliceData(part))
			addInts(n, bytePtr(p), bytePtr(unsafe.Add(p, -8*rampBlock)), jump, nil, nil)
			part = part[n:]
		}
		ramps.Put(r)
	})
	runtime.KeepAlive(dst)
}

// spaceOut is linspace in the arithmetic of T, as spaced computes it.
func spaceOut[T float](c *tensor.Call, dst []T) {
	a, _ := c.Scalar(0)
	b, _ := c.Scalar(1)
	n := len(dst)
	start, end := T(a.Float()), T(b.Float())
	step := float64(T(float64(T(float64(end)-float64(start))) / float64(max(n-1, 1))))
	half := n / 2
	if n == 1 {
		half = 1
	}
	parallel.For(n, grainSize, func(lo, hi int) {
		tensor.Interrupted(c.Name())
		if mid := min(hi, half); lo < mid {
			rampOf(dst[lo:mid], float64(start), step, lo, 1, false)
		}
		if mid := max(lo, half); mid < hi { // end − step·k, counted down
			rampOf(dst[mid:hi], float64(end), -step, n-1-mid, -1, false)
		}
	})
	runtime.KeepAlive(c)
}
