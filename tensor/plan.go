package tensor

import "slices"

// Note: the iteration plan. A pointwise operator walks all its operands at once. The plan broadcasts them to one shape, finds the dtype to
// compute in, puts the dimensions into the order in which memory lies, and melts neighbours that can be walked as one, so that most calls
// end as a single run over contiguous memory. The order of dimensions, and so the strides of a new result, are those of PyTorch's TensorIterator.

// PlanOperand is one operand of a plan.
type PlanOperand struct {
	Tensor *Tensor // nil for a number
	Number Scalar
	Dtype  Dtype
	Offset int   // of the first element, in elements of the storage
	Stride []int // in elements, for each of the plan's dimensions; 0 where broadcast
}

// Plan is a loop nest over the operands of a pointwise call.
type Plan struct {
	Op    string
	Shape []int // slowest dimension first
	Numel int
	Dtype Dtype // what the kernel computes in; operands of another dtype are converted on the way
	Out   PlanOperand
	In    []PlanOperand
	inBuf [3]PlanOperand
	size  [1]int // Shape of a flat plan
	// Flat: one dimension (or none), every tensor has stride 1 in it or, of one element, 0.
	Flat bool
}

func (p *Plan) reset() {
	clear(p.In)
	p.Out.Tensor, p.Out.Stride, p.Shape, p.In, p.Flat = nil, nil, nil, nil, false
}

// Plan is the loop nest of a pointwise call. Its shape function has made it.
func (c *Call) Plan() *Plan { return c.plan }

// PlanPointwise plans a call whose inputs are the given slots, which computes in compute and results in result; it makes the result or
// takes the destination. Shape functions of pointwise operators call it.
func (c *Call) PlanPointwise(slots []int, compute, result Dtype) *Plan {
	p := &c.planBuf
	c.plan = p
	p.Op, p.Dtype = c.Name(), compute
	p.In = p.inBuf[:0]
	for _, i := range slots {
		switch v := c.arg(i); v.kind {
		case tensorValue:
			o := p.operand()
			o.Tensor, o.Dtype, o.Offset = v.t, v.t.dtype, v.t.offset
		case numberValue, intValue, floatValue, boolValue:
			o := p.operand()
			o.Number, o.Dtype = v.s, compute
		}
	}
	return p.finish(c, result)
}

// operand adds an empty input. Fields are set one by one, which costs less than moving an operand into its place.
func (p *Plan) operand() *PlanOperand {
	if n := len(p.In); n < cap(p.In) {
		p.In = p.In[:n+1]
	} else {
		p.In = append(p.In, PlanOperand{})
	}
	return &p.In[len(p.In)-1]
}

// finish broadcasts, makes the result, and simplifies the nest.
func (p *Plan) finish(c *Call, result Dtype) *Plan {
	var shape []int
	same := true // all tensors have the same shape and are contiguous
	for i := range p.In {
		if t := p.In[i].Tensor; t != nil {
			if shape == nil {
				shape = t.shape
			} else if !slices.Equal(shape, t.shape) {
				shape, same = p.stretch(shape, t.shape), false
			}
			same = same && isContiguous(t.shape, t.stride, NoFormat)
		}
	}
	if shape == nil {
		shape = []int{}
	}
	var dst *Tensor
	if c.Variant != Functional {
		dst = c.Written()[0]
		c.checkDestination(dst, shape, result)
		same = same && isContiguous(dst.shape, dst.stride, NoFormat)
		for i := range p.In {
			p.detachOverlap(&p.In[i], dst)
		}
	}
	if same {
		if dst == nil {
			dst = c.New(shape, result)
		} else {
			c.Return(dst)
		}
		p.flat(dst)
		return p
	}
	perm := p.order(shape, dst)
	if dst == nil {
		dst = c.NewStrided(shape, permutedStrides(shape, perm), result)
	} else {
		c.Return(dst)
	}
	p.nest(shape, dst, perm)
	return p
}

// stretch is broadcastTwo; an error has the facts of all operands.
func (p *Plan) stretch(a, b []int) []int {
	defer addFacts(func() any {
		var ts []*Tensor
		for i := range p.In {
			if t := p.In[i].Tensor; t != nil {
				ts = append(ts, t)
			}
		}
		return broadcastFacts(ts...)
	})
	return broadcastTwo(p.Op, a, b)
}

