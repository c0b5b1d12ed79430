package operators

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"gotorch/tensor"
	"gotorch/tensor/opdef"
)

// Note: samples. Nothing declares the dtypes that an operator takes: kernels, shape functions and bodies each reject
// what they do not. So the operator is called, with tiny arguments made from its schema: tensors of one of a few
// shapes, each of the dtype that is tried, or int64 zeros (indices), or bool (masks); numbers; the required arguments
// alone. The first choice with which a call succeeds is the operator's recipe, and is kept.

// recipe is how arguments of an operator are made.
type recipe struct {
	shapes [][]int // of the tensors, in order; the last stands for all that follow
	roles  []role  // of the tensors
	ints   int     // which of the choices for ints
	extra  int     // the parameter that is given though it has a default; 0 for none

	layout tensor.Layout // of the first tensor, or of all; NoLayout for strided
	all    bool
}

// role is what a tensor argument is.
type role uint8

const (
	tried role = iota // of the dtype that is tried
	index             // int64 zeros
	mask              // bool
)

// sampleShapes are the shapes that are tried: alike, and as layers and products of matrices take them.
var sampleShapes = [][][]int{
	{{2, 2}}, {{2}}, {{1, 2, 4, 4}}, {{1, 2, 4}}, {{1, 2, 4, 4, 4}}, {{2, 2, 2}}, {{}}, {{3}},
	{{2, 2}, {2}}, {{2}, {2, 2}, {2}}, {{2, 2}, {2, 2, 2}}, {{1, 2, 4}, {2, 2, 1}}, {{1, 2, 4, 4}, {2, 2, 1, 1}},
	{{1, 2, 4, 4, 4}, {2, 2, 1, 1, 1}},
	{{2, 2}, {}}, {{2}, {2, 2}}, {{1, 2, 4, 4}, {2}}, {{2, 2}, {2}, {}}, {{1, 2, 4, 4}, {1, 2, 2, 2}},
	{{1, 2, 2, 2}, {1, 2, 2, 2, 2}}, {{1, 2, 4, 4}, {1, 2, 2, 2}},
	{{2, 2, 2}, {2, 2, 2}}, {{2}, {2, 2, 2}}, {{1, 2, 4, 4}, {1, 4, 4, 2}}, {{2, 2}, {2, 1}}, {{1, 2, 4, 4}, {2, 2}},
	{{2, 2}, {2, 2}, {2}}, {{2, 2}, {2}, {2, 2}},
}

// intChoices are what ints and lists of them are: one number, and a list that may be a shape or dimensions. Bools are
// true in every other.
var intChoices = []struct {
	one  int
	list []int
}{{0, []int{0}}, {1, []int{1}}, {2, []int{2, 2}}, {1, []int{1, 0}}, {1, []int{0, 1}}, {1, []int{4}}, {0, []int{2}},
	{1, []int{1, 1}}, {2, []int{1, 1, 1}}, {1, []int{0, 0}}, {0, []int{1, 0, 3, 2}}, {2, []int{2}}, {1, []int{1, 1}}}

// strs are what required strings are.
var strs = []string{"ij,jk->ik", "xy", "mean"}

// recipes are what was found, by full name; nil for operators for which nothing fits.
var recipes sync.Map

