package autograd

import (
	"math"
	"math/cmplx"

	"gotorch/tensor"
)

// along compares the derivative of a weighted sum of the outputs when input at moves along one direction with what
// the gradients say: Re⟨v, J u⟩ = Re⟨Jᴴ v, u⟩. Direction and weights are neither alike nor zero.
func (k checker) along(f Func, inputs []*tensor.Tensor, at int, outs []*tensor.Tensor) {
	x := inputs[at]
	u := pattern(x)
	moved := func(h float64) [][]complex128 {
		args := make([]*tensor.Tensor, len(inputs))
		var got [][]complex128
		NoGrad(func() {
			for j, in := range inputs {
				args[j] = in.Detach().Clone(tensor.ContiguousFormat)
			}
			args[at].Add_(u.Mul(h))
			for _, y := range differentiable(f(args)) {
				got = append(got, values(y))
			}
		})
		if len(got) != len(outs) {
			panic(tensor.Errorf(k.op, "the function gives %d outputs and then %d", len(outs), len(got)))
		}
		return got
	}
	up, down := moved(k.eps), moved(-k.eps)
	var ys, vs []*tensor.Tensor
	numeric, size := 0.0, 0.0
	for o, y := range outs {
		v := pattern(y)
		for j, w := range values(v) {
			d := (up[o][j] - down[o][j]) / complex(2*k.eps, 0)
			numeric += real(w)*real(d) + imag(w)*imag(d)
			size += cmplx.Abs(w)
		}
		if y.RequiresGrad() {
			ys, vs = append(ys, y), append(vs, v)
		}
	}
	analytic := 0.0
	directions := values(u)
	if len(ys) > 0 {
		g := Grad(ys, x, tensor.NewOption("grad_outputs", vs), tensor.NewOption("retain_graph", true),
			tensor.NewOption("allow_unused", true))[0]
		if g != nil {
			for i, d := range values(g) {
				analytic += real(d)*real(directions[i]) + imag(d)*imag(directions[i])
			}
		}
	}
	length := 0.0
	for _, d := range directions {
		length += cmplx.Abs(d)
	}
	allowed := k.atol*length*size + k.rtol*math.Abs(numeric)
	if apart := math.Abs(analytic - numeric); !(apart <= allowed) {
		panic(tensor.Errorf(k.op, "the gradient with respect to input %d, along one direction, is %.6g by backward and "+
			"%.6g by differences: %.3g apart, where %.3g is allowed", at, analytic, numeric, apart, allowed).
			WithHint("leave opt.FastMode away to see which element it is"))
	}
}
