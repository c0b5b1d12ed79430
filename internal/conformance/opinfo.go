package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// opinfoCase is one call of an operator from PyTorch's OpInfo database.
type opinfoCase struct {
	Op         string            `json:"op"`
	Variant    string            `json:"variant"`
	Seed       *uint64           `json:"seed"`
	Args       []json.RawMessage `json:"args"`
	Kwargs     fields            `json:"kwargs"`
	Out        json.RawMessage   `json:"out"`
	Cotangents []json.RawMessage `json:"cotangents"`
	Grads      []json.RawMessage `json:"grads"`
	Error      *recordedError    `json:"error"`
}

type recordedError struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Line    any    `json:"line"`
}

// Names under which OpInfo lists what is an operator of another name.
var opNames = map[string]string{
	"__getitem__": "index", "__radd__": "add", "__rmul__": "mul", "__rsub__": "rsub", "__rdiv__": "rdiv",
	"__rpow__": "rpow", "__rmod__": "rmod",
	"uniform": "uniform_", "rand_like": "randn_like", // PyTorch 1.13 lists randn_like twice
	"__rand__": "bitwise_and", "__ror__": "bitwise_or", "__rxor__": "bitwise_xor", "__rmatmul__": "rmatmul",
}

// OpInfo wraps these in a function that seeds the generator with 42 whatever the test seeded it with.
var seededByOpInfo = map[string]bool{
	"bernoulli": true, "multinomial": true, "normal": true, "rand_like": true, "randn_like": true, "randint_like": true,
	"randn": true, "uniform": true,
	"nn.functional.dropout": true, "nn.functional.dropout2d": true, "nn.functional.dropout3d": true,
	"nn.functional.feature_alpha_dropout": true,
	"nn.functional.rrelu":                 true, "nn.functional.fractional_max_pool2d": true,
	"nn.functional.fractional_max_pool3d":         true,
	"nn.functional._scaled_dot_product_attention": true, "svd_lowrank": true, "pca_lowrank": true,
}

const opinfoSeed = 42

// OpInfo calls these on a clone, so that inputs that require grad can be written to.
var onClone = map[string]bool{"zero_": true, "resize_": true, "resize_as_": true}

// The elements of these are whatever the memory held: only shape and dtype are compared.
var uninitialized = map[string]bool{"empty": true, "empty_like": true, "new_empty": true, "new_empty_strided": true}

// run replays the case; nil is a pass.
func (c *opinfoCase) run() error {
	a, err := c.perform(false, nil)
	if c.Error != nil {
		var te *tensor.Error
		switch {
		case err == nil && c.answersMore(a):
			return nil
		case err == nil:
			return fmt.Errorf("no error, want %q", c.Error.Message)
		case errors.As(err, &te):
			return nil
		}
		return err
	}
	if err != nil {
		return err
	}
	if err := sameResults(a.out, c.Out, uninitialized[c.Op]); err != nil {
		return err
	}
	return c.sameGradients(a)
}

// answersMore reports whether PyTorch 1.13 had no kernel for a half type, as later versions have, and gotorch's
// results are those of 64 bits, rounded.
func (c *opinfoCase) answersMore(a answer) bool {
	if !noHalfKernel(c.Error.Message) {
		return false
	}
	exact, err := c.perform(true, nil)
	if err != nil || len(exact.out) != len(a.out) {
		return false
	}
	for i := range a.out {
		x, ok1 := a.out[i].(*tensor.Tensor)
		y, ok2 := exact.out[i].(*tensor.Tensor)
		if !ok1 || !ok2 || sameTensor("", x, y.To(x.Dtype())) != nil {
			return false
		}
	}
	return true
}

func noHalfKernel(message string) bool {
	return strings.Contains(message, "not implemented for 'Half'") ||
		strings.Contains(message, "not implemented for 'BFloat16'")
}

// answer is what a call returned, its inputs, and their gradients in the order of the recording.
type answer struct {
	out    []any
	inputs []*tensor.Tensor
	grads  []*tensor.Tensor
}