// arguments makes the arguments for a dtype on a device, by name; ok is false where a parameter is of a kind that no
// sample is made for.
func (r *recipe) arguments(o *tensor.Op, dt tensor.Dtype, dev tensor.Device) (kwargs map[string]any, ok bool) {
	kwargs = map[string]any{}
	n := 0
	next := func() *tensor.Tensor {
		t := r.tensor(n, dt, dev)
		n++
		return t
	}
	choice := intChoices[r.ints]
	for i := range o.Params {
		p := &o.Params[i]
		var v any
		switch {
		case p.Name == "dtype" && p.Is("ScalarType"):
			if p.HasDef && !makes(o) {
				continue
			}
			v = dt
		case p.Name == "device" && p.Is("Device"):
			v = dev
		case p.Name == "generator" && p.Is("Generator"):
			v = tensor.NewGenerator(1)
		case p.HasDef && i != r.extra:
			continue
		case p.Optional && !p.HasDef:
			v = nil
		case p.Is("Tensor"):
			v = next()
		case p.IsList("Tensor"):
			v = []*tensor.Tensor{next(), next()}
		case p.IsList("Index"):
			v = []any{(&recipe{shapes: [][]int{{2}}, roles: []role{index}}).tensor(0, dt, dev)}
		case p.IsList("int"):
			v = slices.Clone(choice.list)
		case p.Is("int"):
			if v = choice.one; p.Name == "high" {
				v = choice.one + 1
			}
		case p.Is("float"):
			v = 0.5
		case p.Is("Scalar"):
			v = 1
		case p.IsList("Scalar"):
			v = []any{1}
		case p.Is("bool"):
			v = r.ints%2 == 1
		case p.Is("str"):
			v = strs[r.ints%len(strs)]
		default:
			return nil, false
		}
		kwargs[p.Name] = v
	}
	return kwargs, true
}

// makes reports whether an operator makes a tensor of a dtype that is given.
func makes(o *tensor.Op) bool {
	return !slices.ContainsFunc(o.Params, func(p opdef.Param) bool { return p.Is("Tensor") || p.IsList("Tensor") })
}

// tensor makes tensor argument n: ones, or the identity, or zeros for indices.
func (r *recipe) tensor(n int, dt tensor.Dtype, dev tensor.Device) *tensor.Tensor {
	shape := r.shapes[min(n, len(r.shapes)-1)]
	as := tried
	if n < len(r.roles) {
		as = r.roles[n]
	}
	size := 1
	for _, d := range shape {
		size *= d
	}
	values := make([]int64, size)
	for i := range values {
		values[i] = 1
		if k := len(shape); k > 1 && shape[k-1] == shape[k-2] && i%shape[k-1] != i/shape[k-1]%shape[k-2] {
			values[i] = 0
		}
		if as == index {
			values[i] = 0
		}
	}
	x := tensor.FromSlice(values, shape...)
	if len(shape) == 0 {
		x = x.Select(0, 0)
	}
	switch as {
	case index:
	case mask:
		x = x.To(tensor.Bool)
	default:
		x = x.To(dt)
	}
	if dev != tensor.CPU {
		x = x.To(dev)
	}
	if as == tried && (n == 0 || r.all) {
		err := tensor.Try(func() {
			switch r.layout {
			case tensor.SparseCOO:
				x = x.ToSparse()
			case tensor.SparseCSR:
				x = x.ToSparseCsr()
			case tensor.SparseCSC:
				x = x.ToSparseCsc()
			}
		})
		if err != nil {
			panic(errors.New("no tensor has this layout there"))
		}
	}
	return x
}

// call calls an operator with a recipe's arguments; dt is the dtype of the first result. Whatever goes wrong is an
// error: a sample may be one that nobody would write.
func (r *recipe) call(o *tensor.Op, name string, dt tensor.Dtype, dev tensor.Device) (result tensor.Dtype, err error) {
	defer func() {
		if p := recover(); p != nil {
			if e, ok := p.(error); ok {
				err = e
			} else {
				err = fmt.Errorf("%v", p)
			}
		}
	}()
	kwargs, ok := r.arguments(o, dt, dev)
	if !ok {
		return tensor.NoDtype, errors.New("no sample is made for one of its arguments")
	}
	results, err := tensor.Invoke(name, nil, kwargs)
	for i := len(results) - 1; i >= 0; i-- {
		if x, ok := results[i].(*tensor.Tensor); ok && x != nil {
			x.Settle() // a device that answers later has its errors later
			result = x.Dtype()
		}
	}
	return result, err
}

// recipeOf finds the recipe of an operator by trying, nil if none of the samples fits.
func recipeOf(o *tensor.Op) *recipe {
	if v, ok := recipes.Load(o.Full); ok {
		return v.(*recipe)
	}
	found := search(o)
	if !o.IsDefined() { // which may be defined anew
		recipes.Store(o.Full, found)
	}
	return found
}

