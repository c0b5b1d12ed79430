package tensor

import (
	"fmt"
	"math"
	"reflect"
	"strings"

	"gotorch/tensor/opdef"
)

// valueKind says what a slot of a call holds.
type valueKind uint8

const (
	unset       valueKind = iota // the schema's default holds
	noneValue                    // None was given
	tensorValue                  // t
	numberValue                  // s
	boolValue                    // s
	intValue                     // s
	floatValue                   // s
	// x: []int, []float64, []bool, []Scalar, []*Tensor, []any, string, Dtype, Device, Layout, MemoryFormat, *Generator
	otherValue
)

// value is one argument of a call, in the slot of its parameter.
type value struct {
	kind valueKind
	t    *Tensor
	s    Scalar
	x    any
}

// any returns the argument as a Go value, as tools show it.
func (v *value) any() any {
	switch v.kind {
	case tensorValue:
		return v.t
	case numberValue, boolValue, intValue, floatValue:
		return v.s.Any()
	case otherValue:
		return v.x
	}
	return nil
}

// convert reads a Go value for the parameter p; ok is false where p takes no such thing.
func convert(p *opdef.Param, v any) (out value, ok bool) {
	if v == nil {
		return value{kind: noneValue}, p.Optional
	}
	if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
		return value{kind: noneValue}, p.Optional
	}
	for i := range p.Types {
		if out, ok = convertTo(&p.Types[i], v); ok {
			return out, true
		}
	}
	return value{}, false
}

func convertTo(t *opdef.Type, v any) (value, bool) {
	if t.List {
		return convertList(t, v)
	}
	other := func(ok bool) (value, bool) { return value{kind: otherValue, x: v}, ok }
	switch t.Base {
	case "Tensor":
		x, ok := v.(*Tensor)
		return value{kind: tensorValue, t: x}, ok
	case "Scalar":
		s, ok := ScalarOf(v)
		if x, isTensor := v.(*Tensor); !ok && isTensor && x.numel == 1 && len(x.shape) == 0 && x.st.data != nil {
			s, ok = x.scalar(), true
		}
		return value{kind: numberValue, s: s}, ok
	case "int":
		s, ok := ScalarOf(v)
		return value{kind: intValue, s: s}, ok && s.IsInt()
	case "float":
		s, ok := ScalarOf(v)
		return value{kind: floatValue, s: FloatScalar(s.Float())}, ok && (s.IsFloat() || s.IsInt())
	case "bool":
		s, ok := ScalarOf(v)
		return value{kind: boolValue, s: s}, ok && s.IsBool()
	case "str":
		_, ok := v.(string)
		return other(ok)
	case "ScalarType":
		_, ok := v.(Dtype)
		return other(ok)
	case "Device":
		if name, isText := v.(string); isText {
			if d, ok := namedDevice(name); ok {
				v = d
			}
		}
		_, ok := v.(Device)
		return other(ok)
	case "Layout":
		_, ok := v.(Layout)
		return other(ok)
	case "MemoryFormat":
		_, ok := v.(MemoryFormat)
		return other(ok)
	case "Generator":
		_, ok := v.(*Generator)
		return other(ok)
	case "Index":
		return other(true)
	}
	return value{}, false
}

// NoInt stands in a list of ints for one that was left out, where the schema says int?[].
//
//gotorch:internal
const NoInt = math.MinInt

func convertList(t *opdef.Type, v any) (value, bool) {
	var x any
	switch t.Base {
	case "int":
		switch v := v.(type) {
		case []int:
			x = v
		case []int64:
			l := make([]int, len(v))
			for i := range v {
				l[i] = int(v[i])
			}
			x = l
		case []any:
			l := make([]int, len(v))
			for i := range v {
				s, ok := ScalarOf(v[i])
				switch {
				case ok && s.IsInt():
					l[i] = int(s.Int())
				case v[i] == nil && t.Gaps:
					l[i] = NoInt
				default:
					return value{}, false
				}
			}
			x = l
		default: // an int stands for a list of one
			s, ok := ScalarOf(v)
			if !ok || !s.IsInt() {
				return value{}, false
			}
			x = []int{int(s.Int())}
		}
	case "Tensor":
		switch v := v.(type) {
		case []*Tensor:
			x = v
		case []any:
			l := make([]*Tensor, len(v))
			for i := range v {
				t, ok := v[i].(*Tensor)
				if !ok {
					return value{}, false
				}
				l[i] = t
			}
			x = l
		case *Tensor:
			x = []*Tensor{v}
		default:
			return value{}, false
		}
	case "Index":
		switch v := v.(type) {
		case []any:
			x = v
		case []int, []*Tensor, []bool:
			x = []any{v}
		default:
			x = []any{v}
		}
	default: // Scalar, float, bool
		r := reflect.ValueOf(v)
		if r.Kind() != reflect.Slice {
			s, ok := ScalarOf(v)
			if !ok || t.Base != "Scalar" && t.N == 0 {
				return value{}, false
			}
			x = []Scalar{s}
			break
		}
		l := make([]Scalar, r.Len())
		for i := range l {
			s, ok := ScalarOf(r.Index(i).Interface())
			if !ok {
				return value{}, false
			}
			l[i] = s
		}
		x = l
	}
	return value{kind: otherValue, x: x}, true
}

