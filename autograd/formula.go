package autograd

import (
	"fmt"
	"sync/atomic"

	"gotorch/tensor"
)

// Note: formulas. A formula says how gradients flow through one operator: what it reads of the call (data, so that
// tools can show what a node keeps and why) and the vector-Jacobian product, written with operators, so that a second
// derivative needs nothing more. The engine sums a gradient to the shape of the argument it belongs to and converts
// its dtype; formulas need not.

// Formula is the derivative of an operator.
type Formula struct {
	// Save names the tensor arguments and results that the formula always reads.
	Save Saves
	// For names what only the gradient of one argument reads: For[i] is saved when argument i (by the schema's slots)
	// needs a gradient. The product keeps its first factor only if the second needs a gradient: For: []Saves{Arg1, Arg0}.
	For []Saves
	// Fixed are results that have no derivative although their dtype could have one: permutations.
	Fixed Saves
	// Strides: the formula asks for [Ctx.Geometry] of argument 0.
	Strides bool
	// Format says of a call whether the gradients of arguments of four or five dimensions lie in channels last where one
	// of these does. Without it they lie as the formula makes them.
	Format func(c *Ctx) bool
	// VJP returns the gradients of the tensor arguments from those of the results. A row without it has a batching rule
	// alone: the operator has no derivative, or it is a body whose parts have theirs.
	VJP func(c *Ctx) Grads
	// Name is PyTorch's name of the node where it is not the operator's Go name and "Backward0".
	Name string
	// JVP says how the results move with the arguments, where that is simpler than by two vector-Jacobian products.
	JVP forwardRule
	// Batch does all examples of a vmap in one call. Without it the rule of the operator's class does, if there is one;
	// else the operator is called example by example.
	Batch batchRule
	// NameOf finds the name from the arguments, where it depends on them: SumBackward0, SumBackward1.
	NameOf func(c *Ctx) string

	unfused *atomic.Int32 // how often it could not be fused; see fusedVJP
}

// Saves is a set of tensor arguments, by the schema's slots, and results of a call.
type Saves uint64

// What a formula may read: arguments by slot, and results.
const (
	Arg0 Saves = 1 << iota
	Arg1
	Arg2
	Arg3
	Arg4
	Arg5
	Arg6
	Arg7
)

// Results begin at bit 32.
const (
	Result0 Saves = 1 << (iota + 32)
	Result1
	Result2
	Result3
)

// Arg and Result are the n-th argument and result.
func Arg(n int) Saves    { return 1 << n }
func Result(n int) Saves { return 1 << (n + 32) }

// Grads has one gradient for each tensor argument in the schema's order: a parameter that may be a tensor always has
// its entry, a list of tensors has one for each of them, lists of indices have none. nil is no gradient. Entries left
// out at the end are nil.
type Grads []*tensor.Tensor

// register adds formulas by the operators' full names. It panics for a name that is no operator's or has a formula
// already.
func register(m map[string]Formula) {
	for name, f := range m {
		o := tensor.Lookup(name)
		if o == nil {
			panic("autograd: a formula for " + name + ", which has no row in the operator table")
		}
		if o.Formula != nil {
			panic("autograd: two formulas for " + name)
		}
		if f.VJP == nil && f.Batch == nil {
			panic("autograd: the formula for " + name + " has neither VJP nor Batch")
		}
		if f.Batch != nil && o.IsComposite() {
			tensor.Register(name, tensor.KeyBatched, transformed) // in place of the body
		}
		f.unfused = new(atomic.Int32)
		o.Formula = &f
	}
}

// HasFormula reports whether there is a derivative of the operator.
func HasFormula(o *tensor.Op) bool { return formulaOf(o).VJP != nil }

var noFormula Formula

// formulaOf is the operator's row, an empty one if it has none.
func formulaOf(o *tensor.Op) *Formula {
	if f, ok := o.Formula.(*Formula); ok {
		return f
	}
	return &noFormula
}

// Ctx is what a formula reads: the gradients that arrive, and of the call what it saved.
type Ctx struct {
	// Grad is the gradient of result 0. It is never nil where the operator has one differentiable result; with several
	// ask [Ctx.GradOf].
	Grad  *tensor.Tensor
	n     *Node
	grads []arriving
	needs func(edge int) bool // nil: every valid edge
}

// GradOf is the gradient of result i, nil if none arrived.
func (c *Ctx) GradOf(i int) *tensor.Tensor {
	if i >= len(c.grads) {
		return nil
	}
	return c.grads[i].t
}

// GradOrZeros is the gradient of result i, zeros if none arrived.
func (c *Ctx) GradOrZeros(i int) *tensor.Tensor {
	if g := c.GradOf(i); g != nil {
		return g
	}
	m := &c.n.outs()[i]
	return tensor.With(m.dtype, m.device).Zeros(c.n.shapeOf(m)...)
}

// NumGrads is the number of results of the call.
func (c *Ctx) NumGrads() int { return len(c.n.outs()) }

