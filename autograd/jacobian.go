package autograd

import (
	"gotorch/tensor"
)

// Note: Jacobians. The rows of a Jacobian are vector-Jacobian products with the unit vectors of the result, its
// columns Jacobian-vector products with those of the input. Vmap does all of them at once, or opt.ChunkSize of them
// at a time. Jacrev is for functions of many inputs and few results, Jacfwd for those of few inputs and many results,
// and the Hessian is one over the other: the columns of the Jacobian of the gradient.

// Jacobian returns the derivative of f's one result by its one input x: all of its elements by all of those of x, in
// the shape of the result followed by that of x. It is row for row what backward gives. See [JacobianAll] for several.
func Jacobian(f any, x *tensor.Tensor, opts ...tensor.Option) *tensor.Tensor {
	return Jacrev(f, opts...)(x)
}

// JacobianAll returns the derivatives of each result of f by each input: [result][input], as [Jacobian] has them.
// Inputs may be lists and structs of tensors: they count as their tensors do, in the order of [Flatten].
func JacobianAll(f any, xs ...any) [][]*tensor.Tensor {
	in := Flatten(xs)
	return jacrev("jacobian", treeFunction("jacobian", f, xs), in, differentiableAmong(in), 0)
}

// Jacrev returns the function that computes the Jacobian of f, in reverse mode, by its first input or that which
// opt.Argnums names. Its shape is that of f's result followed by that of the input. opt.ChunkSize says how many rows
// are made at a time (all). It can be transformed again.
func Jacrev(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) *tensor.Tensor {
	noInputs("jacrev", "Jacrev", opts)
	m := tensor.Keywords("jacrev", opts, "argnums", "chunk_size")
	return func(xs ...*tensor.Tensor) *tensor.Tensor {
		wrt := argnums("jacrev", m, len(xs), []int{0})
		js := jacrev("jacrev", function("jacrev", f), xs, wrt, chunkOf("jacrev", m))
		if len(js) != 1 || len(wrt) != 1 {
			panic(tensor.Errorf("jacrev", "there are %d results and %d inputs to differentiate by", len(js), len(wrt)).
				WithHint("use JacobianAll"))
		}
		return js[0][0]
	}
}

// Jacfwd is [Jacrev] in forward mode: the same numbers, column by column.
func Jacfwd(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) *tensor.Tensor {
	noInputs("jacfwd", "Jacfwd", opts)
	m := tensor.Keywords("jacfwd", opts, "argnums", "chunk_size")
	return func(xs ...*tensor.Tensor) *tensor.Tensor {
		wrt := argnums("jacfwd", m, len(xs), []int{0})
		js := jacfwd("jacfwd", function("jacfwd", f), xs, wrt, chunkOf("jacfwd", m))
		if len(js) != 1 || len(wrt) != 1 {
			panic(tensor.Errorf("jacfwd", "there are %d results and %d inputs to differentiate by", len(js), len(wrt)).
				WithHint("use JacobianAll"))
		}
		return js[0][0]
	}
}

// Hessian returns the function that computes the second derivatives of f, whose result is one number, by its first
// input or that which opt.Argnums names: the shape of the input twice. It is Jacfwd(GradOf(f)).
func Hessian(f any, opts ...tensor.Option) func(xs ...*tensor.Tensor) *tensor.Tensor {
	noInputs("hessian", "Hessian", opts)
	m := tensor.Keywords("hessian", opts, "argnums", "chunk_size")
	return func(xs ...*tensor.Tensor) *tensor.Tensor {
		wrt := argnums("hessian", m, len(xs), []int{0})
		if len(wrt) != 1 {
			panic(tensor.Errorf("hessian", "opt.Argnums names %d inputs", len(wrt)).WithHint("use HessianAll"))
		}
		return hessian(f, xs, wrt, chunkOf("hessian", m))[0][0]
	}
}

// HessianAll returns the second derivatives of f by each pair of its inputs, [input][input]. Inputs may be lists and
// structs of tensors, as for [JacobianAll].
func HessianAll(f any, xs ...any) [][]*tensor.Tensor {
	in := Flatten(xs)
	return hessian(Func(treeFunction("hessian", f, xs)), in, differentiableAmong(in), 0)
}

func hessian(f any, xs []*tensor.Tensor, wrt []int, chunk int) [][]*tensor.Tensor {
	return jacfwd("hessian", func(in []*tensor.Tensor) []*tensor.Tensor {
		_, g := valueAndGrads("hessian", f, in, wrt)
		return g
	}, xs, wrt, chunk)
}

