package operators

import (
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// OperatorList lists operators by topic.
type OperatorList struct {
	Topics []OperatorTopic `json:"topics"`
	Filter string          `json:"filter,omitempty"`
}

// OperatorTopic is the operators of one topic.
type OperatorTopic struct {
	Title string        `json:"title"`
	Rows  []OperatorRow `json:"rows"`
}

// OperatorRow is one operator.
type OperatorRow struct {
	Name       string `json:"name"`       // Go's
	Torch      string `json:"torch"`      // PyTorch's
	Class      string `json:"class"`      // pointwise, reduction, view, fixed, factory, dynamic, composite
	Derivative string `json:"derivative"` // formula, parts, none
	Doc        string `json:"doc"`
}

// classWords are the names of the shape classes.
var classWords = []struct {
	tag  opdef.Tag
	name string
}{
	{opdef.Pointwise, "pointwise"}, {opdef.Reduction, "reduction"}, {opdef.View, "view"}, {opdef.Fixed, "fixed"},
	{opdef.Factory, "factory"}, {opdef.Dynamic, "dynamic"}, {opdef.Composite, "composite"},
}

// ClassName is the shape class of an operator in a word.
func ClassName(o *tensor.Op) string {
	for _, c := range classWords {
		if o.Tags.Class() == c.tag {
			return c.name
		}
	}
	return ""
}

// Operators lists the operators that match all words of a filter: a shape class (pointwise, reduction, view, fixed,
// factory, dynamic, composite), or a text that is in the operator's name, PyTorch's or Go's, in its topic or in its
// documentation, in either case. Without a filter it counts what each topic has and lists the names alone. A filter
// that fits no operator is an *Error.
//
//	visualize.Operators("pool")
//	visualize.Operators("reduction", "nan")
func Operators(filter ...string) *OperatorList {
	words := strings.Fields(strings.ToLower(strings.Join(filter, " ")))
	list := &OperatorList{Filter: strings.Join(words, " ")}
	byName := map[string]*tensor.Op{}
	for _, o := range tensor.Ops() {
		byName[o.Full] = o
	}
	for _, f := range opdef.Families {
		topic := OperatorTopic{Title: f.Title}
		for _, row := range f.Rows {
			s, err := opdef.Parse(row)
			if err != nil || s.IsPrivate() {
				continue
			}
			o := byName[s.FullName()]
			r := OperatorRow{Name: o.GoName(), Torch: o.Name, Class: ClassName(o), Derivative: derivativeOf(o), Doc: o.Doc}
			if r.matches(f.Title, words) {
				topic.Rows = append(topic.Rows, r)
			}
		}
		if len(topic.Rows) > 0 {
			list.Topics = append(list.Topics, topic)
		}
	}
	if len(list.Topics) == 0 {
		hint := "a shape class (pointwise, reduction, view, fixed, factory, dynamic, composite), or a text"
		if near := nearest(list.Filter); len(near) > 0 {
			hint = "is it " + strings.Join(near, ", ") + "?"
		}
		panic(tensor.Errorf("ops", "no operator matches %q", draw.Clip(list.Filter, 60)).OnArg("filter").WithHint(hint))
	}
	return list
}

// matches reports whether the row fits every word: a class by its name alone.
func (r *OperatorRow) matches(topic string, words []string) bool {
	text := strings.ToLower(strings.Join([]string{r.Name, r.Torch, topic, r.Doc}, "\n"))
	for _, w := range words {
		class := slices.ContainsFunc(classWords, func(c struct {
			tag  opdef.Tag
			name string
		}) bool {
			return c.name == w
		})
		if class && r.Class != w || !class && !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// derivativeOf says where the gradient of an operator comes from.
func derivativeOf(o *tensor.Op) string {
	switch {
	case autograd.HasFormula(o):
		return "formula"
	case o.Tags.Class() == opdef.Composite && !o.Tags.Has(opdef.NoGrad):
		return "parts"
	}
	return "none"
}

// Count is the number of operators listed.
func (l *OperatorList) Count() (n int) {
	for _, t := range l.Topics {
		n += len(t.Rows)
	}
	return n
}
