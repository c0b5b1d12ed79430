package autograd

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Node is a node of the autograd graph: an operator that was recorded, a leaf's AccumulateGrad, or CopySlices, a write
// through a view.
//
// A node never keeps the call nor its results, only what the formula reads; edges point from results to what they were
// made of.
type Node struct {
	ag    tensor.Autograd       // of result 0, in the same object
	op    *tensor.Op            // nil for AccumulateGrad and CopySlices
	entry atomic.Pointer[entry] // of the pass that walks the node; see task.find
	seq   uint64                // the order of making: consumers have higher numbers than what they consume
	site  *tensor.Site          // nil where it is not known
	kept  tensor.Kept
	next  []Edge // one for each tensor argument
	metas []meta // the tensor arguments, then the results
	dims  []int  // the sizes that metas speak of

	saved  []saved
	numIns uint32 // of metas
	inWay  tensor.Variant
	frame  *frame // the innermost transform in which a leaf that it leads to was made; nil outside of all
	order  uint8  // 0 for what a user calls, 1 for what the backward pass of such calls recorded, and so on
	more   *more  // what few nodes have

	nextBuf  [3]Edge
	metaBuf  [4]meta
	savedBuf [2]saved
	dimBuf   [6]int
}

// more is what few nodes have, and most need not carry.
type more struct {
	formula *Formula // where it is not the operator's
	custom  *CustomFunction
	packed  map[int]*packed // by place in saved
	around  []*nodeHook
	after   []*func(x *tensor.Tensor) // of AccumulateGrad

	stream any   // of the scope in which the operator was called; see streams.go
	stride []int // of argument 0, where the formula asks for it
	offset int
	hooks  []*hook
	slices *copySlices    // of CopySlices
	leaf   *tensor.Tensor // of AccumulateGrad
	mu     sync.Mutex     // of AccumulateGrad, whose leaf several goroutines may share
}

// foreign reports whether the pass calls a function of the user's at the node, or one that keeps what it sees.
func (m *more) foreign() bool {
	return m.custom != nil || m.packed != nil || m.around != nil || m.after != nil || m.hooks != nil || m.slices != nil
}

// copies is what a CopySlices is made of, nil for other nodes.
func (n *Node) copies() *copySlices {
	if n.more == nil {
		return nil
	}
	return n.more.slices
}

// Edge leads from an argument of a node to what made it: result Output of Node. Node is nil where no gradient goes.
type Edge struct {
	Node   *Node
	Output int
}

// meta describes a tensor without keeping it alive.
type meta struct {
	lo         uint32 // its sizes in Node.dims
	rank       uint16
	slot       uint8
	dtype      tensor.Dtype
	device     tensor.Device
	none       bool                // no tensor in this place
	transposed bool                // a matrix whose columns lie one after the other
	format     tensor.MemoryFormat // of an argument whose gradient keeps it
}

var sequence atomic.Uint64

// addDims notes the sizes of x, once where they are those of the one before.
func (n *Node) addDims(m *meta, shape []int, last *meta) {
	m.rank = uint16(len(shape))
	if last != nil && !last.none && slices.Equal(n.sizes(last), shape) {
		m.lo = last.lo
		return
	}
	m.lo = uint32(len(n.dims))
	n.dims = append(n.dims, shape...)
}

// sizes lends the sizes of an argument or result.
func (n *Node) sizes(m *meta) []int { return n.dims[m.lo : m.lo+uint32(m.rank)] }

// begin makes the lists of a new node lie in itself.
func (n *Node) begin() {
	n.next, n.metas, n.saved, n.dims = n.nextBuf[:0], n.metaBuf[:0], n.savedBuf[:0], n.dimBuf[:0]
}

// ins are the tensor arguments and outs the results.
func (n *Node) ins() []meta  { return n.metas[:n.numIns] }
func (n *Node) outs() []meta { return n.metas[n.numIns:] }

// formula is how gradients flow through the node, nil where nobody knows.
func (n *Node) formula() *Formula {
	if n.more != nil && n.more.formula != nil {
		return n.more.formula
	}
	if n.op == nil {
		return nil
	}
	if f := formulaOf(n.op); f.VJP != nil {
		return f
	}
	if n.op.Tags.Has(opdef.NoGrad) {
		return noGradWrite
	}
	return nil
}

// currentSite is where the running code stands, nil if nobody knows.
func currentSite() *tensor.Site {
	if s := tensor.CurrentSite(); !s.IsZero() {
		return new(s)
	}
	return nil
}

