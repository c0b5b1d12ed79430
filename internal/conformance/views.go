package conformance

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"gotorch/tensor"
)

// viewCase is a chain of view operators over a tensor of the numbers from 0.
type viewCase struct {
	Shape []int `json:"shape"`
	Steps []struct {
		Method string          `json:"method"`
		Args   json.RawMessage `json:"args"`
	} `json:"steps"`
	OutShape     []int          `json:"out_shape"`
	OutStride    []int          `json:"out_stride"`
	OutOffset    int            `json:"out_offset"`
	Contiguous   bool           `json:"contiguous"`
	ChannelsLast bool           `json:"channels_last"`
	Shares       bool           `json:"shares_storage"`
	Values       []json.Number  `json:"values"`
	Error        *recordedError `json:"error"`
}

func (c *viewCase) run() error {
	n := 1
	for _, s := range c.Shape {
		n *= s
	}
	base, err := tensor.Invoke("arange", []any{n}, nil)
	if err != nil {
		return err
	}
	root := base[0].(*tensor.Tensor)
	x, err := one("view", root, c.Shape)
	if err != nil {
		return err
	}
	for _, s := range c.Steps {
		var none []*tensor.Tensor
		args, err := list(s.Args, &none)
		if err != nil {
			return err
		}
		if x, err = method(x, s.Method, args); err != nil {
			if _, isBug := err.(bug); c.Error == nil || isBug {
				return fmt.Errorf("%s: %w", s.Method, err)
			}
			return nil
		}
	}
	switch {
	case c.Error != nil:
		return fmt.Errorf("no error, want %q", c.Error.Message)
	case !slices.Equal(x.Shape(), c.OutShape):
		return fmt.Errorf("shape %v, want %v", x.Shape(), c.OutShape)
	case !slices.Equal(x.Stride(), c.OutStride):
		return fmt.Errorf("stride %v, want %v (shape %v)", x.Stride(), c.OutStride, c.OutShape)
	case x.StorageOffset() != c.OutOffset:
		return fmt.Errorf("offset %d, want %d", x.StorageOffset(), c.OutOffset)
	case x.IsContiguous() != c.Contiguous:
		return fmt.Errorf("contiguous %v, want %v", x.IsContiguous(), c.Contiguous)
	case x.IsContiguous(tensor.ChannelsLast) != c.ChannelsLast:
		return fmt.Errorf("channels_last %v, want %v", x.IsContiguous(tensor.ChannelsLast), c.ChannelsLast)
	case tensor.SharesStorage(x, root) != c.Shares:
		return fmt.Errorf("shares the storage: %v, want %v", !c.Shares, c.Shares)
	}
	i := 0
	var first error
	eachIndex(c.OutShape, func(ix []int) bool {
		if i == len(c.Values) { // the recording keeps the first 64
			return false
		}
		want, _ := c.Values[i].Float64()
		s, _ := tensor.ScalarOf(x.At(ix...))
		if math.Abs(s.Float()-want) > 0 {
			first = fmt.Errorf("element %v: %v, want %v", ix, s.Float(), want)
		}
		i++
		return first == nil
	})
	return first
}

// one calls an operator and returns its only result, or the last of several, as the recording took it.
func one(name string, args ...any) (x *tensor.Tensor, err error) {
	err = attempt(func() error {
		out, err := tensor.Invoke(name, args, nil)
		if err == nil {
			x = out[len(out)-1].(*tensor.Tensor)
		}
		return err
	})
	return x, err
}

// method calls x.name(args…). PyTorch's attribute T of any number of dimensions is a permutation.
func method(x *tensor.Tensor, name string, args []any) (*tensor.Tensor, error) {
	if name == "T" {
		dims := []int{}
		for d := x.Dim() - 1; d >= 0; d-- {
			dims = append(dims, d)
		}
		return one("permute", x, dims)
	}
	return one(name, append([]any{x}, args...)...)
}
