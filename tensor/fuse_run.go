package tensor

import (
	"strings"
	"sync"

	"gotorch/internal/parallel"
	"gotorch/internal/simd"
)

// fuseBlock is how many elements a block has: some temporaries of it stay in the cache.
const fuseBlock = 1 << 12

// fusedLoop is a body that runs: the shape of its loops and where its tensors lie in them.
type fusedLoop struct {
	b     *FusedBody
	steps []fusedStep
	vals  []*Tensor // inputs and results; nil for what lies between
	plan  Plan
	place []*PlanOperand // of each of vals
	tiled int            // the dimension of the plan that is cut into blocks
	rows  int            // of it in a block
	tiles int            // blocks of that dimension
	sums  []float64      // of the blocks, where the result is folded

	lending sync.Mutex
	lent    []*Storage // scratch memory
}

// scratchStorages have room for a block of any dtype.
var scratchStorages = sync.Pool{New: func() any { return newStorage("fuse", CPU, fuseBlock*Complex128.Size(), false) }}

// lend returns scratch memory until the loop ends.
func (l *fusedLoop) lend() *Storage {
	st := scratchStorages.Get().(*Storage)
	l.lending.Lock()
	l.lent = append(l.lent, st)
	l.lending.Unlock()
	return st
}

// runFused is the kernel of _fused.
func runFused(c *Call) {
	b, inputs := c.fusedBody(), c.Tensors(0)
	l := &fusedLoop{b: b, steps: b.steps[len(b.steps)-b.loops:], vals: make([]*Tensor, len(b.vals)),
		place: make([]*PlanOperand, len(b.vals))}
	for i, v := range b.vals {
		if v.input >= 0 {
			l.vals[i] = inputs[v.input]
		}
	}
	for i := range b.steps[:len(b.steps)-b.loops] {
		b.steps[i].call(l.vals)
	}
	if b.fold == foldNone {
		for i, id := range b.outs {
			l.vals[id] = c.ret[i]
		}
	}
	l.walk(c.Name())
	outer := 1
	for _, n := range l.plan.Shape[:l.tiled] {
		outer *= n
	}
	if b.fold != foldNone {
		mustFit(c.Name(), float64(outer)*float64(l.tiles))
		l.sums = make([]float64, outer*l.tiles)
	}
	var workers sync.Pool
	parallel.For(outer*l.tiles, 4, func(lo, hi int) {
		Interrupted(c.Name())
		w, _ := workers.Get().(*fusedWorker)
		if w == nil {
			w = &fusedWorker{l: l}
		}
		for at := lo; at < hi; at++ {
			w.block(at)
		}
		workers.Put(w)
	})
	for _, st := range l.lent {
		scratchStorages.Put(st)
	}
	if b.fold != foldNone {
		l.total(c.ret[0])
	}
	if c.all.Has(KeyTrace) {
		c.Note = strings.NewReplacer("{\n\t", "{ ", "\n\t", "; ", "\n}", " }", "\n", "; ").Replace(b.String())
	}
}

// walk plans the loops over all inputs and results, and cuts one of them into blocks.
func (l *fusedLoop) walk(op string) {
	p := &l.plan
	p.Op = op
	first := l.b.outs[0]
	used := make([]bool, len(l.vals))
	for i := range l.steps {
		for _, o := range l.steps[i].in {
			if o.val >= 0 {
				used[o.val] = true
			}
		}
		used[l.steps[i].out] = true
	}
	var ids []int
	for id, x := range l.vals {
		if x != nil && used[id] && id != first && len(x.shape) > 0 {
			ids = append(ids, id)
		}
	}
	p.In = make([]PlanOperand, len(ids))
	for i, id := range ids {
		x := l.vals[id]
		p.In[i] = PlanOperand{Tensor: x, Dtype: x.dtype, Offset: x.offset}
		l.place[id] = &p.In[i]
	}
	dst := l.vals[first]
	if dst == nil { // it is folded, and its blocks lie in scratch memory
		dst = l.b.vals[first].fake
	} else {
		l.place[first] = &p.Out
	}
	p.expand(dst.shape, dst)
	p.order(dst.shape)
	p.permute(dst.shape)
	p.coalesce()
	d, inner := len(p.Shape)-1, 1
	for d > 0 && inner*p.Shape[d] <= fuseBlock {
		inner *= p.Shape[d]
		d--
	}
	l.tiled = d
	l.rows = max(1, min(p.Shape[d], fuseBlock/inner))
	l.tiles = (p.Shape[d] + l.rows - 1) / l.rows
}

// fusedWorker runs blocks on one goroutine: with prepared calls, whose operands move from block to block.
type fusedWorker struct {
	l          *fusedLoop
	full, rest *fusedCalls // of full blocks, and of the last one along the dimension
}

