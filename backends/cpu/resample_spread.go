package cpu

import (
	"unsafe"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
	"gotorch/tensor"
)

// most is the greatest number of results that an element reaches.
func (t *spreads) most() int {
	n := 0
	for i := range t.start[1:] {
		n = max(n, int(t.start[i+1]-t.start[i]))
	}
	return n
}

// spreadFirst is spreadTaps where each row of the input is reached by one slice, and two rows of it at most: rows of
// gradients are spread along the last dimension as they are needed, and kept for the row after.
func spreadFirst(r *resampling, gs, ys []float32, td, th *spreads) {
	in, out := r.sizes()
	plane, add := volume(out), simd.GemmFloat32.AddRows
	perPlane := in[0] * in[1]
	block := max(1, parallel.Grain(0.5*float64(in[2]))) // rows, of which neighbours share what they are made of
	parallel.For(r.planes*perPlane, block, func(first, last int) {
		tensor.Interrupted(r.op)
		l := newLender()
		defer l.end()
		factor := lent[float32](&l, 1)
		var lines [2][]float32
		from := [2]int{-1, -1}
		for k := range lines {
			lines[k] = lent[float32](&l, in[2])
		}
		for i := first; i < last; i++ {
			d, h := i%perPlane/in[1], i%in[1]
			dst := ys[i*in[2]:][:in[2]]
			clear(dst)
			for a := td.start[d]; a < td.start[d+1]; a++ {
				for b := th.start[h]; b < th.start[h+1]; b++ {
					o := int(th.to[b])
					row, slot := i/perPlane*plane+(int(td.to[a])*out[1]+o)*out[2], o%2
					if from[slot] != row {
						from[slot] = row
						sumRow(lines[slot], gs[row:][:out[2]], r.row)
					}
					factor[0] = float32(td.weight[a] * th.weight[b])
					add(dst, lines[slot], in[2], factor)
				}
			}
		}
	})
}

// gatherRow sums, for each element of dst, what reaches it of line.
func gatherRow[T number](s *spreads, dst, line, weights []T, plain bool) {
	k, x := s.start[0], unsafe.Pointer(unsafe.SliceData(line))
	for j := range dst {
		var v T
		end := s.start[j+1]
		to := s.to[k:end]
		switch {
		case plain && len(to) == 2: // twice as many results as elements
			v = tap[T](x, to[0]) + tap[T](x, to[1])
		case plain:
			for _, o := range to {
				v += tap[T](x, o)
			}
		case len(to) == 4:
			w := (*[4]T)(weights[k:end])
			v = tap[T](x, to[0])*w[0] + tap[T](x, to[1])*w[1] + tap[T](x, to[2])*w[2] + tap[T](x, to[3])*w[3]
		default:
			ws := weights[k:end]
			for q, o := range to {
				v += tap[T](x, o) * ws[q]
			}
		}
		dst[j], k = v, end
	}
}

// scatterRow is gatherRow from the side of line: it adds each of its elements to those of dst that it reaches.
func scatterRow[T number](s *sampled, dst, line, weights []T) {
	switch {
	case len(weights) == 0:
		for o, v := range line {
			dst[s.at[o]] += v
		}
	case s.width == 2:
		at, weights := s.at[:2*len(line)], weights[:2*len(line)]
		for o, v := range line {
			a, w := (*[2]int32)(at[2*o:]), (*[2]T)(weights[2*o:])
			dst[a[0]] += v * w[0]
			dst[a[1]] += v * w[1]
		}
	default:
		for k, w := range weights {
			dst[s.at[k]] += line[k/s.width] * w
		}
	}
}
