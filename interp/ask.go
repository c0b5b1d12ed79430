package interp

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"gotorch/interp/check"
)

// Complete gives what can stand at the cursor, a byte offset into src.
func (s *Session) Complete(src string, cursor int) check.Completion {
	cursor = min(max(cursor, 0), len(src))
	if c, ok := completeMagic(src, cursor); ok {
		return c
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return check.Complete(s.env, src, cursor)
}

// completeMagic completes %na.
func completeMagic(src string, cursor int) (check.Completion, bool) {
	start := strings.LastIndexByte(src[:cursor], '\n') + 1
	word := src[start:cursor]
	if !strings.HasPrefix(word, "%") || strings.ContainsAny(word, " \t") {
		return check.Completion{}, false
	}
	c := check.Completion{Start: start, End: cursor}
	sign := word[:len(word)-len(strings.TrimLeft(word, "%"))]
	for _, g := range magicGroups {
		for _, m := range g.rows {
			if strings.HasPrefix(m.name, strings.TrimLeft(word, "%")) {
				c.Candidates = append(c.Candidates, check.Candidate{Text: sign + m.name, Type: "magic", Sig: strings.TrimSpace(m.args + " " + m.doc)})
			}
		}
	}
	return c, true
}

// Help is what is known of a name. Fields may be empty.
type Help struct {
	Sig    string // its declaration, or what a command takes
	Doc    string
	Cell   string // where it is defined: "In[3]"
	Value  string // of a variable, in a few words
	Source string // the text of that cell
}

// String is all of it.
func (h Help) String() string {
	parts := []string{h.Sig, h.Doc}
	if h.Cell != "" {
		text := "defined in " + h.Cell
		if h.Value != "" {
			text += "\nvalue: " + h.Value
		}
		parts = append(parts, text)
	}
	parts = append(parts, h.Source)
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "\n\n")
}

// Inspect describes the name at the cursor, with its source if there is one
// and detail is set. It is false when nothing is known.
func (s *Session) Inspect(src string, cursor int, detail bool) (Help, bool) {
	quiet, done := s.quiet()
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.describe(src, min(max(cursor, 0), len(src)), detail, quiet)
}

func (s *Session) describe(src string, cursor int, detail, quiet bool) (Help, bool) {
	if name := strings.TrimLeft(strings.TrimSpace(src), "%"); name != strings.TrimSpace(src) {
		if m, ok := magicNamed(name); ok {
			return Help{Sig: m.describe()}, true
		}
	}
	d, ok := check.Describe(s.env, src, cursor)
	if !ok {
		return Help{}, false
	}
	h := Help{Sig: d.Sig, Doc: strings.TrimRight(d.Doc, "\n")}
	if d.Def != nil {
		h.Cell = shownName(d.Def.Cell)
		if v := s.value(d.Def); v.IsValid() && d.Def.Kind == check.Var {
			h.Value = s.look(d.Def, quiet)
		}
		if detail {
			h.Source = s.sourceOf(d.Def)
		}
	}
	return h, true
}

// sourceOf is the text of the cell that defines a name.
func (s *Session) sourceOf(d *check.Def) string {
	if d == nil {
		return ""
	}
	for _, c := range s.cells {
		if c.name == shownName(d.Cell) {
			return c.text
		}
	}
	return ""
}

// typeOf is the type of a definition in the words of a cell.
func (s *Session) typeOf(d *check.Def) string {
	return types.TypeString(d.Obj.Type(), func(p *types.Package) string {
		if p == d.Obj.Pkg() {
			return ""
		}
		return p.Name()
	})
}

// dtypeOf is what a tensor's method Dtype gives, as text.
func dtypeOf(v any) string {
	m := reflect.ValueOf(v).MethodByName("Dtype")
	if !m.IsValid() || m.Type().NumIn() != 0 || m.Type().NumOut() != 1 {
		return ""
	}
	return fmt.Sprint(m.Call(nil)[0].Interface())
}
