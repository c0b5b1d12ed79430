package optim

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/nn"
	"gotorch/tensor"
)

// State lists what the optimizer keeps, for a checkpoint: the momenta and other tensors of each parameter under
// GROUP.PARAMETER.NAME, with PyTorch's names for them, how many steps each has done, and the steps of all. Write it by
// nn.SaveSafetensors(path, o.State(), nil), read it by o.LoadState(nn.LoadState(path)). The tensors are those that the
// next step changes, not copies.
func (o *Optimizer) State() nn.ParamList {
	list := nn.ParamList{{Name: "steps", Tensor: number64(float64(o.Steps)), Buffer: true}}
	add := func(g, i int, name string, x *tensor.Tensor) {
		full := fmt.Sprintf("%d.%s.%s", g, o.Groups[g].Names[i], name)
		list = append(list, nn.Param{Name: full, Tensor: x, Buffer: true})
	}
	for k, g := range o.Groups {
		for i, s := range g.states {
			if s == nil {
				continue
			}
			add(k, i, "step", number64(float64(s.step)))
			for j, name := range o.kernel.slots {
				if s.slots[j] != nil {
					add(k, i, name, s.slots[j])
				}
			}
			for j, v := range s.scalars {
				if v != 0 {
					add(k, i, scalarNames[j], number64(v))
				}
			}
		}
	}
	return list
}

var scalarNames = [2]string{"scalar_0", "scalar_1"}

func number64(v float64) *tensor.Tensor {
	return tensor.With(tensor.Float64).Zeros().Fill_(v)
}

// LoadState makes the optimizer go on from a state that [Optimizer.State] has listed. It must be that of the same
// algorithm for the same parameters; otherwise it panics with an *Error that lists what differs, and nothing changes.
// Parameters without a state, which were never trained, begin again.
func (o *Optimizer) LoadState(from nn.ParamList) {
	by := map[string]*tensor.Tensor{}
	for _, p := range from {
		by[p.Name] = p.Tensor
	}
	var wrong []string
	take := func(name string, shape []int) *tensor.Tensor {
		x := by[name]
		switch delete(by, name); {
		case x == nil:
			wrong = append(wrong, name+" is missing")
		case !slices.Equal(x.Shape(), shape):
			wrong = append(wrong, fmt.Sprintf("%s has shape %v, here %v", name, x.Shape(), shape))
		default:
			return x
		}
		return nil
	}
	count := func(name string) (v float64) {
		if x := take(name, []int{}); x != nil {
			v = x.Item()
		}
		return v
	}
	steps := count("steps")
	states := make([][]*state, len(o.Groups))
	for k, g := range o.Groups {
		states[k] = make([]*state, len(g.Params))
		for i, p := range g.Params {
			prefix := fmt.Sprintf("%d.%s.", k, g.Names[i])
			if by[prefix+"step"] == nil {
				continue
			}
			s := &state{step: int(count(prefix + "step"))}
			for j, slot := range o.kernel.slots {
				if !o.kernel.needs(slot, g.Values) {
					continue
				}
				if x := take(prefix+slot, p.Shape()); x != nil {
					s.slots[j] = tensor.Keep(x.Detach().To(p.Dtype()).Clone().Contiguous())
				}
			}
			for j, name := range scalarNames {
				if by[prefix+name] != nil {
					s.scalars[j] = count(prefix + name)
				}
			}
			states[k][i] = s
		}
	}
	for name := range by {
		wrong = append(wrong, name+" belongs to no parameter")
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		more := ""
		if n := len(wrong) - 10; n > 0 {
			wrong, more = wrong[:10], fmt.Sprintf("; and %d more", n)
		}
		panic(tensor.Errorf(o.op(), "the state is that of another optimizer or model: %s%s", strings.Join(wrong, "; "),
			more).WithHint("make the optimizer as it was made when its state was saved; nothing was changed"))
	}
	o.Steps = int(steps)
	for k, g := range o.Groups {
		g.states = states[k]
	}
}
