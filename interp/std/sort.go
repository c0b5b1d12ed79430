package std

import (
	"cmp"
	"slices"
	"sort"

	"gotorch/interp/std/env"
	"gotorch/interp/task"
)

// Package sort for cells: an interrupt ends a sort.

// piece is how many elements are sorted or merged between two looks at whether
// the run was stopped.
const piece = 1 << 16

// sortInPieces sorts xs as slices.Sort does. A long list is sorted in a copy, which is
// copied back at the end, so that one that is interrupted is as it was.
func sortInPieces[E cmp.Ordered](xs []E) {
	if len(xs) <= piece {
		slices.Sort(xs)
		return
	}
	task.Stoppable(func(stop func()) {
		from, to := slices.Clone(xs), make([]E, len(xs))
		for lo := 0; lo < len(xs); lo += piece {
			stop()
			slices.Sort(from[lo:min(lo+piece, len(xs))])
		}
		for width := piece; width < len(xs); width *= 2 {
			for lo := 0; lo < len(xs); lo += 2 * width {
				mid, hi := min(lo+width, len(xs)), min(lo+2*width, len(xs))
				merge(to[lo:hi], from[lo:mid], from[mid:hi], stop)
			}
			from, to = to, from
		}
		stop()
		copy(xs, from)
	})
}

// merge puts two sorted lists together.
func merge[E cmp.Ordered](out, a, b []E, stop func()) {
	for i := range out {
		if i%piece == 0 {
			stop()
		}
		if len(b) == 0 || len(a) > 0 && !cmp.Less(b[0], a[0]) {
			out[i], a = a[0], a[1:]
		} else {
			out[i], b = b[0], b[1:]
		}
	}
}

// patchSort makes the sorts that call back leave at an interrupt.
func patchSort(e *env.Env, t env.Table) {
	t.Set(map[string]any{
		"Slice": func(x any, less func(i, j int) bool) {
			task.Stoppable(func(stop func()) { sort.Slice(x, func(i, j int) bool { stop(); return less(i, j) }) })
		},
		"SliceStable": func(x any, less func(i, j int) bool) {
			task.Stoppable(func(stop func()) {
				sort.SliceStable(x,
					func(i, j int) bool { stop(); return less(i, j) })
			})
		},
		"Sort":   func(x sort.Interface) { task.Stoppable(func(stop func()) { sort.Sort(watched{x, stop}) }) },
		"Stable": func(x sort.Interface) { task.Stoppable(func(stop func()) { sort.Stable(watched{x, stop}) }) },
		"Ints":   func(x []int) { sortInPieces(x) }, "Float64s": func(x []float64) { sortInPieces(x) },
		"Strings": func(x []string) { sortInPieces(x) },
	})
}

type watched struct {
	sort.Interface
	stop func()
}

func (w watched) Less(i, j int) bool { w.stop(); return w.Interface.Less(i, j) }
