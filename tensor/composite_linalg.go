package tensor

import "math"

// Linear algebra that is other operators in a row.

func init() {
	composites(map[string]Kernel{
		"logdet": func(c *Call) {
			sign, log := LinalgSlogdet(c.Tensor(0))
			if sign.dtype.IsComplex() {
				c.Return(sign.Log().Add(log))
				return
			}
			c.Return(Where(sign.Eq(-1), math.NaN(), log))
		},
		"triangular_solve": func(c *Call) {
			b, a, upper := c.Tensor(0), c.Tensor(1), c.Bool(2)
			x := a
			if c.Bool(3) {
				wantMatrices(c, 1, a)
				x, upper = a.MT(), !upper
			}
			c.Return(LinalgSolveTriangular(x, b, optUpper(upper), optUnitriangular(c.Bool(4))), a.Clone())
		},
		"lu_solve": func(c *Call) { c.Return(LinalgLuSolve(c.Tensor(1), c.Tensor(2), c.Tensor(0))) },
		"linalg.lu": func(c *Call) {
			lu, pivots, _ := LinalgLuFactorEx(c.Tensor(0), optPivot(c.Bool(1)))
			c.Return(three(LuUnpack(lu, pivots))...)
		},
	})
}

// three makes a list of three results.
func three(x, y, z *Tensor) []*Tensor { return []*Tensor{x, y, z} }

// wantMatrices panics if argument i has fewer than two dimensions.
func wantMatrices(c *Call, i int, x *Tensor) {
	if len(x.shape) < 2 {
		p := c.Op.Params[i].Name
		panic(Errorf(c.Name(), "%s must be a matrix or a batch of matrices, of at least 2 dimensions, but it has %d", p,
			len(x.shape)).OnArg(p))
	}
}
