package tensor

import (
	"math"
	"slices"
)

// The loss of label sequences whose alignment is unknown (connectionist temporal classification).

func init() {
	composites(map[string]Kernel{"nn.functional.ctc_loss": ctcBody})
	shapes(map[string]Kernel{
		"_ctc_loss": func(c *Call) {
			x, t := c.Tensor(0), c.Tensor(1)
			longest := 0
			if lengths := c.Tensor(3); len(t.shape) == 2 {
				longest = t.shape[1]
			} else if lengths.numel > 0 && lengths.st.device != Meta {
				longest = lengths.Max().ItemInt()
			}
			c.New([]int{x.shape[1]}, x.dtype)
			c.New([]int{x.shape[1], x.shape[0], 2*longest + 1}, x.dtype)
		},
		"_ctc_loss_backward": func(c *Call) { c.New(c.Tensor(1).shape, c.Tensor(1).dtype) },
	})
}

func ctcBody(c *Call) {
	x, t, steps, lengths := c.Tensor(0), c.Tensor(1), c.Tensor(2), c.Tensor(3)
	bad := func(arg, format string, args ...any) { panic(Errorf(c.Name(), format, args...).OnArg(arg)) }
	single := len(x.shape) == 2
	switch {
	case len(x.shape) != 2 && len(x.shape) != 3:
		bad("log_probs", "log_probs must be (steps, batch, classes) or (steps, classes), got shape %v", x.shape)
	case x.dtype != Float32 && x.dtype != Float64:
		bad("log_probs", "log_probs must be float32 or float64, got %s", x.dtype)
	case t.dtype != Int64 && t.dtype != Int32:
		bad("targets", "targets must be int64 or int32, got %s", t.dtype)
	case len(t.shape) != 1 && len(t.shape) != 2 || single && len(t.shape) == 2 && t.shape[0] != 1:
		bad("targets", "targets must be (batch, labels), or a vector of all sequences, got shape %v for log_probs of "+
			"shape %v", t.shape, x.shape)
	}
	if single {
		x = x.Unsqueeze(1)
	}
	batch, classes := x.shape[1], x.shape[2]
	if blank := c.Int(4); blank < 0 || blank >= classes {
		bad("blank", "blank must be one of the %d classes, got %d", classes, blank)
	}
	if len(t.shape) == 2 && t.shape[0] != batch {
		bad("targets", "targets have shape %v, for a batch of %d (dimension 1 of log_probs)", t.shape, batch)
	}
	steps, lengths = c.ctcLengths(steps, 2, batch), c.ctcLengths(lengths, 3, batch)
	reduction := c.reduction()
	if x.st.device != Meta {
		c.ctcFits(x, t, steps.longs(), lengths.longs())
	}
	loss := several("_ctc_loss", x, t.To(Int64), steps, lengths, c.Int(4), c.Bool(6))[0]
	if c.Bool(6) {
		loss = Where(loss.Eq(math.Inf(1)), 0, loss)
	}
	switch {
	case reduction == "mean":
		c.Return(loss.Div(lengths.To(x.dtype).ClampMin(1)).Mean())
	case reduction == "sum":
		c.Return(loss.Sum())
	case single:
		c.Return(loss.Squeeze(0))
	default:
		c.Return(loss)
	}
}

// ctcLengths is the argument of lengths in slot i: an integer for each sequence of the batch.
func (c *Call) ctcLengths(n *Tensor, i, batch int) *Tensor {
	if !n.dtype.IsIntegral() {
		panic(Errorf(c.Name(), "%s must be integers, got %s", c.Op.Params[i].Name, n.dtype).OnArg(c.Op.Params[i].Name))
	}
	if n.numel != batch || len(n.shape) > 1 {
		panic(Errorf(c.Name(), "%s must have one length for each of the %d sequences, got shape %v", c.Op.Params[i].Name,
			batch, n.shape).OnArg(c.Op.Params[i].Name))
	}
	return n.To(Int64).Reshape(batch)
}

// longs are the elements of a vector of int64.
func (x *Tensor) longs() []int64 { return slices.Clone(Elems[int64](x.Contiguous())) }

// ctcFits panics where a length is more than there is.
func (c *Call) ctcFits(x, t *Tensor, steps, lengths []int64) {
	total := int64(0)
	for i := range steps {
		if n := steps[i]; n < 0 || n > int64(x.shape[0]) {
			panic(Errorf(c.Name(), "input length %d of sequence %d: log_probs have %d steps", n, i, x.shape[0]).
				OnArg("input_lengths"))
		}
		n := lengths[i]
		total += n
		if n < 0 || len(t.shape) == 2 && n > int64(t.shape[1]) {
			panic(Errorf(c.Name(), "target length %d of sequence %d: targets have shape %v", n, i, t.shape).
				OnArg("target_lengths"))
		}
	}
	if len(t.shape) == 1 && total != int64(t.shape[0]) {
		panic(Errorf(c.Name(), "the target lengths add up to %d, but there are %d targets", total, t.shape[0]).
			OnArg("target_lengths"))
	}
}
