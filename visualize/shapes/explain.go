package shapes

import (
	"errors"
	"reflect"
	"slices"
	"weak"

	"gotorch/tensor"
	"gotorch/visualize/display"
	"gotorch/visualize/draw"
)

// explainers draw the details of errors, by the type of tensor.Error's Details.
var explainers = map[reflect.Type]func(e *tensor.Error) draw.View{}

// Explains says how errors with details of type F are drawn.
func Explains[F any](picture func(e *tensor.Error, details F) draw.View) {
	explainers[reflect.TypeFor[F]()] = func(e *tensor.Error) draw.View { return picture(e, e.Details.(F)) }
}

// Explain draws what an error is about: the shapes that do not broadcast, the strides that a view cannot have, the
// axis that an index left. It is nil where there is nothing to draw. A session adds it to the text of an error.
//
//	err := tensor.Try(func() { tensor.Ones(2, 3).Add(tensor.Ones(2)) })
//	fmt.Println(visualize.Explain(err))
func Explain(err error) (v draw.View) {
	var e *tensor.Error
	if !errors.As(err, &e) || e.Details == nil {
		return nil
	}
	draw := explainers[reflect.TypeOf(e.Details)]
	if draw == nil {
		return nil
	}
	defer func() { // an error's picture must not hide the error
		if recover() != nil {
			v = nil
		}
	}()
	return draw(e)
}

// operandNames names the operands of an operator that failed: as they were typed, else by the variables that hold
// them, else by def. The operands may be gone (or not given); shapes tell which of several calls in a line it was.
func operandNames(op string, shapes [][]int, operands []weak.Pointer[tensor.Tensor], def []string) []string {
	live := draw.LiveNames()
	shapeOf := make(map[string][]int, len(live))
	for x, n := range live {
		shapeOf[n] = x.Sizes()
	}
	names := make([]string, len(shapes))
	for i := range names {
		names[i] = def[min(i, len(def)-1)]
		if i < len(operands) {
			if x := operands[i].Value(); x != nil && live[x] != "" {
				names[i] = live[x]
			}
		}
	}
	var found []string
	for _, texts := range operandTexts(op) {
		if len(texts) < len(shapes) {
			continue
		}
		texts = texts[:len(shapes)] // other arguments follow the tensors
		if !fits(texts, shapes, shapeOf) {
			continue
		}
		if found != nil { // it may have been either
			return names
		}
		found = texts
	}
	if found != nil {
		return found
	}
	return names
}

// operandTexts are the operands, as they were typed, of the calls of an operator in the statement that failed.
func operandTexts(op string) [][]string {
	return draw.TidyLists(display.CurrentHost().OperandTexts(op))
}

// fits reports whether the variables among texts have these shapes.
func fits(texts []string, shapes [][]int, shapeOf map[string][]int) bool {
	for i, t := range texts {
		if have, ok := shapeOf[t]; ok && !slices.Equal(have, shapes[i]) {
			return false
		}
	}
	return true
}
