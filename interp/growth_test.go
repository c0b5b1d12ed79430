package interp

import (
	"fmt"
	"runtime"
	"testing"
)

// cellKinds are small cells of several kinds, with a number to tell them apart.
var cellKinds = []string{
	"x := %d",
	"f := func(a int) int { return a + %d }\nf(1)",
	"func g(a int) int { return a * %d }",
	"g(%d)",
	"y := Ones(10) * %d\ny.Sum()",
	"type P struct{ a, b int }\np := P{%d, 2}\np",
	"func (p P) Double() int { return p.a * %d }",
	"for i := range 3 { x += i * %d }",
	"nope(%d)",
	"panic(%d)",
	"Ones(2, 3) @ Ones(%d + 4, 2)",
	"xs := []int{1, 2, %d}\nslices.Sort(xs)\nxs",
	"w := Ones(5).RequiresGrad_()\n(w * %d).Sum().Backward()",
}

// TestCellsGrowLittle: 10,000 cells, most of which define something, fail or show something, cost less than 8 KB each.
func TestCellsGrowLittle(t *testing.T) {
	cells := 10_000
	if testing.Short() {
		cells = 2_000
	}
	s := New(Options{})
	defer s.Close()
	run := func(from, to int) {
		for i := from; i < to; i++ {
			s.Eval(t.Context(), fmt.Sprintf(cellKinds[i%len(cellKinds)], i), Discard)
		}
	}
	run(0, 1300) // Out is full, and what is loaded once is loaded
	before := heap()
	run(1300, 1300+cells)
	grown := (float64(heap()) - float64(before)) / float64(cells)
	t.Logf("%.0f bytes a cell", grown)
	if grown > 8<<10 {
		t.Errorf("a cell costs %.0f bytes", grown)
	}
	runtime.KeepAlive(s)
}
