package rt

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// named is what stands in the box of boxed.
type named struct{ X int }

func boxed(n int) Box {
	number := &Type{Name: "int", Kind: reflect.Int, Compiled: reflect.TypeFor[int]()}
	t := &Type{Name: "rt.named", Kind: reflect.Struct, Fields: []Field{{Name: "X", Type: number}}}
	return Box{t, struct{ X int }{n}}
}

// TestFormatRandom writes values by random formats: boxes are written as Go writes values of their types.
func TestFormatRandom(t *testing.T) {
	parts := []string{"%v", "%T", "%8T|", "%-8T|", "%*T|", "%*d", "%[1]T", "%[2]v", "%[3]*[1]T", "%[2]*d", "%%",
		"a[", "]", "%d", "%.3T", "%+v", "text ", "%.*T", "%", "%[2]*.[3]*[1]T", "%6.2f", "%!", "é", "%é"}
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 1))
		var format strings.Builder
		for range r.IntN(5) {
			format.WriteString(parts[r.IntN(len(parts))])
		}
		var plain, boxes []any
		for i := range r.IntN(5) {
			switch r.IntN(4) {
			case 0:
				plain, boxes = append(plain, i), append(boxes, i)
			case 1:
				plain, boxes = append(plain, nil), append(boxes, nil)
			default:
				plain, boxes = append(plain, named{i}), append(boxes, boxed(i))
			}
		}
		want := fmt.Sprintf(format.String(), plain...)
		missing := strings.Contains(want, "MISSING") && strings.Contains(format.String(), "%[")
		if missing || strings.Contains(want, "BAD") {
			continue
		}
		if got := Sprintf("test", format.String(), boxes); got != want {
			t.Fatalf("%d: %q of %v:\n%q, Go writes\n%q", seed, format.String(), plain, got, want)
		}
	}
}
