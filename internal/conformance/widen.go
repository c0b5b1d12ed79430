package conformance

import "gotorch/tensor"

// A call can be replayed in 64 bits, to tell a recording's rounding from a fault.

var narrower = map[tensor.Dtype]tensor.Dtype{tensor.Float64: tensor.Float32, tensor.Complex128: tensor.Complex64}

// widenCall gives the arguments of a call with tensors of 64 bits, and those of them that were among inputs.
func widenCall(args []any, kwargs map[string]any, inputs []*tensor.Tensor) ([]any, map[string]any, []*tensor.Tensor) {
	by := map[*tensor.Tensor]*tensor.Tensor{}
	wide := make([]*tensor.Tensor, len(inputs))
	for i, x := range inputs {
		wide[i] = widened(x).Clone()
		if x.RequiresGrad() {
			wide[i].RequiresGrad_()
		}
		by[x] = wide[i]
	}
	named := map[string]any{}
	for name, v := range kwargs {
		named[name] = replaced(v, by)
	}
	return replaced(args, by).([]any), named, wide
}

// narrow rounds results to 32 bits.
func narrow(out []any) {
	for i, v := range out {
		if x, ok := v.(*tensor.Tensor); ok && narrower[x.Dtype()] != tensor.NoDtype {
			out[i] = x.To(narrower[x.Dtype()])
		}
	}
}

// widened gives a tensor of 32-bit numbers as one of 64, others as they are.
func widened(x *tensor.Tensor) *tensor.Tensor {
	switch x.Dtype() {
	case tensor.Float32:
		return x.Detach().Double()
	case tensor.Complex64:
		return x.Detach().Cdouble()
	}
	return x.Detach()
}

// replaced puts other tensors into arguments; those that are not to be replaced are widened.
func replaced(v any, by map[*tensor.Tensor]*tensor.Tensor) any {
	switch v := v.(type) {
	case *tensor.Tensor:
		if y := by[v]; y != nil {
			return y
		}
		return widened(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = replaced(v[i], by)
		}
		return out
	case []*tensor.Tensor:
		out := make([]*tensor.Tensor, len(v))
		for i := range v {
			out[i] = replaced(v[i], by).(*tensor.Tensor)
		}
		return out
	}
	return v
}