// Tensor is argument i, which the formula saved; nil if it was None or a number. A write to it since is an error.
func (c *Ctx) Tensor(i int) *tensor.Tensor { return c.n.unpack(uint8(i), 0) }

// Tensors is argument i, a list of tensors, which the formula saved.
func (c *Ctx) Tensors(i int) []*tensor.Tensor {
	var out []*tensor.Tensor
	for j := range c.n.ins() {
		if int(c.n.ins()[j].slot) == i {
			out = append(out, c.n.unpack(uint8(i), len(out)))
		}
	}
	return out
}

// Result is result i, which the formula saved.
func (c *Ctx) Result(i int) *tensor.Tensor { return c.n.unpack(uint8(32+i), 0) }

// Operand is argument i: a saved tensor, or a number.
func (c *Ctx) Operand(i int) tensor.Operand {
	if s, ok := c.n.kept.Scalar(i); ok && c.isNumber(i) {
		return s.Any()
	}
	return c.Tensor(i)
}

// isNumber reports whether argument i is no tensor.
func (c *Ctx) isNumber(i int) bool {
	m := c.n.in(i)
	return m == nil || m.none
}

// IsTensor reports whether argument i is a tensor.
func (c *Ctx) IsTensor(i int) bool { return !c.isNumber(i) }

// Indices is argument i, a list of indices, with its tensors where the formula saved them.
func (c *Ctx) Indices(i int) []any {
	l := append([]any(nil), c.n.kept.Indices(i)...)
	for j := range l {
		if t := c.n.find(uint8(i), j); t != nil {
			l[j] = c.n.open(t)
		}
	}
	return l
}

// IsNone reports whether argument i is None.
func (c *Ctx) IsNone(i int) bool {
	if m := c.n.in(i); m != nil && !m.none {
		return false
	}
	return c.n.kept.IsNone(i)
}

// Arg, Scalar, Int, Float, Bool, Str, Ints, Scalars and Dtype option read an argument that is no tensor; defaults are
// filled in.
func (c *Ctx) Arg(i int) any                 { return c.n.kept.Arg(i) }
func (c *Ctx) Int(i int) int                 { return c.n.kept.Int(i) }
func (c *Ctx) Float(i int) float64           { return c.n.kept.Float(i) }
func (c *Ctx) Bool(i int) bool               { return c.n.kept.Bool(i) }
func (c *Ctx) Str(i int) string              { return c.n.kept.Str(i) }
func (c *Ctx) Ints(i int) []int              { return c.n.kept.Ints(i) }
func (c *Ctx) DtypeArg(i int) tensor.Dtype   { return c.n.kept.Dtype(i) }
func (c *Ctx) Scalars(i int) []tensor.Scalar { return c.n.kept.Scalars(i) }

// Scalar is argument i as a Go number (bool, int64, float64, complex128), nil if it is None or a tensor.
func (c *Ctx) Scalar(i int) tensor.Number {
	s, ok := c.n.kept.Scalar(i)
	if !ok {
		return nil
	}
	return s.Any()
}

// Shape is the shape of tensor argument i (the first of a list), saved or not.
func (c *Ctx) Shape(i int) []int { return c.n.shapeOf(c.mustIn(i)) }

// Shapes are the shapes of the tensors of list i.
func (c *Ctx) Shapes(i int) (out [][]int) {
	for j := range c.n.ins() {
		if m := &c.n.ins()[j]; int(m.slot) == i {
			out = append(out, c.n.shapeOf(m))
		}
	}
	return out
}

// Dtype is the dtype of tensor argument i.
func (c *Ctx) Dtype(i int) tensor.Dtype { return c.mustIn(i).dtype }

// ResultShape and ResultDtype are those of result i.
func (c *Ctx) ResultShape(i int) []int        { return c.n.shapeOf(&c.n.outs()[i]) }
func (c *Ctx) ResultDtype(i int) tensor.Dtype { return c.n.outs()[i].dtype }
func (c *Ctx) Geometry() (shape, stride []int, offset int) {
	return c.Shape(0), c.n.more.stride, c.n.more.offset
}

func (c *Ctx) mustIn(i int) *meta {
	m := c.n.in(i)
	if m == nil || m.none {
		panic(fmt.Sprintf("autograd: the formula of %s asks for the shape of argument %d, which is no tensor",
			c.n.op.Full, i))
	}
	return m
}

// Needs reports whether a gradient of argument i is wanted (of a list: of any of its tensors).
func (c *Ctx) Needs(i int) bool {
	for j := range c.n.ins() {
		if int(c.n.ins()[j].slot) == i && c.needsEdge(j) {
			return true
		}
	}
	return false
}

// NeedsItem reports whether a gradient of tensor j of list i is wanted.
func (c *Ctx) NeedsItem(i, j int) bool {
	for e := range c.n.ins() {
		if int(c.n.ins()[e].slot) == i {
			if j == 0 {
				return c.needsEdge(e)
			}
			j--
		}
	}
	return false
}

func (c *Ctx) needsEdge(e int) bool {
	return c.n.next[e].Node != nil && (c.needs == nil || c.needs(e))
}
