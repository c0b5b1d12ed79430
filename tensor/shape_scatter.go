package tensor

import "fmt"

// Shape functions of gather and scatter, whose index has a place for every element.

func init() {
	shapes(map[string]Kernel{
		"gather": func(c *Call) {
			x, index := c.Tensor(0), c.Tensor(2)
			d := c.wrapDim(1, c.Int(1), len(x.shape))
			c.int64Index(index)
			c.noSparse(3)
			if index.numel > 0 {
				indexFits(c, d, x.shape, index.shape, "self", false)
			}
			c.ExactOut(x.dtype, x, index)
			c.New(index.shape, x.dtype)
		},
		"scatter": func(c *Call) {
			if !c.IsNone(4) {
				reduceIs(c, c.Str(4), "add", "multiply")
			}
			if s, ok := c.Scalar(3); ok {
				d := c.wrapDim(1, c.Int(1), len(c.Tensor(0).shape))
				c.int64Index(c.Tensor(2))
				if s.IsComplex() && !c.Tensor(0).dtype.IsComplex() {
					panic(Errorf(c.Name(), "a complex value cannot be scattered into a tensor of %v", c.Tensor(0).dtype).OnArg("src"))
				}
				if c.IsNone(4) {
					c.mustFit(3, c.Tensor(0).dtype)
				}
				if c.Tensor(2).numel > 0 {
					indexFits(c, d, c.Tensor(0).shape, c.Tensor(2).shape, "self", false)
				}
				c.changed()
				return
			}
			scatterShape(c)
		},
		"scatter_add": scatterShape,
		"scatter_reduce": func(c *Call) {
			reduceIs(c, c.Str(4), "sum", "prod", "mean", "amax", "amin")
			scatterShape(c)
		},
	})
}

// reduceIs checks the name of a way to combine.
func reduceIs(c *Call, got string, known ...string) {
	for _, k := range known {
		if got == k {
			return
		}
	}
	panic(Errorf(c.Name(), "reduce must be one of %q, not %q", known, got).OnArg("reduce"))
}

func scatterShape(c *Call) {
	x, index, src := c.Tensor(0), c.Tensor(2), c.Tensor(3)
	d := c.wrapDim(1, c.Int(1), len(x.shape))
	c.int64Index(index)
	c.sameDtype("src", src)
	if index.numel > 0 {
		indexFits(c, d, x.shape, index.shape, "self", false)
		indexFits(c, d, src.shape, index.shape, "src", true)
	}
	c.changed()
}

// indexFits checks that index reaches no farther than the tensor called name in any dimension, d excepted unless all
// counts.
func indexFits(c *Call, d int, shape, index []int, name string, all bool) {
	wrong := func(msg string) {
		panic(Errorf(c.Name(), "%s: index %v, %s %v, dim %d", msg, index, name, shape, d).OnArg("index"))
	}
	if max(len(index), 1) != max(len(shape), 1) {
		wrong("index must have the same number of dimensions as " + name)
	}
	for i, n := range index {
		have := 1
		if i < len(shape) {
			have = shape[i]
		}
		if (all || i != d) && n > have {
			wrong(fmt.Sprintf("size %d of index at dimension %d is greater than that of %s, %d", n, i, name, have))
		}
	}
}
