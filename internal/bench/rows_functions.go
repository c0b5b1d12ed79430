package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// into is an operator that writes into a given result, so that its row measures the loop and not the memory.
type into struct {
	name   string
	domain string // Python expression of g(n) that makes its operands; empty: normal numbers
	py     string // the Python call without out=c, of a and b
	f      func(a, b T, out tensor.Option) T
}

// domains are the operands that rows use, by their Python expressions.
var domains = map[string]func(n int) T{
	"":                       func(n int) T { return g(n) },
	"g(%d).abs() + 0.1":      func(n int) T { return g(n).Abs().Add(0.1) },
	"g(%d).abs() + 1":        func(n int) T { return g(n).Abs().Add(1) },
	"g(%d).tanh()":           func(n int) T { return g(n).Tanh() },
	"g(%d).sigmoid()":        func(n int) T { return g(n).Sigmoid() },
	"g(%d) * 1000":           func(n int) T { return g(n).Mul(1000) },
	"(g(%d) * 20).abs() + 1": func(n int) T { return g(n).Mul(20).Abs().Add(1) },
}

const (
	positive = "g(%d).abs() + 0.1"
	above1   = "g(%d).abs() + 1"
	within1  = "g(%d).tanh()"
	within01 = "g(%d).sigmoid()"
	wide     = "g(%d) * 1000"
	whole    = "(g(%d) * 20).abs() + 1"
)

// call1 is into for a function of one operand, whose name both languages share.
func call1(name, domain string, f func(a T, opts ...tensor.Option) T) into {
	return into{name, domain, fmt.Sprintf("torch.%s(a, ", name), func(a, _ T, out tensor.Option) T { return f(a, out) }}
}

// call2 is into for a function of two operands.
func call2[A, B any](name, domain string, f func(a A, b B, opts ...tensor.Option) T) into {
	return into{name, domain, fmt.Sprintf("torch.%s(a, b, ", name), func(a, b T, out tensor.Option) T {
		return f(any(a).(A), any(b).(B), out)
	}}
}

