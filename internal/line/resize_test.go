package line

import (
	"testing"
)

// resize breaks the rows that have become too long, as terminals do; it joins none, since each was ended by the
// program.
func (f *fake) resize(w int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	var grid [][]string
	at := 0
	f.line(f.row)
	for i, row := range f.grid {
		if i == f.row {
			at = len(grid) + f.col/w
		}
		for len(row) > w {
			grid, row = append(grid, row[:w:w]), row[w:]
		}
		grid = append(grid, row)
	}
	f.grid, f.row, f.col, f.w = grid, at, f.col%w, w
}

// TestResize: a cell of several lines that is being typed is drawn once, however often the terminal becomes narrower
// and wider.
func TestResize(t *testing.T) {
	f := newFake(40, 20, "func f() {\rone two three four five six seven eight nine ten\rx\r}\x1b[A\x1b[A!?\x1b[B\x1b[B\r")
	e := New(Config{Terminal: f, Whole: wholeBraces, Color: true})
	f.onKeys = func(left int) {
		for _, w := range map[int][]int{30: {20}, 20: {60}, 10: {16, 40, 15}, 3: {50, 24, 80}, 1: {40}}[left] {
			f.resize(w)
			e.redraw()
		}
	}
	if _, err := e.Read("> ", ". "); err != nil {
		t.Fatal(err)
	}
	want := "> func f() {\n.     !?one two three four five six seve\nn eight nine ten\n.     x\n. }"
	if got := f.screen(false); got != want {
		t.Errorf("the screen shows\n%s", got)
	}
}