// wants describes what a parameter takes, for messages.
func wants(p *opdef.Param) string {
	names := map[string]string{"Tensor": "a tensor", "Scalar": "a number", "int": "an int", "float": "a float64",
		"bool": "a bool",
		"str":  "a string", "ScalarType": "a dtype", "Device": "a device", "Layout": "a layout",
		"MemoryFormat": "a memory format",
		"Generator":    "a generator", "Index": "an index"}
	plurals := map[string]string{"Tensor": "tensors", "Scalar": "numbers", "int": "ints", "float": "numbers",
		"bool": "bools", "Index": "indices"}
	var alts []string
	for _, t := range p.Types {
		if t.List {
			alts = append(alts, "a list of "+plurals[t.Base])
		} else {
			alts = append(alts, names[t.Base])
		}
	}
	if p.Optional {
		alts = append(alts, "nil")
	}
	return strings.Join(alts, " or ")
}

// describe says what a Go value is, for messages.
func describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "nil"
	case *Tensor:
		if v == nil {
			return "a nil tensor"
		}
		return fmt.Sprintf("a %s tensor of shape %v", v.dtype, v.shape)
	case string:
		return fmt.Sprintf("the string %q", v)
	case Option:
		return "an option: a function of any number of numbers takes options before it, " +
			"as in tensor.With(opt.Dtype(tensor.Float64)).Arange(4)"
	case []any:
		for _, e := range v {
			if _, isList := e.([]any); isList { // which may be nested without an end
				return "a list with a list"
			}
			if _, ok := ScalarOf(e); !ok {
				return "a list with " + describe(e)
			}
		}
	}
	if s, ok := ScalarOf(v); ok {
		return fmt.Sprintf("the %T %v", v, s.Any())
	}
	return fmt.Sprintf("a %T", v)
}

// parseDefault reads the default of a schema.
func parseDefault(p *opdef.Param) (value, error) {
	d := p.Default
	switch {
	case !p.HasDef:
		return value{kind: noneValue}, nil
	case d == "None":
		return value{kind: noneValue}, nil
	case d == "True" || d == "False":
		return value{kind: boolValue, s: boolScalar(d == "True")}, nil
	case strings.HasPrefix(d, `"`):
		return value{kind: otherValue, x: strings.Trim(d, `"`)}, nil
	case strings.HasPrefix(d, "["):
		out, ok := convert(p, ints(d))
		if !ok {
			return value{}, fmt.Errorf("default %s of %s", d, p.Name)
		}
		return out, nil
	}
	if dt, ok := ParseDtype(strings.TrimPrefix(d, "torch.")); ok {
		return value{kind: otherValue, x: dt}, nil
	}
	for f := ContiguousFormat; f <= ChannelsLast3d; f++ {
		if f.String() == strings.TrimPrefix(d, "torch.") {
			return value{kind: otherValue, x: f}, nil
		}
	}
	var i int
	var f float64
	if n, _ := fmt.Sscanf(d+" ", "%d ", &i); n == 1 && itoa(i) == d {
		if out, ok := convert(p, i); ok {
			return out, nil
		}
	}
	if n, _ := fmt.Sscanf(d, "%g", &f); n == 1 {
		if out, ok := convert(p, f); ok {
			return out, nil
		}
	}
	return value{}, fmt.Errorf("default %s of %s", d, p.Name)
}

func ints(s string) []int {
	out := []int{}
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("[], ", r) }) {
		var i int
		fmt.Sscan(f, &i)
		out = append(out, i)
	}
	return out
}
