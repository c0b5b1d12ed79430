package visualize

import (
	"slices"
	"testing"

	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"table", func(s *viewtest.Session) View { return Table("add") }},
		exampleView{"table_composite", func(s *viewtest.Session) View { return Table("x.T()", "nn.functional.linear") }},
		exampleView{"table_overloads", func(s *viewtest.Session) View { return Table("max", "nonzero", "Div") }},
		exampleView{"table_none", func(s *viewtest.Session) View { return Table() }},
	)
}

// TestTableOfEveryOperator: each has its table, in every form of the view, and what it says at a key is what the
// dispatcher does there.
func TestTableOfEveryOperator(t *testing.T) {
	for i, o := range tensor.Ops() {
		v := Table(o.Full)
		if i%10 == 0 {
			viewtest.CheckForms(t, v)
		}
		// no such device here; a row for sparse tensors only where the operator does something for them
		keys := slices.DeleteFunc(tensor.Keys(), func(k tensor.Key) bool {
			return k == tensor.KeyPrivate || k == tensor.KeySparse && !o.HasSparse()
		})
		for j, k := range keys {
			row := v.Ops[0].Keys[j]
			kind := map[string]string{"kernel": "kernel", "shapes": "kernel", "view": "kernel", "body": "composite",
				"fallback": "fallback", "falls through": "fallthrough", "none": "fallthrough"}[row.Kinds[0]]
			if kind != o.Entry(k) {
				t.Errorf("%s at %s: %s, the dispatcher says %s", o.Full, k, row.Kinds[0], o.Entry(k))
			}
		}
	}
}
