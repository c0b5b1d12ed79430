package shapes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gotorch/internal/bytesize"
	"gotorch/visualize/draw"
)

// ShapeRun shows what shapes go through a user's code, call by call. It was run on the meta device: nothing was
// computed.
type ShapeRun struct {
	Lines   []ShapeLine `json:"lines"`
	Folds   []ShapeFold `json:"folds"`
	Calls   int         `json:"calls"`
	More    int         `json:"more,omitempty"` // calls that were not noted
	Bytes   int         `json:"bytes"`          // that the results would take, views and writes in place aside
	Largest int         `json:"largest"`        // of one call
	Flops   float64     `json:"flops"`          // of the calls of which it is known

	// Why the run ended early, where, and the picture of it.
	Error     string        `json:"error,omitempty"`
	At        string        `json:"at,omitempty"`
	Broadcast *Broadcasting `json:"broadcast,omitempty"`
	Product   *Product      `json:"product,omitempty"`
	Regroup   *Regrouping   `json:"regroup,omitempty"`
	Axis      *IndexAxis    `json:"axis,omitempty"`
}

// ShapeLine is one call.
type ShapeLine struct {
	Cell        string    `json:"cell,omitempty"`
	Line        int       `json:"line,omitempty"`
	Name        string    `json:"name,omitempty"` // to which the result is assigned
	Op          string    `json:"op"`
	Args        []ShapeOf `json:"args"`
	MoreArgs    int       `json:"more_args,omitempty"`
	Results     []ShapeOf `json:"results,omitempty"`
	MoreResults int       `json:"more_results,omitempty"`
	Bytes       int       `json:"bytes"`
	Flops       float64   `json:"flops,omitempty"`
	View        bool      `json:"view,omitempty"`
	InPlace     bool      `json:"in_place,omitempty"`
	Same        bool      `json:"same,omitempty"` // the result is an argument, as it was
	Failed      bool      `json:"failed,omitempty"`
}

// ShapeOf is an argument or a result: a tensor, or another value by its text.
type ShapeOf struct {
	Name   string `json:"name,omitempty"`
	Line   int    `json:"line,omitempty"` // the call, from 1, that made it
	Tensor bool   `json:"tensor,omitempty"`
	Shape  []int  `json:"shape"`
	Dtype  string `json:"dtype,omitempty"`
}

// maxRound is how many calls a round has that is looked for.
const maxRound = 48

// ShapeFold is calls that are repeated: Count calls from Lines[From] on, Times times.
type ShapeFold struct {
	From, Count, Times int
}

// maxShapeRows is how many calls are shown.
const maxShapeRows = 120

// label is what the result of a line, the nth, is called.
func (l *ShapeLine) label(n int) string {
	if l.Name != "" {
		return draw.Clip(l.Name, draw.MaxName)
	}
	return fmt.Sprintf("#%d", n)
}

// place is In[3]:2.
func (l *ShapeLine) place() string {
	switch {
	case l.Cell == "":
		return ""
	case l.Line == 0:
		return l.Cell
	}
	return fmt.Sprintf("%s:%d", l.Cell, l.Line)
}

// text is the call: matmul(h [64 100], w [100 10]).
func (v *ShapeRun) text(l *ShapeLine) string {
	var parts []string
	for _, a := range l.Args {
		parts = append(parts, v.argument(a))
	}
	if l.MoreArgs > 0 {
		parts = append(parts, fmt.Sprintf("… %d more", l.MoreArgs))
	}
	return strings.TrimPrefix(l.Op, "nn.functional.") + "(" + strings.Join(parts, ", ") + ")"
}

func (v *ShapeRun) argument(a ShapeOf) string {
	if !a.Tensor {
		return a.Name
	}
	name := a.Name
	if name == "" && a.Line > 0 && a.Line <= len(v.Lines) {
		name = v.Lines[a.Line-1].label(a.Line)
	}
	shape := cutShape(a.Shape)
	if name == "" {
		return shape
	}
	return name + " " + shape
}

// cutShape is [2 3]; rank above 8 is cut.
func cutShape(shape []int) string {
	if len(shape) > 8 {
		return strings.TrimSuffix(fmt.Sprint(shape[:8]), "]") + fmt.Sprintf(" … %d more]", len(shape)-8)
	}
	return fmt.Sprint(shape)
}

// result is what a call gives: [64 10] float32.
func (l *ShapeLine) result() string {
	if l.Failed {
		return "✗"
	}
	var parts []string
	for i, r := range l.Results {
		if i > 0 && r.Dtype == l.Results[0].Dtype {
			parts[i-1] = strings.TrimSuffix(parts[i-1], " "+r.Dtype)
		}
		parts = append(parts, cutShape(r.Shape)+" "+r.Dtype)
	}
	if l.MoreResults > 0 {
		parts = append(parts, fmt.Sprintf("… %d more", l.MoreResults))
	}
	return strings.Join(parts, ", ")
}