// flat makes the plan of operands that all lie alike, one after the other.
func (p *Plan) flat(dst *Tensor) {
	p.Numel, p.Flat = dst.numel, true
	p.size[0] = dst.numel
	p.Shape = p.size[:]
	p.Out.Tensor, p.Out.Dtype, p.Out.Offset, p.Out.Stride = dst, dst.dtype, dst.offset, unitStride
	for i := range p.In {
		p.In[i].Stride = unitStride
		if p.In[i].Tensor == nil {
			p.In[i].Stride = zeroStride
		}
	}
}

// Read by everyone, written by nobody.
var unitStride, zeroStride = []int{1}, []int{0}

// order gives the dimensions from the fastest to the slowest, by the strides of the operands. Broadcast dimensions and ties decide nothing;
// then the row-major order stays.
func (p *Plan) order(shape []int, dst *Tensor) []int {
	n := len(shape)
	perm := make([]int, n)
	for i := range perm {
		perm[i] = n - 1 - i
	}
	if n < 2 {
		return perm
	}
	var strides [][]int
	if dst != nil {
		strides = append(strides, dst.stride)
	}
	for i := range p.In {
		if t := p.In[i].Tensor; t != nil {
			s, _ := BroadcastStrides(t.shape, t.stride, shape)
			strides = append(strides, s)
		}
	}
	abs := func(i int) int { return max(i, -i) }
	// swap is positive where dimension a must come after b, negative where it must come before.
	swap := func(a, b int) int {
		for _, s := range strides {
			sa, sb := abs(s[a]), abs(s[b])
			switch {
			case sa == 0 || sb == 0:
				continue
			case sa != sb:
				return sa - sb
			case shape[a] > shape[b]:
				return 1
			}
		}
		return 0
	}
	for i := 1; i < n; i++ {
		at := i
		for j := i - 1; j >= 0; j-- {
			c := swap(perm[j], perm[at])
			if c > 0 {
				perm[j], perm[at] = perm[at], perm[j]
				at = j
			} else if c < 0 {
				break
			}
		}
	}
	return perm
}

// permutedStrides are the strides of a tensor of shape without holes whose dimensions lie in the order perm, fastest first.
func permutedStrides(shape, perm []int) []int {
	stride, n := make([]int, len(shape)), 1
	for _, d := range perm {
		stride[d] = n
		n *= max(shape[d], 1)
	}
	return stride
}

// nest writes the strides of all operands in the order perm, and melts dimensions.
func (p *Plan) nest(shape []int, dst *Tensor, perm []int) {
	ops := p.arrange(shape, dst, perm)
	p.coalesce(ops)
	p.Flat = len(p.Shape) <= 1
	for _, o := range ops {
		p.Flat = p.Flat && (o.Tensor == nil || len(o.Stride) == 0 || o.Stride[0] == 1 || p.Numel <= 1)
	}
}

// arrange writes shape and the strides of all operands in the order perm. It gives the operands, the result first.
func (p *Plan) arrange(shape []int, dst *Tensor, perm []int) []*PlanOperand {
	p.Numel = dst.numel
	ops := make([]*PlanOperand, 0, 4)
	p.Out = PlanOperand{Tensor: dst, Dtype: dst.dtype, Offset: dst.offset}
	ops = append(ops, &p.Out)
	for i := range p.In {
		ops = append(ops, &p.In[i])
	}
	p.Shape = make([]int, 0, len(shape))
	for i := len(perm) - 1; i >= 0; i-- { // slowest first
		p.Shape = append(p.Shape, shape[perm[i]])
	}
	for _, o := range ops {
		o.Stride = make([]int, 0, len(shape))
		if o.Tensor == nil {
			o.Stride = append(o.Stride, make([]int, len(shape))...)
			continue
		}
		s, _ := BroadcastStrides(o.Tensor.shape, o.Tensor.stride, shape)
		for i := len(perm) - 1; i >= 0; i-- {
			o.Stride = append(o.Stride, s[perm[i]])
		}
	}
	return ops
}

// coalesce drops dimensions of size 1 and melts d into d+1 where every operand steps from one to the other without a gap.
func (p *Plan) coalesce(ops []*PlanOperand) {
	n := 0
	for d := range p.Shape {
		if p.Shape[d] == 1 {
			continue
		}
		melts := n > 0
		for _, o := range ops {
			melts = melts && o.Stride[n-1] == o.Stride[d]*p.Shape[d]
		}
		if melts {
			p.Shape[n-1] *= p.Shape[d]
			for _, o := range ops {
				o.Stride[n-1] = o.Stride[d]
			}
			continue
		}
		p.Shape[n] = p.Shape[d]
		for _, o := range ops {
			o.Stride[n] = o.Stride[d]
		}
		n++
	}
	if n == 0 { // one element
		p.Shape = append(p.Shape[:0], 1)
		for _, o := range ops {
			if o.Stride = append(o.Stride[:0], 1); o.Tensor == nil {
				o.Stride[0] = 0
			}
		}
		return
	}
	p.Shape = p.Shape[:n]
	for _, o := range ops {
		o.Stride = o.Stride[:n]
	}
}

