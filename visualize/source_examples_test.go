package visualize

import (
	"strings"
	"testing"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/visualize/internal/viewtest"
)

func init() {
	addExamples(
		exampleView{"where", func(s *viewtest.Session) View { return placeless(Where("mm")) }},
		exampleView{"source", func(s *viewtest.Session) View { return placeless(Source("special.entr")) }},
		exampleView{"where_none", func(s *viewtest.Session) View { return Where() }},
	)
}

// placeless takes the lines' numbers away, which every change of a file moves, and the tests, which come and go.
func placeless(v *OperatorSource) *OperatorSource {
	for i := range v.Ops {
		for j := range v.Ops[i].Parts {
			p := &v.Ops[i].Parts[j]
			p.At = p.At[:strings.LastIndexByte(p.At, ':')+1] + "1"
			for k := range p.Uses {
				u := &p.Uses[k]
				u.At = u.At[:strings.LastIndexByte(u.At, ':')+1] + "1"
			}
		}
		v.Ops[i].Tests = nil
	}
	return v
}

// TestSourceOfEveryOperator: each has its row, and a place with text for everything that is registered for it.
func TestSourceOfEveryOperator(t *testing.T) {
	for i, o := range tensor.Ops() {
		if o.IsDefined() {
			continue
		}
		v := Source(o.Full)
		if i%25 == 0 {
			viewtest.CheckForms(t, v)
			viewtest.CheckForms(t, Where(o.Full))
		}
		var has []string
		for _, s := range v.Ops {
			if s.Name != o.Full {
				continue
			}
			for _, p := range s.Parts {
				if p.Text == "" || p.At == "" && !o.IsComposite() {
					t.Errorf("%s: %s at %q has no text or no place", o.Full, p.Part, p.At)
				}
				has = append(has, p.Part)
			}
		}
		all := strings.Join(has, ",")
		shape, body, kernel := o.Registered(tensor.KeyCPU)
		for part, want := range map[string]bool{"row": true, "body": body != nil, "kernel for CPU": kernel != nil &&
			o.Class() != tensor.Lookup("t").Class(), "derivative": autograd.HasFormula(o)} {
			if want && !strings.Contains(all, part) {
				t.Errorf("%s has %s, and no %s", o.Full, all, part)
			}
		}
		if shape != nil && !strings.Contains(all, "shape rule") && !strings.Contains(all, "view") {
			t.Errorf("%s has %s, and no shape rule", o.Full, all)
		}
	}
}
