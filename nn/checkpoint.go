package nn

import (
	"fmt"
	"slices"
	"strings"

	"gotorch/autograd"
	"gotorch/tensor"
)

// Save writes the state of a model, parameters and buffers under all their names: to a file whose name ends in .pt or
// .pth as torch.save writes a state_dict, else as safetensors. The file appears whole or not at all.
func Save(m any, path string) {
	if isPt(path) {
		SavePt(path, State(m))
		return
	}
	SaveSafetensors(path, State(m), map[string]string{"format": "pt"})
}

// LoadState reads the tensors of a file, which may be safetensors or what torch.save writes, whatever its name. In the
// latter, names of dicts in dicts are joined by dots.
func LoadState(path string) ParamList {
	const op = "nn.LoadState"
	m := tensor.MapFile(op, path)
	if isPickled(m.Bytes()) {
		return flattened(op, path, readPt(op, path, m))
	}
	list, _ := readSafetensors(op, path, m)
	return list
}

// Sub is the tensors whose names begin with prefix and a dot, without these.
func (l ParamList) Sub(prefix string) ParamList {
	var out ParamList
	for _, p := range l {
		if name, ok := strings.CutPrefix(p.Name, prefix+"."); ok {
			p.Name = name
			out = append(out, p)
		}
	}
	return out
}

// Load reads a checkpoint, see [LoadState], into a model. Names and shapes must be those of the model; where they are
// not it panics with an *Error that has them as a table, and changes nothing. With opt.Strict(false) the tensors that
// fit are taken.
func Load(m any, path string, opts ...tensor.Option) { LoadFrom(m, LoadState(path), opts...) }

// LoadFrom is [Load] of tensors that have been read, or belong to another model. Their numbers are converted to the
// model's dtypes.
func LoadFrom(m any, from ParamList, opts ...tensor.Option) {
	const op = "nn.Load"
	strict := read(op, opts, "strict").bool("strict", true)
	by := map[string]*tensor.Tensor{}
	for _, p := range from {
		by[p.Name] = p.Tensor
	}
	var rows [][3]string
	var take []func()
	state := State(m)
	for _, p := range state {
		x, ok := by[p.Name]
		delete(by, p.Name)
		switch {
		case !ok:
			rows = append(rows, [3]string{p.Name, fmt.Sprint(p.Tensor.Shape()), "missing"})
		case !slices.Equal(x.Shape(), p.Tensor.Shape()):
			rows = append(rows, [3]string{p.Name, fmt.Sprint(p.Tensor.Shape()), fmt.Sprint(x.Shape())})
		default:
			take = append(take, func() { p.Tensor.Copy_(x) })
		}
	}
	for _, p := range from {
		if by[p.Name] != nil {
			rows = append(rows, [3]string{p.Name, "not there", fmt.Sprint(p.Tensor.Shape())})
		}
	}
	if strict && len(rows) > 0 {
		hint := "opt.Strict(false) takes what fits"
		if len(state) > 0 {
			hint = fitting(state, from)
		}
		panic(tensor.Errorf(op, "the checkpoint does not fit the model\n%s", mismatches(rows)).WithHint(hint))
	}
	if len(take) == 0 && len(state) > 0 {
		panic(tensor.Errorf(op, "no tensor of the checkpoint fits the model\n%s", mismatches(rows)))
	}
	autograd.NoGrad(func() {
		for _, f := range take {
			f()
		}
	})
}

// fitting says how a checkpoint that does not fit may: where all names of the model are there below a prefix, as in a
// checkpoint that holds more than the model.
func fitting(state, from ParamList) string {
	names := from.Names()
	for _, n := range names {
		prefix, ok := strings.CutSuffix(n, "."+state[0].Name)
		if ok && !slices.ContainsFunc(state, func(q Param) bool { return !slices.Contains(names, prefix+"."+q.Name) }) {
			return fmt.Sprintf("the model's tensors are below %s: nn.LoadFrom(m, nn.LoadState(path).Sub(%q))", prefix, prefix)
		}
	}
	return "opt.Strict(false) takes what fits"
}

// mismatches is the table of what does not fit, cut where it is long.
func mismatches(rows [][3]string) string {
	const most = 30
	more := ""
	if len(rows) > most {
		more = fmt.Sprintf("  and %d more\n", len(rows)-most)
		rows = rows[:most]
	}
	rows = append([][3]string{{"name", "model", "checkpoint"}}, rows...)
	var width [3]int
	for _, r := range rows {
		for i, s := range r {
			width[i] = max(width[i], len(s))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "  %-*s  %-*s  %s\n", width[0], r[0], width[1], r[1], r[2])
	}
	return b.String() + more
}
