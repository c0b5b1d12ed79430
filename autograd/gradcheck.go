package autograd

import (
	"fmt"
	"math"
	"math/cmplx"

	"gotorch/tensor"
)

// Note: checking gradients. A gradient is held against differences of the function itself: each element of each input
// is moved a little both ways, and what each element of each output does is compared with what backward says. A
// gradient of a complex number is PyTorch's: the derivative of a real loss by the real part, plus i times that by the
// imaginary part.

// Func is a function of tensors, for [Gradcheck].
type Func = func(inputs []*tensor.Tensor) []*tensor.Tensor

// Gradcheck compares the gradients that backward computes for f with numeric ones, for every element of the inputs
// that require grad (float64 or complex128, or the differences drown in rounding). It returns nil if they agree, else
// an *Error that names the worst element. Options: opt.Eps (1e-6, how far elements are moved), opt.Atol (1e-5),
// opt.Rtol (1e-3), opt.FastMode (false): with it the gradients are compared along one direction of each input and one
// weighting of the outputs, in two runs of f for each input however many elements there are. It finds nearly every
// fault and does not say where it is.
func Gradcheck(f Func, inputs []*tensor.Tensor, opts ...tensor.Option) error {
	k := checkerOf("gradcheck", opts)
	return tensor.Try(func() { k.check(f, inputs) })
}

// Gradgradcheck is [Gradcheck] of the gradients of f themselves: it checks second derivatives.
func Gradgradcheck(f Func, inputs []*tensor.Tensor, opts ...tensor.Option) error {
	k := checkerOf("gradgradcheck", opts)
	return tensor.Try(func() {
		var wrt []int
		for i, x := range inputs {
			if x.RequiresGrad() {
				wrt = append(wrt, i)
			}
		}
		all := append([]*tensor.Tensor(nil), inputs...)
		for _, y := range differentiable(f(inputs)) {
			all = append(all, pattern(y).RequiresGrad_())
		}
		k.check(func(xs []*tensor.Tensor) []*tensor.Tensor {
			ins, seeds := xs[:len(inputs)], xs[len(inputs):]
			var out []*tensor.Tensor
			EnableGrad(func() { // differences are taken without recording, but this function is itself a derivative
				of := make([]*tensor.Tensor, len(wrt))
				ins = append([]*tensor.Tensor(nil), ins...)
				for i, j := range wrt {
					if !ins[j].RequiresGrad() {
						ins[j].RequiresGrad_()
					}
					of[i] = ins[j]
				}
				ys := differentiable(f(ins))
				out = Grad(ys, of, tensor.NewOption("grad_outputs", seeds), tensor.NewOption("create_graph", true),
					tensor.NewOption("allow_unused", true))
			})
			for i, g := range out {
				if g == nil {
					out[i] = zeros(ins[wrt[i]], ins[wrt[i]].Shape())
				}
			}
			return out
		}, all)
	})
}

type checker struct {
	op              string
	eps, atol, rtol float64
	fast            bool
}

func checkerOf(op string, opts []tensor.Option) checker {
	m := tensor.Keywords(op, opts, "eps", "atol", "rtol", "fast_mode")
	fast, _ := m["fast_mode"].(bool)
	num := func(name string, def float64) float64 {
		if v, ok := m[name]; ok {
			s, ok := tensor.ScalarOf(v)
			if !ok {
				panic(tensor.Errorf(op, "argument %s must be a number, not %T", name, v))
			}
			return s.Float()
		}
		return def
	}
	return checker{op, num("eps", 1e-6), num("atol", 1e-5), num("rtol", 1e-3), fast}
}

// worst is the element whose two gradients differ most.
type worst struct {
	output, outAt, input, inAt int
	part                       string
	analytic, numeric          complex128
	excess                     float64
}

func (k checker) check(f Func, inputs []*tensor.Tensor) {
	var wrt []*tensor.Tensor
	var at []int
	for i, x := range inputs {
		if x.RequiresGrad() {
			if x.Device() != tensor.CPU {
				panic(tensor.Errorf(k.op, "input %d is on %s; differences are taken on the CPU", i, x.Device()))
			}
			wrt, at = append(wrt, x), append(at, i)
		}
	}
	if len(wrt) == 0 {
		panic(tensor.Errorf(k.op, "at least one input must require grad"))
	}
	outs := differentiable(f(inputs))
	if len(outs) == 0 {
		panic(tensor.Errorf(k.op, "the function gives no tensor of floating point or complex dtype"))
	}
	if k.fast {
		for i := range wrt {
			k.along(f, inputs, at[i], outs)
		}
		return
	}
	w := worst{excess: 1}
	bad := 0
	for i, x := range wrt {
		moved := k.differences(f, inputs, at[i], outs)
		for o, y := range outs {
			bad += k.compare(&w, moved[o], outs[o], y, x, o, at[i])
		}
	}
	if bad > 0 {
		x, y := inputs[w.input], outs[w.output]
		panic(tensor.Errorf(k.op, "the gradient of output %d%s at %v with respect to input %d at %v is %v by backward and "+
			"%v by differences: %.3g apart, where %.3g is allowed (%d of the gradients differ; this is the worst)", w.output,
			w.part, unravel(w.outAt, y.Shape()), w.input, unravel(w.inAt, x.Shape()), show(w.analytic), show(w.numeric),
			cmplx.Abs(w.analytic-w.numeric), k.atol+k.rtol*cmplx.Abs(w.numeric), bad))
	}
}

