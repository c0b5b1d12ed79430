package tensor

import (
	"slices"
)

func init() {
	shapes(map[string]Kernel{
		"copy_": copyShape,
		"fill_": fillShape,
		"zero_": func(c *Call) { c.Return(c.Tensor(0)) },
		"clone": func(c *Call) {
			x := c.Tensor(0)
			c.NewStrided(x.shape, x.formatStrides(c.Name(), c.MemoryFormat(1)), x.dtype)
		},
		"_to_copy": toCopyShape,
		"resize_":  resizeShape,
	})
}

func copyShape(c *Call) {
	dst, src := c.Tensor(0), c.Tensor(1)
	c.noNonBlocking(2, src.Device(), dst.Device())
	if _, ok := BroadcastStrides(src.shape, src.stride, dst.shape); !ok {
		shape := src.shape
		for len(shape) > len(dst.shape) && shape[0] == 1 { // sizes of 1 in front fall away, as in an assignment
			shape = shape[1:]
		}
		if _, ok := BroadcastStrides(shape, src.stride[len(src.stride)-len(shape):], dst.shape); !ok {
			panic(Errorf(c.Name(), "the size of the source %v must match or broadcast to the size of the destination %v",
				src.shape, dst.shape).OnArg("src").WithDetails(writeDetails(dst, src)))
		}
		c.args[1].t = src.alias(c.Name(), shape, src.stride[len(src.stride)-len(shape):], src.offset)
	}
	c.Return(dst)
}

func fillShape(c *Call) {
	if v := c.Tensor(1); v != nil && len(v.shape) > 0 {
		panic(Errorf(c.Name(), "fill_ only supports a 0-dimension value tensor but got a tensor with %s",
			plural(len(v.shape), "dimension")).OnArg("value"))
	}
	c.mustFit(1, c.Tensor(0).dtype)
	c.Return(c.Tensor(0))
}

// toCopyShape makes the copy where and of what dtype the options say.
func toCopyShape(c *Call) {
	x := c.Tensor(0)
	if i := c.Op.Param("device"); !c.IsNone(i) {
		c.device = c.DeviceOption()
	}
	c.noNonBlocking(c.Op.Param("non_blocking"), x.Device(), c.device)
	stride, dt := x.formatStrides(c.Name(), c.MemoryFormat(c.Op.Param("memory_format"))), c.DtypeOption(x.dtype)
	if c.device == CPU && c.nonBlocking() && x.st.device.AnswersLater() { // the device writes it when it can
		c.Return(newPinned(c.Name(), x.shape, stride, dt))
		return
	}
	c.NewStrided(x.shape, stride, dt)
}

func resizeShape(c *Call) {
	x, shape := c.Tensor(0), c.Ints(1)
	for _, s := range shape {
		if s < 0 {
			panic(Errorf(c.Name(), "sizes must not be negative, got %v", shape))
		}
	}
	f := c.MemoryFormat(2)
	if f == PreserveFormat {
		panic(Errorf(c.Name(), "memory format %s is not supported", f))
	}
	if !slices.Equal(x.shape, shape) {
		x.resize(c.Name(), shape)
	}
	if s := strides(c.Name(), shape, f); s != nil {
		copy(x.stride, s)
	}
	c.Return(x)
}
