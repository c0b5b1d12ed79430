package programs

import (
	"cmp"
	"fmt"
	"math"
	"reflect"

	"gotorch/autograd"
	"gotorch/tensor"
	"gotorch/tensor/opt"
	"gotorch/visualize/draw"
	"gotorch/visualize/plot"
)

// GradcheckView is the derivatives of a function, computed in two ways, and where they are apart.
type GradcheckView struct {
	Name   string
	Dtype  string  // in which all was computed
	Step   float64 // how far elements are moved, both ways
	Atol   float64 // entries agree within Atol + Rtol · |numeric|
	Rtol   float64
	Total  int
	Failed int
	Worst  *GradcheckEntry  `json:",omitempty"` // nil where all agree
	Tables []GradcheckTable // one for each result and input
}

// GradcheckTable is the Jacobian of one result by one input: a row for each element of the result, a column for each
// of the input.
type GradcheckTable struct {
	Result, Input                 string
	ResultShape, InputShape       []int
	Analytic, Numeric, Difference *plot.HeatmapView
	worst                         *GradcheckEntry
}

// GradcheckEntry is an entry of a table at which the two are apart.
type GradcheckEntry struct {
	Result, Input     string // y[1 2], x[0]
	Analytic, Numeric float64
	excess            float64
}

// maxGradcheck is how many elements a tensor may have: each is a row or a column of a picture.
const maxGradcheck = 128

// Gradcheck computes the Jacobian of f at xs twice, by the formulas of autograd and by differences of results, and
// shows both as heat maps, with their difference, and the entries that are apart. f is a function of tensors with one
// or more results. It is computed in float64 whatever the dtype of the inputs, or, where f takes no float64, as with
// parameters of float32, in float32 with wider limits. Inputs of other dtypes are taken as they are. Input and results
// have at most 128 elements each; [autograd.Gradcheck] has no limit. It panics with an *Error where there is nothing
// to check, and as f does.
//
//	visualize.Gradcheck(f, x)   // in a cell: %gradcheck f(x)
func Gradcheck(f any, xs ...*tensor.Tensor) *GradcheckView {
	v := &GradcheckView{Name: "f", Dtype: "float64", Step: 1e-6, Atol: 1e-5, Rtol: 1e-3}
	live := draw.LiveNames()
	names := make([]string, len(xs))
	if typed := draw.TypedTexts("Gradcheck"); len(typed) == len(xs)+1 {
		v.Name = draw.OneLine(typed[0], 60)
		copy(names, typed[1:])
	}
	if t := reflect.TypeOf(f); t == nil || t.Kind() != reflect.Func {
		panic(tensor.Errorf("gradcheck", "wants a function of tensors, not %T", f).WithHint("%gradcheck f(x)"))
	}
	single := false
	for i, x := range xs {
		if x == nil {
			panic(tensor.Errorf("gradcheck", "input %d is a nil tensor", i))
		}
		if x.Dtype().IsComplex() {
			panic(tensor.Errorf("gradcheck", "input %d is of dtype %s: the tables are of real numbers", i, x.Dtype()).
				WithHint("autograd.Gradcheck takes complex numbers"))
		}
		within(x, fmt.Sprintf("input %d", i))
		single = single || x.Dtype() == tensor.Float32
		names[i] = draw.OneLine(cmp.Or(live[x], names[i], fmt.Sprintf("input %d", i)), 30)
	}
	at := func(dtype tensor.Dtype) error { return tensor.Try(func() { v.check(f, moved(xs, dtype), names) }) }
	err := at(tensor.Float64)
	if err != nil && single { // perhaps f has parameters of float32
		loose := *v
		loose.Dtype, loose.Step, loose.Atol, loose.Rtol = "float32", 1e-2, 1e-2, 2e-2
		*v = loose
		if at(tensor.Float32) == nil {
			return v
		}
	}
	if err != nil {
		panic(err)
	}
	return v
}

func within(x *tensor.Tensor, what string) {
	if n := x.Numel(); n > maxGradcheck {
		panic(tensor.Errorf("gradcheck", "%s has %d elements, and a picture of at most %d is drawn", what, n, maxGradcheck).
			WithHint("check with less, or without a picture: autograd.Gradcheck(f, inputs)"))
	}
}

// moved copies inputs, those of a floating point dtype in dtype, as leaves.
func moved(xs []*tensor.Tensor, dtype tensor.Dtype) []*tensor.Tensor {
	out := make([]*tensor.Tensor, len(xs))
	for i, x := range xs {
		out[i] = x.Detach().Clone(tensor.ContiguousFormat)
		if x.Dtype().IsFloatingPoint() {
			out[i] = out[i].To(dtype).RequiresGrad_()
		}
	}
	return out
}

// check fills the tables.
func (v *GradcheckView) check(f any, xs []*tensor.Tensor, names []string) {
	v.Tables, v.Worst, v.Total, v.Failed = nil, nil, 0, 0
	var ys []*tensor.Tensor
	autograd.EnableGrad(func() { ys = callFunction(f, xs) })
	for o, y := range ys {
		if !y.Dtype().IsFloatingPoint() {
			continue
		}
		name := "the result"
		if len(ys) > 1 {
			name = fmt.Sprintf("result %d", o)
		}
		within(y, name)
		for i, x := range xs {
			if !x.RequiresGrad() || x.Numel() == 0 || y.Numel() == 0 {
				continue
			}
			v.table(GradcheckTable{Result: name, Input: names[i], ResultShape: y.Shape(), InputShape: x.Shape()},
				analytic(y, x), v.numeric(f, xs, i, o))
		}
	}
	if len(v.Tables) == 0 {
		panic(tensor.Errorf("gradcheck", "there is nothing to check: inputs and results of a floating point dtype are "+
			"compared, and there are none").WithHint("%gradcheck f(x), where f is a function and x a tensor of floats"))
	}
}