var floatFunctions = []into{
	call1("exp2", "", tensor.Exp2), call1("expm1", "", tensor.Expm1), call1("exp", "", tensor.Exp),
	call1("log", positive, tensor.Log), call1("log2", positive, tensor.Log2), call1("log10", positive, tensor.Log10),
	call1("log1p", positive, tensor.Log1p),
	call1("sin", "", tensor.Sin), call1("cos", "", tensor.Cos), call1("tan", "", tensor.Tan),
	call1("asin", within1, tensor.Asin),
	call1("acos", within1, tensor.Acos), call1("atan", "", tensor.Atan), call1("sinh", "", tensor.Sinh),
	call1("cosh", "", tensor.Cosh),
	call1("tanh", "", tensor.Tanh), call1("asinh", "", tensor.Asinh), call1("acosh", above1, tensor.Acosh),
	call1("atanh", within1, tensor.Atanh),
	call1("sigmoid", "", tensor.Sigmoid), call1("erf", "", tensor.Erf), call1("erfc", "", tensor.Erfc),
	call1("erfinv", within1, tensor.Erfinv),
	call1("lgamma", "", tensor.Lgamma), call1("digamma", positive, tensor.Digamma), call1("i0", "", tensor.I0),
	call1("sinc", "", tensor.Sinc),
	call1("logit", within01, tensor.Logit), call1("sqrt", positive, tensor.Sqrt), call1("rsqrt", positive, tensor.Rsqrt),
	call1("reciprocal", "", tensor.Reciprocal), call1("square", "", tensor.Square), call1("abs", "", tensor.Abs),
	call1("neg", "", tensor.Neg),
	call1("sign", "", tensor.Sign), call1("round", "", tensor.Round), call1("trunc", "", tensor.Trunc),
	call1("frac", "", tensor.Frac),
	call1("nan_to_num", "", tensor.NanToNum),
	{"polygamma1", positive, "torch.polygamma(1, a, ",
		func(a, _ T, out tensor.Option) T { return tensor.Polygamma(1, a, out) }},
	{"polygamma2", positive, "torch.polygamma(2, a, ",
		func(a, _ T, out tensor.Option) T { return tensor.Polygamma(2, a, out) }},
	call2("add", "", tensor.Add), call2("div", "", tensor.Div),
	{"div_floor", "", `torch.div(a, b, rounding_mode="floor", `, func(a, b T, out tensor.Option) T {
		return tensor.Div(a, b, opt.RoundingMode("floor"), out)
	}},
	{"div_trunc", "", `torch.div(a, b, rounding_mode="trunc", `, func(a, b T, out tensor.Option) T {
		return tensor.Div(a, b, opt.RoundingMode("trunc"), out)
	}},
	call2("floor_divide", "", tensor.FloorDivide), call2("fmod", "", tensor.Fmod),
	call2("remainder", "", tensor.Remainder),
	{"fmod_scalar", wide, "torch.fmod(a, 0.7, ", func(a, _ T, out tensor.Option) T { return tensor.Fmod(a, 0.7, out) }},
	{"remainder_scalar", wide, "torch.remainder(a, 0.7, ",
		func(a, _ T, out tensor.Option) T { return tensor.Remainder(a, 0.7, out) }},
	call2("atan2", "", tensor.Atan2), call2("hypot", "", tensor.Hypot), call2("pow", positive, tensor.Pow),
	{"pow_2.5", positive, "torch.pow(a, 2.5, ", func(a, _ T, out tensor.Option) T { return tensor.Pow(a, 2.5, out) }},
	{"pow_3", positive, "torch.pow(a, 3, ", func(a, _ T, out tensor.Option) T { return tensor.Pow(a, 3, out) }},
	call2("maximum", "", tensor.Maximum), call2("copysign", "", tensor.Copysign),
	call2("nextafter", "", tensor.Nextafter),
	call2("heaviside", "", tensor.Heaviside), call2("logaddexp", "", tensor.Logaddexp),
	call2("logaddexp2", "", tensor.Logaddexp2),
	call2("xlogy", positive, tensor.Xlogy),
	{"addcmul", "", "torch.addcmul(a, b, b, ", func(a, b T, out tensor.Option) T { return tensor.Addcmul(a, b, b, out) }},
	{"addcdiv", "", "torch.addcdiv(a, b, b, ", func(a, b T, out tensor.Option) T { return tensor.Addcdiv(a, b, b, out) }},
	{"lerp", "", "torch.lerp(a, b, b, ", func(a, b T, out tensor.Option) T { return tensor.Lerp(a, b, b, out) }},
	{"clamp", "", "torch.clamp(a, -1, 1, ", func(a, b T, out tensor.Option) T {
		return tensor.Clamp(a, opt.Min(-1), opt.Max(1), out)
	}},
	{"clamp_tensors", "", "torch.clamp(a, b, a, ", func(a, b T, out tensor.Option) T {
		return tensor.Clamp(a, opt.Min(b), opt.Max(a), out)
	}},
}

var integerFunctions = []into{
	call2("add", whole, tensor.Add), call2("mul", whole, tensor.Mul), call2("maximum", whole, tensor.Maximum),
	call2("floor_divide", whole, tensor.FloorDivide), call2("fmod", whole, tensor.Fmod),
	call2("remainder", whole, tensor.Remainder),
	{"floor_divide_scalar", whole, "torch.floor_divide(a, 7, ",
		func(a, _ T, out tensor.Option) T { return tensor.FloorDivide(a, 7, out) }},
	call2("bitwise_left_shift", whole, tensor.BitwiseLeftShift),
	call2("bitwise_right_shift", whole, tensor.BitwiseRightShift),
	call2("bitwise_xor", whole, tensor.BitwiseXor), call1("abs", whole, tensor.Abs), call1("sign", whole, tensor.Sign),
	call1("square", whole, tensor.Square), call2("gcd", whole, tensor.Gcd),
	{"clamp", whole, "torch.clamp(a, 3, 9, ", func(a, b T, out tensor.Option) T {
		return tensor.Clamp(a, opt.Min(3), opt.Max(9), out)
	}},
	{"add_alpha", whole, "torch.add(a, b, alpha=3, ", func(a, b T, out tensor.Option) T {
		return tensor.Add(a, b, opt.Alpha(3), out)
	}},
}

