package widgets

import (
	"encoding/json"
	"fmt"
	"math"
)

// Widget is any of the widgets of this package.
type Widget interface {
	// ID is the name by which front ends know the widget.
	ID() string
	// Close takes it away from the front ends; the value stays.
	Close()
	// MIMEBundle is the widget in all forms, by MIME type.
	MIMEBundle() map[string]any

	model_() *model
}

func (m *model) model_() *model { return m }

// Option changes how a widget looks or behaves.
type Option func(*model)

// Describe writes a few words in front of the widget.
func Describe(text string) Option { return with("description", text) }

// Step is the distance between two positions of a slider.
func Step(step float64) Option {
	return func(m *model) {
		if _, ok := m.state["value"].(int); ok {
			m.state["step"] = max(1, int(step))
			return
		}
		m.state["step"] = step
	}
}

// Disabled shows a control that cannot be moved.
func Disabled() Option { return with("disabled", true) }

// AtEnd lets a slider tell its value when it is let go, not while it moves.
func AtEnd() Option { return with("continuous_update", false) }

// Width is how wide the widget is, as CSS says it: "300px", "50%", "auto".
func Width(css string) Option {
	return func(m *model) { m.layout = newModel(layoutKind, map[string]any{"width": css}) }
}

func with(name string, v any) Option { return func(m *model) { m.state[name] = v } }

// Int is a widget whose value is an int: [IntSlider], [IntProgress].
type Int struct{ *model }

// IntSlider is a slider from min to max, both included, that stands at value.
func IntSlider(value, min, max int, opts ...Option) *Int {
	return newInt(intSlider, value, min, max, opts)
}

// IntProgress is a bar that is filled from min up to value of max.
func IntProgress(value, min, max int, opts ...Option) *Int {
	return newInt(intProgress, value, min, max, opts)
}

func newInt(k *kind, value, lo, hi int, opts []Option) *Int {
	if lo > hi {
		panic(fmt.Sprintf("widgets: the range of a slider must not be empty, and %d is more than %d", lo, hi))
	}
	w := &Int{start(k, map[string]any{"value": min(max(value, lo), hi), "min": lo, "max": hi}, opts)}
	w.accept = func(_ string, raw json.RawMessage) (any, bool) {
		var v float64
		if json.Unmarshal(raw, &v) != nil {
			return nil, false
		}
		return w.within(int(math.Round(min(max(v, -1<<53), 1<<53)))), true
	}
	return w
}

// within brings a value into the range. The lock is held by nobody.
func (w *Int) within(v int) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return min(max(v, w.state["min"].(int)), w.state["max"].(int))
}

// Value is where it stands.
func (w *Int) Value() int { return w.get("value").(int) }

// Set moves it to v, or to the end of the range that is nearer.
func (w *Int) Set(v int) { w.set(map[string]any{"value": w.within(v)}) }

// SetRange changes the ends of the range; the value stays within.
func (w *Int) SetRange(min, max int) { w.Place(w.Value(), min, max) }

// Place changes the value and the ends of the range at once.
func (w *Int) Place(value, lo, hi int) {
	if lo > hi {
		panic(fmt.Sprintf("widgets: the range of a slider must not be empty, and %d is more than %d", lo, hi))
	}
	w.set(map[string]any{"min": lo, "max": hi, "value": min(max(value, lo), hi)})
}

// OnChange calls f with the value whenever it is another.
func (w *Int) OnChange(f func(int)) *Int { w.on(func() { f(w.Value()) }); return w }

// Float is a widget whose value is a float64: [FloatSlider].
type Float struct{ *model }

// FloatSlider is a slider from min to max that stands at value and moves in steps of a hundredth of the range, or of
// what
// [Step] says.
func FloatSlider(value, min, max float64, opts ...Option) *Float {
	if !(min <= max) || math.IsInf(max-min, 0) {
		panic(fmt.Sprintf("widgets: the range of a slider must be finite and not empty, not %v to %v", min, max))
	}
	w := &Float{}
	w.model = start(floatSlider, map[string]any{"value": clamp(value, min, max), "min": min, "max": max,
		"step": stepOf(max - min)}, opts)
	w.accept = func(_ string, raw json.RawMessage) (any, bool) {
		var v float64
		if json.Unmarshal(raw, &v) != nil {
			return nil, false
		}
		return w.within(v), true
	}
	return w
}

// stepOf is a hundredth of a range, or somewhat less: 1, 2 or 5 times a power of ten.
func stepOf(span float64) float64 {
	if span == 0 {
		return 0.1
	}
	power := math.Pow(10, math.Floor(math.Log10(span/100)))
	for _, s := range []float64{5, 2} {
		if s*power <= span/100 {
			return s * power
		}
	}
	return power
}

func clamp(v, lo, hi float64) float64 {
	if math.IsNaN(v) {
		return lo
	}
	return min(max(v, lo), hi)
}

func (w *Float) within(v float64) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return clamp(v, w.state["min"].(float64), w.state["max"].(float64))
}

// Value is where it stands.
func (w *Float) Value() float64 { return w.get("value").(float64) }

