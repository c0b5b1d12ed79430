package nn

import (
	"slices"

	"gotorch/tensor"
)

// Bias is the keyword bias of layers: whether they have one. The default is true. Other keywords are options of
// package opt, where Bias is a tensor.
func Bias(bias bool) tensor.Option { return tensor.NewOption("bias", bias) }

// keywords reads the options of a constructor.
type keywords struct {
	op string
	m  map[string]any
}

var factoryKeywords = []string{"dtype", "device"}

func read(op string, opts []tensor.Option, known ...string) keywords {
	return keywords{op, tensor.Keywords(op, opts, append(slices.Clone(known), factoryKeywords...)...)}
}

func (k keywords) bad(name, want string, v any) {
	panic(tensor.Errorf(k.op, "argument %s must be %s, not %v", name, want, v))
}

func (k keywords) bool(name string, def bool) bool {
	switch v := k.m[name].(type) {
	case nil:
		return def
	case bool:
		return v
	default:
		k.bad(name, "true or false", v)
	}
	return def
}

func (k keywords) float(name string, def float64) float64 {
	v, given := k.m[name]
	if !given || v == nil {
		return def
	}
	s, ok := tensor.ScalarOf(v)
	if !ok {
		k.bad(name, "a number", v)
	}
	return s.Float()
}

func (k keywords) int(name string, def int) int {
	v, given := k.m[name]
	if !given || v == nil {
		return def
	}
	n, ok := v.(int)
	if !ok {
		k.bad(name, "an int", v)
	}
	return n
}

func (k keywords) string(name, def string) string {
	v, given := k.m[name]
	if !given {
		return def
	}
	s, ok := v.(string)
	if !ok {
		k.bad(name, "a string", v)
	}
	return s
}

// ints reads n ints, or one for all of them.
func (k keywords) ints(name string, n, def int) []int {
	v, given := k.m[name]
	if !given {
		v = def
	}
	return intsOf(k.op, name, v, n)
}

func intsOf(op, name string, v any, n int) []int {
	switch v := v.(type) {
	case int:
		return slices.Repeat([]int{v}, n)
	case []int:
		if len(v) == 1 {
			return slices.Repeat(v, n)
		}
		if len(v) == n {
			return slices.Clone(v)
		}
		panic(tensor.Errorf(op, "argument %s has %d sizes, want 1 or %d", name, len(v), n))
	}
	panic(tensor.Errorf(op, "argument %s must be an int or %d of them, not %v", name, n, v))
}

// empty makes a parameter that has yet to be filled.
func (k keywords) empty(shape ...int) *tensor.Tensor {
	for _, n := range shape {
		if n < 0 {
			panic(tensor.Errorf(k.op, "sizes must not be negative, got %v", shape))
		}
	}
	var opts []tensor.Option
	for _, name := range factoryKeywords {
		if o, ok := k.m[name].(tensor.Option); ok {
			opts = append(opts, o)
		}
	}
	return tensor.With(opts...).Empty(shape...)
}

// trained makes a parameter, filled by fill, that requires grad.
func (k keywords) trained(fill func(*tensor.Tensor), shape ...int) *tensor.Tensor {
	tensor.Interrupted(k.op)
	x := k.empty(shape...)
	if fill != nil {
		fill(x)
	}
	return x.RequiresGrad_()
}

func positive(op, name string, n int) {
	if n <= 0 {
		panic(tensor.Errorf(op, "%s must be positive, got %d", name, n))
	}
}
