package tensor

import "weak"

// Note: details of errors. What an error is about is in its text; its numbers are in Error.Details, so that a view can
// draw them. Details hold numbers and weak pointers, by which names are looked up: an error keeps no tensor alive.

// BroadcastDetails are of operands whose shapes do not broadcast together, or, where Into is not nil, of one that does
// not broadcast to a requested shape.
//
//gotorch:internal
type BroadcastDetails struct {
	Shapes   [][]int
	Into     []int                  // the shape that was wanted, nil where the operands make it
	Operands []weak.Pointer[Tensor] `json:"-"` // one for each of Shapes, or none
	Written  weak.Pointer[Tensor]   `json:"-"` // the tensor of shape Into that is written to, if it is one
}

// MatmulDetails are of two factors whose sizes do not meet.
//
//gotorch:internal
type MatmulDetails struct {
	A, B       []int
	Transposed bool                    // B is a weight, of shape [out in], that was transposed
	Operands   [2]weak.Pointer[Tensor] `json:"-"`
}

// ViewDetails describe a tensor that cannot be viewed with the shape To: the number of elements differs, or the
// strides do not allow it. To is as the caller wrote it, with its -1.
//
//gotorch:internal
type ViewDetails struct {
	Shape, Stride, To []int
	Operand           weak.Pointer[Tensor] `json:"-"`
}

// IndexDetails are of an index that lies outside of a dimension.
//
//gotorch:internal
type IndexDetails struct {
	Shape   []int // of the tensor, nil where it is not known
	Dim     int
	Size    int // of the dimension
	Index   int
	Wraps   bool                 // negative indices count from the end
	Operand weak.Pointer[Tensor] `json:"-"`
}

// DimDetails are of a dimension that a tensor does not have.
//
//gotorch:internal
type DimDetails struct {
	Dims, Dim int
}

// JoinDetails describe tensors that cannot be joined along Dim: Shapes may differ there alone. With a Dim of -1 they
// may not differ at all.
//
//gotorch:internal
type JoinDetails struct {
	Shapes   [][]int
	Dim      int
	Operands []weak.Pointer[Tensor] `json:"-"`
}

// StaleDetails are of a saved tensor that was written to before its backward pass.
//
//gotorch:internal
type StaleDetails struct {
	What    string // what the node saved: "the result", "the argument self"
	Saver   string // the operator that saved it, as it was called: "exp"
	Node    string // and its node: "ExpBackward0"
	Site    Site   // where it was called
	Dtype   Dtype
	Shape   []int
	Storage uint64               // the [Storage.ID]
	Bytes   int                  // of the storage
	Saved   uint32               // the version that was saved
	Current uint32               // the version now
	Writes  []Write              // what is known of the writes to the storage, see [Storage.Writes]
	Operand weak.Pointer[Tensor] `json:"-"`
}

// addDetails is deferred where the caller of a failing function knows more: it sets the details of the error.
func addDetails(details func() any) {
	if r := recover(); r != nil {
		if e, ok := r.(*Error); ok {
			e.Details = details()
		}
		panic(r)
	}
}

// betterDetails is addDetails for errors that have details already, of tensors that the caller does not know.
func betterDetails(details func() any) {
	if r := recover(); r != nil {
		if e, ok := r.(*Error); ok && e.Details != nil {
			e.Details = details()
		}
		panic(r)
	}
}

func weakly(ts []*Tensor) []weak.Pointer[Tensor] {
	out := make([]weak.Pointer[Tensor], len(ts))
	for i, t := range ts {
		out[i] = weak.Make(t)
	}
	return out
}

func shapesOf(ts []*Tensor) [][]int {
	out := make([][]int, len(ts))
	for i, t := range ts {
		out[i] = t.Shape()
	}
	return out
}

func broadcastDetails(ts ...*Tensor) BroadcastDetails {
	return BroadcastDetails{Shapes: shapesOf(ts), Operands: weakly(ts)}
}

// expandDetails are of x, which does not broadcast to a shape.
func expandDetails(x *Tensor, into []int) BroadcastDetails {
	f := broadcastDetails(x)
	f.Into = append([]int{}, into...)
	return f
}

// writeDetails are of src, which does not broadcast to dst, into which it is to be written.
func writeDetails(dst, src *Tensor) BroadcastDetails {
	f := expandDetails(src, dst.shape)
	f.Written = weak.Make(dst)
	return f
}

func matmulDetails(a, b *Tensor) MatmulDetails {
	return MatmulDetails{A: a.Shape(), B: b.Shape(), Operands: [2]weak.Pointer[Tensor]{weak.Make(a), weak.Make(b)}}
}

func viewDetails(x *Tensor, to []int) ViewDetails {
	return ViewDetails{x.Shape(), x.Stride(), append([]int{}, to...), weak.Make(x)}
}

func indexDetails(x *Tensor, dim, index int) IndexDetails {
	return IndexDetails{x.Shape(), dim, x.shape[dim], index, true, weak.Make(x)}
}

// at says of which dimension of which tensor an index was meant.
func (f IndexDetails) at(x *Tensor, dim int) IndexDetails {
	f.Shape, f.Dim, f.Operand = x.Shape(), dim, weak.Make(x)
	return f
}

// resultDetails are the details of a result of a shape that does not go into dst.
func resultDetails(dst *Tensor, shape []int) BroadcastDetails {
	return BroadcastDetails{Shapes: [][]int{append([]int{}, shape...)}, Into: dst.Shape(), Written: weak.Make(dst)}
}
