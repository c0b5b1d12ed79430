package tensor_test

import (
	"testing"
	"time"

	"gotorch/tensor"
)

// TestScalarOf: numbers of declared types are numbers, what only looks like one is not.
func TestScalarOf(t *testing.T) {
	type celsius float64
	type flag bool
	for _, c := range []struct {
		v    any
		want float64
		ok   bool
	}{
		{time.Duration(5), 5, true}, {celsius(2.5), 2.5, true}, {flag(true), 1, true}, {uint8(200), 200, true},
		{int8(-3), -3, true},
		{tensor.Int32, 0, false}, {"3", 0, false}, {nil, 0, false}, {[]int{1}, 0, false}, {time.Time{}, 0, false},
	} {
		if s, ok := tensor.ScalarOf(c.v); ok != c.ok || s.Float() != c.want {
			t.Errorf("ScalarOf(%T %v) = %v, %v", c.v, c.v, s.Float(), ok)
		}
	}
}
