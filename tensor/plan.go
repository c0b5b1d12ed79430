package tensor

import (
	"slices"
	"sync"
)

// Note: the iteration plan. A pointwise operator walks all its operands at once. The plan broadcasts them to one
// shape, finds the dtype to compute in, puts the dimensions into the order in which memory lies, and coalesces
// neighbors that can be walked as one, so that most calls end as a single run over contiguous memory. The order of
// dimensions, and so the strides of a new result, are those of PyTorch's TensorIterator. Plans of few operands and
// dimensions need no memory beside the plan itself.

// PlanOperand is one operand of a plan.
//
//gotorch:internal
type PlanOperand struct {
	Tensor *Tensor // nil for a number
	Number Scalar
	Dtype  Dtype
	Offset int   // of the first element, in elements of the storage
	Stride []int // in elements, for each of the plan's dimensions; 0 where broadcast
}

// Plan is a loop nest over the operands of a pointwise call.
//
//gotorch:internal
type Plan struct {
	Op    string
	Shape []int // slowest dimension first
	Numel int
	Dtype Dtype // what the kernel computes in; operands of another dtype are converted on the way
	Out   PlanOperand
	In    []PlanOperand
	// Flat: one dimension (or none), every tensor has stride 1 in it or, of one element, 0.
	Flat bool

	perm   []int // the dimensions from the fastest to the slowest, where they were ordered
	inBuf  [planInputs]PlanOperand
	dims   [3][planDims]int              // of Shape, of the shape before it is permuted, and of perm
	stride [1 + planInputs][planDims]int // of Out and In
}

// A plan of so many inputs and dimensions needs no further memory.
const planInputs, planDims = 4, 6

func (p *Plan) reset() {
	for i := range p.In {
		o := &p.In[i]
		o.Tensor, o.Stride = nil, nil
	}
	p.Out.Tensor, p.Out.Stride, p.Shape, p.perm, p.In, p.Flat = nil, nil, nil, nil, nil, false
}

// room is a slice of n ints in buf, or in memory of its own.
func room(buf *[planDims]int, n int) []int {
	if n <= planDims {
		return buf[:n]
	}
	return make([]int, n)
}

// Plan is the loop nest of a pointwise call. Its shape function has made it.
func (c *Call) Plan() *Plan { return c.plan }

// PlanPointwise plans a call whose inputs are the given slots, which computes in compute and results in result; it
// makes the result or takes the destination. Shape functions of pointwise operators call it.
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
				shape, same = p.broadcast(shape, t.shape), false
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
			p.checkOverlap(&p.In[i], dst)
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
	p.expand(shape, dst)
	p.order(shape)
	if dst == nil {
		var stride [planDims]int
		dst = c.NewStrided(shape, permutedStrides(room(&stride, len(shape)), shape, p.perm), result)
		p.setOut(dst)
	} else {
		c.Return(dst)
	}
	p.permute(shape)
	p.coalesce()
	return p
}

// broadcast returns the common shape of a and b; an error has the details of all operands.
func (p *Plan) broadcast(a, b []int) []int {
	n := max(len(a), len(b))
	var buf [planDims]int // a may be what an earlier call gave
	a = append(buf[:0], a...)
	out := room(&p.dims[1], n)[:0]
	for d := -n; d < 0; d++ {
		sa, sb := 1, 1
		if len(a) >= -d {
			sa = a[len(a)+d]
		}
		if len(b) >= -d {
			sb = b[len(b)+d]
		}
		switch {
		case sa == sb || sb == 1:
			out = append(out, sa)
		case sa == 1:
			out = append(out, sb)
		default:
			p.failBroadcast(a, b)
		}
	}
	return out
}

// failBroadcast panics with the error of two shapes that do not broadcast together.
func (p *Plan) failBroadcast(a, b []int) {
	defer addDetails(func() any {
		var ts []*Tensor
		for i := range p.In {
			if t := p.In[i].Tensor; t != nil {
				ts = append(ts, t)
			}
		}
		return broadcastDetails(ts...)
	})
	broadcastTwo(p.Op, slices.Clone(a), b)
}

