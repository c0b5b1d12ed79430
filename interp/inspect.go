package interp

import (
	"fmt"
	"go/doc/comment"
	"gotorch/interp/check"
	"gotorch/interp/hints"
	"gotorch/interp/rt"
	"gotorch/interp/shell"
	"gotorch/interp/values"
	"reflect"
	"strings"
)

// Inspect describes the name at the cursor, with its source if there is one and detail is set; where the cursor is at
// no name, the function whose arguments surround it. It is false when nothing is known.
func (s *Session) Inspect(src string, cursor int, detail bool) (Help, bool) {
	quiet, done := s.quiet()
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	src, cursor, _ = partNear(src, min(max(cursor, 0), len(src)))
	return s.describe(src, cursor, detail, quiet)
}

func (s *Session) describe(src string, cursor int, detail, quiet bool) (h Help, ok bool) {
	if h, ok := shell.HelpAt(src, cursor); ok {
		return h, true
	}
	src, _ = shell.AsGo(src, cursor)
	src, shift := s.withLast(src, cursor)
	d, say, ok := s.torchName(src)
	if !ok {
		if d, ok = check.Describe(s.env, src, cursor+shift); !ok {
			return h, false
		}
	}
	h.Sig, h.Doc = d.Sig, unbroken(d.Doc)
	if say != "" {
		h.Doc = strings.TrimSuffix(say+"\n\n"+h.Doc, "\n\n")
	}
	if d.Path == check.TensorPath {
		h.AboutOperator(d.Name, d.Kind == "method", detail)
	}
	if d.Def != nil {
		h.Cell = check.CellName(d.Def.Cell)
		if v := values.Of(d.Def); v.IsValid() && d.Def.Kind == check.Var {
			h.Value = s.look(d.Def, quiet)
			if quiet {
				h.More = printed(v, &h.Value)
			}
		}
		if detail {
			h.Source = s.sourceOf(d.Def)
		}
	}
	return h, true
}

// torchName describes a name of PyTorch's, torch.optim.Adam, by its counterpart, or says why there is none.
func (s *Session) torchName(src string) (d check.Description, say string, ok bool) {
	full := strings.TrimSpace(src)
	if !strings.HasPrefix(full, "torch.") || strings.ContainsAny(full, " \t\n(),=") {
		return d, "", false
	}
	goName, say, ok := hints.Names{Env: s.env, Safe: s.opts.Safe}.Torch(full)
	if goName == "" {
		return d, say, ok
	}
	if d, ok = check.Describe(s.env, goName, len(goName)); ok && !sameName(full, goName) {
		say = full + " is " + goName + " here."
	}
	return d, say, ok
}

// sameName reports whether the last parts of two names are the same but for case and underscores.
func sameName(torch, goName string) bool {
	last := func(name string) string {
		return strings.ToLower(strings.ReplaceAll(name[strings.LastIndexByte(name, '.')+1:], "_", ""))
	}
	return last(torch) == last(goName)
}

// unbroken is a doc comment with each paragraph in one line: where lines end is the business of what shows it. Links
// lose their brackets.
func unbroken(doc string) string {
	p := comment.Parser{LookupSym: func(string, string) bool { return true }}
	return strings.TrimRight(string((&comment.Printer{TextWidth: -1}).Text(p.Parse(doc))), "\n")
}

// valueLines is how many lines of a value help shows.
const valueLines = 12

// printed is a variable's value as it is printed, where that says more than a few words, to which what a tensor is
// made of is added.
func printed(v reflect.Value, words *string) string {
	if x, ok := values.Tensor(v); ok {
		*words += fmt.Sprintf(", stride %v", x.Stride())
		if x.RequiresGrad() {
			*words += ", requires grad"
		}
	}
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array:
		if v.Len() > 1000 { // it takes long to write
			*words = fmt.Sprintf("%d elements", v.Len())
			return ""
		}
	}
	if !v.CanInterface() {
		return ""
	}
	text := values.Text(v, rt.Limits{Items: 1000, Bytes: 64 << 10})
	if text == *words {
		return ""
	}
	value := strings.Split(text, "\n")
	if n := len(value); n > valueLines {
		value = append(value[:valueLines-1], fmt.Sprintf("… %d lines more", n-valueLines+1))
	}
	for i, l := range value {
		if r := []rune(l); len(r) > 500 {
			value[i] = string(r[:500]) + " …"
		}
	}
	return strings.Join(value, "\n")
}

// sourceOf is the text of the cell that defines a name.
func (s *Session) sourceOf(d *check.Def) string {
	if d == nil {
		return ""
	}
	for _, c := range s.cells {
		if c.name == check.CellName(d.Cell) {
			return c.text
		}
	}
	return ""
}