// fusedCalls are the calls of a body on blocks of one size.
type fusedCalls struct {
	calls []*Call
	heads []*Tensor        // of each value, a window of it or scratch
	moves [][]*PlanOperand // of each value that moves, its operands in the calls
	sum   func() float64   // adds the elements of a result that is folded
}

// block runs block number at.
func (w *fusedWorker) block(at int) {
	l := w.l
	tile := at % l.tiles
	rows := min(l.rows, l.plan.Shape[l.tiled]-tile*l.rows)
	into := &w.full
	if rows < l.rows {
		into = &w.rest
	}
	if *into == nil {
		*into = l.prepare(rows)
	}
	f := *into
	for id, o := range l.place {
		if o == nil {
			continue
		}
		off, rest := o.Offset+tile*l.rows*o.Stride[l.tiled], at/l.tiles
		for d := l.tiled - 1; d >= 0; d-- {
			off += rest % l.plan.Shape[d] * o.Stride[d]
			rest /= l.plan.Shape[d]
		}
		f.heads[id].offset = off
		for _, m := range f.moves[id] {
			m.Offset = off
		}
	}
	for i, c := range f.calls {
		l.steps[i].op.table[KeyCPU](c)
	}
	if l.sums != nil {
		l.sums[at] = f.sum()
	}
}

// prepare makes the calls for blocks of so many rows.
func (l *fusedLoop) prepare(rows int) *fusedCalls {
	f := &fusedCalls{heads: make([]*Tensor, len(l.vals)), moves: make([][]*PlanOperand, len(l.vals))}
	dims := len(l.plan.Shape) - l.tiled
	window := func(st *Storage, dt Dtype) *Tensor {
		x := newHeader(dims, dt)
		x.st, x.keys = st, 1<<KeyCPU
		copy(x.shape, l.plan.Shape[l.tiled:])
		x.shape[0] = rows
		x.numel, _ = count(x.shape)
		contiguousStrides(x.stride, x.shape)
		return x
	}
	for id, x := range l.vals {
		switch o := l.place[id]; {
		case o != nil:
			h := window(x.st.now(), x.dtype)
			copy(h.stride, o.Stride[l.tiled:])
			f.heads[id] = h
		case x != nil:
			f.heads[id] = x // of no dimensions
		}
	}
	last := make([]int, len(l.vals)) // the step that reads a value last
	for i := range l.steps {
		for _, o := range l.steps[i].in {
			if o.val >= 0 {
				last[o.val] = i
			}
		}
	}
	free := map[Dtype][]*Storage{}
	for i := range l.steps {
		s := &l.steps[i]
		if i == len(l.steps)-2 && l.sums != nil {
			if f.sum = f.foldDifference(s, &l.steps[i+1]); f.sum != nil {
				break
			}
		}
		for _, o := range s.in { // what is read last may be written over
			if o.val >= 0 && last[o.val] == i && l.vals[o.val] == nil {
				if h := f.heads[o.val]; h != nil {
					free[h.dtype] = append(free[h.dtype], h.st)
				}
				last[o.val] = -1
			}
		}
		if f.heads[s.out] == nil {
			dt := l.b.vals[s.out].fake.dtype
			var st *Storage
			if list := free[dt]; len(list) > 0 {
				st, free[dt] = list[len(list)-1], list[:len(list)-1]
			} else {
				st = l.lend()
			}
			f.heads[s.out] = window(st, dt)
		}
		if i == len(l.steps)-1 && l.sums != nil {
			if f.sum = f.foldStep(s); f.sum != nil {
				break
			}
			f.sum = foldOf(f.heads[s.out], nil, simd.SumFloat32, simd.SumFloat64)
		}
		f.calls = append(f.calls, f.call(l, s))
	}
	return f
}

// call prepares the call of a step.
func (f *fusedCalls) call(l *fusedLoop, s *fusedStep) *Call {
	c := &Call{Op: s.op, Variant: OutVariant, device: CPU, key: KeyCPU, keys: 1 << KeyCPU, all: 1 << KeyCPU,
		Made: new(any)}
	c.args = make([]value, len(s.args))
	s.fill(c, f.heads)
	dst := f.heads[s.out]
	c.outBuf[0] = dst
	c.out = c.outBuf[:]
	p := &c.planBuf
	c.plan = p
	p.Op, p.Dtype, p.In = s.op.Name, s.compute, p.inBuf[:0]
	for _, o := range s.in {
		in := p.operand()
		if o.val < 0 {
			in.Number, in.Dtype = o.number, s.compute
			continue
		}
		x := f.heads[o.val]
		in.Tensor, in.Dtype, in.Offset = x, x.dtype, x.offset
	}
	p.finish(c, dst.dtype)
	for i, o := range s.in {
		if o.val >= 0 && l.place[o.val] != nil {
			f.moves[o.val] = append(f.moves[o.val], &p.In[i])
		}
	}
	if l.place[s.out] != nil {
		f.moves[s.out] = append(f.moves[s.out], &p.Out)
	}
	return c
}
