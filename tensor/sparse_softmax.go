package tensor

import (
	"math"
	"slices"
)

// Softmax over the elements that a sparse tensor has.

func init() {
	composites(map[string]Kernel{
		"sparse.softmax":     func(c *Call) { c.softmaxSparse(false) },
		"sparse.log_softmax": func(c *Call) { c.softmaxSparse(true) },
	})
}

func (c *Call) softmaxSparse(logarithm bool) {
	if x := c.Tensor(0); x.layout != SparseCOO {
		panic(notForLayout(c.Name(), x).OnArg("self"))
	}
	p := c.coo(0)
	p = p.coalesce()
	if dt := c.Dtype(2); dt != NoDtype {
		p.v = p.v.To(dt)
	}
	if !p.v.dtype.IsFloatingPoint() {
		panic(Errorf(c.Name(), "not implemented for %s", p.v.dtype).OnArg("self").WithHint("x.Float() converts"))
	}
	d := c.wrapDim(1, c.Int(1), len(p.size))
	if d >= p.dims {
		if d = d - p.dims + 1; logarithm {
			p.v = p.v.LogSoftmax(optDim(d))
		} else {
			p.v = p.v.Softmax(optDim(d))
		}
		c.Return(p.tensor())
		return
	}
	// The values that differ in index d alone are a group.
	others := p
	others.dropDim(d)
	others.size = slices.Delete(slices.Clone(p.size), d, d+1)
	number := map[int64]int64{}
	group := make([]int64, p.nnz)
	for i, k := range others.keys() {
		n, seen := number[k]
		if !seen {
			n = int64(len(number))
			number[k] = n
		}
		group[i] = n
	}
	at := indexTensor(c.Name(), group, p.nnz)
	shape := append([]int{len(number)}, p.v.shape[1:]...)
	most := With(p.v.dtype).Full(shape, math.Inf(-1)).IndexReduce(0, at, p.v.Detach(), "amax")
	shifted := p.v.Sub(most.IndexSelect(0, at))
	e := shifted.Exp()
	sum := gathered(c.Name(), e, group, len(number)).IndexSelect(0, at)
	if logarithm {
		p.v = shifted.Sub(sum.Log())
	} else {
		p.v = e.Div(sum)
	}
	c.Return(p.tensor())
}
