package draw

import (
	"slices"
	"sync/atomic"

	"gotorch/tensor"
)

// Elements says where the elements of a tensor are in its storage, for the marks by which views are linked. One that
// is nil marks nothing, nor does any on a page that is not interactive: see [Linked].
type Elements struct {
	Storage uint64 `json:"storage"`
	Offset  int    `json:"offset"` // in elements
	Size    int    `json:"size"`   // of an element, in bytes
	Shape   []int  `json:"shape"`
	Stride  []int  `json:"stride"`
}

// ElementsOf is that of a tensor; nil where its elements are in no storage that views show.
func ElementsOf(x *tensor.Tensor) *Elements {
	if x.Device().Virtual() || x.Layout() >= tensor.SparseCOO || x.Wrapper() != nil {
		return nil
	}
	return &Elements{x.Storage().ID(), x.StorageOffset(), x.Dtype().Size(), x.Shape(), x.Stride()}
}

// Mark is the attribute of what shows the element of an index, after a space.
func (e *Elements) Mark(index ...int) string {
	if e == nil || !Linked() {
		return ""
	}
	return " " + MarkBytes(e.Storage, e.at(index)*e.Size, e.Size)
}

// MarkAll is the attribute of what shows all elements with an index that begins so, "" where other elements lie
// between them.
func (e *Elements) MarkAll(index ...int) string {
	if e == nil || slices.Contains(e.Shape, 0) || !Linked() {
		return ""
	}
	lo, hi, n := e.at(index), e.at(index), 1
	for d := len(index); d < len(e.Shape); d++ {
		far := (e.Shape[d] - 1) * e.Stride[d]
		lo, hi = lo+min(far, 0), hi+max(far, 0)
		if e.Stride[d] != 0 {
			n *= e.Shape[d]
		}
	}
	if hi-lo >= n {
		return ""
	}
	return " " + MarkBytes(e.Storage, lo*e.Size, (hi-lo+1)*e.Size)
}

// at is where the element of an index is, or the first of those whose index begins so, in elements.
func (e *Elements) at(index []int) int {
	at := e.Offset
	for d, i := range index {
		at += i * e.Stride[d]
	}
	return at
}

// Index is the index of the element with a number, in the order of rows.
func (e *Elements) Index(n int) []int {
	out := make([]int, len(e.Shape))
	for d := len(out) - 1; d >= 0; d-- {
		out[d], n = n%e.Shape[d], n/e.Shape[d]
	}
	return out
}

// linking is how many pages of views are written, which are interactive.
var linking atomic.Int32

// Linked reports whether the page that the running code's views are shown on is interactive.
func Linked() bool { return linking.Load() > 0 || runOf() != "" }