// perform makes the call, in 64 bits if wide is set; change may write to the inputs before. It takes the gradients
// that were recorded.
func (c *opinfoCase) perform(wide bool, change func(inputs []*tensor.Tensor)) (a answer, err error) {
	var args []any
	for _, raw := range c.Args {
		v, err := value(raw, &a.inputs)
		if err != nil {
			return a, err
		}
		args = append(args, v)
	}
	kwargs := map[string]any{}
	for _, f := range c.Kwargs {
		v, err := value(f.raw, &a.inputs)
		if err != nil {
			return a, err
		}
		kwargs[f.name] = v
	}
	c.shareMemory(kwargs, a.inputs)
	if wide {
		args, kwargs, a.inputs = widenCall(args, kwargs, a.inputs)
	}
	if change != nil {
		change(a.inputs)
	}
	if c.Op == "__getitem__" && bytes.HasPrefix(c.Args[1], []byte(`{"list"`)) {
		args[1] = pythonIndex(args[1].([]any))
	}
	if c.Op == "where" && c.Variant == "random" { // a random call has PyTorch's order already
		args[0], args[1] = args[1], args[0]
	}
	if c.Op == "normal" && c.Variant == "number_mean" { // recorded with the standard deviation first
		args[0], args[1] = args[1], args[0]
	}
	if c.Seed != nil {
		tensor.ManualSeed(int(*c.Seed))
		if seededByOpInfo[c.Op] {
			tensor.ManualSeed(opinfoSeed)
		}
	}
	err = attempt(func() (err error) {
		a.out, err = call(c.Op, args, kwargs)
		settle()
		return err
	})
	if err != nil || c.Error != nil {
		return a, err
	}
	if c.Op == "linalg.lstsq" && c.Variant == "grad_oriented" { // OpInfo takes the solution alone
		a.out = a.out[:1]
	}
	if err := attempt(func() error { return align(c.Op, args, kwargs, a.out, c.Out) }); err != nil {
		return a, err
	}
	if c.Grads != nil {
		err = attempt(func() error { return c.gradients(&a) })
	}
	return a, err
}

// Note: shared memory. The vectors write every tensor with a storage of its own, so that of a call whose out was made
// of an input, recorded because PyTorch rejects it, only PyTorch's message tells that they shared memory. Only for
// those messages is out put over the first input of its dtype whose memory begins with its elements.

// shareMemory returns the result of a call that PyTorch rejected for overlapping memory its place in an input.
func (c *opinfoCase) shareMemory(kwargs map[string]any, inputs []*tensor.Tensor) {
	out, ok := kwargs["out"].(*tensor.Tensor)
	if !ok || c.Error == nil || !strings.Contains(c.Error.Message, "refer to a single memory location") {
		return
	}
	memory := func(x *tensor.Tensor) []byte {
		st := x.Storage()
		return tensor.Data[uint8](tensor.FromStorage("decode", st, []int{st.Nbytes()}, []int{1}, 0, tensor.Uint8))
	}
	for _, x := range inputs {
		if x != out && x.Dtype() == out.Dtype() && bytes.HasPrefix(memory(x), memory(out)) {
			kwargs["out"] = tensor.FromStorage("decode", x.Storage(), out.Sizes(), out.Strides(),
				out.StorageOffset(), out.Dtype())
			return
		}
	}
}

// pythonIndex reads x[list] as Python's PyTorch does: a list of numbers is one index, any other is taken for a tuple
// of indices.
func pythonIndex(list []any) []any {
	for _, e := range list {
		if _, ok := tensor.ScalarOf(e); !ok {
			return list
		}
	}
	return []any{list}
}

// field is one keyword argument; the order of the recording is kept, since gradients follow it.
type field struct {
	name string
	raw  json.RawMessage
}

type fields []field

// UnmarshalJSON reads an object in its order.
func (fs *fields) UnmarshalJSON(b []byte) error {
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		f := field{name: name.(string)}
		if err := d.Decode(&f.raw); err != nil {
			return err
		}
		*fs = append(*fs, f)
	}
	return nil
}

// call is Invoke with Python's reflected operators.
func call(op string, args []any, kwargs map[string]any) ([]any, error) {
	if strings.HasPrefix(op, "__r") {
		if _, ok := args[0].(*tensor.Tensor); !ok { // a method of tensors
			return nil, tensor.Errorf(op, "self is no tensor")
		}
	}
	if n, ok := opNames[op]; ok {
		op = n
	}
	switch op {
	case "rdiv":
		r, err := one("reciprocal", args[0])
		if err != nil {
			return nil, err
		}
		return tensor.Invoke("mul", []any{r, args[1]}, nil)
	case "rpow":
		if x, ok := args[1].(*tensor.Tensor); ok { // Python makes a new tensor of the base
			args[1] = x.Detach()
		}
		return tensor.Invoke("pow", []any{args[1], args[0]}, nil)
	case "rmod":
		return tensor.Invoke("remainder", []any{args[1], args[0]}, nil)
	// OpInfo gives the operands, or the weight, first
	case "einsum", "nn.functional.embedding", "nn.functional.embedding_bag":
		return tensor.Invoke(op, []any{args[1], args[0]}, kwargs)
	case "rmatmul":
		return tensor.Invoke("matmul", []any{args[1], args[0]}, nil)
	case "where", "polygamma", "special.polygamma": // OpInfo puts the tensor first, PyTorch the condition or the order
		if len(args) >= 2 {
			args = append([]any{args[1], args[0]}, args[2:]...)
		}
	case "lu": // Python leaves the third result out where it was not asked for
		out, err := tensor.Invoke(op, args, kwargs)
		if infos := len(args) > 2 && args[2] == true; err == nil && !infos && kwargs["get_infos"] != true {
			out = out[:2]
		}
		return out, err
	case "broadcast_shapes": // takes and gives shapes alone
		shapes := make([][]int, len(args))
		for i := range args {
			for _, n := range args[i].([]any) {
				s, _ := tensor.ScalarOf(n)
				shapes[i] = append(shapes[i], int(s.Int()))
			}
		}
		return []any{tensor.BroadcastShapes(shapes...)}, nil
	case "linalg.pinv", "svd_lowrank", "pca_lowrank": // OpInfo gives two factors of a matrix of low rank
		if len(args) == 2 {
			b, err := one("mT", args[1])
			if err != nil {
				return nil, err
			}
			a, err := one("matmul", args[0], b)
			if err != nil {
				return nil, err
			}
			args = []any{a}
		}
	case "T":
		x, err := method(args[0].(*tensor.Tensor), "T", nil)
		return []any{x}, err
	}
	if onClone[op] {
		x, err := one("clone", args[0])
		if err != nil {
			return nil, err
		}
		args = append([]any{x}, args[1:]...)
	}
	return tensor.Invoke(op, args, kwargs)
}

