package operators

import (
	"slices"
	"strings"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
	"gotorch/visualize/draw"
)

// named are the operators that a name means, in the order of the table.
type named struct {
	ops     []*tensor.Op
	inPlace bool
}

// operatorsNamed finds the operators that a user means by a name: PyTorch's (add, add_, max, max.dim,
// aten::add.Tensor, torch.add, nn.functional.relu, relu) or Go's (Add, x.Add_, tensor.Add, MaxDim). A name without an
// overload means all of them. For a name that is none's it panics with an *Error of view, which has the nearest
// names.
func operatorsNamed(view, name string) named {
	if n, ok := findOperators(name); ok {
		return n
	}
	hint := "%help lists what there is to see; docs/operators.md lists the operators"
	if near := nearest(name); len(near) > 0 {
		hint = "is it " + strings.Join(near, ", ") + "?"
	}
	panic(tensor.Errorf(view, "there is no operator %q", draw.Clip(name, 60)).WithHint(hint))
}

func findOperators(name string) (named, bool) {
	name = strings.TrimSpace(name)
	name = strings.TrimSuffix(strings.TrimSuffix(name, "("), "()")
	tried := []string{name}
	for _, prefix := range []string{"aten::", "torch.", "tensor.", "Tensor.", "F.", "gotorch."} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			tried = append(tried, rest)
			name = rest
		}
	}
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		if rest := name[i+1:]; rest != "" && (rest[0] >= 'A' && rest[0] <= 'Z') {
			if n, ok := operatorsCalled(rest); ok { // x.Add_: what x is does not matter
				return n, true
			}
		}
		tried = append(tried, name[:i]) // add.Tensor: overloads that are one row here
	}
	for _, n := range tried {
		if found, ok := operatorsCalled(n); ok {
			return found, true
		}
	}
	return named{}, false
}

// operatorsCalled finds a name of the table, PyTorch's or Go's, with or without the underscore of the in-place form.
func operatorsCalled(name string) (named, bool) {
	var n named
	for _, o := range tensor.Ops() {
		short := strings.TrimPrefix(o.Name, "nn.functional.")
		if name == o.Full || name == o.Name || name == short || name == o.GoName() {
			n.ops = append(n.ops, o)
		}
	}
	if len(n.ops) > 0 {
		return n, true
	}
	base, ok := strings.CutSuffix(name, "_")
	if !ok || base == "" {
		return n, false
	}
	n, _ = operatorsCalled(base)
	n.ops = slices.DeleteFunc(n.ops, func(o *tensor.Op) bool { return !o.Tags.Has(opdef.InPlace) })
	n.inPlace = true
	return n, len(n.ops) > 0
}

// nearest are up to four names that differ least from name.
func nearest(name string) []string {
	i := strings.LastIndexAny(name, ".:")
	want := strings.ToLower(strings.Trim(name[i+1:], "_ ()"))
	if want == "" || len(want) > 60 {
		return nil
	}
	type candidate struct {
		name  string
		steps int
	}
	var list []candidate
	seen := map[string]bool{}
	for _, o := range tensor.Ops() {
		short := o.Name[strings.LastIndexByte(o.Name, '.')+1:]
		plain := strings.Trim(strings.ToLower(short), "_")
		n := min(editDistance(want, plain), editDistance(want, strings.ReplaceAll(plain, "_", "")))
		if strings.HasPrefix(short, "_") || n > max(1, len(want)/3) || seen[o.Name] {
			continue
		}
		seen[o.Name] = true
		list = append(list, candidate{o.Name, n})
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return a.steps - b.steps })
	var out []string
	for _, c := range list[:min(4, len(list))] {
		out = append(out, c.name)
	}
	return out
}

// editDistance is how many letters must be put in, taken out, changed or swapped with the next to make b of a.
func editDistance(a, b string) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			same := 1
			if a[i] == b[j] {
				same = 0
			}
			next[j+1] = min(row[j]+same, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
