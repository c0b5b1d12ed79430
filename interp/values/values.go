// Package values looks at what the variables of cells hold, without running
// anything: in a few words (values.go), the tensors in it and what a cell would
// write for each (tensors.go), and all tensors, so that they can be put back
// (snapshot.go).
package values

import (
	"fmt"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"gotorch/interp/check"
	"gotorch/interp/lower"
	"gotorch/interp/rt"
	"gotorch/interp/yaegi"
	"gotorch/tensor"
)

// Of is what a variable holds; invalid for what is no variable.
func Of(d *check.Def) reflect.Value {
	v := Slot(d)
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	return v
}

// IsOut reports whether a name is that of what a cell has shown: _3.
func IsOut(name string) bool {
	digits, ok := strings.CutPrefix(name, "_")
	return ok && digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Slot is the variable itself, which can be set; invalid for what is no variable.
func Slot(d *check.Def) reflect.Value {
	if d == nil || d.Kind != check.Var {
		return reflect.Value{}
	}
	sym, ok := d.Engine.(*lower.Symbol)
	if !ok || sym.Slot == nil {
		return reflect.Value{}
	}
	return reflect.ValueOf(sym.Slot).Elem()
}

// Release sets a variable to zero, so that it holds nothing alive, unless a function has captured it.
func Release(d *check.Def) {
	if sym, ok := d.Engine.(*lower.Symbol); ok && sym.Slot != nil && !sym.Captured {
		reflect.ValueOf(sym.Slot).Elem().SetZero()
	}
}

// TypeText is the type of a definition in the words of a cell.
func TypeText(d *check.Def) string {
	return types.TypeString(d.Obj.Type(), func(p *types.Package) string {
		if p == d.Obj.Pkg() {
			return ""
		}
		return p.Name()
	})
}

// Tensor is the tensor that x is.
func Tensor(x reflect.Value) (*tensor.Tensor, bool) {
	if !x.IsValid() || !x.CanInterface() {
		return nil, false
	}
	t, ok := x.Interface().(*tensor.Tensor)
	return t, ok && t != nil
}

// Summary is a definition in a few words: a variable's value, or where a function or type is from.
func Summary(d *check.Def) string {
	switch d.Kind {
	case check.Const:
		return "const " + d.Val.String()
	case check.Func:
		return check.CellName(d.Cell)
	case check.Type:
		return "type " + check.CellName(d.Cell)
	}
	v := Of(d)
	if !v.IsValid() {
		return ""
	}
	if t, ok := v.Interface().(interface {
		Shape() []int
	}); ok && !(v.Kind() == reflect.Pointer && v.IsNil()) {
		if dt, ok := v.Interface().(fmt.Stringer); ok && dt != nil {
			return strings.TrimSpace(dtypeOf(v.Interface()) + fmt.Sprint(t.Shape()))
		}
	}
	return Clip(Text(v, rt.Brief))
}

// Text is a value as text, without any method of a cell's type: it might not return.
func Text(v reflect.Value, l rt.Limits) string {
	return rt.LookText(v.Interface(), l)
}

// dtypeOf is the result of the method Dtype of a tensor, as text.
func dtypeOf(v any) string {
	m := reflect.ValueOf(v).MethodByName("Dtype")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
		return ""
	}
	return fmt.Sprint(m.Call(nil)[0].Interface())
}

// Brief is the value of a variable in a word: the shape of a tensor, the length of what has one, a number.
func Brief(d *check.Def) string {
	v := Of(d)
	if !v.IsValid() || d.Kind != check.Var {
		return ""
	}
	switch k := v.Kind(); {
	case k == reflect.Bool, v.CanInt(), v.CanUint(), v.CanFloat(), k == reflect.String && v.Len() <= 30:
		if v.Type().PkgPath() != "" {
			return ""
		}
		text := fmt.Sprint(v)
		if k == reflect.String {
			text = strconv.Quote(text)
		}
		return TypeText(d) + " = " + text
	case k == reflect.Slice, k == reflect.Map:
		return fmt.Sprintf("%s of %d", TypeText(d), v.Len())
	}
	if _, ok := v.Interface().(interface{ Shape() []int }); ok {
		return Summary(d)
	}
	return ""
}

// Changing describes a variable while a cell may be writing to it: numbers, tensors, strings and lengths.
func Changing(d *check.Def) string {
	x := Of(d)
	if !x.IsValid() {
		return ""
	}
	if t, ok := Tensor(x); ok {
		return t.Dtype().String() + fmt.Sprint(t.Shape())
	}
	switch x.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return Clip(fmt.Sprint(x))
	case reflect.String:
		if y, ok := yaegi.Stable(x); ok {
			return Clip(rt.Brief.Cut(y.String()))
		}
	case reflect.Slice, reflect.Map, reflect.Chan:
		return fmt.Sprintf("%d elements", x.Len())
	}
	return "(a cell runs)"
}

// Clip is text on one line of at most 40 characters.
func Clip(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) { // a terminal would obey it
			return ' '
		}
		return r
	}, text)
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}
