package nn

import (
	"reflect"

	"gotorch/tensor"
)

// clone copies a module of host code with its tensors. Tensors that stand at two places do so in the copy.
func clone[M any](m M) M {
	c := cloner{map[*tensor.Tensor]*tensor.Tensor{}}
	return c.value(reflect.ValueOf(m)).Interface().(M)
}

type cloner struct {
	made map[*tensor.Tensor]*tensor.Tensor
}

func (c cloner) tensor(x *tensor.Tensor) *tensor.Tensor {
	if x == nil {
		return nil
	}
	if c.made[x] == nil {
		y := x.Detach().Clone()
		if x.RequiresGrad() {
			y.RequiresGrad_()
		}
		c.made[x] = y
	}
	return c.made[x]
}

func (c cloner) value(v reflect.Value) reflect.Value {
	if !mayHold(v.Type()) {
		return v
	}
	switch v.Type() {
	case tensorType:
		return reflect.ValueOf(c.tensor(v.Interface().(*tensor.Tensor)))
	case bufferType:
		return reflect.ValueOf(Buffer{c.tensor(v.Interface().(Buffer).Tensor)})
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && v.Kind() == reflect.Interface {
			out.Set(c.value(v.Elem()))
		} else if !v.IsNil() {
			p := reflect.New(v.Type().Elem())
			p.Elem().Set(c.value(v.Elem()))
			out.Set(p)
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(c.value(v.Index(i)))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			out.Index(i).Set(c.value(v.Index(i)))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(c.value(v.Field(i)))
			}
		}
	}
	return out
}
