package plot

import (
	"fmt"
	"reflect"
	"strings"

	"gotorch/tensor"
	"gotorch/visualize/draw"
)

const (
	maxNumbers = 1 << 26 // of one argument of a plot
	maxSeries  = 16      // that are drawn
	largest    = 1e300   // beyond, numbers are drawn no more than infinity is
	smallest   = 1e-290  // below, logarithmic axes take them for 0
)

func drawable(v float64) bool { return v >= -largest && v <= largest }

// numbers are what a plot was given as one argument.
type numbers struct {
	values []float64
	shape  []int
	lent   *tensor.Tensor // whose elements take the place of values: see [lend]
	single []float32      // its elements, while they are lent
}

// toNumbers reads a tensor, a slice or an array of numbers, or a slice of tensors of one element; op and what are for
// errors.
func toNumbers(op, what string, v any) numbers {
	if x, ok := v.(*tensor.Tensor); ok {
		return tensorNumbers(op, what, x)
	}
	r := reflect.ValueOf(v)
	if !r.IsValid() {
		panic(tensor.Errorf(op, "%s is nil", what))
	}
	if k := r.Kind(); k != reflect.Slice && k != reflect.Array {
		if f, ok := goNumber(r); ok {
			return numbers{values: []float64{f}}
		}
		panic(tensor.Errorf(op, "%s is of type %T, which is no list of numbers", what, v).
			WithHint("tensors, []float64, []int and their like"))
	}
	out := numbers{values: make([]float64, 0, r.Len()), shape: []int{r.Len()}}
	for i := range r.Len() {
		e := r.Index(i)
		if e.Kind() == reflect.Interface {
			e = e.Elem()
		}
		if e.IsValid() && e.CanInterface() {
			if x, ok := e.Interface().(*tensor.Tensor); ok {
				one := tensorNumbers(op, fmt.Sprintf("%s[%d]", what, i), x)
				if len(one.values) != 1 {
					panic(tensor.Errorf(op, "%s[%d] has shape %v, and not one element", what, i, x.Shape()))
				}
				out.values = append(out.values, one.values[0])
				continue
			}
		}
		if k := e.Kind(); k == reflect.Slice || k == reflect.Array {
			row := toNumbers(op, fmt.Sprintf("%s[%d]", what, i), e.Interface())
			if i > 0 && (len(out.shape) != len(row.shape)+1 || len(row.values)*i != len(out.values)) {
				panic(tensor.Errorf(op, "the rows of %s differ in length", what))
			}
			out.values, out.shape = append(out.values, row.values...), append([]int{r.Len()}, row.shape...)
			continue
		}
		f, ok := goNumber(e)
		if !ok {
			panic(tensor.Errorf(op, "%s is of type %T, which is no list of numbers", what, v).
				WithHint("tensors, []float64, []int and their like"))
		}
		out.values = append(out.values, f)
	}
	return out
}

