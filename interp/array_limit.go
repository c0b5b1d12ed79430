package interp

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"

	"gotorch/internal/bytesize"
	"gotorch/interp/check"
	"gotorch/interp/syntax"
)

// arrayLimit is how many bytes an array may have. Arrays are allocated wherever their type occurs, before anything
// can ask for room.
const arrayLimit = 1 << 28

// chanElemLimit is the size from which Go rejects the element of a channel.
const chanElemLimit = 1 << 16

var arraySizes = types.SizesFor("gc", "amd64")

// tooBig finds the arrays, the elements of channels and the indices of lists in a cell that would take more memory
// than a cell may ask for at once.
func tooBig(c *check.Checked) (ds syntax.Diagnostics) {
	seen := map[types.Type]bool{}
	for x, tv := range c.Info.Types {
		if ch, ok := tv.Type.Underlying().(*types.Chan); ok && tv.IsType() && elemBytes(ch.Elem()) >= chanElemLimit {
			ds = append(ds, c.At(x.Pos(), x.End(), fmt.Sprintf("an element of the channel has %s: the limit is %s; "+
				"let elements be pointers", bytesize.Text(elemBytes(ch.Elem())), bytesize.Text(chanElemLimit))))
		}
		a, ok := tv.Type.Underlying().(*types.Array)
		if lit, isLit := x.(*ast.CompositeLit); isLit && !ok {
			ds = append(ds, farIndices(c, lit, tv.Type)...)
		}
		if !ok || seen[tv.Type] {
			continue
		}
		seen[tv.Type] = true
		if n := float64(a.Len()) * elemBytes(a.Elem()); n > arrayLimit {
			ds = append(ds, c.At(x.Pos(), x.End(),
				fmt.Sprintf("an array of %s: the limit is %s; make a slice", bytesize.Text(n), bytesize.Text(arrayLimit))))
		}
	}
	return append(ds, tooWide(c)...).Sort()
}

// widest is how many fields a type may have in all, those of its fields' types counted each time: types are written
// out where they are used.
const widest = 1 << 16

// tooWide finds the types of a cell that have too many fields.
func tooWide(c *check.Checked) (ds syntax.Diagnostics) {
	known := map[types.Type]float64{}
	for _, d := range c.Defs {
		if d.Kind != check.Type {
			continue
		}
		if n := fields(d.Obj.Type(), known); n > widest {
			text := fmt.Sprintf("%s has %.6g fields in all: the limit is %d; let fields be pointers", d.Name, n, widest)
			ds = append(ds, c.At(d.Pos, d.Pos, text))
		}
	}
	return ds
}

// fields is how many fields a type has, and those of its fields, written out; a type within itself counts as one.
func fields(t types.Type, known map[types.Type]float64) (n float64) {
	if n, ok := known[t]; ok {
		return n
	}
	known[t] = 1
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for f := range u.Fields() {
			n += fields(f.Type(), known)
		}
	case *types.Array:
		n = fields(u.Elem(), known)
	}
	n = max(n, 1)
	known[t] = n
	return n
}

// elemBytes is the size of an array's elements, which may be arrays.
func elemBytes(t types.Type) (n float64) {
	if a, ok := t.Underlying().(*types.Array); ok {
		return float64(a.Len()) * elemBytes(a.Elem())
	}
	defer func() {
		if recover() != nil { // a type parameter
			n = 8
		}
	}()
	return max(0, float64(arraySizes.Sizeof(t)))
}

// farIndices are the constant indices of a list's elements that make it too long.
func farIndices(c *check.Checked, lit *ast.CompositeLit, t types.Type) (ds syntax.Diagnostics) {
	s, ok := t.Underlying().(*types.Slice)
	if !ok {
		return nil
	}
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if v := c.Info.Types[kv.Key].Value; v != nil {
			if i, exact := constant.Int64Val(constant.ToInt(v)); exact && float64(i)*elemBytes(s.Elem()) > arrayLimit {
				ds = append(ds, c.At(kv.Key.Pos(), kv.Key.End(),
					fmt.Sprintf("a list of %s: the limit is %s", bytesize.Text(float64(i)*elemBytes(s.Elem())),
						bytesize.Text(arrayLimit))))
			}
		}
	}
	return ds
}
