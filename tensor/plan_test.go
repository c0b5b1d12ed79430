package tensor

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPlanWalksEveryElement plans random operands and compares the walk of the nest with plain indexing.
func TestPlanWalksEveryElement(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = r.IntN(4) // zero sizes too
		}
		c := begin(opAdd)
		c.device = CPU
		var ins []*Tensor
		for i := range 2 {
			x := randomOperand(r, shape)
			ins = append(ins, x)
			c.setTensor(i, x)
		}
		p := c.PlanPointwise([]int{0, 1}, Float32, Float32)
		out := c.Ret(0)
		full := broadcastTwo("test", ins[0].shape, ins[1].shape)
		if !slices.Equal(out.shape, full) || p.Numel != out.numel {
			t.Fatalf("result %v of %d, want %v", out.shape, p.Numel, full)
		}
		// where each element of the result is made from, by the nest
		from := map[int][2]int{}
		if p.Numel > 0 {
			walkNest(p, func(o int, in [2]int) { from[o] = in })
		}
		if len(from) != out.numel {
			t.Fatalf("the nest %v visits %d of %d elements", p.Shape, len(from), out.numel)
		}
		eachIndex(full, func(ix []int) {
			o := out.offset + dotInts(ix, out.stride)
			var want [2]int
			for k, x := range ins {
				s, ok := BroadcastStrides(x.shape, x.stride, full)
				if !ok {
					t.Fatalf("%v does not broadcast to %v", x.shape, full)
				}
				want[k] = x.offset + dotInts(ix, s)
			}
			if from[o] != want {
				t.Fatalf("shape %v, strides %v %v, element %v: made from %v, want %v", full, ins[0].stride, ins[1].stride,
					ix, from[o], want)
			}
		})
		end(c)
	}
}

// randomOperand is a view that broadcasts to shape: some dimensions of size 1, permuted, some backwards.
func randomOperand(r *rand.Rand, shape []int) *Tensor {
	own := append([]int{}, shape[r.IntN(len(shape)+1):]...)
	for i := range own {
		if r.IntN(4) == 0 {
			own[i] = 1
		}
	}
	stride, n := make([]int, len(own)), 1
	offset := 0
	for _, d := range r.Perm(len(own)) {
		stride[d] = n
		n *= max(own[d], 1)
		if own[d] > 1 && r.IntN(4) == 0 {
			offset += (own[d] - 1) * stride[d]
			stride[d] = -stride[d]
		}
	}
	base := Alloc("test", []int{n + 2}, Float32, CPU)
	return base.alias("test", own, stride, offset+1)
}

// walkNest runs over the nest of a plan.
func walkNest(p *Plan, f func(o int, in [2]int)) {
	stride := func(o *PlanOperand, d int) int {
		if d < len(o.Stride) {
			return o.Stride[d]
		}
		return 0
	}
	eachIndex(p.Shape, func(ix []int) {
		at := p.Out.Offset
		in := [2]int{p.In[0].Offset, p.In[1].Offset}
		for d, i := range ix {
			at += i * stride(&p.Out, d)
			in[0] += i * stride(&p.In[0], d)
			in[1] += i * stride(&p.In[1], d)
		}
		f(at, in)
	})
}

func dotInts(a, b []int) (s int) {
	for i := range a {
		s += a[i] * b[i]
	}
	return s
}

// eachIndex calls f with every index of shape.
func eachIndex(shape []int, f func(ix []int)) {
	n, _ := count(shape)
	ix := make([]int, len(shape))
	for k := range n {
		for d, rest := len(shape)-1, k; d >= 0; d-- {
			ix[d], rest = rest%shape[d], rest/shape[d]
		}
		f(ix)
	}
}

// TestPlanStages: the stages of a plan, gone through again, end in the plan.
func TestPlanStages(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	same := 0
	for range 2000 {
		shape := make([]int, r.IntN(5))
		for i := range shape {
			shape[i] = r.IntN(4)
		}
		c := begin(opAdd)
		c.device = CPU
		for i := range 2 {
			c.setTensor(i, randomOperand(r, shape))
		}
		p := c.PlanPointwise([]int{0, 1}, Float32, Float32)
		s := c.PlanStages()
		if !slices.Equal(s.Shape, c.Ret(0).shape) || !slices.Equal(s.Out.Broadcast, c.Ret(0).stride) {
			t.Fatalf("stages of %v %v: %+v", c.Ret(0).shape, c.Ret(0).stride, s)
		}
		again := Plan{Shape: slices.Clone(s.Permuted), In: make([]PlanOperand, 2)}
		ops := []*PlanOperand{&again.Out, &again.In[0], &again.In[1]}
		for i, o := range []OperandStages{s.Out, s.In[0], s.In[1]} {
			for d, dim := range s.Order {
				if o.Permuted[d] != o.Broadcast[dim] {
					t.Fatalf("operand %d: broadcast %v, ordered %v by %v", i, o.Broadcast, o.Permuted, s.Order)
				}
			}
			ops[i].Stride, ops[i].Tensor = slices.Clone(o.Permuted), c.Ret(0)
		}
		if s.Same {
			same++
			if !p.Flat || !slices.Equal(s.Coalesced, []int{p.Numel}) {
				t.Fatalf("all lie alike, but the plan is %v", p.Shape)
			}
		} else if again.coalesce(); !slices.Equal(again.Shape, p.Shape) ||
			!slices.Equal(again.In[1].Stride, p.In[1].Stride) || !slices.Equal(again.Out.Stride, p.Out.Stride) {
			t.Fatalf("the stages end in %v %v, the plan is %v %v", again.Shape, again.In[1].Stride, p.Shape, p.In[1].Stride)
		}
		end(c)
	}
	if same == 0 || same == 2000 {
		t.Errorf("%d of 2000 lie alike", same)
	}
}