func goNumber(v reflect.Value) (float64, bool) {
	switch {
	case !v.IsValid():
		return 0, false
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

func tensorNumbers(op, what string, x *tensor.Tensor) numbers {
	checkNumbers(op, what, x)
	return numbers{values: tensor.Data[float64](x.Detach().To(tensor.Float64).Contiguous()), shape: x.Shape()}
}

// checkNumbers panics unless a plot can read x.
func checkNumbers(op, what string, x *tensor.Tensor) {
	switch {
	case x == nil:
		panic(tensor.Errorf(op, "%s is nil", what))
	case x.Device() == tensor.Meta:
		panic(tensor.Errorf(op, "%s is a meta tensor, which has no elements to show", what))
	case x.Dtype().IsComplex():
		panic(tensor.Errorf(op, "%s is complex, and a plot has places for real numbers only", what).
			WithHint("x.Abs(), x.Angle() or a part: tensor.Real(x), tensor.Imag(x)"))
	case x.Numel() > maxNumbers:
		panic(tensor.Errorf(op, "%s has %d elements, more than a plot reads (%d)", what, x.Numel(), maxNumbers).
			WithHint("index a part of it"))
	}
}

// argument is one of what was typed: numbers, or a name.
type argument struct {
	numbers
	text  string // as it was typed, or the variable that holds it; "" where that is unknown
	label string // of a string
	isStr bool
}

// readArguments divides what a plot was called with into data and options. If lent, large tensors are not copied: see
// [lend].
func readArguments(op, callee string, lent bool, args []any) (data []argument, opts []Option) {
	typed := draw.TypedTexts(callee)
	if len(typed) != len(args) {
		typed = nil
	}
	live := draw.LiveNames()
	n := 0
	for i, a := range args {
		switch a := a.(type) {
		case Option:
			opts = append(opts, a)
			continue
		case string:
			data = append(data, argument{label: a, isStr: true})
			continue
		}
		n++
		one := argument{}
		if x, ok := a.(*tensor.Tensor); ok && x != nil {
			one.text = live[x]
		}
		if typed != nil && !strings.HasSuffix(typed[i], "...") {
			one.text = typed[i]
		}
		what := one.text
		if what == "" || len(what) > draw.MaxName {
			what = fmt.Sprintf("argument %d", n)
		}
		if x, ok := a.(*tensor.Tensor); ok && lent && x != nil && lendable(x) {
			checkNumbers(op, what, x)
			one.numbers = numbers{lent: x.Detach(), shape: x.Shape()}
		} else {
			one.numbers = toNumbers(op, what, a)
		}
		data = append(data, one)
	}
	if n == 0 {
		panic(tensor.Errorf(op, "there is nothing to draw: no numbers were given").WithHint("visualize." + callee + "(x)"))
	}
	return data, opts
}

// pair is a series as it was given: x is nil where the points are merely counted.
type pair struct {
	x, y         []float64
	name         string
	xText, yText string
}

// pairs makes series of data: y, or x and y; a string names what stands before it. Columns of a y of two dimensions
// are a series each.
func pairs(op, callee string, data []argument) (out []pair) {
	var group []argument
	end := func(name string) {
		if len(group) == 0 {
			if name != "" {
				panic(tensor.Errorf(op, "the name %q stands before what it names", name).
					WithHint("visualize." + callee + `(x, y, "name")`))
			}
			return
		}
		if len(group) > 2 && len(group)%2 == 1 {
			panic(tensor.Errorf(op, "%d lists of numbers are not pairs of x and y", len(group)).
				WithHint("visualize." + callee + `(y1, "a", y2, "b") or (x1, y1, x2, y2)`))
		}
		for i := 0; i < len(group); i += 2 {
			if len(group) == 1 {
				out = append(out, columnsOf(op, nil, group[0], name)...)
			} else {
				out = append(out, columnsOf(op, &group[i], group[i+1], name)...)
			}
		}
		group = nil
	}
	for _, a := range data {
		if a.isStr {
			end(a.label)
			continue
		}
		group = append(group, a)
	}
	end("")
	return out
}

// columnsOf makes the series of one y.
func columnsOf(op string, x *argument, y argument, name string) (out []pair) {
	if len(y.shape) > 2 || x != nil && len(x.shape) > 1 {
		shape := y.shape
		if len(shape) <= 2 {
			shape = x.shape
		}
		panic(tensor.Errorf(op, "a series has one dimension, or one for points and one for series, not shape %v", shape).
			WithHint("index one dimension, or Flatten()"))
	}
	rows, columns := len(y.values), 1
	if len(y.shape) == 2 {
		rows, columns = y.shape[0], y.shape[1]
	}
	if rows == 0 || columns == 0 {
		panic(tensor.Errorf(op, "%s is empty (shape %v): there are no points to draw", orText(y.text, "y"), y.shape))
	}
	if x != nil && len(x.values) != rows {
		panic(tensor.Errorf(op, "x has %d elements and y %d", len(x.values), rows))
	}
	for c := range columns {
		p := pair{name: name, yText: y.text, y: y.values}
		if columns > 1 {
			p.y = make([]float64, rows)
			for r := range rows {
				p.y[r] = y.values[r*columns+c]
			}
			p.name = fmt.Sprintf("%s %d", orText(name, y.text), c)
			p.yText = ""
		}
		if x != nil {
			p.x, p.xText = x.values, x.text
		}
		out = append(out, p)
	}
	return out
}

func orText(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// bulk is the range of values from the 1st to the 99th percentile, where the rest dominates the whole range, from
// least to greatest: it would leave the others an eighth of it. Else few is false. Of many values some are a [sample];
// they are moved about.
func bulk(some []float64, least, greatest float64) (lo, hi float64, few bool) {
	const fewest = 50 // below, one value is more than a percent
	n := len(some)
	if n < fewest {
		return 0, 0, false
	}
	outside := max(1, n/100) // on each side; of fewer than 100, the least and the greatest alone
	lo, hi = nth(some, outside), nth(some, n-1-outside)
	if !(hi-lo > 0) || greatest-least < 8*(hi-lo) {
		return 0, 0, false
	}
	return lo, hi, true
}

// beyond is how many of values lie outside of a range.
func beyond(values []float64, lo, hi float64) (n int) {
	for _, v := range values {
		if v < lo || v > hi {
			n++
		}
	}
	return n
}
