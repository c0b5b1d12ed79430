package tensor

// Bodies of conversions: self if it is already what was asked for, else a copy.

func init() {
	bodies := map[string]Kernel{
		"contiguous": func(c *Call) {
			x, f := c.Tensor(0), c.MemoryFormat(1)
			switch {
			case f == PreserveFormat:
				panic(Errorf(c.Name(), "memory format %s is not an order that a tensor could have", f))
			case isContiguous(x.shape, x.stride, f):
				c.Return(x)
				return
			case f == NoFormat:
				f = ContiguousFormat
			}
			c.Return(x.Clone(f))
		},
		"to": func(c *Call) {
			d := c.Tensor(0).Device()
			if !c.IsNone(1) {
				d = c.arg(1).x.(Device)
			}
			c.noNonBlocking(3, c.Tensor(0).Device(), d)
			c.convertTo(d, c.Dtype(2), c.Bool(4), c.MemoryFormat(6))
		},
		"to.dtype": func(c *Call) { c.convertTo(c.Tensor(0).Device(), c.Dtype(1), c.Bool(3), c.MemoryFormat(4)) },
		"to.other": func(c *Call) {
			y := c.Tensor(1)
			c.noNonBlocking(2, c.Tensor(0).Device(), y.Device())
			c.convertTo(y.Device(), y.dtype, c.Bool(3), c.MemoryFormat(4))
		},
		"type_as": func(c *Call) {
			y := c.Tensor(1)
			c.convertTo(y.Device(), y.dtype, false, NoFormat)
		},
		"resize_as_": func(c *Call) {
			like, f := c.Tensor(1), c.MemoryFormat(2)
			if f == PreserveFormat {
				f = like.suggestedFormat()
			}
			if f == NoFormat {
				f = ContiguousFormat
			}
			c.Return(c.Tensor(0).Resize_(like.shape, f))
		},
		"cpu": func(c *Call) { c.convertTo(CPU, NoDtype, false, c.MemoryFormat(1)) },
	}
	for name, dt := range map[string]Dtype{"float": Float32, "double": Float64, "half": Float16, "bfloat16": Bfloat16,
		"int": Int32, "long": Int64,
		"short": Int16, "char": Int8, "byte": Uint8, "bool": Bool, "cfloat": Complex64, "cdouble": Complex128} {
		bodies[name] = func(c *Call) { c.convertTo(c.Tensor(0).Device(), dt, false, c.MemoryFormat(1)) }
	}
	passes(bodies)
}

// convertTo returns the first argument on d as dt (its own for NoDtype), a copy where something changes or one was
// asked for.
func (c *Call) convertTo(d Device, dt Dtype, copy bool, f MemoryFormat) {
	x := c.Tensor(0)
	if dt == NoDtype {
		dt = x.dtype
	}
	if f == NoFormat {
		f = PreserveFormat
	}
	if s := CurrentScope(); s != nil && s.Substitute != nil {
		d = x.Device()
	}
	if x.Device() == Meta && d != Meta {
		panic(Errorf(c.Name(), "cannot copy out of a meta tensor: it has no data"))
	}
	if dt == x.dtype && d == x.Device() && !copy && (f == PreserveFormat || f == x.suggestedFormat()) {
		c.Return(x)
		return
	}
	if c.nonBlocking() {
		c.Return(callToCopy(x, dt, d, f, NewOption("non_blocking", true)))
		return
	}
	c.Return(callToCopy(x, dt, d, f))
}

// suggestedFormat is the memory format that x's strides have: channels last, or contiguous for all else.
func (x *Tensor) suggestedFormat() MemoryFormat {
	for _, f := range []MemoryFormat{ChannelsLast, ChannelsLast3d} {
		if channelsLastStrides(x.shape, x.stride, f) {
			return f
		}
	}
	return ContiguousFormat
}

// channelsLastStrides reports whether strides grow in the order of f; holes are allowed. Shapes that would be
// row-major as well are not taken for channels last.
func channelsLastStrides(shape, stride []int, f MemoryFormat) bool {
	order := formatOrder(len(shape), f)
	if order == nil || stride[1] == 0 {
		return false
	}
	least := 0
	for i := len(order) - 1; i >= 0; i-- { // channels first, the batch last
		d := order[i]
		if shape[d] == 0 || stride[d] < least || d == 0 && least == stride[1] {
			return false
		}
		least = stride[d]
		if shape[d] > 1 {
			least *= shape[d]
		}
	}
	return true
}

// A tensor as an argument of To stands for its device and dtype: x.To(y).
func (x *Tensor) keyword() (string, any) { return "other", x }

func (x *Tensor) apply(c *Call) {
	if c.Op != opTo {
		panic(Errorf(c.Name(), "%s got %s where a keyword argument belongs; %s%s", goName(c.Op.Sig), describe(x),
			takesText(c.Op), asKeyword(c.Op)))
	}
	if x == nil {
		panic(Errorf(c.Name(), "other is a nil tensor"))
	}
	c.setKeyword("device", x.Device())
	c.setKeyword("dtype", x.dtype)
}