// Set moves it to v, or to the end of the range that is nearer.
func (w *Float) Set(v float64) { w.set(map[string]any{"value": w.within(v)}) }

// OnChange calls f with the value whenever it is another.
func (w *Float) OnChange(f func(float64)) *Float { w.on(func() { f(w.Value()) }); return w }

// Bool is a widget whose value is a bool: [Checkbox].
type Bool struct{ *model }

// Checkbox is a box to tick.
func Checkbox(value bool, opts ...Option) *Bool {
	w := &Bool{start(checkbox, map[string]any{"value": value}, opts)}
	w.accept = func(_ string, raw json.RawMessage) (any, bool) {
		var v bool
		err := json.Unmarshal(raw, &v)
		return v, err == nil
	}
	return w
}

// Value reports whether it is ticked.
func (w *Bool) Value() bool { return w.get("value").(bool) }

// Set ticks it or not.
func (w *Bool) Set(v bool) { w.set(map[string]any{"value": v}) }

// OnChange calls f with the value whenever it is another.
func (w *Bool) OnChange(f func(bool)) *Bool { w.on(func() { f(w.Value()) }); return w }

// Choice is one of several texts: [Dropdown].
type Choice struct {
	*model
	options []string
}

// Dropdown is a list of which one is chosen, at first the first.
func Dropdown(options []string, opts ...Option) *Choice {
	if len(options) == 0 {
		panic("widgets: a list to choose from must not be empty")
	}
	own := append([]string(nil), options...)
	w := &Choice{options: own}
	w.model = start(dropdown, map[string]any{"_options_labels": own, "index": 0}, opts)
	w.accept = func(_ string, raw json.RawMessage) (any, bool) {
		var i int
		if json.Unmarshal(raw, &i) == nil {
			return i, i >= 0 && i < len(own)
		}
		var label string
		if json.Unmarshal(raw, &label) == nil {
			for i, o := range own {
				if o == label {
					return i, true
				}
			}
		}
		return nil, false
	}
	return w
}

// Value is the text that is chosen, and Index its place in the list.
func (w *Choice) Value() string { return w.options[w.Index()] }

// Index is the place of what is chosen, from 0.
func (w *Choice) Index() int { return w.get("index").(int) }

// Set chooses a text. It panics where that is not in the list.
func (w *Choice) Set(v string) {
	for i, o := range w.options {
		if o == v {
			w.set(map[string]any{"index": i})
			return
		}
	}
	panic(fmt.Sprintf("widgets: %q is not among the choices %q", v, w.options))
}

// OnChange calls f with the text whenever it is another.
func (w *Choice) OnChange(f func(string)) *Choice { w.on(func() { f(w.Value()) }); return w }

// String is a widget whose value is text: [Text], [Label], [HTML].
type String struct{ *model }

// Text is a line to type into. It tells its value when Enter is pressed or the line is left.
func Text(value string, opts ...Option) *String {
	w := newString(textKind, value, opts)
	w.accept = func(_ string, raw json.RawMessage) (any, bool) {
		var v string
		err := json.Unmarshal(raw, &v)
		return v, err == nil
	}
	return w
}

// Label is text to read.
func Label(value string, opts ...Option) *String { return newString(labelKind, value, opts) }

// HTML is HTML to read.
func HTML(value string, opts ...Option) *String { return newString(htmlKind, value, opts) }

func newString(k *kind, value string, opts []Option) *String {
	return &String{start(k, map[string]any{"value": value}, opts)}
}

// Value is the text.
func (w *String) Value() string { return w.get("value").(string) }

// Set changes the text.
func (w *String) Set(v string) { w.set(map[string]any{"value": v}) }

// OnChange calls f with the text whenever it is another.
func (w *String) OnChange(f func(string)) *String { w.on(func() { f(w.Value()) }); return w }

// Clicker is a widget to click on: [Button].
type Clicker struct{ *model }

// Button is a button with a word or two on it.
func Button(text string, opts ...Option) *Clicker {
	return &Clicker{start(buttonKind, map[string]any{"description": text}, opts)}
}

// OnClick calls f when the button is clicked.
func (w *Clicker) OnClick(f func()) *Clicker { w.on(f); return w }

// Click is what a click does, from a program.
func (w *Clicker) Click() {
	w.mu.Lock()
	handlers := w.handlers
	w.mu.Unlock()
	for _, h := range handlers {
		h()
	}
}

// Box holds widgets: [HBox], [VBox].
type Box struct{ *model }

// HBox shows widgets side by side.
func HBox(children ...Widget) *Box { return newBox(hbox, children) }

// VBox shows widgets one below the other.
func VBox(children ...Widget) *Box { return newBox(vbox, children) }

func newBox(k *kind, children []Widget) *Box {
	var kids []*model
	for i, c := range children {
		if c == nil {
			panic(fmt.Sprintf("widgets: widget %d of a box is nil", i))
		}
		kids = append(kids, c.model_())
	}
	w := &Box{start(k, map[string]any{"children": kids}, nil)}
	for _, kid := range kids {
		kid.mu.Lock()
		kid.around = append(kid.around, w.model)
		kid.mu.Unlock()
	}
	return w
}
