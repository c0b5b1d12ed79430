package fold

import (
	"slices"
	"strings"

	"gotorch/nn"
	"gotorch/tensor"
	"gotorch/visualize/display"
)

// Note: modules. A call belongs to the module whose parameter it takes; one that takes none to what the calls before
// and after it have in common: the sum between two layers is the block's. A view of a parameter, and the views around
// a product, belong to the product. Modules have the names of the state dict, layers.0.self_attn, and stand in each
// other as they do there.

// Place is where a parameter stands: its module as a path, the variable, layers.0, self_attn; and its name there.
type Place struct {
	Module []string
	Name   string
}

// variables is a host that knows what variables hold.
type variables interface {
	Variables(found func(name string, v any))
}

// functions is a host that knows in which function a line stands.
type functions interface {
	FuncAt(cell string, line int) string
}

// FuncAt is the function of a cell in which a place stands, "func Block.Forward"; "" where there is none.
func FuncAt(cell string, line int) string {
	if at, ok := display.CurrentHost().(functions); ok {
		if f := at.FuncAt(cell, line); f != "" {
			return "func " + f
		}
	}
	return ""
}

// Places finds where tensors stand among the parameters and buffers of models that variables hold; wanted chooses the
// tensors. Of several variables that hold one, that which holds the most is taken.
func Places(wanted func(x *tensor.Tensor) bool) map[*tensor.Tensor]Place {
	host, ok := display.CurrentHost().(variables)
	if !ok {
		return nil
	}
	type model struct {
		name   string
		params nn.ParamList
	}
	var models []model
	host.Variables(func(name string, v any) {
		m := model{name: name}
		tensor.Try(func() {
			for _, p := range nn.State(v) {
				if p.Name != "" && wanted(p.Tensor) {
					m.params = append(m.params, p)
				}
			}
		})
		if len(m.params) > 0 {
			models = append(models, m)
		}
	})
	slices.SortFunc(models, func(a, b model) int {
		if d := len(b.params) - len(a.params); d != 0 {
			return d
		}
		return strings.Compare(a.name, b.name)
	})
	out := map[*tensor.Tensor]Place{}
	for _, m := range models {
		for _, p := range m.params {
			if _, known := out[p.Tensor]; !known {
				out[p.Tensor] = placeOf(m.name, p.Name)
			}
		}
	}
	return out
}

// placeOf takes a name of the state dict apart: the number of a layer belongs to the list that it is in.
func placeOf(variable, param string) Place {
	parts := strings.Split(param, ".")
	path := []string{variable}
	for _, p := range parts[:len(parts)-1] {
		if p != "" && Stem(p) == "" && len(path) > 1 {
			path[len(path)-1] += "." + p
		} else {
			path = append(path, p)
		}
	}
	return Place{path, parts[len(parts)-1]}
}

// Between gives calls without a module what the modules before and after them have in common.
func Between(owner [][]string) [][]string {
	next := make([][]string, len(owner))
	var after []string
	for i := len(owner) - 1; i >= 0; i-- {
		if owner[i] != nil {
			after = owner[i]
		}
		next[i] = after
	}
	var before []string
	for i, p := range owner {
		if p != nil {
			before = p
			continue
		}
		if before != nil && next[i] != nil {
			n := 0
			for n < min(len(before), len(next[i])) && before[n] == next[i][n] {
				n++
			}
			owner[i] = before[:n:n]
		}
	}
	return owner
}