// analytic is the Jacobian by the formulas, row by row.
func analytic(y, x *tensor.Tensor) (out []float64) {
	for j := range y.Numel() {
		row := make([]float64, x.Numel())
		if y.RequiresGrad() {
			seed := tensor.Zeros(y.Numel()).To(y.Dtype())
			seed.Select(0, j).Fill_(1)
			g := autograd.Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, opt.GradOutputs(seed.View(y.Shape()...)),
				opt.RetainGraph(true), opt.AllowUnused(true))[0]
			if g != nil {
				row = tensor.Data[float64](g.Detach().To(tensor.Float64))
			}
		}
		out = append(out, row...)
	}
	return out
}

// numeric is the Jacobian of result o by input i, by differences.
func (v *GradcheckView) numeric(f any, xs []*tensor.Tensor, i, o int) []float64 {
	n := xs[i].Numel()
	eval := func(at int, by float64) []float64 {
		args := make([]*tensor.Tensor, len(xs))
		for k, x := range xs {
			args[k] = x.Detach().Clone()
		}
		args[i].View(n).Select(0, at).Add_(by)
		return tensor.Data[float64](callFunction(f, args)[o].Detach().To(tensor.Float64))
	}
	var out []float64
	autograd.NoGrad(func() {
		for at := range n {
			up, down := eval(at, v.Step), eval(at, -v.Step)
			if out == nil {
				out = make([]float64, len(up)*n)
			}
			for j := range up {
				out[j*n+at] = (up[j] - down[j]) / (2 * v.Step)
			}
		}
	})
	return out
}

// table compares two Jacobians, and makes heat maps of them.
func (v *GradcheckView) table(t GradcheckTable, analytic, numeric []float64) {
	rows, columns := elementNames(t.ResultShape), elementNames(t.InputShape)
	differ := make([]float64, len(analytic))
	var marks []int
	for k := range analytic {
		differ[k] = analytic[k] - numeric[k]
		excess := math.Abs(differ[k]) / (v.Atol + v.Rtol*math.Abs(numeric[k]))
		if same := analytic[k] == numeric[k] || math.IsNaN(analytic[k]) && math.IsNaN(numeric[k]); same {
			excess = 0
		} else if math.IsNaN(excess) {
			excess = math.Inf(1)
		}
		if excess <= 1 {
			continue
		}
		marks = append(marks, k)
		row, column := rows[k/len(columns)], columns[k%len(columns)]
		e := &GradcheckEntry{t.Result + row, t.Input + column, analytic[k], numeric[k], excess}
		if t.worst == nil || excess > t.worst.excess {
			t.worst = e
		}
		if v.Worst == nil || excess > v.Worst.excess {
			v.Worst = e
		}
	}
	draws := func(title string, values []float64) *plot.HeatmapView {
		h := plot.Heatmap(tensor.FromSlice(values, len(rows), len(columns)), plot.Title(title))
		h.Marks = marks
		if len(rows) <= 12 && len(columns) <= 12 {
			h.RowNames, h.ColNames = rows, columns
		}
		return h
	}
	t.Analytic, t.Numeric = draws("by the formulas", rounded(analytic)), draws("by differences", rounded(numeric))
	lo, hi := min(t.Analytic.Min, t.Numeric.Min), max(t.Analytic.Max, t.Numeric.Max)
	for _, h := range []*plot.HeatmapView{t.Analytic, t.Numeric} { // of the same colours
		h.Min, h.Max, h.Colormap = lo, hi, "viridis"
		if lo < 0 && hi > 0 {
			h.Max = max(hi, -lo)
			h.Min, h.Colormap = -h.Max, "coolwarm"
		}
	}
	for k, d := range differ { // rounding, which is another on each machine, is no difference
		differ[k] = math.Round(d*10/v.Atol)/10*v.Atol + 0
	}
	t.Difference = draws("difference", differ)
	m := max(v.Rtol*max(math.Abs(lo), math.Abs(hi)), v.Atol)
	if len(marks) > 0 {
		m = max(m, math.Abs(t.Difference.Min), math.Abs(t.Difference.Max))
	}
	t.Difference.Min, t.Difference.Max, t.Difference.Colormap = -m, m, "coolwarm"
	v.Total += len(analytic)
	v.Failed += len(marks)
	v.Tables = append(v.Tables, t)
}

// rounded has six digits of the largest value: the last ones are others on each machine.
func rounded(values []float64) []float64 {
	most := 0.0
	for _, v := range values {
		if !math.IsInf(v, 0) && !math.IsNaN(v) {
			most = max(most, math.Abs(v))
		}
	}
	if most < 1e-290 {
		return values
	}
	unit := math.Pow(10, math.Ceil(math.Log10(most))-6)
	out := make([]float64, len(values))
	for i, v := range values {
		if out[i] = math.Round(v/unit)*unit + 0; unit < 1 {
			out[i] = math.Round(v/unit)/math.Round(1/unit) + 0
		}
	}
	return out
}

// elementNames are the indices of a tensor's elements, in row-major order: [0 1]. The element of a scalar has none.
func elementNames(shape []int) (out []string) {
	n := 1
	for _, s := range shape {
		n *= s
	}
	for i := range n {
		index := make([]int, len(shape))
		for d, rest := len(shape)-1, i; d >= 0; d-- {
			index[d], rest = rest%shape[d], rest/shape[d]
		}
		name := ""
		if len(shape) > 0 {
			name = "[" + draw.Join(index, " ") + "]"
		}
		out = append(out, name)
	}
	return out
}
