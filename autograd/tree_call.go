package autograd

import (
	"reflect"

	"gotorch/tensor"
)

// treeFunction converts f, a Go function of arguments like args (tensors, lists, maps, structs), to a function of the
// list of tensors in them. It returns the tensors in f's results.
func treeFunction(op string, f any, args []any) func([]*tensor.Tensor) []*tensor.Tensor {
	plain := true
	for _, a := range args {
		_, is := a.(*tensor.Tensor)
		plain = plain && is
	}
	if plain {
		return function(op, f)
	}
	v := reflect.ValueOf(f)
	if f == nil || v.Kind() != reflect.Func {
		panic(tensor.Errorf(op, "wants a function of tensors, not %T", f))
	}
	t := v.Type()
	if !t.IsVariadic() && t.NumIn() != len(args) {
		panic(tensor.Errorf(op, "the function takes %d arguments and is given %d", t.NumIn(), len(args)))
	}
	return func(xs []*tensor.Tensor) (out []*tensor.Tensor) {
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			want := t.In(min(i, t.NumIn()-1))
			if t.IsVariadic() && i >= t.NumIn()-1 {
				want = want.Elem()
			}
			p := reflect.New(reflect.TypeOf(a))
			p.Elem().Set(reflect.ValueOf(a))
			n := len(Flatten(a))
			Unflatten(p.Interface(), xs[:n])
			xs = xs[n:]
			if !p.Elem().Type().ConvertibleTo(want) {
				panic(tensor.Errorf(op, "argument %d of the function must be %s and is given %s", i, want,
					p.Elem().Type()))
			}
			in[i] = p.Elem().Convert(want)
		}
		for _, y := range v.Call(in) {
			walkTensors(y, 0, func(x *tensor.Tensor) { out = append(out, x) })
		}
		return out
	}
}

// GradTree returns the function that computes the gradient of f by its one argument: a tensor, or a list, map or
// struct of tensors, as deep as they go (see [Flatten]). The gradient is a value of the same type, with nil in the
// places of tensors of other than floating point or complex dtype; what holds no tensors is as in the argument. Cells
// may write Grad(f).
//
//	type Weights struct{ W, B *tensor.Tensor }
//	step := autograd.GradTree(func(p Weights) *tensor.Tensor { return x.Matmul(p.W).Add(p.B).Square().Mean() })
//	d := step(p) // d.W, d.B
func GradTree[A any](f func(A) *tensor.Tensor) func(A) A {
	return func(a A) A {
		_, g := ValueAndGradTree(f)(a)
		return g
	}
}

// ValueAndGradTree is [GradTree] with the result of f in front.
func ValueAndGradTree[A any](f func(A) *tensor.Tensor) func(A) (*tensor.Tensor, A) {
	return func(a A) (*tensor.Tensor, A) {
		y, g := GradsOf("grad", Flatten(&a), func(xs []*tensor.Tensor) *tensor.Tensor {
			in := a
			Unflatten(&in, xs)
			return f(in)
		})
		out := a
		Unflatten(&out, g)
		return y, out
	}
}

// GradsOf runs f on xs and returns its result, one number, and the gradients of all xs: nil for those of other than
// floating point or complex dtype. op names the caller in errors. It is what [GradTree] is made of.
func GradsOf(op string, xs []*tensor.Tensor, f func(xs []*tensor.Tensor) *tensor.Tensor) (y *tensor.Tensor,
	grads []*tensor.Tensor) {
	wrt := differentiableAmong(xs)
	if len(wrt) == 0 {
		panic(tensor.Errorf(op, "there is no floating point or complex tensor among the inputs"))
	}
	list := func(in []*tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{f(in)} }
	y, some := valueAndGrads(op, list, xs, wrt)
	grads = make([]*tensor.Tensor, len(xs))
	for k, i := range wrt {
		grads[i] = some[k]
	}
	return y, grads
}

// HVP returns f(x), one number, and the Hessian of f times v: how the gradient of f moves when x moves along v. x and
// v are tensors, or lists, maps or structs of them (see [Flatten]) of the same shapes. It takes one pass forward and
// one backward, and no Hessian.
func HVP[A any](f func(A) *tensor.Tensor, x, v A) (value *tensor.Tensor, product A) {
	y, hv := ProductsOf("hvp", Flatten(&x), Flatten(&v), func(xs []*tensor.Tensor) *tensor.Tensor {
		in := x
		Unflatten(&in, xs)
		return f(in)
	})
	out := x
	Unflatten(&out, hv)
	return y, out
}

// ProductsOf runs f on xs and returns its result, one number, and its Hessian times vs, one for each of xs. op names
// the caller in errors. It is what [HVP] is made of.
func ProductsOf(op string, xs, vs []*tensor.Tensor, f func(xs []*tensor.Tensor) *tensor.Tensor) (y *tensor.Tensor,
	products []*tensor.Tensor) {
	wrt := differentiableAmong(xs)
	if len(xs) != len(vs) {
		panic(tensor.Errorf(op, "there are %d tensors and %d to multiply with", len(xs), len(vs)))
	}
	primals, tangents := make([]*tensor.Tensor, len(wrt)), make([]*tensor.Tensor, len(wrt))
	for k, i := range wrt {
		primals[k], tangents[k] = xs[i], vs[i]
	}
	out, moved := JVP(Func(func(in []*tensor.Tensor) []*tensor.Tensor {
		all := append([]*tensor.Tensor(nil), xs...)
		for k, i := range wrt {
			all[i] = in[k]
		}
		y, g := GradsOf(op, all, f)
		some := []*tensor.Tensor{y}
		for _, i := range wrt {
			some = append(some, g[i])
		}
		return some
	}), primals, tangents)
	products = make([]*tensor.Tensor, len(xs))
	for k, i := range wrt {
		products[i] = moved[k+1]
	}
	return out[0], products
}
