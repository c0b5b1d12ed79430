package tensor

// Bodies of operators that cut a tensor into pieces.

func init() {
	composites(map[string]Kernel{
		"chunk": func(c *Call) {
			x, chunks := c.Tensor(0), c.Int(1)
			d := innerDim(c, x, 2, c.Int(2))
			if chunks <= 0 {
				panic(Errorf(c.Name(), "expects chunks to be greater than 0, got %d", chunks))
			}
			size := (x.shape[d] + chunks - 1) / chunks
			if size == 0 { // as many empty pieces as were asked for
				c.Return(x.SplitWithSizes(make([]int, chunks), optDim(d))...)
				return
			}
			c.Return(x.Split(size, optDim(d))...)
		},
		"tensor_split": func(c *Call) {
			x := c.Tensor(0)
			d := innerDim(c, x, 2, c.Int(2))
			if t := c.Tensor(1); t != nil {
				if t.dtype != Int64 || len(t.shape) > 1 || t.Device() != CPU {
					panic(Errorf(c.Name(), "expected tensor_indices_or_sections to be a 0- or 1-dimensional int64 tensor on the "+
						"CPU, got %s", describe(t)))
				}
				list := make([]int, t.numel)
				for i := range list {
					if len(t.shape) == 0 {
						c.Return(sections(c.Name(), x, t.ItemInt(), d)...)
						return
					}
					list[i] = int(t.at(c.Name(), []int{i}).Int())
				}
				c.Return(cutBefore(x, list, d)...)
				return
			}
			if n, ok := c.Scalar(1); ok {
				c.Return(sections(c.Name(), x, int(n.Int()), d)...)
				return
			}
			c.Return(cutBefore(x, c.Ints(1), d)...)
		},
		"hsplit": func(c *Call) {
			x := atLeast(c, 1)
			c.Return(evenly(c, x, min(1, len(x.shape)-1))...)
		},
		"vsplit": func(c *Call) { c.Return(evenly(c, atLeast(c, 2), 0)...) },
		"dsplit": func(c *Call) { c.Return(evenly(c, atLeast(c, 3), 2)...) },
	})
}

// sections cuts x along d into n pieces; the first ones are one longer where the size does not divide.
func sections(op string, x *Tensor, n, d int) []*Tensor {
	if n <= 0 {
		panic(Errorf(op, "number of sections must be larger than 0, got %d", n))
	}
	mustFit(op, viewWords*float64(n))
	out, at := make([]*Tensor, n), 0
	for i := range out {
		if i&(1<<12-1) == 0 {
			Interrupted(op)
		}
		size := x.shape[d] / n
		if i < x.shape[d]%n {
			size++
		}
		out[i] = x.Slice(optDim(d), optStart(at), optEnd(at+size))
		at += size
	}
	return out
}

// cutBefore cuts x along d before each of the indices, which count as in a slice.
func cutBefore(x *Tensor, indices []int, d int) []*Tensor {
	out, at := make([]*Tensor, 0, len(indices)+1), 0
	for _, i := range indices {
		out = append(out, x.Slice(optDim(d), optStart(at), optEnd(i)))
		at = i
	}
	return append(out, x.Slice(optDim(d), optStart(at), optEnd(x.shape[d])))
}

func atLeast(c *Call, n int) *Tensor {
	x := c.Tensor(0)
	if len(x.shape) < n {
		panic(Errorf(c.Name(), "requires a tensor with at least %s, but got a tensor with %s (shape %v)",
			plural(n, "dimension"), plural(len(x.shape), "dimension"), x.shape))
	}
	return x
}

// evenly cuts x along d into equal sections, or before each of the indices.
func evenly(c *Call, x *Tensor, d int) []*Tensor {
	s, ok := c.Scalar(1)
	if !ok {
		return cutBefore(x, c.Ints(1), d)
	}
	n := int(s.Int())
	if n == 0 || x.shape[d]%n != 0 {
		panic(Errorf(c.Name(), "attempted to split along dimension %d, but the size of the dimension %d is not divisible "+
			"by the split_size %d", d, x.shape[d], n))
	}
	return sections(c.Name(), x, n, d)
}
