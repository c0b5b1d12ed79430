package cpu

import (
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// mostRuns is the number of runs up to which planes are copied run by run.
const mostRuns = 4

// run is count results, from result to on, that are elements beside each other, from element from on.
type run struct{ to, from, count int }

// runsIn divides the results at places at into runs; nil where those are many, or shorter than four on the average.
func runsIn(at []int32) []run {
	var out []run
	for i := 0; i < len(at); {
		j := i + 1
		for j < len(at) && at[j] == at[j-1]+1 {
			j++
		}
		if len(out) == mostRuns {
			return nil
		}
		out = append(out, run{i, int(at[i]), j - i})
		i = j
	}
	if len(at) < 4*len(out) {
		return nil
	}
	return out
}

// pickRuns copies planes of elements of size bytes as blocks: a run of rows by a run of columns each, as those of
// circular padding are.
func pickRuns(r *resampling, size int, ys, xs unsafe.Pointer, rows, cols []run) {
	in, out := r.sizes()
	move := movers[sizeClass(size)]
	plane := in[0] * in[1] * in[2]
	parallel.For(r.planes*out[0], parallel.Grain(0.3*float64(out[1]*out[2])), func(first, last int) {
		tensor.Interrupted(r.op)
		for i := first; i < last; i++ {
			src := i/out[0]*plane + int(r.axes[0].at[i%out[0]])*in[1]*in[2]
			dst := i * out[1] * out[2]
			for _, h := range rows {
				for _, w := range cols {
					move(grid{rows: h.count, cols: w.count, dst: unsafe.Add(ys, (dst+h.to*out[2]+w.to)*size),
						src:    unsafe.Add(xs, (src+h.from*in[2]+w.from)*size),
						dstRow: out[2] * size, dstCol: size, srcRow: in[2] * size, srcCol: size})
				}
			}
		}
	})
}
