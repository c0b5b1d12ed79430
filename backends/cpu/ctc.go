package cpu

import (
	"math"
	"runtime"

	"gotorch/internal/parallel"
	"gotorch/tensor"
)

// Note: CTC. The labels l of a sequence, with a blank before, between and behind them, are 2S+1 states. At every step
// an alignment stays in its state, goes to the next, or skips a blank between two different labels. alpha[t][s] is the
// log probability of all alignments of the first t+1 steps that are in state s then, beta[t][s] that of the steps from
// t on. The gradient is the one of PyTorch: that of a log softmax, whose probabilities add up to 1.

func init() {
	kernels(map[string]tensor.Kernel{
		"_ctc_loss": func(c *tensor.Call) {
			if c.Tensor(0).Dtype() == tensor.Float64 {
				ctcForward[float64](c)
			} else {
				ctcForward[float32](c)
			}
		},
		"_ctc_loss_backward": func(c *tensor.Call) {
			if c.Tensor(1).Dtype() == tensor.Float64 {
				ctcBackward[float64](c)
			} else {
				ctcBackward[float32](c)
			}
		},
	})
}

// ctc is one sequence of a batch.
type ctc[T float] struct {
	x      []T     // log probabilities; those of step t begin at t*stride
	stride int     // from step to step
	labels []int64 // without blanks
	blank  int64
	steps  int
}

// ctcBatch returns each sequence of a call whose arguments begin in slot: log_probs, targets, and the two lengths.
func ctcBatch[T interface {
	float
	tensor.Element
}](c *tensor.Call, slot, blank int) (batch []ctc[T], keep []*tensor.Tensor) {
	dt := tensor.DtypeOf[T]()
	for i, d := range []tensor.Dtype{dt, tensor.Int64, tensor.Int64, tensor.Int64} {
		keep = append(keep, contiguous(c.Name(), c.Tensor(slot+i), d))
	}
	x, t := tensor.Elems[T](keep[0]), tensor.Elems[int64](keep[1])
	steps, lengths := tensor.Elems[int64](keep[2]), tensor.Elems[int64](keep[3])
	n, classes := keep[0].Size(1), keep[0].Size(2)
	at := 0
	for i := range n {
		length := int(lengths[i])
		if keep[1].Dim() == 2 {
			at = i * keep[1].Size(1)
		}
		s := ctc[T]{stride: n * classes, labels: t[at : at+length], blank: int64(blank), steps: int(steps[i])}
		if len(x) > 0 {
			s.x = x[i*classes:]
		}
		at += length
		for _, l := range s.labels {
			if l < 0 || l >= int64(classes) {
				panic(tensor.Errorf(c.Name(), "label %d is not one of the %d classes", l, classes).OnArg("targets"))
			}
		}
		batch = append(batch, s)
	}
	return batch, keep
}

func (s *ctc[T]) states() int { return 2*len(s.labels) + 1 }

// label is the class of a state.
func (s *ctc[T]) label(state int) int64 {
	if state%2 == 0 {
		return s.blank
	}
	return s.labels[state/2]
}

// skips reports whether an alignment may go from state-2 to state.
func (s *ctc[T]) skips(state int) bool {
	return state > 1 && state%2 == 1 && s.labels[state/2] != s.labels[state/2-1]
}

func (s *ctc[T]) at(t, state int) T { return s.x[t*s.stride+int(s.label(state))] }

// addLogs is the logarithm of the sum of the exponentials.
func addLogs[T float](a, b, c T) T {
	m := max(a, b, c)
	if math.IsInf(float64(m), -1) {
		return m
	}
	return T(math.Log(math.Exp(float64(a-m))+math.Exp(float64(b-m))+math.Exp(float64(c-m)))) + m
}

// logAt is x[i] where i is within n elements, else the logarithm of 0.
func logAt[T float](x []T, i, n int) T {
	if i < 0 || i >= n {
		return T(math.Inf(-1))
	}
	return x[i]
}

// forward fills alpha, whose rows are width wide, and returns the loss.
func (s *ctc[T]) forward(op string, alpha []T, width int) T {
	inf := T(math.Inf(-1))
	for i := range alpha {
		alpha[i] = inf
	}
	n := s.states()
	if s.steps == 0 {
		if n == 1 {
			return 0
		}
		return -inf
	}
	for state := range min(2, n) {
		alpha[state] = s.at(0, state)
	}
	for t := 1; t < s.steps; t++ {
		tensor.Interrupted(op)
		row, before := alpha[t*width:], alpha[(t-1)*width:]
		for state := range n {
			skipped := inf
			if s.skips(state) {
				skipped = before[state-2]
			}
			row[state] = addLogs(before[state], logAt(before, state-1, n), skipped) + s.at(t, state)
		}
	}
	last := alpha[(s.steps-1)*width:]
	return -addLogs(last[n-1], logAt(last, n-2, n), inf)
}

// backward writes the gradient, laid out as x is, for the gradient g of the loss.
func (s *ctc[T]) backward(op string, dst, alpha []T, width, classes int, loss, g T) {
	inf := T(math.Inf(-1))
	n := s.states()
	beta, next := make([]T, n), make([]T, n)
	sums := make([]T, classes)
	for t := s.steps - 1; t >= 0; t-- {
		tensor.Interrupted(op)
		for state := range n {
			switch {
			case t < s.steps-1:
				skipped := inf
				if state+2 < n && s.skips(state+2) {
					skipped = next[state+2]
				}
				beta[state] = addLogs(next[state], logAt(next, state+1, n), skipped) + s.at(t, state)
			case state >= n-2:
				beta[state] = s.at(t, state)
			default:
				beta[state] = inf
			}
		}
		for i := range sums {
			sums[i] = inf
		}
		for state := range n {
			l := s.label(state)
			sums[l] = addLogs(sums[l], alpha[t*width+state]+beta[state], inf)
		}
		row := s.x[t*s.stride:][:classes]
		to := dst[t*s.stride:][:classes]
		for l, lp := range row {
			to[l] = (T(math.Exp(float64(lp))) - T(math.Exp(float64(sums[l]+loss-lp)))) * g
		}
		beta, next = next, beta
	}
}

func ctcForward[T interface {
	float
	tensor.Element
}](c *tensor.Call) {
	batch, keep := ctcBatch[T](c, 0, c.Int(4))
	loss, alpha := tensor.Elems[T](c.Ret(0)), tensor.Elems[T](c.Ret(1))
	steps, width := c.Ret(1).Size(1), c.Ret(1).Size(2)
	parallel.For(len(batch), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			loss[i] = batch[i].forward(c.Name(), alpha[i*steps*width:][:steps*width], width)
		}
	})
	runtime.KeepAlive(keep)
}

func ctcBackward[T interface {
	float
	tensor.Element
}](c *tensor.Call) {
	batch, keep := ctcBatch[T](c, 1, c.Int(7))
	op := c.Name()
	g, loss, alpha := contig[T](op, c.Tensor(0)), contig[T](op, c.Tensor(5)), contig[T](op, c.Tensor(6))
	dst := tensor.Elems[T](c.Ret(0))
	steps, width, classes := c.Tensor(6).Size(1), c.Tensor(6).Size(2), c.Ret(0).Size(2)
	parallel.For(len(batch), 1, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if c.Bool(8) && math.IsInf(float64(loss[i]), 1) || len(dst) == 0 {
				continue
			}
			batch[i].backward(c.Name(), dst[i*classes:], alpha[i*steps*width:], width, classes, loss[i], g[i])
		}
	})
	runtime.KeepAlive(keep)
}