// flat makes the plan of operands that all lie alike, one after the other.
func (p *Plan) flat(dst *Tensor) {
	p.Numel, p.Flat = dst.numel, true
	p.dims[0][0] = dst.numel
	p.Shape = p.dims[0][:1]
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

// setOut makes dst the result, with its own strides.
func (p *Plan) setOut(dst *Tensor) {
	p.Numel = dst.numel
	p.Out.Tensor, p.Out.Dtype, p.Out.Offset = dst, dst.dtype, dst.offset
	p.Out.Stride = room(&p.stride[0], len(dst.stride))
	copy(p.Out.Stride, dst.stride)
}

// expand writes the strides with which every operand walks shape, in the order of its dimensions; those of the result
// only if it is there.
func (p *Plan) expand(shape []int, dst *Tensor) {
	if dst != nil {
		p.setOut(dst)
	}
	for i := range p.In {
		o := &p.In[i]
		if i < planInputs {
			o.Stride = room(&p.stride[1+i], len(shape))
		} else {
			o.Stride = make([]int, len(shape))
		}
		if o.Tensor == nil {
			clear(o.Stride)
			continue
		}
		lead := len(shape) - len(o.Tensor.shape)
		clear(o.Stride[:lead])
		for d, s := range o.Tensor.shape {
			o.Stride[lead+d] = 0
			if s == shape[lead+d] {
				o.Stride[lead+d] = o.Tensor.stride[d]
			}
		}
	}
}

// order finds perm, the dimensions from the fastest to the slowest, by the strides of the expanded operands. Broadcast
// dimensions and ties decide nothing; then the row-major order stays.
func (p *Plan) order(shape []int) {
	n := len(shape)
	perm := room(&p.dims[2], n)
	for i := range perm {
		perm[i] = n - 1 - i
	}
	p.perm = perm
	for i := 1; i < n; i++ {
		at := i
		for j := i - 1; j >= 0; j-- {
			c := p.compare(shape, perm[j], perm[at])
			if c > 0 {
				perm[j], perm[at] = perm[at], perm[j]
				at = j
			} else if c < 0 {
				break
			}
		}
	}
}

// compare is positive where dimension a must come after b, negative where it must come before.
func (p *Plan) compare(shape []int, a, b int) int {
	for i := -1; i < len(p.In); i++ {
		o := &p.Out
		if i >= 0 {
			o = &p.In[i]
		}
		if o.Tensor == nil {
			continue
		}
		sa, sb := o.Stride[a], o.Stride[b]
		sa, sb = max(sa, -sa), max(sb, -sb)
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

// permutedStrides writes into stride the strides of a tensor of shape without holes whose dimensions lie in the order
// perm, fastest first.
func permutedStrides(stride, shape, perm []int) []int {
	n := 1
	for _, d := range perm {
		stride[d] = n
		n *= max(shape[d], 1)
	}
	return stride
}

// permute writes Shape, and puts the strides of all operands into the order of perm, the slowest dimension first.
func (p *Plan) permute(shape []int) {
	n := len(shape)
	p.Shape = room(&p.dims[0], n)
	p.permuteInto(p.Shape, shape)
	var buf [planDims]int
	tmp := room(&buf, n)
	for i := -1; i < len(p.In); i++ {
		o := &p.Out
		if i >= 0 {
			o = &p.In[i]
		}
		copy(tmp, o.Stride)
		p.permuteInto(o.Stride, tmp)
	}
}

// permuteInto writes values by dimension in the order of the loops, the slowest first.
func (p *Plan) permuteInto(dst, src []int) {
	n := len(src)
	for i, d := range p.perm {
		dst[n-1-i] = src[d]
	}
}

// coalesce drops dimensions of size 1 and joins d with d+1 where every operand steps from one to the other without a
// gap.
func (p *Plan) coalesce() {
	n := 0
	for d := range p.Shape {
		if p.Shape[d] == 1 {
			continue
		}
		if n > 0 && p.joins(n-1, d) {
			p.Shape[n-1] *= p.Shape[d]
			p.move(n-1, d)
			continue
		}
		p.Shape[n] = p.Shape[d]
		p.move(n, d)
		n++
	}
	if n == 0 { // one element
		p.Shape, n = append(p.Shape[:0], 1), 1
		p.Out.Stride = append(p.Out.Stride[:0], 1)
		for i := range p.In {
			o := &p.In[i]
			if o.Stride = append(o.Stride[:0], 1); o.Tensor == nil {
				o.Stride[0] = 0
			}
		}
	}
	p.Shape = p.Shape[:n]
	p.Out.Stride = p.Out.Stride[:n]
	p.Flat = n <= 1 && (p.Out.Stride[0] == 1 || p.Numel <= 1)
	for i := range p.In {
		o := &p.In[i]
		o.Stride = o.Stride[:n]
		p.Flat = p.Flat && (o.Tensor == nil || o.Stride[0] == 1 || p.Numel <= 1)
	}
}

// joins reports whether every operand steps from dimension a to d, which follows it, without a gap.
func (p *Plan) joins(a, d int) bool {
	n := p.Shape[d]
	ok := p.Out.Stride[a] == p.Out.Stride[d]*n
	for i := range p.In {
		s := p.In[i].Stride
		ok = ok && s[a] == s[d]*n
	}
	return ok
}

// move copies the strides of dimension d to a.
func (p *Plan) move(a, d int) {
	p.Out.Stride[a] = p.Out.Stride[d]
	for i := range p.In {
		s := p.In[i].Stride
		s[a] = s[d]
	}
}

// checkOverlap rejects an input that shares some but not all of its places with the destination, as PyTorch does: the
// result would depend on the order of the walk.
func (p *Plan) checkOverlap(in *PlanOperand, dst *Tensor) {
	t := in.Tensor
	if t == nil || t == dst || !SharesStorage(t, dst) || t.numel == 0 || dst.numel == 0 {
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
		panic(Errorf(p.Op, "some elements of the input tensor and the written-to tensor refer to a single memory location").
			WithHint("Clone() the input first"))
	}
}

// sameSteps reports whether two tensors of one shape walk memory alike: the strides of dimensions of size 1 do not
// matter.
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

var planPool = sync.Pool{New: func() any { return new(Plan) }}

// PlanInto plans a walk over dst and the tensors in, broadcast to its shape, outside of a pointwise call: for kernels
// that copy and fill. A caller that is done with the plan may [Plan.Release] it.
//
//gotorch:internal
func PlanInto(op string, dst *Tensor, in ...*Tensor) *Plan {
	p := planPool.Get().(*Plan)
	p.Op, p.Dtype = op, dst.dtype
	p.In = p.inBuf[:0]
	same := isContiguous(dst.shape, dst.stride, NoFormat)
	for _, t := range in {
		o := p.operand()
		o.Tensor, o.Dtype, o.Offset = t, t.dtype, t.offset
		same = same && slices.Equal(t.shape, dst.shape) && isContiguous(t.shape, t.stride, NoFormat)
	}
	if same {
		p.flat(dst)
		return p
	}
	p.expand(dst.shape, dst)
	p.order(dst.shape)
	p.permute(dst.shape)
	p.coalesce()
	return p
}

// Release returns a plan of [PlanInto] back for the next one. Nobody may look at it afterwards.
func (p *Plan) Release() {
	p.reset()
	planPool.Put(p)
}

// preservedStrides are the strides of a new tensor that keeps the order in which x's dimensions lie, without holes;
// nil means row-major.
func (x *Tensor) preservedStrides() []int {
	switch {
	case isContiguous(x.shape, x.stride, NoFormat):
		return nil
	case dense(x):
		return slices.Clone(x.stride)
	}
	var p Plan
	p.In = p.inBuf[:1]
	p.In[0].Tensor = x
	p.expand(x.shape, nil)
	p.order(x.shape)
	return permutedStrides(make([]int, len(x.shape)), x.shape, p.perm)
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
		panic(Errorf(op, "memory format %s is for tensors of %d dimensions, not for shape %v", f,
			map[MemoryFormat]int{ChannelsLast: 4, ChannelsLast3d: 5}[f], shape))
	}
	perm := slices.Clone(order)
	slices.Reverse(perm)
	return permutedStrides(make([]int, len(shape)), shape, perm)
}