// cost is the bytes and the flops.
func (l *ShapeLine) cost() (bytes, flops string) {
	switch {
	case l.Failed:
	case l.Same:
		bytes = "as it is"
	case l.Bytes > 0:
		bytes = manyBytes(l.Bytes)
	case l.View:
		bytes = "view"
	case l.InPlace:
		bytes = "in place"
	case len(l.Results) > 0:
		bytes = manyBytes(l.Bytes)
	}
	if l.Flops > 0 {
		flops = flopsText(l.Flops)
	}
	return bytes, flops
}

func manyBytes(n int) string {
	if n >= MaxCount {
		return "> 4 EB"
	}
	return bytesize.Text(n)
}

// flopsText is 12.5 Mflop.
func flopsText(f float64) string {
	if f < 1000 {
		return fmt.Sprintf("%.0f flop", f)
	}
	units := []string{"k", "M", "G", "T", "P", "E"}
	for i, u := range units {
		if f /= 1000; f < 999.95 || i == len(units)-1 {
			return fmt.Sprintf("%.*f %sflop", max(0, 2-int(math.Log10(max(f, 1)))), f, u)
		}
	}
	return ""
}

// total is the last line.
func (v *ShapeRun) total() string {
	text := draw.Counted(v.Calls, "call")
	if v.Bytes > 0 {
		text += fmt.Sprintf(", results of %s", manyBytes(v.Bytes))
		if v.Largest < v.Bytes {
			text += fmt.Sprintf(" (the largest %s)", manyBytes(v.Largest))
		}
	}
	if v.Flops > 0 {
		text += ", " + flopsText(v.Flops)
	}
	return text + "; nothing was computed"
}

// picture is what the run ended with, nil if there is none.
func (v *ShapeRun) picture() draw.View {
	switch {
	case v.Broadcast != nil:
		return v.Broadcast
	case v.Product != nil:
		return v.Product
	case v.Regroup != nil:
		return v.Regroup
	case v.Axis != nil:
		return v.Axis
	}
	return nil
}

// ending says why the run ended.
func (v *ShapeRun) ending() string {
	text := v.Error
	if v.At != "" {
		text = v.At + ": " + text
	}
	if strings.Contains(text, "meta tensor") {
		text += ". Shapes are known without values; what follows depends on values"
	}
	return text
}

// finish folds what is repeated.
func (v *ShapeRun) finish() {
	like := make([]string, len(v.Lines))
	for i := range v.Lines {
		l := &v.Lines[i]
		key := []string{l.place(), l.Name, l.Op, l.result()}
		for _, a := range l.Args { // which call made an argument differs from round to round
			if a.Tensor {
				key = append(key, fmt.Sprint(a.Shape))
			} else {
				key = append(key, a.Name)
			}
		}
		like[i] = strings.Join(key, "\x00")
	}
	v.Folds = foldsOf(like)
}

// foldsOf finds what is repeated in a list.
func foldsOf(like []string) (folds []ShapeFold) {
	for i := 0; i < len(like); {
		f := ShapeFold{i, 1, 1}
		for p := 1; p <= maxRound && i+2*p <= len(like); p++ {
			times := 1
			for end := i + p; end+p <= len(like) && slices.Equal(like[i:i+p], like[end:end+p]); end += p {
				times++
			}
			if (times-1)*p > 1 { // a remark takes a line too
				f = ShapeFold{i, p, times}
				break
			}
		}
		folds = append(folds, f)
		i += f.Count * f.Times
	}
	return folds
}

// shapeRow is a row of the table: a call, or a remark in its place.
type shapeRow struct {
	place, name, call, result, bytes, flops string
	results                                 []ShapeOf
	remark                                  string
	failed                                  bool
}

// rows are the rows of the table.
func (v *ShapeRun) rows() (rows []shapeRow) {
	shown, place := 0, ""
	for i, f := range v.Folds {
		if shown >= maxShapeRows && i < len(v.Folds)-1 {
			left := 0
			for _, g := range v.Folds[i : len(v.Folds)-1] {
				left += g.Count * g.Times
			}
			rows = append(rows, shapeRow{remark: fmt.Sprintf("… %s more", draw.Counted(left, "call"))})
			rows = v.foldRows(rows, v.Folds[len(v.Folds)-1], &place)
			break
		}
		rows = v.foldRows(rows, f, &place)
		shown += f.Count
	}
	if v.More > 0 {
		rows = append(rows, shapeRow{remark: fmt.Sprintf("… %s more were not noted", draw.Counted(v.More, "call"))})
	}
	return rows
}

func (v *ShapeRun) foldRows(rows []shapeRow, f ShapeFold, place *string) []shapeRow {
	for i := f.From; i < f.From+f.Count; i++ {
		l := &v.Lines[i]
		r := shapeRow{name: l.label(i + 1), call: v.text(l), result: l.result(), results: l.Results, failed: l.Failed}
		r.bytes, r.flops = l.cost()
		if p := l.place(); p != *place {
			r.place, *place = p, p
		}
		if l.Failed {
			r.name = l.Name
		}
		rows = append(rows, r)
	}
	if f.Times > 1 {
		rows = append(rows, shapeRow{remark: fmt.Sprintf("… and so %d times in all", f.Times)})
	}
	return rows
}
