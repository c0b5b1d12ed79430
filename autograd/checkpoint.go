package autograd

import (
	"gotorch/tensor"
)

// Note: checkpoints. What the operators of a checkpointed function save is not kept; when backward asks for the first
// of these tensors the function runs once more, and what its operators save then, in the same order, is what they
// would have saved. So captured tensors have their gradients too, and the graph is the ordinary one.

// checkpoint is one call of a function whose saved tensors are computed again.
type checkpoint struct {
	again    func()
	inputs   []*tensor.Tensor
	versions []uint32
	random   tensor.Source
	count    int // of the tensors that were saved
	cache    map[int]*tensor.Tensor
}

// Checkpoint returns f(xs…), one result, and keeps for backward only the inputs: what f computes between is computed
// once more when its gradients are. That takes more time and less memory. f must give the same again; random numbers
// of the default generator are drawn as they were the first time. It may capture tensors, which get their gradients.
// See [CheckpointAll] for several results.
func Checkpoint(f any, xs ...*tensor.Tensor) *tensor.Tensor {
	all := make([]any, len(xs))
	for i, x := range xs {
		all[i] = x
	}
	ys := CheckpointAll(f, all...)
	if len(ys) != 1 {
		panic(tensor.Errorf("checkpoint", "the function gives %d results", len(ys)).WithHint("use CheckpointAll"))
	}
	return ys[0]
}

// CheckpointAll is [Checkpoint] for functions of several results. Inputs may be lists and structs of tensors.
func CheckpointAll(f any, xs ...any) (ys []*tensor.Tensor) {
	const op = "checkpoint"
	in := Flatten(xs)
	call := treeFunction(op, f, xs)
	if !IsGradEnabled() {
		return call(in)
	}
	k := &checkpoint{inputs: in, random: tensor.DefaultGenerator().GetState()}
	for _, x := range in {
		k.versions = append(k.versions, x.Version())
	}
	k.again = func() { call(in) }
	pack := func(*tensor.Tensor) any {
		k.count++
		return k.count - 1
	}
	withModes(func(m *modes) {
		m.pack, m.unpack = pack, func(i any) *tensor.Tensor { return k.unpack(i.(int)) }
		m.drop = func(i any) { delete(k.cache, i.(int)) }
	}, func() { ys = call(in) })
	return ys
}

// unpack returns the i-th tensor that the function saves.
func (k *checkpoint) unpack(i int) *tensor.Tensor {
	if k.cache[i] == nil {
		k.run()
	}
	return k.cache[i]
}

// run calls the function again and keeps what its operators save.
func (k *checkpoint) run() {
	for i, x := range k.inputs {
		if x.Version() != k.versions[i] {
			panic(tensor.Errorf("checkpoint", "input %d (%s %v) has been modified in place since the function ran: "+
				"it cannot be run again", i, x.Dtype(), x.Sizes()).WithHint("write out of place, or into a Clone()"))
		}
	}
	k.cache = map[int]*tensor.Tensor{}
	now := tensor.DefaultGenerator().GetState()
	tensor.DefaultGenerator().SetState(k.random)
	defer func() { tensor.DefaultGenerator().SetState(now) }()
	n := 0
	pack := func(x *tensor.Tensor) any {
		k.cache[n] = x
		n++
		return n - 1
	}
	EnableGrad(func() {
		tensor.InScope(func(s *tensor.Scope) { s.Beneath = false }, func() {
			SavedTensorsHooks(pack, func(i any) *tensor.Tensor { return nil }, k.again)
		})
	})
	if n != k.count {
		panic(tensor.Errorf("checkpoint", "the function saved %d tensors for backward, and %d when it was run again",
			k.count, n).WithHint("it must call the same operators every time"))
	}
}