// detachOverlap refuses an input that shares some but not all of its places with the destination, as PyTorch does: the result would
// depend on the order of the walk.
func (p *Plan) detachOverlap(in *PlanOperand, dst *Tensor) {
	t := in.Tensor
	if t == nil || t == dst || t.st != dst.st || t.numel == 0 || dst.numel == 0 {
		return
	}
	if t.offset == dst.offset && t.dtype == dst.dtype && slices.Equal(t.shape, dst.shape) && sameSteps(t, dst) {
		return
	}
	if !dense(t) || !dense(dst) {
		return
	}
	lo, hi := t.offset*t.dtype.Size(), (t.offset+t.numel)*t.dtype.Size()
	dlo, dhi := dst.offset*dst.dtype.Size(), (dst.offset+dst.numel)*dst.dtype.Size()
	if lo < dhi && dlo < hi {
		Hintf(p.Op, "Clone() the input first", "some elements of the input tensor and the written-to tensor refer to a single memory location")
	}
}

// sameSteps reports whether two tensors of one shape walk memory alike: the strides of dimensions of size 1 do not matter.
func sameSteps(x, y *Tensor) bool {
	for i, s := range x.shape {
		if s > 1 && x.stride[i] != y.stride[i] {
			return false
		}
	}
	return true
}

// dense reports whether x fills a run of memory without holes, in whatever order of dimensions.
func dense(x *Tensor) bool {
	type dim struct{ size, stride int }
	ds := make([]dim, 0, len(x.shape))
	for i, s := range x.shape {
		if s != 1 {
			ds = append(ds, dim{s, x.stride[i]})
		}
	}
	slices.SortFunc(ds, func(a, b dim) int { return a.stride - b.stride })
	n := 1
	for _, d := range ds {
		if d.stride != n {
			return false
		}
		n *= d.size
	}
	return true
}

// IsDense reports whether x fills a run of memory without holes and overlaps, in whatever order of dimensions.
func (x *Tensor) IsDense() bool { return dense(x) }

// PlanInto plans a walk over dst and the tensors in, broadcast to its shape, outside of a pointwise call: for kernels that copy and fill.
func PlanInto(op string, dst *Tensor, in ...*Tensor) *Plan {
	p := &Plan{Op: op, Dtype: dst.dtype}
	p.In = p.inBuf[:0]
	same := isContiguous(dst.shape, dst.stride, NoFormat)
	for _, t := range in {
		p.In = append(p.In, PlanOperand{Tensor: t, Dtype: t.dtype, Offset: t.offset})
		same = same && slices.Equal(t.shape, dst.shape) && isContiguous(t.shape, t.stride, NoFormat)
	}
	if same {
		p.flat(dst)
		return p
	}
	p.nest(dst.shape, dst, p.order(dst.shape, dst))
	return p
}

// preservedStrides are the strides of a new tensor that keeps the order in which x's dimensions lie, without holes; nil means row-major.
func (x *Tensor) preservedStrides() []int {
	switch {
	case isContiguous(x.shape, x.stride, NoFormat):
		return nil
	case dense(x):
		return slices.Clone(x.stride)
	}
	p := Plan{In: []PlanOperand{{Tensor: x}}}
	return permutedStrides(x.shape, p.order(x.shape, nil))
}

// formatStrides are the strides of a new tensor made after x in a memory format; nil means row-major.
func (x *Tensor) formatStrides(op string, f MemoryFormat) []int {
	switch f {
	case NoFormat, PreserveFormat:
		return x.preservedStrides()
	case ContiguousFormat:
		return nil
	}
	return strides(op, x.shape, f)
}

// strides are those of a row-major tensor of shape in a memory format.
func strides(op string, shape []int, f MemoryFormat) []int {
	if f != ChannelsLast && f != ChannelsLast3d {
		return nil
	}
	order := formatOrder(len(shape), f)
	if order == nil {
		Errorf(op, "memory format %s is for tensors of %d dimensions, not for shape %v", f, map[MemoryFormat]int{ChannelsLast: 4, ChannelsLast3d: 5}[f], shape)
	}
	perm := slices.Clone(order)
	slices.Reverse(perm)
	return permutedStrides(shape, perm)
}