// sparseShapes are what is tried of sparse layouts, which some operators take for matrices alone.
var sparseShapes = [][][]int{{{2, 2}}, {{2, 2}, {2}}, {{2}}}

// recipeIn is the recipe with its first tensor in a sparse layout, or all of them where that is what works; others are
// looked for in matrices. Of what the dispatcher has nothing for, the sample shows the error.
func recipeIn(o *tensor.Op, layout tensor.Layout) *recipe {
	strided := recipeOf(o)
	if strided == nil {
		return nil
	}
	first := *strided
	first.layout = layout
	if !o.HasSparse() && !o.IsComposite() {
		return &first
	}
	key := o.Full + " " + layout.String()
	if v, ok := recipes.Load(key); ok && !o.IsDefined() {
		return v.(*recipe)
	}
	found := &first
search:
	for _, shapes := range append([][][]int{strided.shapes}, sparseShapes...) {
		for _, all := range []bool{false, true} {
			r := first
			r.shapes, r.all = shapes, all
			if _, err := r.call(o, o.Full, tensor.Float32, tensor.CPU); err == nil {
				found = &r
				break search
			}
		}
	}
	recipes.Store(key, found)
	return found
}

func search(o *tensor.Op) *recipe {
	tensors, ints := 0, 1
	hinted := make([]role, 0, 4)
	for i := range o.Params {
		p := &o.Params[i]
		if p.HasDef {
			continue
		}
		switch {
		case p.Is("Tensor"):
			tensors++
			hint := tried
			switch {
			case strings.Contains(p.Name, "ind") || p.Name == "target" || p.Name == "repeats":
				hint = index
			case strings.Contains(p.Name, "mask") || p.Name == "condition":
				hint = mask
			}
			hinted = append(hinted, hint)
		case p.Is("int") || p.IsList("int") || p.Is("str"):
			ints = len(intChoices)
		case p.Is("bool"):
			ints = max(ints, 2)
		}
	}
	var roles [][]role
	for n := range len(hinted) + 2 {
		as := make([]role, len(hinted))
		switch {
		case n == 0:
			as = hinted
		case n > 1:
			as[n-2] = index
		}
		if len(as) == 0 || slices.Contains(as, tried) { // something must be of the dtype
			roles = append(roles, as)
		}
	}
	shapes := sampleShapes
	if tensors == 0 && makes(o) {
		shapes = shapes[:1]
	}
	if r := searchIn(o, roles, shapes, ints, 0); r != nil {
		return r
	}
	for i := range o.Params { // clamp wants one of its bounds, interpolate a size
		if p := &o.Params[i]; i > 0 && p.HasDef && (p.Optional || p.Is("bool")) && !p.KwOnly {
			if r := searchIn(o, roles[:1], shapes[:4], min(ints+3, len(intChoices)), i); r != nil {
				return r
			}
		}
	}
	return nil
}

// searchIn tries all choices, with optional parameter extra.
func searchIn(o *tensor.Op, roles [][]role, shapes [][][]int, ints, extra int) *recipe {
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Int64, tensor.Bool, tensor.Complex64} {
		for _, as := range roles {
			for _, s := range shapes {
				for k := range ints {
					r := &recipe{shapes: s, roles: as, ints: k, extra: extra}
					if _, err := r.call(o, o.Full, dt, tensor.CPU); err == nil {
						return r
					}
				}
			}
		}
	}
	return nil
}

// undisturbed runs f so that nothing is recorded, and no default device holds, and gives the default generator its
// state back.
func undisturbed(f func()) {
	g := tensor.DefaultGenerator()
	state := g.GetState()
	defer g.SetState(state)
	tensor.InScope(func(s *tensor.Scope) {
		s.Exclude(tensor.Set(tensor.KeyTrace, tensor.KeyMode, tensor.KeyAutograd, tensor.KeyDual, tensor.KeyBatched))
		s.Trace, s.Device = nil, tensor.CPU
	}, f)
}