func (n *Node) addIn(slot int, x *tensor.Tensor) {
	m := meta{slot: uint8(slot), none: x == nil}
	var e Edge
	if x != nil {
		var last *meta
		if len(n.ins()) > 0 {
			last = &n.ins()[len(n.ins())-1]
		}
		n.addDims(&m, x.Sizes(), last)
		m.dtype, m.device = x.Dtype(), x.Device()
		if s := x.Strides(); len(s) == 2 {
			m.transposed = s[0] == 1 && s[1] > 1
		} else if len(s) >= 4 && n.op != nil && formulaOf(n.op).Format != nil {
			m.format = formatOf(x)
		}
		e = edgeOf(x)
		if n.frame != nil || e.Node != nil && e.Node.frame != nil {
			e = n.meet(e)
		}
	}
	n.metas = append(n.metas, m)
	n.numIns++
	n.next = append(n.next, e)
}

func (n *Node) addOut(x *tensor.Tensor) {
	m := meta{dtype: x.Dtype(), device: x.Device()}
	var last *meta
	if len(n.outs()) > 0 {
		last = &n.outs()[len(n.outs())-1]
	} else if len(n.ins()) > 0 {
		last = &n.ins()[0]
	}
	n.addDims(&m, x.Sizes(), last)
	n.metas = append(n.metas, m)
}

// in finds the first tensor argument of a slot.
func (n *Node) in(slot int) *meta {
	for i := range n.ins() {
		if int(n.ins()[i].slot) == slot {
			return &n.ins()[i]
		}
	}
	return nil
}

func (n *Node) shapeOf(m *meta) []int { return append([]int{}, n.sizes(m)...) }

// Name is PyTorch's name of the node.
func (n *Node) Name() string {
	switch {
	case n.Leaf() != nil:
		return "AccumulateGrad"
	case n.copies() != nil:
		return "CopySlices"
	case n.formula() == nil:
		return "NotImplemented"
	case n.formula().NameOf != nil:
		return n.formula().NameOf(&Ctx{n: n})
	case n.formula().Name != "":
		return n.formula().Name
	}
	return defaultName(n.op)
}

// String is the name and where the operator was called: <MulBackward0 at In[3]:2>.
func (n *Node) String() string {
	switch {
	case n == nil:
		return "<nil>"
	case n.site == nil || n.site.Cell == "" && n.site.Line == 0:
		return "<" + n.Name() + ">"
	}
	return fmt.Sprintf("<%s at %s:%d>", n.Name(), n.site.Cell, n.site.Line)
}

// Op is the operator that the node belongs to; nil for AccumulateGrad.
func (n *Node) Op() *tensor.Op {
	if n.copies() != nil {
		return n.copies().op
	}
	return n.op
}

// OpName is the operator as it was called: "mul_", or a custom function's name. "" for AccumulateGrad.
func (n *Node) OpName() string {
	switch {
	case n.copies() != nil:
		return n.copies().opName
	case n.Custom() != nil:
		return n.more.custom.name
	case n.op == nil:
		return ""
	case n.inWay == tensor.InPlace:
		return n.op.Name + "_"
	}
	return n.op.Name
}

// Site is where the operator was called.
func (n *Node) Site() tensor.Site {
	if n.site == nil {
		return tensor.Site{}
	}
	return *n.site
}

// Seq numbers the nodes of the process in the order in which they were made.
func (n *Node) Seq() uint64 { return n.seq }

// Order is 0 for a node that a call recorded. A backward pass with opt.CreateGraph records nodes of one order more
// than it walks: 1 in the graph of a first derivative, 2 in that of a second.
func (n *Node) Order() int { return int(n.order) }

// Next lists where the gradients of the tensor arguments go.
func (n *Node) Next() []Edge {
	if n.copies() != nil {
		return n.copies().next
	}
	return n.next
}

// Leaf is the tensor of an AccumulateGrad, nil for other nodes.
func (n *Node) Leaf() *tensor.Tensor {
	if n.more == nil {
		return nil
	}
	return n.more.leaf
}

// WritesView reports whether n is a CopySlices: a write through a view.
func (n *Node) WritesView() bool { return n.copies() != nil }

// Inner is the node of the write that a CopySlices stands for, nil for other nodes and once it was freed.
func (n *Node) Inner() *Node {
	if n.copies() == nil {
		return nil
	}
	return n.copies().fn
}

// Output tells the shape and dtype of a node's result.
type Output struct {
	Shape []int
	Dtype tensor.Dtype
}

// Results describes the results of the call.
func (n *Node) Results() []Output {
	out := make([]Output, len(n.outs()))
	for i := range n.outs() {
		out[i] = Output{n.shapeOf(&n.outs()[i]), n.outs()[i].dtype}
	}
	return out
}

// Device is the device of the results.
func (n *Node) Device() tensor.Device {
	if len(n.outs()) == 0 {
		return tensor.CPU
	}
	return n.outs()[0].device
}

// Args returns the arguments of the call that are no tensors, by name: those that were given.
func (n *Node) Args() map[string]any {
	if n.op == nil {
		return nil
	}
	out := map[string]any{}
	for i := range n.op.Params {
		if n.kept.Given(i) {
			out[n.op.Params[i].Name] = n.kept.Arg(i)
		}
	}
	return out
}
