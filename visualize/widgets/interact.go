package widgets

import (
	"fmt"
	"reflect"

	"gotorch/visualize/display"
)

// Span is a range for a parameter of [Interact]: a slider from Min to Max. A Step of zero is 1 for ints, a hundredth
// of the range for floats.
type Span struct{ Min, Max, Step float64 }

// Between is the range from min to max.
func Between(min, max float64) Span { return Span{Min: min, Max: max} }

// By is the range with a step.
func (s Span) By(step float64) Span { s.Step = step; return s }

// Interact makes a control for each parameter of f, calls f with their values, and again whenever one of them moves.
// What f returns, prints and shows stands beneath the controls.
//
//	widgets.Interact(func(n int, scale float64) any { return visualize.Plot(Arange(n) * scale) })
//
// An int and a float64 have sliders, from 0 to 10 and from 0 to 1; a bool has a box to tick, a string a line to type
// into. What is given for a parameter says more: a [Span] is the slider's range, a value is where the control begins
// (an int n has then a slider from -n to 3n, as in ipywidgets), a []string is a list to choose from, and a widget of
// the parameter's type is used as it is. nil is the usual control. The result is a box to end a cell with.
func Interact(f any, controls ...any) *Box {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() {
		panic(fmt.Sprintf("widgets.Interact: a function is wanted, not %T", f))
	}
	t := v.Type()
	if t.IsVariadic() {
		panic("widgets.Interact: a function without ... is wanted")
	}
	if len(controls) > t.NumIn() {
		panic(fmt.Sprintf("widgets.Interact: %d controls for a function of %d; a slider's range is widgets.Between(0, 3)",
			len(controls), t.NumIn()))
	}
	names := display.CurrentHost().ParamNames("Interact")
	var list []Widget
	var read []func() reflect.Value
	area := Output()
	run := func() {
		args := make([]reflect.Value, len(read))
		for i, r := range read {
			args[i] = r()
		}
		area.Replace(func() {
			for _, out := range v.Call(args) {
				if isNil(out) {
					continue
				}
				display.Display(display.Rich(out.Interface()))
			}
		})
	}
	for i := range t.NumIn() {
		name := fmt.Sprintf("x%d", i+1)
		if t.NumIn() == 1 {
			name = "x"
		}
		if len(names) == t.NumIn() && names[i] != "" && names[i] != "_" {
			name = names[i]
		}
		var given any
		if i < len(controls) {
			given = controls[i]
		}
		w, value := control(t.In(i), name, given)
		if m := w.model_(); m.state["description"] == nil || m.state["description"] == "" {
			Describe(name)(m) // a widget of the caller's own, which has no label
		}
		w.model_().on(run)
		list, read = append(list, w), append(read, value)
	}
	box := VBox(append(list, area)...)
	run()
	return box
}

func isNil(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		return v.IsNil()
	}
	return false
}

// control makes the control of one parameter.
func control(t reflect.Type, name string, given any) (Widget, func() reflect.Value) {
	as := func(v any) reflect.Value { return reflect.ValueOf(v).Convert(t) }
	refuse := func() {
		panic(fmt.Sprintf("widgets.Interact: parameter %s is a %v, and %v (%T) makes no control for that", name,
			t, given, given))
	}
	label := Describe(name)
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w, ok := given.(*Int)
		span := Span{0, 10, 1}
		switch g := given.(type) {
		case nil, *Int:
		case Span:
			span = g
		case int:
			span.Min, span.Max = float64(min(-g, 3*g)), float64(max(-g, 3*g))
			if g == 0 {
				span.Max = 1
			}
			if t.Kind() >= reflect.Uint {
				span.Min = 0
			}
			w, ok = IntSlider(g, int(span.Min), int(span.Max), label), true
		default:
			refuse()
		}
		if !ok {
			w = IntSlider(int((span.Min+span.Max)/2), int(span.Min), int(span.Max), label, Step(max(1, span.Step)))
		}
		return w, func() reflect.Value { return as(w.Value()) }
	case reflect.Float32, reflect.Float64:
		w, ok := given.(*Float)
		span := Span{Min: 0, Max: 1}
		switch g := given.(type) {
		case nil, *Float:
		case Span:
			span = g
		case float64:
			span.Min, span.Max = min(-g, 3*g), max(-g, 3*g)
			if g == 0 {
				span.Max = 1
			}
			w, ok = FloatSlider(g, span.Min, span.Max, label), true
		case int:
			return control(t, name, float64(g))
		default:
			refuse()
		}
		if !ok {
			opts := []Option{label}
			if span.Step > 0 {
				opts = append(opts, Step(span.Step))
			}
			w = FloatSlider((span.Min+span.Max)/2, span.Min, span.Max, opts...)
		}
		return w, func() reflect.Value { return as(w.Value()) }
	case reflect.Bool:
		w, ok := given.(*Bool)
		if on, is := given.(bool); is || given == nil {
			w, ok = Checkbox(on, label), true
		}
		if !ok {
			refuse()
		}
		return w, func() reflect.Value { return as(w.Value()) }
	case reflect.String:
		switch g := given.(type) {
		case *String:
			return g, func() reflect.Value { return as(g.Value()) }
		case *Choice:
			return g, func() reflect.Value { return as(g.Value()) }
		case []string:
			w := Dropdown(g, label)
			return w, func() reflect.Value { return as(w.Value()) }
		case string, nil:
			text, _ := given.(string)
			w := Text(text, label)
			return w, func() reflect.Value { return as(w.Value()) }
		}
		refuse()
	}
	panic(fmt.Sprintf("widgets.Interact: parameter %s is a %v; controls are for ints, floats, bools and strings",
		name, t))
}
