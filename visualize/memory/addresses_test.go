package memory

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/draw"
	"gotorch/visualize/internal/viewtest"
	"gotorch/visualize/shapes"
)

// Note: addresses are held against elements. Tensors of these tests look into storages that hold 0, 1, 2, …, so that
// an element that is read through the tensor is its own address.

// elementAt reads an element of a tensor whose storage counts.
func elementAt(x *tensor.Tensor, index []int) int {
	n, _ := tensor.ScalarOf(x.At(index...))
	return int(n.Float())
}

// walkIndices returns the first most indices of the loops over x, inner the innermost dimension.
func walkIndices(shape []int, inner, most int, f func(i int, index []int)) {
	order := make([]int, 0, len(shape))
	for d := range shape {
		if d != inner {
			order = append(order, d)
		}
	}
	if inner >= 0 {
		order = append(order, inner)
	}
	for _, d := range shape {
		if d == 0 {
			return
		}
	}
	index := make([]int, len(shape))
	for i := range most {
		f(i, index)
		k := len(order) - 1
		for ; k >= 0; k-- {
			if index[order[k]]++; index[order[k]] < shape[order[k]] {
				break
			}
			index[order[k]] = 0
		}
		if k < 0 {
			return
		}
	}
}

// checkOrder holds the steps of walks against elements read in that order.
func checkOrder(t testing.TB, x *tensor.Tensor, m *MemoryOrder) {
	t.Helper()
	for _, w := range m.Walks {
		inner := len(w.Shape) - 1
		if _, rest, ok := strings.Cut(w.Loop, "dim "); ok {
			inner, _ = strconv.Atoi(rest[:1])
		}
		per := cacheLine / w.Size
		touched, used, jumps := map[int]bool{}, map[int]bool{}, 0
		before, checked := 0, 0
		walkIndices(w.Shape, inner, w.Counted, func(i int, index []int) {
			a := elementAt(x, index)
			line := a / per
			touched[line], used[a] = true, true
			if i > 0 && draw.Abs(line-before) > 1 {
				jumps++
			}
			before = line
			if i < len(w.Path) {
				checked++
				l := w.Lines[w.Path[i][0]]
				if l.At != line || w.Path[i][1] != a%per {
					t.Errorf("%v %v dim %d: step %d is at line %d cell %d, its element at %d", w.Shape, w.Stride, inner, i, l.At,
						w.Path[i][1], a)
				}
				if cell := l.Cells[w.Path[i][1]]; cell == "" {
					t.Errorf("%v %v: the cell of step %d has no number", w.Shape, w.Stride, i)
				} else if first, _, _ := strings.Cut(cell, "×"); !slices.Contains([]string{strconv.Itoa(i + 1)}, first) {
					if n, _ := strconv.Atoi(first); n > i+1 || n < 1 {
						t.Errorf("%v %v: the cell of step %d says %s", w.Shape, w.Stride, i+1, cell)
					}
				}
			}
		})
		if checked != len(w.Path) || len(touched) != w.Touched || len(used)*w.Size != w.Used || jumps != w.Jumps {
			t.Errorf("%v %v dim %d: %d of %d steps, lines %d, want %d, bytes %d, want %d, jumps %d, want %d", w.Shape, w.Stride,
				inner, checked, len(w.Path), w.Touched,
				len(touched), w.Used, len(used)*w.Size, w.Jumps, jumps)
		}
		if w.Counted > 0 && (w.Fetched[0] < w.Touched || w.Fetched[1] < w.Touched || w.Fetched[0] > w.Counted) {
			t.Errorf("%v %v: %v lines fetched, %d touched", w.Shape, w.Stride, w.Fetched, w.Touched)
		}
	}
}

// checkFrames holds the frames of an explorer against elements read through the strides that each prints.
func checkFrames(t testing.TB, e *Explorer) {
	t.Helper()
	if len(e.Map.Storages) == 0 {
		return
	}
	s := e.Map.Storages[0]
	storage := e.src.Value()
	if e.base != nil {
		storage = e.base.Storage()
	}
	for i, l := range s.Lanes {
		if i >= len(e.Frames) {
			break
		}
		f := e.Frames[i]
		x := e.view(storage, f)
		for _, row := range l.Rows {
			for k, label := range row {
				if label == "" {
					continue
				}
				at := f.Offset
				var index []int
				if label != "∎" {
					for d, text := range strings.Split(label, ",") {
						n, err := strconv.Atoi(text)
						if err != nil {
							at = -1
							break
						}
						index = append(index, n)
						at += n * f.Stride[d]
					}
				}
				if at < 0 {
					continue
				}
				if s.Cells[k] != at || len(index) == x.Dim() && elementAt(x, index) != at+e.first {
					t.Errorf("%s %v %v +%d: %s stands at %d, its element is %v", f.Title, f.Shape, f.Stride, f.Offset, label,
						s.Cells[k], x.At(index...))
				}
			}
		}
	}
}

// checkWalked holds the strides with which operands are broadcast against elements read through the tensors as Expand
// stretches them.
func checkWalked(t testing.TB, xs []*tensor.Tensor, b *shapes.Broadcasting) {
	t.Helper()
	if len(b.Clashes) > 0 {
		err := tensor.Try(func() { tensor.BroadcastTensors(xs...) })
		if err == nil {
			t.Errorf("%v clashes, but the tensors broadcast", b.Result)
		}
		return
	}
	for i, r := range b.Operands {
		y := xs[i].Expand(b.Result...)
		walkIndices(b.Result, len(b.Result)-1, 200, func(_ int, index []int) {
			at := xs[i].StorageOffset()
			for d, n := range index {
				at += n * r.Walked[d]
			}
			if a := elementAt(y, index); a != at {
				t.Errorf("%v %v as %v: element %v is %d, by the strides %v %d", r.Shape, r.Stride, b.Result, index,
					a, r.Walked, at)
			}
		})
	}
}

// TestAddresses: what views say of addresses is what reading the elements gives.
func TestAddresses(t *testing.T) {
	viewtest.NewSession(t)
	orders, frames, broadcast := 0, 0, 0
	for seed := range int64(400) {
		x := viewtest.AnyTensor(seed)
		if x.Device() == tensor.Meta {
			continue
		}
		m := Order(x)
		orders += len(m.Walks)
		checkOrder(t, x, m)
		e := Explore(x)
		frames += len(e.Frames)
		checkFrames(t, e)
		y := viewtest.AnyTensor(seed + 1000)
		if y.Device() == tensor.Meta {
			y = x
		}
		if x.Dim() > 0 { // one that fits
			y = viewtest.Window(x, append([]int{1}, x.Shape()[1:]...), x.Stride(), x.StorageOffset())
		}
		checkWalked(t, []*tensor.Tensor{x, y}, shapes.Broadcast(x, y))
		broadcast++
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
	t.Logf("%d walks, %d frames, %d broadcasts", orders, frames, broadcast)
}
