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

// binaryOperators of the recording take their operand twice.
var binaryOperators = map[string]bool{"add": true, "sub": true, "floor_divide": true, "pow": true, "bitwise_and": true}

func (c *promotionCase) run() error {
	a, err := operand(c.A)
	if err != nil {
		return err
	}
	var got tensor.Dtype
	err = attempt(func() error {
		switch {
		case c.Op != "":
			args := []any{a}
			if binaryOperators[c.Op] {
				args = append(args, a)
			}
			if c.Op == "softmax" {
				args = append(args, 0)
			}
			out, err := tensor.Invoke(c.Op, args, nil)
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
