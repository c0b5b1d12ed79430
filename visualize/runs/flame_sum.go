package runs

import (
	"cmp"
	"slices"
)

// timing sums up the calls of a trace.
type timing struct {
	*Timing
	trace *Trace
	ops   map[string]int // where an operator stands in Operators
	busy  [][2]int64     // when the caller was in kernels
}

// merge adds to the node of that kind and name among list, or makes it.
func merge(list *[]*FlameNode, kind, name string, nanos int64, again bool) *FlameNode {
	for _, n := range *list {
		if n.Kind == kind && n.Name == name {
			n.Nanos += nanos
			if !again {
				n.Times++
			}
			return n
		}
	}
	n := &FlameNode{Kind: kind, Name: name, Times: 1, Nanos: nanos}
	*list = append(*list, n)
	return n
}

// call adds a call and what is beneath it.
func (b *timing) call(list *[]*FlameNode, c *TracedCall, depth int) {
	n := merge(list, "operator", c.Op, c.Nanos, false)
	inner := int64(0)
	for _, in := range c.Inner {
		inner += in.Nanos
		if depth < maxDepth {
			b.call(&n.Inner, in, depth+1)
		}
	}
	kernel := int64(0)
	if c.Kernel > 0 {
		kernel = max(0, c.Kernel-inner)
		merge(&n.Inner, "kernel", c.kernelName(), kernel, false)
		from, to := c.kernelSpan()
		b.busy = append(b.busy, [2]int64{from, to})
	}
	i, ok := b.ops[c.Op]
	if !ok {
		i = len(b.Operators)
		b.ops[c.Op] = i
		b.Operators = append(b.Operators, OperatorTime{Op: c.Op})
	}
	o := &b.Operators[i]
	o.Calls++
	o.Nanos += max(0, c.Nanos-inner)
	o.Kernel += kernel
	o.Bytes += c.Moved
	if f := c.Flops; f > 0 && len(c.Inner) == 0 {
		o.Flops += f
		o.FlopsKernel += kernel
	}
}

// kernelName is the device and the dtype of the kernel that ran.
func (c *TracedCall) kernelName() string {
	name := "kernel"
	if len(c.Steps) > 0 {
		name = c.Steps[len(c.Steps)-1].Key
	}
	switch {
	case len(c.Outputs) > 0:
		name += " " + c.Outputs[0].Dtype
	case len(c.Inputs) > 0:
		name += " " + c.Inputs[0].Dtype
	}
	return name
}

// maxSpans is how many spans of work are shown of a goroutine; more are joined.
const maxSpans = 200

// workers sums up what the goroutines did.
func (b *timing) workers() {
	byWorker := map[int]*WorkerTime{}
	worker := func(id int) *WorkerTime {
		w := byWorker[id]
		if w == nil {
			w = &WorkerTime{Worker: id}
			byWorker[id] = w
		}
		return w
	}
	if len(b.busy) > 0 {
		worker(0).Spans = b.busy
	}
	for _, s := range b.trace.Spans {
		w := worker(s.Worker)
		w.Chunks += s.Chunks
		if s.Worker == 0 {
			b.Loops++
		} else {
			w.Spans = append(w.Spans, [2]int64{s.Start, s.Start + s.Nanos})
		}
	}
	for _, w := range byWorker {
		w.Spans = joined(w.Spans, 0)
		for _, s := range w.Spans {
			w.Nanos += s[1] - s[0]
		}
		for gap := max(1, b.Nanos/4096); len(w.Spans) > maxSpans; gap *= 2 {
			w.Spans = joined(w.Spans, gap)
		}
		b.Workers = append(b.Workers, *w)
	}
	slices.SortFunc(b.Workers, func(x, y WorkerTime) int { return x.Worker - y.Worker })
}

// joined joins spans that overlap, or whose gap is at most gap.
func joined(spans [][2]int64, gap int64) [][2]int64 {
	slices.SortFunc(spans, func(a, b [2]int64) int { return cmp.Compare(a[0], b[0]) })
	var out [][2]int64
	for _, s := range spans {
		if n := len(out); n > 0 && s[0] <= out[n-1][1]+gap {
			out[n-1][1] = max(out[n-1][1], s[1])
			continue
		}
		out = append(out, s)
	}
	return out
}

// sort puts the longest first in the table; the flame keeps the order in which things began.
func (b *timing) sort() {
	slices.SortStableFunc(b.Operators, func(x, y OperatorTime) int { return cmp.Compare(y.Nanos, x.Nanos) })
	b.cut(&b.Root, 1<<11)
}

// cut leaves at most n nodes, the rest of a list as one that says how many they were; the longest stay.
func (b *timing) cut(list *[]*FlameNode, n int) {
	var count func(list []*FlameNode) int
	count = func(list []*FlameNode) (k int) {
		for _, x := range list {
			k += 1 + count(x.Inner)
		}
		return k
	}
	for least := b.Nanos / 1000; count(*list) > n; least = least*2 + 1 {
		dropSmall(list, least)
	}
}

func dropSmall(list *[]*FlameNode, least int64) {
	rest := &FlameNode{Kind: "rest", Name: "…"}
	var kept []*FlameNode
	for _, x := range *list {
		if x.Nanos < least {
			rest.Times += x.Times
			rest.Nanos += x.Nanos
			continue
		}
		dropSmall(&x.Inner, least)
		kept = append(kept, x)
	}
	if rest.Times > 0 {
		kept = append(kept, rest)
	}
	*list = kept
}
