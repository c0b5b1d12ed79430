package autograd

import (
	"strings"
	"testing"

	"gotorch/tensor"
)

// TestFormulaSource: the text of every formula is found, in the row that names the operator or in the function itself.
func TestFormulaSource(t *testing.T) {
	n := 0
	for _, o := range tensor.Ops() {
		text, file, line := FormulaSource(o)
		if !HasFormula(o) {
			if text != "" {
				t.Errorf("%s has no formula, but the text %q", o.Full, text)
			}
			continue
		}
		n++
		if text == "" {
			t.Errorf("no text of the formula for %s, which stands in %s:%d", o.Full, file, line)
		} else if strings.HasPrefix(text, `"`) != strings.HasPrefix(text, `"`+o.Full+`"`) {
			t.Errorf("the formula for %s is %s", o.Full, text)
		}
	}
	if n < 200 {
		t.Errorf("%d formulas", n)
	}
	text, file, _ := FormulaSource(tensor.Lookup("div"))
	if file != "formulas_pointwise.go" || !strings.HasPrefix(text, `"div": {`) ||
		!strings.Contains(text, "\n\nfunc divGrads(c *Ctx) Grads {") {
		t.Errorf("%s: %s", file, text)
	}
}
