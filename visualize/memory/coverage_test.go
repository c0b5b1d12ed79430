package memory

import (
	"math/rand"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

// reached marks the bytes of a view, one by one.
func reached(x *tensor.Tensor, in []bool) {
	shape, stride := x.Shape(), x.Stride()
	size := x.ElementSize()
	index := make([]int, len(shape))
	for range x.Numel() {
		at := x.StorageOffset()
		for d, i := range index {
			at += i * stride[d]
		}
		for b := range size {
			in[at*size+b] = true
		}
		for d := len(shape) - 1; d >= 0; d-- {
			if index[d]++; index[d] < shape[d] {
				break
			}
			index[d] = 0
		}
	}
}

// TestCovers holds what is said of the bytes that views reach against bytes that are counted one by one.
func TestCovers(t *testing.T) {
	unknown := 0
	for seed := range int64(2000) {
		x := viewtest.AnyTensor(seed)
		if x.Device() == tensor.Meta {
			continue
		}
		r := rand.New(rand.NewSource(seed))
		n := x.Storage().Nbytes()
		in, all := make([]bool, n), make([]bool, n)
		reached(x, in)
		c := coverOf(x.Shape(), x.Stride(), x.StorageOffset(), 4)
		sum := func(in []bool, lo, hi int) (k int) {
			for _, b := range in[lo:hi] {
				if b {
					k++
				}
			}
			return k
		}
		want := sum(in, 0, n)
		if least, most := c.bytes(); least > want || most < want || c.known() && least != want {
			t.Errorf("%v %v: %d to %d bytes, there are %d", x.Shape(), x.Stride(), least, most, want)
		}
		if !c.known() {
			unknown++
		}
		for range 10 {
			if at := r.Intn(n + 1); c.known() && c.below(at) != sum(in, 0, at) {
				t.Errorf("%v %v: %d bytes below %d, there are %d", x.Shape(), x.Stride(), c.below(at), at, sum(in, 0, at))
			}
		}
		cut := cuts(n, 4, 1+r.Intn(40))
		for i, part := range []rune(c.parts(cut)) {
			k, size := sum(in, cut[i], cut[i+1]), cut[i+1]-cut[i]
			if size <= 0 || c.known() && (part == partFull) != (k == size) || (part == partNone) != (k == 0) && c.known() ||
				part == partNone && k > 0 {
				t.Errorf("%v %v: part %d to %d is %c, %d bytes are reached", x.Shape(), x.Stride(), cut[i], cut[i+1], part, k)
			}
		}
		// another two views of the same storage
		covers := []cover{c}
		copy(all, in)
		for range 2 {
			count := x.Storage().Nbytes() / 4
			lo := r.Intn(count)
			step := 1 + r.Intn(4)
			y := viewtest.Window(x, []int{(count - lo + step - 1) / step}, []int{step}, lo)
			reached(y, all)
			covers = append(covers, coverOf(y.Shape(), y.Stride(), y.StorageOffset(), 4))
		}
		want = sum(all, 0, n)
		if least, most := coverage(covers, n); least > want || most < want {
			t.Errorf("%v %v and two more: %d to %d bytes, there are %d", x.Shape(), x.Stride(), least, most, want)
		}
	}
	if unknown > 20 {
		t.Errorf("%d views are not counted", unknown)
	}
	for _, c := range []struct {
		shape, stride []int
		want          int
	}{
		{[]int{1 << 20, 1 << 20}, []int{1, 1 << 20}, 4 << 40},
		{[]int{1 << 20, 1 << 19}, []int{1 << 20, 2}, 2 << 40},
		{[]int{1 << 30, 1 << 9}, []int{1, 1}, 4 * (1<<30 + 1<<9 - 1)}, // overlapping windows
		{[]int{1 << 40}, []int{0}, 4},
	} {
		v := coverOf(c.shape, c.stride, 0, 4)
		if least, most := v.bytes(); least != c.want || most != c.want {
			t.Errorf("%v %v: %d to %d bytes, want %d", c.shape, c.stride, least, most, c.want)
		}
	}
}
