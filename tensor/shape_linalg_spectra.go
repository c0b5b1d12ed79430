package tensor

import (
	"slices"
	"strings"
)

// Shape functions of orthogonal factors, singular values and eigenvalues.

func init() {
	shapes(map[string]Kernel{
		"linalg.qr": qrShape,
		"geqrf": func(c *Call) {
			x, batch, m, n := c.matrices(0)
			c.New(x.shape, x.dtype)
			c.New(join(batch, min(m, n)), x.dtype)
		},
		"linalg.householder_product": func(c *Call) { x, _, _ := c.reflectors(); c.New(x.shape, x.dtype) },
		"ormqr":                      ormqrShape,
		"linalg.eigh": func(c *Call) {
			x, batch, n := c.squares(0)
			c.checkUplo()
			c.New(join(batch, n), x.dtype.ToReal())
			c.New(x.shape, x.dtype)
		},
		"linalg.eigvalsh": func(c *Call) {
			x, batch, n := c.squares(0)
			c.checkUplo()
			c.New(join(batch, n), x.dtype.ToReal())
		},
		"linalg.svd": func(c *Call) {
			x, batch, m, n := c.matrices(0)
			c.noDriver(2)
			k := min(m, n)
			u, v := k, k
			if c.Bool(1) {
				u, v = m, n
			}
			c.New(join(batch, m, u), x.dtype)
			c.New(join(batch, k), x.dtype.ToReal())
			c.New(join(batch, v, n), x.dtype)
		},
		"linalg.svdvals": func(c *Call) {
			x, batch, m, n := c.matrices(0)
			c.noDriver(1)
			c.New(join(batch, min(m, n)), x.dtype.ToReal())
		},
	})
}

func qrShape(c *Call) {
	x, batch, m, n := c.matrices(0)
	k := min(m, n)
	switch mode := c.Str(1); mode {
	case "reduced":
		c.New(join(batch, m, k), x.dtype)
		c.New(join(batch, k, n), x.dtype)
	case "complete":
		c.New(join(batch, m, m), x.dtype)
		c.New(join(batch, m, n), x.dtype)
	case "r":
		c.New([]int{0}, x.dtype)
		c.New(join(batch, k, n), x.dtype)
	default:
		panic(Errorf(c.Name(), `mode must be "reduced", "complete" or "r", not %q`, mode).OnArg("mode"))
	}
}

// reflectors checks arguments 0 and 1: vectors below the diagonals of matrices that are at least as high as wide, and
// a factor for each.
func (c *Call) reflectors() (x *Tensor, batch []int, k int) {
	x, batch, m, n := c.matrices(0)
	tau, p := c.Tensor(1), c.Op.Params
	d := len(tau.shape)
	if d > 0 {
		k = tau.shape[d-1]
	}
	switch {
	case m < n:
		panic(Errorf(c.Name(), "%s must have at least as many rows as columns, but has %d and %d", p[0].Name, m, n).
			OnArg(p[0].Name))
	case d != len(batch)+1 || !slices.Equal(tau.shape[:d-1], batch):
		panic(Errorf(c.Name(), "%s must have the batch dimensions of %s and one more, but the shapes are %v and %v",
			p[1].Name, p[0].Name, tau.shape, x.shape).OnArg(p[1].Name))
	case k > n:
		panic(Errorf(c.Name(), "%s has %d factors, for %d columns of %s", p[1].Name, k, n, p[0].Name).OnArg(p[1].Name))
	}
	c.sameField(0, 1)
	return x, batch, k
}

func ormqrShape(c *Call) {
	x, batch, m, n := c.matrices(0)
	tau, p := c.Tensor(1), c.Op.Params
	other, batchO, rows, cols := c.matrices(2)
	c.sameField(0, 1)
	c.sameField(0, 2)
	size, which := cols, "columns"
	if c.Bool(3) {
		size, which = rows, "rows"
	}
	d := len(tau.shape)
	switch {
	case size != m:
		panic(Errorf(c.Name(), "%s must have as many %s as %s has rows, %d, but has %d", p[2].Name, which, p[0].Name, m,
			size).OnArg(p[2].Name))
	case d != len(batch)+1 || !slices.Equal(tau.shape[:d-1], batch):
		panic(Errorf(c.Name(), "%s must have the batch dimensions of %s and one more, but the shapes are %v and %v",
			p[1].Name, p[0].Name, tau.shape, x.shape).OnArg(p[1].Name))
	case tau.shape[d-1] > min(m, n):
		panic(Errorf(c.Name(), "%s has %d factors, for matrices of %d rows and %d columns", p[1].Name, tau.shape[d-1], m,
			n).OnArg(p[1].Name))
	case !slices.Equal(batch, batchO):
		panic(Errorf(c.Name(), "the batch dimensions of %s and %s must be equal, but the shapes are %v and %v", p[0].Name,
			p[2].Name, x.shape, other.shape).OnArg(p[2].Name))
	}
	c.New(other.shape, other.dtype)
}

// checkUplo panics unless argument 1 names a triangle.
func (c *Call) checkUplo() {
	if s := strings.ToUpper(c.Str(1)); s != "L" && s != "U" {
		panic(Errorf(c.Name(), `UPLO must be "L" or "U", not %q`, c.Str(1)).OnArg("UPLO"))
	}
}

// noDriver panics where argument i chooses a library of another device.
func (c *Call) noDriver(i int) {
	if !c.IsNone(i) {
		panic(Errorf(c.Name(), "driver chooses among the libraries of CUDA; on %v there is one way", c.device).
			OnArg("driver"))
	}
}
