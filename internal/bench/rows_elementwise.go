package main

import (
	"fmt"

	"gotorch/tensor"
	"gotorch/tensor/opt"
)

// sizes are those of elementwise rows.
var sizes = []struct {
	n   int
	tag string
}{{1000, "1e3"}, {100_000, "1e5"}, {10_000_000, "1e7"}}

// unaryOp is an operator of one operand.
type unaryOp struct {
	name string
	py   string // with a for the operand
	f    func(a T) T
}

// binaryOp is an operator of two operands.
type binaryOp struct {
	name string
	py   string // with a and b
	f    func(a, b T) T
}

var unaryOps = []unaryOp{
	{"exp", "a.exp()", func(a T) T { return a.Exp() }}, {"expm1", "a.expm1()", func(a T) T { return a.Expm1() }},
	{"exp2", "a.exp2()", func(a T) T { return a.Exp2() }}, {"log", "a.log()", func(a T) T { return a.Log() }},
	{"log2", "a.log2()", func(a T) T { return a.Log2() }}, {"log1p", "a.log1p()", func(a T) T { return a.Log1p() }},
	{"sin", "a.sin()", func(a T) T { return a.Sin() }}, {"cos", "a.cos()", func(a T) T { return a.Cos() }},
	{"tan", "a.tan()", func(a T) T { return a.Tan() }}, {"atan", "a.atan()", func(a T) T { return a.Atan() }},
	{"asin", "a.asin()", func(a T) T { return a.Asin() }}, {"sinh", "a.sinh()", func(a T) T { return a.Sinh() }},
	{"tanh", "a.tanh()", func(a T) T { return a.Tanh() }}, {"sigmoid", "a.sigmoid()", func(a T) T { return a.Sigmoid() }},
	{"erf", "a.erf()", func(a T) T { return a.Erf() }}, {"erfinv", "a.erfinv()", func(a T) T { return a.Erfinv() }},
	{"lgamma", "a.lgamma()", func(a T) T { return a.Lgamma() }},
	{"digamma", "a.digamma()", func(a T) T { return a.Digamma() }},
	{"sqrt", "a.sqrt()", func(a T) T { return a.Sqrt() }}, {"rsqrt", "a.rsqrt()", func(a T) T { return a.Rsqrt() }},
	{"reciprocal", "a.reciprocal()", func(a T) T { return a.Reciprocal() }},
	{"square", "a.square()", func(a T) T { return a.Square() }},
	{"abs", "a.abs()", func(a T) T { return a.Abs() }}, {"neg", "a.neg()", func(a T) T { return a.Neg() }},
	{"sign", "a.sign()", func(a T) T { return a.Sign() }}, {"floor", "a.floor()", func(a T) T { return a.Floor() }},
	{"round", "a.round()", func(a T) T { return a.Round() }}, {"trunc", "a.trunc()", func(a T) T { return a.Trunc() }},
	{"frac", "a.frac()", func(a T) T { return a.Frac() }},
	{"relu", "a.relu()", func(a T) T { return a.Relu() }}, {"gelu", "F.gelu(a)", func(a T) T { return tensor.Gelu(a) }},
	{"gelu_tanh", `F.gelu(a, approximate="tanh")`, func(a T) T { return tensor.Gelu(a, opt.Approximate("tanh")) }},
	{"silu", "F.silu(a)", func(a T) T { return tensor.Silu(a) }},
	{"softplus", "F.softplus(a)", func(a T) T { return tensor.Softplus(a) }},
	{"leaky_relu", "F.leaky_relu(a)", func(a T) T { return tensor.LeakyRelu(a) }},
	{"elu", "F.elu(a)", func(a T) T { return tensor.Elu(a) }},
	{"mish", "F.mish(a)", func(a T) T { return tensor.Mish(a) }},
	{"hardswish", "F.hardswish(a)", func(a T) T { return tensor.Hardswish(a) }},
	{"logsigmoid", "F.logsigmoid(a)", func(a T) T { return tensor.Logsigmoid(a) }},
	{"clamp", "a.clamp(-1, 1)", func(a T) T { return a.Clamp(opt.Min(-1), opt.Max(1)) }},
	{"add_scalar", "a + 2", func(a T) T { return a.Add(2) }},
	{"mul_scalar", "a * 2.5", func(a T) T { return a.Mul(2.5) }},
	{"pow2", "a ** 2", func(a T) T { return a.Pow(2) }}, {"pow_2.5", "a ** 2.5", func(a T) T { return a.Pow(2.5) }},
	{"gt_scalar", "a > 0", func(a T) T { return a.Gt(0) }}, {"isnan", "a.isnan()", func(a T) T { return a.Isnan() }},
	{"logical_not", "a.logical_not()", func(a T) T { return a.LogicalNot() }},
	{"to_f64", "a.double()", func(a T) T { return a.Double() }}, {"to_i64", "a.long()", func(a T) T { return a.Long() }},
	{"to_f16", "a.half()", func(a T) T { return a.Half() }},
	{"to_bf16", "a.bfloat16()", func(a T) T { return a.Bfloat16() }},
	{"clone", "a.clone()", func(a T) T { return a.Clone() }},
}

