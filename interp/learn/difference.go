package learn

import (
	"fmt"
	"strconv"
	"strings"

	"gotorch/interp/result"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// Difference shows a case that failed: what the function was called with, what was expected and what it returned, and
// where the two differ.
type Difference struct {
	Call   string   `json:"call"` // diagonal(x)
	Case   string   `json:"case"` // what the case is, in words
	Number int      `json:"number"`
	Failed int      `json:"failed"`
	Cases  int      `json:"cases"`
	Args   []string `json:"args"` // x = tensor(…), line by line
	What   string   `json:"what"` // the value that is compared
	Says   string   `json:"says"`
	Want   *Grid    `json:"want"`
	Got    *Grid    `json:"got"`
}

// Grid is a value as rows of cells; those that differ are marked.
type Grid struct {
	Title  string     `json:"title"`
	Cells  [][]string `json:"cells"`
	Marked [][]bool   `json:"marked"`
	More   string     `json:"more,omitempty"` // what is left out
}

// What a grid shows at most.
const (
	maxGridRows = 8
	maxGridCols = 8
)

// difference describes case number i. The arguments are those of given.
func difference(x *Exercise, i int, f *fault, given outcome, failed, cases int) *Difference {
	c := x.Cases[i]
	s, _ := signatureOf(x.Name, x.Solution)
	d := &Difference{Call: x.Name + "(" + strings.Join(s.names, ", ") + ")", Case: c.Name, Number: i + 1, Failed: failed,
		Cases: cases, What: f.what, Says: f.says}
	d.Args = []string{"called with " + c.Args}
	for k := given.results; k < len(given.values); k++ {
		d.Args = append(d.Args, argumentText(given.names[k-given.results], given.values[k]))
	}
	d.Want, d.Got = grid("expected", f.want, f.differ), grid("yours", f.got, f.differ)
	return d
}

// argumentText is an argument in a line: of a tensor its header, and its elements if they are few.
func argumentText(name string, v any) string {
	x, ok := v.(*tensor.Tensor)
	if !ok || x == nil {
		return name + " = " + draw.OneLine(fmt.Sprint(v), 60)
	}
	text := fmt.Sprintf("%s = %v %v stride %v", name, x.Dtype(), x.Shape(), x.Stride())
	if x.StorageOffset() != 0 {
		text += fmt.Sprintf(" offset %d", x.StorageOffset())
	}
	if n := x.Numel(); n > 0 && n <= 12 {
		var all []string
		for _, c := range elements(x) {
			all = append(all, elementText(x.Dtype(), c))
		}
		text += ": " + strings.Join(all, " ")
	}
	return text
}

// grid draws a value.
func grid(title string, v any, differ []int) *Grid {
	g := &Grid{Title: title}
	x, ok := v.(*tensor.Tensor)
	if !ok || x == nil || x.Numel() == 0 {
		for _, line := range strings.Split(valueText(v), "\n") {
			g.Cells, g.Marked = append(g.Cells, []string{line}), append(g.Marked, []bool{differ == nil})
		}
		return g
	}
	g.Title += fmt.Sprintf("  %v %v", x.Dtype(), x.Shape())
	rows, cols := 1, 1
	if n := x.Dim(); n > 0 {
		cols = x.Size(n - 1)
	}
	if n := x.Dim(); n > 1 {
		rows = x.Size(n - 2)
	}
	all, first := elements(x), 0
	if len(differ) > 0 { // the matrix with the first difference
		first = differ[0] / (rows * cols) * rows * cols
	}
	marked := map[int]bool{}
	for _, at := range differ {
		marked[at] = true
	}
	if blocks := len(all) / (rows * cols); blocks > 1 {
		g.More = fmt.Sprintf("matrix %d of %d", first/(rows*cols)+1, blocks)
	}
	fromRow, fromCol := 0, 0
	if len(differ) > 0 {
		at := differ[0] - first
		fromRow, fromCol = window(at/cols, rows, maxGridRows), window(at%cols, cols, maxGridCols)
	}
	for i := fromRow; i < min(rows, fromRow+maxGridRows); i++ {
		var row []string
		var marks []bool
		for k := fromCol; k < min(cols, fromCol+maxGridCols); k++ {
			at := first + i*cols + k
			row, marks = append(row, elementText(x.Dtype(), all[at])), append(marks, marked[at])
		}
		g.Cells, g.Marked = append(g.Cells, row), append(g.Marked, marks)
	}
	if rows > maxGridRows || cols > maxGridCols {
		part := fmt.Sprintf("rows %d to %d of %d, columns %d to %d of %d", fromRow, min(rows, fromRow+maxGridRows)-1, rows,
			fromCol, min(cols, fromCol+maxGridCols)-1, cols)
		g.More = strings.TrimPrefix(g.More+", "+part, ", ")
	}
	return g
}

// window is where to begin so that place at is among the n of all that are shown.
func window(at, all, n int) int {
	if all <= n || at < n {
		return 0
	}
	return min(at-n/2, all-n)
}

func elementText(d tensor.Dtype, c complex128) string {
	switch {
	case d == tensor.Bool:
		return strconv.FormatBool(c != 0)
	case d.IsComplex():
		return strconv.FormatComplex(c, 'g', 4, 128)
	case d.IsFloatingPoint():
		return strconv.FormatFloat(real(c), 'g', 4, 64)
	}
	return strconv.FormatFloat(real(c), 'f', -1, 64)
}

// valueText is a value that is no tensor, or an empty one.
func valueText(v any) string {
	switch v := v.(type) {
	case *result.Error:
		text, _, _ := strings.Cut(v.Text(), "\n\n")
		return v.Name + ": " + text
	case *tensor.Tensor:
		if v == nil {
			return "nil"
		}
		return fmt.Sprintf("%v %v, no elements", v.Dtype(), v.Shape())
	case []*tensor.Tensor:
		var b []string
		for _, x := range v {
			b = append(b, fmt.Sprint(x))
		}
		return strings.Join(b, "\n")
	}
	return fmt.Sprint(v)
}

// verdict is the first line.
func (d *Difference) verdict() string {
	return fmt.Sprintf("✗ case %d fails (%s); %d of %s fail", d.Number, d.Case, d.Failed, draw.Counted(d.Cases, "case"))
}

// SVG is the picture as a file.
func (d *Difference) SVG() string { return d.draw().Alone(d.verdict()) }

// HTML is the picture with its text.
func (d *Difference) HTML() string { return draw.Pictured(d.draw(), d.verdict(), d.Text(false)) }

// MIMEBundle is the case in all forms.
func (d *Difference) MIMEBundle() map[string]any { return draw.Bundle(d) }
