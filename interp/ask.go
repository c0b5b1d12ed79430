package interp

import (
	"fmt"
	"go/types"
	"reflect"
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

// Inspect describes the name at the cursor, with its source if there is one
// and detail is set. It is false when nothing is known.
func (s *Session) Inspect(src string, cursor int, detail bool) (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.describe(src, min(max(cursor, 0), len(src)), detail)
}

func (s *Session) describe(src string, cursor int, detail bool) (string, bool) {
	if name := strings.TrimLeft(strings.TrimSpace(src), "%"); name != strings.TrimSpace(src) {
		if m, ok := magicNamed(name); ok {
			return m.describe(), true
		}
	}
	d, ok := check.Describe(s.env, src, cursor)
	if !ok {
		return "", false
	}
	var b strings.Builder
	b.WriteString(d.Sig)
	if d.Doc != "" {
		b.WriteString("\n\n" + strings.TrimRight(d.Doc, "\n"))
	}
	if d.Def != nil {
		fmt.Fprintf(&b, "\n\ndefined in %s", shownName(d.Def.Cell))
		if v := s.value(d.Def); v.IsValid() && d.Def.Kind == check.Var {
			if sum := s.summary(d.Def); sum != "" {
				b.WriteString("\nvalue: " + sum)
			}
		}
		if detail {
			if text := s.sourceOf(d.Def); text != "" {
				b.WriteString("\n\n" + text)
			}
		}
	}
	return strings.TrimLeft(b.String(), "\n"), true
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
