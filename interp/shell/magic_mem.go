package shell

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"gotorch/internal/bytesize"
	"gotorch/interp/result"
	"gotorch/tensor"
)

// largeBytes is the least size of a storage that [tensor.MemoryUsed] counts.
const largeBytes = 1 << 20

// memRow is a tensor that a name holds.
type memRow struct {
	name string
	x    *tensor.Tensor
}

// memMagic shows the tensors that names hold, by storage, the largest first, and what the process uses.
func (s *Shell) memMagic(context.Context, string) ([]Value, *Error) {
	byStorage := map[*tensor.Storage][]memRow{}
	var order []*tensor.Storage
	add := func(name string, x *tensor.Tensor) {
		if x == nil || x.Device().Virtual() {
			return
		}
		st := x.Storage()
		if byStorage[st] == nil {
			order = append(order, st)
		}
		byStorage[st] = append(byStorage[st], memRow{name, x})
	}
	runtime.GC() // what is dead is not counted, when cleanups have run
	time.Sleep(time.Millisecond)
	named, kept := s.Tensors()
	for x, name := range named {
		add(name, x)
		if g := x.Grad(); g != nil && named[g] == "" {
			add(name+".Grad()", g)
		}
	}
	for x, name := range kept {
		add(name, x)
	}
	slices.SortFunc(order, func(a, b *tensor.Storage) int {
		return cmp.Or(cmp.Compare(b.Nbytes(), a.Nbytes()), cmp.Compare(least(byStorage[a]), least(byStorage[b])))
	})
	var b strings.Builder
	total, large := 0, 0
	rows := [][3]string{}
	for _, st := range order {
		views := byStorage[st]
		slices.SortFunc(views, func(x, y memRow) int {
			return cmp.Or(cmp.Compare(y.x.Numel(), x.x.Numel()), cmp.Compare(x.name, y.name))
		})
		if total += st.Nbytes(); st.Nbytes() >= largeBytes {
			large += st.Nbytes()
		}
		for i, v := range views {
			size := bytesize.Text(st.Nbytes())
			if i > 0 {
				size = "same storage"
			}
			rows = append(rows, [3]string{v.name, v.x.Dtype().String() + fmt.Sprint(v.x.Shape()), size})
		}
	}
	w := [2]int{}
	for _, r := range rows {
		w[0], w[1] = max(w[0], uniseg.StringWidth(r[0])), max(w[1], uniseg.StringWidth(r[1]))
	}
	for _, r := range rows {
		b.WriteString(padded(r[0], w[0]) + "  " + padded(r[1], w[1]) + "  " + r[2] + "\n")
	}
	if len(rows) == 0 {
		b.WriteString("no name holds a tensor\n")
	} else {
		storages := "storages"
		if len(order) == 1 {
			storages = "storage"
		}
		fmt.Fprintf(&b, "%s in %d %s that names hold\n", bytesize.Text(total), len(order), storages)
	}
	used := tensor.MemoryUsed()
	if rest := used - large; rest > 0 {
		fmt.Fprintf(&b, "%s more in tensors of 1 MiB and more that no name holds: in closures, goroutines, graphs, or "+
			"other sessions\n", bytesize.Text(rest))
	}
	fmt.Fprintf(&b, "%s in tensors of 1 MiB and more of the whole process, of %s that they may use", bytesize.Text(used),
		bytesize.Text(tensor.MemoryBudget()))
	return result.Text(b.String()), nil
}

// least is the name that sorts first.
func least(rows []memRow) string {
	return slices.MinFunc(rows, func(a, b memRow) int { return cmp.Compare(a.name, b.name) }).name
}
