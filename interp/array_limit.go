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

var arraySizes = types.SizesFor("gc", "amd64")

// tooBig finds the arrays and the indices of lists in a cell that would take more memory than a cell may ask for at
// once.
func tooBig(c *check.Checked) (ds syntax.Diagnostics) {
	seen := map[types.Type]bool{}
	for x, tv := range c.Info.Types {
		a, ok := tv.Type.Underlying().(*types.Array)
		if lit, isLit := x.(*ast.CompositeLit); isLit && !ok {
			ds = append(ds, farIndices(c, lit, tv.Type)...)
		}
		if !ok || seen[tv.Type] {
			continue
		}
		seen[tv.Type] = true
		if n := float64(a.Len()) * elemBytes(a.Elem()); n > arrayLimit {
			ds = append(ds, c.Cell.At(x.Pos(), x.End(), fmt.Sprintf("an array of %s: the limit is %s; make a slice", bytesize.Text(n), bytesize.Text(arrayLimit))))
		}
	}
	return ds.Sort()
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
				ds = append(ds, c.Cell.At(kv.Key.Pos(), kv.Key.End(), fmt.Sprintf("a list of %s: the limit is %s", bytesize.Text(float64(i)*elemBytes(s.Elem())), bytesize.Text(arrayLimit))))
			}
		}
	}
	return ds
}
