package tensor

import "weak"

// Note: facts of errors. What an error is about is in its text; the numbers of it are in Error.Facts, so that a view
// can draw them. Facts hold numbers and weak pointers, by which names are looked up: an error keeps no tensor alive.

// BroadcastFacts are of operands whose shapes do not broadcast together, or, where Into is not nil, of one that does
// not broadcast to a shape that is given.
type BroadcastFacts struct {
	Shapes   [][]int
	Into     []int                  // the shape that was wanted, nil where the operands make it
	Operands []weak.Pointer[Tensor] `json:"-"` // one for each of Shapes, or none
	Written  weak.Pointer[Tensor]   `json:"-"` // the tensor of shape Into that is written to, if it is one
}

// MatmulFacts are of two factors whose sizes do not meet.
type MatmulFacts struct {
	A, B     []int
	Turned   bool                    // B is a weight, of shape [out in], that was transposed
	Operands [2]weak.Pointer[Tensor] `json:"-"`
}

// ViewFacts are of a tensor that cannot be seen under the shape To: the number of elements differs, or the strides do
// not allow it. To is as it was asked for, with its -1.
type ViewFacts struct {
	Shape, Stride, To []int
	Operand           weak.Pointer[Tensor] `json:"-"`
}

// IndexFacts are of an index that lies outside of a dimension.
type IndexFacts struct {
	Shape   []int // of the tensor, nil where it is not known
	Dim     int
	Size    int // of the dimension
	Index   int
	Wraps   bool                 // negative indices count from the end
	Operand weak.Pointer[Tensor] `json:"-"`
}

// DimFacts are of a dimension that a tensor does not have.
type DimFacts struct {
	Dims, Dim int
}

// JoinFacts are of tensors that cannot be put in a row along Dim: Shapes may differ there alone. A Dim of -1 lets them
// differ nowhere.
type JoinFacts struct {
	Shapes   [][]int
	Dim      int
	Operands []weak.Pointer[Tensor] `json:"-"`
}

// StaleFacts are of a saved tensor that was written to before its backward pass.
type StaleFacts struct {
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

// addFacts is deferred where an error that is on its way can be told better: its facts become those that facts gives.
func addFacts(facts func() any) {
	if r := recover(); r != nil {
		if e, ok := r.(*Error); ok {
			e.Facts = facts()
		}
		panic(r)
	}
}

// betterFacts is addFacts for errors that have facts already, of tensors that the caller does not know.
func betterFacts(facts func() any) {
	if r := recover(); r != nil {
		if e, ok := r.(*Error); ok && e.Facts != nil {
			e.Facts = facts()
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

func broadcastFacts(ts ...*Tensor) BroadcastFacts {
	return BroadcastFacts{Shapes: shapesOf(ts), Operands: weakly(ts)}
}

// expandFacts are of x, which does not broadcast to a shape.
func expandFacts(x *Tensor, into []int) BroadcastFacts {
	f := broadcastFacts(x)
	f.Into = append([]int{}, into...)
	return f
}

// writeFacts are of src, which does not broadcast to dst, into which it is to be written.
func writeFacts(dst, src *Tensor) BroadcastFacts {
	f := expandFacts(src, dst.shape)
	f.Written = weak.Make(dst)
	return f
}

func matmulFacts(a, b *Tensor) MatmulFacts {
	return MatmulFacts{A: a.Shape(), B: b.Shape(), Operands: [2]weak.Pointer[Tensor]{weak.Make(a), weak.Make(b)}}
}

func viewFacts(x *Tensor, to []int) ViewFacts {
	return ViewFacts{x.Shape(), x.Stride(), append([]int{}, to...), weak.Make(x)}
}

func indexFacts(x *Tensor, dim, index int) IndexFacts {
	return IndexFacts{x.Shape(), dim, x.shape[dim], index, true, weak.Make(x)}
}

// at says of which dimension of which tensor an index was meant.
func (f IndexFacts) at(x *Tensor, dim int) IndexFacts {
	f.Shape, f.Dim, f.Operand = x.Shape(), dim, weak.Make(x)
	return f
}

// resultFacts are the facts of a result of a shape that does not go into dst.
func resultFacts(dst *Tensor, shape []int) BroadcastFacts {
	return BroadcastFacts{Shapes: [][]int{append([]int{}, shape...)}, Into: dst.Shape(), Written: weak.Make(dst)}
}
