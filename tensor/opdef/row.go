// Package opdef is the operator table: one row an operator, with PyTorch's own signature.
//
// The rows are plain Go, so that the generator (which writes methods, functions and options from them) and the running
// program read the same text and cannot drift apart. The package imports nothing of gotorch.
package opdef

//go:generate go run gotorch/internal/reference ../../docs/operators.md

// A Row states one operator.
type Row struct {
	// Schema is the signature in PyTorch's grammar, with PyTorch's Python names, order and defaults:
	//
	//	add(Tensor|Scalar self, Tensor|Scalar other, *, Scalar alpha=1) -> Tensor
	//
	// See [Parse] for the grammar.
	Schema string
	// Tags say what kind of operator it is and which forms it has.
	Tags Tag
	// Doc is the first sentence of the documentation. It begins with the Go name. A second line is a call as it is typed
	// in a cell: the example that help shows where it can make none from the parameters.
	Doc string
}

// Tag is a set of properties of an operator.
type Tag uint32

// The shape class: what the shape of the result follows from. A row has exactly one of these.
const (
	// Pointwise operators broadcast their tensor arguments and work element by element.
	Pointwise Tag = 1 << iota
	// Reduction operators take dimensions away (dim, keepdim).
	Reduction
	// View operators give another look at the storage of their first argument.
	View
	// Fixed operators have a shape rule of their own.
	Fixed
	// Factory operators make a tensor from no tensor; they take dtype, device, layout, requires_grad.
	Factory
	// Dynamic operators have results whose shape depends on values; the meta device has none.
	Dynamic
	// Composite operators are other operators in a row: a body, neither kernel nor formula.
	Composite
)

// The forms that an operator has beside the plain one.
const (
	// InPlace: also the method with a trailing underscore, which writes into its receiver.
	InPlace Tag = 1 << (iota + 8)
	// Out: also with opt.Out(t), which writes into t.
	Out
	// FunctionOnly: PyTorch has no method of this name.
	FunctionOnly
	// MethodOnly: PyTorch has no function of this name. FunctionOnly | MethodOnly is a row that can be called by its name
	// alone (Invoke, composite bodies): neither a function nor a method is generated.
	MethodOnly
	// Variadic: the trailing Tensor[] is written as several arguments in Go.
	Variadic
)

// What follows from the class and needs saying.
const (
	// FloatResult: integers and bools are computed in the default floating point dtype.
	FloatResult Tag = 1 << (iota + 16)
	// BoolResult: the result is bool whatever the arguments are.
	BoolResult
	// Random: draws from a generator.
	Random
	// NoGrad: the results never require grad (comparisons, argmax, …).
	NoGrad
	// Zeroed: kernels receive results of zeros, and need not write all of them. Others receive any memory.
	Zeroed
	// CrossDevice: the tensors may be on different devices; the kernel of the first one's carries elements over.
	CrossDevice
	// Idempotent: to write an element twice is as good as once, so that the written tensor may overlap itself.
	Idempotent
	// NoHistory: a view whose gradient never flows back into what it looks into.
	NoHistory
	// Resizes: a write that gives its first argument another shape, which no gradient can follow.
	Resizes
)

// Class returns the shape class alone.
func (t Tag) Class() Tag { return t & (Composite<<1 - 1) }

// Has reports whether t has all of u.
func (t Tag) Has(u Tag) bool { return t&u == u }

// Table returns all rows, family by family, in a fixed order.
func Table() []Row {
	var out []Row
	for _, f := range Families {
		out = append(out, f.Rows...)
	}
	return out
}

// Signatures returns all rows parsed, in the order of [Table]. They are generated, so that no program parses them at
// its start. Nobody writes to them.
func Signatures() []Sig { return signatures[:] }
