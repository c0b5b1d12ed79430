package shapes

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/internal/sizes"
	"gotorch/tensor"
	"gotorch/visualize/draw"
)

// SymbolicView shows what shapes go through a user's code as expressions of letters, and what has to hold for them.
type SymbolicView struct {
	Inputs []SymbolicTensor `json:"inputs"`
	Lines  []SymbolicLine   `json:"lines"`
	Folds  []ShapeFold      `json:"folds"`
	Guards []SymbolicGuard  `json:"guards,omitempty"`
	Result []SymbolicTensor `json:"result,omitempty"`
	Notes  []string         `json:"notes,omitempty"` // what was not found out

	// Why no run came to its end, or where shapes depend on data.
	Error string `json:"error,omitempty"`
	At    string `json:"at,omitempty"`

	// What the view rests on: it was run for so many different sizes. Within keep the guards, and agree with all
	// expressions; Beyond do not, and each of them fails or does something else. Fresh were tried after the rules had
	// been found, and spoke for them.
	Runs   int    `json:"runs"`
	Within int    `json:"within"`
	Beyond int    `json:"beyond"`
	Fresh  int    `json:"fresh"`
	Most   string `json:"most"` // how large sizes were: B ≤ 200, T ≤ 128
	// Exact: the guards tell apart all sizes that were tried. Where it is false the view says what they do not.
	Exact bool `json:"exact"`

	found *sizes.Found // nil of what was read from JSON
	names []string
}

// ShapesAt gives the shapes of the result for sizes, by letter, by the expressions alone: nothing is run. A whole
// number is a shape of one size, and -1 is a size for which there is no expression. ok is false where a guard does not
// hold: the shapes are then others, or there are none; also where v is not exact, has no result, or was read from
// JSON. It panics with an *Error where a letter has no size.
func (v *SymbolicView) ShapesAt(values map[string]int) (shapes [][]int, ok bool) {
	if v.found == nil || v.Error != "" || !v.Exact {
		return nil, false
	}
	at := make([]int, len(v.names))
	for i, n := range v.names {
		size, given := values[n]
		if !given {
			panic(tensor.Errorf("shapes", "the letter %s has no size", n))
		}
		at[i] = size
	}
	from := 0
	for _, t := range v.Result {
		shape := []int{}
		for _, s := range v.found.Result[from : from+len(t.Shape)] {
			n, ok := s.Expr.Eval(at)
			if !ok || !s.Known {
				n = -1
			}
			shape = append(shape, n)
		}
		from += len(t.Shape)
		shapes = append(shapes, shape)
	}
	return shapes, v.found.Within(at)
}

// SymbolicTensor is a tensor whose sizes are expressions, or a whole number that is one.
type SymbolicTensor struct {
	Name  string   `json:"name,omitempty"`
	Dtype string   `json:"dtype"` // "int" of a number
	Shape []string `json:"shape"`
}

// wholeNumber is the Dtype of a number.
const wholeNumber = "int"

// SymbolicLine is a call.
type SymbolicLine struct {
	Place   string           `json:"place,omitempty"`
	Name    string           `json:"name,omitempty"`
	Op      string           `json:"op"`
	Call    string           `json:"call"`
	Results []SymbolicTensor `json:"results,omitempty"`
	Note    string           `json:"note,omitempty"` // view, in place, as it is
	Failed  bool             `json:"failed,omitempty"`
}

// SymbolicGuard is what has to hold for a call to do what is shown.
type SymbolicGuard struct {
	Conds []string `json:"conds"`
	Line  int      `json:"line"` // the call, from 1; 0 for the result
	Place string   `json:"place,omitempty"`
	Op    string   `json:"op"`
	Else  string   `json:"else"` // what happens otherwise
	// Left are sizes that keep the conditions and differ all the same: no rule was found for them.
	Left []string `json:"left,omitempty"`
}

// label is what the result of a line, the nth, is called.
func (l *SymbolicLine) label(n int) string {
	if l.Name != "" {
		return draw.Clip(l.Name, draw.MaxName)
	}
	return fmt.Sprintf("#%d", n)
}

// result is [B, 10] float32.
func (l *SymbolicLine) result() string {
	if l.Failed {
		return "✗"
	}
	return shownTensors(l.Results)
}

// shownTensors writes tensors; of many the first and the last.
func shownTensors(all []SymbolicTensor) string {
	var parts []string
	for i, t := range all {
		if len(all) > 4 && i == 3 {
			parts = append(parts, fmt.Sprintf("… %d more", len(all)-i))
			break
		}
		text := bracketed(t.Shape)
		if t.Dtype == wholeNumber {
			text = t.Shape[0]
		}
		if i+1 == len(all) || all[i+1].Dtype != t.Dtype || len(all) > 4 && i == 2 {
			text += " " + t.Dtype
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

// fold folds what is repeated.
func (v *SymbolicView) fold() {
	like := make([]string, len(v.Lines))
	for i := range v.Lines {
		l := &v.Lines[i]
		shape, _, _ := strings.Cut(l.Call, "(")
		like[i] = strings.Join([]string{l.Place, l.Name, shape, l.result()}, "\x00")
	}
	v.Folds = foldsOf(like)
}

// symbolicRow is a row of the table: a call, or a remark in its place.
type symbolicRow struct {
	place, name string
	line        *SymbolicLine
	remark      string
}

// rows are the rows of the table.
func (v *SymbolicView) rows() (rows []symbolicRow) {
	place := ""
	for _, f := range v.Folds {
		if len(rows) >= maxShapeRows {
			left := draw.Counted(len(v.Lines)-f.From, "call")
			rows = append(rows, symbolicRow{remark: "… " + left + " more"})
			break
		}
		for i := f.From; i < f.From+f.Count; i++ {
			l := &v.Lines[i]
			r := symbolicRow{name: l.label(i + 1), line: l}
			if l.Failed {
				r.name = l.Name
			}
			if l.Place != place {
				r.place, place = l.Place, l.Place
			}
			rows = append(rows, r)
		}
		if f.Times > 1 {
			rows = append(rows, symbolicRow{remark: fmt.Sprintf("… and so %d times in all", f.Times)})
		}
	}
	return rows
}

// tried says what the view rests on.
func (v *SymbolicView) tried() string {
	text := fmt.Sprintf("Tried with %s (%s)", draw.Counted(v.Runs, "choice")+" of sizes", v.Most)
	switch {
	case strings.HasPrefix(v.Error, "it fails"):
	case len(v.Guards) == 0 && v.Beyond == 0:
		text += ": all agree"
	default:
		text += fmt.Sprintf(": %d agree, and the %d others fail or differ", v.Within, v.Beyond)
	}
	if v.Fresh > 0 {
		text += fmt.Sprintf("; %d of them came last, as a test", v.Fresh)
	}
	return text + ". That is evidence and no proof."
}

// conditions are all conditions of the guards.
func (v *SymbolicView) conditions() (all []string) {
	for _, g := range v.Guards {
		for _, c := range g.Conds {
			if !slices.Contains(all, c) {
				all = append(all, c)
			}
		}
	}
	return all
}
