package cpu

import (
	"slices"

	"gotorch/tensor"
)

// byType runs the instance for the dtype in which elements are compared: bool as uint8, the half types as float32.
func byType(c *tensor.Call, dt tensor.Dtype, u8, i8, i16, i32, i64, f32, f64 func(*tensor.Call)) {
	switch dt {
	case tensor.Bool, tensor.Uint8:
		u8(c)
	case tensor.Int8:
		i8(c)
	case tensor.Int16:
		i16(c)
	case tensor.Int32:
		i32(c)
	case tensor.Int64:
		i64(c)
	case tensor.Float64:
		f64(c)
	default:
		f32(c)
	}
}

// ranked is a real number that is an element.
type ranked interface {
	realNumber
	tensor.Element
}

// extremeKernel serves max, min, amax, amin, and with indices max.dim and min.dim.
func extremeKernel[T ranked](greatest, indices bool) func(c *tensor.Call) {
	l := extremeLoopsOf[T](greatest)
	return func(c *tensor.Call) {
		values, flush := results[T](c, 0)
		if indices {
			where := tensor.Elems[int64](c.Ret(1))
			findPlaces(c, &l, func(i int, e *extreme[T]) { values[i], where[i] = e.v, int64(e.at) })
		} else {
			findExtremes(c, &l, values)
		}
		flush()
	}
}

func argKernel[T ranked](greatest bool) func(c *tensor.Call) {
	l := extremeLoopsOf[T](greatest)
	return func(c *tensor.Call) {
		where := tensor.Elems[int64](c.Ret(0))
		findPlaces(c, &l, func(i int, e *extreme[T]) { where[i] = int64(e.at) })
	}
}

func aminmaxKernel[T ranked](c *tensor.Call) {
	least, flushLeast := results[T](c, 0)
	most, flushMost := results[T](c, 1)
	lesser, greater := extremeLoopsOf[T](false), extremeLoopsOf[T](true)
	findExtremes(c, &lesser, least)
	findExtremes(c, &greater, most)
	flushLeast()
	flushMost()
}

func init() {
	for _, greatest := range []bool{true, false} {
		name := map[bool]string{true: "max", false: "min"}[greatest]
		plain := everyType(extremeKernel[uint8](greatest, false), extremeKernel[int8](greatest, false),
			extremeKernel[int16](greatest, false),
			extremeKernel[int32](greatest, false), extremeKernel[int64](greatest, false),
			extremeKernel[float32](greatest, false), extremeKernel[float64](greatest, false))
		kernels(map[string]tensor.Kernel{
			name:       plain,
			"a" + name: plain,
			name + ".dim": everyType(extremeKernel[uint8](greatest, true), extremeKernel[int8](greatest, true),
				extremeKernel[int16](greatest, true),
				extremeKernel[int32](greatest, true), extremeKernel[int64](greatest, true), extremeKernel[float32](greatest, true),
				extremeKernel[float64](greatest, true)),
			"arg" + name: everyType(argKernel[uint8](greatest), argKernel[int8](greatest), argKernel[int16](greatest),
				argKernel[int32](greatest), argKernel[int64](greatest), argKernel[float32](greatest),
				argKernel[float64](greatest)),
		})
	}
	tensor.Register("aminmax", tensor.KeyCPU, everyType(aminmaxKernel[uint8], aminmaxKernel[int8], aminmaxKernel[int16],
		aminmaxKernel[int32], aminmaxKernel[int64], aminmaxKernel[float32], aminmaxKernel[float64]))
	tensor.Register("mode", tensor.KeyCPU, everyType(modeKernel[uint8], modeKernel[int8], modeKernel[int16],
		modeKernel[int32], modeKernel[int64], modeKernel[float32], modeKernel[float64]))
	tensor.Register("isin", tensor.KeyCPU, isinKernel)
	tensor.Register("equal", tensor.KeyCPU, equalKernel)
}

// everyType makes one kernel of the instances for each type.
func everyType(u8, i8, i16, i32, i64, f32, f64 func(*tensor.Call)) tensor.Kernel {
	return func(c *tensor.Call) { byType(c, c.Self().Dtype(), u8, i8, i16, i32, i64, f32, f64) }
}

