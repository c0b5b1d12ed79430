package tensor

import (
	"math"
	"slices"
)

// Note: segments. Every element along the axis has the number of its segment, the count of ends at or before it, and
// is combined with the others at that place of the result. Lengths may have dimensions in front: those of data in
// front of the axis.

func init() { composites(map[string]Kernel{"segment_reduce": segmentReduce}) }

func segmentReduce(c *Call) {
	x, reduce := c.Tensor(0), c.Str(1)
	how, ok := map[string]string{"sum": "sum", "mean": "sum", "max": "amax", "min": "amin", "prod": "prod"}[reduce]
	if !ok {
		panic(Errorf(c.Name(), `reduce must be "sum", "mean", "max", "min" or "prod", not "%s"`, reduce).OnArg("reduce"))
	}
	if len(x.shape) == 0 {
		panic(Errorf(c.Name(), "data must have at least 1 dimension, got shape []").OnArg("data"))
	}
	if !x.dtype.IsFloatingPoint() {
		panic(Errorf(c.Name(), "not implemented for %s", x.dtype).WithHint("Float() it first"))
	}
	if c.Tensor(3) != nil {
		panic(Errorf(c.Name(), "indices are not supported: give lengths or offsets").OnArg("indices"))
	}
	axis := c.wrapDim(5, c.Int(5), len(x.shape))
	lengths, ends := segmentLengths(c, x, axis)
	batch := lengths.shape[:axis]
	segments, n := lengths.shape[axis], x.shape[axis]
	// the number of each element's segment; what lies behind the last one belongs to a segment that is dropped
	places := With(Int64, x.Device()).Arange(n).Unsqueeze(-1)
	segment := places.Ge(ends.Unsqueeze(axis)).Sum(optDim(-1))
	shape := append(append(slices.Clone(batch), segments+1), x.shape[axis+1:]...)
	start, given := c.Scalar(7)
	from := map[string]float64{"sum": 0, "mean": 0, "max": math.Inf(-1), "min": math.Inf(1), "prod": 1}[reduce]
	if given {
		from = start.Float()
	}
	y := With(x.dtype, x.Device()).Full(shape, from)
	for range len(x.shape) - 1 - axis {
		segment, lengths = segment.Unsqueeze(-1), lengths.Unsqueeze(-1)
	}
	y = y.ScatterReduce(axis, segment.Expand(x.shape...), x, how).Narrow(axis, 0, segments)
	if reduce == "mean" {
		mean := y.Div(lengths.ClampMin(1))
		if !given {
			from = math.NaN()
		}
		y = Where(lengths.Eq(0), from, mean).To(x.dtype)
	}
	c.Return(y)
}

// segmentLengths returns the lengths of segments and where each ends, from lengths or offsets, which are checked.
func segmentLengths(c *Call, x *Tensor, axis int) (lengths, ends *Tensor) {
	lengths, offsets := c.Tensor(2), c.Tensor(4)
	arg, list := "lengths", lengths
	switch {
	case (lengths == nil) == (offsets == nil):
		panic(Errorf(c.Name(), "either lengths or offsets must be given, and not both"))
	case offsets != nil:
		arg, list = "offsets", offsets
	}
	if list.dtype != Int64 && list.dtype != Int32 || len(list.shape) != axis+1 ||
		!slices.Equal(list.shape[:axis], x.shape[:axis]) ||
		offsets != nil && list.shape[axis] == 0 {
		panic(Errorf(c.Name(), "%s must be integers with the %d dimensions of data in front of axis %d and one more, got "+
			"%s of shape %v", arg, axis, axis, list.dtype, list.shape).OnArg(arg))
	}
	list = list.To(Int64)
	if offsets != nil {
		lengths, ends = list.Diff(optDim(axis)), list.Narrow(axis, 1, list.shape[axis]-1)
	} else {
		lengths, ends = list, list.Cumsum(axis)
	}
	if !c.Bool(6) && x.Device() != Meta && lengths.numel > 0 {
		if lengths.Lt(0).Any().ItemBool() {
			panic(Errorf(c.Name(), "%s has a segment of negative length", arg).OnArg(arg))
		}
		if lengths.Sum(optDim(axis)).Ne(x.shape[axis]).Any().ItemBool() {
			panic(Errorf(c.Name(), "the segments of %s do not add up to the %d elements along axis %d", arg, x.shape[axis],
				axis).OnArg(arg))
		}
	}
	return lengths, ends
}
