package interp

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"gotorch/interp/check"
	"gotorch/interp/lower"
)

// Note: what functions keep
//
// A function that is defined again with the same signature, and a variable with the same type, take the place of the
// old ones: functions of earlier cells see them. One with another signature or type cannot, and neither can a
// constant, whose value is part of what a function was made of, nor a type: such functions go on with what they were
// made with, and the cell that defines the name again says which those are.

// user is a function or method of a cell and the definitions that it was made with.
type user struct {
	name string     // "f" or "T.M"
	def  *check.Def // the function, or the type that the method is of
	uses map[*check.Def]bool
}

// uses finds what the functions of a cell use.
func uses(c *check.Checked) []*user {
	var out []*user
	for _, d := range c.Decls {
		fd, ok := d.(*ast.FuncDecl)
		if !ok || fd.Body == nil {
			continue
		}
		u := &user{name: fd.Name.Name, uses: map[*check.Def]bool{}}
		if o := c.Info.Defs[fd.Name]; o != nil {
			u.def = c.Def(o)
		}
		for _, m := range c.Methods {
			if m.Decl == fd {
				u.def, u.name = m.Recv, m.Recv.Name+"."+fd.Name.Name
			}
		}
		if u.def == nil {
			continue
		}
		ast.Inspect(fd, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if o := c.Info.Uses[id]; o != nil {
					if d := c.Def(o); d != nil && d != u.def {
						u.uses[d] = true
					}
				}
			}
			return true
		})
		out = append(out, u)
	}
	return out
}

// stale returns a note about the functions that a cell's definitions leave behind, or "". It is called when the cell
// has been committed, while Prev still says what was defined before.
func (s *Session) stale(c *check.Checked, kept func(*check.Def) bool) string {
	if s.users == nil {
		s.users = map[string]*user{}
	}
	for _, u := range uses(c) {
		s.users[u.name] = u
	}
	var notes []string
	for _, d := range c.Defs {
		if d.Prev == nil || !kept(d) {
			continue
		}
		if !replaced(d) { // what uses the one uses the other
			for _, u := range s.users {
				if u.uses[d.Prev] {
					delete(u.uses, d.Prev)
					u.uses[d] = true
				}
			}
			continue
		}
		var names []string
		for name, u := range s.users {
			switch {
			case s.env.Lookup(u.def.Name) != u.def:
				delete(s.users, name)
			case u.uses[d.Prev]:
				names = append(names, name)
			}
		}
		if slices.Sort(names); len(names) > 0 {
			verb, them := "uses", "it"
			if len(names) > 1 {
				verb, them = "use", "them"
			}
			notes = append(notes, fmt.Sprintf("note: %s still %s the %s of %s; define %s again to use this one\n",
				strings.Join(names, ", "), verb, d.Name, d.Prev.Cell, them))
		}
	}
	return strings.Join(notes, "")
}

// replaced reports whether functions of earlier cells do not see a definition that takes the place of another.
func replaced(d *check.Def) bool {
	old, _ := d.Prev.Engine.(*lower.Symbol)
	now, _ := d.Engine.(*lower.Symbol)
	switch {
	case d.Kind != d.Prev.Kind:
		return true
	case d.Kind == check.Const:
		return d.Val.Kind() != d.Prev.Val.Kind() || d.Val.ExactString() != d.Prev.Val.ExactString() ||
			!types.Identical(d.Type(), d.Prev.Type())
	case old == nil || now == nil:
		return true
	}
	return !now.Replaces(old)
}