// flatResults lists the tensors that PyTorch gave.
func flatResults(raw json.RawMessage) ([]json.RawMessage, error) {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		return []json.RawMessage{raw}, nil // a plain value
	}
	for _, k := range []string{"tuple", "list"} {
		if l, ok := m[k]; ok {
			var items, out []json.RawMessage
			if err := json.Unmarshal(l, &items); err != nil {
				return nil, err
			}
			for _, it := range items {
				flat, err := flatResults(it)
				if err != nil {
					return nil, err
				}
				out = append(out, flat...)
			}
			return out, nil
		}
	}
	return []json.RawMessage{raw}, nil
}

func sameResults(got []any, raw json.RawMessage, shapeAlone bool) error {
	want, err := flatResults(raw)
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d results, want %d", len(got), len(want))
	}
	for i, w := range want {
		what := "out"
		if len(want) > 1 {
			what = fmt.Sprintf("out %d", i)
		}
		var m struct{ Tensor *encoded }
		if json.Unmarshal(w, &m) == nil && m.Tensor != nil {
			x, ok := got[i].(*tensor.Tensor)
			if !ok {
				return fmt.Errorf("%s: %v, want a tensor", what, got[i])
			}
			if shapeAlone {
				if x.Dtype().String() != m.Tensor.Dtype || !slices.Equal(x.Shape(), m.Tensor.Shape) {
					return fmt.Errorf("%s: %s of shape %v, want %s of %v", what, x.Dtype(), x.Shape(), m.Tensor.Dtype, m.Tensor.Shape)
				}
				continue
			}
			if err := same(what, x, m.Tensor); err != nil {
				return err
			}
			continue
		}
		var none []*tensor.Tensor
		v, err := value(w, &none)
		if err != nil {
			return err
		}
		if fmt.Sprint(v) != fmt.Sprint(got[i]) {
			return fmt.Errorf("%s: %v, want %v", what, got[i], v)
		}
	}
	return nil
}

// gradients takes the vector-Jacobian product of the recorded cotangents.
func (c *opinfoCase) gradients(a *answer) error {
	var ys, gs, xs []*tensor.Tensor
	for _, o := range a.out {
		if y, ok := o.(*tensor.Tensor); ok && y.RequiresGrad() && len(gs) < len(c.Cotangents) {
			g, err := logicalOf(c.Cotangents[len(gs)])
			if err != nil {
				return err
			}
			ys, gs = append(ys, y), append(gs, g.To(y.Device(), y.Dtype()))
		}
	}
	if len(gs) != len(c.Cotangents) {
		return fmt.Errorf("%d results require grad, want %d", len(gs), len(c.Cotangents))
	}
	for _, x := range a.inputs {
		if x.RequiresGrad() && x.IsLeaf() {
			xs = append(xs, x)
		}
	}
	if len(xs) != len(c.Grads) {
		return fmt.Errorf("%d inputs require grad, want %d", len(xs), len(c.Grads))
	}
	a.grads = autograd.Grad(ys, xs, opt.GradOutputs(gs...), opt.AllowUnused(true))
	return nil
}

// logicalOf decodes a recorded tensor; nil for none.
func logicalOf(raw json.RawMessage) (*tensor.Tensor, error) {
	var m struct{ Tensor *encoded }
	if err := json.Unmarshal(raw, &m); err != nil || m.Tensor == nil {
		return nil, err
	}
	return m.Tensor.logical()
}

// sameGradients compares gradients with the recorded ones.
func (c *opinfoCase) sameGradients(a answer) error {
	for i, raw := range c.Grads {
		want, err := logicalOf(raw)
		if err != nil {
			return err
		}
		what := fmt.Sprintf("grad %d", i)
		if want == nil {
			if a.grads[i] != nil && a.grads[i].CountNonzero().Item() != 0 {
				return fmt.Errorf("%s: a gradient, want none", what)
			}
			continue
		}
		if err := sameTensor(what, a.grads[i], want); err != nil {
			return err
		}
	}
	return nil
}
