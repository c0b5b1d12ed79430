package lower

import (
	"go/types"
	"strconv"
	"strings"
)

// shownName is a type's name as %T gives it: package reflect's way of writing types.
func (k *cell) shownName(u *unit, t types.Type) string {
	var b strings.Builder
	k.writeShown(&b, u, t, (*types.Package).Name)
	return b.String()
}

func (k *cell) writeShown(b *strings.Builder, u *unit, t types.Type, qualify func(*types.Package) string) {
	write := func(t types.Type) { k.writeShown(b, u, t, qualify) }
	switch t := types.Unalias(k.in(u, t)).(type) {
	case *types.Basic:
		b.WriteString(basicName(t))
	case *types.Pointer:
		b.WriteByte('*')
		write(t.Elem())
	case *types.Slice:
		b.WriteString("[]")
		write(t.Elem())
	case *types.Array:
		b.WriteString("[" + strconv.FormatInt(t.Len(), 10) + "]")
		write(t.Elem())
	case *types.Map:
		b.WriteString("map[")
		write(t.Key())
		b.WriteByte(']')
		write(t.Elem())
	case *types.Chan:
		b.WriteString(map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ",
			types.RecvOnly: "<-chan "}[t.Dir()])
		if c, ok := types.Unalias(t.Elem()).(*types.Chan); ok && c.Dir() == types.RecvOnly &&
			t.Dir() != types.RecvOnly {
			b.WriteByte('(')
			write(c)
			b.WriteByte(')')
			return
		}
		write(t.Elem())
	case *types.Signature:
		b.WriteString("func")
		k.writeShownSig(b, u, t, qualify)
	case *types.Struct:
		b.WriteString("struct {")
		for i := range t.NumFields() {
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteByte(' ')
			if !t.Field(i).Embedded() {
				b.WriteString(t.Field(i).Name() + " ")
			}
			write(t.Field(i).Type())
			if tag := t.Tag(i); tag != "" {
				b.WriteString(" " + strconv.Quote(tag))
			}
		}
		if t.NumFields() > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case *types.Interface:
		b.WriteString("interface {")
		for i := range t.NumMethods() {
			if i > 0 {
				b.WriteByte(';')
			}
			b.WriteString(" " + t.Method(i).Name())
			k.writeShownSig(b, u, t.Method(i).Type().(*types.Signature), qualify)
		}
		if t.NumMethods() > 0 {
			b.WriteByte(' ')
		}
		b.WriteByte('}')
	case *types.Named:
		if p := t.Obj().Pkg(); p != nil {
			b.WriteString(qualify(p) + ".")
		}
		b.WriteString(t.Obj().Name())
		if n := t.TypeArgs().Len(); n > 0 {
			b.WriteByte('[')
			for i := range n {
				if i > 0 {
					b.WriteByte(',')
				}
				k.writeShown(b, u, t.TypeArgs().At(i), (*types.Package).Path)
			}
			b.WriteByte(']')
		}
	default:
		b.WriteString(types.TypeString(t, func(p *types.Package) string { return p.Name() }))
	}
}

func (k *cell) writeShownSig(b *strings.Builder, u *unit, s *types.Signature, qualify func(*types.Package) string) {
	b.WriteByte('(')
	for i := range s.Params().Len() {
		if i > 0 {
			b.WriteString(", ")
		}
		t := k.in(u, s.Params().At(i).Type())
		if sl, ok := t.Underlying().(*types.Slice); ok && s.Variadic() && i == s.Params().Len()-1 {
			b.WriteString("...")
			t = sl.Elem()
		}
		k.writeShown(b, u, t, qualify)
	}
	b.WriteByte(')')
	switch n := s.Results().Len(); {
	case n == 1:
		b.WriteByte(' ')
		k.writeShown(b, u, s.Results().At(0).Type(), qualify)
	case n > 1:
		b.WriteString(" (")
		for i := range n {
			if i > 0 {
				b.WriteString(", ")
			}
			k.writeShown(b, u, s.Results().At(i).Type(), qualify)
		}
		b.WriteByte(')')
	}
}
