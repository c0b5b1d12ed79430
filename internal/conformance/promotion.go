package conformance

import (
	"encoding/json"
	"errors"
	"fmt"

	"gotorch/tensor"
)

// promotionCase is the dtype of a pair of operands, of a tensor and a number, or of an operator's result.
type promotionCase struct {
	A      []json.RawMessage `json:"a"`
	B      []json.RawMessage `json:"b"`
	Op     string            `json:"op"`
	Scalar string            `json:"scalar"`
	Out    string            `json:"out"`
	Error  *recordedError    `json:"error"`
}

// ones makes the operand that ["int8", [2]] describes.
func operand(raw []json.RawMessage) (*tensor.Tensor, error) {
	var dtype string
	var shape []int
	if err := json.Unmarshal(raw[0], &dtype); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw[1], &shape); err != nil {
		return nil, err
	}
	dt, ok := tensor.ParseDtype(dtype)
	if !ok {
		return nil, fmt.Errorf("dtype %s", dtype)
	}
	out, err := tensor.Invoke("ones", []any{shape}, map[string]any{"dtype": dt})
	if err != nil {
		return nil, err
	}
	return out[0].(*tensor.Tensor), nil
}

var scalars = map[string]any{"bool": true, "int": 1, "float": 1.5, "complex": 1i}

// operands are the arguments of an operator of the recording: a for every tensor that it needs, 0 for a dimension.
func operands(op string, a *tensor.Tensor) []any {
	args := []any{a}
	o := tensor.Lookup(op)
	if o == nil {
		o = tensor.Lookup("nn.functional." + op)
	}
	if o == nil {
		return args
	}
	for _, p := range o.Params[1:] {
		switch {
		case p.KwOnly || p.HasDef && p.Name != "dim":
			return args
		case p.Is("Tensor"):
			args = append(args, a)
		case p.Is("int"), p.IsList("int"):
			args = append(args, 0)
		case p.Is("Scalar"), p.Is("float"):
			args = append(args, 1)
		default:
			return args
		}
	}
	return args
}

func (c *promotionCase) run() error {
	a, err := operand(c.A)
	if err != nil {
		return err
	}
	var got tensor.Dtype
	err = attempt(func() error {
		defer settle()
		switch {
		case c.Op != "":
			out, err := tensor.Invoke(c.Op, operands(c.Op, a), nil)
			if err == nil {
				got = out[0].(*tensor.Tensor).Dtype()
			}
			return err
		case c.Scalar != "":
			got = tensor.ResultType(a, scalars[c.Scalar])
		default:
			b, err := operand(c.B)
			if err != nil {
				return err
			}
			got = tensor.ResultType(a, b)
			out, err := tensor.Invoke("add", []any{a, b}, nil)
			if err != nil {
				return err
			}
			if dt := out[0].(*tensor.Tensor).Dtype(); dt != got {
				return fmt.Errorf("add gives %s, ResultType %s", dt, got)
			}
		}
		return nil
	})
	what := fmt.Sprintf("%s %s%s", c.Op, c.A, c.B)
	if c.Error != nil {
		var te *tensor.Error
		if errors.As(err, &te) {
			return nil
		}
		if err == nil && c.answersMore(a) {
			return nil
		}
		return fmt.Errorf("%s: no error (%v), want %q", what, err, c.Error.Message)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if got.String() != c.Out {
		return fmt.Errorf("%s: %s, want %s", what, got, c.Out)
	}
	return nil
}

// answersMore reports whether PyTorch 1.13 had no kernel for a half type, as later versions have, and gotorch's answer
// is that of float32, rounded.
func (c *promotionCase) answersMore(a *tensor.Tensor) bool {
	dt := a.Dtype()
	if !noHalfKernel(c.Error.Message) || dt != tensor.Float16 && dt != tensor.Bfloat16 {
		return false
	}
	got, err := one(c.Op, operands(c.Op, a)...)
	if err != nil {
		return false
	}
	want, err := one(c.Op, operands(c.Op, a.Float())...)
	return err == nil && got.Dtype() == a.Dtype() && sameTensor("", got, want.To(a.Dtype())) == nil
}