var binaryOps = []binaryOp{
	{"add", "a + b", func(a, b T) T { return a.Add(b) }}, {"sub", "a - b", func(a, b T) T { return a.Sub(b) }},
	{"mul", "a * b", func(a, b T) T { return a.Mul(b) }}, {"div", "a / b", func(a, b T) T { return a.Div(b) }},
	{"add_alpha", "torch.add(a, b, alpha=2)", func(a, b T) T { return a.Add(b, opt.Alpha(2)) }},
	{"maximum", "torch.maximum(a, b)", func(a, b T) T { return a.Maximum(b) }},
	{"gt", "a > b", func(a, b T) T { return a.Gt(b) }}, {"eq", "a == b", func(a, b T) T { return a.Eq(b) }},
	{"logical_and", "torch.logical_and(a, b)", func(a, b T) T { return a.LogicalAnd(b) }},
	{"where", "torch.where(a > 0, a, b)", func(a, b T) T { return tensor.Where(a.Gt(0), a, b) }},
	{"atan2", "torch.atan2(a, b)", func(a, b T) T { return a.Atan2(b) }},
	{"hypot", "torch.hypot(a, b)", func(a, b T) T { return a.Hypot(b) }},
	{"pow", "torch.pow(a.abs(), b)", func(a, b T) T { return a.Abs().Pow(b) }},
	{"fmod", "torch.fmod(a, b)", func(a, b T) T { return a.Fmod(b) }},
	{"remainder", "torch.remainder(a, b)", func(a, b T) T { return a.Remainder(b) }},
	{"floor_divide", "a // b", func(a, b T) T { return a.FloorDivide(b) }},
	{"lerp", "torch.lerp(a, b, 0.3)", func(a, b T) T { return a.Lerp(b, 0.3) }},
	{"addcmul", "torch.addcmul(a, a, b)", func(a, b T) T { return a.Addcmul(a, b) }},
	{"add_", "a.add_(b)", func(a, b T) T { return a.Add_(b) }},
	{"chain_mul_add_tanh", "(a * b + a).tanh()", func(a, b T) T { return a.Mul(b).Add(a).Tanh() }},
}

