package interp

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/rt"
	"gotorch/interp/task"
	"gotorch/interp/values"
	"gotorch/nn/optim"
	"gotorch/tensor"
	"gotorch/visualize"
	"gotorch/visualize/display"
)

// show records a value that the running cell ends with.
func (s *Session) show(v any) {
	if _, shown := v.(*display.Handle); shown { // what it shows has been shown
		return
	}
	if _, live := v.(display.Live); live { // a widget, which must know where it is shown
		display.Show(v)
		return
	}
	settle(v)
	if v := s.valueOf(v); !task.Stopped() { // else its text is not whole
		s.progress.show(v)
	}
}

// settle waits for tensors that are about to be printed, so that what went wrong on their device is an error of the
// cell.
func settle(v any) {
	switch v := v.(type) {
	case *tensor.Tensor:
		v.Settle()
	case []*tensor.Tensor:
		for _, t := range v {
			t.Settle()
		}
	}
}

// valueOf is a value with what shows it.
func (s *Session) valueOf(v any) Value {
	if rates, ok := v.(optim.Schedule); ok && rates != nil {
		if drawn, ok := s.scheduleValue(rates); ok {
			return drawn
		}
	}
	if view, ok := v.(visualize.View); ok {
		if _, sliders := v.(*visualize.Explorer); !sliders { // which must know where they are shown
			return s.viewValue(view)
		}
	}
	var b display.Bundle
	if box, ok := v.(rt.Box); !ok {
		b = display.Result(v)
	} else {
		b = boxBundle(box)
		if text, ok := box.Outline(briefTensor); ok && len(b.Data) == 1 {
			b = display.Text(text)
		}
	}
	if text, ok := listOfTensors(v); ok && len(b.Data) == 1 {
		b = display.Text(text)
	}
	text, _ := b.Data["text/plain"].(string)
	return s.value(text, b, v)
}

// viewValue is a view as a value. Only its text is made here; a notebook asks for the rest.
func (s *Session) viewValue(v visualize.View) Value {
	text := v.Text(false)
	if card, ok := v.(*visualize.TensorCard); ok {
		text = card.Body
	}
	return s.value(text, display.Lazy(v.Text, func() (all map[string]any) {
		defer func() {
			if recover() != nil { // a view that a cell made up
				all = map[string]any{"text/plain": text}
			}
		}()
		return v.MIMEBundle()
	}), v)
}

// scheduleValue is a schedule of learning rates as its curve; not ok where it cannot be computed.
func (s *Session) scheduleValue(rates optim.Schedule) (v Value, ok bool) {
	defer func() {
		if recover() != nil { // a schedule that a cell made up
			ok = false
		}
	}()
	v = s.viewValue(visualize.Schedule(rates))
	v.V, v.Curve = rates, true
	return v, true
}

// rich is what a notebook shows of a value.
func (s *Session) rich(v any, text string, b display.Bundle) display.Bundle {
	s.host.bind(func() {
		if x, ok := v.(*tensor.Tensor); ok && x != nil {
			b = tensorBundle(x, text)
		}
		if xs, ok := v.([]*tensor.Tensor); ok && len(xs) > 0 && !slices.Contains(xs, nil) {
			b = cardsBundle(xs, b)
		}
		b.All()
	})
	return b
}

// value is a value that the session shows.
func (s *Session) value(text string, b display.Bundle, v any) Value {
	return Value{Text: text, Bundle: b, V: v, Draw: func() display.Bundle { return s.rich(v, text, b) }}
}

// functionsShown says of the functions among the values that a cell shows what they are, since an address says
// nothing: most often the call was forgotten.
func functionsShown(c *check.Checked, src string, vals []Value) []Value {
	if len(vals) != len(c.Show) {
		return vals
	}
	for i, v := range vals {
		if v.Curve || !isFunction(v.V) {
			continue
		}
		t := c.Info.TypeOf(c.Show[i])
		if t == nil {
			continue
		}
		sig, ok := t.Underlying().(*types.Signature)
		if !ok {
			continue
		}
		text := strings.TrimSuffix(strings.TrimSpace(textOf(c, src, c.Show[i])), ";")
		what := "a function"
		if _, ok := c.Show[i].(*ast.SelectorExpr); ok && c.Info.Selections[c.Show[i].(*ast.SelectorExpr)] != nil {
			what = "a method"
		}
		args := "…"
		if n := sig.Params().Len(); n == 0 || n == 1 && strings.HasSuffix(sig.Params().At(0).Type().String(), ".Option") {
			args = "" // none is needed
		}
		if strings.ContainsAny(text, "\n{") {
			text = ""
		}
		use := what + ": " + text + "(" + args + ") calls it"
		if text == "" {
			use = what + ", to be called"
		}
		if isSequence(sig) {
			use = "a sequence: for … range " + cmp.Or(text, "it") + " goes through it"
		}
		vals[i].Text = types.TypeString(t, func(p *types.Package) string {
			if p == c.Pkg || p.Path() == check.TensorPath {
				return ""
			}
			return p.Name()
		}) + "   " + use
		vals[i].Bundle = display.Text(vals[i].Text)
	}
	return vals
}