// Linearize runs f at xs and returns its results, and the function that multiplies its Jacobian there with vectors:
// one tangent for each input, in its shape and dtype (nil for zeros), to one for each result. f runs once; what the
// products need is kept. Inputs may be lists and structs of tensors, which count as their tensors do.
func Linearize(f any, xs ...any) (outputs []*tensor.Tensor, push func(tangents ...*tensor.Tensor) []*tensor.Tensor) {
	const op = "linearize"
	in := Flatten(xs)
	r := recordFunction(op, treeFunction(op, f, xs), in, differentiableAmong(in))
	// The pullback is linear in its vectors; its own pullback, whatever the vectors were, is the product.
	us := make([]*tensor.Tensor, len(r.ys))
	var leaves, gs []*tensor.Tensor
	EnableGrad(func() {
		for i, y := range r.ys {
			if y.RequiresGrad() {
				us[i] = tensor.ZerosLike(bare(y)).RequiresGrad_()
				leaves = append(leaves, us[i])
			}
		}
		if len(leaves) > 0 {
			gs = r.pull(us, true)
		}
	})
	return r.results(), func(tangents ...*tensor.Tensor) []*tensor.Tensor {
		if len(tangents) != len(in) {
			panic(tensor.Errorf(op, "there must be one tangent for each of the %d inputs, got %d", len(in),
				len(tangents)))
		}
		var moved, along []*tensor.Tensor
		create := r.keep
		for i, g := range gs {
			if g != nil && tangents[i] != nil && g.RequiresGrad() {
				moved, along = append(moved, g), append(along, tangents[i])
				create = create || IsGradEnabled() && (tangents[i].Recorded() || recordedBeneath(tangents[i]))
			}
		}
		ts := make([]*tensor.Tensor, len(leaves))
		if len(moved) > 0 {
			run(rootsOf(op, moved, settings{grads: along}), edgesOf(leaves), ts, true, create)
		}
		out := make([]*tensor.Tensor, len(r.ys))
		k := 0
		for i, y := range r.ys {
			if us[i] != nil {
				if ts[k] != nil {
					out[i] = ts[k]
					if !r.outer {
						out[i] = r.stripped(ts[k], tangents)
					}
				}
				k++
			}
			if out[i] == nil {
				out[i] = tensor.ZerosLike(bare(y))
			}
		}
		return out
	}
}

func chunkOf(op string, m map[string]any) int {
	v, ok := m["chunk_size"]
	if !ok {
		return 0
	}
	n, ok := v.(int)
	if !ok || n < 1 {
		panic(tensor.Errorf(op, "chunk_size must be a positive int, not %v", v))
	}
	return n
}

// units are the unit vectors of x's elements, along dimension 0.
func units(x *tensor.Tensor) *tensor.Tensor {
	n := x.Numel()
	return tensor.With(x.Dtype(), x.Device()).Eye(n).View(append([]int{n}, x.Sizes()...)...)
}

// inChunks is Vmap of f over xs, along dimension 0, chunk at a time; 0 is all at once.
func inChunks(f func(xs []*tensor.Tensor) []*tensor.Tensor, chunk int, x *tensor.Tensor) []*tensor.Tensor {
	var opts []tensor.Option
	if chunk > 0 {
		opts = append(opts, tensor.NewOption("chunk_size", chunk))
	}
	return VmapAll(Func(f), opts...)(x)
}

// jacrev returns the Jacobians [result][input of wrt], from the rows.
func jacrev(op string, f func([]*tensor.Tensor) []*tensor.Tensor, xs []*tensor.Tensor, wrt []int,
	chunk int) [][]*tensor.Tensor {
	r := recordFunction(op, f, xs, wrt)
	out := make([][]*tensor.Tensor, len(r.ys))
	for i, y := range r.ys {
		if !y.Dtype().IsDifferentiable() {
			panic(tensor.Errorf(op, "result %d is %s, which has no derivative", i, y.Dtype()))
		}
		if y.Numel() == 0 || !y.RequiresGrad() {
			for _, k := range wrt {
				out[i] = append(out[i], tensor.With(y.Dtype(),
					y.Device()).Zeros(append(y.Shape(), xs[k].Sizes()...)...))
			}
			continue
		}
		rows := inChunks(func(v []*tensor.Tensor) []*tensor.Tensor {
			vs := make([]*tensor.Tensor, len(r.ys))
			vs[i] = v[0]
			var some []*tensor.Tensor
			all := r.pull(vs, true)
			for _, k := range wrt {
				some = append(some, all[k])
			}
			return some
		}, chunk, units(y))
		for k, j := range rows {
			out[i] = append(out[i], r.shown(j.Reshape(append(y.Shape(), xs[wrt[k]].Sizes()...)...)))
		}
	}
	return out
}

// jacfwd returns the Jacobians [result][input of wrt], from the columns.
func jacfwd(op string, f func([]*tensor.Tensor) []*tensor.Tensor, xs []*tensor.Tensor, wrt []int,
	chunk int) [][]*tensor.Tensor {
	var out [][]*tensor.Tensor
	for at, k := range wrt {
		x := xs[k]
		if x == nil || !x.Dtype().IsDifferentiable() {
			panic(tensor.Errorf(op, "input %d must be a floating point or complex tensor, or it has no derivative", k))
		}
		if x.Numel() == 0 {
			for i, y := range f(xs) {
				if at == 0 {
					out = append(out, nil)
				}
				out[i] = append(out[i], tensor.With(y.Dtype(), y.Device()).Zeros(append(y.Shape(), x.Sizes()...)...))
			}
			continue
		}
		columns := inChunks(func(v []*tensor.Tensor) []*tensor.Tensor {
			tangents := make([]*tensor.Tensor, len(xs))
			tangents[k] = v[0]
			_, ts := JVP(Func(f), xs, tangents)
			return ts
		}, chunk, units(x))
		for i, c := range columns {
			if at == 0 {
				out = append(out, nil)
			}
			shape := append(append([]int{}, c.Sizes()[1:]...), x.Sizes()...)
			out[i] = append(out[i], c.Movedim(0, -1).Reshape(shape...))
		}
	}
	return out
}