// differences moves each element of input at and gives, for each output, how each of its elements moved: [element of
// the input × 2][element of the output], the odd rows for imaginary parts.
func (k checker) differences(f Func, inputs []*tensor.Tensor, at int, outs []*tensor.Tensor) [][][]complex128 {
	x := inputs[at]
	n := x.Numel()
	moved := make([][][]complex128, len(outs))
	for o := range moved {
		moved[o] = make([][]complex128, 2*n)
	}
	eval := func(i int, d complex128) [][]complex128 {
		args := make([]*tensor.Tensor, len(inputs))
		var got [][]complex128
		NoGrad(func() {
			for j, in := range inputs {
				args[j] = in.Detach().Clone(tensor.ContiguousFormat)
			}
			nudge(args[at], i, d)
			for _, y := range differentiable(f(args)) {
				got = append(got, values(y))
			}
		})
		if len(got) != len(outs) {
			panic(tensor.Errorf(k.op, "the function gives %d outputs and then %d", len(outs), len(got)))
		}
		return got
	}
	for i := 0; i < n; i++ {
		for part, d := range []complex128{complex(k.eps, 0), complex(0, k.eps)} {
			if part == 1 && !x.Dtype().IsComplex() {
				continue
			}
			up, down := eval(i, d), eval(i, -d)
			for o := range outs {
				row := make([]complex128, len(up[o]))
				for j := range row {
					row[j] = (up[o][j] - down[o][j]) / complex(2*k.eps, 0)
				}
				moved[o][2*i+part] = row
			}
		}
	}
	return moved
}

// compare holds the gradients of x for every element of y against the differences, and notes the worst.
func (k checker) compare(w *worst, moved [][]complex128, out, y, x *tensor.Tensor, o, in int) (bad int) {
	seeds := []complex128{1}
	parts := []string{""}
	if y.Dtype().IsComplex() {
		seeds, parts = []complex128{1, 1i}, []string{" (real part)", " (imaginary part)"}
	}
	for j := 0; j < y.Numel(); j++ {
		for s, seed := range seeds {
			analytic := make([]complex128, x.Numel())
			if out.RequiresGrad() {
				v := tensor.Alloc(k.op, y.Sizes(), y.Dtype(), tensor.CPU)
				nudge(v, j, seed)
				g := Grad([]*tensor.Tensor{y}, []*tensor.Tensor{x}, tensor.NewOption("grad_outputs", []*tensor.Tensor{v}),
					tensor.NewOption("retain_graph", true), tensor.NewOption("allow_unused", true))[0]
				if g != nil {
					analytic = values(g)
				}
			}
			part := func(v complex128) float64 {
				if s == 1 {
					return imag(v)
				}
				return real(v)
			}
			for i := range analytic {
				numeric := complex(part(moved[2*i][j]), 0)
				if x.Dtype().IsComplex() {
					numeric += complex(0, part(moved[2*i+1][j]))
				}
				excess := cmplx.Abs(analytic[i]-numeric) / (k.atol + k.rtol*cmplx.Abs(numeric))
				if math.IsNaN(excess) {
					excess = math.Inf(1)
				}
				if excess > 1 {
					bad++
				}
				if excess > w.excess {
					*w = worst{o, j, in, i, parts[s], analytic[i], numeric, excess}
				}
			}
		}
	}
	return bad
}

func differentiable(ys []*tensor.Tensor) (out []*tensor.Tensor) {
	for _, y := range ys {
		if y.Dtype().IsDifferentiable() {
			out = append(out, y)
		}
	}
	return out
}

// values reads all elements in row-major order.
func values(x *tensor.Tensor) []complex128 {
	out := make([]complex128, 0, x.Numel())
	index := make([]int, x.Dim())
	for n := x.Numel(); n > 0; n-- {
		s, _ := tensor.ScalarOf(x.At(index...))
		out = append(out, s.Complex())
		for d := len(index) - 1; d >= 0; d-- {
			if index[d]++; index[d] < x.Size(d) {
				break
			}
			index[d] = 0
		}
	}
	return out
}

// nudge adds d to element i of a contiguous tensor.
func nudge(x *tensor.Tensor, i int, d complex128) {
	switch x.Dtype() {
	case tensor.Float64:
		tensor.Elems[float64](x)[i] += real(d)
	case tensor.Float32:
		tensor.Elems[float32](x)[i] += float32(real(d))
	case tensor.Complex128:
		tensor.Elems[complex128](x)[i] += d
	case tensor.Complex64:
		tensor.Elems[complex64](x)[i] += complex64(d)
	default:
		panic(tensor.Errorf("gradcheck", "differences of %s drown in rounding; use float64 or complex128", x.Dtype()))
	}
}

// pattern fills a tensor like y with numbers that are neither alike nor zero.
func pattern(y *tensor.Tensor) *tensor.Tensor {
	v := tensor.Alloc("gradgradcheck", y.Sizes(), y.Dtype(), tensor.CPU)
	for i := range v.Numel() {
		nudge(v, i, complex(math.Cos(1.3*float64(i)+0.7), math.Sin(0.9*float64(i)+0.2)))
	}
	return v
}

// unravel returns the index of element i in row-major order.
func unravel(i int, shape []int) []int {
	index := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		index[d] = i % shape[d]
		i /= shape[d]
	}
	return index
}

func show(v complex128) string {
	if imag(v) == 0 {
		return fmt.Sprintf("%.6g", real(v))
	}
	return fmt.Sprintf("%.6g", v)
}
