package conformance

import (
	"fmt"
	"math"
	"testing"

	"gotorch/tensor"
)

// TestComplexEdges holds operators of complex numbers at zeros of both signs, infinities, NaN, small and large numbers
// against what testdata/complex_edges.py recorded, part by part: signs of zeros and infinities, and which part is NaN.
func TestComplexEdges(t *testing.T) {
	rows, err := readLines[opinfoCase]("testdata/complex_edges.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows {
		c := &rows[i]
		a, err := c.perform(false, nil)
		if err != nil {
			t.Errorf("%s: %v", c.Op, err)
			continue
		}
		var want []*tensor.Tensor
		if _, err := value(c.Out, &want); err != nil {
			t.Fatal(err)
		}
		got := a.out[0].(*tensor.Tensor)
		if got.Dtype() != want[0].Dtype() {
			t.Errorf("%s: dtype %s, want %s", c.Op, got.Dtype(), want[0].Dtype())
			continue
		}
		wrong, first := 0, ""
		for j := range got.Numel() {
			if g, w := got.At(j), want[0].At(j); !samePartsOf(g, w, got.Dtype()) {
				if wrong++; first == "" || testing.Verbose() {
					first += fmt.Sprintf("\n  %s is %v, want %v", argumentsAt(a.inputs, c, j), g, w)
				}
			}
		}
		if wrong > 0 {
			t.Errorf("%s %s: %d of %d differ%s", c.Op, got.Dtype(), wrong, got.Numel(), first)
		}
	}
}

// argumentsAt are the arguments of element j, in words.
func argumentsAt(inputs []*tensor.Tensor, c *opinfoCase, j int) string {
	s := c.Op + "("
	for _, x := range inputs {
		s += fmt.Sprint(x.At(j), ", ")
	}
	for _, raw := range c.Args[len(inputs):] {
		s += string(raw)
	}
	return s + ")"
}

// samePartsOf reports whether both parts of numbers of dtype d are the same, but for roundings of the larger part.
func samePartsOf(got, want any, d tensor.Dtype) bool {
	g, w := [2]float64{}, [2]float64{}
	switch v := got.(type) {
	case bool:
		return got == want
	case float64:
		g[0], w[0] = v, want.(float64)
	case complex128:
		g, w = [2]float64{real(v), imag(v)}, [2]float64{real(want.(complex128)), imag(want.(complex128))}
	}
	rel, size := 1e-12, 0.0
	if d == tensor.Complex64 || d == tensor.Float32 {
		rel = 4e-6
	}
	for _, v := range w {
		if !math.IsInf(v, 0) {
			size = max(size, math.Abs(v))
		}
	}
	for i := range w {
		switch x, y := g[i], w[i]; {
		case y != y || x != x:
			if y == y || x == x {
				return false
			}
		case x == y:
			if math.Signbit(x) != math.Signbit(y) {
				return false
			}
		case math.IsInf(x, 0) || math.IsInf(y, 0) || math.Abs(x-y) > rel*size:
			return false
		}
	}
	return true
}