// halfFunctions are the names of the functions that are measured in the half types too.
var halfFunctions = map[string]bool{"exp": true, "log": true, "tanh": true, "sigmoid": true, "sqrt": true, "abs": true,
	"neg": true, "add": true, "div": true,
	"pow": true, "maximum": true, "fmod": true, "addcmul": true, "clamp": true, "erf": true, "rsqrt": true}

// activations have no out=: their results are new.
var activations = []unaryOp{
	{"hardsigmoid", "F.hardsigmoid(a)", func(a T) T { return tensor.Hardsigmoid(a) }},
	{"hardtanh", "F.hardtanh(a)", func(a T) T { return tensor.Hardtanh(a) }},
	{"relu6", "F.relu6(a)", func(a T) T { return tensor.Relu6(a) }},
	{"selu", "F.selu(a)", func(a T) T { return tensor.Selu(a) }},
	{"celu", "F.celu(a)", func(a T) T { return tensor.Celu(a) }},
	{"softsign", "F.softsign(a)", func(a T) T { return tensor.Softsign(a) }},
	{"tanhshrink", "F.tanhshrink(a)", func(a T) T { return tensor.Tanhshrink(a) }},
	{"softshrink", "F.softshrink(a)", func(a T) T { return tensor.Softshrink(a) }},
	{"hardshrink", "F.hardshrink(a)", func(a T) T { return tensor.Hardshrink(a) }},
	{"threshold", "F.threshold(a, 0.1, 20)", func(a T) T { return tensor.Threshold(a, 0.1, 20) }},
	{"glu", "F.glu(a)", func(a T) T { return tensor.Glu(a) }},
	{"prelu", "F.prelu(a, torch.tensor([0.25]))", func(a T) T { return tensor.Prelu(a, tensor.New([]float32{0.25})) }},
	{"signbit", "a.signbit()", func(a T) T { return a.Signbit() }},
}

// functions adds the operators that have an operand of each element alone, into a given result, in every dtype.
func functions(t *table) {
	const n = 100_000
	t.in("functions")
	add := func(op into, d tensor.Dtype) {
		domain := op.domain
		if domain == "" {
			domain = "g(%d)"
		}
		operand := "(" + fmt.Sprintf(domain, n) + ").to(torch." + d.String() + ")"
		setup := fmt.Sprintf("torch.set_grad_enabled(False)\na, b, c = %[1]s, %[1]s, torch.empty(%[2]d, dtype=torch.%[3]s)",
			operand, n, d)
		t.add("t."+op.name+"."+d.String()+".out", setup, op.py+"out=c)", func() func() {
			a, b, c := domains[op.domain](n).To(d), domains[op.domain](n).To(d), tensor.Zeros(n).To(d)
			out := opt.Out(c)
			return func() { op.f(a, b, out) }
		})
	}
	for _, d := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		for _, op := range floatFunctions {
			add(op, d)
		}
	}
	for _, d := range []tensor.Dtype{tensor.Float16, tensor.Bfloat16} {
		for _, op := range floatFunctions {
			// which PyTorch does not have
			if halfFunctions[op.name] && !(d == tensor.Float16 && (op.name == "log" || op.name == "erf")) {
				add(op, d)
			}
		}
	}
	for _, d := range []tensor.Dtype{tensor.Uint8, tensor.Int8, tensor.Int16, tensor.Int32, tensor.Int64} {
		for _, op := range integerFunctions {
			add(op, d)
		}
	}
	for _, op := range activations {
		t.add("t."+op.name+".1e3", "a = g(1000)", op.py, func() func() {
			a := g(1000)
			return func() { op.f(a) }
		})
	}
}