// elementwise adds float32 operators at 1e5, a part of them at 1e3 and 1e7 and into a given result, and other dtypes.
func elementwise(t *table) {
	for _, s := range sizes {
		t.in("elementwise " + s.tag)
		few := map[string]bool{"exp": true, "log": true, "sin": true, "tanh": true, "sigmoid": true, "sqrt": true,
			"relu": true, "gelu": true,
			"gelu_tanh": true, "to_f64": true, "clone": true, "add_scalar": true, "add": true, "mul": true, "gt": true,
			"where": true, "add_": true,
			"chain_mul_add_tanh": true, "floor": true, "div": true}
		for _, op := range unaryOps {
			if s.n == 100_000 || few[op.name] {
				t.add("t."+op.name+"."+s.tag, fmt.Sprintf("a = g(%d)", s.n), op.py, func() func() {
					a := g(s.n)
					return func() { op.f(a) }
				})
			}
		}
		for _, op := range binaryOps {
			if s.n == 100_000 || few[op.name] {
				t.add("t."+op.name+"."+s.tag, fmt.Sprintf("a, b = g(%d), g(%d)", s.n, s.n), op.py, func() func() {
					a, b := g(s.n), g(s.n)
					return func() { op.f(a, b) }
				})
			}
		}
		for _, op := range []struct {
			name string
			f    func(a T, opts ...tensor.Option) T
		}{{"exp", tensor.Exp}, {"log", tensor.Log}, {"tanh", tensor.Tanh}, {"sigmoid", tensor.Sigmoid},
			{"sqrt", tensor.Sqrt}, {"sin", tensor.Sin}} {
			t.add("t."+op.name+"."+s.tag+".out", fmt.Sprintf("a = g(%d).abs() + 0.1\nc = torch.empty(%d)", s.n, s.n),
				fmt.Sprintf("torch.%s(a, out=c)", op.name), func() func() {
					a, c := g(s.n).Abs().Add(0.1), tensor.Empty(s.n)
					return func() { op.f(a, opt.Out(c)) }
				})
		}
		for _, op := range []struct {
			name string
			f    func(a, b tensor.Operand, opts ...tensor.Option) T
		}{{"add", tensor.Add}, {"mul", tensor.Mul}} {
			t.add("t."+op.name+"."+s.tag+".out", fmt.Sprintf("a, b, c = g(%d), g(%d), torch.empty(%d)", s.n, s.n, s.n),
				fmt.Sprintf("torch.%s(a, b, out=c)", op.name), func() func() {
					a, b, c := g(s.n), g(s.n), tensor.Empty(s.n)
					return func() { op.f(a, b, opt.Out(c)) }
				})
		}
	}
	t.in("other dtypes")
	for _, d := range []struct {
		name  string
		dtype tensor.Dtype
	}{{"float64", tensor.Float64}, {"float16", tensor.Float16}, {"bfloat16", tensor.Bfloat16}, {"int64", tensor.Int64},
		{"int32", tensor.Int32}, {"uint8", tensor.Uint8}} {
		setup := fmt.Sprintf("a, b = (g(100000) * 20 + 100).to(torch.%s), (g(100000) * 20 + 100).to(torch.%s)",
			d.name, d.name)
		operands := func() (a, b T) {
			return g(100_000).Mul(20).Add(100).To(d.dtype), g(100_000).Mul(20).Add(100).To(d.dtype)
		}
		for _, op := range binaryOps {
			switch op.name {
			case "add", "mul", "maximum", "gt":
				t.add("t."+op.name+"."+d.name, setup, op.py, func() func() {
					a, b := operands()
					return func() { op.f(a, b) }
				})
			}
		}
		for _, op := range unaryOps {
			if op.name == "to_f64" || op.name == "exp" && (d.name == "float64" || d.name == "bfloat16") ||
				op.name == "tanh" && d.name == "float64" {
				t.add("t."+op.name+"."+d.name, setup, op.py, func() func() {
					a, _ := operands()
					return func() { op.f(a) }
				})
			}
		}
		t.add("t.sum."+d.name, setup, "a.sum()", func() func() {
			a, _ := operands()
			return func() { a.Sum() }
		})
	}
	t.add("t.bitwise_and.int64", "a, b = torch.arange(100000), torch.arange(100000)", "a & b", func() func() {
		a, b := tensor.Arange(100_000), tensor.Arange(100_000)
		return func() { a.BitwiseAnd(b) }
	})
}
