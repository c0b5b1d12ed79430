package tensor

import "strings"

// Note: blame. What a composite calls finds what is wrong with arguments that the user gave to the composite. The
// error leaves through the frames of all that was called, the outermost last; each puts its own name in, so that the
// operator that the user called stands in front. A body that a user wrote (Define) is the user's code: there the
// operator that it calls is named.

// blamed runs f, which calls other operators for c. Their errors are said of c's operator.
func (c *Call) blamed(f func()) {
	if c.Op.defined { // it may call itself to any depth, where passing an error on costs at every level
		f()
		return
	}
	ended, variant := false, c.Variant
	defer func() {
		if ended {
			return
		}
		r := recover()
		if e, ok := r.(*Error); ok {
			c.Variant = variant // a body runs as the functional form
			c.blame(e)
		}
		if r != nil {
			panic(r)
		}
	}()
	f()
	ended = true
}

// blame makes e an error of c's operator, with the name that the argument has there.
func (c *Call) blame(e *Error) {
	if e.late {
		return
	}
	e.Op = c.Name()
	if e.Arg == "" || e.Arg == "out" || c.Op.Param(e.Arg) >= 0 {
		return
	}
	of := argumentOf[e.Arg]
	e.Arg = ""
	for _, name := range strings.Fields(of) {
		if c.Op.Param(name) >= 0 {
			e.Arg = name
			return
		}
	}
}

// argumentOf are the names under which composites have what the operators that they call have as the key: PyTorch
// names the first tensor, the second and the number of a dimension in several ways.
var argumentOf = map[string]string{
	"self": firstTensor, "input": firstTensor, "mat1": firstTensor, "batch1": firstTensor, "x": firstTensor,
	"A": firstTensor, "a": firstTensor, "tensor": firstTensor,
	"other": secondTensor, "mat2": secondTensor, "vec": secondTensor, "vec2": secondTensor, "batch2": secondTensor,
	"B": secondTensor, "b": secondTensor, "src": "values value source",
	"dim": "dims axis source start_dim", "dims": "dim axis", "matrix 0": "matrices tensors",
	"size": "shape output_size sizes", "shape": "size sizes",
	"index": "indices indices_or_sections", "p": "ord",
}

const (
	firstTensor  = "self input x x1 a A query tensors matrices operands"
	secondTensor = "other b B x2 mat2 vec2 weight vec"
)