// runesShown writes the values in which the cell's types say that there are runes: reflection knows integers only.
func runesShown(c *check.Checked, vals []Value) []Value {
	var static []types.Type
	for _, e := range c.Show {
		if t, ok := c.Info.TypeOf(e).(*types.Tuple); ok {
			for v := range t.Variables() {
				static = append(static, v.Type())
			}
			continue
		}
		static = append(static, c.Info.TypeOf(e))
	}
	if len(static) != len(vals) {
		return vals
	}
	for i, t := range static {
		if t == nil || len(vals[i].Bundle.Data) != 1 {
			continue
		}
		if t = types.Default(t); holdsRunes(t, 0) {
			vals[i].Text = rt.ValueText(vals[i].V, rt.Usual, t)
			vals[i].Bundle = display.Text(vals[i].Text)
		}
	}
	return vals
}

// holdsRunes reports whether a type is rune, or made of it.
func holdsRunes(t types.Type, depth int) bool {
	if depth > 4 {
		return false
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t == types.Universe.Lookup("rune").Type()
	case *types.Pointer:
		return holdsRunes(t.Elem(), depth+1)
	case *types.Slice:
		return holdsRunes(t.Elem(), depth+1)
	case *types.Array:
		return holdsRunes(t.Elem(), depth+1)
	case *types.Map:
		return holdsRunes(t.Key(), depth+1) || holdsRunes(t.Elem(), depth+1)
	case *types.Struct:
		for f := range t.Fields() {
			if holdsRunes(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// isSequence reports whether a function is one that for ranges over.
func isSequence(sig *types.Signature) bool {
	if sig.Results().Len() != 0 || sig.Params().Len() != 1 {
		return false
	}
	yield, ok := sig.Params().At(0).Type().Underlying().(*types.Signature)
	return ok && yield.Results().Len() == 1 && types.Identical(yield.Results().At(0).Type(), types.Typ[types.Bool])
}

// isFunction reports whether a value is a function, of a cell's type or another, and not nil.
func isFunction(v any) bool {
	if b, ok := v.(rt.Box); ok {
		if len(b.T.Name) == 0 || b.T.Kind != reflect.Func {
			return false
		}
		v = b.V
	}
	f := reflect.ValueOf(v)
	return f.Kind() == reflect.Func && !f.IsNil()
}

// textOf is an expression as it was typed.
func textOf(c *check.Checked, src string, x ast.Expr) string {
	lo, hi := c.Cell.File.Offset(x.Pos()), c.Cell.File.Offset(x.End())
	if lo < 0 || hi > len(src) || lo >= hi {
		return ""
	}
	return src[lo:hi]
}

// listOfTensors is the text of a list or a map with tensors in it, as a cell shows it.
func listOfTensors(v any) (string, bool) {
	in := v
	if b, ok := v.(rt.Box); ok {
		in = b.V
	}
	if t := reflect.TypeOf(in); t == nil || !values.MayHold(t, 0) {
		return "", false
	}
	return rt.OutlineList(v, wholeTensor, briefTensor)
}

// small is how many elements a tensor may have, and in how many lines, to stand whole among others in a list.
const small, smallLines = 24, 6

// wholeTensor is a tensor in a list or map that a cell shows: whole if it is small.
func wholeTensor(v any) (string, bool) {
	if x, ok := v.(*tensor.Tensor); ok && x != nil && x.Numel() <= small {
		if text := fmt.Sprint(x); strings.Count(text, "\n") < smallLines {
			return text, true
		}
	}
	return briefTensor(v)
}

// briefTensor is a tensor in a word, float32[2 3], for the fields of a struct that a cell shows.
func briefTensor(v any) (string, bool) {
	x, ok := v.(*tensor.Tensor)
	if !ok || x == nil {
		return "", false
	}
	text := fmt.Sprint(x.Dtype()) + fmt.Sprint(x.Shape())
	if x.RequiresGrad() {
		text += " grad"
	}
	return text, true
}
