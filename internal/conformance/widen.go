package conformance

import "gotorch/tensor"

// A call can be replayed in 64 bits, to tell a recording's rounding from a fault.

var wider = map[tensor.Dtype]tensor.Dtype{
	tensor.Float16: tensor.Float64, tensor.Bfloat16: tensor.Float64, tensor.Float32: tensor.Float64,
	tensor.Complex64: tensor.Complex128,
}

// widenCall returns the arguments of a call with tensors of 64 bits, and those of them that were among inputs.
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

// widened returns a tensor of fewer bits as one of 64, others as they are.
func widened(x *tensor.Tensor) *tensor.Tensor {
	if dt, ok := wider[x.Dtype()]; ok {
		return x.Detach().To(dt)
	}
	return x.Detach()
}

// replaced puts other tensors into arguments; those that are not to be replaced, and dtypes, are widened.
func replaced(v any, by map[*tensor.Tensor]*tensor.Tensor) any {
	switch v := v.(type) {
	case *tensor.Tensor:
		if y := by[v]; y != nil {
			return y
		}
		return widened(v)
	case tensor.Dtype:
		if dt, ok := wider[v]; ok {
			return dt
		}
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