// wholeRuns calls f with every run of self, in memory of its own, in order.
func wholeRuns[T ranked](c *tensor.Call, f func(out int, xs []T)) {
	type state struct{}
	mask := dimsOf(c)
	r := runsOf(c.Self(), mask, tensor.DtypeOf[T](), true)
	tmp := scratches.Get().(*scratch)
	defer scratches.Put(tmp)
	tensor.MustFit(c.Name(), float64(r.length)*float64(tensor.DtypeOf[T]().Size()+8)) // with the order of them
	xs := make([]T, r.length)
	collect := &reducer[T, state]{block: func(_ *state, part []T, at int) { copy(xs[at:], part) }}
	for i := range r.outs {
		if i%64 == 0 {
			tensor.Interrupted(c.Name())
		}
		var s state
		if r.length > 0 {
			foldRun(c.Name(), r, collect, &s, i, 0, r.length, tmp, nil)
		}
		f(i, xs)
	}
}

func compare[T ranked](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// modeKernel takes the most frequent element, the least of equally frequent ones, and where it stands last.
func modeKernel[T ranked](c *tensor.Call) {
	values, flush := results[T](c, 0)
	where := tensor.Elems[int64](c.Ret(1))
	var order []int
	wholeRuns(c, func(out int, xs []T) {
		order = order[:0]
		for i := range xs {
			order = append(order, i)
		}
		slices.SortStableFunc(order, func(i, j int) int { return compare(xs[i], xs[j]) })
		best, count := order[0], 0
		for i := 0; i < len(order); {
			j := i + 1
			for j < len(order) && xs[order[j]] == xs[order[i]] {
				j++
			}
			if j-i > count {
				best, count = order[j-1], j-i
			}
			i = j
		}
		values[out], where[out] = xs[best], int64(best)
	})
	flush()
}

// isinKernel looks elements up in a set. Whole numbers are compared as int64, others as float64.
func isinKernel(c *tensor.Call) {
	invert := c.Bool(3)
	out := tensor.Elems[bool](c.Ret(0))
	whole := true
	for i := range 2 {
		if x := c.Tensor(i); x != nil {
			whole = whole && !x.Dtype().IsDifferentiable()
		} else if s, _ := c.Scalar(i); s.IsFloat() {
			whole = false
		}
	}
	if whole {
		lookup(out, operandElems[int64](c, 0), operandElems[int64](c, 1), invert)
		return
	}
	lookup(out, operandElems[float64](c, 0), operandElems[float64](c, 1), invert)
}

func operandElems[T tensor.Element](c *tensor.Call, i int) []T {
	if x := c.Tensor(i); x != nil {
		return contig[T](c.Name(), x)
	}
	return []T{numberArg[T](c, i)}
}

func lookup[T comparable](out []bool, xs, among []T, invert bool) {
	set := make(map[T]bool, len(among))
	for _, v := range among {
		set[v] = true
	}
	for i, v := range xs {
		out[i] = set[v] != invert
	}
}

func equalKernel(c *tensor.Call) {
	a, b := c.Tensor(0), c.Tensor(1)
	out := tensor.Elems[bool](c.Ret(0))
	if !slices.Equal(a.Sizes(), b.Sizes()) {
		return
	}
	out[0] = equalElems(contiguous(c.Name(), a, a.Dtype()), contiguous(c.Name(), b, b.Dtype()))
}

// equalElems compares two contiguous tensors of one dtype.
func equalElems(a, b *tensor.Tensor) bool {
	switch a.Dtype() {
	case tensor.Float32:
		return slices.Equal(tensor.Elems[float32](a), tensor.Elems[float32](b))
	case tensor.Float64:
		return slices.Equal(tensor.Elems[float64](a), tensor.Elems[float64](b))
	case tensor.Complex32:
		return equalElems(temporary("equal", a, tensor.Complex64), temporary("equal", b, tensor.Complex64))
	case tensor.Float16, tensor.Bfloat16, tensor.Float8E4m3fn, tensor.Float8E5m2:
		return equalElems(temporary("equal", a, tensor.Float32), temporary("equal", b, tensor.Float32))
	case tensor.Complex64:
		return slices.Equal(tensor.Elems[complex64](a), tensor.Elems[complex64](b))
	case tensor.Complex128:
		return slices.Equal(tensor.Elems[complex128](a), tensor.Elems[complex128](b))
	case tensor.Int64:
		return slices.Equal(tensor.Elems[int64](a), tensor.Elems[int64](b))
	}
	return slices.Equal(contig[int64]("equal", a), contig[int64]("equal", b))
}
