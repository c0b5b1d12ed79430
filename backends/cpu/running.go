package cpu

import (
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Running maxima and minima, as PyTorch has them: an element takes the place of the extreme so far if it equals or
// beats it, or is NaN; only NaN takes the place of NaN.

func init() {
	kernels(map[string]tensor.Kernel{
		"cummax": runningKernel(true),
		"cummin": runningKernel(false),
	})
}

func runningKernel(greatest bool) tensor.Kernel {
	return everyType(runningExtremes[uint8](greatest), runningExtremes[int8](greatest), runningExtremes[int16](greatest),
		runningExtremes[int32](greatest),
		runningExtremes[int64](greatest), runningExtremes[float32](greatest), runningExtremes[float64](greatest))
}

func runningExtremes[T ranked](greatest bool) func(c *tensor.Call) {
	along, across := runningMaxima[T], maximaRow[T]
	if !greatest {
		along, across = runningMinima[T], minimaRow[T]
	}
	return func(c *tensor.Call) {
		op, x := c.Name(), c.Tensor(0)
		l := lanesOf(x, tensor.WrapDim(op, c.Int(1), x.Dim()))
		src := contig[T](op, x)
		values, flush := results[T](c, 0)
		at := tensor.Elems[int64](c.Ret(1))
		if len(src) == 0 {
			return
		}
		if l.step == 1 {
			parallel.For(l.count, max(1, grainSize/l.n), func(lo, hi int) {
				for i := lo; i < hi; i++ {
					best, place := src[i*l.n], 0
					for j := 0; j < l.n; j += grainSize {
						tensor.Interrupted(op)
						from, to := i*l.n+j, i*l.n+min(j+grainSize, l.n)
						best, place = along(values[from:to], at[from:to], src[from:to], best, place, j)
					}
				}
			})
		} else {
			width := min(l.step, stripLen)
			perRow := (l.step + width - 1) / width
			parallel.For(l.count/l.step*perRow, max(1, grainSize/(width*l.n)), func(lo, hi int) {
				for i := lo; i < hi; i++ {
					first := i/perRow*l.n*l.step + i%perRow*width
					w := min(width, l.step-i%perRow*width)
					copy(values[first:][:w], src[first:])
					clear(at[first:][:w])
					for r := 1; r < l.n; r++ {
						if r%1024 == 0 {
							tensor.Interrupted(op)
						}
						p := first + r*l.step
						across(values[p:][:w], at[p:][:w], src[p:][:w], values[p-l.step:][:w], at[p-l.step:][:w], int64(r))
					}
				}
			})
		}
		flush()
		runtime.KeepAlive(x)
	}
}

// runningMaxima scans elements of a lane, the first of which is element from; best so far is at place.
func runningMaxima[T ranked](values []T, at []int64, src []T, best T, place, from int) (T, int) {
	values, at = values[:len(src)], at[:len(src)]
	for i, v := range src {
		if v >= best || v != v {
			best, place = v, from+i
		}
		values[i], at[i] = best, int64(place)
	}
	return best, place
}

func runningMinima[T ranked](values []T, at []int64, src []T, best T, place, from int) (T, int) {
	values, at = values[:len(src)], at[:len(src)]
	for i, v := range src {
		if v <= best || v != v {
			best, place = v, from+i
		}
		values[i], at[i] = best, int64(place)
	}
	return best, place
}

// maximaRow scans row r of lanes that lie side by side; best and places are the results of the row before.
func maximaRow[T ranked](values []T, at []int64, src, best []T, places []int64, r int64) {
	values, at, best, places = values[:len(src)], at[:len(src)], best[:len(src)], places[:len(src)]
	for i, v := range src {
		b, p := best[i], places[i]
		if v >= b || v != v {
			b, p = v, r
		}
		values[i], at[i] = b, p
	}
}

func minimaRow[T ranked](values []T, at []int64, src, best []T, places []int64, r int64) {
	values, at, best, places = values[:len(src)], at[:len(src)], best[:len(src)], places[:len(src)]
	for i, v := range src {
		b, p := best[i], places[i]
		if v <= b || v != v {
			b, p = v, r
		}
		values[i], at[i] = b, p
	}
}
