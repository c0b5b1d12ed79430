package tensor

func init() {
	composites(map[string]Kernel{
		"quantile":    func(c *Call) { c.Return(quantile(c, false)) },
		"nanquantile": func(c *Call) { c.Return(quantile(c, true)) },
	})
}

// quantile sorts, finds the rank of each q among the elements (that are not NaN, where those are skipped), and goes
// between the two neighbours of a rank that is not whole as interpolation says.
func quantile(c *Call, skipNaN bool) *Tensor {
	x, how, keepdim := c.Tensor(0), c.Str(4), c.Bool(3)
	q := c.Tensor(1)
	if s, ok := c.Scalar(1); ok {
		q = With(x.dtype, x.Device()).Full([]int{}, s)
	}
	switch {
	case x.numel == 0:
		panic(Errorf(c.Name(), "the input tensor must be non-empty, got shape %v", x.shape))
	case len(q.shape) > 1:
		panic(Errorf(c.Name(), "q must be a scalar or 1D tensor, got %s", plural(len(q.shape), "dimension")).OnArg("q"))
	case x.dtype != Float32 && x.dtype != Float64:
		panic(Errorf(c.Name(), "the input tensor must be either float32 or float64, got %s", x.dtype))
	case q.dtype != x.dtype:
		panic(Errorf(c.Name(), "q must be same dtype as the input tensor, got %v and %v", q.dtype, x.dtype).OnArg("q"))
	case how != "linear" && how != "lower" && how != "higher" && how != "midpoint" && how != "nearest":
		panic(Errorf(c.Name(), `interpolation must be one of "linear", "lower", "higher", "midpoint" or "nearest", not "%s"`,
			how).OnArg("interpolation"))
	case q.Device() == CPU && q.numel > 0 && !q.Ge(0).LogicalAnd(q.Le(1)).All().ItemBool():
		panic(Errorf(c.Name(), "q values must be in the range [0, 1]").OnArg("q"))
	}
	all := c.IsNone(2)
	dim := 0
	rows := x.Flatten()
	if !all {
		dim = c.wrapDim(2, c.Int(2), len(x.shape))
		rows = x
		if len(x.shape) > 0 {
			rows = x.Unsqueeze(-1).Transpose(dim, -1) // dim stays, with size 1
		} else {
			rows = x.View(1)
		}
	}
	sorted, _ := rows.Sort()
	n := sorted.shape[len(sorted.shape)-1]
	ranks := ranksOf(q.Flatten(), sorted, n, skipNaN)
	switch how {
	case "lower":
		ranks = ranks.Floor()
	case "higher":
		ranks = ranks.Ceil()
	case "nearest":
		ranks = ranks.Round()
	}
	below := ranks.Long()
	v := sorted.Gather(-1, below)
	if how == "linear" || how == "midpoint" {
		weight := Operand(0.5)
		if how == "linear" {
			weight = ranks.Sub(below)
		}
		v = v.Lerp(sorted.Gather(-1, ranks.Ceil().Long()), weight)
	}
	return quantileShape(v, x, q, dim, all, keepdim)
}

// ranksOf are q * (n - 1), in the shape of the rows with one for each q; a row with NaN gives the NaN, which stands
// last.
func ranksOf(q, sorted *Tensor, n int, skipNaN bool) *Tensor {
	shape := sorted.Shape()
	shape[len(shape)-1] = q.numel
	nan := sorted.Isnan()
	if skipNaN {
		count := nan.LogicalNot().Sum(optDim(-1), optKeepdim(true))
		return q.Mul(count.Sub(1)).ClampMin(0).Expand(shape...)
	}
	return q.Mul(n-1).Expand(shape...).MaskedFill(nan.Any(optDim(-1), optKeepdim(true)), n-1)
}

// quantileShape moves the last dimension of v, which counts the q, to the front, or away where q is one number.
func quantileShape(v, x, q *Tensor, dim int, all, keepdim bool) *Tensor {
	lead := 0
	if len(q.shape) > 0 {
		lead = 1
		v = v.Unsqueeze(0).Transpose(0, -1)
	}
	v = v.Squeeze(-1)
	switch {
	case all && keepdim:
		shape := make([]int, lead+len(x.shape))
		for i := range shape {
			shape[i] = 1
		}
		if lead == 1 {
			shape[0] = q.numel
		}
		return v.Reshape(shape...)
	case !all && !keepdim && len(x.shape) > 0:
		return v.Squeeze(dim + lead)
	}
	return v
}
